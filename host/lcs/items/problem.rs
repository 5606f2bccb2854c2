//! The LCS of sequences of items as a problem: its algorithms.

use crate::algorithm::{About, Algorithm, Problem};

/// The problem whose algorithms find an LCS of two sequences of items. As in the
/// [example](ItemAlgorithm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Items;

impl Problem for Items {
    const WHAT: &'static str = "LCS algorithm for items";
    const CPU: &'static [&'static About] = super::cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = super::gpu::ABOUTS;
}

/// The algorithm for an LCS of two sequences of items: `auto`, or a named one.
///
/// ```
/// use carrywave::lcs::{Comparison, ItemAlgorithm};
///
/// let chains = ItemAlgorithm::named("hunt-szymanski")?;
/// let lcs = Comparison::new()
///     .item_algorithm(chains)
///     .alignment_of(&["to", "be", "or"], &["or", "to", "be"])?;
/// assert_eq!(lcs.len(), 2);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub type ItemAlgorithm = Algorithm<Items>;
