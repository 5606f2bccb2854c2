//! The nearest part of a text on all cores of the processor, one algorithm per file.

mod engine;

pub use engine::{CpuAlgorithm, CpuBest};
#[cfg(test)]
pub(crate) use engine::{Least, Pieces};

// The first is the fastest.
cpu_algorithms! {
    CpuAlgorithm;
    pub mod cut_off;
    pub mod myers;
    pub mod sellers;
}
