//! FASTA, FASTQ and lines, in the variants that programs write, plain and compressed; and arbitrary
//! bytes.

use crate::common::files::gz;
use carrywave::io::sequence::{
    Case, Document, DocumentOptions, Format, PartOptions, PartReader, ReadOptions, read, read_document, write_index,
};
use carrywave::text::parts::Parts;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::path::Path;

/// Records, and options for writing them.
#[derive(Debug, Clone)]
pub struct Written {
    /// Names without blanks, with the symbols of each record.
    records: Vec<(String, Vec<u8>)>,
    fastq: bool,
    line_end: &'static str,
    /// Number of symbols per line.
    wrap: usize,
    /// Number of blank lines at the end.
    blanks: usize,
    last_line_ends: bool,
    /// Number of members of a gzip file, 0 for a plain file, and number of zeros after them.
    members: usize,
    zeros: usize,
}

pub fn records() -> impl Strategy<Value = Written> {
    let name = prop_oneof![4 => "[a-zA-Z0-9_.|]{1,12}", 1 => "[^\\s\\p{Cc}>@+]{0,5}"];
    let symbols = vec(select(b"ACGTNacgtnRYUu*-MKVLE".to_vec()), 0..200);
    let line_end = select(vec!["\n", "\r\n"]);
    let shape = (any::<bool>(), line_end, 1..80usize, 0..4usize, any::<bool>(), 0..4usize, 0..700usize);
    (vec((name, symbols), 1..8), shape).prop_map(
        |(records, (fastq, line_end, wrap, blanks, last_line_ends, members, zeros))| Written {
            records,
            fastq,
            line_end,
            wrap,
            blanks,
            last_line_ends,
            members,
            zeros,
        },
    )
}

impl Written {
    fn bytes(&self) -> Vec<u8> {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for (name, symbols) in &self.records {
            if self.fastq {
                lines.push(format!("@{name} more words").into());
                lines.push(symbols.clone());
                lines.push(b"+".to_vec());
                lines.push(vec![b'I'; symbols.len()]);
            } else {
                lines.push(format!(">{name} more words").into());
                lines.extend(symbols.chunks(self.wrap).map(<[u8]>::to_vec));
            }
        }
        // A FASTQ record without symbols ends with its last, empty line.
        let ends = self.last_line_ends || self.blanks > 0 || lines.last().is_some_and(Vec::is_empty);
        let mut text = lines.join(self.line_end.as_bytes());
        text.extend(self.line_end.repeat(usize::from(ends) + self.blanks).into_bytes());
        match self.members {
            0 => text,
            members => {
                let parts = text.chunks(text.len().div_ceil(members).max(1));
                let packed: Vec<u8> = parts.flat_map(gz).collect();
                [packed, vec![0; self.zeros]].concat()
            }
        }
    }
}

/// Numbers of symbols of a part, from the least to all.
const PARTS: [usize; 4] = [1, 7, 64, 1 << 20];

/// Returns the names and the symbols of a file that is read in parts, joined again.
fn in_parts(path: &Path, part: usize) -> carrywave::Result<Vec<(String, Vec<u8>)>> {
    let mut reader = PartReader::open(path, PartOptions::default().symbols(part))?;
    let mut records: Vec<(String, Vec<u8>)> = Vec::new();
    while let Some(part) = reader.next_part()? {
        for record in &part.records {
            let name = record.name.as_deref().unwrap_or_default();
            if record.number == records.len() as u64 {
                records.push((name.to_owned(), Vec::new()));
            }
            let (_, symbols) = records.last_mut().expect("a record has begun");
            assert_eq!(symbols.len() as u64, record.before);
            symbols.extend_from_slice(&part.symbols[record.range.clone()]);
        }
    }
    Ok(records)
}

/// Returns the names and the symbols of a whole file.
fn records_of(document: &Document) -> Vec<(String, Vec<u8>)> {
    let record = |(number, range): (usize, &std::ops::Range<usize>)| {
        (document.name(number).unwrap_or_default().to_owned(), document.symbols[range.clone()].to_vec())
    };
    document.records.iter().enumerate().map(record).collect()
}

/// Reading returns the written records.
pub fn are_read(written: Written) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.fa");
    std::fs::write(&path, written.bytes()).unwrap();
    let document = read_document(&path, DocumentOptions::default()).unwrap();
    let format = if written.fastq { Format::Fastq } else { Format::Fasta };
    assert_eq!(document.format, format);
    let found: Vec<(String, Vec<u8>)> = document
        .names
        .iter()
        .cloned()
        .zip(document.records.iter().map(|r| document.symbols[r.clone()].to_vec()))
        .collect();
    // A header without a name gets the next word as its name.
    let expected: Vec<(String, Vec<u8>)> = written
        .records
        .iter()
        .map(|(name, symbols)| (if name.is_empty() { "more".into() } else { name.clone() }, symbols.clone()))
        .collect();
    assert_eq!(found, expected);
    for part in PARTS {
        assert_eq!(in_parts(&path, part).unwrap(), records_of(&document));
    }
    for (name, symbols) in &expected {
        let options = ReadOptions::default().record(name).case(Case::Keep);
        match read(&path, &options) {
            Ok(sequence) => assert_eq!((&sequence.name, &sequence.symbols), (name, symbols)),
            // An ambiguous name is an error.
            Err(error) => assert!(expected.iter().filter(|(other, _)| other == name).count() > 1, "{error}"),
        }
    }
    regions_are_read(&path, &expected);
}

/// A region is a part of its record, without an index and with one.
fn regions_are_read(path: &Path, records: &[(String, Vec<u8>)]) {
    let check = || {
        for (number, (name, symbols)) in records.iter().enumerate() {
            let is_one = records.iter().filter(|(other, _)| other == name).count() == 1;
            let name = if is_one { name.clone() } else { (number + 1).to_string() };
            if symbols.is_empty() || !is_one && records.iter().any(|(other, _)| *other == name) {
                continue;
            }
            let from = symbols.len() / 3;
            let to = (symbols.len() - symbols.len() / 4).max(from + 1);
            let region = format!("{name}:{}-{to}", from + 1);
            if records.iter().any(|(other, _)| *other == region) {
                continue;
            }
            let part = read(path, &ReadOptions::default().record(&region).case(Case::Keep)).unwrap();
            assert_eq!(part.symbols, &symbols[from..to], "{region}");
        }
    };
    check();
    if write_index(path).is_ok() {
        check();
    }
}

/// An index of any bytes changes no answer.
fn any_index_does_no_harm(folder: &Path, bytes: &[u8]) {
    let path = folder.join("indexed.fa");
    std::fs::write(&path, ">a\nACGT\nACG\n>b\nTT\n").unwrap();
    for index in [bytes.to_vec(), [&b"a\t7\t3\t4\t5\n"[..], bytes].concat()] {
        std::fs::write(folder.join("indexed.fa.fai"), index).unwrap();
        let part = read(&path, &ReadOptions::default().record("a:4-6")).unwrap();
        assert_eq!(part.symbols, b"TAC");
    }
}

/// Bytes that more or less resemble a file.
pub fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        select(vec![">", "@", "+", "\n", "\r", "\r\n", " ", "\t", "ACGT", ">a\n", "@a\nAC\n+\nII\n", "\0", "\u{feff}"])
            .prop_map(|text| text.as_bytes().to_vec()),
        vec(any::<u8>(), 0..20),
        Just(gz(b">a\nACGT\n")),
        Just(vec![0x1f, 0x8b, 8]),
        Just(b"BZh9".to_vec()),
        Just(b"\x43\x27\x41\x1A\0\0\0\0\x01\0\0\0\0\0\0\0\x01x\x16\0\0\0".to_vec()),
        Just(b"\x05\0\0\0\x01\0\0\0\x02\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x1B\x80".to_vec()),
        Just(b"a\t7\t3\t4\t5\n".to_vec()),
    ];
    (vec(piece, 0..20), any::<bool>(), any::<u16>()).prop_map(|(pieces, pack, cut)| {
        let bytes = pieces.concat();
        let mut bytes = if pack { gz(&bytes) } else { bytes };
        if cut % 4 == 0 {
            bytes.truncate(usize::from(cut / 4) % (bytes.len() + 1));
        }
        bytes
    })
}

/// The bytes are read, or refused with a one-line message; all methods of reading agree.
pub fn do_no_harm(bytes: Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, &bytes).unwrap();
    let one = read(&path, &ReadOptions::default().case(Case::Keep));
    let all = read_document(&path, DocumentOptions::default());
    for part in PARTS {
        match (in_parts(&path, part), &all) {
            (Ok(found), Ok(document)) => assert_eq!(found, records_of(document)),
            (Err(error), Err(expected)) => assert_eq!(error.to_string(), expected.to_string()),
            (found, expected) => panic!("{found:?}, and not {expected:?}"),
        }
    }
    for error in [one.as_ref().err(), all.as_ref().err()].into_iter().flatten() {
        let message = error.to_string();
        assert!(message.contains("file: ") && message.lines().count() == 1, "{message:?}");
    }
    if let Ok(document) = &all {
        let end = document.records.iter().map(|record| record.end).max().unwrap_or(0);
        assert!(end <= document.symbols.len());
        assert!(document.records.windows(2).all(|pair| pair[0].end <= pair[1].start));
        if document.format == Format::Lines {
            assert!(one.is_err());
        }
        if let Ok(one) = &one {
            assert_eq!(document.records.len(), 1);
            assert_eq!(one.symbols, document.symbols[document.records[0].clone()]);
        }
    } else {
        assert!(one.is_err(), "{one:?} although {all:?}");
    }
    let part = read(&path, &ReadOptions::default().record("1:2-3").case(Case::Keep));
    if let (Ok(part), Ok(document)) = (&part, &all) {
        let first = &document.symbols[document.records[0].clone()];
        assert_eq!(part.symbols, &first[1..first.len().min(3)]);
    }
    any_index_does_no_harm(folder.path(), &bytes);
    if let Err(error) = write_index(&path) {
        assert!(error.to_string().lines().count() == 1 && !folder.path().join("file.fai").exists(), "{error}");
    }
    // Raw bytes can always be read.
    let raw = DocumentOptions::default().raw(true).keep_compressed(true);
    assert_eq!(read_document(&path, raw).unwrap().symbols, bytes);
}
