//! What differs between two texts.

use crate::text::{Unit, Units};
use std::ops::Range;

/// A stretch of A that a stretch of B takes the place of. One of them may be empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Change {
    /// Which units of A (lines, words or characters) are deleted: 0-based, the end exclusive.
    pub a: Range<usize>,
    /// Which units of B are inserted.
    pub b: Range<usize>,
    /// True if it is one of those that were asked to be ignored: all its lines are blank. It is printed only as a part of other changes' context.
    pub is_ignored: bool,
}

impl Change {
    pub(crate) fn new(a: Range<usize>, b: Range<usize>) -> Self {
        Self { a, b, is_ignored: false }
    }

    /// Makes it a change of units that are `by` units further on.
    pub(super) fn move_on(&mut self, by: usize) {
        for side in [&mut self.a, &mut self.b] {
            *side = side.start + by..side.end + by;
        }
    }
}

/// The difference of two texts.
///
/// The changes ascend in both texts, and between two of them is at least one unit that both texts have.
#[derive(Debug, Clone)]
pub struct Diff<'t> {
    pub(crate) unit: Unit,
    pub(crate) a: Units<'t>,
    pub(crate) b: Units<'t>,
    pub(crate) changes: Vec<Change>,
}

impl<'t> Diff<'t> {
    /// What the texts were cut into.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// The units of A.
    pub fn a(&self) -> &Units<'t> {
        &self.a
    }

    /// The units of B.
    pub fn b(&self) -> &Units<'t> {
        &self.b
    }

    /// All changes, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// True if there is no change but such as are ignored.
    pub fn is_empty(&self) -> bool {
        self.changes.iter().all(|change| change.is_ignored)
    }

    /// How many units are deleted and inserted, ignored changes left out.
    pub fn counts(&self) -> (u64, u64) {
        let told = self.changes.iter().filter(|change| !change.is_ignored);
        told.fold((0, 0), |(deleted, inserted), change| {
            (deleted + change.a.len() as u64, inserted + change.b.len() as u64)
        })
    }
}
