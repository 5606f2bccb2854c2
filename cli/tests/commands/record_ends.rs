//! Hits at the ends of records (`--anchor`, `--overhang`, `^` and `$`), circular records, and
//! records without a hit (`-v`).

use crate::common::program::{Folder, assert_mentions};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("r.fa", ">a\nGATTACATTTT\n>b\nTTTTGATTACA\n>c\nTTTTTTGATT\n>d\nTACATTTTTT\n>e\nATTAC\n>f\nTTTTTTT\n");
    folder.file("r.fq", "@a x\nGATTACAT\n+\nIIIIIII#\n@b y\nTTTTTTTT\n+\n#IIIIIII\n");
    folder.file("text", "carry a wave\na carry\nto carry on\n");
    folder.file("plasmid.fa", ">p\nTACAGCCGGAT\n>q\nCCGATTACACC\n");
    folder
}

/// Returns the BED lines of a search, without the pattern.
fn bed(folder: &Folder, arguments: &[&str]) -> String {
    let answer = folder.answer(&[&["search", "--cigar"], arguments].concat());
    answer.lines().map(|line| line.replace("\tGATTACA", "").replace('\t', " ") + "\n").collect()
}

#[test]
fn anchored_patterns() {
    let folder = folder();
    let start = bed(&folder, &["--anchor", "start", "GATTACA", "r.fa"]);
    assert_eq!(start, "a 0 7 0 + 7=\n");
    assert_eq!(bed(&folder, &["^GATTACA", "r.fa"]).replace("\t^GATTACA", ""), "a 0 7 ^GATTACA 0 + 7=\n");
    assert_eq!(bed(&folder, &["--anchor", "end", "GATTACA", "r.fa"]), "b 4 11 0 + 7=\n");
    assert_eq!(bed(&folder, &["-k2", "-e", "ATTACA$", "-e", "^ATTACA$", "r.fa"]).lines().count(), 3);
    assert_eq!(bed(&folder, &["-k1", "^ATTACA$", "r.fa"]), "e 0 5 ^ATTACA$ 1 + 5=1I\n");
    // Lines, too; there ^ is a symbol.
    assert_eq!(folder.answer(&["search", "--anchor", "start", "-k1", "cary", "text"]), "carry a wave\n");
    assert_eq!(folder.answer(&["search", "--anchor", "end", "-c", "carry", "text"]), "1\n");
    assert_mentions(&folder.refusal(2, &["search", "--anchor", "end", "--engine", "simt", "AC", "r.fa"]), &["CPU"]);
    assert_mentions(&folder.refusal(2, &["search", "--anchor", "end", "-x", "AC", "r.fa"]), &["--anchor", "-x"]);
}

#[test]
fn patterns_that_reach_beyond_records() {
    let folder = folder();
    let expected = "a 0 7 0 + 7=\nb 4 11 0 + 7=\nc 6 10 0 + 4=3S\nd 0 4 0 + 3S4=\ne 0 5 0 + 1S5=1S\n";
    assert_eq!(bed(&folder, &["--overhang", "--min-overlap", "4", "GATTACA", "r.fa"]), expected);
    let least = bed(&folder, &["--overhang", "--min-overlap", "5", "GATTACA", "r.fa"]);
    assert_eq!(least.lines().count(), 3, "{least}");
    // Three symbols beyond cost 1.5, rounded down.
    let costly = bed(&folder, &["--overhang=0.5", "-k1", "GATTACA", "r.fa"]);
    assert!(costly.contains("c 6 10 0 + 4=3S\n"), "{costly}");
    assert!(!bed(&folder, &["--overhang=0.5", "GATTACA", "r.fa"]).contains("c 6"));
    let format = |format: &str| folder.answer(&["search", "--overhang", "--format", format, "GATTACA", "r.fa"]);
    let sam = format("sam");
    assert!(sam.contains("\tc\t7\t255\t4=3S\t*\t0\t0\tGATTACA\t*\tNM:i:0\tMD:Z:4\n"), "{sam}");
    assert!(format("paf").contains("GATTACA\t7\t0\t4\t+\tc\t10\t6\t10\t4\t4\t255\tNM:i:0\tcg:Z:4=\n"));
    assert!(format("json").contains("\"cigar\":\"1S5=1S\",\"beyond\":{\"start\":1,\"end\":1}"));
    let align = format("align");
    assert_mentions(&align, &["d 0..4 + GATTACA: 0 errors, 3S4=", "GATTACA  4  TACA  7"]);
    let reverse = folder.answer(&["search", "--overhang", "--rc", "--format", "paf", "TGTAATC", "r.fa"]);
    assert!(reverse.contains("TGTAATC\t7\t3\t7\t-\tc\t10\t6\t10\t"), "{reverse}");
    let refused = |more: &[&str], words: &[&str]| {
        assert_mentions(&folder.refusal(2, &[&["search", "AC", "r.fa"], more].concat()), words);
    };
    refused(&["--overhang=2"], &["from 0 to 1"]);
    refused(&["--overhang", "--min-overlap", "0"], &["at least one"]);
    let ran = folder.run(&["search", "AC", "r.fa", "--min-overlap", "2"]);
    assert_eq!(ran.code, 2);
    assert_mentions(&ran.stderr, &["--overhang"]);
    refused(&["--overhang", "--anchor", "both"], &["anchor"]);
}

#[test]
fn gaps_that_cost_more() {
    let folder = Folder::new();
    folder.file("g.fa", ">a\nCCGATACACC\n>b\nCCGATTTCACC\n");
    let of = |more: &[&str]| folder.answer(&[&["search", "-c", "GATTACA", "g.fa"], more].concat());
    assert_eq!([of(&["-k1"]), of(&["-k1", "--gap-cost", "2"]), of(&["-k2", "--gap-cost", "2"])], ["2\n", "1\n", "2\n"]);
    let json = folder.answer(&["search", "-k2", "--gap-cost", "2", "--format", "json", "GATTACA", "g.fa"]);
    assert_mentions(&json, &["\"errors\":2,\"substitutions\":0,\"insertions\":0,\"deletions\":1"]);
}

#[test]
fn a_share_counts_the_positions_that_can_mismatch() {
    let folder = Folder::new();
    folder.file("g.fa", ">a\nCCGATTTCAACGTACC\n");
    let of = |pattern: &str| folder.run(&["search", "-c", "-k10%", pattern, "g.fa"]).stdout;
    // Seven of the ten positions can mismatch.
    assert_eq!(of("GATTACANNN"), b"0\n");
    assert_eq!(of("GATTACAACG"), b"1\n");
}

#[test]
fn circular_records() {
    let folder = folder();
    assert_eq!(bed(&folder, &["--circular", "GATTACA", "plasmid.fa"]), "p 8 15 0 + 7=\nq 2 9 0 + 7=\n");
    let sam = folder.answer(&["search", "--circular", "--format", "sam", "GATTACA", "plasmid.fa"]);
    assert_mentions(&sam, &["@SQ\tSN:p\tLN:11\tTP:circular\n", "\tp\t9\t255\t7=\t"]);
    let search = |more: &[&str]| folder.answer(&[&["search", "--circular", "GATTACA", "plasmid.fa"], more].concat());
    assert_eq!(search(&["-o"]), "p:GATTACA\nq:GATTACA\n");
    assert_eq!(search(&["--format", "text"]), ">p\nTACAGCCGGAT\n>q\nCCGATTACACC\n");
    assert_mentions(&search(&["--format", "text", "--color=always"]), &["TACA\u{1b}[m\u{1b}[KGCCG"]);
    let paf = folder.refusal(2, &["search", "--circular", "--format", "paf", "AC", "plasmid.fa"]);
    assert_mentions(&paf, &["PAF", "sam"]);
    let lines = folder.refusal(2, &["search", "--circular", "carry", "text"]);
    assert_mentions(&lines, &["--circular", "FASTA"]);
    let region = folder.refusal(2, &["search", "--circular", "AC", "plasmid.fa:p:2-5"]);
    assert_mentions(&region, &["region", "--circular"]);
}

#[test]
fn records_without_a_hit() {
    let folder = folder();
    let search = |more: &[&str]| folder.answer(&[&["search", "-v"], more].concat());
    assert_eq!(search(&["GATT", "r.fa"]), ">d\nTACATTTTTT\n>e\nATTAC\n>f\nTTTTTTT\n");
    assert_eq!(search(&["GATT", "r.fq"]), "@b y\nTTTTTTTT\n+\n#IIIIIII\n");
    assert_eq!(search(&["-c", "GATT", "r.fa", "r.fq"]), "r.fa:3\nr.fq:1\n");
    assert_eq!(search(&["-m1", "GATT", "r.fa"]), ">d\nTACATTTTTT\n");
    assert_eq!(search(&["-l", "GATT", "r.fa", "r.fq"]), "r.fa\nr.fq\n");
    assert_eq!(search(&["-e", "GATT", "-e", "^TACA", "r.fa"]), ">e\nATTAC\n>f\nTTTTTTT\n");
    assert_eq!(folder.run(&["search", "-vq", "-k6", "TTTTTTTT", "r.fq"]).code, 1);
    // Each record is printed by one of the two calls.
    let with = folder.answer(&["search", "--format", "text", "-k1", "TACA", "r.fa"]);
    let without = search(&["-k1", "TACA", "r.fa"]);
    assert_eq!(with.lines().count() + without.lines().count(), 12);
    assert_mentions(&folder.refusal(2, &["search", "-v", "--format", "bed", "AC", "r.fa"]), &["-v", "bed"]);
}
