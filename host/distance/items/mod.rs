//! The edit distance of two sequences of items of any type: lines, words, numbers, characters of a
//! large alphabet.
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: methods of [`Comparison`](super::Comparison) |
//! | `problem` | its algorithms: [`Items`], [`ItemAlgorithm`] |
//! | `cpu` | the processor's algorithms |
mod comparison;
pub(crate) mod cpu;
mod problem;

pub use problem::{ItemAlgorithm, Items};
