//! An LCS as runs of matches, and what is derived from them.

use serde::{Deserialize, Serialize};

/// A run of matches: `len` symbols that are equal in both strings from these positions on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Run {
    /// Where the run starts in the first string, 0-based.
    pub a_start: u64,
    /// Where the run starts in the second string, 0-based.
    pub b_start: u64,
    /// Symbols in the run, at least 1.
    pub len: u64,
}

/// A longest common subsequence of two strings A and B.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommonSubsequence {
    runs: Vec<Run>,
    a_len: u64,
    b_len: u64,
}
