//! The longest common subsequence of two strings.
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: [`Comparison`] |
//! | `problem` | its algorithms, and what computes its tables: [`Lcs`], [`Algorithm`] |
//! | `rules` | by which rules a comparison is divided |
//! | `published` | those of Kawanami and Fujimoto (2014) |
//! | `expected` | the length expected of random strings: [`expected_length`], [`ExpectedLengths`] |
//! | `thresholds` | which engine takes which size |
//! | `tokens` | of sequences of numbers, as lines and words are |
//! | `cpu` | the processor's algorithms |
//! | `gpu` | those of GPUs and the simulator |
mod comparison;
pub(crate) mod cpu;
mod expected;
pub(crate) mod gpu;
mod problem;
#[cfg(feature = "published")]
mod published;
mod rules;
pub(crate) mod thresholds;
pub(crate) mod tokens;

pub use crate::alignment::runs::{CommonSubsequence, Operation, Run};
pub use comparison::{Comparison, lcs, lcs_length, lcs_of};
pub use expected::{Composition, Expected, ExpectedLengths, expected_length, expected_length_from};
pub use problem::{Algorithm, Lcs};
pub use rules::Rules;
