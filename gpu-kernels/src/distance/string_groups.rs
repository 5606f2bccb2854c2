//! Packs strings into groups of 32, one string per lane, for
//! [`all_pairs`](crate::distance::all_pairs): symbol i of all strings of a group is contiguous.
//!
//! ```text
//! a group of strings     GATTACA    word i of a lane: the codes of its symbols 2 i and 2 i + 1,
//!                          TACAT    16 bits each
//!                         CACACA    all strings end together; the filling code stands in front
//!                             ⋮     of shorter strings
//! ```
//!
//! Strings of any lengths fit into one group because they end together instead of starting
//! together. The padding equals nothing but itself, and the differences along the table's edges are
//! 0 in the padding. So all cells before the strings' own table have differences of 0, or the
//! differences of the table's edges (see [`all_pairs`](crate::distance::all_pairs)).
//!
//! **Cost.** Every symbol is read once, and one word is written per two symbols.

use simt_std::prelude::*;

/// 64-bit words per entry of [`StringGroups::groups`].
pub const FIELDS: usize = 4;

/// In place of a string's index in the output: this lane has no string.
pub const NO_STRING: u32 = !0;

/// Packs strings. Launch: `slices` blocks per group.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct StringGroups {
    /// The symbols of all strings.
    pub symbols: Global<u8>,
    /// Start of each string in `symbols`, 32 strings per group. Missing strings are empty.
    pub starts: Global<u64>,
    /// Length of each string, at most its group's.
    pub lengths: Global<u32>,
    /// [`FIELDS`] numbers per group:
    ///
    /// 0. start of the group in `words`;
    /// 1. length of its strings including the padding, an even number;
    /// 2. length of its shortest string;
    /// 3. length of its longest string.
    pub groups: Global<u64>,
    /// Blocks per group, at least 1.
    pub slices: u32,
    /// The padding code, in front of strings that are shorter than their group.
    pub padding: u32,
    /// The code of each of the 256 symbols.
    pub codes: Global<u16>,
    /// Out: 16 words per symbol of a group.
    pub words: Global<u32>,
}

#[kernel(threads = 128)]
fn string_groups(self: StringGroups) {
    let lane = warp::lane_id();
    // A divisor must be at least 1: a possible division by 0 would compile to a call of the panic
    // handler.
    let slices = self.slices.max(1);
    let (group, slice) = (thread::block_idx_x() / slices, thread::block_idx_x() % slices);
    let fields = self.groups.skip(group as usize * FIELDS);
    let (words, filled) = (self.words.skip(fields.read(0) as usize), fields.read(1) as u32);
    let string = (group * WARP + lane) as usize;
    let (symbols, length) = (self.symbols.skip(self.starts.read(string) as usize), self.lengths.read(string));
    let before = filled - length;
    let code = |i: u32| -> u32 {
        if i < before { self.padding } else { self.codes.read(symbols.read((i - before) as usize)).into() }
    };
    let warps = Self::BLOCK_THREADS / WARP;
    let mut i = slice * warps + thread::thread_idx_x() / WARP;
    while i < filled / 2 {
        words.write((i * WARP + lane) as usize, code(2 * i) | code(2 * i + 1) << 16);
        i += slices * warps;
    }
}
