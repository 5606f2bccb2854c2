//! A run of matches.

use serde::{Deserialize, Serialize};

/// A run of matches: `len` symbols that are equal in both strings from these positions on. As in
/// the [example](crate::lcs::CommonSubsequence).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Run {
    /// Start in the first string, 0-based.
    pub a_start: u64,
    /// Start in the second string, 0-based.
    pub b_start: u64,
    /// Number of symbols in the run, at least 1.
    pub len: u64,
}

impl Run {
    /// Returns the ends in both strings.
    pub(crate) fn ends(&self) -> (u64, u64) {
        (self.a_start + self.len, self.b_start + self.len)
    }
}
