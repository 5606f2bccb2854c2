//! The longest common subsequence of two strings.
pub mod blocks;
pub mod column;
#[cfg(feature = "plot")]
pub mod plot;
pub mod result;
