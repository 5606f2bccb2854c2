//! A record of a two-bit file: its length, its blocks, and the position of its bases.

use super::faults::{cut_short, damaged};
use super::signature::Order;
use crate::io::sequence::changes::RegularFile;
use crate::io::sequence::source::Source;
use crate::{Result, memory};
use std::ops::Range;

/// The layout of a record.
pub(super) struct Layout {
    /// Number of bases.
    pub len: u64,
    /// Blocks of N, in order, without overlap.
    pub unknown: Vec<Range<u64>>,
    /// Blocks in lower case, likewise.
    pub masked: Vec<Range<u64>>,
    /// Offset of the bases in the file.
    pub bases_at: u64,
}

impl Layout {
    /// Reads the layout of the record at an offset. O(blocks) in time and memory.
    ///
    /// # Errors
    /// [`Error::Input`](crate::Error::Input) if the record does not fit into the file, or a block
    /// not into the record.
    pub fn read(file: &RegularFile, source: &Source, order: Order, offset: u64) -> Result<Self> {
        let mut numbers = Numbers { file, source, order, at: offset };
        let len = u64::from(numbers.next()?);
        let unknown = numbers.blocks(len)?;
        let masked = numbers.blocks(len)?;
        numbers.next()?;
        let bases_at = numbers.at;
        if len.div_ceil(4) > file.len().saturating_sub(bases_at) {
            return Err(cut_short(source));
        }
        Ok(Self { len, unknown, masked, bases_at })
    }

    /// Returns the size in bytes of the record at an offset in the file.
    pub fn stored_len(&self, offset: u64) -> u64 {
        self.bases_at - offset + self.len.div_ceil(4)
    }
}

/// Numbers of 4 bytes, one after the other.
struct Numbers<'f> {
    file: &'f RegularFile,
    source: &'f Source,
    order: Order,
    at: u64,
}

impl Numbers<'_> {
    /// Returns the next `count` numbers.
    fn take(&mut self, count: u64) -> Result<Vec<u32>> {
        let len = count.saturating_mul(4);
        if len > self.file.len().saturating_sub(self.at) {
            return Err(cut_short(self.source));
        }
        let len = usize::try_from(len).map_err(|_| cut_short(self.source))?;
        let mut bytes = memory::filled(len, 0, "the blocks of a two-bit file")?;
        let read = self.file.read_full_at(&mut bytes, self.at).map_err(|fault| self.source.io(fault))?;
        if read < len {
            return Err(cut_short(self.source));
        }
        self.at += len as u64;
        memory::check::<u32>(len / 4, "the blocks of a two-bit file")?;
        Ok((0..len / 4).filter_map(|number| self.order.u32(&bytes, 4 * number)).collect())
    }

    fn next(&mut self) -> Result<u32> {
        self.take(1).map(|numbers| numbers[0])
    }

    /// Returns a list of blocks in a record of `len` bases.
    fn blocks(&mut self, len: u64) -> Result<Vec<Range<u64>>> {
        let count = u64::from(self.next()?);
        let starts = self.take(count)?;
        let lens = self.take(count)?;
        let mut blocks: Vec<Range<u64>> = Vec::new();
        memory::reserve(&mut blocks, starts.len(), "the blocks of a two-bit file")?;
        for (start, block_len) in starts.into_iter().zip(lens) {
            let start = u64::from(start);
            let end = start + u64::from(block_len);
            if end > len || blocks.last().is_some_and(|last| start < last.end) {
                return Err(damaged(self.source, "blocks overlap or lie outside their record"));
            }
            blocks.push(start..end);
        }
        Ok(blocks)
    }
}
