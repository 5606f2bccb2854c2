//! Distances of many pairs on the processor.
//!
//! | file | what | cells a step |
//! |---|---|---|
//! | `bit_pairs` | as many tables at once as a vector has bits | 512 (AVX-512) or 256 (AVX2) in 5 instructions, LCS 2 |
//! | `words` | one table, 64 rows to a word | 64 in 17 instructions, LCS 6 |
//! | `strips` | one long table, a strip of rows to each bit of a vector | 512 in 5 instructions, LCS 2, and log₂ σ |
//! | `numbers` | one table of any number of kinds of symbols, 64 rows to a word | 64 in 17 instructions |
//! | `pieces` | which pairs of a list may be near | |
//! | `algorithm` | a row of the table of these: what it takes and what it costs | |
//! | `bit_tables` | the tables of `bit_pairs` | |
//! | `recurrence` | what `bit_tables` does to a cell: Levenshtein, LCS | |
//! | `engine` | groups of like lengths, and the way for each | |
//! | `estimates` | what the cost of a way depends on | |
//! | `band` | the cells that a maximum leaves | |
//! | `counter` | a number for each bit of a vector | |
//! | `symbols` | strings as bit planes, one a lane | |
//!
//! A group has pairs of like lengths, as all its tables take the time of the longest. The engine estimates the time of each way for a group,
//! and takes the fastest: few pairs, or pairs of very different lengths, go one by one.
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
mod recurrence;
mod symbols;

pub(super) use algorithm::CpuAlgorithm;
pub(super) use engine::CpuPairs;

// The first is the one to compare others with.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod words;
    pub mod bit_pairs;
    #[cfg(target_arch = "x86_64")]
    pub mod strips;
    pub mod numbers;
    pub mod pieces;
}
