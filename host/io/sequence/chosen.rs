//! One record of a file, or a part of it, as an input of its own.

use super::Format;
use super::excerpt::Excerpt;
use super::region::{By, Request};
use super::source::{Input, Known, Source};
use crate::error::InputFault;
use crate::{Result, memory};
use std::io::Cursor;

/// A record, or a part of it, in memory.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// Header without its mark and its line end.
    pub header: Vec<u8>,
    pub symbols: Vec<u8>,
    /// Qualities of a FASTQ record, one for each symbol.
    pub qualities: Vec<u8>,
    /// Number of the record's first line, 1-based; 1 if unknown.
    pub line: u64,
    pub excerpt: Option<Excerpt>,
}

impl Chosen {
    /// Sets the excerpt of a record of `record_len` symbols that fits by `by`.
    ///
    /// # Errors
    /// [`Error::Input`](crate::Error::Input) if the request has no symbols of the record.
    pub fn locate(&mut self, request: &Request<'_>, by: By, record_len: u64, source: &Source) -> Result<()> {
        let range = request.range(by, record_len).map_err(|reason| source.wrong(InputFault::NoSuchRecord, reason))?;
        self.excerpt = by.is_region().then_some(Excerpt { start: range.start, record_len });
        Ok(())
    }

    /// Returns the record as an input that has no other.
    pub fn into_input(self, source: Source, format: Format) -> Result<Input> {
        let Self { header, symbols, qualities, line, excerpt } = self;
        // A region may begin with a symbol that marks another line, except after a blank.
        let is_mark = symbols.first().is_some_and(|first| b">;@+#".contains(first));
        let blank: &[u8] = if is_mark { b"\n " } else { b"\n" };
        let pieces: [&[u8]; 7] = match format {
            Format::Fastq => [b"@", &header, blank, &symbols, b"\n+\n", &qualities, b"\n"],
            Format::Fasta | Format::Lines => [b">", &header, blank, &symbols, b"\n", b"", b""],
        };
        let len = pieces.iter().map(|piece| piece.len()).sum();
        let mut text = Vec::new();
        memory::reserve(&mut text, len, "a record")?;
        pieces.iter().for_each(|piece| text.extend_from_slice(piece));
        let known = Known { format, line, len: text.len() as u64, excerpt };
        Ok(Input { source, read: Box::new(Cursor::new(text)), waits: false, file: None, known: Some(known) })
    }
}

#[cfg(test)]
mod tests {
    use crate::io::sequence::{
        Case, Document, DocumentOptions, Excerpt, PartOptions, PartReader, ReadOptions, Sequence, read, read_document,
    };
    use crate::text::parts::Parts;
    use crate::{Error, Result};
    use std::path::{Path, PathBuf};

    /// Writes records whose lines have random lengths, with blanks and, in FASTA, with comments.
    fn random_text(random: &mut fastrand::Rng, is_fastq: bool) -> String {
        let letters = if is_fastq { "ACGTN" } else { "ACGTN>;@+" };
        let mut text = String::new();
        for number in 0..1 + random.usize(..5) {
            text += &format!("{}r{number} some words\n", if is_fastq { '@' } else { '>' });
            let len = 1 + random.usize(..40);
            let mut column = 0;
            for _ in 0..len {
                // Only within a line do marks of other lines stand for symbols.
                let usable = if column == 0 { 5 } else { letters.len() };
                text.push(char::from(letters.as_bytes()[random.usize(..usable)]));
                column += 1;
                if !is_fastq && random.usize(..8) == 0 {
                    text += ["\n", "\r\n", " ", "\n\n", "\n; a comment\n"][random.usize(..5)];
                    column = if text.ends_with('\n') { 0 } else { column };
                }
            }
            if is_fastq {
                let qualities: String = (0..len).map(|_| char::from(b'!' + random.u8(..90))).collect();
                text += &format!("\n+\n{qualities}");
            }
            text.push('\n');
        }
        text
    }

    fn with_record(path: &Path, record: &str) -> PathBuf {
        format!("{}:{record}", path.display()).into()
    }

    /// Reads a record as a document, in parts and as a sequence, which must be the same.
    fn read_all_ways(path: &Path, record: &str) -> Result<(Document, Sequence)> {
        let document = read_document(with_record(path, record), DocumentOptions::default().qualities(true))?;
        let mut reader = PartReader::open(with_record(path, record), PartOptions::default().symbols(3))?;
        let mut symbols = Vec::new();
        while let Some(part) = reader.next_part()? {
            symbols.extend(part.symbols);
        }
        assert_eq!((&symbols, reader.excerpt()), (&document.symbols, document.excerpt));
        let options = ReadOptions::default().case(Case::Keep);
        let sequence = read(with_record(path, record), &options)?;
        assert_eq!(read(path, &options.record(record))?, sequence);
        assert_eq!((&sequence.symbols, sequence.excerpt), (&document.symbols, document.excerpt));
        Ok((document, sequence))
    }

    #[test]
    fn a_region_is_what_is_cut_out_of_the_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let mut random = fastrand::Rng::with_seed(3);
        for round in 0..400 {
            let is_fastq = round % 2 == 0;
            std::fs::write(&path, random_text(&mut random, is_fastq)).unwrap();
            let whole = read_document(&path, DocumentOptions::default().qualities(true)).unwrap();
            let number = random.usize(..whole.records.len());
            let record = whole.records[number].clone();
            let from = random.usize(..record.len());
            let to = random.usize(from..record.len());
            let cut = record.start + from..record.start + to + 1;
            let name = if round % 3 == 0 { (number + 1).to_string() } else { format!("r{number}") };
            let (part, sequence) = read_all_ways(&path, &format!("{name}:{}-{}", from + 1, to + 1)).unwrap();
            assert_eq!(part.symbols, &whole.symbols[cut.clone()]);
            let excerpt = Excerpt { start: from as u64, record_len: record.len() as u64 };
            assert_eq!((part.excerpt, part.format), (Some(excerpt), whole.format));
            assert_eq!((part.line(0), part.comment(0)), (whole.line(number), "some words"));
            assert_eq!((part.name(0), &sequence.name[..]), (whole.name(number), whole.name(number).unwrap()));
            if is_fastq {
                assert_eq!(part.qualities, &whole.qualities[cut]);
            }
            let (all, _) = read_all_ways(&path, &name).unwrap();
            assert_eq!((&all.symbols[..], all.excerpt), (&whole.symbols[record], None));
        }
    }

    #[test]
    fn the_request_must_fit_one_record() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, ">a:1-2\nACGT\n>a\nGGGGG\n>b\nA\n>b\nC\n>c\n\n").unwrap();
        let read = |record: &str| match read_all_ways(&path, record) {
            Ok((document, _)) => String::from_utf8(document.symbols).unwrap(),
            Err(Error::Input { reason, .. }) => reason,
            Err(error) => panic!("{error}"),
        };
        for (record, expected) in [
            ("a:1-2", "ACGT"),
            ("a:1-2:2-3", "CG"),
            ("a:1-3", "GGG"),
            ("1:2", "CGT"),
            ("a:4-", "GG"),
            ("a:-2", "GG"),
            ("a:5-1,000", "G"),
            ("5", ""),
            ("d", "no record 'd' in 5 records: a:1-2, a, b, b, c"),
            ("d:1-2", "no record 'd:1-2' in 5 records: a:1-2, a, b, b, c"),
            ("b:1-1", "2 records fit 'b:1-1': numbers 3 and 4; give one of the numbers, or the whole header line"),
            ("a:6", "'a:6': record 'a' has only 5 symbols"),
            ("c:1", "'c:1': record 'c' has only 0 symbols"),
            ("a:0-3", "'a:0-3': positions count from 1"),
            ("a:3-1", "'a:3-1': the region ends at 1, before it begins"),
        ] {
            assert_eq!(read(record), expected, "{record}");
        }
        std::fs::write(&path, "no records\n").unwrap();
        assert!(read("a:1-2").contains("neither FASTA"));
        for options in [DocumentOptions::default().raw(true), DocumentOptions::default().lines(true)] {
            assert!(matches!(read_document(with_record(&path, "a"), options), Err(Error::Usage { .. })));
        }
    }
}
