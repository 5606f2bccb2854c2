//! Edit distances of sequences of tokens on the processor: one algorithm per file.
//!
//! `blocks` computes the table by blocks of 64 rows. `places` finds the ends and starts of the
//! parts of a sequence that are nearest to a pattern.
pub(in crate::distance) mod algorithm;
pub(in crate::distance) mod blocks;
mod places;

use algorithm::CpuAlgorithm;

// `auto` uses the first one.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod bit_parallel;
}
