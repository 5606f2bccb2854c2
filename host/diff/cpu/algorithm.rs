//! An entry in the table of algorithms that find the matches of two texts.

use crate::algorithm::About;
use crate::alignment::Run;
use crate::error::Result;
use crate::lcs::items::matches::Options;
use crate::text::numbered::Numbered;

/// Two texts as numbers, and the options of their comparison.
pub struct Request<'r> {
    /// The units of both texts.
    pub numbered: &'r Numbered,
    /// True for the script of `diff -d`, false for that of `diff`.
    pub is_minimal: bool,
    /// Options for the LCS of parts.
    pub options: Options<'r>,
}

/// An algorithm that finds the matches of two texts.
pub struct CpuAlgorithm {
    /// Its name, source, cost and limits.
    pub about: About,
    /// Finds the matches, in order.
    pub runs: fn(&Request<'_>) -> Result<Vec<Run>>,
}
