//! Reads an input in chunks: several threads read and parse the chunks side by side, and one thread
//! joins them in order.
//!
//! ```text
//! chunks      |------ 0 ------|------ 1 ------|------ 2 ------|
//! parsed by   | one thread    |  | a second   |    | a third  |
//!                              ^^              ^^^^
//! ```
//!
//! The bytes before the [cut](super::parse::cut) of a chunk (^) end the last line or record of the
//! chunk before. The joining thread parses them, and checks that the cut is right. Otherwise it
//! parses the whole chunk, so records, errors and line numbers are those of one parser.

use super::Format;
use super::changes::RegularFile;
use super::parse::{Cut, Parser, Visitor, cut};
use super::recording::Recording;
use super::source::{Bytes, HEAD, Source};
use crate::threads::crew::Crew;
use crate::{Error, Result, memory};
use std::io;

/// Size of a chunk in bytes: it fits into the cache of a core.
const CHUNK: usize = 1 << 20;
/// Upper bound on the threads for an input. The joining thread is slower than more of them.
const THREADS: usize = 8;
/// Number of chunks per thread of the shortest file that is divided.
const CHUNKS_PER_THREAD: u64 = 2;

/// How an input is divided among threads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Division {
    /// Size of a chunk in bytes.
    pub chunk: usize,
    pub threads: usize,
}

impl Division {
    /// Returns the division of an input, or `None` if one thread is as fast.
    pub fn new(bytes: &Bytes) -> Option<Self> {
        let chunks = bytes.file_len? / CHUNK as u64 / CHUNKS_PER_THREAD;
        if chunks < 2 {
            return None;
        }
        let threads = rayon::current_num_threads().min(THREADS).min(usize::try_from(chunks).unwrap_or(THREADS));
        (threads > 1).then_some(Self { chunk: CHUNK, threads })
    }
}

/// A chunk of an input.
#[derive(Default)]
pub(super) struct Chunk {
    buffer: Vec<u8>,
    /// Number of bytes in the buffer.
    len: usize,
    /// Offset in the file of bytes that are still to be read.
    place: Option<u64>,
    fault: Option<io::Error>,
    /// The bytes behind the cut, if they are parsed, and the parser at their end.
    recording: Recording,
    parsed: Option<(Cut, Parser)>,
}

impl Chunk {
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// Passes the chunk's records to a visitor. `parser` has parsed what is before them.
    pub fn parse(&mut self, parser: &mut Parser, visitor: &mut impl Visitor) -> Result<()> {
        let Some((cut, mut ahead)) = self.parsed.take() else { return parser.take(self.bytes(), visitor) };
        let (before, rest) = self.bytes().split_at(cut.place);
        parser.take(before, visitor)?;
        let Some(line) = parser.handover(cut) else { return parser.take(rest, visitor) };
        self.recording.play(line, visitor)?;
        ahead.skip_lines(line);
        *parser = ahead;
        Ok(())
    }

    /// Reads and parses in any thread.
    fn work(&mut self, file: Option<&RegularFile>, format: Format, source: &Source) {
        if let Some((file, place)) = file.zip(self.place.take()) {
            match file.read_full_at(&mut self.buffer, place) {
                Ok(count) => self.len = count,
                Err(fault) => self.fault = Some(fault),
            }
        }
        if let Some(cut) = cut(format, self.bytes())
            && let Some(mut parser) = Parser::behind_cut(format, source, cut)
            && parser.take(&self.buffer[cut.place..self.len], &mut self.recording).is_ok()
        {
            self.parsed = Some((cut, parser));
        }
    }
}

/// The chunks of an input.
pub(super) struct Chunks {
    crew: Crew<Chunk, Chunk>,
    /// Size of a chunk in bytes.
    chunk: usize,
    from: From,
    source: Source,
    /// Chunks to use again.
    spare: Vec<Chunk>,
    /// True if no more chunks are needed.
    is_at_end: bool,
    /// Error to return after the chunks.
    fault: Option<Error>,
}

/// Source of the bytes.
enum From {
    File {
        file: RegularFile,
        /// Offset of the next chunk to read.
        next: u64,
        /// Offset behind the last chunk that has been returned.
        done: u64,
    },
    /// The joining thread reads.
    Stream,
}

impl Chunks {
    /// Starts the threads for the rest of an input. Returns `None` if the system starts none.
    pub fn start(bytes: &Bytes, format: Format, division: Division) -> Option<Self> {
        let file = bytes.file.clone();
        let source = bytes.source.clone();
        let from = match &file {
            Some(file) => From::File { file: file.clone(), next: bytes.place, done: bytes.place },
            None => From::Stream,
        };
        let crew = Crew::start(division.threads, {
            let source = source.clone();
            move |mut chunk: Chunk| {
                chunk.work(file.as_ref(), format, &source);
                chunk
            }
        })?;
        Some(Self { crew, chunk: division.chunk, from, source, spare: Vec::new(), is_at_end: false, fault: None })
    }

    /// Returns the next chunk, which is not empty, or `None` at the end of the input.
    pub fn next(&mut self, bytes: &mut Bytes) -> Result<Option<Chunk>> {
        loop {
            self.fill(bytes)?;
            let Some(mut chunk) = self.crew.pop().map_err(|fault| self.source.io(fault))? else {
                return self.fault.take().map_or(Ok(None), Err);
            };
            if let From::File { file, done, .. } = &mut self.from {
                if self.is_at_end {
                    continue;
                }
                *done += chunk.len as u64;
                let fault = match chunk.fault.take() {
                    None if chunk.len == self.chunk => None,
                    None => file.check_end(*done).err(),
                    fault => fault,
                };
                self.is_at_end = chunk.len < self.chunk;
                self.fault = fault.map(|fault| self.source.io(fault));
            }
            if chunk.len > 0 {
                return Ok(Some(chunk));
            }
        }
    }

    /// Takes back a chunk.
    pub fn recycle(&mut self, chunk: Chunk) {
        self.spare.push(chunk);
    }

    /// Returns the cause of a parse error: damage further on, or the error itself.
    pub fn cause(&mut self, bytes: &mut Bytes, complaint: Error) -> Error {
        match (&self.from, self.fault.take()) {
            (From::Stream, Some(fault)) if matches!(complaint, Error::Input { .. }) => fault,
            _ => bytes.cause(complaint),
        }
    }

    /// Gives chunks to the threads.
    fn fill(&mut self, bytes: &mut Bytes) -> Result<()> {
        while !self.is_at_end && self.crew.has_room() {
            let end = match &self.from {
                From::File { file, next, done } => (*next >= file.len()).then_some(*next > *done),
                From::Stream => None,
            };
            // Behind the length of a file, one chunk at a time shows whether more follows.
            if end == Some(true) {
                break;
            }
            let mut chunk = self.spare.pop().unwrap_or_default();
            let missing = self.chunk.saturating_sub(chunk.buffer.len());
            memory::reserve(&mut chunk.buffer, missing, "a part of a text")?;
            chunk.buffer.resize(self.chunk, 0);
            chunk.len = 0;
            chunk.parsed = None;
            chunk.recording.clear();
            match &mut self.from {
                From::File { next, .. } => {
                    chunk.place = Some(*next);
                    *next = next.saturating_add(self.chunk as u64);
                }
                From::Stream => match bytes.read_full(&mut chunk.buffer, &mut chunk.len) {
                    Ok(()) => self.is_at_end = chunk.len < self.chunk,
                    Err(fault) => (self.is_at_end, self.fault) = (true, Some(fault)),
                },
            }
            self.crew.push(chunk).map_err(|fault| self.source.io(fault))?;
        }
        Ok(())
    }
}

/// Parses the records of an input, by one thread or several.
pub(super) struct Feed {
    bytes: Bytes,
    chunks: Option<Chunks>,
    /// Buffer of the only thread.
    buffer: Vec<u8>,
}

impl Feed {
    /// Returns a feed of the bytes that have not been read yet, as [`Division`] or another function
    /// divides them.
    pub fn new(bytes: Bytes, format: Format, divide: impl FnOnce(&Bytes) -> Option<Division>) -> Self {
        let chunks = divide(&bytes).and_then(|division| Chunks::start(&bytes, format, division));
        Self { bytes, chunks, buffer: Vec::new() }
    }

    /// Parses bytes that have been read to detect the format.
    pub fn parse_head(&mut self, head: &[u8], parser: &mut Parser, visitor: &mut impl Visitor) -> Result<()> {
        parser.take(head, visitor).map_err(|complaint| self.bytes.cause(complaint))
    }

    /// Parses the next bytes. Returns false at the end of the input.
    pub fn parse_next(&mut self, parser: &mut Parser, visitor: &mut impl Visitor) -> Result<bool> {
        if let Some(chunks) = &mut self.chunks {
            let Some(mut chunk) = chunks.next(&mut self.bytes)? else { return Ok(false) };
            let parsed = chunk.parse(parser, visitor);
            parsed.map_err(|complaint| chunks.cause(&mut self.bytes, complaint))?;
            chunks.recycle(chunk);
            return Ok(true);
        }
        self.buffer.resize(4 * HEAD, 0);
        let count = self.bytes.read(&mut self.buffer)?;
        parser.take(&self.buffer[..count], visitor).map_err(|complaint| self.bytes.cause(complaint))?;
        Ok(count > 0)
    }
}
