//! Gathers the differences of two tables along a staircase, so that [`split`](crate::align::split)
//! finds where the sum of both tables is best.
//!
//! A launch fills one table forwards and one backwards. If all strips end at the same column, a
//! strip that starts late also ends late. Here, a strip that starts late ends at an earlier column,
//! and the strip of the other table over the same rows, which starts early, takes the columns that
//! are left: all strips end at the same time. The tables then meet at a staircase:
//!
//! ```text
//!              e2     e1     e0          the path from the upper right to the lower left:
//!   +-----------------------+--+
//!   | strip 0 ->            |  |         down the column e0, the last one of strip 0
//!   +----------------+------+  |         left along the row between strips 0 and 1, to e1
//!   | strip 1 ->     |   <- 1  |         down the column e1
//!   +---------+------+---------+         left to e2
//!   | strip 2 |         <- 0   |         down the column e2
//!   +---------+----------------+
//! ```
//!
//! A path of an alignment from the upper left to the lower right passes a point of this staircase,
//! since the staircase goes down and left in single steps. So the value of the whole table is the
//! best sum, over these points, of a prefix's value and a suffix's value.
//!
//! Each table has the differences along the staircase: from row to row in the strips' columns V,
//! and from column to column in the rows of carries between strips, which are kept for all columns.
//! The kernel writes both as one column of two bits a step, in the format of [`Distance`]: the bits
//! of the steps that lose 1, and `half` words later the bits of the steps that gain 1. For the
//! table that is filled backwards, the same picture is rotated by half a turn: its steps are those
//! of the other table in the opposite order.
//!
//! **Cost.** Each thread writes one word of 32 steps at a time, from one word of V or two or three
//! tiles of carries.

use crate::align::split::{Distance, Gain, Length};
use crate::{distance, lcs};
use core::marker::PhantomData;
use simt_std::prelude::*;

/// Threads of a block.
const THREADS: u32 = 256;

/// 64-bit words per entry of [`Unfold::strips`].
pub const FIELDS: usize = 6;

/// The format of a table's rows of carries between strips.
pub trait CarryRows: Gain {
    /// Columns of a tile, whose differences are one word.
    const TILE: u32;

    /// Returns the steps to the left that gain 1 and those that lose 1, from the differences +1
    /// and -1 at these columns.
    fn leftwards(plus: u32, minus: u32) -> [u32; 2];
}

impl CarryRows for Length {
    const TILE: u32 = lcs::column_tiles::TILE;

    #[inline(always)]
    fn leftwards(plus: u32, _minus: u32) -> [u32; 2] {
        [0, plus]
    }
}

impl CarryRows for Distance {
    const TILE: u32 = distance::wavefront::TILE;

    /// To the left, a distance that has grown falls again, and a lesser distance is a gain.
    #[inline(always)]
    fn leftwards(plus: u32, minus: u32) -> [u32; 2] {
        [plus, minus]
    }
}

/// Returns bit-vector `vector` of a row of carries at 32 columns, the first in the highest bit.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
fn carries<R: CarryRows>(row: Global<u64>, first: u64, vector: u32) -> u32 {
    let tile = u64::from(R::TILE);
    let (number, past) = ((first / tile) as usize, (first % tile) as u32);
    let tiles = 32 / R::TILE as usize;
    let mut bits = 0u64;
    for i in 0..=tiles {
        // If the columns begin with a tile, the tile after them may not exist.
        let word = if i < tiles || past > 0 { row.read(number + i) as u32 } else { 0 };
        let part = word >> (vector * R::TILE % 32) & (!0 >> (32 - R::TILE));
        bits = bits << R::TILE | u64::from(part);
    }
    (bits >> (R::TILE - past)) as u32
}

/// Writes the steps of all strips. Launch: `parts` blocks per strip.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Unfold<R> {
    /// [`FIELDS`] numbers per strip:
    ///
    /// 0. start of the strip's words in `columns`;
    /// 1. number of these words, of 32 rows each;
    /// 2. start in `carries` of the row of carries out of the strip;
    /// 3. e, the number of the strip's columns;
    /// 4. number of words of 32 columns, e and before, that the strip above does not have;
    /// 5. start of the strip's steps in `steps`, in words.
    pub strips: Global<u64>,
    /// Blocks per strip, at least 1.
    pub parts: u32,
    /// The last columns of the strips as bit-vectors.
    pub columns: Global<u32>,
    /// Offset, in words, from the first bits of all columns to their second bits.
    pub half: u64,
    /// Rows of carries between strips, one word per tile, in the format of the wavefront.
    pub carries: Global<u64>,
    /// Out: the steps that lose 1, and `all` words later those that gain 1.
    pub steps: Global<u32>,
    /// Number of words of steps of all strips.
    pub all: u64,
    /// Format of the columns and of the rows of carries.
    pub format: PhantomData<R>,
}

#[kernel(threads = THREADS, instances = [unfold: (Length), unfold_distance: (Distance)])]
fn unfold<R: CarryRows>(self: Unfold<R>) {
    // Divisors must be at least 1, see `column_tiles`.
    let parts = self.parts.max(1);
    let (strip, part) = (thread::block_idx_x() / parts, thread::block_idx_x() % parts);
    let fields = self.strips.skip(strip as usize * FIELDS);
    let (start, down, end, left) = (fields.read(0), fields.read(1), fields.read(3), fields.read(4));
    let columns = self.columns.skip(start as usize);
    let row = self.carries.skip(fields.read(2) as usize);
    let steps = self.steps.skip(fields.read(5) as usize);
    let mut word = u64::from(part * THREADS + thread::thread_idx_x());
    while word < down + left {
        let [gains, losses] = if word < down {
            R::gains_and_losses(columns, self.half, word)
        } else {
            let first = end - 32 * (word - down + 1);
            R::leftwards(carries::<R>(row, first, 0), carries::<R>(row, first, 1))
        };
        steps.write(word as usize, losses);
        steps.write((self.all + word) as usize, gains);
        word += u64::from(parts * THREADS);
    }
}
