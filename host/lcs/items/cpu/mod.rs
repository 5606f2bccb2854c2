//! The LCS of sequences of tokens on the processor: one algorithm per file.
//!
//! | file | time | space | used for |
//! |---|---|---|---|
//! | [`bit_parallel`] | mn / 64 word steps | m + n words | many differences |
//! | [`certain_cells`] | (m + n) log (m + n), and parts | m + n words | many unique tokens |
//! | [`furthest_reaching`] | (m + n) D | D words | few differences |
//! | [`hunt_szymanski`] | r log n | 12 r bytes | few pairs of equal tokens |
//!
//! `columns`, `strips` and `table` are parts of [`bit_parallel`]: last columns, strips of rows with
//! codes of their own, and the table of the recursion's leaves.
mod algorithm;
pub(crate) mod columns;
mod strips;
mod table;

pub(crate) use algorithm::CpuAlgorithm;
pub(crate) use table::Tokens;

// `auto` uses the first one last.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod bit_parallel;
    pub mod certain_cells;
    pub mod furthest_reaching;
    pub mod hunt_szymanski;
}
