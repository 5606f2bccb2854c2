//! Input files: valid, unusual and broken ones.
#![cfg(feature = "io")]

mod common;

use carrywave::io::sequence::{Case, Kind, ReadOptions, Sequence, read};
use common::files::{Folder, gz};

fn read_plain(content: &[u8], options: &ReadOptions) -> carrywave::Result<Sequence> {
    let folder = Folder::new();
    read(folder.file("input.fa", content), options)
}

/// Returns the sequence of a file with one record, read plain and as gzip.
#[track_caller]
fn taken(content: &[u8]) -> (String, String) {
    let plain = read_plain(content, &ReadOptions::default()).unwrap();
    let packed = read_plain(&gz(content), &ReadOptions::default()).unwrap();
    assert_eq!(plain, packed);
    (plain.name, String::from_utf8(plain.symbols).unwrap())
}

/// Returns the message about a file that is refused: one line that starts with the path.
#[track_caller]
fn refused(content: &[u8], options: &ReadOptions) -> String {
    let message = read_plain(content, options).unwrap_err().to_string();
    let (path, reason) = message.split_once("input.fa: ").expect("starts with the path");
    assert!(!path.contains(' ') && !reason.contains('\n'), "{message}");
    // Options belong to the command line.
    assert!(!reason.contains("--"), "{message}");
    reason.to_string()
}

fn record(name: &str) -> ReadOptions {
    ReadOptions::default().record(name)
}

#[test]
fn fasta_in_all_its_shapes() {
    let cases: &[(&str, &str, &str)] = &[
        (">a\nACGT\n", "a", "ACGT"),
        (">a\nACGT", "a", "ACGT"),
        (">a\r\nACGT\r\nTT\r\n", "a", "ACGTTT"),
        (">a\r\nACGT\r\nTT", "a", "ACGTTT"),
        (">a some words\nAC\nGT\nA\n", "a", "ACGTA"),
        (">a\twords\nAC\n\nGT\n\n\n", "a", "ACGT"),
        ("\n\n>a\nAC\n", "a", "AC"),
        ("\u{feff}>a\nAC\n", "a", "AC"),
        (">a\nAC GT  \n\tT\n", "a", "ACGTT"),
        (">\nACGT\n", "input.fa", "ACGT"),
        (">a\nacgtn\n", "a", "ACGTN"),
        (">p\nMKVlw\n", "p", "MKVlw"),
        ("; made by hand\n\n;\n>a\n; of a mouse\nAC\n;>b\nGT\n;", "a", "ACGT"),
        // Empty sequences.
        (">a\n", "a", ""),
        (">a", "a", ""),
        (">a\r\n", "a", ""),
        (">a words", "a", ""),
        (">a\n\n", "a", ""),
        (">", "input.fa", ""),
    ];
    for (content, name, symbols) in cases {
        assert_eq!(taken(content.as_bytes()), (name.to_string(), symbols.to_string()), "{content:?}");
    }
}

#[test]
fn records_end_where_buffers_end() {
    // Files are read 65536 bytes at a time.
    for total in (65_530..65_545).chain(131_065..131_080) {
        for wrap in [60, 61, usize::MAX] {
            for end in ["", "\n"] {
                let mut content = b">a\n".to_vec();
                let mut symbols = Vec::new();
                while content.len() < total - end.len() {
                    let symbol = b"ACGT"[symbols.len() * 7 % 13 % 4];
                    symbols.push(symbol);
                    content.push(symbol);
                    if symbols.len() % wrap == 0 && content.len() < total - end.len() - 1 {
                        content.push(b'\n');
                    }
                }
                content.extend_from_slice(end.as_bytes());
                let found = read_plain(&content, &ReadOptions::default()).unwrap();
                assert!(found.symbols == symbols, "{total} {wrap} {end:?}");
                content.extend_from_slice(b"\n>b\nTTT");
                let found = read_plain(&content, &record("b")).unwrap();
                assert_eq!(found.symbols, b"TTT", "{total} {wrap} {end:?}");
            }
        }
    }
}

#[test]
fn fastq_in_all_its_shapes() {
    let cases: &[(&str, &str)] = &[
        ("@r\nACGT\n+\nIIII\n", "ACGT"),
        ("@r\nACGT\n+\nIIII", "ACGT"),
        ("@r 1:N\nacgt\n+r\n@@@@\n", "ACGT"),
        ("@r\r\nACGT\r\n+\r\nIIII\r\n", "ACGT"),
        ("@r\nACGT\n+\nIIII\n\n", "ACGT"),
        ("@r\n\n+\n\n", ""),
        ("@r\nAC\nGT\n+\nII\nII\n", "ACGT"),
        ("@r\nAC\nGT\n+r\n@+>I\n", "ACGT"),
        ("@r\nACGT\n+\n@\n+\n;\n>", "ACGT"),
        ("\n\n@r\r\nAC\r\n\r\nGT \r\n+r\r\nI\r\nIII\r\n\r\n", "ACGT"),
    ];
    for (content, symbols) in cases {
        assert_eq!(taken(content.as_bytes()), ("r".into(), symbols.to_string()), "{content:?}");
    }
}

#[test]
fn a_gzip_file_of_several_members_is_read_whole() {
    let mut content = gz(b">a\nAC");
    content.extend(gz(b"GT\n"));
    assert_eq!(read_plain(&content, &ReadOptions::default()).unwrap().symbols, b"ACGT");
}

#[test]
fn a_record_is_named() {
    let content = b">a first\nAC\n>b second\nGG\n>c\n>d\nTT\n";
    for (name, symbols) in [("a", "AC"), ("b", "GG"), ("b second", "GG"), ("c", ""), ("d", "TT")] {
        let found = read_plain(content, &record(name)).unwrap();
        assert_eq!(found.symbols, symbols.as_bytes());
        assert_eq!(found.name, name.split(' ').next().unwrap());
    }
    assert_eq!(refused(content, &record("x")), "no record 'x' in 4 records: a, b, c, d");
    assert_eq!(refused(content, &ReadOptions::default()), "several records: choose one of 4 records: a, b, c, d");
    assert_eq!(refused(b">a\nA", &record("x")), "no record 'x' in 1 record: a");
    assert!(refused(content, &record("second")).starts_with("no record"));
}

#[test]
fn equal_names_are_not_chosen_between() {
    let content = b">a one\nAC\n>a two\nGG\n>b\nT\n";
    assert_eq!(
        refused(content, &record("a")),
        "2 records are called 'a': numbers 1 and 2; give one of the numbers, or the whole header line"
    );
    assert_eq!(read_plain(content, &record("a two")).unwrap().symbols, b"GG");
}

#[test]
fn a_record_is_chosen_by_its_number_where_none_has_that_name() {
    let content = b">a one\nAC\n>a two\nGG\n>4\nT\n>b\nCC\n>4 more\nA\n";
    let of = |name: &str| read_plain(content, &record(name)).map(|found| (found.name, found.symbols));
    for (number, name, symbols) in [("1", "a", "AC"), ("2", "a", "GG"), ("3", "4", "T"), ("5", "4", "A")] {
        assert_eq!(of(number).unwrap(), (name.to_owned(), symbols.as_bytes().to_vec()));
    }
    // Two records are called 4, and neither is the fourth.
    assert!(refused(content, &record("4")).starts_with("2 records are called '4': numbers 3 and 5;"));
    assert_eq!(of("4 more").unwrap().1, b"A");
    let named = b">2\nAC\n>b\nGG\n";
    assert_eq!(read_plain(named, &record("2")).unwrap().symbols, b"AC");
    for wrong in ["0", "3", "-1", "1.0"] {
        assert!(refused(named, &record(wrong)).starts_with("no record '"), "{wrong}");
    }
}

#[test]
fn text_in_utf_16_is_refused_with_what_to_do() {
    for content in [&b"\xff\xfe>\0a\0"[..], b"\xfe\xff\0>\0a"] {
        assert!(refused(content, &ReadOptions::default()).contains("iconv -f UTF-16"));
        assert_eq!(read_plain(content, &ReadOptions::default().raw(true)).unwrap().symbols, content);
    }
}

#[test]
fn a_long_list_of_names_is_cut() {
    let content: String = (0..25).map(|i| format!("@r{i}\nA\n+\nI\n")).collect();
    let reason = refused(content.as_bytes(), &ReadOptions::default());
    assert!(reason.starts_with("several records: choose one of 25 records: r0, r1, "), "{reason}");
    assert!(reason.ends_with(", r18, r19 and 5 more"), "{reason}");
}

#[test]
fn a_terminal_is_safe_from_names() {
    let content = b">\x1b[31mred\nA\n>b\nA\n";
    let reason = refused(content, &ReadOptions::default());
    assert!(!reason.contains('\x1b'), "{reason}");
}

#[test]
fn kinds_and_case() {
    let of = |content: &str, case: Case| {
        let options = ReadOptions::default().case(case);
        let found = read_plain(content.as_bytes(), &options).unwrap();
        (found.kind, String::from_utf8(found.symbols).unwrap())
    };
    let dna = ">a\nACGTacgtACGTacgtACGR\n";
    assert_eq!(of(dna, Case::Auto), (Kind::Nucleotide, "ACGTACGTACGTACGTACGR".into()));
    assert_eq!(of(dna, Case::Keep), (Kind::Nucleotide, "ACGTacgtACGTacgtACGR".into()));
    // More than one in ten symbols are ambiguity codes, and one letter is not a code: probably
    // nucleotides, but not certain.
    assert_eq!(of(">a\nacgtacgtrr\n", Case::Auto), (Kind::Nucleotide, "ACGTACGTRR".into()));
    assert_eq!(of(">a\nacgtacgtacgtacgtacgte\n", Case::Auto).0, Kind::Nucleotide);
    let certain = |content: &str| read_plain(content.as_bytes(), &ReadOptions::default()).unwrap().kind_is_certain;
    assert!(certain(dna) && certain(">a\nMKVlw\n") && !certain(">a\nacgtacgtrr\n"));
    assert_eq!(of(">a\nMKVlw\n", Case::Ignore), (Kind::Protein, "MKVLW".into()));
}

#[test]
fn raw_bytes_are_kept() {
    let raw = ReadOptions::default().raw(true);
    let packed = ReadOptions::default().raw(true).keep_compressed(true);
    for content in [&b""[..], b"x", b">a\nac\r\n"] {
        for found in [read_plain(content, &raw), read_plain(&gz(content), &raw), read_plain(content, &packed)] {
            let found = found.unwrap();
            assert_eq!((found.name.as_str(), found.kind), ("input.fa", Kind::Bytes));
            assert_eq!(found.symbols, content);
        }
    }
    for content in [&b"\x1f\x8b\0\xff"[..], b"BZh91AY", &gz(b"x")] {
        assert_eq!(read_plain(content, &packed).unwrap().symbols, content);
    }
    let raw_record = record("a").raw(true);
    let message = read_plain(b"", &raw_record).unwrap_err().to_string();
    assert!(message.contains("no records"), "{message}");
}

#[test]
fn broken_files_are_refused_in_a_line() {
    let plain = ReadOptions::default();
    for empty in [&b""[..], b"\n", b" \r\n\n", &gz(b""), &gz(b"\n")] {
        assert!(refused(empty, &plain).contains("empty"), "{empty:?}");
    }
    assert!(refused(b"In the beginning", &plain).ends_with("the file starts with 'I'"));
    assert!(refused(b"x", &plain).contains("neither FASTA"));
    assert!(refused(&gz(b"text"), &plain).contains("neither FASTA"));
    assert!(refused(b"\0\0", &plain).contains("'\\x00'"));
    assert!(refused(b"PK\x03\x04more", &plain).contains("unzip -p"));
    assert!(refused(b"\xfd7zXZ\0more", &plain).contains("the xz data"));
    assert!(refused(b"BZh91AY", &plain).contains("the bzip2 data"));
    assert!(refused(b">a\rACGT\rACGT\r", &plain).contains("carriage return"));
    // A FASTQ file cut at each byte from the first to before the last quality.
    let fastq = b"@r\nACGT\n+\nIIII\n@s\nAC\n+\nII";
    for cut in 1..fastq.len() {
        let outcome = read_plain(&fastq[..cut], &record("r"));
        let whole = (14..=15).contains(&cut);
        assert_eq!(outcome.is_ok(), whole, "{cut} {outcome:?}");
        if !whole {
            assert!(refused(&fastq[..cut], &record("r")).contains("line"), "{cut}");
        }
    }
    assert!(refused(b"@you wrote:\nhello\nworld\n", &plain).contains("within the FASTQ record at line 1"));
    assert!(refused(b"; a comment\nand text\n", &plain).contains("neither FASTA"));
    // Lines are counted from the file's start.
    for (content, reason) in [
        (&b"\n@r\nAC\n+\nII\nx\n"[..], "line 6 should start a FASTQ record with '@'"),
        (b"\n@r\nAC\nGT\n@s\nAC\n+\nII\n", "the FASTQ record at line 2 has no '+' line before line 5"),
        (b"@r\nAC\n+\nI\nII\n", "the FASTQ record at line 1 has 2 symbols, but more qualities in line 5"),
        (b"@r\n\n+\nI\n", "the FASTQ record at line 1 has 0 symbols, but more qualities in line 4"),
        (b"@r\nACG\n+\nII\n", "record at line 1, with 2 qualities for 3 symbols"),
    ] {
        let message = refused(content, &record("r"));
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn gzip_that_is_cut_or_damaged_is_said_to_be() {
    let mut content = b">a\n".to_vec();
    content.extend((0..200_000u32).map(|i| b"ACGT"[(i.wrapping_mul(2_654_435_761) >> 30) as usize]));
    let packed = gz(&content);
    for cut in (3..40).chain([packed.len() / 2, packed.len() - 9, packed.len() - 8, packed.len() - 1]) {
        let reason = refused(&packed[..cut], &ReadOptions::default());
        assert!(reason.contains("the gzip data ends early"), "{cut}: {reason}");
    }
    let mut damaged = packed.clone();
    let crc = damaged.len() - 6;
    damaged[crc] ^= 1;
    assert!(refused(&damaged, &ReadOptions::default()).contains("damaged"));
}

#[test]
fn no_prefix_of_a_file_and_no_byte_panics() {
    let files: [&[u8]; 3] = [b">a b\r\nAC\n>c\nT\n", b"@a\nAC\n+\nII\n@b\nA\n+\nI\n", &gz(b">a\nAC\n")];
    for file in files {
        for cut in 0..=file.len() {
            let _ = read_plain(&file[..cut], &ReadOptions::default());
            for byte in [b'\n', b'\r', b'>', b'@', b'+', 0, 0xff] {
                let mut content = file.to_vec();
                content.insert(cut, byte);
                let _ = read_plain(&content, &ReadOptions::default());
                let _ = read_plain(&content, &record("a"));
            }
        }
    }
}

#[test]
fn missing_files_and_folders() {
    let folder = Folder::new();
    let missing = read(folder.path("none.fa"), &ReadOptions::default());
    let message = missing.unwrap_err().to_string();
    assert!(message.contains("none.fa: No such file"), "{message}");
    let message = read(folder.path(""), &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.ends_with("this is a folder; give a file in it"), "{message}");
}

#[test]
fn a_literal_is_its_bytes() {
    let text = "the quick brown fox jumps";
    let sequence = Sequence::literal(text);
    assert_eq!(sequence.symbols, text.as_bytes());
    assert_eq!(sequence.name, "the quick brown fox …");
    assert_eq!(Sequence::literal("").symbols, b"");
    assert_eq!(Sequence::literal("aB").with_case(Case::Ignore).symbols, b"AB");
}
