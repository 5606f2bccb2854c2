//! The edit distance of sequences of items as a problem: its algorithms.

use crate::algorithm::{About, Algorithm, Problem};

/// The problem whose algorithms compute edit distances of two sequences of items. As in the
/// [example](ItemAlgorithm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Items;

impl Problem for Items {
    const WHAT: &'static str = "edit distance algorithm for items";
    const CPU: &'static [&'static About] = super::cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = &[];
}

/// The algorithm for the edit distance of two sequences of items: `auto`, or a named one.
///
/// ```
/// use carrywave::distance::{Comparison, ItemAlgorithm};
///
/// let blocks = ItemAlgorithm::named("bit-parallel")?;
/// let comparison = Comparison::new().item_algorithm(blocks);
/// assert_eq!(comparison.distance_of(&["to", "be", "or"], &["not", "to", "be"])?, 2);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub type ItemAlgorithm = Algorithm<Items>;
