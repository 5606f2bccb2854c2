//! The nearest part of a text by all of Myers' blocks of 64 rows.

use super::CpuAlgorithm;
use crate::algorithm::About;
use crate::align::infix::myers;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new("myers", "bit-vectors in 64-bit words", "Myers 1999, Hyyrö 2003", "17 n ⌈m / 64⌉ instructions"),
    least: |pieces, pattern, matches| {
        Box::new(move |number| {
            let symbols = pieces.get(number)?.text.iter().copied();
            Some(myers::least(symbols, matches, pattern.len(), 0))
        })
    },
};
