//! The engine that runs on the processor: one algorithm per file.
//!
//! | file | computes | time | space | used for |
//! |---|---|---|---|---|
//! | [`bit_parallel`] | the last column | see below | 2(m + n) bytes | every column, whatever the size |
//! | [`bit_table`] | the script itself | mn / 64 word steps | mn / 4 bytes | the leaves of Hirschberg's recursion |
//! | [`bands`] | the distance or the script, of similar strings | some hundred n | 2 bits a row of each band | `auto` |
//! | [`cut_off`] | whether the distance is at most a maximum k | (k + 64) n / 64 word steps | 32 bytes a symbol | `within` |
//! | [`checkpoints`] | the script | mn, and a third | 2 bits a row of each column that is kept | scripts of dissimilar strings |
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
pub mod bit_table;
mod coded;
pub mod columns;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lane_cell;
pub(crate) mod member;
mod strip;
mod word_parallel;

pub use algorithm::{CpuAlgorithm, LastColumn};

// `auto` asks those of whole strings, in this order; then the first of the others computes the table.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod bands;
    pub mod cut_off;
    pub mod checkpoints;
    pub mod bit_parallel;
    pub mod dp;
}
