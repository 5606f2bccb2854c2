//! Edit distances of sequences of tokens on the processor: one algorithm a file.
//!
//! `blocks` has the table by blocks of 64 rows, and `places` where the parts of a sequence end and begin that are nearest to a pattern.
pub(in crate::distance) mod algorithm;
pub(in crate::distance) mod blocks;
mod places;

use algorithm::CpuAlgorithm;

// The first is the one that `auto` takes.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod bit_parallel;
}
