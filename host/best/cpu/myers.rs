//! The nearest part of a text by all of Myers' blocks of 64 rows.

use super::engine::CpuAlgorithm;
use crate::algorithm::About;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new("myers", "bit-vectors in 64-bit words", "Myers 1999, Hyyrö 2003", "17 n ⌈m / 64⌉ instructions"),
    least: |text| Box::new(move |number| Some(text.by_all_blocks(text.pieces.get(number)?.text))),
};
