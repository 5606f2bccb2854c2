//! Similar strings by bands: computes the distance of the whole strings, and a script, from a small
//! part of the table. Gives up early if the strings are not similar.

use super::algorithm::CpuAlgorithm;
use crate::algorithm::About;
use crate::pairwise::rows::Computes;
use crate::pairwise::similar::similar;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "bands",
        "similar strings: bands around an alignment guessed from seeds, proven by lower bounds",
        "after Ukkonen 1985 and Groot Koerkamp 2024; bounds: this project",
        "several hundred n; bit-parallel takes over if the strings are not similar",
    ),
    computes: Computes::Whole(similar),
};
