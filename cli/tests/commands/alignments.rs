//! Positions of the errors in hits, in all output formats: BED, JSON, SAM, PAF and blocks.

use crate::common::program::{Folder, assert_mentions, gz};

/// A pattern of 12 bases. It occurs in c1 with a substitution, in c2 with an additional base, and
/// in c3 on the reverse strand without one of its bases.
const PATTERN: &str = "GATTACAGGCTT";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("dna.fa", ">c1 one\nccGATTACCGGCTTcc\n>c2\nGATTACAGCGCTTaaa\nc\n>c3\ngggggAAGCTGTAATC\n");
    folder.file("text", "to carry waves\nor a wave\n");
    folder
}

/// Returns a line with tabs as blanks.
fn columns(line: &str) -> String {
    line.replace('\t', " ")
}

#[test]
fn sequences_as_bed_with_cigars() {
    let folder = folder();
    let bed = "c1\t2\t14\tGATTACAGGCTT\t1\t+\t6=1X5=\n\
               c2\t0\t13\tGATTACAGGCTT\t1\t+\t8=1D4=\n\
               c3\t5\t16\tGATTACAGGCTT\t1\t-\t3=1I8=\n";
    assert_eq!(folder.answer(&["search", "-k1", "--rc", "--cigar", PATTERN, "dna.fa"]), bed);
    assert_eq!(folder.answer(&["search", "-k1", "--rc", "--cigar", "--format", "bed", PATTERN, "dna.fa"]), bed);
    let without = folder.answer(&["search", "-k1", "--rc", PATTERN, "dna.fa"]);
    assert!(
        without.lines().zip(bed.lines()).all(|(line, with)| line == &with[..with.rfind('\t').unwrap()]),
        "{without}"
    );
    let lines = folder.answer(&["search", "-k1", "--cigar", "--format", "bed", "carrywave", "text"]);
    assert_eq!(lines, "text\t3\t13\tcarrywave\t1\t+\t5=1D4=\n");
    let whole = folder.answer(&["search", "-k1", "--cigar", "--whole", "saor", "text"]);
    assert_eq!(whole, "text\t13\t17\tsaor\t1\t+\t1=1X2=\n");
}

/// The output is compared byte by byte.
#[test]
fn json_has_its_fields_in_order() {
    let folder = folder();
    let json = folder.answer(&["search", "-k1", "--format", "json", PATTERN, "dna.fa"]);
    let record = r#"{"file":"dna.fa","record":"c1","start":2,"end":14,"strand":"+","errors":1,"substitutions":1,"insertions":0,"deletions":0,"cigar":"6=1X5=","pattern":"GATTACAGGCTT","match":"GATTACCGGCTT"}"#;
    assert_eq!(json.lines().next(), Some(record));
    let json = folder.answer(&["search", "-k1", "--format", "json", "carrywave", "text"]);
    let line = r#"{"file":"text","line":1,"start":3,"end":13,"strand":"+","errors":1,"substitutions":0,"insertions":1,"deletions":0,"cigar":"5=1D4=","pattern":"carrywave","match":"carry wave"}"#;
    assert_eq!(json.lines().next(), Some(line));
}

#[test]
fn json_tells_each_kind() {
    let folder = folder();
    let json = folder.answer(&["search", "-k1", "--rc", "--format", "json", PATTERN, "dna.fa"]);
    let lines: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds = |name: &str| lines.iter().map(|line| line[name].as_u64().unwrap()).collect::<Vec<_>>();
    // An insertion is a symbol of the text only, as for --insertions.
    assert_eq!(
        (kinds("substitutions"), kinds("insertions"), kinds("deletions")),
        (vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1])
    );
    let cigars: Vec<&str> = lines.iter().map(|line| line["cigar"].as_str().unwrap()).collect();
    assert_eq!(cigars, ["6=1X5=", "8=1D4=", "3=1I8="]);
    // Without allowed substitutions, the alignment has none, although one would save an error.
    let limited = ["search", "--insertions", "1", "--deletions", "1", "--cigar", PATTERN, "dna.fa"];
    assert!(folder.answer(&limited).starts_with("c1\t2\t14\tGATTACAGGCTT\t2\t+\t5=1D1=1I5=\n"));
}

#[test]
fn sam() {
    let folder = folder();
    let sam = folder.answer(&["search", "-k1", "--rc", "--format", "sam", PATTERN, "dna.fa"]);
    let lines: Vec<String> = sam.lines().map(columns).collect();
    let version = env!("CARGO_PKG_VERSION");
    let expected = [
        "@HD VN:1.6",
        "@SQ SN:c1 LN:16",
        "@SQ SN:c2 LN:17",
        "@SQ SN:c3 LN:16",
        &format!(
            "@PG ID:carrywave PN:carrywave VN:{version} CL:carrywave search -k1 --rc --format sam GATTACAGGCTT dna.fa"
        ),
        "GATTACAGGCTT 0 c1 3 255 6=1X5= * 0 0 GATTACAGGCTT * NM:i:1 MD:Z:6C5",
        "GATTACAGGCTT 256 c2 1 255 8=1D4= * 0 0 GATTACAGGCTT * NM:i:1 MD:Z:8^C4",
        // The sequence in the direction of the text: the reverse complement.
        "GATTACAGGCTT 272 c3 6 255 3=1I8= * 0 0 AAGCCTGTAATC * NM:i:1 MD:Z:11",
    ];
    assert_eq!(lines, expected);
    // Record lengths in a pipe are unknown before its end.
    let file = std::fs::read(folder.path("dna.fa")).unwrap();
    let ran = folder.run_with(&["search", "-k1", "--rc", "--format", "sam", PATTERN], &gz(&file));
    let piped = String::from_utf8(ran.stdout).unwrap();
    assert!(!piped.contains("@SQ") && piped.lines().skip(2).eq(sam.lines().skip(5)), "{piped}");
    // A record that is read in several parts, and a record without symbols.
    folder.file("long.fa", [b">long\n", &[b'a'; 2_500_000][..], b"GATTACAGGCTT\n>none\n\n>short\nAC\n"].concat());
    let long = folder.answer(&["search", "--format", "sam", PATTERN, "long.fa"]);
    let lines: Vec<String> = long.lines().map(columns).collect();
    assert_eq!(lines[1..3], ["@SQ SN:long LN:2500012", "@SQ SN:short LN:2"]);
    assert_eq!(lines[4..], ["GATTACAGGCTT 0 long 2500001 255 12= * 0 0 GATTACAGGCTT * NM:i:0 MD:Z:12"]);
    // Read names from a pattern file. A record that occurs in two files is a single reference.
    folder.file("primers.fa", ">a(b)c one\nGATTACAGGC\n>@d\ncctgt.ATC\n");
    let sam = folder.answer(&["search", "-k1", "--format", "sam", "-f", "primers.fa", "dna.fa", "dna.fa", "-m1"]);
    assert_eq!(sam.lines().filter(|line| line.starts_with("@SQ")).count(), 3);
    let sam = folder.run(&["search", "-k1", "--format", "sam", "-f", "primers.fa", "dna.fa"]);
    let names: Vec<String> = String::from_utf8(sam.stdout).unwrap().lines().skip(5).map(columns).collect();
    assert_eq!(
        names,
        [
            "a(b)c 0 c1 3 255 6=1X3= * 0 0 GATTACAGGC * NM:i:1 MD:Z:6C3",
            "a(b)c 256 c2 1 255 8=1D2= * 0 0 GATTACAGGC * NM:i:1 MD:Z:8^C2",
            "_d 0 c3 8 255 1X4=1X3= * 0 0 cctgt.ATC * NM:i:2 MD:Z:0G4A3",
        ]
    );
}

#[test]
fn paf() {
    let folder = folder();
    let expected = [
        "GATTACAGGCTT 12 0 12 + c1 16 2 14 11 12 255 NM:i:1 cg:Z:6=1X5=",
        "GATTACAGGCTT 12 0 12 + c2 17 0 13 12 13 255 NM:i:1 cg:Z:8=1D4=",
        "GATTACAGGCTT 12 0 12 - c3 16 5 16 11 12 255 NM:i:1 cg:Z:3=1I8=",
    ];
    let paf = folder.answer(&["search", "-k1", "--rc", "--format", "paf", PATTERN, "dna.fa"]);
    assert_eq!(paf.lines().map(columns).collect::<Vec<_>>(), expected);
    let file = std::fs::read(folder.path("dna.fa")).unwrap();
    let ran = folder.run_with(&["search", "-k1", "--rc", "--format", "paf", PATTERN], &file);
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), paf);
}

#[test]
fn for_people() {
    let folder = folder();
    let shown = folder.answer(&["search", "-k1", "--rc", "--format", "align", PATTERN, "dna.fa"]);
    let expected = "\
c1 2..14 + GATTACAGGCTT: 1 error, 6=1X5=
GATTACAGGCTT   1  GATTACAGGCTT  12
                  |||||| |||||
c1             3  GATTACCGGCTT  14

c2 0..13 + GATTACAGGCTT: 1 error, 8=1D4=
GATTACAGGCTT   1  GATTACAG-GCTT  12
                  |||||||| ||||
c2             1  GATTACAGCGCTT  13

c3 5..16 - GATTACAGGCTT: 1 error, 3=1I8=
GATTACAGGCTT  12  AAGCCTGTAATC  1
                  ||| ||||||||
c3             6  AAG-CTGTAATC  16

";
    assert_eq!(shown, expected);
    let shown = folder.answer(&["search", "-k1", "--format", "align", "carrywave", "text"]);
    assert_eq!(shown.lines().next(), Some("text 3..13 + carrywave: 1 error, 5=1D4="));
}

/// The output shows a symbol for each position of a pattern with classes.
#[test]
fn classes() {
    let folder = folder();
    for whole in [&[][..], &["--whole"]] {
        let call = [&["search", "--classes", "-k1", "--format", "align", "c[aeiou]rr\\y.w", "text"], whole].concat();
        let expected = "text 3..10 + c[aeiou]rr\\y.w: 0 errors, 7=\nc[aeiou]rr\\y.w   1  c.rry.w  7\n                    |||||||\n\
                        text             4  carry w  10\n\n";
        assert_eq!(folder.answer(&call), expected);
    }
    let sam = ["search", "--classes", "--alphabet=bytes", "-i", "-k1", "--format", "sam", "ggc[CT]t", "dna.fa"];
    let sam = folder.answer(&sam);
    assert!(sam.lines().nth(5).unwrap().ends_with("\t*\t0\t0\tGGC.T\t*\tNM:i:1\tMD:Z:3T1"), "{sam}");
}

#[test]
fn what_is_for_records_alone() {
    let folder = folder();
    for format in ["sam", "paf"] {
        for more in [&["text"][..], &["--whole", "dna.fa"], &["--raw", "dna.fa"]] {
            let ran = folder.run(&[&["search", "--format", format, "wave"], more].concat());
            assert_eq!(ran.code, 2, "{ran:?}");
            assert_mentions(&ran.stderr, &[format, "FASTA", "json"]);
        }
    }
    folder.file("other.fa", ">c1\nGATTACA\n");
    let message = folder.refusal(2, &["search", "--format", "sam", "GATTACA", "dna.fa", "other.fa"]);
    assert_mentions(&message, &["c1", "16", "7", "PAF"]);
    // Nothing but the count.
    assert_eq!(folder.answer(&["search", "-c", "--format", "sam", "GATTACAGCG", "dna.fa"]), "1\n");
}
