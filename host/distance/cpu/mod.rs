//! The engine that runs on the processor: one algorithm per file.
//!
//! | file | computes | time | space | used for |
//! |---|---|---|---|---|
//! | [`bit_parallel`] | the last column | see below | 2(m + n) bytes | every column, whatever the size |
//! | [`bit_table`] | the script itself | mn / 64 word steps | mn / 4 bytes | the leaves of Hirschberg's recursion |
//! | [`similar`] | the whole, of similar strings | some hundred n | 2 bits a row of each band | `auto` |
//! | [`dp`] | the last column | mn | 8(m + 1) bytes | a reference to check [`bit_parallel`] against |
//!
//! [`bit_parallel`] picks one of two ways by an estimate of clock cycles, s being the symbols of the first string:
//!
//! | file | time | where |
//! |---|---|---|
//! | `lane_cell` in `cpu::lane_parallel` | mn (log₂ s + 5) / 512 vector instructions | AVX-512, long strings |
//! | | mn (2 log₂ s + 8) / 256 vector instructions | AVX2, long strings |
//! | `word_parallel` | mn / 64 word steps of 17 instructions | everywhere |
pub(crate) mod band;
pub mod bit_table;
#[cfg(target_arch = "x86_64")]
pub(crate) mod checkpoints;
mod coded;
pub mod columns;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lane_cell;
mod word_parallel;

use crate::algorithm::About;
use crate::pairwise::column::Direction;
use crate::pairwise::differences::{Differences, FirstColumn};
use crate::text::Equality;

/// An edit distance table.
#[derive(Debug, Clone, Copy)]
pub struct Table<'t> {
    /// The string whose prefixes are the rows.
    pub rows: &'t [u8],
    /// The string whose prefixes are the columns.
    pub cols: &'t [u8],
    /// From which end of both strings it is filled.
    pub direction: Direction,
    /// Its first column.
    pub first: FirstColumn,
    /// Which symbols are equal.
    pub equality: &'t Equality,
}

impl Table<'_> {
    /// m × n.
    pub fn cells(&self) -> u64 {
        (self.rows.len() as u64).saturating_mul(self.cols.len() as u64)
    }
}

/// A way to compute the last column of an edit distance table on the processor.
#[derive(Debug)]
pub struct CpuAlgorithm {
    /// What there is to know of it.
    pub about: About,
    /// The last column of a table. The other argument is called with the number of cells done since its last call.
    pub last_column: fn(&Table<'_>, Progress<'_>) -> Differences,
}

/// Called with the number of cells done since its last call.
type Progress<'p> = &'p (dyn Fn(u64) + Sync);

// The first is the fastest.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod similar;
    pub mod bit_parallel;
    pub mod dp;
}
