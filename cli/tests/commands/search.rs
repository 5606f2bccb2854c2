//! `carrywave search` from the command line.

use crate::common::program::{Ran, assert_mentions, gz};
use carrywave::device::EngineKind;
use carrywave::search::Algorithm;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A folder with a text and a FASTA file to search.
struct Folder(crate::common::program::Folder);

impl Folder {
    fn new() -> Self {
        let folder = Self(crate::common::program::Folder::new());
        folder.file("text", "hello world\nfoo bar\r\ncarry wave, carrywave\n");
        folder.file("dna.fa", ">c1 first\nACGTGATT\nACAGG\n>c2\ntttttgtaatcaa\n>c3\nGAT\n>c4\nTACA\n");
        folder
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        self.0.file(name, content);
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.0.run(&[&["search"], arguments].concat())
    }

    fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        self.0.run_with(&[&["search"], arguments].concat(), stdin)
    }

    #[track_caller]
    fn prints(&self, arguments: &[&str], expected: &str) {
        let ran = self.run(arguments);
        assert_eq!(String::from_utf8(ran.stdout).unwrap(), expected, "{arguments:?}");
        assert_eq!((ran.code, ran.stderr.as_str()), (i32::from(expected.is_empty()), ""), "{arguments:?}");
    }

    #[track_caller]
    fn refuses(&self, arguments: &[&str], words: &[&str]) {
        let ran = self.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_slice()), (2, &b""[..]), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{arguments:?}: {}", ran.stderr);
        assert_mentions(&ran.stderr, words);
    }
}

#[test]
fn lines() {
    let folder = Folder::new();
    folder.prints(&["wrld", "text"], "");
    folder.prints(&["-k", "1", "wrld", "text"], "hello world\n");
    folder.prints(&["-k1", "carrywave", "text"], "carry wave, carrywave\n");
    folder.prints(&["-k1", "-o", "carrywave", "text"], "carry wave\ncarrywave\n");
    folder.prints(&["-k1", "-ob", "carrywave", "text"], "21:carry wave\n33:carrywave\n");
    folder.prints(&["-b", "carrywave", "text"], "21:carry wave, carrywave\n");
    folder.prints(&["-c", "-k1", "carrywave", "text"], "1\n");
    folder.prints(&["--ends", "all", "-o", "-k1", "hello", "text"], "hell\nhello\nhello \n");
    // A hit cannot include the line end or symbols of the next line.
    folder.prints(&["-k1", "worldfo", "text"], "");
    folder.prints(&["bar", "text"], "foo bar\r\n");
    folder.prints(&["-i", "HELLO", "text"], "hello world\n");
    folder.prints(&["HELLO", "text"], "");
    folder.prints(&["--wildcard", "?", "h?l?o", "text"], "hello world\n");
    folder.prints(&["h.l.o", "text"], "");
    folder.prints(&["h.l.o", "text", "--alphabet", "protein"], "hello world\n");
}

/// A mismatch at the first or last symbol is a substitution, not a gap. A hit is reported once,
/// unless all ends are requested.
#[test]
fn a_place_is_told_once_and_whole() {
    let folder = Folder::new();
    folder.file("ends", "TTTCATTACATTT\nTTTGATTACTTTT\n");
    folder.prints(
        &["-k1", "--format", "bed", "GATTACA", "ends"],
        "ends\t3\t10\tGATTACA\t1\t+\nends\t17\t24\tGATTACA\t1\t+\n",
    );
    folder.file("kjv", "And Habakkuk saw\nAAAAAA\n");
    folder.prints(&["-k2", "-o", "Habakuk", "kjv"], "Habakkuk\n");
    folder.prints(&["-ob", "AAA", "kjv"], "17:AAA\n20:AAA\n");
    folder.prints(&["-ob", "--overlapping", "AAA", "kjv"], "17:AAA\n18:AAA\n19:AAA\n20:AAA\n");
    folder.prints(&["--whole", "-c", "AAA", "kjv"], "2\n");
    folder.prints(&["--whole", "-c", "--overlapping", "AAA", "kjv"], "4\n");
}

/// If a search may take more than a minute, a note announces the cost.
#[test]
fn a_long_search_says_what_it_may_cost() {
    let folder = Folder::new();
    let mut random = fastrand::Rng::with_seed(3);
    let mut bases = |n: usize| -> Vec<u8> { (0..n).map(|_| b"ACGT"[random.usize(..4)]).collect() };
    folder.file("pattern", bases(1_000_000));
    folder.file("long", bases(1_100_000));
    folder.file("short", bases(1000));
    let ran = folder.run(&["-k16", "--ends", "all", "-c", "-f", "pattern", "long"]);
    assert_eq!((ran.code, ran.stdout.as_slice()), (1, &b"0\n"[..]), "{}", ran.stderr);
    let told = "1100000 symbols to search for a pattern of 1000000 symbols: up to 17 × 10^9 steps of 64 cells, about 2 minutes on one core";
    assert_eq!(ran.stderr, format!("carrywave: {told}\n"));
    assert_eq!(folder.run(&["-k16", "-c", "-f", "pattern", "short"]).stderr, "");
    assert_eq!(folder.run(&["-c", "-f", "pattern", "long"]).stderr, "");
}

#[test]
fn several_files_and_standard_input() {
    let folder = Folder::new();
    folder.file("more", "foo\n");
    folder.prints(&["foo", "text", "more"], "text:foo bar\r\nmore:foo\n");
    folder.prints(&["-c", "foo", "text", "more"], "text:1\nmore:1\n");
    folder.prints(&["-ob", "bar", "text", "more"], "text:16:bar\n");
    for arguments in [&["foo"][..], &["foo", "-"]] {
        let ran = folder.run_with(arguments, b"no\na foo");
        assert_eq!((ran.code, ran.stdout.as_slice()), (0, &b"a foo\n"[..]), "{arguments:?}");
    }
    let ran = folder.run_with(&["-c", "foo", "-", "more"], b"foo\n");
    assert_eq!(ran.stdout, b"(standard input):1\nmore:1\n");
    assert_eq!(folder.run_with(&["foo"], b"").code, 1);
}

#[test]
fn files_that_cannot_be_read_leave_the_others() {
    let folder = Folder::new();
    let ran = folder.run(&["foo", "absent", "text"]);
    assert_eq!((ran.code, ran.stdout.as_slice()), (2, &b"text:foo bar\r\n"[..]));
    assert!(ran.stderr.contains("absent") && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    folder.refuses(&["foo", "."], &["this is a folder"]);
    folder.refuses(&["-f", "absent", "text"], &["absent"]);
    folder.file("short.gz", [0x1f, 0x8b, 8, 0]);
    folder.refuses(&["foo", "short.gz"], &["short.gz", "ends early"]);
}

#[test]
fn sequences_as_bed() {
    let folder = Folder::new();
    folder.prints(&["GATTACA", "dna.fa"], "c1\t4\t11\tGATTACA\t0\t+\n");
    folder.prints(&["gattaca", "--rc", "dna.fa"], "c1\t4\t11\tgattaca\t0\t+\nc2\t4\t11\tgattaca\t0\t-\n");
    folder.prints(&["GNTTRC", "-k1", "dna.fa"], "c1\t4\t10\tGNTTRC\t0\t+\n");
    folder.prints(&["GNTTYC", "-k1", "dna.fa"], "c1\t4\t10\tGNTTYC\t1\t+\n");
    folder.prints(&["--format", "bed", "o w", "text"], "text\t4\t7\to_w\t0\t+\n");
    folder.prints(&["-c", "--rc", "GATTACA", "dna.fa"], "2\n");
    folder.prints(&["-o", "--rc", "GATTACA", "dna.fa"], "c1:GATTACA\nc2:tgtaatc\n");
    folder.prints(&["--format", "text", "GATTACA", "dna.fa"], ">c1\nACGTGATTACAGG\n");
    folder.prints(&["--raw", "GATT", "dna.fa"], "ACGTGATT\n");
    folder.file("reads.gz", gz(b"@read 1\nACGTGATTACAGG\n+\nIIIIIIIIIIIII\n"));
    folder.prints(&["-k1", "GATACA", "reads.gz"], "read\t4\t11\tGATACA\t1\t+\n");
    folder.file("protein.fa", ">p\nMKVLHDEELQR\n");
    folder.prints(&["hBz", "protein.fa"], "p\t4\t7\thBz\t0\t+\n");
}

#[test]
fn many_patterns() {
    let folder = Folder::new();
    folder.file("words", "hello\n\nfoo\r\n");
    folder.prints(&["-f", "words", "text"], "hello world\nfoo bar\r\n");
    folder.prints(&["-f", "words", "--format", "bed", "text"], "text\t0\t5\thello\t0\t+\ntext\t12\t15\tfoo\t0\t+\n");
    folder.file("primers.fa", ">left one\nCGT\n>right\nGATT\nAC\n");
    folder.prints(&["-f", "primers.fa", "dna.fa"], "c1\t1\t4\tleft\t0\t+\nc1\t4\t10\tright\t0\t+\n");
    folder.file("none", "\n\n");
    folder.refuses(&["-f", "none", "text"], &["none", "no pattern"]);
    folder.refuses(&["-f", "-", "-"], &["standard input"]);
}

#[test]
fn json_lines() {
    let folder = Folder::new();
    let ran = folder.run(&["--format", "json", "-k1", "wrld", "text", "dna.fa", "--alphabet", "bytes"]);
    let line: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    // Among "world", "orld" and "rld", each with one error, the hit without a gap is reported.
    let expected = serde_json::json!({
        "file": "text", "line": 1, "start": 7, "end": 11, "strand": "+", "errors": 1,
        "substitutions": 1, "insertions": 0, "deletions": 0, "cigar": "1X3=", "pattern": "wrld", "match": "orld"
    });
    assert_eq!(line, expected);
    folder.prints(
        &["--format", "json", "GATTACA", "dna.fa"],
        "{\"file\":\"dna.fa\",\"record\":\"c1\",\"start\":4,\"end\":11,\"strand\":\"+\",\"errors\":0,\"substitutions\":0,\
         \"insertions\":0,\"deletions\":0,\"cigar\":\"7=\",\"pattern\":\"GATTACA\",\"match\":\"GATTACA\"}\n",
    );
}

#[test]
fn a_file_as_one_text() {
    let folder = Folder::new();
    // Hits may span line ends, in FASTA as in any other file.
    folder.prints(&["--whole", "-k1", "worldfoo", "text"], "text\t6\t15\tworldfoo\t1\t+\n");
    folder.prints(&["--whole", "-k1", "-o", "worldfoo", "text"], "world\nfoo\n");
    folder.prints(&["--whole", "-ob", "foo", "text", "dna.fa"], "text:12:foo\n");
    folder.prints(&["--whole", "-c", "o", "text", "dna.fa"], "text:4\ndna.fa:0\n");
    folder.prints(&["--whole", "-c", "--ends", "all", "o", "text"], "4\n");
    folder.prints(&["--whole", "-c", "--format", "text", "carry", "text"], "2\n");
    folder.prints(
        &["--whole", "--rc", "--alphabet", "iupac", "GATT.ACA", "dna.fa", "--engine", "simt"],
        "dna.fa\t14\t22\tGATT.ACA\t0\t+\n",
    );
    let ran = folder.run_with(&["--whole", "--format", "json", "--wildcard", "?", "d?f"], b"hello world\nfoo");
    let expected = "{\"file\":\"(standard input)\",\"start\":10,\"end\":13,\"strand\":\"+\",\"errors\":0,\"substitutions\":0,\
                    \"insertions\":0,\"deletions\":0,\"cigar\":\"3=\",\"pattern\":\"d?f\",\"match\":\"d\\nf\"}\n";
    assert_eq!((ran.code, String::from_utf8(ran.stdout).unwrap().as_str()), (0, expected));
    folder.refuses(&["--whole", "--format", "text", "foo", "text"], &["--whole", "lines"]);
    folder.refuses(&["--whole", "-b", "foo", "text"], &["--whole", "lines"]);
    folder.refuses(&["--whole", "foo", "."], &["this is a folder"]);
    folder.refuses(&["--whole", "foo", "absent"], &["absent"]);
}

#[test]
fn any_bytes_are_a_text() {
    let folder = Folder::new();
    let noise: Vec<u8> = (0..5000u32).map(|i| (i * i % 251) as u8).collect();
    folder.file("noise", [&noise[..], b"\n\xff\xfe needle \x80\n", &noise].concat());
    let ran = folder.run(&["-k1", "nedle", "noise"]);
    assert_eq!(
        (ran.code, ran.stdout.as_slice(), &ran.stderr[..]),
        (0, &b""[..], "carrywave: noise: binary file matches\n")
    );
    let ran = folder.run(&["-ak1", "nedle", "noise"]);
    assert_eq!((ran.code, ran.stdout.as_slice()), (0, &b"\xff\xfe needle \x80\n"[..]));
    let ran = folder.run(&["-o", "--wildcard", "?", "needle ?", "noise", "--format", "json"]);
    assert!(String::from_utf8(ran.stdout).unwrap().contains("needle \u{fffd}"));
}

#[test]
fn colours_when_asked_for() {
    let folder = Folder::new();
    folder.prints(&["--color=always", "foo", "text"], "\u{1b}[01;31m\u{1b}[Kfoo\u{1b}[m\u{1b}[K bar\r\n");
    folder.prints(&["--color=never", "foo", "text"], "foo bar\r\n");
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let folder = Folder::new();
    folder.refuses(&[], &["PATTERN"]);
    folder.refuses(&["", "text"], &["empty"]);
    folder.refuses(&["-k3", "foo", "text"], &["at most 2"]);
    folder.refuses(&["GAT-ACA", "dna.fa"], &["'-' at position 4", "gaps"]);
    folder.refuses(&["--alphabet", "dna", "GATN", "dna.fa"], &["'N' at position 4", "iupac"]);
    folder.refuses(&["--rc", "foo", "text"], &["--rc", "dna"]);
    folder.refuses(&["--algorithm", "shift-or", "-k1", "foo", "text"], &["shift-or"]);
    for engine in ["gpu", "simt"] {
        let words = ["sellers", &format!("not available on {engine}; available: ")];
        folder.refuses(&["--engine", engine, "--algorithm", "sellers", "foo", "text"], &words);
    }
}

#[test]
fn published_algorithms_can_be_tuned() {
    let folder = Folder::new();
    let run = |more: &[&str]| folder.run(&[&["--engine", "simt", "-k1", "GATTCA", "dna.fa"], more].concat());
    for (algorithm, tune) in [
        ("scan", "alpha=4,variant=overlapping,table=paper"),
        ("gbpr", "alpha=8,segment=64,table=banks"),
        ("xbitpar", "segment=96"),
    ] {
        let ran = run(&["--algorithm", algorithm, "--tune", tune]);
        let found = String::from_utf8(ran.stdout).unwrap();
        assert_eq!((ran.code, found.as_str()), (0, "c1\t4\t11\tGATTCA\t1\t+\n"), "{algorithm}: {}", ran.stderr);
    }
    folder.refuses(&["--engine", "simt", "--algorithm", "scan", "--tune", "alpha=3", "foo", "text"], &["not 3"]);
    let wrong = folder.run(&["--tune", "beta=3", "foo", "text"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("alpha, variant, table and segment"), "{}", wrong.stderr);
}

/// Every algorithm that supports two errors, on every engine, prints the hits of the definition,
/// computed for every part of each record.
#[test]
fn kinds_of_errors() {
    let folder = Folder::new();
    folder.file("sites", "abcdefgh\nabXdefgh\nabdefgh\nabcXdefgh\nXbcdefgX\n");
    folder.prints(&["-k1", "abcdefgh", "sites"], "abcdefgh\nabXdefgh\nabdefgh\nabcXdefgh\n");
    folder.prints(&["--substitutions", "1", "abcdefgh", "sites"], "abcdefgh\nabXdefgh\n");
    folder.file("exchanged", "abdcefgh\nabdcefhg\n");
    for engine in ["cpu", "simt"] {
        for (k, lines) in [("1", "abdcefgh\n"), ("2", "abdcefgh\nabdcefhg\n")] {
            folder.prints(&["--transpositions", "-k", k, "-o", "--engine", engine, "abcdefgh", "exchanged"], lines);
        }
    }
    folder.prints(&["--transpositions", "-k", "2", "-x", "abcdefgh", "exchanged"], "abdcefgh\nabdcefhg\n");
    folder.file("words", "the recieve receiver receievs\n");
    folder.prints(&["--transpositions", "-k", "1", "-w", "-o", "receive", "words"], "recieve\nreceiver\n");
    folder.prints(&["--transpositions", "-k", "2", "-w", "-o", "receive", "words"], "recieve\nreceiver\nreceievs\n");
    let json = ["--transpositions", "-k", "1", "--format", "json", "abcdefgh", "exchanged"];
    folder.refuses(&json, &["alignments have no operation for a transposition"]);
    folder.refuses(&["--transpositions", "-k", "2", "abcd", "exchanged"], &["too few for 2 errors", "at most 1"]);
    folder.prints(&["--insertions=1", "abcdefgh", "sites"], "abcdefgh\nabcXdefgh\n");
    folder.prints(&["--deletions", "1", "abcdefgh", "sites"], "abcdefgh\nabdefgh\n");
    folder.prints(&["-k1", "--deletions=0", "abcdefgh", "sites"], "abcdefgh\nabXdefgh\nabcXdefgh\n");
    folder.prints(&["-k", "24%", "-c", "abcdefgh", "sites"], "4\n");
    folder.prints(&["-k", "25%", "-c", "abcdefgh", "sites"], "5\n");
    folder.file("several.fa", ">one\nabcdefgh\n>two k=20%\nabcd\n>three k=0%\nabc\n>four k=50%\nxyz\n>five k=0\ny\n");
    for (share, others) in [("10", "another pattern"), ("12", "another pattern"), ("13", "")] {
        let ran = folder.run(&["-k", &format!("{share}%"), "-f", "several.fa", "-c", "sites"]);
        let rest = if others.is_empty() { String::new() } else { format!(" (also for {others})") };
        let first =
            if others.is_empty() { "20% of a pattern with 4".into() } else { format!("{share}% of a pattern with 8") };
        let expected =
            format!("carrywave: {first} symbols is less than one error, so the pattern must match exactly{rest}\n");
        assert_eq!(ran.stderr, expected);
    }
    folder.prints(&["-k", "0%", "-c", "abcdefgh", "sites"], "1\n");
    folder.prints(&["-k1", "--fixed", "3-5", "abcdefgh", "sites"], "abcdefgh\n");
    folder.prints(&["-k2", "--fixed", "3-5", "abcdefgh", "sites"], "abcdefgh\nXbcdefgX\n");
    folder.prints(&["-k1", "--fixed", "1-2,6", "abcdefgh", "sites"], "abcdefgh\nabXdefgh\nabdefgh\nabcXdefgh\n");
    folder.refuses(&["-k1", "--fixed", "8-9", "abcdefgh", "sites"], &["position 9 is outside", "8 symbols"]);
    for wrong in [&["--fixed", "3-2"][..], &["-k", "x"], &["-k", "100%"], &["--deletions", "-1"]] {
        assert_eq!(folder.run(&[wrong, &["abcdefgh", "sites"]].concat()).code, 2, "{wrong:?}");
    }
}

/// CRISPR guides with a PAM: mismatches in the 20 bases, none in NGG. The headers of two guides
/// give their limits.
#[test]
fn guides_with_a_pam() {
    let folder = Folder::new();
    let guide = "GACGCATAAAGATGAGACGC";
    let other = "TTTGACCATGAACCGTTACA";
    let site = |changed: usize, pam: &str| {
        let mut site = guide.to_owned().into_bytes();
        (0..changed).for_each(|i| site[5 * i] = b'T');
        String::from_utf8(site).unwrap() + pam
    };
    let sites = [site(0, "AGG"), site(3, "TGG"), site(4, "TGG"), site(0, "AGA"), format!("CCA{other}")];
    folder.file("genome.fa", format!(">chr\n{}\n", sites.join("ACACACAC")));
    folder.file("guides.fa", format!(">one about k=3 fixed=21-23\n{guide}NGG\n>two k=0 fixed=1-3\nCCN{other}\n"));
    let one = ["chr\t0\t23\tone\t0\t+\n", "chr\t31\t54\tone\t3\t+\n"].concat();
    let two = "chr\t124\t147\ttwo\t0\t+\n";
    for engine in ["cpu", "simt"] {
        let options =
            ["--substitutions=3", "--insertions=0", "--deletions=0", "--alphabet=iupac", "--rc", "--engine", engine];
        folder.prints(&[&options[..], &["-f", "guides.fa", "genome.fa"]].concat(), &(one.clone() + two));
        let guide = format!("{guide}NGG");
        let one = one.replace("one", &guide);
        folder.prints(&[&options[..], &["--fixed", "21-23", &guide, "genome.fa"]].concat(), &one);
    }
    folder.file("half.fa", ">one k=1\nACGT\n>two\nACGT\n");
    folder.refuses(&["--insertions=1", "-f", "half.fa", "genome.fa"], &["add -k", "1 of the patterns"]);
    folder.file("wrong.fa", ">one k=many\nACGT\n");
    folder.refuses(&["-f", "wrong.fa", "genome.fa"], &["'k=many'", "pattern one"]);
}

#[test]
fn every_algorithm_prints_the_same() {
    let expected = "c1\t3\t9\tGATTCA\t2\t-\nc1\t4\t11\tGATTCA\t1\t+\n\
        c2\t4\t11\tGATTCA\t1\t-\nc2\t6\t12\tGATTCA\t2\t+\n";
    let folder = Folder::new();
    let mut printed = 0;
    for engine in [EngineKind::Cpu, EngineKind::Simt] {
        let takes = |algorithm: &Algorithm| {
            // Pieces have at least four symbols each.
            algorithm.about(engine).is_some_and(|about| {
                about.limits.gaps
                    && !about.limits.whole_records
                    && about.limits.errors.is_none_or(|most| most >= 2)
                    && about.name != "pieces"
            })
        };
        for algorithm in Algorithm::all_on(engine).filter(takes).chain([Algorithm::AUTO]) {
            let options = ["--engine", engine.name(), "--algorithm", algorithm.name()];
            let ran = folder.run(&[&options[..], &["-k2", "GATTCA", "dna.fa", "--rc"]].concat());
            // The processor does not have AVX2.
            if ["segments", "filter"].contains(&algorithm.name()) && ran.stderr.contains("AVX2") {
                continue;
            }
            let found = String::from_utf8(ran.stdout).unwrap();
            assert_eq!((ran.code, found.as_str()), (0, expected), "{engine}, {algorithm}: {}", ran.stderr);
            printed += 1;
        }
    }
    assert!(printed >= 10, "{printed}");
}

/// The available part of a pipe is searched, and its hits are printed, while the pipe stays open.
#[test]
fn hits_in_a_pipe_come_before_its_end() {
    let folder = Folder::new();
    for (input, expected) in [(">c1\nACGTGATTACAGG\n>c2\nA", "c1\t4\t11\tGATTACA\t0\t+"), ("a GATTACA\nb", "a GATTACA")]
    {
        let mut command = folder.0.command(&["search", "GATTACA"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = mpsc::channel();
        let reader = thread::spawn(move || stdout.lines().try_for_each(|line| send.send(line.unwrap())));
        assert_eq!(lines.recv_timeout(Duration::from_secs(60)).as_deref(), Ok(expected));
        drop(stdin);
        assert!(lines.recv().is_err());
        reader.join().unwrap().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

/// Lines and their context are printed as soon as they are read. When the reader of the output
/// ends, so does the program.
#[test]
fn lines_of_a_pipe_are_printed_as_they_come() {
    let folder = Folder::new();
    let mut command = folder.0.command(&["search", "-n", "-A1", "wave"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for (written, expected) in
        [("a wave\n", "1:a wave"), ("no\n", "2-no"), ("no\nwave\r\n", "--"), ("", "4:wave\r"), ("wave 5\n", "5:wave 5")]
    {
        stdin.write_all(written.as_bytes()).unwrap();
        assert_eq!(lines.next().unwrap().unwrap(), expected.trim_end_matches('\r'), "{written:?}");
    }
    drop(stdin);
    assert!(lines.next().is_none());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// An endless text: the search ends with the reader of its output, or by its options.
#[test]
#[cfg(unix)]
fn a_text_without_an_end_takes_little_memory_and_ends_with_its_reader() {
    let folder = Folder::new();
    for (call, expected) in [
        ("search abc | head -1", "abcabc\n"),
        ("search -m1 abc", "abcabc\n"),
        ("search -q abc && echo found", "found\n"),
        ("search -l abc", "(standard input)\n"),
        ("search -on -m1 -e abc -e bca", "1:abc\n1:abc\n"),
    ] {
        let ran = folder.0.shell(&format!("yes abcabc | (ulimit -d 60000; \"$C\" --threads 2 {call})"));
        assert_eq!((String::from_utf8_lossy(&ran.stdout).as_ref(), &ran.stderr[..]), (expected, ""), "{call}");
    }
}

#[test]
fn folders_are_searched_as_ripgrep_does() {
    let folder = Folder::new();
    let below = |name: &str| folder.0.path("").join(name);
    for name in ["a", "a/b", "a/.hidden", "a/.git"] {
        std::fs::create_dir(below(name)).unwrap();
    }
    folder.file("a/.gitignore", "*.log\n");
    for name in ["a/one.log", "a/two.txt", "a/b/three.rs", "a/.hidden/four", "a/{x}"] {
        folder.file(name, "foo\n");
    }
    let names = "a/b/three.rs\na/two.txt\na/{x}\n";
    folder.prints(&["-rl", "foo", "a"], names);
    folder.prints(&["-Rl", "foo", "a/"], names);
    folder.prints(&["-rl", "--no-ignore", "foo", "a"], &names.replace("a/two", "a/one.log\na/two"));
    folder.prints(&["-rl", "--hidden", "foo", "a"], &format!("a/.hidden/four\n{names}"));
    folder.prints(&["-r", "--include=*.rs", "foo", "a"], "a/b/three.rs:foo\n");
    folder.prints(&["-rl", "--exclude=*.rs", "--exclude", "b*", "foo", "a"], "a/two.txt\na/{x}\n");
    folder.prints(&["-rl", "--include", "{x}", "foo", "a"], "a/{x}\n");
    folder.prints(&["-rl", "--exclude-dir", "b", "--include", "*.rs", "foo", "a"], "");
    // A file given by name is searched.
    folder.prints(&["foo", "a/one.log"], "foo\n");
    folder.prints(&["-rc", "--exclude=*.fa", "foo bar"], "a/b/three.rs:0\na/two.txt:0\na/{x}:0\ntext:1\n");
    // If an option applies to lines only, or no record can contain the pattern, the lines of FASTA
    // and FASTQ files are searched.
    folder.file("a/reads.fq", "@foo\nGATTACA\n+\nIIIIIII\n");
    let lines = "a/b/three.rs:foo\na/reads.fq:@foo\na/two.txt:foo\na/{x}:foo\n";
    folder.prints(&["-r", "foo", "a"], lines);
    folder.prints(&["-rn", "foo", "a"], &lines.replace(":", ":1:"));
    folder.prints(&["-rn", "ATTA", "a"], "a/reads.fq:2:GATTACA\n");
    folder.prints(&["-r", "ATTA", "a"], "foo\t1\t5\tATTA\t0\t+\n");
    // A pipe cannot be read again.
    let ran = folder.0.shell("printf '>r\\nfoo\\n' | \"$C\" search -rn foo -");
    assert_eq!((ran.code, &ran.stdout[..]), (2, &b""[..]));
    assert_mentions(&ran.stderr, &["(standard input): ", "-n applies to lines"]);
    // A damaged file is reported and skipped.
    folder.file("a/reads.fq", "@foo\nGATTACA\n+\nII\n");
    let ran = folder.run(&["-rl", "foo", "a"]);
    assert_eq!((ran.code, String::from_utf8(ran.stdout).unwrap()), (2, names.into()));
    assert_mentions(&ran.stderr, &["a/reads.fq: ", "FASTQ"]);
}

#[test]
fn whole_words_and_lines_with_errors() {
    let folder = Folder::new();
    folder.file("words", "wave\nwaves\nsaw waves wavesize\na wavy\nave\n");
    folder.prints(&["-w", "-k1", "-on", "wave", "words"], "1:wave\n2:waves\n3:waves\n4:wavy\n5:ave\n");
    folder.prints(&["-x", "-k1", "wave", "words"], "wave\nwaves\nave\n");
    folder.prints(&["-vx", "-k1", "wave", "words"], "saw waves wavesize\na wavy\n");
    // A carriage return is printed, but is not part of the line.
    folder.prints(&["-x", "foo bar", "text"], "foo bar\r\n");
    folder.refuses(&["-w", "--overlapping", "foo", "text"], &["-w", "--overlapping"]);
    folder.refuses(&["-w", "--rc", "foo", "text"], &["-w", "--rc"]);
    folder.refuses(&["-x", "--rc", "foo", "text"], &["--rc", "--alphabet dna"]);
}

/// Whole lines and records: all limits apply, and positions cover the whole line or record.
#[test]
fn whole_lines_and_records() {
    let folder = Folder::new();
    folder.file("reads.fa", ">one\nGATTACA\n>two\nGATTACAT\nC\n>three x\ntgtagtc\n>four\nGATC\n>none\n");
    folder.file("reads.fq", "@one\nGATTACA\n+\nIIIIIII\n@two\nGATTTACA\n+\nIIIIIIII\n");
    let one = "one\t0\t7\tGATTACA\t0\t+\n";
    folder.prints(&["--full", "-k1", "GATTACA", "reads.fa"], one);
    folder.prints(&["-x", "-k2", "GATTACA", "reads.fa"], &format!("{one}two\t0\t9\tGATTACA\t2\t+\n"));
    folder.prints(&["--full", "-k1", "--rc", "GATTACA", "reads.fa"], &format!("{one}three\t0\t7\tGATTACA\t1\t-\n"));
    folder.prints(&["--full", "-k", "50%", "-c", "GATTACA", "reads.fa", "reads.fq", "-h"], "3\n2\n");
    folder.prints(&["--full", "--deletions", "3", "GATTACA", "reads.fa"], &format!("{one}four\t0\t4\tGATTACA\t3\t+\n"));
    folder.prints(&["--full", "--insertions", "1", "--fixed", "1-5", "-c", "GATTACA", "reads.fq"], "1\n");
    folder.prints(&["--full", "--insertions", "1", "--fixed", "1-4", "-c", "GATTACA", "reads.fq"], "2\n");
    // With as many errors as symbols, no record is too short.
    folder.prints(&["--full", "-k2", "-c", "GA", "reads.fa"], "2\n");
    folder.file("words", "wave\r\nwaves\ncarry\nsaw waves\n");
    folder.prints(&["--full", "-k", "20%", "-e", "waves", "-e", "berry", "words"], "wave\r\nwaves\n");
    folder.prints(
        &["-x", "-k1", "--format", "bed", "wave", "words"],
        "words\t0\t4\twave\t0\t+\nwords\t6\t11\twave\t1\t+\n",
    );
    folder.prints(&["-x", "-k1", "-nob", "waves", "words"], "1:0:wave\n2:6:waves\n");
    // With many patterns, the search looks up their pieces.
    let many: String = ["wave", "curry", "none"].iter().cycle().take(30).map(|word| format!("{word}\n")).collect();
    folder.file("many", many);
    folder.prints(&["--full", "-k1", "-n", "-f", "many", "words"], "1:wave\r\n2:waves\n3:carry\n");
    folder.prints(&["--full", "-vk1", "-f", "many", "words"], "saw waves\n");
    folder.refuses(&["--full", "--whole", "wave", "words"], &["-x (--full)", "--whole"]);
    for option in [["--engine", "simt"], ["--algorithm", "myers"]] {
        folder.refuses(&[&["--full"], &option[..], &["wave", "words"]].concat(), &["--full", option[0]]);
    }
}

#[test]
fn options_that_mean_nothing_here_are_refused_in_words() {
    let folder = Folder::new();
    for limit in [["-k", "20%"], ["--substitutions", "1"], ["--fixed", "1"]] {
        folder.refuses(&[&["-w"], &limit[..], &["hello", "text"]].concat(), &["-w", "-k"]);
    }
    folder.prints(&["-w", "-k", "1", "hello", "text"], "hello world\n");
    for option in ["-E", "-P", "-G"] {
        folder.refuses(&[option, "foo", "text"], &[option, "grep", "rg", "--classes"]);
    }
    for option in ["-n", "-v", "-w", "-A1", "-B1", "-C1"] {
        if option != "-v" {
            folder.refuses(&[option, "GATTACA", "dna.fa"], &[&option[..2], "FASTA", "--raw"]);
        }
        folder.refuses(&[option, "--whole", "GATTACA", "dna.fa"], &[&option[..2], "--whole"]);
        folder.refuses(&[option, "--format", "json", "GATTACA", "text"], &[&option[..2], "json"]);
    }
    folder.refuses(&["--classes", "GAT[TA]", "dna.fa"], &["--classes", "iupac", "--alphabet bytes"]);
    folder.refuses(&["--classes", "[a", "text"], &["is not closed"]);
    folder.refuses(&["--include", "[", "foo", "text"], &["'['", "file name pattern"]);
    assert_mentions(&folder.0.answer(&["search", "-h"]), &["PATTERN", "--help"]);
    assert_mentions(&folder.0.answer(&["search", "--help"]), &["--after-context", "Examples:"]);
}

#[test]
fn files_are_told_of_records_too() {
    let folder = Folder::new();
    folder.prints(&["-l", "GATTACA", "dna.fa", "text"], "dna.fa\n");
    folder.prints(&["-m1", "GAT", "dna.fa"], "c1\t4\t7\tGAT\t0\t+\n");
    folder.prints(&["-cm1", "GAT", "dna.fa"], "1\n");
    folder.prints(&["--whole", "-m1", "-o", "GAT", "dna.fa"], "GAT\n");
    folder.prints(&["--whole", "-l", "GAT", "dna.fa", "text"], "dna.fa\n");
    folder.prints(&["--classes", "--alphabet=bytes", "GAT[^TG]", "dna.fa"], "");
    folder.prints(&["--classes", "-on", "-k1", "[hj]e.lo", "text"], "1:hello\n");
    assert_eq!(folder.run(&["-q", "GAT", "dna.fa"]).stdout, b"");
}

#[test]
fn files_of_all_kinds_one_after_the_other() {
    let folder = Folder::new();
    let files: [(&str, &[u8]); 9] = [
        ("1.txt", "a gattaca\nfür GATTAÇA\n".as_bytes()),
        ("2.fa", b">one\nGATTACA\nGATTNCA\n>two\nTTTT\n"),
        ("3.bin", b"\0\nGATTACA\n"),
        ("4.faa", b">protein\nMKLVGATTACAWF\n>another\nEFILPQZ\n"),
        ("5.fq", b"@read\nCGATTACAC\n+\nIIIIIIIII\n"),
        ("6.txt", b"GATNACA and Gattaca\n"),
        ("7.gz", b"\x1f\x8b\x08\0 cut"),
        ("8.fa", b">three\nCCGATTACCC\n"),
        ("9.txt", b"nothing\nGATTAXA\n"),
    ];
    for (name, text) in files {
        folder.file(name, text);
    }
    for options in [&["-k1"][..], &["-c"], &["-k1", "-c"], &["-k1", "--format", "json"], &["-i", "-o"], &["-l"]] {
        let run = |files: &[&str]| {
            let ran = folder.run(&[&["-H", "-a", "GATNACA"], options, files].concat());
            let mut lines: Vec<String> = String::from_utf8_lossy(&ran.stdout).lines().map(str::to_owned).collect();
            lines.sort();
            (lines, ran.code)
        };
        let mut each: Vec<String> = files.iter().flat_map(|&(name, _)| run(&[name]).0).collect();
        each.sort();
        let together = run(&files.map(|(name, _)| name));
        assert_eq!(together, (each, 2), "{options:?}");
        assert!(!together.0.is_empty());
    }
}
