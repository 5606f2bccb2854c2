//! The engine that runs on the processor: one algorithm per file.
//!
//! | file | computes | time | space | used for |
//! |---|---|---|---|---|
//! | [`bit_parallel`] | the last column | see below | 2(m + n) bytes | columns of any size |
//! | [`bit_table`] | the LCS | mn / 64 word steps | mn / 8 bytes | leaves of the recursion |
//! | [`dp`] | the last column | mn | 4(m + 1) bytes | reference for [`bit_parallel`] |
//!
//! The recursion is Hirschberg's.
//!
//! The plain algorithms win only below about 16 x 16 symbols, and there by 0.2 µs (bench
//! `lcs_cpu`), so they are never selected automatically. [`bit_table`] costs about as much as one
//! column of the same strings for tables of up to about 16 MiB, and twice as much for larger ones.
//! Splitting costs two columns, so a recursion does best to stop at 1 to 16 MiB.
//!
//! [`bit_parallel`] picks one of three ways by estimated clock cycles, where s is the number of
//! different symbols of the first string:
//!
//! | file | time, in vector instructions or word steps | where |
//! |---|---|---|
//! | `cpu::lcs_cell` in `cpu::lane_parallel` | mn (log₂ s + 2) / 512 | AVX-512, long strings |
//! | | mn (2 log₂ s + 4) / 256 | AVX2, long strings of up to 64 symbols |
//! | `word_parallel`, `strip` | mn / 64 word steps of 6 instructions | everywhere |
//! | `few_rows`, `strip` | the same | one string of up to 65,536 symbols, work for all threads |
//!
//! `bands` compares similar strings without most of the table. `member` computes a band of rows of
//! a larger table, for several members. `strip` and `cpu` hold what the algorithms share.
//! `subsequence` detects that a short string is a subsequence of a long one; then the table is
//! known.
mod algorithm;
pub mod bit_table;
pub mod columns;
#[cfg(test)]
pub(in crate::lcs) mod dp_table;
mod few_rows;
pub(in crate::lcs) mod member;
pub(crate) mod strip;
mod subsequence;
pub(in crate::lcs) mod word_parallel;

pub use algorithm::{CpuAlgorithm, LastColumn};

// `auto` tries the algorithms of whole strings in this order; then the first of the others computes
// the table.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod bands;
    pub mod bit_parallel;
    pub mod dp;
}
