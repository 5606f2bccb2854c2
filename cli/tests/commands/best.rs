//! `carrywave best` from the command line.

use crate::common::program::{Ran, assert_mentions};
use carrywave::best::Algorithm;
use carrywave::device::EngineKind;

/// A folder with a text and a FASTA file to search.
struct Folder(crate::common::program::Folder);

impl Folder {
    fn new() -> Self {
        let folder = Self(crate::common::program::Folder::new());
        folder.file("text", "to carry\na wave, or\tto carry, wave\n");
        folder.file("dna.fa", ">c1 first\nACGTG\n>c2\ntttttgattca\n>c3\nGAT\n>c4\nTACA\n");
        folder
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        self.0.file(name, content);
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.0.run(&[&["best"], arguments].concat())
    }

    #[track_caller]
    fn prints(&self, arguments: &[&str], expected: &str) {
        let ran = self.run(arguments);
        assert_eq!(String::from_utf8_lossy(&ran.stdout), expected, "{arguments:?}: {}", ran.stderr);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    }

    #[track_caller]
    fn refuses(&self, arguments: &[&str], code: i32, words: &[&str]) {
        let ran = self.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_slice()), (code, &b""[..]), "{arguments:?}: {}", ran.stderr);
        assert_mentions(&ran.stderr, words);
    }
}

#[test]
fn a_text() {
    let folder = Folder::new();
    folder.prints(&["wafe", "text"], "distance 1, text 11..15: wave\n");
    folder.prints(&["zzz", "text"], "distance 3, text 0..0: \n");
    // A line end is a symbol, and is escaped in the output.
    folder.prints(&["carry a wave", "text"], "distance 1, text 3..15: carry\\na wave\n");
    folder.prints(
        &["or to carry", "text", "--output", "tsv"],
        "text\t17\t28\tor to carry\t1\tor\\tto carry\t+\t2=1X8=\n",
    );
    folder.prints(&["or to carry", "text", "--output", "cigar"], "2=1X8=\n");
    folder.prints(&["zzz", "text", "--output", "cigar"], "3I\n");
    let json = r#"{"file":"text","start":11,"end":15,"strand":"+","distance":1,"substitutions":1,"insertions":0,"deletions":0,"cigar":"2=1X1=","pattern":"wafe","match":"wave"}"#;
    folder.prints(&["wafe", "text", "--output", "json"], &format!("{json}\n"));
    folder.file("empty", "");
    folder.prints(&["ab", "empty"], "distance 2, empty 0..0: \n");
}

#[test]
fn records() {
    let folder = Folder::new();
    folder.prints(&["GATTACA", "dna.fa"], "distance 1, c2 5..11: gattca\n");
    folder.prints(&["GATTACA", "dna.fa", "--alphabet", "bytes"], "distance 3, c4 0..4: TACA\n");
    folder.prints(&["GATTACA", "dna.fa", "--output", "tsv"], "c2\t5\t11\tGATTACA\t1\tgattca\t+\t4=1I2=\n");
    folder.file("patterns", "GATTACA\nACGTG\n");
    let cigar = ["--output", "cigar", "-f", "patterns", "dna.fa"];
    folder.prints(&cigar, "4=1I2=\n5=\n");
    let json = r#"{"file":"dna.fa","record":"c2","start":5,"end":11,"strand":"+","distance":1,"substitutions":0,"insertions":0,"deletions":1,"cigar":"4=1I2=","pattern":"GATTACA","match":"gattca"}"#;
    folder.prints(&["GATTACA", "dna.fa", "--output", "json"], &format!("{json}\n"));
    // With --raw, line ends and headers are symbols. The best match has two substitutions, not two
    // deletions.
    folder.prints(&["c3\nGATTA", "dna.fa", "--raw"], "distance 2, dna.fa 33..41: c3\\nGAT\\n>\n");
}

#[test]
fn circular_records() {
    let folder = Folder::new();
    folder.file("plasmid.fa", ">line\nACGTG\n>circle\nTACATTTTTTTTTTGAT\n");
    folder.prints(&["GATTACA", "plasmid.fa"], "distance 3, circle 0..4: TACA\n");
    let circular = ["GATTACA", "plasmid.fa", "--circular"];
    folder.prints(&circular, "distance 0, circle 14..21: GATTACA\n");
    folder.prints(&[&circular[..], &["--output", "bed"]].concat(), "circle\t14\t21\tGATTACA\t0\t+\t7=\n");
    folder.prints(&["TGTAATC", "plasmid.fa", "--circular", "--rc"], "distance 0, circle 14..21 -: GATTACA\n");
    // A part within the record is reported as it is, and a record shorter than the pattern twice.
    folder.prints(&["ACATTT", "plasmid.fa", "--circular"], "distance 0, circle 1..7: ACATTT\n");
    folder.prints(&["GACGTGACG", "plasmid.fa", "--circular"], "distance 1, line 0..8: ACGTGACG\n");
    for (options, told) in [
        (["--output", "paf"].as_slice(), "no positions beyond a record's end"),
        (&["--ties"], "cannot be used with"),
        (&["--raw"], "needs FASTA or FASTQ records"),
    ] {
        folder.refuses(&[&circular[..], options].concat(), 2, &[told]);
    }
    folder.refuses(&["GATT", "plasmid.fa:circle:2-9", "--circular"], 2, &["needs whole records"]);
    let sam = folder.run(&[&circular[..], &["--output", "sam"]].concat()).stdout;
    let sam = String::from_utf8(sam).unwrap();
    assert!(sam.contains("\tTP:circular\n") && sam.contains("\tcircle\t15\t255\t7=\t"), "{sam}");
}

/// Compares with the least distance to all parts of all rotations.
#[test]
fn circular_records_by_brute_force() {
    let folder = Folder::new();
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..20 {
        let mut text = |len: usize| (0..len).map(|_| *random.choice(b"ACGT").unwrap()).collect::<Vec<u8>>();
        let record = text(12);
        let pattern = text(6);
        folder.file("circle.fa", [b">c\n", &record[..], b"\n"].concat());
        let rotation = |start: usize| [&record[start..], &record[..start]].concat();
        let distance = |text: Vec<u8>| carrywave::best(&pattern, &text).unwrap().distance;
        let least = (0..record.len()).map(|start| distance(rotation(start))).min().unwrap();
        let pattern = String::from_utf8(pattern.clone()).unwrap();
        let ran = folder.run(&[&pattern, "circle.fa", "--circular", "--output", "json"]);
        let found: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(found["distance"], least, "{pattern} {record:?}");
        let [start, end] = ["start", "end"].map(|key| found[key].as_u64().unwrap() as usize);
        assert!(start < record.len() && end < 2 * record.len());
        assert_eq!(found["match"], String::from_utf8([&record[..], &record].concat()[start..end].to_vec()).unwrap());
    }
}

/// A mismatch at the first or last symbol is a substitution, not a gap.
#[test]
fn a_part_keeps_its_length() {
    let folder = Folder::new();
    folder.file("first", "TTTCATTACATTT");
    folder.prints(&["GATTACA", "first"], "distance 1, first 3..10: CATTACA\n");
    folder.file("last", "TTTGATTACTTTT");
    folder.prints(&["GATTACA", "last"], "distance 1, last 3..10: GATTACT\n");
}

#[test]
fn every_algorithm() {
    let folder = Folder::new();
    for engine in [EngineKind::Cpu, EngineKind::Simt] {
        for algorithm in Algorithm::all_on(engine).chain([Algorithm::AUTO]) {
            let arguments = ["GATTACA", "dna.fa", "--engine", engine.name(), "--algorithm", algorithm.name()];
            folder.prints(&arguments, "distance 1, c2 5..11: gattca\n");
        }
    }
    folder.prints(&["GATTACA", "dna.fa"], "distance 1, c2 5..11: gattca\n");
}

#[test]
fn what_cannot_be_done() {
    let folder = Folder::new();
    folder.refuses(&["", "text"], 2, &["empty"]);
    folder.refuses(&["GAN", "dna.fa", "--alphabet", "dna"], 2, &["'N' at position 3", "iupac"]);
    let published = ["GAN", "dna.fa", "--engine", "simt", "--algorithm", "umm-n"];
    folder.refuses(&published, 2, &["umm-n", "stands for several"]);
    folder.refuses(&["GA", "dna.fa", "--algorithm", "dmm"], 2, &["dmm", "not available on cpu; available: "]);
    folder.refuses(&["GA", "dna.fa", "--algorithm", "nothing"], 2, &["umm-3m"]);
    folder.refuses(&["GA", "absent"], 1, &["absent"]);
    folder.refuses(&["GA", "."], 1, &["this is a folder"]);
    folder.refuses(&["GA"], 2, &["TEXT"]);
}

/// All output formats, for a part on the reverse strand.
#[test]
fn on_both_strands() {
    let folder = Folder::new();
    folder.file("both.fa", ">f x\nccGATTTACAcc\n>r\naTGTAATGcc\n");
    // Both strands have a part at distance 1 for the first pattern; the forward strand wins.
    folder.prints(&["--rc", "GATTACA", "both.fa"], "distance 1, f 2..10 +: GATTTACA\n");
    folder.prints(&["--rc", "CATTACA", "both.fa"], "distance 0, r 1..8 -: TGTAATG\n");
    folder.prints(&["CATTACA", "both.fa"], "distance 2, f 3..10: ATTTACA\n");
    let with = |output: &str, expected: &str| {
        folder.prints(&["--rc", "CATCTACA", "both.fa", "--output", output], expected);
    };
    with("tsv", "r\t1\t8\tCATCTACA\t1\tTGTAATG\t-\t4=1I3=\n");
    with("bed", "r\t1\t8\tCATCTACA\t1\t-\t4=1I3=\n");
    with("paf", "CATCTACA\t8\t0\t8\t-\tr\t10\t1\t8\t7\t8\t255\tNM:i:1\tcg:Z:4=1I3=\n");
    with(
        "align",
        "\
r 1..8 - CATCTACA: 1 error, 4=1I3=
CATCTACA  8  TGTAGATG  1
             |||| |||
r         2  TGTA-ATG  8

",
    );
    let sam = folder.0.answer(&["best", "--rc", "CATCTACA", "both.fa", "--output", "sam"]);
    let lines: Vec<&str> = sam.lines().collect();
    assert_eq!(lines[..3], ["@HD\tVN:1.6", "@SQ\tSN:f\tLN:12", "@SQ\tSN:r\tLN:10"]);
    assert!(lines[3].starts_with("@PG\tID:carrywave"), "{sam}");
    assert_eq!(lines[4..], ["CATCTACA\t16\tr\t2\t255\t4=1I3=\t*\t0\t0\tTGTAGATG\t*\tNM:i:1\tMD:Z:7"]);
    // No symbol of the text matches, so the read is unmapped in SAM.
    let sam =
        folder.0.answer(&["best", "RR", "both.fa", "--output", "sam", "--text-codes", "never", "--alphabet", "bytes"]);
    assert!(sam.ends_with("\nRR\t4\t*\t0\t0\t*\t*\t0\t0\tRR\t*\n"), "{sam}");
    folder.refuses(&["--rc", "wave", "text"], 2, &["--rc", "bytes"]);
    folder.refuses(&["wave", "text", "--output", "sam"], 2, &["sam", "FASTA"]);
}

#[test]
fn all_nearest_parts() {
    let folder = Folder::new();
    folder.file("both.fa", ">f x\nccGATTTACAccGATTCCA\n>r\naTGTAATGcc\n");
    let first = "distance 1, f 2..10: GATTTACA\n";
    folder.prints(&["GATTACA", "both.fa"], first);
    folder.prints(&["--ties", "GATTACA", "both.fa"], &format!("{first}distance 1, f 12..19: GATTCCA\n"));
    folder.prints(
        &["--ties", "--rc", "GATTACA", "both.fa", "--output", "bed"],
        "f\t2\t10\tGATTACA\t1\t+\t2=1D5=\nf\t12\t19\tGATTACA\t1\t+\t4=1X2=\nr\t1\t8\tGATTACA\t1\t-\t6=1X\n",
    );
    // Only parts on the strand with the smaller distance.
    folder.prints(&["--ties", "--rc", "CATTACA", "both.fa"], "distance 0, r 1..8 -: TGTAATG\n");
    // Parts without errors, and parts with errors only. None overlaps another.
    folder.file("words", "anana anana");
    folder.prints(&["--ties", "ana", "words"], "distance 0, words 0..3: ana\ndistance 0, words 6..9: ana\n");
    folder.prints(&["--ties", "zz", "words"], "distance 2, words 0..0: \n");
}

#[test]
fn patterns_from_a_file() {
    let folder = Folder::new();
    folder.file("primers.fa", ">left one k=3\nGATTACA\n>right\nACGTT\n");
    folder.prints(
        &["-f", "primers.fa", "dna.fa"],
        "left: distance 1, c2 5..11: gattca\nright: distance 1, c1 0..5: ACGTG\n",
    );
    folder.prints(
        &["-f", "primers.fa", "dna.fa", "--output", "bed"],
        "c2\t5\t11\tleft\t1\t+\t4=1I2=\nc1\t0\t5\tright\t1\t+\t4=1X\n",
    );
    folder.file("list", "wafe\n\nto carry a\n");
    folder.prints(
        &["-f", "list", "text"],
        "wafe: distance 1, text 11..15: wave\nto carry a: distance 1, text 0..10: to carry\\na\n",
    );
    folder.refuses(&["-f", "list", "wafe", "text"], 2, &["-f", "TEXT"]);
    folder.refuses(&["-f", "-", "-"], 2, &["standard input"]);
    folder.refuses(&["-f", "absent", "text"], 1, &["absent"]);
    folder.refuses(&["-f", "list", "dna.fa", "--alphabet", "dna"], 2, &["position"]);
}

#[test]
fn case_is_ignored_where_it_is_asked_for() {
    let folder = Folder::new();
    folder.prints(&["WAVE", "text"], "distance 4, text 0..0: \n");
    folder.prints(&["-i", "WAVE", "text"], "distance 0, text 11..15: wave\n");
}
