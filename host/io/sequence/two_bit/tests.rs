//! Two-bit files that a plain writer made, whole, in parts and damaged.

use crate::error::InputFault;
use crate::io::sequence::{DocumentOptions, PartOptions, PartReader, ReadOptions, read, read_document};
use crate::text::parts::Parts;
use crate::{Error, Result};
use std::ops::Range;
use std::path::Path;

/// A record to write.
struct Record {
    name: String,
    symbols: Vec<u8>,
}

/// Returns the ranges of the symbols that have a property.
fn blocks(symbols: &[u8], has: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in symbols.iter().enumerate().filter(|(_, symbol)| has(**symbol)) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// Writes a two-bit file, symbol by symbol.
fn two_bit(records: &[Record], is_big: bool, version: u32) -> Vec<u8> {
    let number = |value: usize| match is_big {
        true => (value as u32).to_be_bytes(),
        false => (value as u32).to_le_bytes(),
    };
    let offset_len = if version == 0 { 4 } else { 8 };
    let mut file: Vec<u8> = [0x1A41_2743, version as usize, records.len(), 0].map(number).concat();
    let mut offset = 16 + records.iter().map(|record| 1 + record.name.len() + offset_len).sum::<usize>();
    let mut bodies = Vec::new();
    for Record { name, symbols } in records {
        let mut body = number(symbols.len()).to_vec();
        for list in [blocks(symbols, |s| s.eq_ignore_ascii_case(&b'N')), blocks(symbols, |s| s.is_ascii_lowercase())] {
            body.extend(number(list.len()));
            list.iter().for_each(|block| body.extend(number(block.start)));
            list.iter().for_each(|block| body.extend(number(block.len())));
        }
        body.extend(number(0));
        for four in symbols.chunks(4) {
            let bits = |at: usize| match four.get(at).map(u8::to_ascii_uppercase) {
                Some(b'C') => 1,
                Some(b'A') => 2,
                Some(b'G') => 3,
                _ => 0,
            };
            body.push(bits(0) << 6 | bits(1) << 4 | bits(2) << 2 | bits(3));
        }
        file.push(name.len() as u8);
        file.extend(name.as_bytes());
        match (version, is_big) {
            (0, _) => file.extend(number(offset)),
            (_, true) => file.extend((offset as u64).to_be_bytes()),
            (_, false) => file.extend((offset as u64).to_le_bytes()),
        }
        offset += body.len();
        bodies.push(body);
    }
    file.extend(bodies.concat());
    file
}

fn random_records(random: &mut fastrand::Rng) -> Vec<Record> {
    let letters: [&[u8]; 3] = [b"ACGT", b"ACGTNNacgtnn", b"ACGTACGTACGTACGTACGTN"];
    let record = |number: usize, random: &mut fastrand::Rng| {
        let letters = letters[random.usize(..3)];
        let len = random.usize(..70);
        let symbols = (0..len).map(|_| letters[random.usize(..letters.len())]).collect();
        Record { name: format!("chr{number}"), symbols }
    };
    let count = random.usize(..6);
    (0..count).map(|number| record(number, random)).collect()
}

/// Returns the symbols of each record in parts of a few symbols.
fn in_parts(path: &Path) -> Result<Vec<Vec<u8>>> {
    let mut reader = PartReader::open(path, PartOptions::default().symbols(10))?;
    let mut records: Vec<Vec<u8>> = Vec::new();
    while let Some(part) = reader.next_part()? {
        for record in part.records {
            records.resize(record.number as usize + 1, Vec::new());
            records[record.number as usize].extend(&part.symbols[record.range]);
        }
    }
    Ok(records)
}

#[test]
fn a_file_made_by_hand_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.2bit");
    let file = b"\x43\x27\x41\x1A\0\0\0\0\x01\0\0\0\0\0\0\0\x01x\x16\0\0\0\
        \x06\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x1B\x80";
    std::fs::write(&path, file).unwrap();
    let document = read_document(&path, DocumentOptions::default()).unwrap();
    assert_eq!((document.name(0), &document.symbols[..]), (Some("x"), &b"tcAGNT"[..]));
}

#[test]
fn records_and_regions_are_those_that_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.2bit");
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..300 {
        let records = random_records(&mut random);
        std::fs::write(&path, two_bit(&records, round % 2 == 0, round / 2 % 2)).unwrap();
        let document = read_document(&path, DocumentOptions::default()).unwrap();
        let found: Vec<_> = document.records.iter().map(|range| &document.symbols[range.clone()]).collect();
        assert_eq!(found, records.iter().map(|record| &record.symbols[..]).collect::<Vec<_>>());
        assert_eq!(document.names, records.iter().map(|record| &record.name[..]).collect::<Vec<_>>());
        assert_eq!(in_parts(&path).unwrap(), found);
        let Some(record) = records.get(random.usize(..6)).filter(|record| !record.symbols.is_empty()) else { continue };
        let from = random.usize(..record.symbols.len());
        let to = random.usize(from..record.symbols.len());
        let region = format!("{}:{}-{}", record.name, from + 1, to + 1);
        let options = ReadOptions::default().case(crate::io::sequence::Case::Keep).record(&region);
        let part = read(&path, &options).unwrap();
        assert_eq!(part.symbols, &record.symbols[from..=to], "{region}");
        assert_eq!(part.excerpt.map(|excerpt| excerpt.start), Some(from as u64));
        let whole = read(&path, &options.record(&record.name)).unwrap();
        assert_eq!((whole.symbols, whole.excerpt), (record.symbols.clone(), None));
    }
}

#[test]
fn long_records_are_read_in_steps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.2bit");
    let mut random = fastrand::Rng::with_seed(6);
    let symbols: Vec<u8> = (0..2_500_001).map(|_| b"ACGTacgtN"[random.usize(..9)]).collect();
    std::fs::write(&path, two_bit(&[Record { name: "x".into(), symbols: symbols.clone() }], false, 0)).unwrap();
    assert!(read_document(&path, DocumentOptions::default()).unwrap().symbols == symbols);
}

#[test]
fn a_file_that_is_cut_or_changed_gives_an_error_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.2bit");
    let symbols = b"ACGTNNacgtNNACGTA".to_vec();
    let records: Vec<_> = ["a", "bc"].map(|name| Record { name: name.into(), symbols: symbols.clone() }).into();
    let open = |file: &[u8]| {
        std::fs::write(&path, file).unwrap();
        let whole = read_document(&path, DocumentOptions::default()).map(|document| document.symbols);
        let part = read(&path, &ReadOptions::default().record("bc:3-5")).map(|part| part.symbols);
        (whole, part)
    };
    for version in [0, 1] {
        let file = two_bit(&records, false, version);
        for len in 4..file.len() {
            let (whole, part) = open(&file[..len]);
            let is_cut_short = |error: Error| matches!(error, Error::Input { fault: InputFault::CutShort, .. });
            assert!(is_cut_short(whole.unwrap_err()) && is_cut_short(part.unwrap_err()), "{len}");
        }
        for at in 4..file.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = file.clone();
                changed[at] = value;
                let (whole, part) = open(&changed);
                assert!(whole.is_err() || whole.unwrap().len() < 4 * file.len());
                assert!(part.is_err() || part.unwrap().len() <= 3);
            }
        }
    }
    let mut version = two_bit(&records, true, 0);
    version[7] = 2;
    assert!(open(&version).0.unwrap_err().to_string().contains("version 2"));
}

#[test]
fn many_records_that_are_one_place_of_the_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.2bit");
    let records: Vec<_> = (0..100).map(|_| Record { name: "x".into(), symbols: b"A".repeat(4000) }).collect();
    let mut file = two_bit(&records, false, 0);
    let first: [u8; 4] = *file[18..].first_chunk().unwrap();
    for record in 0..100 {
        file[18 + 6 * record..][..4].copy_from_slice(&first);
    }
    file.truncate(16 + 600 + 2000);
    std::fs::write(&path, file).unwrap();
    let error = read_document(&path, DocumentOptions::default()).unwrap_err().to_string();
    assert!(error.contains("records overlap"), "{error}");
}

#[test]
fn a_two_bit_file_in_a_pipe_or_compressed_is_refused() {
    let file = two_bit(&[], false, 0);
    let reader = PartReader::from_reader("a pipe", std::io::Cursor::new(file), PartOptions::default());
    let error = reader.err().unwrap().to_string();
    assert!(error.contains("read by seeking"), "{error}");
}

#[test]
fn blocks_out_of_order_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.2bit");
    let mut file = two_bit(&[Record { name: "x".into(), symbols: b"ANCNT".to_vec() }], false, 0);
    assert_eq!(&file[30..38], b"\x01\0\0\0\x03\0\0\0");
    file[30] = 3;
    file[34] = 1;
    std::fs::write(&path, file).unwrap();
    let error = read_document(&path, DocumentOptions::default()).unwrap_err();
    assert!(matches!(error, Error::Input { fault: InputFault::Damaged, .. }), "{error}");
}
