//! Algorithms that match two texts by rules other than an LCS, one algorithm a file. The algorithms
//! for an LCS are those [for items](crate::lcs::ItemAlgorithm).
mod algorithm;

pub(super) use algorithm::{CpuAlgorithm, Request};

// `auto` selects them by the options of the comparison alone.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod gnu;
    pub mod patience;
}
