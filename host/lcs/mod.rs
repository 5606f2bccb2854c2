//! The longest common subsequence of two strings.
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: [`Comparison`], [`Algorithm`], [`Report`] |
//! | [`thresholds`] | which engine takes which size |
//! | [`cpu`] | the processor's algorithms |
//! | [`gpu`] | those of GPUs and the simulator |
mod comparison;
#[doc(hidden)]
pub mod cpu;
#[doc(hidden)]
pub mod gpu;
#[doc(hidden)]
pub mod thresholds;

pub use crate::align::runs::{CommonSubsequence, Operation, Run};
pub use comparison::{Algorithm, Comparison, Lcs, Report, lcs, lcs_length};
