//! Reads of FASTA and FASTQ files with all that the files say about them, in blocks that threads
//! can parse by themselves.

use super::Format;
use super::opened::{Wanted, open_records};
use super::parse::mark;
use super::source::{Bytes, Source};
use crate::error::InputFault;
use crate::text::Read;
use crate::{Error, Result, memory};
use std::borrow::Cow;
use std::path::Path;

/// Bytes that are read at a time.
const STEP: usize = 1 << 18;

/// A FASTA or FASTQ file, plain or compressed, as blocks of whole reads. A read of FASTQ has four
/// lines.
///
/// ```
/// use carrywave::io::sequence::ReadBlocks;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("reads.fq");
/// std::fs::write(&path, "@r1 x\nGATT\n+\nIIII\n@r2\nACA\n+\nII#\n")?;
/// let mut blocks = ReadBlocks::open(&path)?;
/// let block = blocks.next_block(1 << 20, 1)?.unwrap();
/// assert_eq!(block.count(), 2);
/// let read = block.reads().next().unwrap()?;
/// assert_eq!((&read.name[..], &read.symbols[..]), (&b"r1 x"[..], &b"GATT"[..]));
/// assert!(blocks.next_block(1 << 20, 1)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ReadBlocks {
    bytes: Bytes,
    format: Format,
    /// Bytes that have been read and are in no block.
    rest: Vec<u8>,
    /// Number of the first line of `rest`, 1-based.
    line: u64,
    is_at_end: bool,
    repeats_names: bool,
}

/// Whole reads of a file. See the [example](ReadBlocks).
pub struct ReadBlock {
    source: Source,
    format: Format,
    bytes: Vec<u8>,
    line: u64,
    count: usize,
}

impl ReadBlocks {
    /// Opens a file; `-` is standard input. A path such as `reads.fa:r1:5-20` chooses a record or a
    /// part of it ([`InputPath`](super::InputPath)). See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read, and [`Error::Input`] if it is a folder, damaged, or
    /// neither FASTA nor FASTQ. An empty file has no reads.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let wanted = Wanted { record: None, is_text: false, keep_compressed: false };
        let mut bytes = Bytes::new(open_records(path.as_ref(), wanted)?, false)?;
        let line = bytes.known.map_or(1, |known| known.line);
        let head = bytes.head(|head| head.len() >= 4 && !head.trim_ascii().is_empty())?;
        bytes.source.refuse_utf_16(&head)?;
        bytes.source.refuse_two_bit(&head)?;
        let text = &head[mark(&head)..];
        let format = match text.trim_ascii_start().first() {
            Some(b'>' | b';' | b'#') => Format::Fasta,
            Some(b'@') | None => Format::Fastq,
            Some(_) => {
                let reason = "neither FASTA nor FASTQ; the first read begins with `>` or `@`";
                return Err(bytes.source.wrong(InputFault::NoFormat, reason));
            }
        };
        let rest = text.to_vec();
        let mut blocks = Self { bytes, format, rest, line, is_at_end: false, repeats_names: false };
        blocks.look_at_separator()?;
        Ok(blocks)
    }

    /// Returns the format. See the [example](Self::repeats_names).
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns true if the first read of a FASTQ file has its name again after the `+`.
    ///
    /// ```
    /// use carrywave::io::sequence::{Format, ReadBlocks};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// std::fs::write(&file, "@r1\nGATT\n+r1\nIIII\n")?;
    /// let blocks = ReadBlocks::open(&file)?;
    /// assert_eq!((blocks.format(), blocks.repeats_names()), (Format::Fastq, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repeats_names(&self) -> bool {
        self.repeats_names
    }

    /// Returns the size of the file in bytes, or `None` unless it is a regular file that is not
    /// compressed.
    ///
    /// ```
    /// use carrywave::io::sequence::ReadBlocks;
    ///
    /// assert_eq!(ReadBlocks::open("data/humanMito.fa")?.bytes(), Some(16_914));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn bytes(&self) -> Option<u64> {
        self.bytes.len
    }

    /// Returns the next reads, about `size` bytes of the file and a multiple of `multiple` reads,
    /// or `None` at the end. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Io`] and [`Error::Input`] if the file cannot be read or decompressed,
    /// [`Error::Memory`] if a read does not fit into memory.
    pub fn next_block(&mut self, size: usize, multiple: usize) -> Result<Option<ReadBlock>> {
        let mut wanted = size.max(1);
        loop {
            self.fill(wanted)?;
            let ends = Ends::of(self.format, &self.rest, self.is_at_end);
            let count = ends.count() / multiple * multiple;
            if self.is_at_end {
                let count = ends.count();
                return Ok(self.take(self.rest.len(), count));
            }
            if count > 0 {
                return Ok(self.take(ends.end_of(count, &self.rest), count));
            }
            wanted = wanted.saturating_mul(2);
        }
    }

    /// Returns the next reads, exactly `count` of them, fewer at the end of the file, and `None` if
    /// there are no more.
    ///
    /// ```
    /// use carrywave::io::sequence::ReadBlocks;
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// std::fs::write(&file, ">1\nGAT\nTA\n>2\nCA\n>3\nGT\n")?;
    /// let mut blocks = ReadBlocks::open(&file)?;
    /// let block = blocks.next_reads(2)?.unwrap();
    /// assert_eq!(block.count(), 2);
    /// assert_eq!(block.reads().next().unwrap()?.symbols[..], *b"GATTA");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`next_block`](Self::next_block).
    pub fn next_reads(&mut self, count: usize) -> Result<Option<ReadBlock>> {
        let mut wanted = self.rest.len().max(STEP);
        loop {
            self.fill(wanted)?;
            let ends = Ends::of(self.format, &self.rest, self.is_at_end);
            if ends.count() >= count && !(self.is_at_end && ends.count() == count) {
                return Ok(self.take(ends.end_of(count, &self.rest), count));
            }
            if self.is_at_end {
                return Ok(self.take(self.rest.len(), ends.count()));
            }
            wanted = wanted.saturating_mul(2);
        }
    }

    /// Reads until there are `size` bytes, or the file ends.
    fn fill(&mut self, size: usize) -> Result<()> {
        while self.rest.len() < size && !self.is_at_end {
            let start = self.rest.len();
            memory::reserve(&mut self.rest, STEP, "reads of a file")?;
            self.rest.resize(start + STEP, 0);
            let mut filled = start;
            let read = self.bytes.read_full(&mut self.rest, &mut filled);
            self.rest.truncate(filled);
            read?;
            self.is_at_end = filled < start + STEP;
        }
        Ok(())
    }

    /// Looks for the name after the first `+`.
    fn look_at_separator(&mut self) -> Result<()> {
        if self.format == Format::Fasta {
            return Ok(());
        }
        let mut wanted = STEP;
        loop {
            self.fill(wanted)?;
            let line = self.rest.trim_ascii_start().split(|byte| *byte == b'\n').nth(2);
            match line {
                Some(line) => {
                    self.repeats_names = line.trim_ascii_end().len() > 1;
                    return Ok(());
                }
                None if self.is_at_end => return Ok(()),
                None => wanted = wanted.saturating_mul(2),
            }
        }
    }

    /// Takes the first bytes, which have `count` reads.
    fn take(&mut self, len: usize, count: usize) -> Option<ReadBlock> {
        let rest = self.rest.split_off(len);
        let bytes = std::mem::replace(&mut self.rest, rest);
        if bytes.trim_ascii().is_empty() {
            return None;
        }
        let line = self.line;
        // No error names a line after the last read, so blank lines there are not counted.
        self.line += match self.format {
            Format::Fasta => memchr::memchr_iter(b'\n', &bytes).count() as u64,
            _ => 4 * count as u64,
        };
        Some(ReadBlock { source: self.bytes.source.clone(), format: self.format, bytes, line, count })
    }
}

/// Ends of the reads in some bytes.
enum Ends {
    /// Starts of the headers, and the number of whole reads.
    Fasta { starts: Vec<usize>, count: usize },
    /// Numbers of line ends and of whole reads.
    Fastq { line_ends: usize, count: usize },
}

impl Ends {
    fn of(format: Format, bytes: &[u8], is_all: bool) -> Self {
        let line_ends = memchr::memchr_iter(b'\n', bytes);
        if format == Format::Fasta {
            let starts_read = |start: &usize| bytes.get(*start) == Some(&b'>');
            let starts: Vec<usize> =
                std::iter::once(0).chain(line_ends.map(|end| end + 1)).filter(starts_read).collect();
            // The last read may go on behind the bytes.
            let count = if is_all { starts.len() } else { starts.len().saturating_sub(1) };
            return Self::Fasta { starts, count };
        }
        let line_ends = line_ends.count();
        let lines = line_ends + usize::from(is_all && !bytes.ends_with(b"\n"));
        Self::Fastq { line_ends, count: lines / 4 }
    }

    /// Returns the number of whole reads.
    fn count(&self) -> usize {
        let (Self::Fasta { count, .. } | Self::Fastq { count, .. }) = self;
        *count
    }

    /// Returns the end of the first `count` reads of the bytes, if more bytes follow them.
    fn end_of(&self, count: usize, bytes: &[u8]) -> usize {
        match self {
            Self::Fasta { starts, .. } => starts[count],
            Self::Fastq { line_ends, .. } => {
                let behind = line_ends - 4 * count;
                memchr::memrchr_iter(b'\n', bytes).nth(behind).map_or(0, |end| end + 1)
            }
        }
    }
}

impl ReadBlock {
    /// Returns the number of reads, if the file is well-formed. See the [example](ReadBlocks).
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the size in bytes.
    ///
    /// ```
    /// use carrywave::io::sequence::ReadBlocks;
    ///
    /// let mut blocks = ReadBlocks::open("data/humanMito.fa")?;
    /// assert_eq!(blocks.next_block(1 << 20, 1)?.unwrap().size(), 16_914);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Parses the reads. Lines end in `\n` or `\r\n`. See the [example](ReadBlocks).
    ///
    /// # Errors
    /// An item is [`Error::Input`] for a read that is not as the format says, with its line; no
    /// more items follow.
    pub fn reads(&self) -> impl Iterator<Item = Result<Read<'_>>> {
        let mut reads = Reads { block: self, rest: &self.bytes, line: self.line };
        std::iter::from_fn(move || {
            let read = match self.format {
                Format::Fasta => reads.next_fasta(),
                _ => reads.next_fastq(),
            };
            if read.is_err() {
                reads.rest = b"";
            }
            read.transpose()
        })
    }
}

/// State of parsing.
struct Reads<'b> {
    block: &'b ReadBlock,
    rest: &'b [u8],
    /// Number of the next line.
    line: u64,
}

impl<'b> Reads<'b> {
    /// Returns the next line without its end, or `None` at the end.
    fn line(&mut self) -> Option<&'b [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest);
        let line = &self.rest[..end.unwrap_or(self.rest.len())];
        self.rest = end.map_or(&[], |end| &self.rest[end + 1..]);
        self.line += 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    fn wrong(&self, fault: InputFault, reason: String) -> Error {
        self.block.source.wrong(fault, reason)
    }

    fn next_fastq(&mut self) -> Result<Option<Read<'b>>> {
        let Some(header) = self.line() else { return Ok(None) };
        let first = self.line - 1;
        let Some(name) = header.strip_prefix(b"@") else {
            if header.trim_ascii().is_empty() && self.rest.trim_ascii().is_empty() {
                return Ok(None);
            }
            return Err(self.wrong(InputFault::Malformed, format!("line {first} should start a FASTQ read with '@'")));
        };
        let cut_short = || {
            (InputFault::CutShort, format!("the file ends within the FASTQ read at line {first}; it may be cut short"))
        };
        let (Some(symbols), Some(separator)) = (self.line(), self.line()) else {
            let (fault, reason) = cut_short();
            return Err(self.wrong(fault, reason));
        };
        if !separator.starts_with(b"+") {
            let reason = format!(
                "the FASTQ read at line {first} has no '+' after one line of symbols; reads of more lines are not \
                 supported here"
            );
            return Err(self.wrong(InputFault::Malformed, reason));
        }
        let qualities = match self.line() {
            Some(qualities) => qualities,
            None if symbols.is_empty() => b"",
            None => {
                let (fault, reason) = cut_short();
                return Err(self.wrong(fault, reason));
            }
        };
        if symbols.len() != qualities.len() {
            let reason = format!(
                "the FASTQ read at line {first} has {} symbols, but {} qualities",
                symbols.len(),
                qualities.len()
            );
            return Err(self.wrong(InputFault::Malformed, reason));
        }
        Ok(Some(Read::new(name, symbols).with_qualities(qualities)))
    }

    fn next_fasta(&mut self) -> Result<Option<Read<'b>>> {
        let name = loop {
            let Some(line) = self.line() else { return Ok(None) };
            match line.strip_prefix(b">") {
                Some(name) => break name,
                None if line.trim_ascii().is_empty() || line.starts_with(b";") || line.starts_with(b"#") => {}
                None => {
                    let reason = format!("line {} should start a FASTA record with '>'", self.line - 1);
                    return Err(self.wrong(InputFault::Malformed, reason));
                }
            }
        };
        let mut symbols: Cow<'b, [u8]> = Cow::Borrowed(b"");
        while !self.rest.is_empty() && !self.rest.starts_with(b">") {
            let Some(line) = self.line() else { break };
            let line = line.trim_ascii();
            if symbols.is_empty() {
                symbols = Cow::Borrowed(line);
            } else {
                memory::reserve(symbols.to_mut(), line.len(), "the symbols of a record")?;
                symbols.to_mut().extend_from_slice(line);
            }
        }
        let mut read = Read::new(name, b"");
        read.symbols = symbols;
        Ok(Some(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names and symbols of a file's reads, in blocks of a size.
    fn all(text: &str, size: usize, multiple: usize) -> Result<Vec<(String, String)>> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, text).unwrap();
        let mut blocks = ReadBlocks::open(&file)?;
        let mut found = Vec::new();
        while let Some(block) = blocks.next_block(size, multiple)? {
            let before = found.len();
            for read in block.reads() {
                let read = read?;
                let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
                found.push((text(&read.name), text(&read.symbols)));
            }
            assert_eq!(found.len() - before, block.count());
        }
        Ok(found)
    }

    fn reads(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, symbols)| ((*name).into(), (*symbols).into())).collect()
    }

    #[test]
    fn blocks_of_any_size_have_the_same_reads() {
        let expected = reads(&[("1 x", "GATTACA"), ("2", ""), ("3", "A")]);
        for end in ["\n", "\r\n"] {
            for last in ["", end] {
                let fastq =
                    ["@1 x", "GATTACA", "+", "@IIIIII", "@2", "", "+", "", "@3", "A", "+1", "I"].join(end) + last;
                let fasta = [">1 x", "GATT", "ACA", ">2", ">3", "A"].join(end) + last;
                for size in [1, 7, 20, 1000] {
                    assert_eq!(all(&fastq, size, 1).unwrap(), expected, "{fastq:?} {size}");
                    assert_eq!(all(&fasta, size, 1).unwrap(), expected, "{fasta:?} {size}");
                    assert_eq!(all(&fastq, size, 2).unwrap(), expected, "{fastq:?} {size}");
                }
            }
        }
        assert_eq!(all("", 10, 1).unwrap(), []);
        assert_eq!(all("# a comment\n", 10, 1).unwrap(), []);
    }

    #[test]
    fn a_number_of_reads() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "@1\nA\n+\nI\n@2\nC\n+\nI\n@3\nG\n+\nI").unwrap();
        for (count, expected) in [(1, vec![1, 1, 1]), (2, vec![2, 1]), (3, vec![3]), (4, vec![3])] {
            let mut blocks = ReadBlocks::open(&file).unwrap();
            let mut counts = Vec::new();
            while let Some(block) = blocks.next_reads(count).unwrap() {
                counts.push(block.reads().filter(Result::is_ok).count());
            }
            assert_eq!(counts, expected);
        }
    }

    #[test]
    fn faults_have_a_line() {
        for (text, line) in [
            ("@1\nA\n+\nI\nx\nA\n+\nI\n", "line 5"),
            ("@1\nAC\n+\nI\n", "line 1"),
            ("@1\nA\n+\nI\n@2\nAC\n+\n", "line 5"),
            ("@1\nA\n+\nI\n@2\nAC\nGT\n+\nIIII\n", "line 5"),
            ("@1\nA\n+\nI\n@2", "line 5"),
            (";\nACGT\n", "line 2"),
        ] {
            let mut blocks_of_one = None;
            for size in [1, 1000] {
                let error = match all(text, size, 1) {
                    Err(error) => error.to_string(),
                    Ok(found) => panic!("{text:?} {found:?}"),
                };
                assert!(error.contains(line), "{text:?} {error}");
                blocks_of_one.get_or_insert(error);
            }
        }
        assert!(all("GATTACA", 10, 1).unwrap_err().to_string().contains("neither FASTA"));
    }
}
