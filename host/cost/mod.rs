//! The costs of jobs on the CPU and on a GPU, and the choice between the two.
//!
//! | file | what |
//! |---|---|
//! | `estimate` | the time of a call, by the costs of its job |
//! | `calibration` | the costs that `carrywave bench --calibrate` has measured on this machine |
//! | `choice` | the choice of an engine on this machine |
//!
//! A job states its default costs in a constant, a [`JobCosts`]. They were measured on one H100 and
//! 16 threads of its host, which has AVX-512; docs/thresholds.md has the figures.

pub mod calibration;
mod choice;
mod estimate;

#[cfg(test)]
pub use estimate::OPENING;
pub use estimate::{Cost, JobCosts, Machine, Work};
