//! Exact comparison and approximate search of long strings on NVIDIA GPUs, and without one.
pub mod engine;
pub mod error;
pub mod lcs;
pub mod output;
pub mod sequence;

pub use error::{Error, Result};
