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
//! | `word_parallel`, `strip` | mn / 64 word steps of 17 instructions | everywhere |
mod algorithm;
pub(crate) mod band;
pub mod bit_table;
#[cfg(target_arch = "x86_64")]
pub(crate) mod checkpoints;
mod coded;
pub mod columns;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lane_cell;
mod strip;
mod word_parallel;

pub use algorithm::{CpuAlgorithm, Table};

// The first is the fastest.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod similar;
    pub mod bit_parallel;
    pub mod dp;
}
