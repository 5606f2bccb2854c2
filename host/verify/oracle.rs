//! The references of the checks, in addition to the [recurrence](crate::pairwise::recurrence) of
//! the LCS: recurrences, row by row, which share no code with any algorithm.

use crate::infix::End;
use crate::text::Pattern;

/// Returns D\[i\]\[n\] for i = 0 to m: the edit distance of the first i symbols of `rows` and all
/// of `columns`.
pub(super) fn distances<'t, S: Eq + 't>(
    rows: impl Iterator<Item = &'t S>,
    columns: impl Iterator<Item = &'t S> + Clone,
) -> Vec<u64> {
    let mut row: Vec<u64> = (0..).take(columns.clone().count() + 1).collect();
    let mut distances = Vec::from_iter(row.last().copied());
    for (i, x) in (1..).zip(rows) {
        let mut next = vec![i];
        for (j, y) in columns.clone().enumerate() {
            let diagonal = row[j] + u64::from(x != y);
            next.push(diagonal.min(row[j + 1] + 1).min(next[j] + 1));
        }
        row = next;
        distances.extend(row.last());
    }
    distances
}

/// Returns the ends of all parts with the pattern's length and at most k symbols outside their
/// classes.
pub(super) fn mismatches(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    let m = pattern.len();
    let errors = |part: &[u8]| {
        let differ = pattern.classes().iter().zip(part).filter(|(class, symbol)| !class.contains(**symbol));
        differ.count() as u32
    };
    let parts = (0..).zip(text.windows(m)).map(|(start, part)| End { end: start + m as u64, errors: errors(part) });
    parts.filter(|end| end.errors <= k).collect()
}

/// Returns D\[m\]\[j\] for j = 0 to n: the least distance of the pattern to a part of the text that
/// ends after its first j symbols.
pub(super) fn infix_distances(text: &[u8], pattern: &Pattern) -> Vec<u32> {
    let is_equal = |i: usize, j: usize| pattern.classes()[i].contains(text[j]);
    infix_distances_by(pattern.len(), text.len(), is_equal)
}

/// Computes [`infix_distances`] for a pattern of m items and a text of n. `is_equal` compares item
/// i of the pattern with item j of the text.
pub(super) fn infix_distances_by(m: usize, n: usize, is_equal: impl Fn(usize, usize) -> bool) -> Vec<u32> {
    let mut row = vec![0u32; n + 1];
    for i in 0..m {
        let mut next = vec![i as u32 + 1];
        for j in 0..n {
            let diagonal = row[j] + u32::from(!is_equal(i, j));
            next.push(diagonal.min(row[j + 1] + 1).min(next[j] + 1));
        }
        row = next;
    }
    row
}

/// Returns all ends with at most k errors.
pub(super) fn ends(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    let distances = infix_distances(text, pattern);
    let ends = (0..).zip(distances).skip(1).filter(|&(_, errors)| errors <= k);
    ends.map(|(end, errors)| End { end, errors }).collect()
}

/// Returns the least distance, and its first end.
pub(super) fn nearest(text: &[u8], pattern: &Pattern) -> (u32, u64) {
    let distances = infix_distances(text, pattern).into_iter().zip(0..);
    distances.min().unwrap_or((0, 0))
}
