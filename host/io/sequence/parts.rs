//! Reads a file of any size in parts.

use super::ahead::Ahead;
use super::blocks::Blocks;
use super::builder::{Builder, Limits};
use super::chunks::{Chunks, Division};
use super::copier::Copier;
use super::excerpt::Excerpt;
use super::kind::{Guess, Sample};
use super::line_parts::LineParts;
use super::opened::{Wanted, open_records};
use super::parse::{Parser, blanks, mark};
use super::part_options::{PartOptions, is_small};
use super::source::{Bytes, HEAD, Input, Source};
use super::{Format, Kind};
use crate::text::parts::{Part, Parts};
use crate::{Error, Result};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Upper bound on the bytes to read at a time.
const BUFFER: usize = 4 * HEAD;
/// Lower bound on the bytes to read at a time.
const MIN_READ: usize = 256;

/// Reads a file in parts: FASTA, FASTQ or lines, as [`read_document`](super::read_document) does.
///
/// A thread of its own reads and decompresses the file one part ahead, unless the file fits into
/// one part. For a file of several MiB, up to 8 more threads read and parse pieces of 1 MiB, and up
/// to 3 more copy their symbols into parts. Neither are more than rayon has threads, and there are
/// none if it has one. Memory holds the part that the caller has, the part that is ready, the part
/// that is being read, one part that the caller gave back ([`Parts::recycle`]), and up to 16 MiB of
/// pieces and as much of their symbols. If lines are returned together, each thread reads a whole
/// part instead; at most 128 MiB of parts or three parts are read at the same time. After an error
/// there are no more parts; the part with the error is not returned.
///
/// Up to 16 threads decompress a file of 1 MiB or more that consists of several BGZF blocks, bzip2
/// streams, xz blocks whose headers have their sizes, or zstd frames. A thread has at most two of
/// these in memory, or as many as have 128 to 256 KiB together. One of more than 16 MiB, or of more
/// than 64 MiB decompressed, is left to one thread with all that follows.
///
/// ```
/// use carrywave::io::sequence::{PartOptions, PartReader};
/// use carrywave::text::parts::Parts;
///
/// let mut reader = PartReader::from_reader(
///     "a text",
///     &b">one\nAC\nGT\n>two\nAC\n"[..],
///     PartOptions::default(),
/// )?;
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
    excerpt: Option<Excerpt>,
    lines_are_together: bool,
    guess: Guess,
    first: Option<Part>,
    rest: Ahead<InPlace>,
    watch: Arc<Watch>,
}

impl PartReader {
    /// Opens the file at `path` (`-` is standard input), and reads the first part. See the
    /// [example](PartOptions).
    ///
    /// A path such as `genome.fa:chr1:1001-2000` chooses a record or a part of it
    /// ([`InputPath`](super::InputPath)), which is read into memory at once.
    ///
    /// # Errors
    /// Errors of [`read_document`](super::read_document) that the first part can cause.
    pub fn open(path: impl AsRef<Path>, options: PartOptions) -> Result<Self> {
        let wanted =
            Wanted { record: None, is_text: options.raw || options.lines, keep_compressed: options.keep_compressed };
        Self::divided(open_records(path.as_ref(), wanted)?, options, Division::new)
    }

    /// Reads any input; messages refer to it as `name`. Reads the first part at once. If a read
    /// returns fewer bytes than requested, the input counts as having no more for the moment, and
    /// whole records are handed out. After the reader is dropped, it releases the input at the next
    /// byte that arrives. See the [example](Self).
    ///
    /// # Errors
    /// As [`PartReader::open`].
    pub fn from_reader(name: &str, input: impl Read + Send + 'static, options: PartOptions) -> Result<Self> {
        let source = Source::new(name, name);
        Self::divided(Input { source, read: Box::new(input), waits: true, file: None, known: None }, options, |_| None)
    }

    /// Reads an input, divided among threads by `divide`.
    pub(super) fn divided(
        input: Input,
        options: PartOptions,
        divide: impl FnOnce(&Bytes) -> Option<Division>,
    ) -> Result<Self> {
        let source = input.source.clone();
        let watch = Arc::new(Watch::default());
        let in_place = InPlace::new(input, &watch, options, divide)?;
        let format = in_place.format;
        let len = in_place.bytes.len;
        let excerpt = in_place.bytes.known.and_then(|known| known.excerpt);
        let lines_are_together = in_place.blocks.is_some();
        let limits = in_place.builder.limits;
        // A file of at most one part is read at once, as there is nothing to read ahead.
        let is_small = len.is_some_and(|len| len <= options.symbols as u64);
        let mut rest = if is_small { Ahead::Here(in_place) } else { Ahead::start(in_place, limits, source) };
        let first = rest.next_part()?;
        let guess = watch.guess.get().copied().unwrap_or_else(|| Sample::new(format).guess());
        Ok(Self { format, len, excerpt, lines_are_together, guess, first, rest, watch })
    }

    /// Returns the format of the input. See the [example](Self).
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the size of the whole input in bytes, slightly more than its symbols, or `None`
    /// unless it is an uncompressed file or a chosen record. See the [example](Self).
    pub fn bytes(&self) -> Option<u64> {
        self.len
    }

    /// Returns the part of the only record that the path chose, or `None` unless it chose a region.
    /// Positions in the parts count from its start. See the [example](Excerpt).
    pub fn excerpt(&self) -> Option<Excerpt> {
        self.excerpt
    }

    /// Returns true if all lines are one record ([`PartOptions::lines_together`]). See the
    /// [example](Self).
    pub fn lines_are_together(&self) -> bool {
        self.lines_are_together
    }

    /// Returns the first part, or `None` once it has been taken. See the [example](Self).
    pub fn first(&self) -> Option<&Part> {
        self.first.as_ref()
    }

    /// Guesses the kind of the symbols from the records of the first part. See the [example](Self).
    pub fn kind(&self) -> Kind {
        self.guess.kind
    }

    /// Returns false if the kind is a close guess: nucleotides with many IUPAC codes may be a
    /// protein. See the [example](Self).
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

/// State of an input that is being read, visible to all threads.
#[derive(Debug, Default)]
struct Watch {
    /// True if the last read returned fewer bytes than requested: no more are ready, or the input
    /// has ended.
    is_short: AtomicBool,
    /// True if the reader has been dropped.
    is_dropped: AtomicBool,
    /// Guess at the kind of symbols, set with the first part.
    guess: OnceLock<Guess>,
}

/// Returns the error of reading after the reader has been dropped.
fn closed() -> io::Error {
    io::Error::other("the reader has closed it")
}

/// An input that reports to a [`Watch`].
struct Watched {
    inner: Box<dyn Read + Send>,
    watch: Arc<Watch>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.watch.is_dropped.load(Ordering::Relaxed) {
            return Err(closed());
        }
        let count = self.inner.read(buffer)?;
        self.watch.is_short.store(count < buffer.len(), Ordering::Relaxed);
        Ok(count)
    }
}

/// Reads parts in the caller's thread.
struct InPlace {
    bytes: Bytes,
    /// The chunks of the bytes behind the head, if several threads read them.
    chunks: Option<Chunks>,
    /// Bytes left of a file, by its length when it was opened.
    left: Option<u64>,
    waits: bool,
    watch: Arc<Watch>,
    format: Format,
    /// Bytes that have been read to detect the format.
    head: Vec<u8>,
    buffer: Vec<u8>,
    parser: Parser,
    builder: Builder,
    /// Replaces parser and builder if lines are returned together.
    blocks: Option<Blocks>,
    /// Reads the file up to its last part, if several threads read lines that are returned
    /// together.
    line_parts: Option<LineParts>,
    is_at_end: bool,
    /// Error to return after the parts that are ready.
    error: Option<Error>,
}

impl InPlace {
    fn new(
        input: Input,
        watch: &Arc<Watch>,
        options: PartOptions,
        divide: impl FnOnce(&Bytes) -> Option<Division>,
    ) -> Result<Self> {
        let watch = Arc::clone(watch);
        let waits = input.waits;
        let watched = Watched { inner: input.read, watch: Arc::clone(&watch) };
        let mut bytes = Bytes::new(Input { read: Box::new(watched), ..input }, options.keep_compressed)?;
        // The first read may return a few bytes only, which say nothing about the lines.
        let needs_lines = options.short_lines_together && !waits && !is_small(&bytes);
        let known = bytes.known;
        let mut head =
            bytes.head(|head| known.is_some() || !needs_lines && (options.raw || Format::detect(head).is_some()))?;
        if options.lines && !options.raw {
            bytes.source.refuse_utf_16(&head)?;
        }
        let format = bytes.format(&head, options.raw || options.lines)?;
        let skipped = match format {
            Format::Lines if options.raw => 0,
            Format::Lines => mark(&head),
            _ => blanks(&head),
        };
        let parser = match format {
            Format::Lines => Parser::lines_after(skipped as u64),
            _ => {
                let line = bytes.first_line(&head[..skipped]);
                Parser::new(format, &bytes.source, line)
            }
        };
        head.drain(..skipped);
        let symbols = if waits { options.symbols.min(options.symbols_of_pipe) } else { options.symbols };
        let are_together = format == Format::Lines && options.are_together(&bytes, waits, &head);
        let blocks = are_together.then(|| Blocks::new(symbols, skipped as u64));
        let left = bytes.len.map(|len| len.saturating_sub((skipped + head.len()) as u64));
        let division = divide(&bytes);
        let lines_of = division.zip(bytes.file.as_ref()).filter(|_| are_together);
        let line_parts = lines_of
            .and_then(|(division, file)| LineParts::start(file, &bytes.source, skipped as u64, symbols, division));
        let division = division.filter(|_| !are_together);
        let chunks = division.and_then(|division| Chunks::start(&bytes, format, division));
        let limits = Limits::new(symbols, options.whole).repeated(options.repeated);
        let copier = division.map_or_else(Copier::default, |division| Copier::new(division.threads));
        let builder = Builder::new(limits, format, options.fastq, copier);
        let buffer = Vec::new();
        let is_at_end = false;
        let error = None;
        Ok(Self {
            bytes,
            chunks,
            left,
            waits,
            watch,
            format,
            head,
            buffer,
            parser,
            builder,
            blocks,
            line_parts,
            is_at_end,
            error,
        })
    }

    /// Reads and parses the next bytes.
    fn read(&mut self) -> Result<()> {
        if self.watch.is_dropped.load(Ordering::Relaxed) {
            return Err(self.bytes.source.io(closed()));
        }
        if self.line_parts.is_some() {
            return self.read_lines();
        }
        if self.head.is_empty() && self.chunks.is_some() {
            return self.read_chunk();
        }
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
            return self.finish();
        }
        // A decompressor fills the buffer until its data ends.
        if self.waits && count < BUFFER && self.watch.is_short.load(Ordering::Relaxed) {
            match &mut self.blocks {
                Some(blocks) => blocks.hand_on()?,
                None => self.builder.hand_on()?,
            }
        }
        Ok(())
    }

    /// Takes the next chunk.
    fn read_chunk(&mut self) -> Result<()> {
        let Some(chunks) = &mut self.chunks else { return Ok(()) };
        let Some(mut chunk) = chunks.next(&mut self.bytes)? else { return self.finish() };
        let parsed = chunk.parse(&mut self.parser, &mut self.builder);
        parsed.map_err(|complaint| chunks.cause(&mut self.bytes, complaint))?;
        chunks.recycle(chunk);
        Ok(())
    }

    /// Takes the next part of lines that several threads read, and leaves the last part to this
    /// thread.
    fn read_lines(&mut self) -> Result<()> {
        let (Some(parts), Some(blocks)) = (&mut self.line_parts, &mut self.blocks) else { return Ok(()) };
        if let Some(lines) = parts.next_part()? {
            blocks.add_lines(lines);
            return Ok(());
        }
        let place = blocks.done();
        self.line_parts = None;
        self.bytes.go_on_at(place)?;
        self.head.clear();
        self.left = self.bytes.len.map(|len| len.saturating_sub(place));
        Ok(())
    }

    /// Completes the last part.
    fn finish(&mut self) -> Result<()> {
        self.is_at_end = true;
        match &mut self.blocks {
            Some(blocks) => {
                blocks.finish();
                Ok(())
            }
            None => {
                self.parser.finish(&mut self.builder)?;
                self.builder.hand_on()
            }
        }
    }

    /// Reads the next bytes into the block or else the buffer. Returns their number; 0 at the end.
    fn read_more(&mut self) -> Result<usize> {
        // Requests the remaining bytes of a file, up to the buffer size. At its expected end it
        // requests a few bytes more, which shows that no more follow.
        let most = self.left.map_or(BUFFER, |left| usize::try_from(left).unwrap_or(BUFFER).clamp(MIN_READ, BUFFER));
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
                self.watch.guess.get_or_init(|| self.builder.guess());
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
        match (&mut self.line_parts, &mut self.blocks) {
            (Some(parts), _) => parts.recycle(symbols),
            (None, Some(blocks)) => blocks.recycle(symbols),
            (None, None) => self.builder.recycle(symbols),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::part_options::{LONG_LINE, SMALL_FILE};
    use super::*;

    #[test]
    fn the_first_lines_of_a_long_file_decide_whether_lines_are_together() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let short = b"short\n".repeat(HEAD / 6 + 1);
        for (line, are_together) in [(7, true), (100, true), (LONG_LINE - 1, true), (LONG_LINE, false), (HEAD, false)] {
            let long = [&b"x".repeat(line)[..], b"\n"].concat();
            let [first, second] = if line % 2 == 0 { [&short[..102], &long] } else { [&long, &short[..102]] };
            std::fs::write(&path, [first, second, &short].concat()).unwrap();
            std::fs::File::options().write(true).open(&path).unwrap().set_len(SMALL_FILE + 1).unwrap();
            for options in
                [PartOptions::default(), PartOptions::default().raw(true), PartOptions::default().lines(true)]
            {
                let reader = PartReader::open(&path, options.symbols(1000).short_lines_together(true)).unwrap();
                assert_eq!(reader.lines_are_together(), are_together, "{line} {options:?}");
            }
        }
    }

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
                    // An input other than a file is cut into parts as its bytes arrive.
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
