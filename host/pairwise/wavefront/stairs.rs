//! The strips' ends in a table whose strips all end at the same time, and the room for the symbols
//! that such tables have at the strings' ends. `staircase.rs` explains both.

use super::form::Form;
use super::kernels::Kernels;
use super::plan::ROWS;

/// Ends of the strips of a table whose strips all end at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stairs {
    /// Number of columns of the lowest strip.
    pub(super) first: u64,
    /// Number of columns that a strip has less than the one below it.
    pub(super) fall: u64,
    /// Number of symbols at the ends of both strings that are not theirs.
    pub(super) padding: u64,
}

impl Stairs {
    /// Returns the number of columns of a strip.
    pub(super) fn end(&self, strip: u64) -> u64 {
        self.first - strip * self.fall
    }
}

/// Returns the room at the end of each string on a device, in symbols. With more than an eighth of
/// a string, other plans are faster.
pub(super) fn room<K: Kernels>(lengths: [usize; 2]) -> usize {
    let widest = K::all_forms().into_iter().map(|Form { words, .. }| words).max().unwrap_or(0);
    (lengths[0].min(lengths[1]) / 8).min(ROWS as usize * widest as usize)
}
