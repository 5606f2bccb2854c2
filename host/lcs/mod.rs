//! The longest common subsequence of two strings.
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: [`Comparison`] |
//! | `problem` | its algorithms, and the computation of its tables: [`Lcs`], [`Algorithm`] |
//! | `rules` | rules that divide a comparison between GPU and CPU |
//! | `rotation` | the best rotation of a circular string: [`Rotation`] |
//! | `published` | the rules of Kawanami and Fujimoto (2014) |
//! | `expected` | the length expected of random strings: [`expected_length`], [`ExpectedLengths`] |
//! | `thresholds` | the costs of the job on each engine; `auto` compares them |
//! | `items` | sequences of items of any type, such as lines and words: [`ItemAlgorithm`] |
//! | `cpu` | the processor's algorithms |
//! | `gpu` | the algorithms of GPUs and the simulator |
mod comparison;
pub(crate) mod cpu;
mod expected;
pub(crate) mod gpu;
pub(crate) mod items;
mod problem;
#[cfg(feature = "published")]
mod published;
mod rotation;
mod rules;
pub(crate) mod thresholds;

pub use crate::alignment::runs::CommonSubsequence;
pub use comparison::{Comparison, lcs, lcs_length};
pub use expected::{Composition, Expected, ExpectedLengths, expected_length, expected_length_from};
pub use items::{ItemAlgorithm, Items, lcs_of};
pub use problem::{Algorithm, Lcs};
pub use rotation::Rotation;
pub use rules::Rules;
