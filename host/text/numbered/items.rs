//! The items of two sequences, found by their positions.

use std::hash::Hash;

/// Items that are found by their positions.
pub(crate) trait Items<'i>: Copy + Sync {
    /// An item, or what it is compared by.
    type Item: Eq + Hash;

    /// Returns the number of items.
    fn len(&self) -> usize;

    /// Returns the item at a position below the length.
    fn item(&self, at: usize) -> Self::Item;

    /// Returns true if the items at two positions are equal.
    fn are_equal(&self, one: usize, other: usize) -> bool {
        self.item(one) == self.item(other)
    }
}
