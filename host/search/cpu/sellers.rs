//! Approximate search by dynamic programming, as a reference (see `sellers`).

use super::row::{CpuAlgorithm, Takes, by};
use crate::algorithm::About;
use crate::infix::sellers;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new("sellers", "dynamic programming, as a reference", "Sellers 1980", "m cells"),
    check: |_| Ok(()),
    takes: Takes::one(|_| None, |query, _| by(query, |text, query, _| sellers::ends(text, &query.pattern, query.k))),
};
