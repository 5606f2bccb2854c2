//! Exact comparison and approximate search of long strings on NVIDIA GPUs, and without one.
pub mod engine;
pub mod error;
pub mod lcs;

pub use error::{Error, Result};
