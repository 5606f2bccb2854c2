//! Parts of a text, cut only at line ends. The single lines are not parsed.

use crate::text::parts::{Part, PartRecord};
use crate::{Result, memory};
use std::collections::VecDeque;

/// Builds the parts. Together they are one record: the text with its line ends.
pub(super) struct Blocks {
    /// Size of a part in bytes; the line that crosses the limit is completed.
    limit: usize,
    /// Buffer of the current block, and the number of its bytes that are filled.
    block: Vec<u8>,
    filled: usize,
    /// Start of the block's last line.
    last_line: usize,
    /// Bytes in the previous parts, and the offset in the file of the first part.
    before: u64,
    place: u64,
    ready: VecDeque<Part>,
    /// Buffer for the next block.
    spare: Vec<u8>,
}

impl Blocks {
    /// Returns a builder for a text that begins at byte `place` of its file.
    pub fn new(limit: usize, place: u64) -> Self {
        let limit = limit.max(1);
        let block = Vec::new();
        let spare = Vec::new();
        Self { limit, block, filled: 0, last_line: 0, before: 0, place, ready: VecDeque::new(), spare }
    }

    /// Adds the first bytes.
    pub fn begin(&mut self, head: Vec<u8>) -> Result<()> {
        self.block = head;
        self.filled = 0;
        self.add(self.block.len())
    }

    /// Takes a buffer to use for the next block.
    pub fn recycle(&mut self, symbols: Vec<u8>) {
        self.spare = symbols;
    }

    /// Returns a buffer for the next `bytes` bytes. A call of [`add`](Self::add) must follow.
    pub fn room(&mut self, bytes: usize) -> Result<&mut [u8]> {
        let room = self.filled..self.filled + bytes;
        grow(&mut self.block, room.end)?;
        Ok(&mut self.block[room])
    }

    /// Adds bytes that have been written to the buffer of [`room`](Self::room).
    pub fn add(&mut self, bytes: usize) -> Result<()> {
        let new = self.filled..self.filled + bytes;
        if let Some(end) = memchr::memrchr(b'\n', &self.block[new.clone()]) {
            self.last_line = new.start + end + 1;
        }
        self.filled = new.end;
        if self.filled >= self.limit { self.hand_on() } else { Ok(()) }
    }

    /// Completes a part with the whole lines so far, if there are any.
    pub fn hand_on(&mut self) -> Result<()> {
        if self.last_line == 0 {
            return Ok(());
        }
        let rest = &self.block[self.last_line..self.filled];
        let mut next = std::mem::take(&mut self.spare);
        grow(&mut next, rest.len())?;
        // Reserves the final size, so that the block is not moved while it grows.
        let more = self.block.capacity().saturating_sub(next.len());
        memory::reserve(&mut next, more, "a part of a text")?;
        next[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
        self.block.truncate(self.last_line);
        let symbols = std::mem::replace(&mut self.block, next);
        self.next(symbols, false);
        Ok(())
    }

    /// Completes a part with all bytes so far.
    pub fn finish(&mut self) {
        let mut symbols = std::mem::take(&mut self.block);
        symbols.truncate(self.filled);
        self.next(symbols, true);
    }

    /// Completes a part of whole lines. The current block must be empty.
    pub fn add_lines(&mut self, symbols: Vec<u8>) {
        self.next(symbols, false);
    }

    /// Returns the offset in the file behind the parts that are complete.
    pub fn done(&self) -> u64 {
        self.place + self.before
    }

    fn next(&mut self, symbols: Vec<u8>, is_whole: bool) {
        let before = self.before;
        let place = self.place;
        let range = 0..symbols.len();
        self.before += symbols.len() as u64;
        self.last_line = 0;
        if !symbols.is_empty() {
            let record = PartRecord { number: 0, name: None, range, before, place, is_whole, fastq: None };
            self.ready.push_back(Part { symbols, records: vec![record] });
        }
    }

    /// Returns the next completed part.
    pub fn ready(&mut self) -> Option<Part> {
        self.ready.pop_front()
    }
}

/// Extends a vector to at least `len` bytes of any value.
fn grow(bytes: &mut Vec<u8>, len: usize) -> Result<()> {
    if bytes.len() < len {
        memory::reserve(bytes, len - bytes.len(), "a part of a text")?;
        bytes.resize(len, 0);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_between_lines() {
        let text = b"one\ntwo\n\nthree and more\nf\r\nlast".as_slice();
        for limit in 1..40 {
            for step in 1..12 {
                let mut blocks = Blocks::new(limit, 3);
                let mut all = Vec::new();
                let mut look = |blocks: &mut Blocks| {
                    while let Some(part) = blocks.ready() {
                        let [record] = &part.records[..] else { panic!("{part:?}") };
                        assert_eq!((record.before, record.range.clone()), (all.len() as u64, 0..part.symbols.len()));
                        assert_eq!(record.place, 3);
                        all.extend_from_slice(&part.symbols);
                        assert!(all.ends_with(b"\n") || all.len() == text.len());
                        assert_eq!(record.is_whole, !all.ends_with(b"\n"));
                        blocks.recycle(part.symbols);
                    }
                };
                for bytes in text.chunks(step) {
                    // The buffer may be larger than needed.
                    blocks.room(bytes.len() + step % 3).unwrap()[..bytes.len()].copy_from_slice(bytes);
                    blocks.add(bytes.len()).unwrap();
                    look(&mut blocks);
                }
                blocks.finish();
                look(&mut blocks);
                assert_eq!(all, text, "{limit} {step}");
            }
        }
    }
}
