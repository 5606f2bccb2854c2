//! The LCS of two sequences of items of any type: lines, words, numbers, characters of a large
//! alphabet.
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: methods of [`Comparison`](super::Comparison), and [`lcs_of`] |
//! | `problem` | its algorithms: [`Items`], [`ItemAlgorithm`] |
//! | `matches` | the choice of an algorithm for the matches of two sequences of numbers |
//! | `chains` | the longest ascending chain of pairs of positions |
//! | `grams` | a lower bound on the differences |
//! | `kept` | the numbers that both sequences have |
//! | `plan` | the input of an algorithm |
//! | `cpu` | the processor's algorithms |
//! | `gpu` | the algorithms of GPUs and the simulator |
pub(crate) mod chains;
mod comparison;
pub(crate) mod cpu;
pub(crate) mod gpu;
mod grams;
mod kept;
pub(crate) mod matches;
pub(crate) mod plan;
mod problem;

pub use comparison::lcs_of;
pub use problem::{ItemAlgorithm, Items};
