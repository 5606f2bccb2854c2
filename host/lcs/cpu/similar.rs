//! Similar strings by bands: the production path. The length for the whole strings, and the subsequence, come from
//! [`similar`](crate::pairwise::similar), which computes a small part of the table; where the strings turn out not to be similar
//! it gives up early, and columns of the full table are [`bit_parallel`](super::bit_parallel)'s.

use super::algorithm::CpuAlgorithm;
use super::bit_parallel;
use crate::algorithm::About;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "similar",
        "of similar strings bands about an alignment guessed from seeds, proven by lower bounds; else bit-parallel",
        "after Ukkonen 1985 and Groot Koerkamp 2024; the bounds are our own",
        "some hundred n for similar strings, else as bit-parallel",
    ),
    last_column: bit_parallel::last_column,
};
