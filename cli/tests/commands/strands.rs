//! `lcs --strand`, `--expected` and their outputs: the compared strand, the notes, and the
//! positions.

use crate::common::cigar::replay;
use crate::common::oracle_of_lcs::length;
use crate::common::program::{Folder, assert_mentions};
use crate::common::texts::text;
use serde_json::Value;

fn dna(len: usize, seed: u64) -> String {
    text(len, 4, seed).into_iter().map(|symbol| char::from(b"ACGT"[usize::from(symbol)])).collect()
}

/// Returns the reverse complement, from its definition.
fn turned(symbols: &str) -> String {
    let pair = |base| match base {
        'A' => 'T',
        'C' => 'G',
        'G' => 'C',
        'T' => 'A',
        other => other,
    };
    symbols.chars().rev().map(pair).collect()
}

/// Returns the symbols without every `apart`-th base.
fn thinned(symbols: &str, apart: usize) -> String {
    symbols.chars().enumerate().filter(|(at, _)| at % apart != 0).map(|(_, base)| base).collect()
}

/// Returns the LCS length, from its recurrence.
fn lcs(a: &str, b: &str) -> usize {
    length(a.as_bytes(), b.as_bytes())
}

/// Replays a CIGAR over both strings and returns the number of matches.
fn matched(cigar: &str, a: &str, b: &str) -> usize {
    replay(cigar.trim_end(), a.as_bytes(), b.as_bytes()).len()
}

/// Creates a file of A, and a file of a string similar to A's reverse complement.
fn pair(folder: &Folder, len: usize) -> (String, String) {
    let a = dna(len, 1);
    let b = turned(&thinned(&a, 13));
    folder.file("a.fa", format!(">a\n{a}\n"));
    folder.file("b.fa", format!(">b\n{b}\n"));
    (a, b)
}

#[test]
fn each_strand_has_its_length() {
    let folder = Folder::new();
    let (a, b) = pair(&folder, 900);
    let forward = format!("{}\n", lcs(&a, &b));
    let reverse = format!("{}\n", lcs(&a, &turned(&b)));
    assert!(forward != reverse);
    let strand = |strand: &str| folder.run(&["lcs", "a.fa", "b.fa", "--strand", strand]);
    assert_eq!(folder.answer(&["lcs", "a.fa", "b.fa"]), forward);
    for (name, expected) in [("forward", &forward), ("reverse", &reverse)] {
        let ran = strand(name);
        assert_eq!((ran.stderr.as_str(), ran.stdout.as_slice()), ("", expected.as_bytes()));
    }
    let ran = strand("auto");
    assert_eq!(ran.stdout, reverse.as_bytes());
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert_mentions(
        &ran.stderr,
        &["the reverse strand of B", "the strings are short", "both were compared", forward.trim(), reverse.trim()],
    );
    // With B reversed, and on the simulator, which also compares both strands.
    folder.file("turned.fa", format!(">t\n{}\n", turned(&b)));
    let ran = folder.run(&["lcs", "a.fa", "turned.fa", "--strand", "auto", "--engine", "simt"]);
    assert_eq!(ran.stdout, reverse.as_bytes());
    assert_mentions(&ran.stderr, &["the forward strand of B"]);
}

#[test]
fn long_strings_are_estimated_and_auto_says_why() {
    let folder = Folder::new();
    let (a, b) = pair(&folder, 20_000);
    let reverse = format!("{}\n", lcs(&a, &turned(&b)));
    let ran = folder.run(&["lcs", "a.fa", "b.fa", "--strand", "auto"]);
    assert_eq!(ran.stdout, reverse.as_bytes());
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert_mentions(
        &ran.stderr,
        &[
            "the reverse strand of B, because it shares more k-mers",
            "sampled 11-mers",
            "on the forward strand",
            "on the reverse strand",
        ],
    );
    // Unrelated strings are compared on both strands, if that takes almost no time.
    folder.file("c.fa", format!(">c\n{}\n", dna(20_000, 2)));
    let ran = folder.run(&["lcs", "a.fa", "c.fa", "--strand", "auto"]);
    assert_mentions(&ran.stderr, &["the k-mers are not decisive", "both were compared"]);
    let best = lcs(&a, &dna(20_000, 2)).max(lcs(&a, &turned(&dna(20_000, 2))));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), format!("{best}\n"));
    // If comparing both strands takes too long, the forward strand is compared.
    folder.file("long.fa", format!(">l\n{}\n", dna(900_000, 3)));
    let ran = folder.run(&["lcs", "a.fa", "long.fa", "--strand", "auto"]);
    assert_mentions(
        &ran.stderr,
        &["the forward strand of B by default: the k-mers are not decisive", "--strand reverse"],
    );
}

#[test]
fn every_output_tells_of_the_reverse_strand() {
    let folder = Folder::new();
    let (a, b) = pair(&folder, 700);
    let (other, length) = (turned(&b), lcs(&a, &turned(&b)));
    let output = |kind: &str| folder.answer(&["lcs", "a.fa", "b.fa", "--strand", "reverse", "--output", kind]);
    assert_eq!(matched(&output("cigar"), &a, &other), length);
    assert_eq!(output("subsequence").trim_end().len(), length);
    // In PAF, positions and script refer to B's forward strand, along which the reverse complement
    // of A runs.
    let paf = output("paf");
    let fields: Vec<&str> = paf.trim_end().split('\t').collect();
    let [m, n, matches] = [a.len(), b.len(), length].map(|number| number.to_string());
    assert_eq!(fields[..4], ["a", &m, "0", &m]);
    assert_eq!(fields[4..9], ["-", "b", &n, "0", &n]);
    let columns = a.len() + b.len() - length;
    assert_eq!(fields[9..13], [&matches, &columns.to_string(), "255", &format!("NM:i:{}", columns - length)]);
    assert_eq!(matched(fields[13].strip_prefix("cg:Z:").unwrap(), &turned(&a), &b), length);
    assert_eq!(fields.len(), 14);
    // In JSON, the runs refer to the compared strand.
    let json: Value = serde_json::from_str(&output("json")).unwrap();
    assert_eq!((&json["strand"], &json["length"]), (&"-".into(), &length.into()));
    for run in json["runs"].as_array().unwrap() {
        let [i, j, len] = ["a_start", "b_start", "len"].map(|key| run[key].as_u64().unwrap() as usize);
        assert_eq!(a[i..i + len], other[j..j + len]);
    }
    // Blocks number B downwards, from its last symbol.
    let blocks = output("blocks");
    let rows: Vec<Vec<&str>> =
        blocks.lines().filter(|row| row.starts_with("b ")).map(|row| row.split_whitespace().collect()).collect();
    let cells: String = rows.iter().map(|row| row[2].replace('-', "")).collect();
    assert_eq!((cells.as_str(), rows[0][1], rows[rows.len() - 1][3]), (other.as_str(), n.as_str(), "1"));
    let summary = output("summary");
    assert_mentions(
        &summary,
        &["a: 700 bases", "bases, reverse strand", &format!("LCS       {length} symbols"), "expected  ", "excess    "],
    );
}

#[test]
fn paf_of_the_forward_strand() {
    let folder = Folder::new();
    let paf = folder.answer(&["lcs", "-e", "ABCBDAB", "BDCABA", "--output", "paf"]);
    let (head, cigar) = paf.trim_end().rsplit_once(':').unwrap();
    assert_eq!(head, "ABCBDAB\t7\t0\t7\t+\tBDCABA\t6\t0\t6\t4\t9\t255\tNM:i:5\tcg:Z");
    assert_eq!(matched(cigar, "ABCBDAB", "BDCABA"), 4);
    let ran = folder.run(&["lcs", "-e", "", "", "--output", "paf"]);
    assert_eq!(ran.stdout, b"*\t0\t0\t0\t+\t*\t0\t0\t0\t0\t0\t255\tNM:i:0\tcg:Z:\n");
}

#[test]
fn json_is_as_before_unless_it_is_asked() {
    let folder = Folder::new();
    pair(&folder, 300);
    let keys = |arguments: &[&str]| -> Vec<String> {
        let call = [&["lcs", "a.fa", "b.fa", "--output", "json"], arguments].concat();
        let json: Value = serde_json::from_str(&folder.answer(&call)).unwrap();
        json.as_object().unwrap().keys().cloned().collect()
    };
    let mut usual = vec!["a", "b", "identity", "length", "a_len", "b_len", "runs"];
    usual.sort_unstable();
    assert_eq!(keys(&[]), usual);
    let mut more = [&usual[..], &["strand", "expected", "expected_error"]].concat();
    more.sort_unstable();
    assert_eq!(keys(&["--strand", "forward", "--expected"]), more);
}

#[test]
fn a_plot_of_the_reverse_strand_falls() {
    let folder = Folder::new();
    pair(&folder, 3_000);
    let plot = |strand: &str| folder.run(&["lcs", "a.fa", "b.fa", "--strand", strand, "--plot", "p.svg"]);
    let ran = plot("reverse");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let svg = std::fs::read_to_string(folder.path("p.svg")).unwrap();
    assert_mentions(&svg, &["on the reverse strand of B", "reverse complement: "]);
    let path = svg.lines().find(|line| line.starts_with("<polyline") && line.contains("#E69F00")).unwrap();
    let points = path.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
    let heights: Vec<i32> =
        points.split_whitespace().map(|point| point.split_once(',').unwrap().1.parse().unwrap()).collect();
    // Pixels are counted from the top.
    assert!(
        heights.windows(2).all(|pair| pair[0] <= pair[1]) && heights[0] < heights[heights.len() - 1],
        "{heights:?}"
    );
    assert_mentions(&plot("forward").stderr, &["but B was compared as given", "--strand reverse"]);
    folder.file("b.fa", std::fs::read(folder.path("a.fa")).unwrap());
    assert_mentions(&plot("reverse").stderr, &["--strand forward"]);
}

#[test]
fn only_nucleotides_have_two_strands() {
    let folder = Folder::new();
    folder.file("p.fa", ">p\nMKVLHDEELQRMKVLHDEELQR\n");
    folder.file("n.fa", ">n\nACGTTACGATTTACGGGACACA\n");
    for call in [["lcs", "p.fa", "n.fa"], ["lcs", "n.fa", "p.fa"]] {
        let message = folder.refusal(2, &[&call[..], &["--strand", "reverse"]].concat());
        assert_mentions(&message, &["--strand reverse", "needs nucleotides", "read as a protein"]);
    }
    // `auto` accepts all strings.
    let forward = folder.answer(&["lcs", "p.fa", "p.fa"]);
    assert_eq!(folder.answer(&["lcs", "p.fa", "p.fa", "--strand", "auto"]), forward);
    // Literal strings are nucleotides if their letters are.
    assert_eq!(folder.answer(&["lcs", "-e", "GATTACA", "TGTAATC", "--strand", "reverse"]), "7\n");
    assert_eq!(folder.answer(&["lcs", "-e", "gattaca", "tgtaatc", "--strand", "reverse"]), "7\n");
    assert_mentions(
        &folder.refusal(2, &["lcs", "-e", "GATTACA", "GATTACK", "--strand", "reverse"]),
        &["B has symbols other than A C G T U N"],
    );
    assert_eq!(folder.answer(&["lcs", "-e", "wörd", "wörd", "--strand", "auto"]), "4\n");
}

#[test]
fn rna_and_codes_have_complements() {
    let folder = Folder::new();
    folder.file("rna.fa", ">r\nGAUUACANGAUUACANGAUUACAR\n");
    folder.file("other.fa", ">o\nYUGUAAUCNUGUAAUCNUGUAAUC\n");
    folder.file("dna.fa", ">d\nnTGTAATC\n");
    folder.file("plain.fa", ">p\nAAAA\n");
    folder.file("u.fa", ">u\nUUUU\n");
    let reverse = |a: &str, b: &str| folder.answer(&["lcs", a, b, "--strand", "reverse"]);
    assert_eq!(reverse("rna.fa", "other.fa"), "24\n");
    assert_eq!(reverse("rna.fa", "dna.fa"), "8\n");
    // Beside RNA, the complement of A is U.
    assert_eq!(reverse("u.fa", "plain.fa"), "4\n");
    assert_eq!(folder.answer(&["lcs", "u.fa", "plain.fa", "--strand", "reverse", "--output", "subsequence"]), "UUUU\n");
}

#[test]
fn what_is_expected_of_random_strings() {
    let folder = Folder::new();
    folder.file("a.fa", format!(">a\n{}\n", dna(5_000, 11)));
    folder.file("b.fa", format!(">b\n{}\n", dna(5_000, 12)));
    let length = folder.answer(&["lcs", "a.fa", "b.fa"]);
    let ran = folder.run(&["lcs", "a.fa", "b.fa", "--expected"]);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), length);
    assert_eq!(ran.stderr.lines().count(), 1);
    assert_mentions(&ran.stderr, &["% of the longer string", "random strings", "symbols, 65."]);
    let json: Value =
        serde_json::from_str(&folder.answer(&["lcs", "a.fa", "b.fa", "--expected", "--output", "json"])).unwrap();
    let (expected, error) = (json["expected"].as_f64().unwrap(), json["expected_error"].as_f64().unwrap());
    let length: f64 = length.trim().parse().unwrap();
    // The strings are random; the standard deviation of an LCS length is about 12 symbols.
    assert!((length - expected).abs() < 60.0 && (0.0..5.0).contains(&error), "{length} {expected} {error}");
    assert_mentions(
        &folder.run(&["lcs", "a.fa", "b.fa", "--expected", "--output", "cigar"]).stderr,
        &["random strings"],
    );
    // The estimate is reproducible, and equal strings reach the greatest possible excess.
    let summary = |b: &str| folder.answer(&["lcs", "a.fa", b, "--output", "summary"]);
    assert_eq!(summary("b.fa"), summary("b.fa"));
    assert_mentions(
        &summary("a.fa"),
        &["LCS       5,000 symbols", "identity  100.00 %", "more than expected, 100.0 %"],
    );
    assert_mentions(
        &folder.answer(&["lcs", "-e", "", "", "--output", "summary"]),
        &["identity  none", "expected  0.0 symbols"],
    );
    assert_mentions(&folder.run(&["lcs", "-e", "", "", "--expected"]).stderr, &["both strings are empty"]);
}
