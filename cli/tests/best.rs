//! `carrywave best` as a user meets it.

mod common;

use carrywave::device::EngineKind;
use carrywave::distance::BestAlgorithm;
use common::program::{Ran, assert_mentions};

/// A folder with a text and a FASTA file, in which the program looks for the best match.
struct Folder(common::program::Folder);

impl Folder {
    fn new() -> Self {
        let folder = Self(common::program::Folder::new());
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
    // A line end is a symbol, and shown so that the line stays one.
    folder.prints(&["carry a wave", "text"], "distance 1, text 3..15: carry\\na wave\n");
    folder.prints(&["or to carry", "text", "--output", "tsv"], "text\t17\t28\tor to carry\t1\tor\\tto carry\n");
    let json = r#"{"file":"text","start":11,"end":15,"distance":1,"pattern":"wafe","match":"wave"}"#;
    folder.prints(&["wafe", "text", "--output", "json"], &format!("{json}\n"));
    folder.file("empty", "");
    folder.prints(&["ab", "empty"], "distance 2, empty 0..0: \n");
}

#[test]
fn records() {
    let folder = Folder::new();
    folder.prints(&["GATTACA", "dna.fa"], "distance 1, c2 5..11: gattca\n");
    folder.prints(&["GATTACA", "dna.fa", "--alphabet", "bytes"], "distance 3, c4 0..4: TACA\n");
    folder.prints(&["GATTACA", "dna.fa", "--output", "tsv"], "c2\t5\t11\tGATTACA\t1\tgattca\n");
    let json =
        r#"{"file":"dna.fa","record":"c2","start":5,"end":11,"distance":1,"pattern":"GATTACA","match":"gattca"}"#;
    folder.prints(&["GATTACA", "dna.fa", "--output", "json"], &format!("{json}\n"));
    // As bytes there are line ends, and a header: two substitutions rather than two deletions.
    folder.prints(&["c3\nGATTA", "dna.fa", "--raw"], "distance 2, dna.fa 33..41: c3\\nGAT\\n>\n");
}

/// A mismatch at the first or last symbol is a mismatch and no gap.
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
        for algorithm in BestAlgorithm::of(engine).chain([BestAlgorithm::AUTO]) {
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
    folder.refuses(&["GAN", "dna.fa", "--engine", "simt"], 2, &["umm-n", "stand for several"]);
    folder.refuses(&["GA", "dna.fa", "--algorithm", "dmm"], 2, &["dmm", "the engine cpu, which has"]);
    folder.refuses(&["GA", "dna.fa", "--algorithm", "nothing"], 2, &["umm-3m"]);
    folder.refuses(&["GA", "absent"], 1, &["absent"]);
    folder.refuses(&["GA", "."], 1, &["directory"]);
    folder.refuses(&["GA"], 2, &["TEXT"]);
}
