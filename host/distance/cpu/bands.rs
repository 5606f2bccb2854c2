//! Similar strings by bands: the distance of the whole strings, and a script, from a small part of the table. Where the strings turn out
//! not to be similar, it gives up early.

use super::algorithm::CpuAlgorithm;
use crate::algorithm::About;
use crate::pairwise::rows::Computes;
use crate::pairwise::similar::similar;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "bands",
        "of similar strings bands about an alignment guessed from seeds, proven by lower bounds",
        "after Ukkonen 1985 and Groot Koerkamp 2024; the bounds are our own",
        "some hundred n; bit-parallel takes over where strings are not similar",
    ),
    computes: Computes::Whole(similar),
};
