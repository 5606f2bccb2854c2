//! Records by index, compared with what a whole file says; indexes compared with those of a plain
//! reader; and indexes that do not fit.

use super::{beside, find, write_index};
use crate::error::InputFault;
use crate::io::sequence::region::Request;
use crate::io::sequence::source::open;
use crate::io::sequence::{Case, ReadOptions, read};
use crate::{Error, Result};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A FASTA text with its records, and its index by an independent reader.
struct Sample {
    text: String,
    records: Vec<(String, String)>,
    fai: String,
}

/// Writes records of random lengths, in lines of one length for each record.
fn sample(random: &mut fastrand::Rng) -> Sample {
    let end = if random.bool() { "\n" } else { "\r\n" };
    let mut text = String::new();
    let mut records = Vec::new();
    for number in 0..1 + random.usize(..4) {
        let name = format!("r{number}{}", if random.bool() { ":7-9" } else { "" });
        let symbols: String = (0..random.usize(..50)).map(|_| char::from(b"ACGTN"[random.usize(..5)])).collect();
        let width = 1 + random.usize(..12);
        text += &format!(">{name} a comment{end}");
        for line in symbols.as_bytes().chunks(width) {
            text += std::str::from_utf8(line).unwrap();
            text += end;
        }
        text += ["", "", end][random.usize(..3)];
        records.push((name, symbols));
    }
    if random.bool() {
        text.truncate(text.trim_ascii_end().len());
    }
    let fai = plain_index(&text);
    Sample { text, records, fai }
}

/// Returns the index of a FASTA text whose lines are of one length in each record.
fn plain_index(text: &str) -> String {
    let mut rows: Vec<(String, [usize; 4])> = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        offset += line.len();
        let content = line.trim_ascii_end();
        if let Some(header) = content.strip_prefix('>') {
            rows.push((header.split(' ').next().unwrap().into(), [0, offset, 0, 0]));
        } else if !content.is_empty() {
            let row = &mut rows.last_mut().unwrap().1;
            if row[0] == 0 {
                let width = if line.ends_with('\n') { line.len() } else { line.len() + 1 };
                (row[2], row[3]) = (content.len(), width);
            }
            row[0] += content.len();
        }
    }
    let row = |(name, [len, offset, bases, width]): (String, [usize; 4])| {
        format!("{name}\t{len}\t{offset}\t{bases}\t{width}\n")
    };
    rows.into_iter().map(row).collect()
}

/// Returns a BGZF file with its index, from blocks of these contents.
fn bgzf<'b>(blocks: impl Iterator<Item = &'b [u8]>) -> (Vec<u8>, Vec<u8>) {
    let mut file = Vec::new();
    let mut starts = Vec::new();
    let mut plain = 0u64;
    for block in blocks.chain([&b""[..]]) {
        starts.push((file.len() as u64, plain));
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::default());
        deflate.write_all(block).unwrap();
        let deflated = deflate.finish().unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(block);
        file.extend(b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0");
        file.extend(((deflated.len() + 25) as u16).to_le_bytes());
        file.extend(deflated);
        file.extend(crc.sum().to_le_bytes());
        file.extend((block.len() as u32).to_le_bytes());
        plain += block.len() as u64;
    }
    let mut gzi = (starts.len() as u64 - 1).to_le_bytes().to_vec();
    for (packed, plain) in &starts[1..] {
        gzi.extend(packed.to_le_bytes());
        gzi.extend(plain.to_le_bytes());
    }
    (file, gzi)
}

/// A folder with a file.
struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.fa");
        Self { _folder: folder, path }
    }

    fn write(&self, ending: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(beside(&self.path, ending), bytes).unwrap();
    }

    fn read(&self, record: &str) -> std::result::Result<String, String> {
        let read = read(&self.path, &ReadOptions::default().case(Case::Keep).record(record));
        read.map(|found| String::from_utf8(found.symbols).unwrap()).map_err(|error| error.to_string())
    }

    /// Reads by index only; `None` if the index is not used.
    fn read_by_index(&self, record: &str) -> Result<Option<String>> {
        let found = find(&open(&self.path)?, &self.path, &Request::new(record))?;
        Ok(found.map(|found| String::from_utf8(found.symbols).unwrap()))
    }
}

#[test]
fn a_region_by_index_is_what_is_cut_out_of_the_record() {
    let mut random = fastrand::Rng::with_seed(8);
    let place = Place::new();
    for round in 0..500 {
        let Sample { text, records, fai } = sample(&mut random);
        if round % 2 == 0 {
            std::fs::write(&place.path, &text).unwrap();
        } else {
            let (file, gzi) = bgzf(text.as_bytes().chunks(1 + random.usize(..20)));
            std::fs::write(&place.path, file).unwrap();
            place.write("gzi", gzi);
        }
        place.write("fai", &fai);
        let (name, symbols) = &records[random.usize(..records.len())];
        if symbols.is_empty() {
            assert_eq!(place.read_by_index(name).unwrap(), None);
            continue;
        }
        let from = random.usize(..symbols.len());
        let to = random.usize(from..symbols.len());
        let region = format!("{name}:{}-{}", from + 1, to + 1);
        assert_eq!(place.read_by_index(&region).unwrap().as_deref(), Some(&symbols[from..=to]), "{region} {text}");
        assert_eq!(place.read_by_index(name).unwrap().as_ref(), Some(symbols));
        let error = place.read_by_index(&format!("{name}:{}", symbols.len() + 1)).unwrap_err().to_string();
        assert!(error.contains("has only"), "{error}");
    }
}

#[test]
fn an_index_that_does_not_fit_changes_no_answer() {
    let mut random = fastrand::Rng::with_seed(9);
    let place = Place::new();
    let mut used = 0;
    for _ in 0..1000 {
        let Sample { text, records, fai } = sample(&mut random);
        std::fs::write(&place.path, &text).unwrap();
        let mut fields: Vec<String> = fai.split_inclusive(['\t', '\n']).map(str::to_owned).collect();
        let changed = random.usize(..fields.len());
        let field = &mut fields[changed];
        let separator = field.pop().unwrap();
        *field = match (field.parse::<u64>(), random.usize(..5)) {
            (Ok(number), 0) => (number + 1).to_string(),
            (Ok(number), 1) => number.saturating_sub(1).to_string(),
            (Ok(_), 2) => u64::MAX.to_string(),
            (Ok(_), 3) => random.u64(..60).to_string(),
            _ => "r1".into(),
        };
        field.push(separator);
        let name = &records[random.usize(..records.len())].0;
        for request in [name.clone(), format!("{name}:{}-{}", 1 + random.usize(..20), 20 + random.usize(..20))] {
            let _ = std::fs::remove_file(beside(&place.path, "fai"));
            let expected = place.read(&request);
            place.write("fai", fields.concat());
            assert_eq!(place.read(&request), expected, "{request}\n{text}\n{}", fields.concat());
            used += usize::from(place.read_by_index(&request).is_ok_and(|found| found.is_some()));
        }
    }
    assert!(used > 150, "{used}");
}

#[test]
fn a_block_index_that_does_not_fit_changes_no_answer() {
    let mut random = fastrand::Rng::with_seed(10);
    let place = Place::new();
    for _ in 0..500 {
        let Sample { text, records, fai } = sample(&mut random);
        let (file, mut gzi) = bgzf(text.as_bytes().chunks(1 + random.usize(..20)));
        std::fs::write(&place.path, file).unwrap();
        place.write("fai", &fai);
        let (name, symbols) = &records[random.usize(..records.len())];
        let at = random.usize(..gzi.len());
        match random.usize(..3) {
            0 => gzi[at] = gzi[at].wrapping_add(1),
            1 => gzi[at] = random.u8(..),
            _ => gzi.truncate(at),
        }
        place.write("gzi", gzi);
        assert_eq!(place.read(name).as_ref(), Ok(symbols));
    }
}

#[test]
fn an_index_that_is_older_than_its_file_is_not_used() {
    let place = Place::new();
    std::fs::write(&place.path, ">a\nACGT\nACGT\n").unwrap();
    place.write("fai", "a\t8\t3\t4\t5\n");
    assert_eq!(place.read_by_index("a:4-5").unwrap().as_deref(), Some("TA"));
    let fai = std::fs::File::options().write(true).open(beside(&place.path, "fai")).unwrap();
    fai.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    assert_eq!(place.read_by_index("a:4-5").unwrap(), None);
    assert_eq!(place.read("a:4-5").as_deref(), Ok("TA"));
}

#[test]
fn an_index_that_is_not_one_is_not_used() {
    let place = Place::new();
    std::fs::write(&place.path, ">a\nACGT\n>b c\nAC\nGT\n").unwrap();
    for fai in ["", "\n", "a\t4", "a\t4\t3\t4\t5\na\t4\t3\t4\t5\n", "a\t4\t3\t4\t5\t9\n", "a\t4\t3\t4\t5\n\0\n"] {
        place.write("fai", fai);
        assert_eq!(place.read_by_index("a").unwrap(), None, "{fai:?}");
    }
    place.write("fai", [b'x'; 1 << 17]);
    assert_eq!(place.read_by_index("a").unwrap(), None);
    place.write("fai", "a\t4\t3\t4\t5\nb\t4\t13\t2\t3\n");
    assert_eq!(place.read_by_index("b").unwrap().as_deref(), Some("ACGT"));
    // These need the whole file.
    for (request, expected) in [("2", "ACGT"), ("b c", "ACGT"), ("2:2-3", "CG")] {
        assert_eq!(place.read_by_index(request).unwrap(), None);
        assert_eq!(place.read(request).as_deref(), Ok(expected));
    }
    std::fs::create_dir(beside(&place.path, "gzi")).unwrap();
    std::fs::write(&place.path, bgzf([&b">a\nACGT\n>b c\nAC\nGT\n"[..]].into_iter()).0).unwrap();
    place.write("fai", "a\t4\t3\t4\t5\n");
    assert_eq!(place.read_by_index("a").unwrap(), None);
    assert_eq!(place.read("a:2-3").as_deref(), Ok("CG"));
}

#[test]
fn written_indexes_are_those_of_a_plain_reader() {
    let mut random = fastrand::Rng::with_seed(11);
    let place = Place::new();
    for round in 0..200 {
        let Sample { text, fai, .. } = sample(&mut random);
        let (file, gzi) = bgzf(text.as_bytes().chunks(1 + random.usize(..20)));
        let is_packed = round % 2 == 0;
        std::fs::write(&place.path, if is_packed { &file } else { text.as_bytes() }).unwrap();
        write_index(&place.path).unwrap();
        assert_eq!(std::fs::read_to_string(beside(&place.path, "fai")).unwrap(), fai);
        if is_packed {
            assert_eq!(std::fs::read(beside(&place.path, "gzi")).unwrap(), gzi);
        }
    }
}

#[test]
fn names_that_occur_again_have_no_row() {
    let place = Place::new();
    std::fs::write(&place.path, ">a\nACGT\n>b\nC\n>a\nG\n>b\nT\n").unwrap();
    let indexed = write_index(&place.path).unwrap();
    assert_eq!((indexed.records, indexed.duplicates, indexed.first_duplicate.as_deref()), (2, 2, Some("a")));
    assert_eq!(std::fs::read_to_string(beside(&place.path, "fai")).unwrap(), "a\t4\t3\t4\t5\nb\t1\t11\t1\t2\n");
}

#[test]
fn a_file_that_cannot_be_indexed_keeps_its_old_index() {
    let place = Place::new();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(b">a\nACGT\n").unwrap();
    let gzip = gzip.finish().unwrap();
    let bgzf = bgzf([&b">a\nACGT\n"[..]].into_iter()).0;
    let two_bit = b"\x43\x27\x41\x1A\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    for (file, fault, reason) in [
        (gzip.clone(), InputFault::Compressed, "bgzip"),
        ([&bgzf[..], &gzip].concat(), InputFault::Compressed, "bgzip"),
        (bgzf[..bgzf.len() - 3].to_vec(), InputFault::CutShort, "ends within"),
        (b">a\nACGT\nAC\nACGT\n".to_vec(), InputFault::Malformed, "line 4"),
        (two_bit, InputFault::NoFormat, "index inside"),
    ] {
        std::fs::write(&place.path, &file).unwrap();
        place.write("fai", "as it was");
        let Err(Error::Input { fault: found, reason: found_reason, .. }) = write_index(&place.path) else {
            panic!("{reason}");
        };
        assert!(found == fault && found_reason.contains(reason), "{found:?} {found_reason}");
        assert_eq!(std::fs::read(beside(&place.path, "fai")).unwrap(), b"as it was");
        assert!(!beside(&place.path, "gzi").exists());
    }
    assert!(matches!(write_index(Path::new("/dev/null")), Err(Error::Io { .. })));
}

#[test]
fn an_index_that_fits_the_start_and_the_end_only_is_not_used() {
    let place = Place::new();
    for (text, fai, request, expected) in [
        // Lines of 4 symbols, and not of 8: the record's end would be in the same place.
        (">a\nACGT\nACGT\nACGT\n", "a\t12\t3\t8\t10\n", "a:6-8", "CGT"),
        // Blanks and comments that count as symbols.
        (">a\nAC GT\nAC GT\n", "a\t10\t3\t5\t6\n", "a:2-4", "CGT"),
        (">a\nACGT\n;CGT\nACGT\n", "a\t12\t3\t4\t5\n", "a:5-8", "ACGT"),
    ] {
        std::fs::write(&place.path, text).unwrap();
        place.write("fai", fai);
        assert_eq!(place.read(request).as_deref(), Ok(expected), "{text:?}");
        assert_eq!(place.read_by_index(request).unwrap(), None, "{text:?}");
    }
}

#[test]
fn blocks_are_counted_from_the_header_line_on() {
    let place = Place::new();
    let (file, gzi) = bgzf([&b">a\n"[..], b"AAAA\n", b"CCCC\n", b"GGGG\n", b"TTTT\n"].into_iter());
    std::fs::write(&place.path, file).unwrap();
    place.write("fai", "a\t16\t3\t4\t5\n");
    // The block of CCCC is missing, and that of GGGG is said to be where it was.
    let (before, rest) = gzi[8..].split_at(16);
    let (missing, after) = rest.split_at(16);
    let moved = [&after[..8], &missing[8..]].concat();
    place.write("gzi", [&4u64.to_le_bytes(), before, &moved, &after[16..]].concat());
    assert_eq!(place.read_by_index("a:5-8").unwrap().as_deref(), Some("CCCC"));
}
