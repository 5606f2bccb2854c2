//! Answers that users might misread: the detected type of a file, matching symbols, and the output
//! of names and characters.

use crate::common::program::{Folder, assert_mentions, gz};

/// Returns the output of a search, and its messages on standard error.
#[track_caller]
fn search(folder: &Folder, arguments: &[&str]) -> (String, String) {
    let ran = folder.run(&[&["search"], arguments].concat());
    assert!(ran.code < 2, "{arguments:?}: {}", ran.stderr);
    (String::from_utf8_lossy(&ran.stdout).into_owned(), ran.stderr)
}

// Compressed files.

#[test]
fn raw_means_the_unpacked_bytes() {
    let folder = Folder::new();
    let (a, b) = ("to carry a wave\n".repeat(40), "to carry, a wave!\n".repeat(40));
    folder.file("a.gz", gz(a.as_bytes()));
    folder.file("b.gz", gz(b.as_bytes()));
    folder.file("a.txt", &a);
    folder.file("b.txt", &b);
    assert_mentions(&folder.refusal(1, &["lcs", "a.gz", "b.gz"]), &["use --raw"]);
    let length = folder.answer(&["lcs", "--raw", "a.txt", "b.txt"]);
    assert_eq!(length, "640\n");
    assert_eq!(folder.answer(&["lcs", "--raw", "a.gz", "b.gz"]), length);
    let packed: usize = folder.answer(&["lcs", "--raw", "--no-decompress", "a.gz", "b.gz"]).trim().parse().unwrap();
    assert!(packed <= folder.read("a.gz").len());
    assert_eq!(folder.answer(&["search", "--raw", "-c", "wave", "a.gz"]), "40\n");
    assert_eq!(search(&folder, &["--no-decompress", "-c", "wave", "a.gz"]).0, "0\n");
    assert_eq!(folder.answer(&["best", "--raw", "wave!", "b.gz"]), "distance 0, b.gz 12..17: wave!\n");
    let raw_only = folder.run(&["lcs", "--no-decompress", "a.gz", "b.gz"]);
    assert_eq!(raw_only.code, 2);
    assert_mentions(&raw_only.stderr, &["--raw"]);
}

#[test]
fn a_compressed_text_as_a_whole_is_told_to_be_so() {
    let folder = Folder::new();
    folder.file("a.gz", gz(b"to carry a wave\n"));
    let (found, told) = search(&folder, &["--whole", "-c", "wave", "a.gz"]);
    assert_eq!(found, "0\n");
    assert_mentions(&told, &["a.gz", "compressed", "gzip -dc"]);
    assert_eq!(search(&folder, &["--whole", "--no-decompress", "-c", "wave", "a.gz"]), ("0\n".into(), String::new()));
}

#[test]
fn gzip_may_end_with_zeros_and_nothing_else() {
    let folder = Folder::new();
    let members = [gz(b"one\n"), gz(b""), gz(b"two wave\n")].concat();
    for zeros in [0, 1, 511, 70_000] {
        folder.file("padded.gz", [&members[..], &vec![0; zeros]].concat());
        assert_eq!(folder.answer(&["search", "wave", "padded.gz"]), "two wave\n", "{zeros}");
    }
    for garbage in [&b"x"[..], b"\0\0x", b"garbage that is long enough for a header", b"\0\x1f\x8b"] {
        folder.file("garbage.gz", [&members[..], garbage].concat());
        assert_mentions(&folder.refusal(2, &["search", "wave", "garbage.gz"]), &["garbage.gz", "damaged"]);
        assert_mentions(&folder.refusal(1, &["lcs", "--raw", "garbage.gz", "garbage.gz"]), &["damaged"]);
    }
    folder.file("cut.gz", &members[..members.len() - 1]);
    assert_mentions(&folder.refusal(2, &["search", "wave", "cut.gz"]), &["ends early"]);
}

// Codes that stand for several nucleotides or amino acids.

#[test]
fn a_sequence_is_found_in_itself() {
    let folder = Folder::new();
    let sequence = "ACGTNNRYKMSWBDHVACGTACGTACGTACGTACGTTTGACCAACGTACGTGG";
    folder.file("r.fa", format!(">r\n{sequence}\n"));
    let hit = format!("r\t0\t{}\t{sequence}\t0\t+\n", sequence.len());
    assert_eq!(search(&folder, &["--alphabet", "iupac", sequence, "r.fa"]), (hit, String::new()));
    let (start, end) = (4, 8);
    let bed = |pattern: &str| format!("r\t{start}\t{end}\t{pattern}\t0\t+\n");
    // NNRY in the text, with each rule.
    for (rule, pattern, found) in [
        ("self", "NNRY", true),
        ("self", "NNDB", true),
        ("self", "NNAC", false),
        ("overlap", "NNAC", true),
        ("overlap", "ACGT", true),
        ("overlap", "ACTT", false),
        ("never", "NNRY", false),
    ] {
        let (hits, _) =
            search(&folder, &["--alphabet", "iupac", "--overlapping", "--text-codes", rule, pattern, "r.fa"]);
        assert_eq!(hits.contains(&bed(pattern)), found, "{rule}, {pattern}: {hits}");
    }
    let best = folder.answer(&["best", "--alphabet", "iupac", "TNNRYKM", "r.fa"]);
    assert_eq!(best, "distance 0, r 3..10: TNNRYKM\n");
    let never = ["best", "--alphabet", "iupac", "--text-codes", "never", "TNNRYKM", "r.fa"];
    assert!(!folder.answer(&never).starts_with("distance 0"));
    let wrong = folder.run(&["search", "--text-codes", "sometimes", "A", "r.fa"]);
    assert_mentions(&wrong.stderr, &["self, overlap, never"]);
}

/// The reverse complement of a code is a code.
#[test]
fn codes_are_found_on_both_strands() {
    let folder = Folder::new();
    folder.file("r.fa", ">r\nAAACCCGGGTTTACGRYNKAAACCCGGGTTTAACC\n");
    let (hits, _) = search(&folder, &["--rc", "--alphabet", "iupac", "CGRYNKA", "r.fa"]);
    assert!(hits.contains("r\t13\t20\tCGRYNKA\t0\t+\n"), "{hits}");
    let (hits, _) = search(&folder, &["--rc", "--alphabet", "iupac", "TMNRYCG", "r.fa"]);
    assert!(hits.contains("r\t13\t20\tTMNRYCG\t0\t-\n"), "{hits}");
}

#[test]
fn rna_beside_dna() {
    let folder = Folder::new();
    folder.file("dna.fa", ">d\nACGTTTGCAATTacgt\n");
    folder.file("rna.fa", ">r\nACGUUUGCAAUUacgu\n");
    for (a, b) in [("dna.fa", "rna.fa"), ("rna.fa", "dna.fa"), ("rna.fa", "rna.fa")] {
        assert_eq!(folder.answer(&["lcs", a, b]), "16\n", "{a} {b}");
        assert_eq!(folder.answer(&["lcs", "--case", "keep", a, b]), "16\n", "{a} {b}");
    }
    // Without any T, a U stays a U.
    let output = ["lcs", "rna.fa", "rna.fa", "--output", "subsequence"];
    assert_eq!(folder.answer(&output), "ACGUUUGCAAUUACGU\n");
    assert_eq!(folder.answer(&["search", "UUUGCA", "dna.fa"]), "d\t3\t9\tUUUGCA\t0\t+\n");
    assert_eq!(folder.answer(&["best", "TTTGCA", "rna.fa"]), "distance 0, r 3..9: UUUGCA\n");
}

// Detected types of records.

/// Primers. Half of the first one's letters are codes, and all of them are letters of proteins,
/// too.
#[test]
fn more_than_the_first_record_says_what_the_letters_are() {
    let folder = Folder::new();
    let plain = ">b\nACGTACGTGGCTTAGCATTACGATTACAGG\n>c\nGGCTTAGCATTACGATTACAGGACGTACGT\n>d\nGATTACAACGTTAG\n";
    folder.file("primers.fa", format!(">a\nRYSWKMBDHV\n{plain}"));
    let ran = folder.run(&["search", "GATTWCA", "primers.fa", "-c"]);
    assert_eq!((ran.code, ran.stdout.as_slice()), (0, &b"3\n"[..]), "{}", ran.stderr);
    let told = folder.run(&["search", "--verbose", "GATTACA", "primers.fa", "-c"]).stderr;
    assert_mentions(&told, &["primers.fa", "nucleotides", "iupac"]);
}

#[test]
fn what_letters_are_taken_for_is_told_where_it_matters() {
    let folder = Folder::new();
    // A primer of the 16S rRNA gene. Two of its nineteen letters are codes.
    folder.file("primer.fa", ">515F\nGTGYCAGCMGCCGCGGTAA\n");
    let told = "primer.fa: the records are read as nucleotides, which may change the hits; --alphabet protein reads them as proteins";
    let line = format!("carrywave: {told}\n");
    assert_eq!(search(&folder, &["GTGCC", "primer.fa"]), (String::new(), String::new()), "the same either way");
    assert_eq!(search(&folder, &["GTGNC", "primer.fa"]), ("515F\t0\t5\tGTGNC\t0\t+\n".into(), line.clone()));
    assert_eq!(search(&folder, &["--alphabet", "iupac", "GTGNC", "primer.fa"]).1, "");
    assert_eq!(folder.run(&["best", "GTGNC", "primer.fa"]).stderr, line);
    // Letters that only proteins have are no nucleotide codes.
    folder.file("protein.fa", ">p\nMKVLHDEELQR\n");
    assert_eq!(search(&folder, &["HDEE", "protein.fa"]), ("p\t4\t8\tHDEE\t0\t+\n".into(), String::new()));
    let message = folder.refusal(2, &["search", "HDEE", "primer.fa"]);
    assert_mentions(&message, &["'E' at position 3", "the alphabet protein has it"]);
}

#[test]
fn an_lcs_of_two_kinds_or_of_unclear_letters_is_told() {
    let folder = Folder::new();
    folder.file("dna.fa", ">d\nACGTacgtACGT\n");
    folder.file("protein.fa", ">p\nMKVLacgtHDEELQR\n");
    folder.file("codes.fa", ">c\nRYSWKMBDHVacgtacgtacgt\n");
    folder.file("capitals.fa", ">c\nRYSWKMBDHVACGT\n");
    let told = |a: &str, b: &str| folder.run(&["lcs", a, b]).stderr;
    assert_eq!(told("dna.fa", "dna.fa"), "");
    assert_eq!(told("capitals.fa", "capitals.fa"), "", "case makes no difference");
    assert_mentions(&told("dna.fa", "protein.fa"), &["A is read as nucleotides", "B as a protein", "--case"]);
    assert_mentions(&told("codes.fa", "codes.fa"), &["A is read as nucleotides"]);
    assert_eq!(folder.run(&["lcs", "--case", "keep", "dna.fa", "protein.fa"]).stderr, "");
    assert_mentions(&folder.run(&["lcs", "--verbose", "dna.fa", "dna.fa"]).stderr, &["read as nucleotides"]);
}

// Bytes and characters.

#[test]
fn symbols_are_told_to_be_bytes_where_there_are_others() {
    let folder = Folder::new();
    folder.file("names", "Müller\nMuller\n");
    let told = "symbols are bytes";
    // In a text of lines, symbols are characters. With --bytes, there is no note.
    assert_eq!(search(&folder, &["-k1", "Muller", "names"]), ("Müller\nMuller\n".into(), String::new()));
    assert_eq!(search(&folder, &["-k1", "--bytes", "Muller", "names"]), ("Muller\n".into(), String::new()));
    let line = search(&folder, &["--whole", "-k1", "Muller", "names"]).1;
    assert_mentions(&line, &[told]);
    assert_eq!(line.lines().count(), 1);
    assert_eq!(search(&folder, &["--whole", "--bytes", "-k1", "Muller", "names"]).1, "");
    // A NUL marks the file as binary.
    folder.file("data", "\0Müller\n");
    assert_mentions(&search(&folder, &["-a", "-k1", "Muller", "data", "data"]).1, &[told]);
    // Without errors, bytes and characters give the same hits.
    assert_eq!(search(&folder, &["Muller", "names"]), ("Muller\n".into(), String::new()));
    assert_eq!(search(&folder, &["Müller", "names"]), ("Müller\n".into(), String::new()));
    assert_eq!(folder.run(&["best", "Muler", "names"]).stderr, "");
    assert_mentions(&folder.run(&["best", "Muler", "data"]).stderr, &[told]);
    assert_eq!(folder.run(&["lcs", "-e", "Müller", "Miller"]).stderr, "");
    assert_mentions(&folder.run(&["distance", "--equal", "case", "-e", "Müller", "Miller"]).stderr, &[told]);
    // Bytes that are not text, and ASCII text.
    folder.file("noise", b"\xff\xfe\x80Muller\n");
    assert_eq!(search(&folder, &["-k1", "Muller", "noise"]).1, "");
    assert_eq!(folder.run(&["lcs", "-e", "Muller", "Miller"]).stderr, "");
    for command in ["search", "best", "lcs", "distance"] {
        assert_mentions(&folder.answer(&[command, "--help"]), &["character", "--bytes"]);
    }
}

#[test]
fn no_half_characters() {
    let folder = Folder::new();
    // п is d0 bf, р is d1 80, and с is d1 81. The LCS of the bytes of "сп" and "рп" is d1 d0 bf.
    folder.file("a", "сп");
    folder.file("b", "рп");
    let ran = folder.run(&["lcs", "--bytes", "--raw", "a", "b", "--output", "subsequence"]);
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "\\xd1п\n");
    let ran = folder.run(&["lcs", "--raw", "a", "b", "--output", "subsequence"]);
    assert_eq!((String::from_utf8(ran.stdout).unwrap(), ran.stderr), ("п\n".into(), String::new()));
    let ran = folder.run(&["lcs", "--bytes", "-e", "сп", "рп", "--output", "subsequence", "-o", "out"]);
    assert_eq!((ran.code, folder.read("out")), (0, "\\xd1п\n".as_bytes().to_vec()));
    // Bytes that are not text are printed unchanged.
    folder.file("noise", b"\xd1\xff");
    assert_eq!(folder.run(&["lcs", "--raw", "noise", "noise", "--output", "subsequence"]).stdout, b"\xd1\xff\n");
    // A hit may begin or end within a character; the output shows whole characters.
    folder.file("text", "ab\u{fc}cd\n");
    let pattern = "--wildcard=? b?";
    let arguments: Vec<&str> = pattern.split(' ').collect();
    let ran = folder.run(&[&["search", "-o"], &arguments[..], &["text"]].concat());
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "b\u{fc}\n");
    let ran = folder.run(&[&["search", "--whole", "-o"], &arguments[..], &["text"]].concat());
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "b\u{fc}\n");
    let ran = folder.run(&[&["search", "--color=always"], &arguments[..], &["text"]].concat());
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "a\u{1b}[01;31m\u{1b}[Kb\u{fc}\u{1b}[m\u{1b}[Kcd\n");
}

// Records and their names.

#[test]
fn a_record_without_a_name_has_its_file_s() {
    let folder = Folder::new();
    folder.file("x.fa", ">\nACGTGATTACA\n> \nGATTACA\n");
    let file = "x.fa\t4\t11\tGATTACA\t0\t+\nx.fa\t0\t7\tGATTACA\t0\t+\n";
    assert_eq!(search(&folder, &["GATTACA", "x.fa"]).0, file);
    assert_eq!(
        folder.answer(&["best", "--output", "tsv", "GATTACA", "x.fa"]),
        "x.fa\t4\t11\tGATTACA\t0\tGATTACA\t+\t7=\n"
    );
    assert_eq!(search(&folder, &["--format", "text", "GATTACA", "x.fa"]).0, ">\nACGTGATTACA\n>\nGATTACA\n");
    let (json, _) = search(&folder, &["--format", "json", "GATTACA", "x.fa"]);
    assert!(!json.contains("record"), "{json}");
}

#[test]
fn blank_lines_at_the_end_of_fastq() {
    let folder = Folder::new();
    for (end, line) in [("", "\n"), ("\n", "\n"), ("\n\n\n", "\n"), ("\r\n\r\n\r\n", "\r\n"), ("\n \n\t\n\n\n", "\n")] {
        let reads = ["@a", "GATTACA", "+", "IIIIIII", "@b", "GATTACC", "+", "IIIIIII"].join(line);
        folder.file("r.fq", format!("{reads}{end}"));
        assert_eq!(search(&folder, &["-c", "GATTAC", "r.fq"]).0, "2\n", "{end:?}");
        folder.file("one.fq", format!("{}{end}", ["@a", "GATTACA", "+", "IIIIIII"].join(line)));
        assert_eq!(folder.answer(&["lcs", "one.fq", "one.fq"]), "7\n", "{end:?}");
    }
    folder.file("cut.fq", "@a\nGATTACA\n+\nIIII\n\n\n");
    assert_mentions(&folder.refusal(2, &["search", "GATT", "cut.fq"]), &["cut short"]);
}

/// A name that contains a command to clear the screen, a bell, and marks that change the text
/// direction.
#[test]
fn names_do_nothing_to_a_terminal() {
    let folder = Folder::new();
    folder.file("evil.fa", ">\u{1b}[2Jred\u{202e}left\u{7}\u{2066}\u{9b}x\nACGTGATTACA\n");
    folder.file("good.fa", ">good\nACGTGATTACA\n");
    let calls: [&[&str]; 11] = [
        &["search", "GATTACA", "evil.fa"],
        &["search", "--format", "json", "GATTACA", "evil.fa"],
        &["search", "--format", "text", "GATTACA", "evil.fa"],
        &["search", "-o", "GATTACA", "evil.fa"],
        &["best", "GATTACA", "evil.fa"],
        &["best", "--output", "tsv", "GATTACA", "evil.fa"],
        &["best", "--output", "json", "GATTACA", "evil.fa"],
        &["lcs", "--verbose", "evil.fa", "good.fa"],
        &["lcs", "evil.fa", "good.fa", "--output", "json"],
        &["lcs", "evil.fa", "good.fa", "--output", "blocks"],
        &["lcs", "evil.fa", "good.fa", "--record-a", "none"],
    ];
    for call in calls {
        let ran = folder.run(call);
        let all = String::from_utf8(ran.stdout).unwrap() + &ran.stderr;
        let acts = |c: &char| c.is_control() && !"\n\t".contains(*c) || "\u{202e}\u{2066}".contains(*c);
        assert_eq!(all.chars().find(acts), None, "{call:?}: {all:?}");
        assert!(all.contains("red"), "{call:?} shows no name: {all}");
    }
    // JSON preserves the name.
    let json: serde_json::Value = serde_json::from_str(&search(&folder, calls[1][1..].as_ref()).0).unwrap();
    assert_eq!(json["record"], "\u{1b}[2Jred\u{202e}left\u{7}\u{2066}\u{9b}x");
}

#[test]
fn standard_input_is_read_once() {
    let folder = Folder::new();
    folder.file("x", "foo\n");
    for call in [&["search", "foo", "-", "-"][..], &["search", "foo", "-", "x", "-"], &["search", "-f", "-", "-"]] {
        assert_mentions(&folder.refusal(2, call), &["standard input"]);
    }
}
