//! A difference as JSON, for programs.
//!
//! ```text
//! {"a": "old.txt", "b": "new.txt", "unit": "line", "a_len": 3, "b_len": 4,
//!  "deleted": 1, "inserted": 2, "hunks": [
//!   {"a_start": 0, "a_len": 3, "b_start": 0, "b_len": 4, "changes": [
//!     {"a_start": 1, "a_len": 1, "b_start": 1, "b_len": 1, "a": ["two\n"], "b": ["2\n"]},
//!     {"a_start": 3, "a_len": 0, "b_start": 3, "b_len": 1, "a": [], "b": ["four\n"]}]}]}
//! ```
//!
//! Positions are 0-based and count units (lines, words, characters or grapheme clusters). A hunk
//! holds its changes; its ranges include the context around them. A unit keeps its line feed. Bytes
//! that are not UTF-8 appear as U+FFFD, and the change then has `"lossy": true`.

use crate::diff::changes::{Change, Diff, UnitCounts};
use crate::text::{Unit, Units};
use serde::Serialize;
use std::borrow::Cow;
use std::ops::Range;

/// A difference, ready to be written as JSON.
///
/// ```
/// use carrywave::diff::Comparison;
///
/// let diff = Comparison::new().compare(b"one\ntwo\n", b"one\n2\n")?;
/// let document = diff.document("old.txt", "new.txt", 3);
/// assert_eq!((document.unit, document.deleted, document.hunks.len()), ("line", 1, 1));
/// let change = &document.hunks[0].changes[0];
/// assert_eq!((change.a_start, &change.b[..]), (1, &["2\n".into()][..]));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct Document<'d> {
    /// The first file's name.
    pub a: &'d str,
    /// The second file's name.
    pub b: &'d str,
    /// Name of the unit: `line`, `word`, `character` or `grapheme`.
    pub unit: &'static str,
    /// Number of units of A.
    pub a_len: usize,
    /// Number of units of B.
    pub b_len: usize,
    /// Number of units deleted.
    pub deleted: u64,
    /// Number of units inserted.
    pub inserted: u64,
    /// Groups of changes close to one another, in order.
    pub hunks: Vec<HunkDocument<'d>>,
}

/// Changes close to one another, with the context around them. As in the [example](Document).
#[derive(Debug, Clone, Serialize)]
pub struct HunkDocument<'d> {
    /// Start of the hunk in A, 0-based.
    pub a_start: usize,
    /// Number of units of A.
    pub a_len: usize,
    /// Start of the hunk in B, 0-based.
    pub b_start: usize,
    /// Number of units of B.
    pub b_len: usize,
    /// The changes, in order.
    pub changes: Vec<ChangeDocument<'d>>,
}

/// A change. As in the [example](Document).
#[derive(Debug, Clone, Serialize)]
pub struct ChangeDocument<'d> {
    /// Start of the deleted units in A, 0-based.
    pub a_start: usize,
    /// Number of units deleted.
    pub a_len: usize,
    /// Start of the inserted units in B, 0-based.
    pub b_start: usize,
    /// Number of units inserted.
    pub b_len: usize,
    /// Deleted units.
    pub a: Vec<Cow<'d, str>>,
    /// Inserted units.
    pub b: Vec<Cow<'d, str>>,
    /// True if some units are not UTF-8.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lossy: bool,
}

impl<'d> ChangeDocument<'d> {
    fn new(diff: &'d Diff<'_>, change: &Change) -> Self {
        let text = |units: &'d Units<'_>, range: &Range<usize>| {
            units.slice(range.clone()).map(String::from_utf8_lossy).collect()
        };
        let is_utf_8 =
            |units: &Units<'_>, range: &Range<usize>| std::str::from_utf8(units.bytes(range.clone())).is_ok();
        Self {
            a_start: change.a.start,
            a_len: change.a.len(),
            b_start: change.b.start,
            b_len: change.b.len(),
            a: text(&diff.a, &change.a),
            b: text(&diff.b, &change.b),
            lossy: !is_utf_8(&diff.a, &change.a) || !is_utf_8(&diff.b, &change.b),
        }
    }
}

impl Diff<'_> {
    /// Returns the difference as a document. `a` and `b` are the names of the files; `context` is
    /// the number of units around changes. As in the [example](Document).
    pub fn document<'d>(&'d self, a: &'d str, b: &'d str, context: usize) -> Document<'d> {
        let unit = match self.unit {
            Unit::Line => "line",
            Unit::Word => "word",
            Unit::Character => "character",
            Unit::Grapheme => "grapheme",
        };
        let hunks = self.hunks(context).map(|hunk| HunkDocument {
            a_start: hunk.a.start,
            a_len: hunk.a.len(),
            b_start: hunk.b.start,
            b_len: hunk.b.len(),
            changes: hunk.changes.iter().map(|change| ChangeDocument::new(self, change)).collect(),
        });
        let hunks = hunks.collect();
        let UnitCounts { deleted, inserted } = self.counts();
        Document { a, b, unit, a_len: self.a.len(), b_len: self.b.len(), deleted, inserted, hunks }
    }
}
