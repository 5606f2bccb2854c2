//! Stores strings as bit planes, one bit per string, for
//! [`listed_pairs`](crate::distance::listed_pairs): word p of symbol i holds bit p of the codes of
//! symbol i of 32 strings.
//!
//! ```text
//! strings   ACGT    codes   0 1 2 3     symbol 0: plane 0 = 0 1 1     symbol 1: plane 0 = 1 0 0
//!           CCAA            1 1 0 0               plane 1 = 0 0 1               plane 1 = 0 0 1
//!           TAG             3 0 2       bit 0 is the first string
//! ```
//!
//! A warp of that kernel has 32 lanes of 32 strings each. As in
//! [`string_groups`](crate::distance::string_groups), all strings end together, and a padding code
//! stands in front of shorter strings.
//!
//! **Threads.** A warp takes 32 symbols of all strings at a time. It handles the 32 strings of one
//! target lane after the other: each thread reads the symbols of one string, and votes turn them
//! into planes. Lane j keeps the planes of symbol j.
//!
//! **Cost.** Every symbol is read once. A vote per plane handles 32 symbols at once.

use simt_std::prelude::*;

/// 64-bit words per entry of [`StringPlanes::groups`].
pub const FIELDS: usize = 2;

/// Strings per group, which one warp of the kernel for listed pairs takes.
pub const GROUP: u32 = WARP * 32;

/// Upper bound on the number of planes.
pub const MAX_PLANES: usize = 9;

/// Makes planes. Launch: `slices` blocks per group.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct StringPlanes {
    /// The symbols of all strings.
    pub symbols: Global<u8>,
    /// Start of each string in `symbols`, [`GROUP`] strings per group. Missing strings are empty.
    pub starts: Global<u64>,
    /// Length of each string, at most its group's.
    pub lengths: Global<u32>,
    /// [`FIELDS`] numbers per group:
    ///
    /// 0. start of the group in `words`;
    /// 1. length of its strings including the padding.
    pub groups: Global<u64>,
    /// Blocks per group, at least 1.
    pub slices: u32,
    /// The padding code, in front of strings that are shorter than their group.
    pub padding: u32,
    /// The code of each of the 256 symbols.
    pub codes: Global<u16>,
    /// Number of planes.
    pub planes: u32,
    /// Out: one word per symbol, plane and lane of a group.
    pub words: Global<u32>,
}

#[kernel(threads = 128)]
fn string_planes(self: StringPlanes) {
    let lane = warp::lane_id();
    // A divisor must be at least 1: a possible division by 0 would compile to a call of the panic
    // handler.
    let slices = self.slices.max(1);
    let (group, slice) = (thread::block_idx_x() / slices, thread::block_idx_x() % slices);
    let fields = self.groups.skip(group as usize * FIELDS);
    let (words, filled) = (self.words.skip(fields.read(0) as usize), fields.read(1) as u32);
    let warps = Self::BLOCK_THREADS / WARP;
    let mut first = (slice * warps + thread::thread_idx_x() / WARP) * WARP;
    while first < filled {
        for of_lane in 0..WARP {
            let string = (group * GROUP + of_lane * 32 + lane) as usize;
            let (symbols, length) = (self.symbols.skip(self.starts.read(string) as usize), self.lengths.read(string));
            let before = filled - length;
            let mut kept = [0; MAX_PLANES];
            for j in 0..WARP {
                let i = first + j;
                let code = if i < before || i >= filled {
                    self.padding
                } else {
                    self.codes.read(symbols.read((i - before) as usize)).into()
                };
                unroll!(p in [0 1 2 3 4 5 6 7 8] {
                    if p < self.planes {
                        // SAFETY: all lanes are here: the loops' bounds and the number of planes
                        // are the same in all lanes.
                        let plane = unsafe { warp::warp_vote_ballot(FULL_WARP, code >> p & 1 == 1) };
                        if j == lane {
                            kept[p as usize] = plane;
                        }
                    }
                });
            }
            unroll!(p in [0 1 2 3 4 5 6 7 8] {
                if p < self.planes && first + lane < filled {
                    words.write((((first + lane) * self.planes + p) * WARP + of_lane) as usize, kept[p as usize]);
                }
            });
        }
        first += slices * warps * WARP;
    }
}
