//! The longest common subsequence of two strings.
pub mod column;
pub mod result;
