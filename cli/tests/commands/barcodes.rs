//! `carrywave barcodes` from the command line.

use crate::common::program::{Folder, assert_mentions};

/// Returns a folder with barcodes and reads. Two barcodes differ in one base. Two reads are
/// perfect, the third lacks a base, the fourth is between two barcodes, the fifth has none.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("plate.tsv", "ACGTACGT\tA1\nTTGCATGC\tA2\textra\r\n\nACGTACGA\tA 3\nGGATCC\n");
    folder.file("plate.fa", ">A1 one\nACGT\nACGT\n>A2\nTTGCATGC\n>A3\nACGTACGA\n>GGATCC\nGGATCC\n");
    let reads =
        [("r1", "ACGTACGTAAAA"), ("r2 x", "TTGCATGCCCCC"), ("r3", "TTGATGCCCCCC"), ("r4", "ACGTACGC"), ("r5", "C")];
    let fastq = |(name, bases): &(&str, &str)| format!("@{name}\n{bases}\n+\n{}\n", "I".repeat(bases.len()));
    folder.file("reads.fastq", reads.iter().map(fastq).collect::<String>());
    folder
}

const HEADING: &str = "#Read\tBarcode\tErrors\tStart\tEnd\tTies\tSecond\tStatus\n";

#[test]
fn a_line_for_each_read() {
    let folder = folder();
    let rows = "r1\tA1\t0\t0\t8\t1\t*\tassigned\n\
                r2\tA2\t0\t0\t8\t1\t*\tassigned\n\
                r3\tA2\t1\t0\t7\t1\t*\tassigned\n\
                r4\tA1\t1\t0\t8\t2\t1\tambiguous\n\
                r5\t*\t*\t*\t*\t*\t*\tnone\n";
    assert_eq!(folder.answer(&["barcodes", "plate.tsv", "reads.fastq"]), format!("{HEADING}{rows}"));
    assert_eq!(folder.answer(&["barcodes", "plate.fa", "reads.fastq"]), format!("{HEADING}{rows}"));
    folder.answer(&["barcodes", "plate.fa", "reads.fastq", "reads.fastq", "-o", "two.tsv"]);
    assert_eq!(folder.read("two.tsv"), format!("{HEADING}{rows}{rows}").into_bytes());
    let json = folder.answer(&["barcodes", "--format=json", "--margin=2", "plate.tsv", "reads.fastq"]);
    let lines: Vec<&str> = json.lines().collect();
    assert_eq!(
        lines[0],
        r#"{"file":"reads.fastq","read":"r1","barcode":"A1","errors":0,"start":0,"end":8,"ties":1,"second":1,"status":"ambiguous"}"#
    );
    assert_eq!(
        lines[4],
        r#"{"file":"reads.fastq","read":"r5","barcode":null,"errors":null,"start":null,"end":null,"ties":null,"second":null,"status":"none"}"#
    );
}

/// Names with blanks are one field, also where they are printed for each read.
#[test]
fn names_are_one_field() {
    let folder = folder();
    folder.file("third.fa", ">q\nACGTACGA\n");
    assert!(
        folder.answer(&["barcodes", "plate.tsv", "third.fa", "-k0"]).ends_with("q\tA_3\t0\t0\t8\t1\t*\tassigned\n")
    );
}

#[test]
fn counts_by_errors() {
    let folder = folder();
    let counts = "#Barcode\t0\t1\tTotal\nA1\t1\t0\t1\nA2\t1\t1\t2\nA_3\t0\t0\t0\nGGATCC\t0\t0\t0\n\
                  (ambiguous)\t0\t1\t1\n(none)\t*\t*\t1\n";
    assert_eq!(folder.answer(&["barcodes", "-c", "plate.tsv", "reads.fastq"]), counts);
    let mismatches = folder.answer(&["barcodes", "--mismatches-only", "-c", "plate.tsv", "reads.fastq"]);
    assert_eq!(mismatches, counts.replace("A2\t1\t1\t2", "A2\t1\t0\t1").replace("(none)\t*\t*\t1", "(none)\t*\t*\t2"));
}

#[test]
fn places() {
    let folder = folder();
    folder.file("late.fa", ">one\nGGTTTTGCATGC\n>two\nTTGCATGC\n");
    let found = |options: &[&str]| {
        let table = folder.answer(&[&["barcodes", "-k0", "plate.tsv", "late.fa"], options].concat());
        table.lines().skip(1).map(|line| line.split('\t').nth(3).unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found(&[]), "* 0");
    assert_eq!(found(&["--at", "4"]), "4 *");
    assert_eq!(found(&["--within", "0-3"]), "* 0");
    assert_eq!(found(&["--within", "0-4"]), "4 0");
    assert_eq!(found(&["--within", "4-18446744073709551615"]), "4 *");
    assert_eq!(found(&["--anywhere"]), "4 0");
}

/// Three reads of one molecule, one of them with an error in the UMI, and one of another.
#[test]
fn molecules() {
    let folder = folder();
    let umis = ["ACGT", "ACGT", "ACGA", "TTTT", "ACNT", "ACG"];
    let reads: String = umis.iter().map(|umi| format!(">r\nTTGCATGC{umi}\n")).collect();
    folder.file("umis.fa", reads + ">lost\nTTGATGCACGT\n>other\nACGTACGTCCCC\n");
    let ran = folder.run(&["barcodes", "--umi-after", "4", "plate.tsv", "umis.fa"]);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "#Barcode\tReads\tUMIs\tMolecules\nA1\t1\t1\t1\nA2\t5\t3\t2\n");
    assert_mentions(&ran.stderr, &["2 assigned reads", "UMI"]);
    let ran = folder.run(&["barcodes", "--umi", "8-11", "plate.tsv", "umis.fa"]);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "#Barcode\tReads\tUMIs\tMolecules\nA1\t1\t1\t1\nA2\t6\t3\t3\n");
    assert_mentions(&ran.stderr, &["1 assigned read has", "is not counted"]);
}

/// The files of `--split` have the reads that the table assigns, whole and in their order.
#[test]
fn a_file_for_each_barcode() {
    let folder = Folder::new();
    folder.file("plate.tsv", "ACGTACGT\tA1\nTTGCATGC\tA2\nGGGGCCCC\tA3\n");
    let read = |name: &str, bases: &str| format!("@{name} lane 1\n{bases}\n+\n{}\n", "I".repeat(bases.len()));
    let reads = [("r1", "ACGTACGTAA"), ("r2", "TTGATGCCC"), ("r3", "GATTACAT"), ("r4", "ACGTACGAA")];
    let text: Vec<String> = reads.iter().map(|(name, bases)| read(name, bases)).collect();
    folder.file("reads.fq", text.concat());
    assert_eq!(folder.answer(&["barcodes", "--split", "of-{name}.fq", "plate.tsv", "reads.fq"]), "");
    let of = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(of("of-A1.fq"), [&text[0][..], &text[3]].concat());
    assert_eq!(
        (of("of-A2.fq"), of("of-A3.fq"), of("of-unknown.fq")),
        (text[1].clone(), String::new(), text[2].clone())
    );
    folder.answer(&["barcodes", "--split", "{name}.fa.gz", "plate.tsv", "reads.fq", "reads.fq"]);
    assert_eq!(folder.answer(&["search", "-c", "ACGTACGT", "A1.fa.gz"]), "2\n");
    for (name, words) in [("out.fq", ["{name}", "--split"]), ("{name}.bz2", [".gz", "bz2"])] {
        let message = folder.refusal(2, &["barcodes", "--split", name, "plate.tsv", "reads.fq"]);
        assert_mentions(&message, &words);
    }
    folder.file("other.fa", ">x\nACGT\n");
    let message = folder.refusal(2, &["barcodes", "--split", "{name}", "plate.tsv", "reads.fq", "other.fa"]);
    assert_mentions(&message, &["one format"]);
    folder.file("bad.tsv", "ACGTACGT\ta/b\n");
    let message = folder.refusal(2, &["barcodes", "--split", "{name}", "bad.tsv", "reads.fq"]);
    assert_mentions(&message, &["a/b"]);
}

#[test]
fn wrong_calls_say_what_to_do() {
    let folder = folder();
    folder.file("lines", "ACGT\n");
    folder.file("empty", "");
    folder.file("blank", "\n\n");
    folder.file("twice.txt", "ACGTACGT\nTTGCATGC\n\nacgtacgt\tagain\n");
    folder.file("codes.fa", ">one\nACGT\n>two\nACNT\n");
    folder.file("named.tsv", "ACGT\n\tname\n");
    for (arguments, code, words) in [
        (&[][..], 2, &["BARCODES", "READS"][..]),
        (&["plate.tsv"], 2, &["READS"]),
        (&["-", "-"], 2, &["standard input"]),
        (&["plate.tsv", "lines"], 1, &["lines", "FASTA"]),
        (&["twice.txt", "reads.fastq"], 2, &["twice.txt:4", "again", "barcode 1"]),
        (&["codes.fa", "reads.fastq"], 2, &["codes.fa:3", "two", "'N' at position 3"]),
        (&["named.tsv", "reads.fastq"], 2, &["named.tsv:2", "0 bases"]),
        (&["empty", "reads.fastq"], 1, &["empty"]),
        (&["blank", "reads.fastq"], 1, &["blank", "no barcode"]),
        (&["-k", "6", "plate.tsv", "reads.fastq"], 2, &["plate.tsv:5", "GGATCC", "6 bases"]),
        (&["-k", "4294967295", "plate.tsv", "reads.fastq"], 2, &["at most 16"]),
        (&["--margin", "0", "plate.tsv", "reads.fastq"], 2, &["margin"]),
        (&["--umi", "8-8", "plate.tsv", "reads.fastq"], 2, &["UMI", "31"]),
        (&["--umi-after", "32", "plate.tsv", "reads.fastq"], 2, &["UMI", "31"]),
        (&["plate.tsv", "nothing.fa", "-o", "out"], 1, &["nothing.fa"]),
        (&["--gpus", "1", "plate.tsv", "reads.fastq"], 2, &["barcodes"]),
    ] {
        let message = folder.refusal(code, &[&["barcodes"], arguments].concat());
        assert_mentions(&message, words);
    }
    for (options, word) in [(["--within", "4-2"], "0-4"), (["--within", "3-"], "0-4"), (["--umi", "1-+2"], "0-4")] {
        let ran = folder.run(&[&["barcodes", "plate.tsv", "reads.fastq"], &options[..]].concat());
        assert_eq!(ran.code, 2, "{options:?}");
        assert_mentions(&ran.stderr, &[word]);
    }
}
