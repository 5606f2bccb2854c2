//! Distances of many pairs on the processor.
//!
//! | file | what | cells in instructions |
//! |---|---|---|
//! | `bit_pairs` | many tables at once, one in each bit of a vector | 512 or 256 in 5 |
//! | `words` | one table, 64 rows to a word | 64 in 17 |
//! | `strips` | one long table, a strip of rows to each bit of a vector | 512 in 5 + log₂ σ |
//! | `numbers` | one table of any number of different symbols, 64 rows to a word | 64 in 17 |
//! | `pieces` | finds the pairs of a list that may be near | |
//! | `algorithm` | an entry of the table of these algorithms: its pairs and its cost | |
//! | `bit_tables` | the tables of `bit_pairs` | |
//! | `recurrence` | the operations of `bit_tables` on a cell: Levenshtein, OSA, LCS | |
//! | `osa` | optimal string alignment of one pair, 64 rows to a word | 64 in 23 |
//! | `osa_cell` | its cell for `strips` | |
//! | `engine` | groups of similar lengths, and the algorithm for each | |
//! | `estimates` | sizes and settings for estimates of clock cycles | |
//! | `band` | the cells that a maximum leaves | |
//! | `counter` | a number for each bit of a vector | |
//! | `symbols` | strings as bit planes, one a lane |
//! | `signatures` | bits that show for most pairs that they are not near | |
//!
//! Vectors have 512 bits (AVX-512) or 256 (AVX2). The numbers of instructions are those of edit
//! distances; an LCS takes 2 instead of 5, and in `words` 6 instead of 17.
//!
//! A group has pairs of similar lengths, as all its tables take the time of the longest. The engine
//! estimates the time of each algorithm for a group, and chooses the fastest: few pairs, or pairs
//! of very different lengths, are compared one by one.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_variables, unreachable_code, reason = "there are lanes on x86-64 alone")
)]

mod algorithm;
mod band;
mod bit_tables;
mod counter;
mod engine;
mod estimates;
pub(crate) mod osa;
mod osa_cell;
mod recurrence;
mod signatures;
mod symbols;

pub(super) use algorithm::CpuAlgorithm;
pub(super) use engine::CpuPairs;

// The first is the reference for the others.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod words;
    pub mod bit_pairs;
    #[cfg(target_arch = "x86_64")]
    pub mod strips;
    pub mod numbers;
    pub mod pieces;
}
