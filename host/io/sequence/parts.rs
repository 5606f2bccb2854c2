//! A file of any size in parts.

use super::ahead::Ahead;
use super::blocks::Blocks;
use super::builder::{Builder, Limits};
use super::kind::{Guess, Sample};
use super::parse::{Parser, blanks, line_behind, mark};
use super::source::{Bytes, HEAD, Input, Source, open};
use super::{Format, Kind};
use crate::text::parts::{Part, Parts};
use crate::{Error, Result};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Bytes that are read at a time.
const BUFFER: usize = 4 * HEAD;
/// The same at least.
const LEAST: usize = 256;

/// Options of [`PartReader`].
///
/// ```
/// use carrywave::io::sequence::{PartOptions, PartReader};
/// use carrywave::text::parts::Parts;
///
/// let mut reader = PartReader::open("data/mouseMito.fa", PartOptions::default().symbols(1000))?;
/// let mut symbols = 0;
/// while let Some(part) = reader.next_part()? {
///     symbols += part.symbols.len();
/// }
/// assert_eq!(symbols, 16_299);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct PartOptions {
    raw: bool,
    keep_compressed: bool,
    symbols: usize,
    symbols_of_pipe: usize,
    whole: bool,
    lines_together: bool,
    fastq: bool,
}

impl PartOptions {
    /// Reads the decompressed bytes as lines, whatever the format. The default is false. See the [example](Self).
    pub fn raw(self, raw: bool) -> Self {
        Self { raw, ..self }
    }

    /// Does not decompress a compressed file. The default is false. See the [example](Self).
    pub fn keep_compressed(self, keep_compressed: bool) -> Self {
        Self { keep_compressed, ..self }
    }

    /// Symbols of a part. There are fewer where the next record would not fit, where records are short, and where an input that is no
    /// file has no more for now. A record is split only if it has more. The default is 64 Mi. See the [example](Self).
    pub fn symbols(self, symbols: usize) -> Self {
        Self { symbols, ..self }
    }

    /// Sets the symbols of a part for a pipe, if that is fewer. The default is that of a file. See the [example](Self).
    pub fn symbols_of_pipe(self, symbols: usize) -> Self {
        Self { symbols_of_pipe: symbols, ..self }
    }

    /// Whether the headers and qualities of FASTQ records are kept ([`PartRecord::fastq`](crate::text::parts::PartRecord::fastq)), of those that
    /// are not split. The default is false. See the [example](Self).
    pub fn fastq(self, keep: bool) -> Self {
        Self { fastq: keep, ..self }
    }

    /// Does not split records: a part grows until its last record is whole. The default is false. See the [example](Self).
    pub fn whole(self, whole: bool) -> Self {
        Self { whole, ..self }
    }

    /// Whether all lines of a text are given as one record with line ends, which is split between lines alone: for
    /// [`Searcher::hits_in_lines`](crate::search::Searcher::hits_in_lines), which finds the lines that matter. The default is false.
    /// See the [example](Self).
    pub fn lines_together(self, together: bool) -> Self {
        Self { lines_together: together, ..self }
    }
}

impl Default for PartOptions {
    /// Parts of 64 Mi symbols.
    fn default() -> Self {
        Self {
            raw: false,
            keep_compressed: false,
            symbols: 64 << 20,
            symbols_of_pipe: usize::MAX,
            whole: false,
            lines_together: false,
            fastq: false,
        }
    }
}

/// Reads a file in parts: FASTA, FASTQ or lines, as [`read_document`](super::read_document) does.
///
/// It is read and decompressed in a thread of its own, a part ahead, unless it is a file of one part. In memory are the part that was taken, the one that is ready,
/// the one that is read, and one that was given back ([`Parts::recycle`]). After an error nothing follows; the part in which it is found is not given.
///
/// ```
/// use carrywave::io::sequence::{PartOptions, PartReader};
/// use carrywave::text::parts::Parts;
///
/// let mut reader = PartReader::from_reader("a text", &b">one\nAC\nGT\n>two\nAC\n"[..], PartOptions::default())?;
/// let mut symbols = Vec::new();
/// while let Some(part) = reader.next_part()? {
///     symbols.extend(part.symbols);
/// }
/// assert_eq!(symbols, b"ACGTAC");
/// # Ok::<(), carrywave::Error>(())
/// ```
pub struct PartReader {
    format: Format,
    len: Option<u64>,
    guess: Guess,
    first: Option<Part>,
    rest: Ahead<InPlace>,
    watch: Arc<Watch>,
}

impl PartReader {
    /// Opens the file at `path`, `-` being standard input, and reads the first part. See the [example](PartOptions).
    ///
    /// # Errors
    /// Those of [`read_document`](super::read_document), as far as they are in the first part.
    pub fn open(path: impl AsRef<Path>, options: PartOptions) -> Result<Self> {
        Self::new(open(path.as_ref())?, options)
    }

    /// Reads any input, which messages call `name`; the first part at once. When it gives fewer bytes than it is asked for, it is taken
    /// to have no more for now: records that are whole are handed on. A dropped reader lets go of it when it gives something.
    /// See the [example](Self).
    ///
    /// # Errors
    /// As [`PartReader::open`].
    pub fn from_reader(name: &str, input: impl Read + Send + 'static, options: PartOptions) -> Result<Self> {
        Self::new(Input { source: Source::new(name, name), read: Box::new(input), waits: true, len: None }, options)
    }

    fn new(input: Input, options: PartOptions) -> Result<Self> {
        let source = input.source.clone();
        let watch = Arc::new(Watch::default());
        let in_place = InPlace::new(input, &watch, options)?;
        let format = in_place.format;
        let len = in_place.bytes.len;
        let limits = in_place.builder.limits;
        // What is a part at most is read at once: there is nothing to read ahead.
        let is_small = len.is_some_and(|len| len <= options.symbols as u64);
        let mut rest = if is_small { Ahead::Here(in_place) } else { Ahead::start(in_place, limits, source) };
        let first = rest.next_part()?;
        let guess = watch.guess.get().copied().unwrap_or_else(|| Sample::new().guess(format));
        Ok(Self { format, len, guess, first, rest, watch })
    }

    /// Returns the format of the input. See the [example](Self).
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the bytes of the whole input, if it is a file that is not compressed: somewhat more than its symbols. See the [example](Self).
    pub fn bytes(&self) -> Option<u64> {
        self.len
    }

    /// Returns the first part until it is taken. See the [example](Self).
    pub fn first(&self) -> Option<&Part> {
        self.first.as_ref()
    }

    /// Guesses the kind of the symbols from the records of the first part. See the [example](Self).
    pub fn kind(&self) -> Kind {
        self.guess.kind
    }

    /// Returns false if the kind is a close guess: nucleotides with many IUPAC codes may be a protein. See the [example](Self).
    pub fn kind_is_certain(&self) -> bool {
        self.guess.certain
    }
}

impl Parts for PartReader {
    fn next_part(&mut self) -> Result<Option<Part>> {
        match self.first.take() {
            Some(first) => Ok(Some(first)),
            None => self.rest.next_part(),
        }
    }

    fn recycle(&mut self, symbols: Vec<u8>) {
        self.rest.recycle(symbols);
    }
}

impl Drop for PartReader {
    fn drop(&mut self) {
        self.watch.is_dropped.store(true, Ordering::Relaxed);
    }
}

/// What is known of an input that is read, also to others than its thread.
#[derive(Debug, Default)]
struct Watch {
    /// Whether it gave fewer bytes than were asked for: no more are ready, or it is at its end.
    is_short: AtomicBool,
    /// Whether nobody wants any more of it.
    is_dropped: AtomicBool,
    /// What the symbols are, known with the first part.
    guess: OnceLock<Guess>,
}

/// An input that is watched.
struct Watched {
    inner: Box<dyn Read + Send>,
    watch: Arc<Watch>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.watch.is_dropped.load(Ordering::Relaxed) {
            return Err(io::Error::other("nobody reads it"));
        }
        let count = self.inner.read(buffer)?;
        self.watch.is_short.store(count < buffer.len(), Ordering::Relaxed);
        Ok(count)
    }
}

/// Reads parts in the thread that takes them.
struct InPlace {
    bytes: Bytes,
    /// How many are left of a file, by its length when it was opened.
    left: Option<u64>,
    waits: bool,
    watch: Arc<Watch>,
    format: Format,
    /// What was read to know the format.
    head: Vec<u8>,
    buffer: Vec<u8>,
    parser: Parser,
    builder: Builder,
    /// Instead of both, where lines are given together.
    blocks: Option<Blocks>,
    is_at_end: bool,
    /// What was found after the parts that are ready.
    error: Option<Error>,
}

impl InPlace {
    fn new(input: Input, watch: &Arc<Watch>, options: PartOptions) -> Result<Self> {
        let watch = Arc::clone(watch);
        let waits = input.waits;
        let watched = Watched { inner: input.read, watch: Arc::clone(&watch) };
        let mut bytes = Bytes::new(Input { read: Box::new(watched), ..input }, options.keep_compressed)?;
        let mut head = bytes.head(|head| options.raw || Format::detect(head).is_some())?;
        let format = if options.raw { Format::Lines } else { Format::detect_whole(&head) };
        let skipped = match format {
            Format::Lines if options.raw => 0,
            Format::Lines => mark(&head),
            _ => blanks(&head),
        };
        let parser = match format {
            Format::Lines => Parser::lines_after(skipped as u64),
            _ => Parser::new(format, &bytes.source, line_behind(&head[..skipped])),
        };
        head.drain(..skipped);
        let symbols = if waits { options.symbols.min(options.symbols_of_pipe) } else { options.symbols };
        let builder = Builder::new(Limits::new(symbols, options.whole), options.fastq && format == Format::Fastq);
        let are_together = options.lines_together && format == Format::Lines;
        let blocks = are_together.then(|| Blocks::new(symbols, skipped as u64));
        let left = bytes.len.map(|len| len.saturating_sub((skipped + head.len()) as u64));
        let buffer = Vec::new();
        let is_at_end = false;
        let error = None;
        Ok(Self { bytes, left, waits, watch, format, head, buffer, parser, builder, blocks, is_at_end, error })
    }

    /// Takes the next bytes.
    fn read(&mut self) -> Result<()> {
        let head = std::mem::take(&mut self.head);
        let count = if head.is_empty() { self.read_more()? } else { head.len() };
        match &mut self.blocks {
            Some(blocks) if !head.is_empty() => blocks.begin(head)?,
            Some(blocks) => blocks.add(count)?,
            None => {
                let next = if head.is_empty() { &self.buffer[..count] } else { &head };
                self.parser.take(next, &mut self.builder).map_err(|complaint| self.bytes.cause(complaint))?;
            }
        }
        if count == 0 {
            self.is_at_end = true;
            return match &mut self.blocks {
                Some(blocks) => {
                    blocks.finish();
                    Ok(())
                }
                None => {
                    self.parser.finish(&mut self.builder)?;
                    self.builder.hand_on()
                }
            };
        }
        // A decompressor gives as much as it is asked for while it has any.
        if self.waits && count < BUFFER && self.watch.is_short.load(Ordering::Relaxed) {
            match &mut self.blocks {
                Some(blocks) => blocks.hand_on()?,
                None => self.builder.hand_on()?,
            }
        }
        Ok(())
    }

    /// Reads where the next bytes belong: into the block, or else the buffer. How many there were; 0 at the end.
    fn read_more(&mut self) -> Result<usize> {
        // Of a file as many as there should be, and then some, of which there are none at its end.
        let most = self.left.map_or(BUFFER, |left| usize::try_from(left).unwrap_or(BUFFER).clamp(LEAST, BUFFER));
        let room = match &mut self.blocks {
            Some(blocks) => blocks.room(most)?,
            None => {
                if self.buffer.len() < most {
                    self.buffer.resize(most, 0);
                }
                &mut self.buffer[..]
            }
        };
        let count = self.bytes.read(room)?;
        self.left = self.left.map(|left| left.saturating_sub(count as u64));
        Ok(count)
    }
}

impl Parts for InPlace {
    fn next_part(&mut self) -> Result<Option<Part>> {
        loop {
            if let Some(part) = self.blocks.as_mut().map_or_else(|| self.builder.ready(), Blocks::ready) {
                self.watch.guess.get_or_init(|| self.builder.guess(self.format));
                return Ok(Some(part));
            }
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if self.is_at_end {
                return Ok(None);
            }
            if let Err(error) = self.read() {
                (self.is_at_end, self.error) = (true, Some(error));
            }
        }
    }

    fn recycle(&mut self, symbols: Vec<u8>) {
        match &mut self.blocks {
            Some(blocks) => blocks.recycle(symbols),
            None => self.builder.recycle(symbols),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_same_in_memory_that_is_used_again() {
        let lines: String = (0..100_000).map(|line| format!("{line}\n")).collect();
        let records: String = (0..50).map(|record| format!(">{record}\n{}", &lines[..record * 1000])).collect();
        for (text, together) in [(lines.clone(), false), (lines.clone(), true), (records, false)] {
            for symbols in [1000, 70_000] {
                let parts = |recycles: bool| {
                    let options = PartOptions::default().symbols(symbols).lines_together(together);
                    let mut reader =
                        PartReader::from_reader("a text", std::io::Cursor::new(text.clone()), options).unwrap();
                    let (mut read, mut records) = (Vec::new(), Vec::new());
                    while let Some(part) = reader.next_part().unwrap() {
                        for record in part.records {
                            read.extend_from_slice(&part.symbols[record.range.clone()]);
                            records.push((record.number, record.name, record.is_whole));
                        }
                        if recycles {
                            reader.recycle(part.symbols);
                        }
                    }
                    // Of an input that is no file parts are cut as it comes.
                    records.dedup_by(|later, earlier| {
                        let is_one = later.0 == earlier.0;
                        earlier.2 |= is_one && later.2;
                        is_one
                    });
                    (read, records)
                };
                assert!(parts(true) == parts(false), "{symbols} {together}");
            }
        }
    }
}
