//! Reads a file of lines in parts: several threads read whole parts straight into the memory of the
//! caller's parts.
//!
//! One thread finds where the parts end: it reads the bytes before the largest allowed end of each,
//! and looks for the last line feed.

use super::changes::RegularFile;
use super::chunks::Division;
use super::source::Source;
use crate::threads::crew::Crew;
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
    /// Upper bound on the parts that the crew has.
    at_once: usize,
    file: RegularFile,
    source: Source,
    /// Offset of the next part to read.
    next: u64,
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
    /// file is a single part, or if the system starts no thread.
    pub fn start(
        file: &RegularFile,
        source: &Source,
        place: u64,
        limit: usize,
        Division { chunk, threads }: Division,
    ) -> Option<Self> {
        let limit = limit.max(1);
        if file.len() <= place.saturating_add(limit as u64) {
            return None;
        }
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
            at_once,
            file: file.clone(),
            source: source.clone(),
            next: place,
            limit,
            searched: vec![0; chunk.clamp(1, SEARCHED)],
            spare: Vec::new(),
            is_at_last: false,
        })
    }

    /// Returns the lines of the next part, or `None` if only the last part is left.
    pub fn next_part(&mut self) -> Result<Option<Vec<u8>>> {
        while self.crew.jobs() < self.at_once && !self.is_at_last {
            let Some(end) = self.end_of_part()? else {
                self.is_at_last = true;
                break;
            };
            let start = std::mem::replace(&mut self.next, end);
            let bytes = self.spare.pop().unwrap_or_default();
            // A line may be longer than memory can be.
            let len = usize::try_from(end - start).unwrap_or(usize::MAX);
            let part = Reading { start, bytes, len, read: Ok(0) };
            self.crew.push(part).map_err(|fault| self.source.io(fault))?;
        }
        let Some(part) = self.crew.pop().map_err(|fault| self.source.io(fault))? else { return Ok(None) };
        let read = part.read?;
        if read < part.len {
            // The file is shorter than it was. Its remaining bytes become the last part.
            self.file.check_end(part.start + read as u64).map_err(|fault| self.source.io(fault))?;
            self.is_at_last = true;
            while self.crew.pop().is_ok_and(|part| part.is_some()) {}
            return Ok(None);
        }
        Ok(Some(part.bytes))
    }

    /// Takes a buffer to use again.
    pub fn recycle(&mut self, symbols: Vec<u8>) {
        if self.spare.len() < self.at_once {
            self.spare.push(symbols);
        }
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
