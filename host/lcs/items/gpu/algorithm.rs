//! A row of the table of algorithms: an algorithm for an LCS of two sequences of tokens on devices.

use crate::algorithm::About;
use crate::device::{Device, Timings};
use crate::error::Result;
use crate::lcs::items::plan::{Matches, MatchesPlan};

/// The matches that devices found, and their times.
pub struct Found {
    /// The matches.
    pub matches: Matches,
    /// Times of kernels and copies.
    pub timings: Timings,
}

/// Returns true if a level of the recursion with this number of cells goes to the devices.
type IsLarge<'e> = &'e (dyn Fn(u64) -> bool + Sync);

/// An algorithm for an LCS of two sequences of tokens on devices.
pub struct DeviceAlgorithm<D: Device> {
    /// Name, source, cost and limits.
    pub about: &'static About,
    /// Finds the matches on one or more devices.
    pub matches: fn(&[&D], &MatchesPlan<'_>, IsLarge<'_>) -> Result<Found>,
}
