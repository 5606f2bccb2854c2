//! The longest common subsequence of two strings.
pub mod blocks;
pub mod column;
pub mod result;
