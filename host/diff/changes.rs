//! The result of a comparison: the changes between two texts.

use crate::text::{Unit, Units};
use std::ops::Range;

/// A stretch of A that a stretch of B replaces. One of them may be empty. As in the
/// [example](Diff).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Change {
    /// Deleted units of A (lines, words or characters): 0-based, half-open.
    pub a: Range<usize>,
    /// Inserted units of B: 0-based, half-open.
    pub b: Range<usize>,
    /// True if the options say to ignore this change, for example because all its lines are blank.
    /// It is printed only as context of other changes.
    pub is_ignored: bool,
}

impl Change {
    pub(crate) fn new(a: Range<usize>, b: Range<usize>) -> Self {
        Self { a, b, is_ignored: false }
    }

    /// Shifts both ranges by `by` units.
    pub(super) fn move_on(&mut self, by: usize) {
        for side in [&mut self.a, &mut self.b] {
            *side = side.start + by..side.end + by;
        }
    }
}

/// Numbers of units that differ between two texts. As in the [example](Diff).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitCounts {
    /// Units of A that are deleted.
    pub deleted: u64,
    /// Units of B that are inserted.
    pub inserted: u64,
}

/// The difference of two texts.
///
/// The changes ascend in both texts, and between two of them is at least one unit that both texts
/// have.
///
/// ```
/// use carrywave::diff::{Comparison, UnitCounts};
/// use carrywave::text::Unit;
///
/// let diff = Comparison::new().compare(b"one\ntwo\n", b"one\n2\nthree\n")?;
/// assert_eq!((diff.unit(), diff.is_empty()), (Unit::Line, false));
/// assert_eq!(diff.counts(), UnitCounts { deleted: 1, inserted: 2 });
/// let change = &diff.changes()[0];
/// assert_eq!(diff.a().bytes(change.a.clone()), b"two\n");
/// assert_eq!(diff.b().bytes(change.b.clone()), b"2\nthree\n");
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Diff<'t> {
    pub(crate) unit: Unit,
    pub(crate) a: Units<'t>,
    pub(crate) b: Units<'t>,
    pub(crate) changes: Vec<Change>,
}

impl<'t> Diff<'t> {
    /// Returns the unit that the texts were cut into. As in the [example](Self).
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Returns the units of A. As in the [example](Self).
    pub fn a(&self) -> &Units<'t> {
        &self.a
    }

    /// Returns the units of B. As in the [example](Self).
    pub fn b(&self) -> &Units<'t> {
        &self.b
    }

    /// Returns all changes, in order. As in the [example](Self).
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns true if there are no changes except ignored ones. As in the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.changes.iter().all(|change| change.is_ignored)
    }

    /// Counts the units that are deleted and inserted, ignored changes left out. As in the
    /// [example](Self).
    pub fn counts(&self) -> UnitCounts {
        let mut counts = UnitCounts { deleted: 0, inserted: 0 };
        for change in self.changes.iter().filter(|change| !change.is_ignored) {
            counts.deleted += change.a.len() as u64;
            counts.inserted += change.b.len() as u64;
        }
        counts
    }
}
