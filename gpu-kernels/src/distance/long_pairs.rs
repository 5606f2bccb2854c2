//! Computes the distances of listed pairs, where strings are long and pairs few: with 32 pairs in
//! each lane they would not fill a GPU.
//!
//! **Problem.** As in [`listed_pairs`](crate::distance::listed_pairs), with the same input.
//!
//! **Idea.** A warp has 32 pairs, one a bit, and its lanes take neighbouring blocks of C columns.
//! Each lane is a row behind the lane on its left, which hands it the differences along the edge
//! between them, and the symbols of the row:
//!
//! ```text
//! step t      lane 0    lane 1    lane 2
//!             row t     row t-1   row t-2        v: the differences along the edges
//!           ┌────────┬─────────┬─────────┐       lane 0 reads its first v from memory
//!           │  C     │  C      │  C      │ …     lane 31 writes its last v there,
//!           │     v →│      v →│      v →│       for the next 32 C columns
//!           └────────┴─────────┴─────────┘
//! ```
//!
//! **Cost.** As in `listed_pairs`, and a shuffle per plane and for each word of v in C cells. The
//! lanes wait in 31 steps per 32 C columns.

use crate::collectives::claim::claim;
use crate::distance::band::DiagonalBand;
use crate::distance::last_row::{LastRow, SUM_BYTES, for_columns};
use crate::distance::listed_pairs::{ListedPairs, WARPS};
use crate::distance::pair_cell::{INDEL, LEVENSHTEIN, LeftCell, OSA, Vertical};
use crate::distance::pair_edges::{read_edge, write_edge};
use crate::distance::string_groups::NO_STRING;
use crate::distance::string_planes::{FIELDS, GROUP};
use simt_std::prelude::*;

/// Computes the distances of listed pairs. Launch: any number of blocks; they need not all be
/// resident. `COST`: [`LEVENSHTEIN`], [`INDEL`] or [`OSA`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct LongPairs<const COST: u32, const PLANES: usize, const C: usize> {
    /// Input and output. A warp has [`edge_words`] words of edges.
    pub pairs: ListedPairs<COST, PLANES, C>,
}

/// Returns the words of `edges` per warp, for groups of `rows` rows including the padding.
pub const fn edge_words(cost: u32, rows: u32) -> u64 {
    // Those that lane 0 reads, and those that lane 31 writes.
    2 * crate::distance::listed_pairs::edge_words(cost, rows) / WARP as u64
}

/// Returns this lane's value of the lane on its left, or `first` in lane 0.
///
/// # Safety
/// All lanes of the warp call it together.
#[inline(always)]
unsafe fn from_left(value: u32, first: u32) -> u32 {
    // SAFETY: the caller guarantees that all lanes are here.
    let (left, _) = unsafe { warp::warp_shuffle_up(FULL_WARP, value, 1, WARP) };
    if warp::lane_id() == 0 { first } else { left }
}

impl<const COST: u32, const PLANES: usize, const C: usize> LongPairs<COST, PLANES, C> {
    /// Returns the edge of the lane on the left, or `first` in lane 0.
    ///
    /// # Safety
    /// All lanes of the warp call it together.
    #[inline(always)]
    unsafe fn edge_from_left(own: LeftCell, first: LeftCell) -> LeftCell {
        // SAFETY: the caller guarantees that all lanes are here.
        unsafe {
            let p = from_left(own.v.p, first.v.p);
            let m = if COST == INDEL { 0 } else { from_left(own.v.m, first.v.m) };
            let state = |own, first| if COST == OSA { from_left(own, first) } else { 0 };
            LeftCell { v: Vertical::new(p, m), d0: state(own.d0, first.d0), symbols: state(own.symbols, first.symbols) }
        }
    }

    /// Computes the distances of the 32 pairs of a lane of a group.
    ///
    /// # Safety
    /// All lanes of the warp call it together.
    #[inline(always)]
    unsafe fn lane_of_group(self, group: u32, of_lane: u32, sums: LastRow, edges: Global<u32>) {
        let pairs = self.pairs;
        let lane = warp::lane_id();
        let rows = pairs.row_groups.skip(group as usize * FIELDS);
        let columns = pairs.column_groups.skip(group as usize * FIELDS);
        let (words, height) = (pairs.row_words.skip(rows.read(0) as usize), rows.read(1) as u32);
        let (column_words, width) = (pairs.column_words.skip(columns.read(0) as usize), columns.read(1) as u32);
        let row = |i: u32| ListedPairs::<COST, PLANES, C>::planes(words, i, of_lane);
        // A strip reads the edges of the strip before, and writes its own elsewhere.
        let (mut read, mut written) = (edges, edges.skip(pairs.edge_words as usize / 2));
        // SAFETY: the caller guarantees that all lanes are here. They have read the edges of the
        // pairs before.
        unsafe { warp::sync_warp(FULL_WARP) };
        let mut i = lane;
        // One extra row, since lane 0 reads ahead.
        while i <= height {
            let edge = pairs.first_edge(&row(i));
            write_edge::<COST>(read, i, edge);
            write_edge::<COST>(written, i, edge);
            i += WARP;
        }
        sums.clear();
        let band = DiagonalBand::new(pairs.limit, (0, height), (0, width), height, width);
        let strip_width = WARP * C as u32;
        let strips = width.div_ceil(strip_width);
        for strip in 0..strips {
            // SAFETY: the caller guarantees that all lanes are here. The edges of the strip before
            // are written.
            unsafe { warp::sync_warp(FULL_WARP) };
            let before = strip * strip_width + lane * C as u32;
            let mut symbols = [[0; PLANES]; C];
            let mut h = [[0; 2]; C];
            let mut candidates = [0; C];
            for_columns!(c, C, {
                if before + c < width {
                    symbols[c as usize] = ListedPairs::<COST, PLANES, C>::planes(column_words, before + c, of_lane);
                    h[c as usize] = pairs.top_edge(&symbols[c as usize]);
                }
            });
            let (first, end) = band.rows(strip * strip_width, strip_width);
            let (mut own_row, mut own_edge) = ([0; PLANES], LeftCell::default());
            let (mut next, mut next_edge) = (row(first), read_edge::<COST>(read, first));
            for step in first..end + WARP - 1 {
                let (first_row, first_edge) = (next, next_edge);
                // SAFETY: all lanes are here: the loop's bounds are the same in all lanes.
                unsafe {
                    unroll!(p in [0 1 2 3 4 5 6 7 8] {
                        if (p as usize) < PLANES {
                            let at = p as usize % PLANES;
                            own_row[at] = from_left(own_row[at], first_row[at]);
                        }
                    });
                    own_edge = Self::edge_from_left(own_edge, first_edge);
                }
                let ahead = (step + 1).min(height);
                next = row(ahead);
                next_edge = read_edge::<COST>(read, ahead);
                let i = step.wrapping_sub(lane);
                if step >= first + lane && i < end {
                    for_columns!(c, C, {
                        let at = c as usize;
                        let differ = ListedPairs::<COST, PLANES, C>::differ(&own_row, &symbols[at]);
                        ListedPairs::<COST, PLANES, C>::cell(c, differ, &mut h[at], &mut candidates[at], &mut own_edge);
                    });
                    if lane == WARP - 1 {
                        write_edge::<COST>(written, i, own_edge);
                    }
                }
            }
            // Differences past the end count as 0.
            for_columns!(c, C, {
                if before + c >= width {
                    h[c as usize] = [0; 2];
                }
            });
            ListedPairs::<COST, PLANES, C>::add(sums, &h);
            (read, written) = (written, read);
        }
        // SAFETY: the caller guarantees that all lanes are here.
        let total = unsafe { sums.total_of_lanes() };
        pairs.report((group * GROUP + of_lane * 32 + lane) as usize, total, strips * strip_width);
    }
}

#[kernel(
    threads = WARPS * WARP,
    shared = WARPS * SUM_BYTES,
    instances = [
        long_pairs_2: (LEVENSHTEIN, 2, 20), long_pairs_5: (LEVENSHTEIN, 5, 12), long_pairs_7: (LEVENSHTEIN, 7, 9),
        long_pairs_indel_2: (INDEL, 2, 26), long_pairs_indel_5: (INDEL, 5, 15), long_pairs_indel_7: (INDEL, 7, 12),
        long_pairs_osa_2: (OSA, 2, 16), long_pairs_osa_7: (OSA, 7, 8),
    ]
)]
pub fn long_pairs<const COST: u32, const PLANES: usize, const C: usize>(self: LongPairs<COST, PLANES, C>) {
    let pairs = self.pairs;
    let warp = thread::thread_idx_x() / WARP;
    let sums = LastRow::at(dynamic_shared_mem::<u8>().address() + warp * SUM_BYTES);
    let number = thread::block_idx_x() * WARPS + warp;
    let edges = pairs.edges.skip(number as usize * pairs.edge_words as usize);
    loop {
        // SAFETY: all lanes are here: they leave the loop together.
        let task = unsafe { claim(pairs.claimed, 0) };
        if task >= pairs.count * WARP {
            break;
        }
        let (group, of_lane) = (task / WARP, task % WARP);
        // A group's last lanes may have no pairs.
        if pairs.indices.read((group * GROUP + of_lane * 32) as usize) != NO_STRING {
            // SAFETY: as above; the index is the same in all lanes.
            unsafe { self.lane_of_group(group, of_lane, sums, edges) };
        }
    }
}
