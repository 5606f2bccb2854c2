//! The differences along the edge between two blocks of columns, in global memory, for kernels
//! whose words hold a cell of 32 tables.
//!
//! A row of a lane takes one word for the indel distance (v), two for Levenshtein's (P and M), and
//! four for optimal string alignment, which also needs the last cell's state
//! ([`LeftCell`]).

use crate::distance::pair_cell::{INDEL, LeftCell, OSA, Vertical};
use simt_std::prelude::*;

/// Returns the words of `rows` rows of a warp.
pub const fn edge_words(cost: u32, rows: u32) -> u64 {
    let words = match cost {
        INDEL => 1,
        OSA => 4,
        _ => 2,
    };
    rows as u64 * WARP as u64 * words
}

/// Reads edge `i`: row × 32 + lane.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn read_edge<const COST: u32>(edges: Global<u32>, i: u32) -> LeftCell {
    match COST {
        INDEL => LeftCell { v: Vertical::new(edges.read(i as usize), 0), ..LeftCell::default() },
        OSA => {
            let U32x4([p, m, d0, symbols]) = edges.cast::<U32x4>().read(i as usize);
            LeftCell { v: Vertical::new(p, m), d0, symbols }
        }
        _ => {
            let U32x2([p, m]) = edges.cast::<U32x2>().read(i as usize);
            LeftCell { v: Vertical::new(p, m), ..LeftCell::default() }
        }
    }
}

/// Writes edge `i`: row × 32 + lane.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn write_edge<const COST: u32>(edges: Global<u32>, i: u32, left: LeftCell) {
    let LeftCell { v: Vertical { p, m, .. }, d0, symbols } = left;
    match COST {
        INDEL => edges.write(i as usize, p),
        OSA => edges.cast::<U32x4>().write(i as usize, U32x4([p, m, d0, symbols])),
        _ => edges.cast::<U32x2>().write(i as usize, U32x2([p, m])),
    }
}
