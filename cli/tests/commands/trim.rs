//! `carrywave trim` from the command line. The expected reads are those of cutadapt 5.2.

use crate::common::program::{Folder, assert_mentions};
use flate2::read::MultiGzDecoder;
use std::io::{Read, Write};

const ADAPTER: &str = "TTGGCCAACCGG";

/// Reads: with the adapter, with its start at the end, with an error, with an insertion, without
/// it, with a primer, and without bases.
const READS: [(&str, &str, usize); 7] = [
    ("r1 whole adapter", "GATTACAGATTACATTGGCCAACCGGTT", 28),
    ("r2 over the end", "CATCATCATCATCATTTGG", 19),
    ("r3 with one error", "ACACACACACACATTGGTCAACCGGTTA", 28),
    ("r4 with an insertion", "GTGTGTGTGTGTTTGGCCAAACCGG", 25),
    ("r5 none, low quality", "CAGCAGCAGCAGCAGCAG", 12),
    ("r6 primer first", "CCTTAAGGACTGACTGACTGACTTGGCCAACC", 32),
    ("r7 empty", "", 0),
];

/// Returns FASTQ: of each read the first `good` bases have quality I, the others #.
fn fastq() -> String {
    let record = |(name, bases, good): &(&str, &str, usize)| {
        let qualities = "I".repeat(*good) + &"#".repeat(bases.len() - good);
        format!("@{name}\n{bases}\n+\n{qualities}\n")
    };
    READS.iter().map(record).collect()
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("reads.fq", fastq());
    folder.file("reads.fa", READS.iter().map(|(name, bases, _)| format!(">{name}\n{bases}\n")).collect::<String>());
    folder
}

/// Returns the bases of each read of FASTQ.
fn bases(fastq: &str) -> Vec<&str> {
    fastq.lines().skip(1).step_by(4).collect()
}

/// Runs `trim` and returns the bases of the reads.
fn trimmed(folder: &Folder, options: &[&str]) -> Vec<String> {
    let found = folder.answer(&[&["trim", "--report", "none"], options, &["reads.fq"]].concat());
    bases(&found).into_iter().map(str::to_owned).collect()
}

#[test]
fn the_adapter_and_what_follows_it_are_removed() {
    let folder = folder();
    let found = folder.answer(&["trim", "--report", "none", "-a", ADAPTER, "reads.fq"]);
    assert!(found.starts_with("@r1 whole adapter\nGATTACAGATTACA\n+\nIIIIIIIIIIIIII\n@r2 over the end\n"), "{found}");
    let expected = [
        "GATTACAGATTACA",
        "CATCATCATCATCAT",
        "ACACACACACACA",
        "GTGTGTGTGTGT",
        "CAGCAGCAGCAGCAGCAG",
        "CCTTAAGGACTGACTGACTGAC",
        "",
    ];
    assert_eq!(bases(&found), expected);
    let fasta = folder.answer(&["trim", "--report", "none", "-a", ADAPTER, "reads.fa"]);
    assert_eq!(fasta.lines().skip(1).step_by(2).collect::<Vec<_>>(), expected);
    for threads in ["1", "2", "7"] {
        assert_eq!(
            folder.answer(&["--threads", threads, "trim", "--report", "none", "-a", ADAPTER, "reads.fq"]),
            found
        );
    }
}

#[test]
fn actions_steps_and_filters() {
    let folder = folder();
    let masked = trimmed(&folder, &["-a", ADAPTER, "--action", "mask"]);
    assert_eq!(masked[2], "ACACACACACACANNNNNNNNNNNNNNN");
    let lower = trimmed(&folder, &["-a", ADAPTER, "--action", "lowercase", "--discard-untrimmed"]);
    assert_eq!((lower.len(), &lower[4][..]), (5, "CCTTAAGGACTGACTGACTGACttggccaacc"));
    let exact = trimmed(&folder, &["-q", "20", "-m", "5", "-a", ADAPTER, "-e", "0"]);
    let expected = [
        "GATTACAGATTACA",
        "CATCATCATCATCAT",
        "ACACACACACACATTGGTCAACCGGTTA",
        "GTGTGTGTGTGTTTGGCCAAACCGG",
        "CAGCAGCAGCAG",
        "CCTTAAGGACTGACTGACTGAC",
    ];
    assert_eq!(exact, expected);
    let linked = trimmed(&folder, &["-g", "^CCTTAAGG...TTGGCCAACCGG"]);
    assert_eq!((&linked[5][..], &linked[0][..]), ("ACTGACTGACTGAC", READS[0].1));
    let twice = trimmed(&folder, &["-a", ADAPTER, "-a", "ACTGACTGACTG", "-n", "2"]);
    assert_eq!(twice[5], "CCTTAAGG");
    let either = folder.answer(&["trim", "--report", "none", "-a", "CCGGTTGGCCAA", "--rc", "reads.fq"]);
    assert!(either.starts_with("@r1 whole adapter rc\nAA\n+\nII\n@r2 over the end\n"), "{either}");
    let others = trimmed(&folder, &["-u", "2", "-u", "-3", "-l", "4", "--max-n", "0", "-M", "4"]);
    assert_eq!(others[0], "TTAC");
}

#[test]
fn compressed_files_of_any_number_of_blocks() {
    let folder = folder();
    let many = fastq().repeat(20_000);
    folder.file("many.fq", &many);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(many.as_bytes()).unwrap();
    folder.file("many.fq.gz", packed.finish().unwrap());
    let expected = folder.answer(&["trim", "--report", "none", "-a", ADAPTER, "reads.fq"]).repeat(20_000);
    for (threads, input) in [("1", "many.fq"), ("2", "many.fq.gz"), ("3", "many.fq")] {
        folder.answer(&["--threads", threads, "trim", "-a", ADAPTER, input, "-o", "out.fq.gz"]);
        let mut text = String::new();
        MultiGzDecoder::new(&folder.read("out.fq.gz")[..]).read_to_string(&mut text).unwrap();
        assert!(text == expected, "{threads} {input}");
    }
    // Its own output, which several threads decompress.
    let again = folder.answer(&["--threads", "2", "trim", "--report", "none", "out.fq.gz"]);
    assert!(again == expected);
}

#[test]
fn pairs_stay_in_step() {
    let folder = Folder::new();
    let record = |name: &str, bases: &str| format!("@{name}\n{bases}\n+\n{}\n", "I".repeat(bases.len()));
    let firsts = ["GATTACAGATTACATTGGCCAACCGG", "CATCAT", "ACACACACTTGGCCAACCGG"];
    let seconds = ["TGTAATCTGTAATCGGTTGGTTGGTT", "ATGATGATG", "GTGTGTGT"];
    let file = |reads: [&str; 3], mate: usize| -> String {
        reads.iter().enumerate().map(|(number, bases)| record(&format!("{number}/{mate}"), bases)).collect()
    };
    folder.file("1.fq", file(firsts, 1));
    folder.file("2.fq", file(seconds, 2));
    let both: String =
        firsts.iter().zip(seconds).map(|(first, second)| record("p", first) + &record("p", second)).collect();
    folder.file("both.fq", both);
    let options = ["trim", "--report", "none", "-a", ADAPTER, "-A", "GGTTGGTTGGTT", "-m", "7"];
    folder.answer(&[&options[..], &["-o", "o1.fq", "-p", "o2.fq", "1.fq", "2.fq"]].concat());
    let out = ["o1.fq", "o2.fq"].map(|name| String::from_utf8(folder.read(name)).unwrap());
    assert_eq!(bases(&out[0]), ["GATTACAGATTACA", "ACACACAC"]);
    assert_eq!(bases(&out[1]), ["TGTAATCTGTAATC", "GTGTGTGT"]);
    let together = folder.answer(&[&options[..], &["--interleaved", "both.fq"]].concat());
    assert_eq!(bases(&together), ["GATTACAGATTACA", "TGTAATCTGTAATC", "ACACACAC", "GTGTGTGT"]);
    folder.file("short.fq", record("0/2", "ACGT"));
    folder.file("other.fq", file(seconds, 2).replace("@1/", "@x/"));
    for (second, reason) in [("short.fq", "fewer reads"), ("other.fq", "no pair")] {
        for [first, second] in [["1.fq", second], [second, "1.fq"]] {
            let error = folder.refusal(1, &[&options[..], &["-o", "e1.fq", "-p", "e2.fq", first, second]].concat());
            assert!(error.contains(reason) || error.contains("more reads"), "{error}");
        }
    }
}

#[test]
fn a_file_for_each_barcode() {
    let folder = Folder::new();
    folder.file("barcodes.fa", ">one\nACGTAC\n>two\nTTGGCC\n");
    folder.file("reads.fq", "@a\nACGTACGAT\n+\nIIIIIIIII\n@b\nTTGACCGAT\n+\nIIIIIIIII\n@c\nCCCCCCGAT\n+\nIIIIIIIII\n");
    let options = ["trim", "--report", "none", "-e", "1", "-g", "^file:barcodes.fa", "reads.fq", "-o"];
    folder.answer(&[&options[..], &["out-{name}.fq"]].concat());
    let out = ["out-one.fq", "out-two.fq", "out-unknown.fq"].map(|name| String::from_utf8(folder.read(name)).unwrap());
    assert_eq!(out, ["@a\nGAT\n+\nIII\n", "@b\nGAT\n+\nIII\n", "@c\nCCCCCCGAT\n+\nIIIIIIIII\n"]);
}

#[test]
fn reports() {
    let folder = folder();
    let text = folder.answer(&["trim", "-a", ADAPTER, "-o", "out.fq", "--json", "report.json", "reads.fq"]);
    assert!(text.contains("Reads with adapter:") && text.contains("5 (71.4 %)"), "{text}");
    assert!(text.contains("length\tcount\texpect\tmax.err\terror counts\n4\t1\t0.0\t0\t1\n"), "{text}");
    let report: serde_json::Value = serde_json::from_slice(&folder.read("report.json")).unwrap();
    assert_eq!(report["read_counts"]["read1_with_adapter"], 5);
    assert_eq!(report["basepair_counts"]["output"], 14 + 15 + 13 + 12 + 18 + 22);
    let adapter = &report["adapters_read1"][0];
    assert_eq!((&adapter["name"], &adapter["total_matches"]), (&"1".into(), &5.into()));
    assert_eq!(adapter["three_prime_end"]["error_lengths"], serde_json::json!([9, 12]));
    let short = folder.answer(&["trim", "-a", ADAPTER, "-o", "out.fq", "--report", "short", "reads.fq"]);
    assert_eq!(short.lines().nth(1), Some("7\t150\t0\t0\t0\t7\t5\t0\t94"));
}

#[test]
fn headers_are_changed() {
    let folder = folder();
    folder.file("low.fq", "@r1 length=6\nGATTAC\n+\n!!+I I\n");
    let header = |options: &[&str]| {
        let found = folder.answer(&[&["trim", "--report", "none"], options].concat());
        found.lines().next().unwrap_or_default().to_owned()
    };
    let own = ["-a", ADAPTER, "reads.fq"];
    let with = |options: &[&str]| header(&[options, &own].concat());
    assert_eq!(with(&["-x", "{name}:", "-y", " end"]), "@1:r1 whole adapter end");
    assert_eq!(with(&["--strip-suffix", "ter", "--strip-suffix", "adap"]), "@r1 whole ");
    assert_eq!(
        with(&["--rename", "{id}_{cut_prefix}|{comment}\\t{adapter_name}", "-u", "2"]),
        "@r1_GA|whole adapter\t1"
    );
    assert_eq!(with(&["--rename", "{id} {match_sequence}{rc}"]), format!("@r1 {ADAPTER}"));
    assert_eq!(header(&["-l", "3", "--length-tag", "length=", "low.fq"]), "@r1 length=3");
    let capped = folder.answer(&["trim", "--report", "none", "-z", "--quality-base", "43", "low.fq"]);
    assert_eq!(capped.lines().nth(3), Some("+++I+I"));
    folder.answer(&[
        "trim",
        "--report",
        "none",
        "-U",
        "1",
        "--rename",
        "{id}/{rn} {r2.cut_prefix} {comment}",
        "-o",
        "1.fq",
        "-p",
        "2.fq",
        "reads.fq",
        "reads.fq",
    ]);
    for (file, expected) in [("1.fq", "@r1/1 G whole adapter\n"), ("2.fq", "@r1/2 G whole adapter\n")] {
        let text = String::from_utf8(folder.read(file)).unwrap();
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn wrong_calls_say_what_to_do() {
    let folder = folder();
    folder.file("lines.txt", "neither\n");
    folder.file("damaged.fq", "@1\nAC\n+\nIII\n");
    for (words, code, mention) in [
        (&["-a", "ACGT!", "reads.fq"][..], 2, "no IUPAC code"),
        (&["-a", "ACGT;e=x", "reads.fq"], 2, "not a number"),
        (&["-a", "ACGT", "-e", "9", "reads.fq"], 2, "at most 4 errors"),
        (&["-A", "ACGT", "reads.fq"], 2, "need pairs"),
        (&["-a", "ACGT", "reads.fq", "reads.fq"], 2, "-o and -p"),
        (&["-a", "ACGT", "-o", "out.fq.xz", "reads.fq"], 2, "only .gz"),
        (&["-a", "ACGT", "-o", "out.fq", "reads.fa"], 2, "no qualities"),
        (&["-g", "^ACGT", "-o", "{name}/x.fq", "-g", "a/b=ACGT", "reads.fq"], 2, "another name"),
        (&["-a", "ACGT", "--action", "crop", "-n", "2", "reads.fq"], 2, "one adapter"),
        (&["--rename", "{id", "reads.fq"], 2, "without a `}`"),
        (&["--rename", "{ids}", "reads.fq"], 2, "unknown value"),
        (&["--rename", "{rn}", "reads.fq"], 2, "for pairs"),
        (&["--rename", "{id}", "-x", "a", "reads.fq"], 2, "excludes"),
        (&["--rename", "{cut_prefix}", "-u", "1", "-o", "1", "-p", "2", "reads.fq", "reads.fq"], 2, "name no pair"),
        (&["-a", "file:none.fa", "reads.fq"], 1, "none.fa"),
        (&["-a", "ACGT", "lines.txt"], 1, "neither FASTA nor FASTQ"),
        (&["-a", "ACGT", "damaged.fq", "-o", "out.fq"], 1, "3 qualities"),
    ] {
        let error = folder.refusal(code, &[&["trim"], words].concat());
        assert_mentions(&error, &[mention]);
    }
}
