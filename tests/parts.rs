//! Files read in parts, checked against plain parsers of whole files in memory; compressed,
//! truncated, damaged, and through pipes.
#![cfg(feature = "io")]

use bzip2::write::BzEncoder;
use carrywave::Error;
use carrywave::error::InputFault;
use carrywave::io::sequence::{DocumentOptions, Format, Kind, PartOptions, PartReader, read_document};
use carrywave::search::{Found, Search};
use carrywave::text::Pattern;
use carrywave::text::parts::{Part, Parts};
use flate2::write::GzEncoder;
use std::io::{self, Cursor, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Name and symbols of a record.
type Record = (String, Vec<u8>);

const SIZES: [usize; 6] = [1, 2, 3, 7, 64, 64 << 20];

fn options(part: usize, whole_records: bool) -> PartOptions {
    PartOptions::default().symbols(part).whole(whole_records)
}

fn read(text: &[u8], options: PartOptions) -> carrywave::Result<PartReader> {
    PartReader::from_reader("text", Cursor::new(text.to_vec()), options)
}

fn all_parts(mut reader: PartReader) -> carrywave::Result<Vec<Part>> {
    let mut parts = Vec::new();
    while let Some(part) = reader.next_part()? {
        parts.push(part);
    }
    Ok(parts)
}

/// Checks the division into parts, and returns the records, joined again.
#[track_caller]
fn joined(parts: &[Part]) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut goes_on = false;
    for part in parts {
        assert!(!part.records.is_empty());
        for (index, record) in part.records.iter().enumerate() {
            let symbols = &part.symbols[record.range.clone()];
            let name = record.name.as_deref().unwrap_or_default();
            assert!(record.is_whole || index + 1 == part.records.len());
            if goes_on {
                let last = records.last_mut().unwrap();
                assert!(last.1.ends_with(&part.symbols[..record.range.start]));
                assert_eq!((index, record.before, last.0.as_str()), (0, last.1.len() as u64, name));
                last.1.extend_from_slice(symbols);
            } else {
                assert_eq!(record.before, 0);
                records.push((name.to_owned(), symbols.to_vec()));
            }
            assert_eq!(record.number, records.len() as u64 - 1);
            goes_on = !record.is_whole;
        }
    }
    assert!(!goes_on);
    records
}

fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    if lines.last() == Some(&&b""[..]) {
        lines.pop();
    }
    lines.into_iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect()
}

fn name_of(header: &[u8]) -> String {
    String::from_utf8_lossy(header).split_whitespace().next().unwrap_or_default().to_owned()
}

/// Parses a whole file in the simplest way.
fn oracle(text: &[u8], format: Format) -> Vec<Record> {
    let lines = lines_of(text);
    match format {
        Format::Lines => lines.into_iter().map(|line| (String::new(), line.to_vec())).collect(),
        Format::Fastq => {
            let (mut records, mut at) = (Vec::new(), 0);
            while at < lines.len() {
                let header = lines[at];
                at += 1;
                if header.trim_ascii().is_empty() {
                    continue;
                }
                let separator = at + lines[at..].iter().position(|line| line.starts_with(b"+")).unwrap();
                let symbols = lines[at..separator].concat();
                at = separator + 1;
                let mut qualities = 0;
                while qualities < symbols.len() {
                    qualities += lines[at].len();
                    at += 1;
                }
                records.push((name_of(&header[1..]), symbols));
            }
            records
        }
        Format::Fasta => {
            let mut records: Vec<Record> = Vec::new();
            for line in lines.into_iter().filter(|line| !line.starts_with(b";")) {
                match (line.strip_prefix(b">"), records.last_mut()) {
                    (Some(header), _) => records.push((name_of(header), Vec::new())),
                    (None, Some((_, symbols))) => {
                        symbols.extend(line.iter().filter(|byte| !byte.is_ascii_whitespace()))
                    }
                    (None, None) => {}
                }
            }
            records
        }
    }
}

/// Returns a file of random lines or records, with unusual features.
fn random_file(format: Format, random: &mut fastrand::Rng) -> Vec<u8> {
    let line_end = if random.bool() { "\n" } else { "\r\n" };
    let mut text = String::new();
    let mut line = |content: &str| text.extend([content, line_end]);
    let symbols = |random: &mut fastrand::Rng, most: usize| -> String {
        (0..random.usize(..=most)).map(|_| char::from(b"ACGTNacgt"[random.usize(..9)])).collect()
    };
    if format != Format::Lines && random.bool() {
        line("");
    }
    if format == Format::Fasta && random.bool() {
        line("; a comment");
        line(";>another");
    }
    for number in 0..random.usize(1..12) {
        let sequence = symbols(random, 200);
        let header = ["", " ", "name", "a name", "ü\tx"][random.usize(..5)];
        match format {
            Format::Lines => line(&[symbols(random, 100), "with\rreturns\r".into(), String::new()][random.usize(..3)]),
            Format::Fasta => {
                line(&format!(">{header}{number}"));
                let wrap = random.usize(1..80);
                for at in (0..sequence.len()).step_by(wrap) {
                    line(&sequence[at..sequence.len().min(at + wrap)]);
                    line(["", " ", "AC GT", ";>AC"][random.usize(..4)]);
                }
            }
            Format::Fastq => {
                let header = format!("{header}{number}");
                line(&format!("@{header}"));
                let wrap = [usize::MAX, random.usize(1..80)][random.usize(..2)];
                let lines = |of: &str| -> Vec<String> {
                    let lines = of.as_bytes().chunks(wrap).map(|line| String::from_utf8(line.to_vec()).unwrap());
                    if of.is_empty() { vec![String::new()] } else { lines.collect() }
                };
                lines(&sequence).iter().for_each(|content| line(content));
                line(&["+".to_owned(), format!("+{header}")][random.usize(..2)]);
                let qualities: String = sequence.chars().map(|_| char::from(b"!+>@;I~"[random.usize(..7)])).collect();
                lines(&qualities).iter().for_each(|content| line(content));
                line(["", " "][random.usize(..2)]);
            }
        }
    }
    let mut text = text.into_bytes();
    // The last line may lack its end, unless its record is empty.
    match random.usize(..3) {
        0 if text.len() > 8 && !text.ends_with(b"\n\n") && !text.ends_with(b"\n\r\n") => {
            text.truncate(text.len() - line_end.len());
        }
        1 => text.extend(line_end.repeat(random.usize(1..6)).bytes()),
        _ => {}
    }
    text
}

#[test]
fn parts_joined_again_are_the_file() {
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..200 {
        let format = [Format::Lines, Format::Fasta, Format::Fastq][round % 3];
        let text = random_file(format, &mut random);
        let expected = oracle(&text, format);
        for part in SIZES {
            for whole_records in [false, true] {
                let shown = text.escape_ascii().to_string();
                let repeated = [0, 1, 20][random.usize(..3)];
                let reader = read(&text, options(part, whole_records).repeated(repeated)).unwrap();
                assert_eq!(reader.format(), format, "{shown}");
                let parts = all_parts(reader).unwrap();
                assert_eq!(joined(&parts), expected, "parts of {part}, {repeated} repeated: {shown}");
                for split in parts.iter().filter(|part| part.records[0].before > 0) {
                    assert_eq!(split.records[0].range.start, repeated.min(part / 2), "{shown}");
                }
                if format == Format::Lines && repeated == 0 {
                    assert_eq!(parts.iter().flat_map(|part| part.symbols.clone()).collect::<Vec<_>>(), text);
                }
                for found in &parts {
                    let last = found.records.last().unwrap();
                    let long = last.before + last.range.len() as u64 >= part as u64;
                    // Only a record longer than a part is split, and not if records are to stay
                    // whole.
                    assert!(last.is_whole || long && !whole_records, "{shown}");
                    for record in found.records.iter().filter(|_| format == Format::Lines) {
                        let start = record.place as usize + record.before as usize;
                        assert_eq!(text[start..][..record.range.len()], found.symbols[record.range.clone()]);
                    }
                }
            }
        }
    }
}

/// Neither do the three symbols on each side of a hit.
#[test]
fn hits_do_not_depend_on_parts_and_on_what_they_repeat() {
    let mut random = fastrand::Rng::with_seed(7);
    for round in 0..150 {
        let text = random_file(Format::Fasta, &mut random);
        let pattern: Vec<u8> = (0..random.usize(2..12)).map(|_| b"ACG"[random.usize(..3)]).collect();
        let search = Search::new(Pattern::literal(&pattern)).errors(round % 2).overlapping(round % 3 == 0);
        let hits = |options: PartOptions| -> Vec<_> {
            let found = search.prepare().unwrap().stream(read(&text, options).unwrap());
            let with_neighbours = |found: Found| {
                let context = found.context();
                let end = context.bytes.len().min(context.hit.end + 3);
                (found.hit, context.bytes[context.hit.start.saturating_sub(3)..end].to_vec())
            };
            found.map(|found| with_neighbours(found.unwrap())).collect()
        };
        let expected = hits(PartOptions::default());
        for part in [20, 50, 100] {
            for repeated in [0, 5, 15, 40] {
                let shown = text.escape_ascii();
                assert_eq!(hits(options(part, false).repeated(repeated)), expected, "{part} {repeated} {shown}");
            }
        }
    }
}

#[test]
fn a_giant_record_comes_in_parts_of_the_size_that_was_asked_for() {
    let symbols: Vec<u8> = (0..1_000_000u32).map(|i| b"ACGT"[(i.wrapping_mul(2_654_435_761) >> 30) as usize]).collect();
    let wrapped: Vec<u8> = symbols.chunks(61).flat_map(|line| [line, b"\n"].concat()).collect();
    let quality = vec![b'I'; symbols.len()];
    for (text, name) in [
        ([&symbols[..], b"\r\nx"].concat(), ""),
        ([b">g\n", &wrapped[..], b">x\nx\n"].concat(), "g"),
        ([b"@g\n", &symbols[..], b"\n+\n", &quality, b"\n@x\nx\n+\nI\n"].concat(), "g"),
    ] {
        let parts = all_parts(read(&text, options(1000, false)).unwrap()).unwrap();
        assert_eq!(joined(&parts)[0], (name.to_owned(), symbols.clone()));
        assert!((1000..1002).contains(&parts.len()), "{}", parts.len());
        assert!(parts.iter().all(|part| part.symbols.len() <= 1003));
        let whole = all_parts(read(&text, options(1000, true)).unwrap()).unwrap();
        assert_eq!(joined(&whole)[0].1, symbols);
        assert_eq!(whole[0].records.len(), 1);
    }
}

#[test]
fn short_records_fill_a_part_too() {
    let text = b">r\nA\n".repeat(10_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, &text).unwrap();
    let parts = all_parts(PartReader::open(&path, options(1 << 20, false)).unwrap()).unwrap();
    assert_eq!((joined(&parts).len(), parts.len()), (10_000, 1));
    let limit = (1 << 20) / 64;
    let text = b"\n".repeat(3 * limit);
    let parts = all_parts(read(&text, options(1 << 20, false)).unwrap()).unwrap();
    assert!(parts.len() >= 3 && parts.iter().all(|part| part.records.len() <= limit), "{}", parts.len());
}

#[test]
fn errors_are_those_of_the_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let texts: [&[u8]; 12] = [
        b"@a\nAC\n+\nII\n@b\nAC\n+\nI\n",
        b"@a\nAC\n+\nII\n@b\nAC\n",
        b"@a\nAC\n+\nII\n@b\nAC\n+\nI",
        b"@a\nAC\n+\nII\n@b\n\n\n\n",
        b"@a\nAC\n+\nII\nb\nAC\n+\nII\n",
        b"@a\nAC\n+\nII\n@b\nAC\n-\nII\n",
        b"@a\nAC\nGT\n+\nII\nII\n@b\nAC\n@c\n",
        b"@a\rb\nAC\n+\nII\n",
        b">a\nAC\n>b\rAC\r>c\rAC\r",
        b">a\r\r\nAC\n",
        &gz(b">a\nAC\n>b\nGT\n")[..20],
        b"PK\x03\x04",
    ];
    for text in texts {
        std::fs::write(&path, text).unwrap();
        let whole = read_document(&path, DocumentOptions::default()).unwrap_err();
        for part in SIZES {
            let parts = PartReader::open(&path, options(part, false)).and_then(all_parts).unwrap_err();
            assert_eq!(parts.to_string(), whole.to_string());
            let fault = |error: &Error| match error {
                Error::Input { fault, .. } => *fault,
                other => panic!("{other}"),
            };
            assert_eq!(fault(&parts), fault(&whole));
        }
    }
    let directory = PartReader::open(folder.path(), PartOptions::default()).err().unwrap();
    assert!(matches!(directory, Error::Input { fault: InputFault::Directory, .. }));
    let missing = PartReader::open(folder.path().join("none"), PartOptions::default()).err().unwrap();
    assert!(matches!(missing, Error::Io { .. }));
}

#[test]
fn after_an_error_nothing_follows() {
    let mut reader = read(b"@a\nACGT\n+\nIIII\n@b\nA\n-\nI\n", options(4, false)).unwrap();
    assert_eq!(reader.next_part().unwrap().unwrap().symbols, b"ACGT");
    assert!(reader.next_part().is_err());
    assert_eq!(reader.next_part().unwrap(), None);
}

#[test]
fn kinds_are_those_of_the_first_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for (text, kind, certain) in [
        (">a\nACGTACGT\n>b\nMKVLHDEELQRMKV\n", Kind::Protein, true),
        (">a\nACGTACGTRR\n", Kind::Nucleotide, false),
        ("ACGT\n", Kind::Bytes, true),
        ("", Kind::Bytes, true),
    ] {
        std::fs::write(&path, text).unwrap();
        let whole = read_document(&path, DocumentOptions::default()).unwrap();
        assert_eq!((whole.kind(), whole.kind_is_certain()), (kind, certain), "{text}");
        for part in [64, 64 << 20] {
            // If the input may wait, the first part does not have the second record.
            for reader in [PartReader::open(&path, options(part, false)), read(text.as_bytes(), options(part, false))] {
                let reader = reader.unwrap();
                assert_eq!((reader.kind(), reader.kind_is_certain()), (kind, certain), "parts of {part}: {text}");
            }
        }
    }
}

#[test]
fn raw_files_are_lines() {
    let text = b"\xef\xbb\xbf>a\nACGT\n";
    for (options, expected) in [
        (PartOptions::default().raw(true), &text[..]),
        (PartOptions::default().raw(true).keep_compressed(true), &gz(text)),
        (PartOptions::default().keep_compressed(true), &gz(text)),
    ] {
        let mut reader = read(&gz(text), options).unwrap();
        assert_eq!(reader.format(), Format::Lines);
        assert_eq!(reader.next_part().unwrap().unwrap().symbols, expected);
    }
}

// Compressed files.

fn gz(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn bz2(content: &[u8]) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn xz(content: &[u8]) -> Vec<u8> {
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::default()).unwrap();
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zstd(content: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(content, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A compression method: its name in messages, and a function that compresses.
type Way = (&'static str, fn(&[u8]) -> Vec<u8>);

const WAYS: [Way; 4] = [("gzip", gz), ("bzip2", bz2), ("xz", xz), ("zstd", zstd)];

/// A FASTA file of two records, as written by `bzip2 -9`, `xz -9`, `xz -C sha256`, `zstd -19` and
/// `zstd --no-check`: `>a one`, `ACGTACGTACGTACGTTTGA`, `>b`, `GG`, each line with a line feed.
const FILES: [&[u8]; 5] = [
    b"BZh91AY&SYM\xc3\x92\x0f\x00\x00\x02\xdf\x00\x00\x10@\x00\x00\x01(\x80\x04\x002\x01\xa0\x001\x03@\xd0\x12\x89\xeahz\x99[m\xd1R\xe3\x80\xb4\x98(D\xb3\xf7x.\xe4\x8ap\xa1\x20\x9b\x87$\x1e",
    b"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4F\x02\x00!\x01\x1c\x00\x00\x00\x10\xcfX\xcc\xe0\x00!\x00\x1c]\x00\x1f\x18@\x07\x22\x82\x94V\x9b\xce\xda\x9b\x08j\x91\xa2\x8b\x8c\xc7l\xb1\x04,:\x1a\x8b\x00\x00\x00e\xb0\x02\xc0\xd3\xdf\xbfg\x00\x018\x224Hy\xe2\x1f\xb6\xf3}\x01\x00\x00\x00\x00\x04YZ",
    b"\xfd7zXZ\x00\x00\x0a\xe1\xfb\x0c\xa1\x02\x00!\x01\x16\x00\x00\x00t/\xe5\xa3\xe0\x00!\x00\x1c]\x00\x1f\x18@\x07\x22\x82\x94V\x9b\xce\xda\x9b\x08j\x91\xa2\x8b\x8c\xc7l\xb1\x04,:\x1a\x8b\x00\x00\x00f\x04\xcb\xc7.\xa8$t\x96\xf5V\x8d\x80y\xbe\xe3m\xb6\xda\x04\xa7|T\xba>\xd5\x5c\xd0f6\x016\x00\x01P\x22\x9b\xa9]O\x18\x9bK\x9a\x01\x00\x00\x00\x00\x0aYZ",
    b"(\xb5/\xfd\x04h\xe5\x00\x00\xb0>a\x20one\x0aACGTTTGA\x0a>b\x0aGG\x0a\x01\x00\xb8\xeb\x05p\xc7\xa9\xae",
    b"(\xb5/\xfd\x00X\xe5\x00\x00\xb0>a\x20one\x0aACGTTTGA\x0a>b\x0aGG\x0a\x01\x00s\xce\x0b",
];

fn unpacked(packed: &[u8]) -> carrywave::Result<Vec<Record>> {
    read(packed, options(1000, false)).and_then(all_parts).map(|parts| joined(&parts))
}

#[test]
fn what_other_programs_compress_is_read() {
    let expected = [("a".to_owned(), b"ACGTACGTACGTACGTTTGA".to_vec()), ("b".to_owned(), b"GG".to_vec())];
    for file in FILES {
        assert_eq!(unpacked(file).unwrap(), expected);
        assert_eq!(unpacked(&[file, file].concat()).unwrap().len(), 4);
    }
    // A skippable zstd frame.
    let skipped = [&b"\x5a\x2a\x4d\x18\x03\0\0\0abc"[..], FILES[3], b"\x50\x2a\x4d\x18\0\0\0\0"].concat();
    assert_eq!(unpacked(&skipped).unwrap(), expected);
}

#[test]
fn compressed_files_of_several_streams_are_read_whole() {
    let mut random = fastrand::Rng::with_seed(2);
    let symbols: Vec<u8> = (0..300_000).map(|_| b"ACGT"[random.usize(..4)]).collect();
    for (_, compress) in WAYS {
        let streams = [&b">a\n"[..], &symbols[..100_000], b"", &symbols[100_000..], b"\n>b\nAC"].map(compress).concat();
        assert_eq!(unpacked(&streams).unwrap(), [("a".into(), symbols.clone()), ("b".into(), b"AC".to_vec())]);
    }
}

#[test]
fn files_that_are_compressed_several_times_are_read_or_refused() {
    let records = b">a\nACGT\n>b\nGG\n";
    for (inner, first) in WAYS {
        for (outer, second) in WAYS {
            let packed = second(&first(records));
            assert_eq!(unpacked(&packed).unwrap().len(), 2, "{inner} in {outer}");
            let error = unpacked(&second(&first(records)[..first(records).len() - 3])).unwrap_err();
            assert!(error.to_string().contains(&format!("the {inner} in {outer} data ends early")), "{error}");
        }
    }
    let times = |count: usize| (0..count).fold(records.to_vec(), |packed, _| gz(&packed));
    assert_eq!(unpacked(&times(4)).unwrap().len(), 2);
    let error = unpacked(&times(5)).unwrap_err();
    assert!(error.to_string().contains("compressed more than 4 times"), "{error}");
    assert!(unpacked(&gz(b"PK\x03\x04more")).unwrap_err().to_string().contains("unzip -p"));
    // 64 MiB of zeros, compressed twice, are read a part at a time.
    let zeros = gz(&gz(&vec![0; 1 << 20]).repeat(64));
    let mut reader = read(&zeros, PartOptions::default().symbols(1 << 20)).unwrap();
    let mut symbols = 0;
    while let Some(part) = reader.next_part().unwrap() {
        assert!(part.symbols.len() <= 1 << 20);
        symbols += part.symbols.len();
    }
    assert_eq!(symbols, 64 << 20);
}

#[test]
fn compressed_files_that_are_cut_or_damaged_are_said_to_be() {
    let mut random = fastrand::Rng::with_seed(3);
    let content: Vec<u8> = b">a\n".iter().copied().chain((0..3_000).map(|_| b"ACGT"[random.usize(..4)])).collect();
    let small = FILES.map(|file| ("data", file.to_vec()));
    let large = WAYS.map(|(name, compress)| (name, compress(&content)));
    for (name, packed) in large.into_iter().chain(small) {
        for cut in 6..packed.len() {
            let error = unpacked(&packed[..cut]).unwrap_err();
            let message = error.to_string();
            assert!(message.contains(name) && message.contains("ends early"), "{cut} of {}: {message}", packed.len());
            assert!(matches!(error, Error::Input { fault: InputFault::CutShort, .. }));
        }
        // Tapes and some programs append zeros; xz requires a multiple of four.
        assert_eq!(unpacked(&[&packed[..], &[0; 100_000]].concat()).unwrap().len(), unpacked(&packed).unwrap().len());
        let followed = unpacked(&[&packed[..], &[0; 8], b"something else"].concat()).unwrap_err();
        assert!(followed.to_string().contains("is damaged"), "{name}: {followed}");
        let followed = unpacked(&[&packed[..], b"something else"].concat()).unwrap_err();
        assert!(followed.to_string().contains("is damaged"), "{name}: {followed}");
    }
    for (name, compress) in WAYS {
        let packed = compress(&content);
        for _ in 0..300 {
            let mut damaged = packed.clone();
            let at = random.usize(12..damaged.len());
            damaged[at] ^= 1 << random.u32(..8);
            // Some bits have no effect.
            match unpacked(&damaged) {
                Ok(records) => assert_eq!(records, oracle(&content, Format::Fasta), "{name}: {at}"),
                Err(error) => assert!(matches!(error, Error::Input { .. }), "{name}: {error:?}"),
            }
        }
        let mut damaged = packed.clone();
        let middle = packed.len() / 2;
        damaged[middle..middle + 9].fill(0);
        let message = unpacked(&damaged).unwrap_err().to_string();
        assert!(message.contains(&format!("the {name} data")), "{message}");
    }
}

// Pipes.

/// An input that returns the bytes sent to it, and ends when the sender is dropped.
struct Pipe {
    sent: Receiver<Vec<u8>>,
    rest: Vec<u8>,
    /// Dropped together with the input.
    _is_there: Sender<()>,
}

fn pipe() -> (Sender<Vec<u8>>, Pipe, Receiver<()>) {
    let (send, sent) = channel();
    let (is_there, is_gone) = channel();
    (send, Pipe { sent, rest: Vec::new(), _is_there: is_there }, is_gone)
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.sent.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

#[test]
fn what_a_pipe_has_given_is_there_at_once() {
    for (pieces, records) in [
        (&[&b"o"[..], b"ne\ntw", b"o\nthree\n"][..], &[&[][..], &["one"], &["two", "three"]][..]),
        (&[b">a\nAC", b"GT\n>b", b"\nAC\n>c\n"], &[&[], &["ACGT"], &["AC"]]),
        (&[b"@a\nAC\n+\n", b"II\n", b"@b\nA\n+\nI\n@c\n"], &[&[], &["AC"], &["A"]]),
    ] {
        let (send, input, _) = pipe();
        let mut reader = None;
        let mut input = Some(input);
        for (piece, expected) in pieces.iter().zip(records) {
            send.send(piece.to_vec()).unwrap();
            if expected.is_empty() {
                continue;
            }
            // The reader waits for a first record.
            let reader = reader.get_or_insert_with(|| {
                PartReader::from_reader("pipe", input.take().unwrap(), PartOptions::default()).unwrap()
            });
            let part = reader.next_part().unwrap().unwrap();
            let found: Vec<_> = part.records.iter().map(|r| &part.symbols[r.range.clone()]).collect();
            assert_eq!(found, expected.iter().map(|text| text.as_bytes()).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_pipe_that_gives_a_few_bytes_at_a_time_is_read_whole() {
    let mut random = fastrand::Rng::with_seed(4);
    for round in 0..60 {
        let format = [Format::Lines, Format::Fasta, Format::Fastq][round % 3];
        let text = random_file(format, &mut random);
        let packed = if round % 2 == 0 { text.clone() } else { gz(&text) };
        let (send, input, _) = pipe();
        let mut rest = &packed[..];
        while !rest.is_empty() {
            let (piece, later) = rest.split_at(random.usize(1..8).min(rest.len()));
            send.send(piece.to_vec()).unwrap();
            rest = later;
        }
        drop(send);
        let reader = PartReader::from_reader("pipe", input, options(40, round % 4 < 2)).unwrap();
        assert_eq!(joined(&all_parts(reader).unwrap()), oracle(&text, format), "{}", text.escape_ascii());
    }
}

#[test]
fn a_dropped_reader_lets_go_of_its_input() {
    // The reader waits for the pipe.
    let (send, input, is_gone) = pipe();
    send.send(b"one\n".to_vec()).unwrap();
    drop(PartReader::from_reader("pipe", input, PartOptions::default()).unwrap());
    // The thread may have ended already.
    let _ = send.send(b"two\n".to_vec());
    assert!(is_gone.recv().is_err());
    // The reader waits until a part is taken.
    let (send, input, is_gone) = pipe();
    (0..10).for_each(|_| send.send(b"line\n".to_vec()).unwrap());
    let mut reader = PartReader::from_reader("pipe", input, options(4, false)).unwrap();
    reader.next_part().unwrap();
    drop(reader);
    assert!(is_gone.recv().is_err());
}

#[test]
fn an_input_that_fails_or_panics_is_an_error() {
    struct Fails(bool);
    impl Read for Fails {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if !self.0 {
                self.0 = true;
                buffer[..5].copy_from_slice(b"ab\n\nx");
                return Ok(5);
            }
            panic!("on purpose, in a test");
        }
    }
    let mut reader = PartReader::from_reader("broken", Fails(false), PartOptions::default()).unwrap();
    assert_eq!(reader.next_part().unwrap().unwrap().symbols, b"ab\n\n");
    let message = reader.next_part().unwrap_err().to_string();
    assert!(message.starts_with("broken: ") && message.contains("bug"), "{message}");
    assert_eq!(reader.next_part().unwrap(), None);
}
