//! The nearest part of a text by dynamic programming.

use super::engine::CpuAlgorithm;
use crate::algorithm::About;
use crate::infix::sellers;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new("sellers", "dynamic programming, as a reference", "Sellers 1980", "mn cells"),
    least: |text| {
        Box::new(move |number| {
            let symbols = text.watched(text.pieces.get(number)?.text, text.pattern.len());
            Some(sellers::least_by(symbols, text.pattern))
        })
    },
};
