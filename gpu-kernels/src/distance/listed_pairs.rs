//! Computes the distances of listed pairs of strings, where no string is shared between pairs. Each
//! bit of a register is one pair.
//!
//! **Problem.** As in [`all_pairs`](crate::distance::all_pairs), but for given pairs (A₀, B₀), (A₁,
//! B₁) and so on.
//!
//! **Idea.** As in `all_pairs`, but the 32 tables of a lane also have 32 different As. So the
//! symbols of a row differ between tables, and a lookup table is of no use. Instead, symbols are
//! compared by bit planes ([`string_planes`](crate::distance::string_planes)): two symbols differ
//! where any bit of their codes differs.
//!
//! ```text
//! a lane: 32 pairs                        columns' planes stay in registers
//!                                     c = 0        1        2         …        C - 1
//!   row i's planes, from memory  →   differ = (row's plane 0 ^ column's)
//!                                           | (row's plane 1 ^ column's) | …
//!   v of row i, from memory      →   cell    →  cell  →   cell  →  …  →   cell → v, to memory
//! ```
//!
//! **Lengths** are handled as in `all_pairs`: strings end together, and the padding in front of an
//! A equals the padding in front of a B, and nothing else. (For the LCS it equals nothing at all.)
//! If all strings of a side have the same length, they need no padding, which may save a plane.
//! Columns past the end of the last block are computed but not added to the sums. The 1,024 pairs
//! of a warp take as many steps as its longest strings, so the host sorts pairs by length.
//!
//! **Maximum.** As in `all_pairs`.
//!
//! **Cost** per 32 cells: one instruction per plane, and 3 logic instructions and 4 additions for
//! the cell: 1 and 2 for the LCS, 7 logic instructions for optimal string alignment. A row and C
//! columns read and write 16 bytes for v (8 for the LCS, 32 for optimal string alignment), and read
//! 4 bytes per plane.

use crate::collectives::claim::claim;
use crate::distance::band::DiagonalBand;
use crate::distance::last_row::{LastRow, SUM_BYTES, distance, for_columns};
use crate::distance::pair_cell::{
    Horizontal, INDEL, Instructions, LEVENSHTEIN, LeftCell, OSA, Symbols, Vertical, cell,
};
use crate::distance::pair_edges::{self, read_edge, write_edge};
use crate::distance::string_groups::NO_STRING;
use crate::distance::string_planes::{FIELDS, GROUP};
use simt_std::integer::lop3;
use simt_std::integer::{LOP3_A as A, LOP3_B as B, LOP3_C as C3};
use simt_std::prelude::*;

/// Warps per block.
pub const WARPS: u32 = 4;

/// The value of [`padding`](ListedPairs#structfield.padding) if no string needs padding.
pub const NO_PADDING: u32 = !0;

/// Returns the words of `edges` per warp, for groups of `rows` rows including the padding.
pub const fn edge_words(cost: u32, rows: u32) -> u64 {
    // One extra row, since the kernel reads ahead.
    pair_edges::edge_words(cost, rows + 1)
}

/// Computes the distances of listed pairs. Launch: any number of blocks; they need not all be
/// resident.
///
/// `COST`: [`LEVENSHTEIN`], [`INDEL`] or [`OSA`], as [`cell`] takes it. `PLANES`: bit planes of the
/// codes. `C`: columns per block.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ListedPairs<const COST: u32, const PLANES: usize, const C: usize> {
    /// The groups of the strings A
    /// ([`StringPlanes`](crate::distance::string_planes::StringPlanes)).
    pub row_groups: Global<u64>,
    /// Words of the As' groups, and `PLANES` × 32 more for the reads ahead.
    pub row_words: Global<u32>,
    /// Length of each A.
    pub row_lengths: Global<u32>,
    /// The groups of the strings B. Their padding code equals that of the As or, for the indel
    /// distance, differs from it.
    pub column_groups: Global<u64>,
    /// Words of the Bs' groups, and `PLANES` × 32 C more.
    pub column_words: Global<u32>,
    /// Length of each B.
    pub column_lengths: Global<u32>,
    /// Index of each pair in `out`, or [`NO_STRING`].
    pub indices: Global<u32>,
    /// Number of groups.
    pub count: u32,
    /// The padding code in front of the As, or [`NO_PADDING`].
    pub padding: u32,
    /// Upper bound on the reported distances: a greater distance is reported as `limit` + 1.
    pub limit: u32,
    /// Working memory for the differences between blocks of columns, `edge_words` for each warp of
    /// the launch.
    pub edges: Global<u32>,
    /// [`edge_words`] of the longest group of rows.
    pub edge_words: u64,
    /// Out: the distances.
    pub out: Global<u32>,
    /// Number of claimed groups. 0 when the launch starts.
    pub claimed: Global<u32>,
}

impl<const COST: u32, const PLANES: usize, const C: usize> ListedPairs<COST, PLANES, C> {
    /// The columns that use logic instructions only, see [`Instructions::for_column`]: none, since
    /// comparing the planes already gives the logic pipe enough instructions. [`osa`] has no
    /// additions.
    const LOGIC: u32 = if COST == OSA { 1 } else { 0 };

    /// Reads a lane's planes of a symbol.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub(super) fn planes(words: Global<u32>, i: u32, lane: u32) -> [u32; PLANES] {
        let mut planes = [0; PLANES];
        unroll!(p in [0 1 2 3 4 5 6 7 8] {
            if (p as usize) < PLANES {
                planes[p as usize % PLANES] = words.read(((i * PLANES as u32 + p) * WARP + lane) as usize);
            }
        });
        planes
    }

    /// Returns the bits of the pairs whose two symbols differ.
    #[inline(always)]
    pub(super) fn differ(a: &[u32; PLANES], b: &[u32; PLANES]) -> u32 {
        let mut differ = a[0] ^ b[0];
        unroll!(p in [1 2 3 4 5 6 7 8] {
            if (p as usize) < PLANES {
                let at = p as usize % PLANES;
                differ = lop3::<{ A | (B ^ C3) }>(differ, a[at], b[at]);
            }
        });
        differ
    }

    /// Returns the bits of the strings whose symbol is the padding code.
    #[inline(always)]
    fn is_filling(&self, planes: &[u32; PLANES]) -> u32 {
        let mut equal: u32 = if self.padding == NO_PADDING { 0 } else { !0 };
        unroll!(p in [0 1 2 3 4 5 6 7 8] {
            if (p as usize) < PLANES {
                equal &= !(planes[p as usize % PLANES] ^ (self.padding >> p & 1).wrapping_neg());
            }
        });
        equal
    }

    /// Returns the differences along the left edge of a row: 1 (0 for the LCS), and 0 before the
    /// string.
    #[inline(always)]
    pub(super) fn first_edge(&self, row: &[u32; PLANES]) -> LeftCell {
        let p = if COST == INDEL { 0 } else { !self.is_filling(row) };
        // No symbol of a row matches one on the left of the first column.
        LeftCell { v: Vertical::new(p, 0), d0: 0, symbols: !0 }
    }

    /// Returns the differences along the top edge of a column.
    #[inline(always)]
    pub(super) fn top_edge(&self, column: &[u32; PLANES]) -> Horizontal {
        // 1 (0 for the LCS), and 0 before the string.
        [if COST == INDEL { 0 } else { !self.is_filling(column) }, 0]
    }

    #[inline(always)]
    pub(super) fn cell(c: u32, differ: u32, h: &mut Horizontal, candidate: &mut u32, left: &mut LeftCell) {
        cell::<COST>(Instructions::for_column(c, Self::LOGIC), Symbols::Differ(differ), h, candidate, left);
    }

    /// Adds the differences of C columns to the sums.
    #[inline(always)]
    pub(super) fn add(sums: LastRow, h: &[Horizontal; C]) {
        sums.add::<COST, C>(h, Self::LOGIC);
    }

    /// Writes the distance of a pair, from the sum of its differences in `width` columns.
    #[inline(always)]
    pub(super) fn report(&self, pair: usize, total: u32, width: u32) {
        let (m, n) = (self.row_lengths.read(pair), self.column_lengths.read(pair));
        let index = self.indices.read(pair);
        if index != NO_STRING {
            let distance = distance::<COST>(m, n, total, width);
            self.out.write(index as usize, distance.min(self.limit.saturating_add(1)));
        }
    }

    /// Computes the distances of a group of pairs.
    #[inline(always)]
    fn group(self, group: u32, sums: LastRow, edges: Global<u32>) {
        let lane = warp::lane_id();
        let rows = self.row_groups.skip(group as usize * FIELDS);
        let columns = self.column_groups.skip(group as usize * FIELDS);
        let (words, height) = (self.row_words.skip(rows.read(0) as usize), rows.read(1) as u32);
        let mut column_words = self.column_words.skip(columns.read(0) as usize);
        let width = columns.read(1) as u32;
        // One extra row, since the kernel reads ahead.
        for i in 0..=height {
            write_edge::<COST>(edges, i * WARP + lane, self.first_edge(&Self::planes(words, i, lane)));
        }
        sums.clear();
        let band = DiagonalBand::new(self.limit, (0, height), (0, width), height, width);
        let blocks = width.div_ceil(C as u32);
        for block in 0..blocks {
            let mut symbols = [[0; PLANES]; C];
            let mut h = [[0; 2]; C];
            let mut candidates = [0; C];
            for_columns!(c, C, {
                symbols[c as usize] = Self::planes(column_words, c, lane);
                h[c as usize] = self.top_edge(&symbols[c as usize]);
            });
            let (first, end) = band.rows(block * C as u32, C as u32);
            let (mut next, mut next_edge) =
                (Self::planes(words, first, lane), read_edge::<COST>(edges, first * WARP + lane));
            for i in first..end {
                let (row, mut left) = (next, next_edge);
                next = Self::planes(words, i + 1, lane);
                next_edge = read_edge::<COST>(edges, (i + 1) * WARP + lane);
                for_columns!(c, C, {
                    let at = c as usize;
                    let differ = Self::differ(&row, &symbols[at]);
                    Self::cell(c, differ, &mut h[at], &mut candidates[at], &mut left);
                });
                write_edge::<COST>(edges, i * WARP + lane, left);
            }
            // Differences past the end count as 0.
            let rest = width - block * C as u32;
            for_columns!(c, C, {
                if c >= rest {
                    h[c as usize] = [0; 2];
                }
            });
            Self::add(sums, &h);
            column_words = column_words.skip(C * PLANES * WARP as usize);
        }
        let totals = sums.totals();
        let first = (group * GROUP + lane * 32) as usize;
        unroll!(b in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31] {
            let pair = first + b as usize;
            self.report(pair, totals[b as usize], blocks * C as u32);
        });
    }
}

#[kernel(
    threads = WARPS * WARP,
    shared = WARPS * SUM_BYTES,
    instances = [
        listed_pairs_2: (LEVENSHTEIN, 2, 26), listed_pairs_3: (LEVENSHTEIN, 3, 20), listed_pairs_5: (LEVENSHTEIN, 5, 14),
        listed_pairs_9: (LEVENSHTEIN, 9, 8),
        listed_pairs_indel_2: (INDEL, 2, 34), listed_pairs_indel_3: (INDEL, 3, 26), listed_pairs_indel_5: (INDEL, 5, 18),
        listed_pairs_indel_9: (INDEL, 9, 10),
        listed_pairs_osa_2: (OSA, 2, 20), listed_pairs_osa_3: (OSA, 3, 16), listed_pairs_osa_5: (OSA, 5, 12), listed_pairs_osa_9: (OSA, 9, 7),
    ]
)]
pub fn listed_pairs<const COST: u32, const PLANES: usize, const C: usize>(self: ListedPairs<COST, PLANES, C>) {
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
