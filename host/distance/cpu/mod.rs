//! The engine that runs on the processor: one algorithm per file.
//!
//! | file | computes | time | space | used for |
//! |---|---|---|---|---|
//! | [`bit_parallel`] | the last column | see below | 2(m + n) bytes | columns of any size |
//! | [`bit_table`] | the script | mn / 64 word steps | mn / 4 bytes | leaves of the recursion |
//! | [`bands`] | distance or script of similar strings | see below | see below | `auto` |
//! | [`cut_off`] | the distance up to a maximum k | see below | 32 bytes per symbol | `within` |
//! | [`checkpoints`] | the script | mn plus a third | see below | scripts of dissimilar strings |
//! | [`dp`] | the last column | mn | 8(m + 1) bytes | reference for [`bit_parallel`] |
//!
//! The recursion is Hirschberg's. [`bands`] takes several hundred n, and 2 bits per row of each
//! band. [`cut_off`] takes (k + 64) n / 64 word steps. [`checkpoints`] takes 2 bits per row of each
//! kept column.
//!
//! [`bit_parallel`] picks one of two ways by estimated clock cycles, where s is the number of
//! different symbols of the first string:
//!
//! | file | time, in vector instructions or word steps | where |
//! |---|---|---|
//! | `lane_cell` in `cpu::lane_parallel` | mn (log₂ s + 5) / 512 | AVX-512, long strings |
//! | | mn (2 log₂ s + 8) / 256 | AVX2, long strings |
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

// `auto` tries the algorithms of whole strings in this order; then the first of the others computes
// the table.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod bands;
    pub mod cut_off;
    pub mod checkpoints;
    pub mod bit_parallel;
    pub mod dp;
}
