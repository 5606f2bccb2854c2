//! A row of the table of algorithms: a way to the matches of two texts.

use crate::algorithm::About;
use crate::alignment::Run;
use crate::error::Result;
use crate::lcs::items::matches::Options;
use crate::text::numbered::Numbered;

/// Two texts whose units have been numbered, and how they are compared.
pub struct Request<'r> {
    /// The units of both texts.
    pub numbered: &'r Numbered,
    /// True for the script of `diff -d`, false for that of `diff`.
    pub is_minimal: bool,
    /// How an LCS of parts is found.
    pub options: Options<'r>,
}

/// A way to the matches of two texts.
pub struct CpuAlgorithm {
    /// Its name, source, cost and limits.
    pub about: About,
    /// The matches, in order.
    pub runs: fn(&Request<'_>) -> Result<Vec<Run>>,
}
