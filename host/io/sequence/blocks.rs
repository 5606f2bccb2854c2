//! Parts of a text of lines, cut between lines: the lines themselves are not looked for.

use crate::text::parts::{Part, PartRecord};
use crate::{Result, memory};
use std::collections::VecDeque;

/// Builds the parts: all together they are one record, the text with its line ends.
pub(super) struct Blocks {
    /// Bytes of a part, but for the line that passes them.
    limit: usize,
    /// Memory for the block, and the bytes of it that it has so far.
    block: Vec<u8>,
    filled: usize,
    /// Where the last line of the block begins.
    last_line: usize,
    /// Bytes in the parts before, and before the first one.
    before: u64,
    place: u64,
    ready: VecDeque<Part>,
    /// Memory for the next block.
    spare: Vec<u8>,
}

impl Blocks {
    /// Parts of a text that begins at a place of its file.
    pub fn new(limit: usize, place: u64) -> Self {
        let limit = limit.max(1);
        let block = Vec::new();
        let spare = Vec::new();
        Self { limit, block, filled: 0, last_line: 0, before: 0, place, ready: VecDeque::new(), spare }
    }

    /// Takes the first bytes.
    pub fn begin(&mut self, head: Vec<u8>) -> Result<()> {
        self.block = head;
        self.filled = 0;
        self.add(self.block.len())
    }

    /// Takes memory for the next block.
    pub fn recycle(&mut self, symbols: Vec<u8>) {
        self.spare = symbols;
    }

    /// Room for so many of the next bytes, whose [`add`](Self::add) follows.
    pub fn room(&mut self, bytes: usize) -> Result<&mut [u8]> {
        let room = self.filled..self.filled + bytes;
        grow(&mut self.block, room.end)?;
        Ok(&mut self.block[room])
    }

    /// Adds bytes that were put where there was [`room`](Self::room) for them.
    pub fn add(&mut self, bytes: usize) -> Result<()> {
        let new = self.filled..self.filled + bytes;
        if let Some(end) = memchr::memrchr(b'\n', &self.block[new.clone()]) {
            self.last_line = new.start + end + 1;
        }
        self.filled = new.end;
        if self.filled >= self.limit { self.hand_on() } else { Ok(()) }
    }

    /// Hands on the lines that are whole, if there are any.
    pub fn hand_on(&mut self) -> Result<()> {
        if self.last_line == 0 {
            return Ok(());
        }
        let rest = &self.block[self.last_line..self.filled];
        let mut next = std::mem::take(&mut self.spare);
        grow(&mut next, rest.len())?;
        // As large as it will be, so that it is not moved while it grows.
        let more = self.block.capacity().saturating_sub(next.len());
        memory::reserve(&mut next, more, "a part of a text")?;
        next[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
        self.block.truncate(self.last_line);
        let symbols = std::mem::replace(&mut self.block, next);
        self.next(symbols, false);
        Ok(())
    }

    /// Hands on all there is.
    pub fn finish(&mut self) {
        let mut symbols = std::mem::take(&mut self.block);
        symbols.truncate(self.filled);
        self.next(symbols, true);
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

    /// The next part that is done.
    pub fn ready(&mut self) -> Option<Part> {
        self.ready.pop_front()
    }
}

/// Makes sure that a vector has so many bytes, whatever they are.
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
                    // There may be more room than bytes.
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
