//! What two texts have in common, by rules of their own: one algorithm a file. The others are those for an
//! [LCS of items](crate::lcs::ItemAlgorithm).
mod algorithm;

pub(super) use algorithm::{CpuAlgorithm, Request};

// `auto` takes them by the options of the comparison alone.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod gnu;
    pub mod patience;
}
