//! SAM output, checked by samtools: the files are valid, and the counts of differences agree.

use crate::common::program::Folder;
use std::collections::HashMap;
use std::process::Command;

/// Default number of reads. CARRYWAVE_SAM_READS sets another number.
const READS: usize = 300;

fn has_samtools() -> bool {
    let found = Command::new("samtools").arg("--version").output().is_ok();
    if !found {
        eprintln!("not judged: there is no samtools here");
    }
    found
}

/// Runs samtools, which must succeed without a message, and returns its output.
#[track_caller]
fn samtools(folder: &Folder, arguments: &[&str]) -> String {
    let ran = Command::new("samtools").args(arguments).current_dir(folder.path("")).output().unwrap();
    let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{arguments:?}: {stderr}");
    assert_eq!(stderr, "", "{arguments:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// Splits a line of SAM into its fields, and its tags by name.
fn line(text: &str) -> (Vec<&str>, HashMap<&str, &str>) {
    let fields: Vec<&str> = text.split('\t').collect();
    let tags = fields[11..].iter().map(|tag| (&tag[..2], &tag[5..])).collect();
    (fields, tags)
}

fn complement(symbol: u8) -> u8 {
    let (from, to) = (b"ACGTRYSWKMBDHVN", b"TGCAYRSWMKVHDBN");
    to[from.iter().position(|&known| known == symbol.to_ascii_uppercase()).unwrap()]
}

/// Returns random bases, some of them ambiguity codes.
fn random_symbols(random: &mut fastrand::Rng, len: usize, codes: f64) -> Vec<u8> {
    let mut symbol = || {
        let all: &[u8] = if random.f64() < codes { b"RYSWKMBDHVNNN" } else { b"ACGT" };
        let symbol = all[random.usize(..all.len())];
        if random.u8(..8) == 0 { symbol.to_ascii_lowercase() } else { symbol }
    };
    (0..len).map(|_| symbol()).collect()
}

/// Writes references and reads to the files ref.fa and reads.fq. Returns the reads' symbols and
/// qualities.
fn files(folder: &Folder, reads: usize) -> HashMap<String, (String, String)> {
    let mut random = fastrand::Rng::with_seed(36);
    let mut references = Vec::new();
    let mut text = String::new();
    for number in 0..3 {
        let symbols = random_symbols(&mut random, 2_000 + reads, 0.04);
        text += &format!(">ref{number} of a test\n");
        for part in symbols.chunks(70) {
            text += &format!("{}\n", std::str::from_utf8(part).unwrap());
        }
        references.push(symbols);
    }
    folder.file("ref.fa", text);
    let (mut text, mut known) = (String::new(), HashMap::new());
    for number in 0..reads {
        let reference = &references[random.usize(..3)];
        let (start, len) = (random.usize(..reference.len() - 60), random.usize(25..60));
        let mut read: Vec<u8> = reference[start..start + len].to_vec();
        for _ in 0..random.usize(..3) {
            let at = random.usize(1..read.len() - 1);
            match random.u8(..4) {
                0 => drop(read.remove(at)),
                1 => read.insert(at, b"ACGT"[random.usize(..4)]),
                2 => read[at] = b"ACGT"[random.usize(..4)],
                _ => read[at] = b"RYN"[random.usize(..3)],
            }
        }
        if random.bool() {
            read = read.iter().rev().map(|&symbol| complement(symbol)).collect();
        }
        let read = String::from_utf8(read).unwrap();
        let qualities: String = (0..read.len()).map(|_| char::from(random.u8(b'!'..=b'~'))).collect();
        text += &format!("@read{number}/1 k=4\n{read}\n+\n{qualities}\n");
        known.insert(format!("read{number}/1"), (read, qualities));
    }
    folder.file("reads.fq", text);
    known
}

#[test]
fn samtools_counts_the_same_differences() {
    let reads = std::env::var("CARRYWAVE_SAM_READS").ok().and_then(|reads| reads.parse().ok()).unwrap_or(READS);
    let folder = Folder::new();
    let known = files(&folder, reads);
    let sam = folder.answer(&["search", "--rc", "-k", "4", "--format", "sam", "-f", "reads.fq", "ref.fa"]);
    let lines: Vec<&str> = sam.lines().filter(|line| !line.starts_with('@')).collect();
    let mut primary: HashMap<&str, u32> = HashMap::new();
    let mut is_reverse = [0, 0];
    for (fields, tags) in lines.iter().map(|text| line(text)) {
        let flag: u32 = fields[1].parse().unwrap();
        *primary.entry(fields[0]).or_default() += u32::from(flag & 0x900 == 0);
        is_reverse[usize::from(flag & 16 != 0)] += 1;
        let (symbols, qualities) = &known[fields[0]];
        let (mut symbols, mut qualities) = (symbols.clone().into_bytes(), qualities.clone().into_bytes());
        if flag & 16 != 0 {
            symbols = symbols.iter().rev().map(|&symbol| complement(symbol)).collect();
            qualities.reverse();
        }
        assert!(fields[9].as_bytes().eq_ignore_ascii_case(&symbols), "{fields:?}");
        assert_eq!(fields[10].as_bytes(), qualities);
        // NM agrees with the CIGAR.
        let mut number = 0;
        let mut errors = 0;
        for c in fields[5].chars() {
            match c.to_digit(10) {
                Some(digit) => number = number * 10 + digit,
                None => {
                    errors += if c == '=' { 0 } else { number };
                    number = 0;
                }
            }
        }
        assert_eq!(tags["NM"], errors.to_string());
    }
    assert!(is_reverse.iter().all(|&count| count > reads / 4), "{is_reverse:?}");
    assert!(primary.len() > reads * 9 / 10 && primary.values().all(|&count| count == 1), "{}", primary.len());
    assert!(lines.iter().any(|text| line(text).0[1].parse::<u32>().unwrap() & 0x100 != 0) || reads < 1000);
    if !has_samtools() {
        return;
    }
    folder.file("hits.sam", sam.as_bytes());
    samtools(&folder, &["faidx", "ref.fa"]);
    samtools(&folder, &["quickcheck", "hits.sam"]);
    assert_eq!(samtools(&folder, &["view", "-c", "-F", "0x900", "hits.sam"]), format!("{}\n", primary.len()));
    samtools(&folder, &["view", "-b", "-o", "hits.bam", "hits.sam"]);
    samtools(&folder, &["sort", "-o", "sorted.bam", "hits.bam"]);
    samtools(&folder, &["quickcheck", "sorted.bam"]);
    // calmd prints a message for each tag that differs from its own count.
    let judged = samtools(&folder, &["calmd", "hits.sam", "ref.fa"]);
    let judged: Vec<&str> = judged.lines().filter(|line| !line.starts_with('@')).collect();
    assert_eq!(judged.len(), lines.len());
    for (own, other) in lines.iter().zip(judged) {
        let (own, other) = (line(own), line(other));
        assert_eq!((own.1["NM"], own.1["MD"]), (other.1["NM"], other.1["MD"]), "{own:?}");
        assert_eq!(own.0[..6], other.0[..6]);
    }
}

#[test]
fn codes_are_no_matches_and_each_read_has_one_primary_line() {
    let folder = Folder::new();
    folder.file("ref.fa", ">r(1)\nACNRTTTTACGATTTTACNRUUUU\n");
    let fields = |arguments: &[&str]| -> Vec<String> {
        let sam = folder.answer(arguments);
        sam.lines().filter(|line| !line.starts_with('@')).map(str::to_owned).collect()
    };
    // N matches nothing, and R matches R only.
    assert_eq!(
        fields(&["search", "--format", "sam", "--text-codes", "overlap", "ACGATTTT", "ref.fa"]),
        [
            "ACGATTTT\t0\tr_1_\t1\t255\t2=2X4=\t*\t0\t0\tACGATTTT\t*\tNM:i:2\tMD:Z:2N0R4",
            "ACGATTTT\t256\tr_1_\t9\t255\t8=\t*\t0\t0\tACGATTTT\t*\tNM:i:0\tMD:Z:8",
            "ACGATTTT\t256\tr_1_\t17\t255\t2=2X4=\t*\t0\t0\tACGATTTT\t*\tNM:i:2\tMD:Z:2N0R4",
        ]
    );
    assert_eq!(
        fields(&["best", "--output", "sam", "--ties", "ACNRTTTT", "ref.fa"]),
        [
            "ACNRTTTT\t0\tr_1_\t1\t255\t2=1X5=\t*\t0\t0\tACNRTTTT\t*\tNM:i:1\tMD:Z:2N5",
            "ACNRTTTT\t256\tr_1_\t9\t255\t2=2X4=\t*\t0\t0\tACNRTTTT\t*\tNM:i:2\tMD:Z:2G0A4",
            "ACNRTTTT\t256\tr_1_\t17\t255\t2=1X5=\t*\t0\t0\tACNRTTTT\t*\tNM:i:1\tMD:Z:2N5",
        ]
    );
    // Several files, and several patterns of the same name.
    folder.file("more.fa", ">r2\nACGATTTT\n");
    folder.file("reads.fq", "@a\nACGA\n+\n!I~@\n@a\nTCGT\n+\n1234\n@none\n\n+\n\n");
    let ran = folder.run(&["search", "--rc", "--format", "sam", "-f", "reads.fq", "more.fa", "ref.fa"]);
    assert_eq!(ran.stderr, "carrywave: reads.fq: skipped patterns without symbols: none in line 9\n");
    let sam = String::from_utf8(ran.stdout).unwrap();
    let rows: Vec<Vec<&str>> =
        sam.lines().filter(|line| !line.starts_with('@')).map(|line| line.split('\t').collect()).collect();
    let of = |name: &str| -> Vec<(&str, &str, &str, &str)> {
        rows.iter().filter(|row| row[0] == name).map(|row| (row[1], row[2], row[9], row[10])).collect()
    };
    assert_eq!(of("a"), [("0", "r2", "ACGA", "!I~@"), ("256", "r_1_", "ACGA", "!I~@")]);
    assert_eq!(of("a_2"), [("16", "r2", "ACGA", "4321"), ("272", "r_1_", "ACGA", "4321")]);
    // Two names that are the same in SAM.
    folder.file("names.fa", ">r(1)\nACGA\n>r)1(\nACGA\n");
    let message = folder.refusal(2, &["search", "--format", "sam", "ACGA", "names.fa"]);
    assert!(message.contains("would both be r_1_ in SAM"), "{message}");
}
