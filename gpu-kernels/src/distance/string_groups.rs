//! Strings in groups of 32, one a lane, as the kernels for many pairs read them: symbol i of all strings of a group side by
//! side.
//!
//! ```text
//! a group of strings     GATTACA        word i of a lane: the codes of its symbols 2 i and 2 i + 1, 16 bits each
//!                          TACAT
//!                         CACACA        all end together; in front of a shorter one there is the filling code
//!                             ⋮
//! ```
//!
//! That they end together, and not begin together, is what makes strings of any lengths fit into one group: with a symbol that
//! equals nothing but itself in front of both strings of a pair, and differences of 0 along the table's edges there, all cells
//! before the strings' own table have differences of 0 or are those of its edges (see [`all_pairs`](crate::distance::all_pairs)).
//!
//! **Cost.** A symbol is read once and a word of two is written.

use simt_std::prelude::*;

/// 64-bit words of an entry of [`StringGroups::groups`].
pub const FIELDS: usize = 4;

/// In a string's place: there is none in this lane.
pub const NO_STRING: u32 = !0;

/// Packs strings. Launch: `slices` blocks for each group.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct StringGroups {
    /// All symbols.
    pub symbols: Global<u8>,
    /// Where each string begins in `symbols`; 32 strings a group, those that are not there as empty ones.
    pub starts: Global<u64>,
    /// The length of each, at most its group's.
    pub lengths: Global<u32>,
    /// [`FIELDS`] numbers a group:
    ///
    /// 0. the word of `words` where it begins;
    /// 1. how long its strings are with what fills them up, an even number;
    /// 2. the length of its shortest string;
    /// 3. the length of its longest string.
    pub groups: Global<u64>,
    /// Blocks that share a group, at least 1.
    pub slices: u32,
    /// The code in front of strings that are shorter than their group's.
    pub filling: u32,
    /// The code of each of the 256 symbols.
    pub codes: Global<u16>,
    /// Out: 16 words for each symbol of a group.
    pub words: Global<u32>,
}

#[kernel(threads = 128)]
fn string_groups(self: StringGroups) {
    let lane = warp::lane_id();
    // At least 1: a division by 0 would be a call of the panic handler.
    let slices = self.slices.max(1);
    let (group, slice) = (thread::block_idx_x() / slices, thread::block_idx_x() % slices);
    let fields = self.groups.skip(group as usize * FIELDS);
    let (words, filled) = (self.words.skip(fields.read(0) as usize), fields.read(1) as u32);
    let string = (group * WARP + lane) as usize;
    let (symbols, length) = (self.symbols.skip(self.starts.read(string) as usize), self.lengths.read(string));
    let before = filled - length;
    let code = |i: u32| -> u32 {
        if i < before { self.filling } else { self.codes.read(symbols.read((i - before) as usize).into()).into() }
    };
    let warps = Self::BLOCK_THREADS / WARP;
    let mut i = slice * warps + thread::thread_idx_x() / WARP;
    while i < filled / 2 {
        words.write((i * WARP + lane) as usize, code(2 * i) | code(2 * i + 1) << 16);
        i += slices * warps;
    }
}
