//! Reads a file of lines in parts: several threads read whole parts straight into the memory of the
//! caller's parts.
//!
//! One thread finds where the parts end: it reads the bytes before the largest allowed end of each,
//! and looks for the last line feed.

use super::blocks::Blocks;
use super::changes::RegularFile;
use super::chunks::Division;
use super::crew::Crew;
use super::source::Source;
use crate::text::parts::{Part, PartRecord};
use crate::{Result, memory};

/// Bytes of parts that may be read at the same time, and the number of parts if that is larger.
const AT_ONCE: usize = 128 << 20;
const MIN_PARTS: usize = 3;

/// Upper bound on the bytes to read at a time in search of a line feed.
const SEARCHED: usize = 1 << 16;

/// A part to read, and then its bytes.
struct Reading {
    start: u64,
    bytes: Vec<u8>,
    /// Number of bytes to read.
    len: usize,
    read: Result<usize>,
}

/// Parts of a file, up to the last one, whose end the file's length does not tell for sure.
pub(super) struct LineParts {
    crew: Crew<Reading, Reading>,
    /// Number of parts that the crew has, and its upper bound.
    reading: usize,
    at_once: usize,
    file: RegularFile,
    source: Source,
    /// Offset of the first line.
    place: u64,
    /// Offset of the next part to read, and of the next part to return.
    next: u64,
    done: u64,
    /// Size of a part in bytes; a longer line is a part by itself.
    limit: usize,
    /// Buffer for the search of line feeds.
    searched: Vec<u8>,
    /// Buffers to use again.
    spare: Vec<Vec<u8>>,
    /// True if the last part has been reached.
    is_at_last: bool,
}

impl LineParts {
    /// Starts the threads for a file whose first line is at byte `place`. Returns `None` if the
    /// system starts none.
    pub fn start(
        file: &RegularFile,
        source: &Source,
        place: u64,
        limit: usize,
        Division { chunk, threads }: Division,
    ) -> Option<Self> {
        let limit = limit.max(1);
        let at_once = (AT_ONCE / limit).clamp(MIN_PARTS, MIN_PARTS.max(2 * threads));
        let crew = Crew::start(threads.min(at_once), {
            let file = file.clone();
            let source = source.clone();
            move |mut part: Reading| {
                part.read = read(&file, &source, &mut part, limit);
                part
            }
        })?;
        Some(Self {
            crew,
            reading: 0,
            at_once,
            file: file.clone(),
            source: source.clone(),
            place,
            next: place,
            done: place,
            limit,
            searched: vec![0; chunk.clamp(1, SEARCHED)],
            spare: Vec::new(),
            is_at_last: false,
        })
    }

    /// Returns the next part, or `None` if only the last part is left.
    pub fn next_part(&mut self) -> Result<Option<Part>> {
        while self.reading < self.at_once && !self.is_at_last {
            let Some(end) = self.end_of_part()? else {
                self.is_at_last = true;
                break;
            };
            let start = std::mem::replace(&mut self.next, end);
            let bytes = self.spare.pop().unwrap_or_default();
            // A part is at most as long as the limit or a line, both of which fit into memory.
            let part = Reading { start, bytes, len: (end - start) as usize, read: Ok(0) };
            self.crew.push(part).map_err(|fault| self.source.io(fault))?;
            self.reading += 1;
        }
        let Some(part) = self.crew.pop().map_err(|fault| self.source.io(fault))? else { return Ok(None) };
        self.reading -= 1;
        let Reading { start: at, bytes: symbols, len, read } = part;
        let read = read?;
        if read < len {
            // The file is shorter than it was. The rest is read as the last part.
            self.file.check_end(at + read as u64).map_err(|fault| self.source.io(fault))?;
            while self.crew.pop().is_ok_and(|part| part.is_some()) {}
            (self.reading, self.is_at_last, self.next) = (0, true, at);
            return Ok(None);
        }
        self.done = at + len as u64;
        let before = at - self.place;
        let record = PartRecord {
            number: 0,
            name: None,
            range: 0..len,
            before,
            place: self.place,
            is_whole: false,
            fastq: None,
        };
        Ok(Some(Part { symbols, records: vec![record] }))
    }

    /// Takes a buffer to use again.
    pub fn recycle(&mut self, symbols: Vec<u8>) {
        if self.spare.len() < self.at_once {
            self.spare.push(symbols);
        }
    }

    /// Returns the offset of the first byte behind the parts that have been returned.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Returns a builder of parts for the bytes from there on.
    pub fn rest(&self) -> Blocks {
        Blocks::new(self.limit, self.place, self.done - self.place)
    }

    /// Returns the end of the part that starts at `next`, which is at a line end, or `None` for the
    /// last part.
    fn end_of_part(&mut self) -> Result<Option<u64>> {
        let most = self.next.saturating_add(self.limit as u64);
        if most >= self.file.len() {
            return Ok(None);
        }
        let mut end = most;
        while end > self.next {
            let start = end.saturating_sub(self.searched.len() as u64).max(self.next);
            let found = self.searched(start, end, |bytes| memchr::memrchr(b'\n', bytes))?;
            if let Some(line_feed) = found {
                return Ok(Some(line_feed + 1));
            }
            end = start;
        }
        // No line ends within the limit.
        let mut start = most;
        while start < self.file.len() {
            let end = start.saturating_add(self.searched.len() as u64).min(self.file.len());
            let found = self.searched(start, end, |bytes| memchr::memchr(b'\n', bytes))?;
            if let Some(line_feed) = found {
                return Ok(Some(line_feed + 1).filter(|&end| end < self.file.len()));
            }
            start = end;
        }
        Ok(None)
    }

    /// Searches the bytes from `start` to `end`, at most as many as `searched` holds. Returns an
    /// offset in the file.
    fn searched(&mut self, start: u64, end: u64, find: impl Fn(&[u8]) -> Option<usize>) -> Result<Option<u64>> {
        let buffer = &mut self.searched[..(end - start) as usize];
        let count = self.file.read_full_at(buffer, start).map_err(|fault| self.source.io(fault))?;
        Ok(find(&buffer[..count]).map(|found| start + found as u64))
    }
}

/// Reads a part, into memory for at least `room` bytes. Returns the number of bytes.
fn read(file: &RegularFile, source: &Source, part: &mut Reading, room: usize) -> Result<usize> {
    if part.bytes.capacity() < part.len {
        // The system zeroes these pages when they are first written.
        part.bytes = memory::filled(room.max(part.len), 0, "a part of a text")?;
    }
    part.bytes.resize(part.len, 0);
    file.read_full_at(&mut part.bytes, part.start).map_err(|fault| source.io(fault))
}
