//! Approximate search by bit-vectors, for any k: Myers' blocks of 64 rows, down to the last block
//! that can matter (see `cut_off`).

use super::row::{CpuAlgorithm, Takes, by};
use crate::algorithm::About;
use crate::infix::cut_off;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "myers",
        "bit-vectors of the differences in a column, in blocks of 64 rows down to the last that matters",
        "Myers 1999, Hyyrö 2003, Ukkonen 1985",
        "at most 17 ⌈m / 64⌉ instructions, about 17 ⌈2k / 64⌉ in a random text",
    ),
    check: |_| Ok(()),
    takes: Takes::one(
        |query| Some(17.0 * query.len().div_ceil(64) as f64),
        |query, _| {
            by(query, |text, query, on_progress| {
                cut_off::ends(text.iter().copied(), query.matches(), query.len(), query.k, on_progress)
            })
        },
    ),
};
