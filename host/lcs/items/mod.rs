//! The LCS of two sequences of items of any kind: lines, words, numbers, characters of a large alphabet.
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: methods of [`Comparison`](super::Comparison), and [`lcs_of`] |
//! | `problem` | its algorithms: [`Items`], [`ItemAlgorithm`] |
//! | `matches` | which algorithm computes the matches of two sequences of numbers |
//! | `kept` | the numbers that both sequences have |
//! | `plan` | what an algorithm takes |
//! | `cpu` | the processor's algorithms |
//! | `gpu` | those of GPUs and the simulator |
mod comparison;
pub(crate) mod cpu;
pub(crate) mod gpu;
mod kept;
pub(crate) mod matches;
pub(crate) mod plan;
mod problem;

pub use comparison::lcs_of;
pub use problem::{ItemAlgorithm, Items};
