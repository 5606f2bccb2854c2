//! A lane of a strip: keeps its rows' bit-vectors in registers, and takes one column, four columns
//! or a group of eight at a time.

use super::table::LaneTable;
use crate::lcs::column_tiles::{GROUP, TILE};
use crate::lcs::lane_column::{Lane, LaneColumn};
use simt_std::prelude::*;

/// The eight columns of a group: a word of 64 bits per digit.
pub(super) type Group<const D: usize> = [u64; D];

/// Groups per turn.
pub(super) const GROUPS: usize = (TILE / GROUP) as usize;

/// Returns the digits of the lower or upper four columns of a group, times W. One multiplication
/// per digit suffices, since each product fits into its byte.
#[inline(always)]
pub(super) fn times_words<const W: usize, const D: usize>(group: Group<D>, upper: bool) -> [u32; D] {
    let mut times = [0; D];
    for d in 0..D {
        times[d] = (if upper { group[d] >> 32 } else { group[d] }) as u32 * W as u32;
    }
    times
}

/// The registers of a lane on its way through the columns of a strip.
pub(super) struct LaneOfStrip<const W: usize, const D: usize, const AHEAD: bool> {
    pub(super) table: LaneTable<W, D>,
    pub(super) v: [u32; W],
    /// The next columns: all groups of the next turn or, if columns are read group by group, two
    /// groups that alternate in the first two elements. They are not moved, since a copy would wait
    /// for the load.
    pub(super) groups: [Group<D>; GROUPS],
    /// With `AHEAD`, the match words of the next [`COLUMNS_AHEAD`](Self::COLUMNS_AHEAD) columns.
    pub(super) early: [[u32; W]; 4],
    /// Carries of this tile's columns. In `carries_in` the next column is in the highest bit, and
    /// in `carries_out` the last column is in the lowest bit.
    pub(super) carries_in: u32,
    pub(super) carries_out: u32,
}

impl<const W: usize, const D: usize, const AHEAD: bool> LaneOfStrip<W, D, AHEAD>
where
    Lane<W>: LaneColumn<W>,
{
    /// Distance, in columns, between reading match words and using them. A load takes as long as
    /// one or two columns of a narrow lane; wide lanes have registers for only one column.
    const COLUMNS_AHEAD: u32 = match W {
        _ if !AHEAD => 0,
        1..=3 => 4,
        4 if D > 1 => 4,
        4..=8 => 2,
        _ => 1,
    };

    /// Reads the match words of the first columns, before the first step.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub(super) fn begin(&mut self) {
        let low = times_words::<W, D>(self.groups[0], false);
        unroll!(k in [0 1 2 3] {
            if k < Self::COLUMNS_AHEAD {
                self.early[k as usize] = self.table.read(low, k);
            }
        });
    }

    /// Returns the match words of column `k` of `four`, and reads those of a later column of `four`
    /// or of the `next` four.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn matches(&mut self, four: [u32; D], next: [u32; D], k: u32) -> [u32; W] {
        let ahead = Self::COLUMNS_AHEAD;
        if ahead == 0 {
            return self.table.read(four, k);
        }
        let later = if k + ahead < 4 { self.table.read(four, k + ahead) } else { self.table.read(next, k + ahead - 4) };
        core::mem::replace(&mut self.early[(k % ahead) as usize], later)
    }

    /// Takes the columns of the group at index `PLACE`. `third` reads the group after the next one,
    /// which replaces this group.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub(super) fn group<const PLACE: usize, const MASKED: bool>(
        &mut self,
        third: impl FnOnce() -> Group<D>,
        exist: &mut u32,
    ) {
        let low = times_words::<W, D>(self.groups[PLACE], false);
        let high = times_words::<W, D>(self.groups[PLACE], true);
        self.groups[PLACE] = third();
        let next = times_words::<W, D>(self.groups[1 - PLACE], false);
        self.four::<MASKED>(low, high, exist);
        self.four::<MASKED>(high, next, exist);
    }

    /// Takes four columns, whose symbols are the bytes of one word for `dp4a`; `next` are the four
    /// columns after them. With `MASKED`, a column exists if the highest bit of `exist` is set;
    /// `exist` is shifted up by one per column.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub(super) fn four<const MASKED: bool>(&mut self, four: [u32; D], next: [u32; D], exist: &mut u32) {
        unroll!(k in [0 1 2 3] {
            let matches = self.matches(four, next, k);
            self.column::<MASKED>(&matches, exist);
        });
    }

    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    fn column<const MASKED: bool>(&mut self, matches: &[u32; W], exist: &mut u32) {
        if MASKED {
            Lane::<W>::step_if(exist, &mut self.v, matches, &mut self.carries_in, &mut self.carries_out);
        } else {
            Lane::<W>::step(&mut self.v, matches, &mut self.carries_in, &mut self.carries_out);
        }
    }
}
