//! The bases of a part of a record.

use super::faults::cut_short;
use super::layout::Layout;
use crate::io::sequence::changes::RegularFile;
use crate::io::sequence::source::Source;
use crate::{Result, memory};
use std::ops::Range;

/// Bases by their two bits.
const BASES: [u8; 4] = *b"TCAG";

/// The four bases of each byte, the first in the high bits.
const FOUR_BASES: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = [BASES[byte >> 6], BASES[byte >> 4 & 3], BASES[byte >> 2 & 3], BASES[byte & 3]];
        byte += 1;
    }
    table
};

impl Layout {
    /// Appends the bases of a range within the record: N in unknown blocks, and lower case in
    /// masked blocks. O(bases + log(blocks)).
    pub fn read_bases(&self, file: &RegularFile, source: &Source, range: Range<u64>, to: &mut Vec<u8>) -> Result<()> {
        const WHAT: &str = "the bases of a two-bit file";
        let whole = range.start / 4..range.end.div_ceil(4).max(range.start / 4);
        let len = usize::try_from(whole.end - whole.start).map_err(|_| cut_short(source))?;
        let mut packed = memory::filled(len, 0, WHAT)?;
        let read = file.read_full_at(&mut packed, self.bases_at + whole.start).map_err(|fault| source.io(fault))?;
        if read < len {
            return Err(cut_short(source));
        }
        let first = to.len();
        memory::reserve(to, 4 * len, WHAT)?;
        let skipped = (range.start % 4) as usize;
        let bases = packed.iter().flat_map(|&byte| FOUR_BASES[usize::from(byte)]);
        to.extend(bases.skip(skipped).take((range.end - range.start) as usize));
        let bases = &mut to[first..];
        for block in within(&self.unknown, &range) {
            bases[block].fill(b'N');
        }
        for block in within(&self.masked, &range) {
            bases[block].make_ascii_lowercase();
        }
        Ok(())
    }
}

/// Iterates over the blocks in a range, relative to its start.
fn within<'b>(blocks: &'b [Range<u64>], range: &'b Range<u64>) -> impl Iterator<Item = Range<usize>> + 'b {
    let first = blocks.partition_point(|block| block.end <= range.start);
    let at = |position: u64| (position.clamp(range.start, range.end) - range.start) as usize;
    blocks[first..].iter().take_while(|block| block.start < range.end).map(move |block| at(block.start)..at(block.end))
}
