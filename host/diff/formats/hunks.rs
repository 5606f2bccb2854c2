//! Hunks: changes that are printed together, with lines around them.

use crate::diff::changes::{Change, Diff};
use std::ops::Range;

/// Changes printed together, and the units printed with them: those between the changes, and the
/// context.
#[derive(Debug, Clone)]
pub(super) struct Hunk<'d> {
    pub changes: &'d [Change],
    /// Units of A, 0-based.
    pub a: Range<usize>,
    /// Units of B.
    pub b: Range<usize>,
}

impl Hunk<'_> {
    /// Returns whether the hunk deletes anything, and whether it inserts anything.
    pub fn has(&self) -> [bool; 2] {
        let has = |is_empty: fn(&Change) -> bool| self.changes.iter().any(|change| !is_empty(change));
        [has(|change| change.a.is_empty()), has(|change| change.b.is_empty())]
    }
}

impl Diff<'_> {
    /// Returns the changes with `context` units around them. Changes share a hunk if at most twice
    /// as many units lie between them. Hunks with only ignored changes are left out. As in GNU
    /// diff, an ignored change belongs to the hunk before it only if it is within that hunk's
    /// context. Otherwise, if it is near a change after it, the two hunks may have lines in common.
    pub(super) fn hunks(&self, context: usize) -> impl Iterator<Item = Hunk<'_>> {
        let joins = move |one: &Change, next: &Change| {
            let between = if next.is_ignored { context } else { context.saturating_mul(2).saturating_add(1) };
            next.a.start - one.a.end < between
        };
        let together = self.changes.chunk_by(joins).filter(|changes| changes.iter().any(|change| !change.is_ignored));
        together.filter_map(move |changes| {
            let first = changes.first()?;
            let last = changes.last()?;
            let before = context.min(first.a.start).min(first.b.start);
            let after = context.min(self.a.len() - last.a.end).min(self.b.len() - last.b.end);
            let a = first.a.start - before..last.a.end + after;
            let b = first.b.start - before..last.b.end + after;
            Some(Hunk { changes, a, b })
        })
    }

    /// Splits a hunk, in order, into units that both texts have, and changes.
    pub(super) fn pieces<'h>(&self, hunk: &'h Hunk<'_>) -> impl Iterator<Item = Piece<'h>> {
        let mut from = hunk.a.start;
        let mut from_b = hunk.b.start;
        let changes = hunk.changes.iter().flat_map(move |change| {
            let common = Piece::Common { a: from..change.a.start, b: from_b..change.b.start };
            (from, from_b) = (change.a.end, change.b.end);
            [common, Piece::Change(change)]
        });
        let last = hunk
            .changes
            .last()
            .map(|change| Piece::Common { a: change.a.end..hunk.a.end, b: change.b.end..hunk.b.end });
        changes.chain(last)
    }
}

/// A part of a hunk.
pub(super) enum Piece<'h> {
    /// Units that both texts have; may be empty.
    Common {
        /// Units of A.
        a: Range<usize>,
        /// An equal number of units of B.
        b: Range<usize>,
    },
    /// A change.
    Change(&'h Change),
}
