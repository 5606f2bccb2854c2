//! The edit distance of two whole strings, and a cheapest script.
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: [`Comparison`], [`Algorithm`], [`Report`] |
//! | [`thresholds`] | which engine takes which size |
//! | [`cpu`] | the processor's algorithms |
//! | [`gpu`] | those of GPUs and the simulator |
mod comparison;
pub mod cpu;
pub mod gpu;
pub mod thresholds;

pub use comparison::{Algorithm, Comparison, Global, Report, distance};
