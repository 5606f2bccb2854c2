//! The distances of listed pairs of strings, each with a string of its own on both sides: a bit of a register is a pair.
//!
//! **Problem.** As in [`all_pairs`](crate::distance::all_pairs), for pairs (A₀, B₀), (A₁, B₁) and so on.
//!
//! **Idea.** That of `all_pairs`, but a lane's 32 tables have 32 As as well, so their rows' symbols are not the same and there is nothing to look up
//! in a table. Instead symbols are compared by bit planes ([`string_planes`](crate::distance::string_planes)): two symbols differ where any bit of
//! their codes does.
//!
//! ```text
//! a lane: 32 pairs                        columns' planes stay in registers
//!                                     c = 0        1        2         …        C - 1
//!   row i's planes, from memory  →   differ = (row's plane 0 ^ column's) | (row's plane 1 ^ column's) | …
//!   v of row i, from memory      →   cell    →  cell  →   cell  →  …  →   cell → v, to memory
//! ```
//!
//! **Lengths** are dealt with as in `all_pairs`: strings end together, and what is in front of an A is equal to what is in front of a B, and to
//! nothing else. (For the LCS to nothing at all.) Where all strings of a side are as long, nothing is in front of them, which may save
//! a plane. Columns past the end of the last block are computed and left out of the sums. The 1,024 pairs of a warp take the steps of its longest strings, so the host
//! sorts pairs by length.
//!
//! **Maximum.** As in `all_pairs`.
//!
//! **Cost** for 32 cells: an instruction for each plane, and the cell's 3 logic instructions and 4 additions (the LCS: 1 and 2). A row and C
//! columns take 16 bytes for v (8 for the LCS) and 4 for each plane.

use crate::collectives::claim::claim;
use crate::distance::band::Band;
use crate::distance::last_row::{LastRow, SUM_BYTES, distance, for_columns};
use crate::distance::pair_cell::{Means, Symbols, Vertical, lcs, levenshtein};
use crate::distance::string_groups::NO_STRING;
use crate::distance::string_planes::{FIELDS, GROUP};
use simt_std::integer::lop3;
use simt_std::integer::{LOP3_A as A, LOP3_B as B, LOP3_C as C3};
use simt_std::prelude::*;

/// Warps of a block.
pub const WARPS: u32 = 4;

/// In place of the code in front of strings: there is nothing in front of any.
pub const NO_FILLING: u32 = !0;

/// No column by logic alone: there are instructions enough in the pipe of logic.
const LOGIC: u32 = 0;

/// Words of `edges` for a warp, with so many rows with what fills them up.
pub const fn edge_words(indel: bool, rows: u32) -> u64 {
    // A row more, which is read ahead.
    (rows as u64 + 1) * WARP as u64 * if indel { 1 } else { 2 }
}

/// Computes the distances of listed pairs. Launch: any number of blocks; they need not all be resident.
///
/// `INDEL`: the indel distance in place of Levenshtein's. `PLANES`: of the codes of symbols. `C`: columns of a block.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ListedPairs<const INDEL: bool, const PLANES: usize, const C: usize> {
    /// The groups of the strings A ([`StringPlanes`](crate::distance::string_planes::StringPlanes)).
    pub row_groups: Global<u64>,
    /// Their words, and `PLANES` × 32 more, which are read ahead.
    pub row_words: Global<u32>,
    /// The length of each A.
    pub row_lengths: Global<u32>,
    /// The groups of the strings B. The code in front of them is that in front of the As; of the indel distance another.
    pub column_groups: Global<u64>,
    /// Their words, and `PLANES` × 32 C more.
    pub column_words: Global<u32>,
    /// The length of each B.
    pub column_lengths: Global<u32>,
    /// Each pair's place in `out`, or [`NO_STRING`].
    pub places: Global<u32>,
    /// How many groups.
    pub count: u32,
    /// The code in front of the As, or [`NO_FILLING`].
    pub filling: u32,
    /// Distances above this are given as one more than this.
    pub limit: u32,
    /// [`edge_words`] of the longest group of rows, for each warp of the launch.
    pub edges: Global<u32>,
    /// How many these are.
    pub edge_words: u64,
    /// Out: the distances.
    pub out: Global<u32>,
    /// 0 when the launch starts: how many groups were claimed.
    pub claimed: Global<u32>,
}

impl<const INDEL: bool, const PLANES: usize, const C: usize> ListedPairs<INDEL, PLANES, C> {
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn read_edge(edges: Global<u32>, i: u32) -> Vertical {
        if INDEL {
            Vertical::new(edges.read(i as usize), 0)
        } else {
            let U32x2([p, m]) = edges.cast::<U32x2>().read(i as usize);
            Vertical::new(p, m)
        }
    }

    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn write_edge(edges: Global<u32>, i: u32, v: Vertical) {
        if INDEL {
            edges.write(i as usize, v.p);
        } else {
            edges.cast::<U32x2>().write(i as usize, U32x2([v.p, v.m]));
        }
    }

    /// This lane's planes of a symbol.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn planes(words: Global<u32>, i: u32) -> [u32; PLANES] {
        let mut planes = [0; PLANES];
        unroll!(p in [0 1 2 3 4 5 6 7 8] {
            if (p as usize) < PLANES {
                planes[p as usize % PLANES] = words.read(((i * PLANES as u32 + p) * WARP + warp::lane_id()) as usize);
            }
        });
        planes
    }

    /// Where two symbols differ.
    #[inline(always)]
    fn differ(a: &[u32; PLANES], b: &[u32; PLANES]) -> u32 {
        let mut differ = a[0] ^ b[0];
        unroll!(p in [1 2 3 4 5 6 7 8] {
            if (p as usize) < PLANES {
                let at = p as usize % PLANES;
                differ = lop3::<{ A | (B ^ C3) }>(differ, a[at], b[at]);
            }
        });
        differ
    }

    /// Where a symbol is the code that fills strings up.
    #[inline(always)]
    fn is_filling(&self, planes: &[u32; PLANES]) -> u32 {
        let mut equal: u32 = if self.filling == NO_FILLING { 0 } else { !0 };
        unroll!(p in [0 1 2 3 4 5 6 7 8] {
            if (p as usize) < PLANES {
                equal &= !(planes[p as usize % PLANES] ^ (self.filling >> p & 1).wrapping_neg());
            }
        });
        equal
    }

    /// The distances of a group of pairs.
    #[inline(always)]
    fn group(self, group: u32, sums: LastRow, edges: Global<u32>) {
        let lane = warp::lane_id();
        let rows = self.row_groups.skip(group as usize * FIELDS);
        let columns = self.column_groups.skip(group as usize * FIELDS);
        let (words, height) = (self.row_words.skip(rows.read(0) as usize), rows.read(1) as u32);
        let mut column_words = self.column_words.skip(columns.read(0) as usize);
        let width = columns.read(1) as u32;
        // Along the left edge the difference is 1, for the LCS 0; and 0 before the string. A row more is read ahead.
        for i in 0..=height {
            let p = if INDEL { 0 } else { !self.is_filling(&Self::planes(words, i)) };
            Self::write_edge(edges, i * WARP + lane, Vertical::new(p, 0));
        }
        sums.clear();
        let band = Band::new(self.limit, (0, height), (0, width), height, width);
        let blocks = width.div_ceil(C as u32);
        for block in 0..blocks {
            let mut symbols = [[0; PLANES]; C];
            let mut h = [[0; 2]; C];
            for_columns!(c, C, {
                symbols[c as usize] = Self::planes(column_words, c);
                if !INDEL {
                    // Along the top edge it is 1, and 0 before the string.
                    h[c as usize][0] = !self.is_filling(&symbols[c as usize]);
                }
            });
            let (first, end) = band.rows(block * C as u32, C as u32);
            let (mut next, mut next_edge) = (Self::planes(words, first), Self::read_edge(edges, first * WARP + lane));
            for i in first..end {
                let (row, mut v) = (next, next_edge);
                next = Self::planes(words, i + 1);
                next_edge = Self::read_edge(edges, (i + 1) * WARP + lane);
                for_columns!(c, C, {
                    let differ = Symbols::Differ(Self::differ(&row, &symbols[c as usize]));
                    let (means, h) = (Means::of_column(c, LOGIC), &mut h[c as usize]);
                    if INDEL { lcs(means, differ, h, &mut v) } else { levenshtein(means, differ, h, &mut v) }
                });
                Self::write_edge(edges, i * WARP + lane, v);
            }
            // Past the end differences are taken to be 0.
            let left = width - block * C as u32;
            for_columns!(c, C, {
                if c >= left {
                    h[c as usize] = [0; 2];
                }
            });
            sums.add::<INDEL, C>(&h, LOGIC);
            column_words = column_words.skip(C * PLANES * WARP as usize);
        }
        let totals = sums.totals();
        let first = (group * GROUP + lane * 32) as usize;
        let over = self.limit.saturating_add(1);
        unroll!(b in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31] {
            let pair = first + b as usize;
            let (m, n) = (self.row_lengths.read(pair), self.column_lengths.read(pair));
            let place = self.places.read(pair);
            if place != NO_STRING {
                let distance = distance::<INDEL>(m, n, totals[b as usize], blocks * C as u32);
                self.out.write(place as usize, distance.min(over));
            }
        });
    }
}

#[kernel(
    threads = WARPS * WARP,
    shared = WARPS * SUM_BYTES,
    instances = [
        listed_pairs_2: (false, 2, 26), listed_pairs_3: (false, 3, 20), listed_pairs_5: (false, 5, 14), listed_pairs_9: (false, 9, 8),
        listed_pairs_indel_2: (true, 2, 34), listed_pairs_indel_3: (true, 3, 26), listed_pairs_indel_5: (true, 5, 18),
        listed_pairs_indel_9: (true, 9, 10),
    ]
)]
pub fn listed_pairs<const INDEL: bool, const PLANES: usize, const C: usize>(self: ListedPairs<INDEL, PLANES, C>) {
    let warp = thread::thread_idx_x() / WARP;
    let sums = LastRow::at(dynamic_shared_mem::<u8>().address() + warp * SUM_BYTES);
    let number = thread::block_idx_x() * WARPS + warp;
    let edges = self.edges.skip(number as usize * self.edge_words as usize);
    loop {
        // SAFETY: all lanes are here: they leave the loop together.
        let group = unsafe { claim(self.claimed, 0) };
        if group >= self.count {
            break;
        }
        self.group(group, sums, edges);
    }
}
