//! The nearest part of a text by dynamic programming.

use super::CpuAlgorithm;
use crate::algorithm::About;
use crate::infix::sellers;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new("sellers", "dynamic programming, as a reference", "Sellers 1980", "mn cells"),
    least: |job| {
        Box::new(move |number| {
            let symbols = job.watched(job.pieces.get(number)?.text, job.pattern.len());
            Some(sellers::least_by(symbols, job.pattern))
        })
    },
};
