//! `lcs --records`: the compared records, the columns of the table, and the order of its lines.

use crate::common::oracle_of_lcs::length;
use crate::common::program::{Folder, assert_mentions};
use fastrand::Rng;
use serde_json::Value;

type Records = Vec<(String, String)>;

fn write(folder: &Folder, name: &str, records: &Records) {
    let text: String = records.iter().map(|(name, symbols)| format!(">{name} more\n{symbols}\n")).collect();
    folder.file(name, text);
}

/// Returns records of similar and dissimilar strings, some of them reversed, and one without
/// symbols.
fn records(count: usize, longest: usize, prefix: &str, random: &mut Rng, like: &Records) -> Records {
    let mut record = |number: usize| {
        let len = random.usize(1..=longest);
        let mut symbols: String = (0..len).map(|_| char::from(b"ACGT"[random.usize(..4)])).collect();
        if let Some((_, other)) = like.get(number).filter(|_| number % 3 != 2) {
            symbols = other.chars().filter(|_| random.u8(..9) > 0).collect();
        }
        if number % 2 == 1 {
            symbols = turned(&symbols);
        }
        if number == 4 {
            symbols.clear();
        }
        (format!("{prefix}{number}"), symbols)
    };
    (0..count).map(&mut record).collect()
}

fn turned(symbols: &str) -> String {
    let pair = |base| char::from(b"TGCA"["ACGT".find(base).unwrap()]);
    symbols.chars().rev().map(pair).collect()
}

/// Returns the LCS length, from its recurrence.
fn lcs(a: &str, b: &str) -> usize {
    length(a.as_bytes(), b.as_bytes())
}

/// Returns the first seven columns of a pair's line.
fn line(a: &(String, String), b: &(String, String), strand: &str) -> (String, f64) {
    let (forward, reverse) = (lcs(&a.1, &b.1), lcs(&a.1, &turned(&b.1)));
    let (sign, length) = match strand {
        "forward" => ('+', forward),
        "reverse" => ('-', reverse),
        _ if reverse > forward => ('-', reverse),
        _ => ('+', forward),
    };
    let longer = a.1.len().max(b.1.len());
    let identity = if longer == 0 { "NA".into() } else { format!("{:.6}", length as f64 / longer as f64) };
    let line = format!("{}\t{}\t{sign}\t{}\t{}\t{length}\t{identity}", a.0, b.0, a.1.len(), b.1.len());
    (line, length as f64 / longer.max(1) as f64)
}

/// Returns the table without its head and its last column.
fn table(text: &str) -> Vec<String> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("a\tb\tstrand\ta_len\tb_len\tlcs\tidentity\texpected"));
    lines.map(|line| line.rsplit_once('\t').unwrap().0.to_owned()).collect()
}

fn files(folder: &Folder, counts: [usize; 2], longest: usize, seed: u64) -> (Records, Records) {
    let mut random = Rng::with_seed(seed);
    let a = records(counts[0], longest, "r", &mut random, &Vec::new());
    let mut b = records(counts[1], longest, "r", &mut random, &a);
    // Shuffled, so that the best partner does not have the same index.
    random.shuffle(&mut b);
    write(folder, "a.fa", &a);
    write(folder, "b.fa", &b);
    (a, b)
}

#[test]
fn all_pairs_in_order() {
    let folder = Folder::new();
    for (seed, counts, longest) in [(1, [7, 9], 60), (2, [1, 1], 30), (3, [90, 60], 40), (4, [5, 3], 900)] {
        let (a, b) = files(&folder, counts, longest, seed);
        for strand in ["forward", "reverse", "auto"] {
            let expected: Vec<String> = a.iter().flat_map(|a| b.iter().map(move |b| line(a, b, strand).0)).collect();
            for more in [&[][..], &["--engine", "cpu", "--threads", "3"], &["--algorithm", "bit-parallel"]] {
                let call = [&["lcs", "a.fa", "b.fa", "--records", "all", "--strand", strand], more].concat();
                assert_eq!(table(&folder.answer(&call)), expected, "{call:?}");
            }
        }
    }
}

#[test]
fn the_best_partner_is_the_first_of_the_most_identical() {
    let folder = Folder::new();
    for (seed, counts, longest) in [(5, [12, 80], 60), (6, [100, 3], 50), (7, [6, 40], 400), (8, [30, 200], 6)] {
        let (a, b) = files(&folder, counts, longest, seed);
        for strand in ["forward", "reverse", "auto"] {
            let best = |a| {
                let mut best: Option<(String, f64)> = None;
                for b in &b {
                    let own = line(a, b, strand);
                    if best.as_ref().is_none_or(|best| own.1 > best.1) {
                        best = Some(own);
                    }
                }
                best.unwrap().0
            };
            let expected: Vec<String> = a.iter().map(best).collect();
            for more in [&[][..], &["--algorithm", "bit-parallel"]] {
                let call = [&["lcs", "a.fa", "b.fa", "--records", "best", "--strand", strand], more].concat();
                assert_eq!(table(&folder.answer(&call)), expected, "{call:?}");
            }
        }
    }
}

#[test]
fn records_of_the_same_name() {
    let folder = Folder::new();
    let (a, b) = files(&folder, [9, 6], 80, 9);
    let partner = |name: &str| b.iter().find(|b| b.0 == name);
    let expected: Vec<String> = a.iter().filter_map(|a| Some(line(a, partner(&a.0)?, "auto").0)).collect();
    let ran = folder.run(&["lcs", "a.fa", "b.fa", "--records", "same", "--strand", "auto"]);
    assert_eq!((ran.code, table(&String::from_utf8(ran.stdout).unwrap())), (0, expected));
    assert_eq!(
        ran.stderr,
        "carrywave: skipped 3 records of a.fa, because b.fa has none of the same name: r6, r7, r8\n"
    );
    let ran = folder.run(&["lcs", "b.fa", "a.fa", "--records", "same"]);
    assert_eq!((table(&String::from_utf8(ran.stdout).unwrap()).len(), ran.stderr.lines().count()), (6, 1));
    folder.file("other.fa", ">x\nACGT\n");
    let ran = folder.run(&["lcs", "a.fa", "other.fa", "--records", "same"]);
    assert_mentions(
        &ran.stderr,
        &[
            "skipped 9 records of a.fa, because other.fa has none of the same name: r0, r1, r2, r3, r4, …",
            "1 record of other.fa",
        ],
    );
    assert_eq!(table(&String::from_utf8(ran.stdout).unwrap()), [""; 0]);
    folder.file("twice.fa", ">x\nACGT\n>y\nAC\n>x\nGG\n");
    let message = folder.refusal(2, &["lcs", "twice.fa", "other.fa", "--records", "same"]);
    assert_mentions(&message, &["twice.fa", "two records", "called x"]);
}

#[test]
fn json_is_an_object_a_line() {
    let folder = Folder::new();
    let (a, b) = files(&folder, [5, 4], 50, 10);
    let lines = folder.answer(&["lcs", "a.fa", "b.fa", "--records", "all", "--strand", "auto", "--output", "json"]);
    let values: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(values.len(), 20);
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for (value, (a, b)) in values.iter().zip(a.iter().flat_map(|a| b.iter().map(move |b| (a, b)))) {
        let fields = ["a", "b", "strand", "a_len", "b_len", "length"].map(|key| text(&value[key]));
        let (line, identity) = line(a, b, "auto");
        assert!(line.starts_with(&fields.join("\t")), "{value} {line}");
        assert!(value["identity"].as_f64().is_none_or(|own| (own - identity).abs() < 1e-12), "{value}");
        assert_eq!(value["identity"].is_null(), a.1.len().max(b.1.len()) == 0);
    }
    // In a file, written whole or not at all.
    assert_eq!(
        folder.answer(&[
            "lcs",
            "a.fa",
            "b.fa",
            "--records",
            "all",
            "--strand",
            "auto",
            "--output",
            "json",
            "-o",
            "out"
        ]),
        ""
    );
    assert_eq!(std::fs::read_to_string(folder.path("out")).unwrap(), lines);
}

/// For random strings, the last column is close to the LCS lengths.
#[test]
fn the_expected_length_is_that_of_random_strings() {
    let folder = Folder::new();
    let mut random = Rng::with_seed(11);
    let string = |random: &mut Rng, letters: &[u8], len| {
        (0..len).map(|_| char::from(letters[random.usize(..letters.len())])).collect::<String>()
    };
    let mut list = |prefix: &str| -> Records {
        let lengths = [400, 950, 1_900];
        let record = |(number, len)| {
            (format!("{prefix}{number}"), string(&mut random, if number == 1 { b"ACGT" } else { b"AATTACGTT" }, len))
        };
        lengths.into_iter().enumerate().map(record).collect()
    };
    let (a, b) = (list("a"), list("b"));
    write(&folder, "a.fa", &a);
    write(&folder, "b.fa", &b);
    for row in folder.answer(&["lcs", "a.fa", "b.fa", "--records", "all"]).lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [length, expected] = [fields[5], fields[7]].map(|field| field.parse::<f64>().unwrap());
        assert!((length - expected).abs() < 0.04 * length, "{row}");
    }
}

#[test]
fn a_long_pair_among_short_ones() {
    let folder = Folder::new();
    let mut random = Rng::with_seed(12);
    let mut string = |len| (0..len).map(|_| char::from(b"ACGT"[random.usize(..4)])).collect::<String>();
    // The pair of 20,000 by 20,000 symbols is compared on its own, the others together.
    let a = vec![("s".to_owned(), string(100)), ("l".to_owned(), string(20_000)), ("t".to_owned(), string(150))];
    let b = vec![("x".to_owned(), turned(&a[1].1)), ("y".to_owned(), a[2].1.clone())];
    write(&folder, "a.fa", &a);
    write(&folder, "b.fa", &b);
    for strand in ["forward", "auto"] {
        let all: Vec<String> = a.iter().flat_map(|a| b.iter().map(move |b| line(a, b, strand).0)).collect();
        assert_eq!(table(&folder.answer(&["lcs", "a.fa", "b.fa", "--records", "all", "--strand", strand])), all);
    }
    let best = table(&folder.answer(&["lcs", "a.fa", "b.fa", "--records", "best", "--strand", "auto"]));
    assert_eq!(
        (best[1].as_str(), best[2].as_str()),
        ("l\tx\t-\t20000\t20000\t20000\t1.000000", "t\ty\t+\t150\t150\t150\t1.000000")
    );
}

#[test]
fn rows_are_written_as_they_are_known() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new();
    let (_, _) = files(&folder, [3, 2], 50, 13);
    let long: String = (0..200_000).map(|at: usize| char::from(b"ACGT"[at * at % 7 % 4])).collect();
    let text = std::fs::read_to_string(folder.path("a.fa")).unwrap();
    folder.file("a.fa", format!("{text}>long\n{long}\n"));
    let text = std::fs::read_to_string(folder.path("b.fa")).unwrap();
    folder.file("b.fa", format!("{text}>long\n{}\n", turned(&long)));
    let mut command = folder.command(&["lcs", "a.fa", "b.fa", "--records", "all", "--algorithm", "dp"]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    // The last pair has 4 * 10^10 cells, and takes half a minute by dynamic programming.
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Vec<String> = lines.by_ref().take(5).map(Result::unwrap).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert!(!rest.iter().any(|line| line.starts_with("long\tlong\t")), "it was still at the last pair: {rest:?}");
    assert!(first[1].starts_with("r0\t"), "{first:?}");
}

#[test]
fn small_letters_rna_and_names() {
    let folder = Folder::new();
    folder.file("a.fa", ">one two\nacgu\n>\nGGG\n>a\u{1b}b\nAC\n");
    folder.file("b.fa", ">x\nACGT\n");
    let all = table(&folder.answer(&["lcs", "a.fa", "b.fa", "--records", "all"]));
    assert_eq!(all, ["one\tx\t+\t4\t4\t4\t1.000000", "2\tx\t+\t3\t4\t1\t0.250000", "a_b\tx\t+\t2\t4\t2\t0.500000"]);
    assert_eq!(
        table(&folder.answer(&["lcs", "a.fa", "b.fa", "--records", "all", "--case", "keep"]))[0],
        "one\tx\t+\t4\t4\t0\t0.000000"
    );
    folder.file("rna.fa", ">r\nUUUU\n>s\nAAAA\n");
    let turned = table(&folder.answer(&["lcs", "rna.fa", "rna.fa", "--records", "all", "--strand", "reverse"]));
    assert_eq!(turned[1], "r\ts\t-\t4\t4\t4\t1.000000");
    // Files of one record each.
    assert_eq!(table(&folder.answer(&["lcs", "b.fa", "b.fa", "--records", "best"])), ["x\tx\t+\t4\t4\t4\t1.000000"]);
    // Two records without symbols are equal, and have no identity.
    folder.file("none.fa", ">n\n");
    assert_eq!(table(&folder.answer(&["lcs", "none.fa", "none.fa", "--records", "all"])), ["n\tn\t+\t0\t0\t0\tNA"]);
}

#[test]
fn what_records_do_not_go_with() {
    let folder = Folder::new();
    folder.file("a.fa", ">a\nACGT\n");
    folder.file("p.fa", ">p\nMKVLHDEELQRMKVLHDEELQR\n");
    folder.file("plain.txt", "hello\n");
    folder.file("empty.fa", "");
    for output in ["cigar", "blocks", "subsequence", "summary", "paf"] {
        let message = folder.refusal(2, &["lcs", "a.fa", "a.fa", "--records", "all", "--output", output]);
        assert_mentions(&message, &["--records", "--output json"]);
    }
    for option in
        [&["-e"][..], &["--raw"], &["--record-a", "a"], &["--record-b", "a"], &["--plot", "p.svg"], &["--expected"]]
    {
        let call = [&["lcs", "a.fa", "a.fa", "--records", "all"], option].concat();
        let ran = folder.run(&call);
        assert_eq!(ran.code, 2, "{call:?}");
        assert_mentions(&ran.stderr, &["cannot be used with"]);
    }
    let message = folder.refusal(1, &["lcs", "a.fa", "plain.txt", "--records", "all"]);
    assert_mentions(&message, &["plain.txt", "neither FASTA nor FASTQ"]);
    assert_mentions(&folder.refusal(1, &["lcs", "empty.fa", "a.fa", "--records", "all"]), &["empty.fa", "empty"]);
    assert_mentions(&folder.refusal(1, &["lcs", "missing.fa", "a.fa", "--records", "all"]), &["missing.fa"]);
    assert_mentions(&folder.refusal(2, &["lcs", "-", "-", "--records", "all"]), &["standard input"]);
    let message = folder.refusal(2, &["lcs", "a.fa", "p.fa", "--records", "all", "--strand", "reverse"]);
    assert_mentions(&message, &["p.fa", "proteins", "needs nucleotides"]);
    // Proteins have one strand only.
    let all = table(&folder.answer(&["lcs", "p.fa", "p.fa", "--records", "all", "--strand", "auto"]));
    assert_eq!(all, ["p\tp\t+\t22\t22\t22\t1.000000"]);
}
