//! Tests: several threads that read small chunks return what one thread returns, or fail alike.

use super::chunks::Division;
use super::document::{Document, DocumentOptions, whole};
use super::part_options::PartOptions;
use super::parts::PartReader;
use super::source::{Bytes, open};
use crate::text::parts::{Part, PartRecord, Parts};
use crate::{Error, Result};
use fastrand::Rng;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::Path;

/// Pieces of FASTA, FASTQ and lines.
const PIECES: [&str; 24] = [
    ">",
    ";",
    "@",
    "+",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "\n\n",
    ">a b\n",
    ">c\r\n",
    "\n; a comment\n",
    "\n>\n",
    "ACGT",
    "ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT\nACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT\n",
    "@a\nAC\n+\nII\n",
    "@a b\r\nACGT\r\n+a\r\n@@+I\r\n",
    "@c\nAC\nGT\n+\nII\n@I\n",
    "@d\n\n+\n\n",
    "@e\nACGTACGT\n+\n@IIIIII@\n",
    "@I\n+\n@I\n",
    "no > letters; at + all @",
    "\0\u{1}\u{feff}\u{c}",
];

/// Ways to begin a file.
const STARTS: [&str; 7] =
    ["", ">x\n", "\n\n>x y\r\nAC", "; a comment\n>x\n", "@x\nACGTACGT\n+\nIIIIIIII\n", "@x\nAC\n+\nII\n", "words\n"];

/// Returns the bytes of a file; most of them are valid.
fn random_file(random: &mut Rng) -> Vec<u8> {
    let start = random.choice(STARTS).unwrap_or_default();
    let few: Vec<&str> = (0..random.usize(1..5)).filter_map(|_| random.choice(PIECES)).collect();
    let mut text = start.to_owned();
    for _ in 0..random.usize(..40) {
        text.push_str(few[random.usize(..few.len())]);
    }
    let mut bytes = text.into_bytes();
    if random.u8(..8) == 0 {
        bytes.truncate(random.usize(..=bytes.len()));
    }
    bytes
}

fn gz(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn document(path: &Path, options: DocumentOptions, division: Option<Division>) -> Result<Document> {
    whole(Bytes::new(open(path)?, false)?, options, |_| division)
}

/// Returns the records of a file that is read in parts, joined again.
fn records(path: &Path, options: PartOptions, division: Option<Division>) -> Result<Vec<(PartRecord, Vec<u8>)>> {
    let mut reader = PartReader::divided(open(path)?, options, |_| division)?;
    let mut records: Vec<(PartRecord, Vec<u8>)> = Vec::new();
    while let Some(Part { symbols, records: found }) = reader.next_part()? {
        for record in found {
            let own = &symbols[record.range.clone()];
            match records.last_mut().filter(|(last, _)| last.number == record.number) {
                Some((last, before)) => {
                    assert_eq!(record.before, before.len() as u64);
                    before.extend_from_slice(own);
                    last.is_whole = record.is_whole;
                    last.fastq = record.fastq;
                }
                None => records.push((PartRecord { range: 0..0, ..record }, own.to_vec())),
            }
        }
        reader.recycle(symbols);
    }
    Ok(records)
}

/// Asserts that two ways of reading agree.
#[track_caller]
fn assert_alike<T: PartialEq + std::fmt::Debug>(found: Result<T>, expected: Result<T>, what: &str) {
    match (found, expected) {
        (Ok(found), Ok(expected)) => assert!(found == expected, "{found:?}\n{expected:?}\n{what}"),
        (found, expected) => {
            let message = |read: Result<T>| read.map_err(|error| error.to_string());
            assert_eq!(message(found), message(expected), "{what}");
        }
    }
}

#[test]
fn many_threads_read_what_one_reads() {
    let mut random = Rng::with_seed(39);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for round in 0..1500 {
        let text = random_file(&mut random);
        let is_packed = round % 4 == 0;
        std::fs::write(&path, if is_packed { gz(&text) } else { text.clone() }).unwrap();
        let chunk = [1, 2, 3, 5, 16, 17, 64, 100][round % 8];
        let what = format!("chunks of {chunk}, packed {is_packed}: {}", text.escape_ascii());
        let division = Some(Division { chunk, threads: 1 + round % 3 });
        for options in [DocumentOptions::default().qualities(true), DocumentOptions::default().lines(true)] {
            assert_alike(document(&path, options, division), document(&path, options, None), &what);
        }
        for together in [false, true] {
            let symbols = [1, 7, 1000][random.usize(..3)];
            let options = PartOptions::default().symbols(symbols).lines_together(together).fastq(true);
            // Lines that are returned together may end with a part, or with an empty part.
            let read = |division| {
                let mut records = records(&path, options, division)?;
                records.iter_mut().filter(|_| together).for_each(|(record, _)| record.is_whole = true);
                Ok(records)
            };
            assert_alike(read(division), read(None), &what);
        }
    }
}

#[test]
fn a_cut_in_the_wrong_place_is_noticed() {
    // Qualities that look like reads.
    let read = "@r\nACGTACGT\nAC\nACG\n+\n@r\nACGTACG\n+\nII\n";
    let text =
        format!("@x\nACGTACGT\n+\nIIIIIIII\n{}", "@r\nACGTACGTACG\n+\n@q\nACGT\n+\nIIII\n@r\nA\n+\nI\n".repeat(50));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for text in [text.clone(), text.replace("IIII\n@r", "II\n@r"), read.repeat(30)] {
        std::fs::write(&path, &text).unwrap();
        for chunk in 1..200 {
            let division = Some(Division { chunk, threads: 2 });
            let options = DocumentOptions::default().qualities(true);
            assert_alike(document(&path, options, division), document(&path, options, None), &text);
        }
    }
}

#[test]
fn files_that_change_are_refused_by_many_threads_too() {
    let records = [&b">x\n"[..], &b"ACGTACGTACGT\n".repeat(20_000)].concat();
    let lines = b"eleven byte\n".repeat(20_000);
    for (text, symbols, more) in [(&records, 240_000, 4), (&lines, 240_000, 5)] {
        assert_changes_are_refused(text, symbols, more);
    }
}

/// Asserts that a file is refused if it shrinks or changes while it is read, and read to its end if
/// it grows. `symbols` is the number of its symbols, and `more` that of a line that is added.
#[track_caller]
fn assert_changes_are_refused(text: &[u8], symbols: usize, more: usize) {
    let len = text.len() as u64;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let read = |change: &dyn Fn(&std::fs::File)| {
        std::fs::write(&path, text).unwrap();
        let options = PartOptions::default().symbols(1000).lines_together(true);
        let mut reader = PartReader::divided(open(&path)?, options, |_| Some(Division { chunk: 1000, threads: 2 }))?;
        change(&std::fs::OpenOptions::new().write(true).open(&path).unwrap());
        let mut symbols = 0;
        while let Some(part) = reader.next_part()? {
            symbols += part.symbols.len();
        }
        Ok::<_, Error>(symbols)
    };
    assert_eq!(read(&|_| ()).unwrap(), symbols);
    let shrunk = read(&|file| file.set_len(len / 2).unwrap()).unwrap_err().to_string();
    assert!(shrunk.contains("shrank"), "{shrunk}");
    let changed = read(&|file| file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap()).unwrap_err().to_string();
    assert!(changed.contains("changed"), "{changed}");
    let grown = read(&|mut file| {
        use std::io::Seek;
        file.seek(std::io::SeekFrom::End(0)).unwrap();
        file.write_all(b"ACGT\n").unwrap();
    });
    assert_eq!(grown.unwrap(), symbols + more);
}
