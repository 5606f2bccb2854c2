//! Strings as bit planes, a bit a string, as the kernel for listed pairs reads them: word p of symbol i holds bit p of the
//! codes of symbol i of 32 strings.
//!
//! ```text
//! strings   ACGT    codes   0 1 2 3     symbol 0: plane 0 = 0 1 1     symbol 1: plane 0 = 1 0 0      bit 0 is the first string
//!           CCAA            1 1 0 0               plane 1 = 0 0 1               plane 1 = 0 0 1
//!           TAG             3 0 2
//! ```
//!
//! A warp of that kernel has 32 lanes of 32 strings. As in [`string_groups`](crate::distance::string_groups) all of them end together,
//! and in front of shorter ones there is a code of its own.
//!
//! **Threads.** A warp takes 32 symbols of all strings at a time. For each of its lanes' 32 strings in turn it reads a symbol of each, and votes
//! make planes of them; lane j keeps those of symbol j.
//!
//! **Cost.** A symbol is read once, and takes a vote for each plane, of 32 symbols at once.

use simt_std::prelude::*;

/// 64-bit words of an entry of [`StringPlanes::groups`].
pub const FIELDS: usize = 2;

/// Strings of a group, a warp of the kernel for listed pairs.
pub const GROUP: u32 = WARP * 32;

/// The most planes.
pub const MOST_PLANES: usize = 9;

/// Makes planes. Launch: `slices` blocks for each group.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct StringPlanes {
    /// All symbols.
    pub symbols: Global<u8>,
    /// Where each string begins in `symbols`: [`GROUP`] strings a group, those that are not there as empty ones.
    pub starts: Global<u64>,
    /// The length of each, at most its group's.
    pub lengths: Global<u32>,
    /// [`FIELDS`] numbers a group:
    ///
    /// 0. the word of `words` where it begins;
    /// 1. how long its strings are with what fills them up.
    pub groups: Global<u64>,
    /// Blocks that share a group, at least 1.
    pub slices: u32,
    /// The code in front of strings that are shorter than their group's.
    pub filling: u32,
    /// The code of each of the 256 symbols.
    pub codes: Global<u16>,
    /// How many planes.
    pub planes: u32,
    /// Out: a word for each symbol, plane and lane of a group.
    pub words: Global<u32>,
}

#[kernel(threads = 128)]
fn string_planes(self: StringPlanes) {
    let lane = warp::lane_id();
    // At least 1: a division by 0 would be a call of the panic handler.
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
            let mut kept = [0; MOST_PLANES];
            for j in 0..WARP {
                let i = first + j;
                let code = if i < before || i >= filled {
                    self.filling
                } else {
                    self.codes.read(symbols.read((i - before) as usize).into()).into()
                };
                unroll!(p in [0 1 2 3 4 5 6 7 8] {
                    if p < self.planes {
                        // SAFETY: all lanes are here: the loops' bounds and the planes are the same in each.
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
