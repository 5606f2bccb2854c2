//! The position of a change that could be at several, as in git.
//!
//! If the last line of a deletion (or an insertion) equals the line before it, the deletion can as
//! well be one line further up: the script has the same length and the same effect. So changes
//! slide up and down. A change that meets another joins it, as two halves of one edit should.
//! Otherwise it goes to where the indentation says that a block begins, or to the last position.

use super::indent::Indents;
use crate::diff::changes::Change;
use crate::text::Units;
use std::ops::Range;

/// Upper bound on the positions examined for one change, counted from the last one.
const MAX_PLACES: usize = 100;

/// Moves changes and joins them. `equal` returns true for equal units. Without `indents`, a change
/// goes to its last position.
pub(in crate::diff) fn slide(
    changes: Vec<Change>,
    units: [&Units<'_>; 2],
    equal: impl Fn(&[u8], &[u8]) -> bool,
    indents: Option<&Indents<'_>>,
) -> Vec<Change> {
    let mut slid: Vec<Change> = Vec::with_capacity(changes.len());
    let mut rest = changes.into_iter().peekable();
    while let Some(mut change) = rest.next() {
        loop {
            let side = match (change.a.is_empty(), change.b.is_empty()) {
                (false, true) => 0,
                (true, false) => 1,
                // Both sides of a replacement would have to slide.
                _ => break,
            };
            let [of_a, of_b] = units;
            let (units, end_of_all) = if side == 0 { (of_a, of_a.len()) } else { (of_b, of_b.len()) };
            let part = |change: &Change| if side == 0 { change.a.clone() } else { change.b.clone() };
            let Range { start, end } = part(&change);
            let same = |one: usize, other: usize| equal(units.get(one), units.get(other));
            let lowest = slid.last().map_or(0, |before| part(before).end);
            let up = (lowest..start).rev().zip((start..end).rev().chain((lowest..start).rev()));
            let up = up.take_while(|&(one, other)| same(one, other)).count();
            if start - up == lowest
                && let Some(before) = slid.pop()
            {
                // No unit is left between them.
                change = Change::new(before.a.start..change.a.end - up, before.b.start..change.b.end - up);
                continue;
            }
            let highest = rest.peek().map_or(end_of_all, |next| part(next).start);
            let down = (end..highest).zip((start..end).chain(end..highest));
            let down = down.take_while(|&(one, other)| same(one, other)).count();
            if end + down == highest
                && let Some(next) = rest.next()
            {
                change = Change::new(change.a.start + down..next.a.end, change.b.start + down..next.b.end);
                continue;
            }
            // `back` is the distance up from the last position.
            let most = (up + down).min(end - start + 1).min(MAX_PLACES);
            let back = indents.map_or(0, |indents| indents.best(side, start + down..end + down, most));
            // No further up than it can slide: `back` is at most `up + down`.
            let by = |range: &Range<usize>| range.start + down - back..range.end + down - back;
            change = Change::new(by(&change.a), by(&change.b));
            break;
        }
        slid.push(change);
    }
    slid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Comparison;
    use crate::text::Unit;

    fn changes(a: &str, b: &str, indent: bool) -> Vec<(Range<usize>, Range<usize>)> {
        let diff = Comparison::new().indent_heuristic(indent).compare(a.as_bytes(), b.as_bytes()).unwrap();
        diff.changes().iter().map(|change| (change.a.clone(), change.b.clone())).collect()
    }

    #[test]
    fn a_change_goes_to_its_last_place() {
        assert_eq!(slid("xxy", "xxxy", &[(0..0, 0..1)]), [Change::new(2..2, 2..3)]);
        assert_eq!(slid("ababab", "ab", &[(0..4, 0..0)]), [Change::new(2..6, 2..2)]);
        assert_eq!(changes("x\nx\ny\n", "x\nx\nx\ny\n", false), [(2..2, 2..3)]);
        assert_eq!(changes("a\nb\nc\n", "a\nb\na\nb\nc\n", false), [(2..2, 2..4)]);
    }

    fn slid(a: &str, b: &str, changes: &[(Range<usize>, Range<usize>)]) -> Vec<Change> {
        let changes = changes.iter().map(|(a, b)| Change::new(a.clone(), b.clone())).collect();
        let [a, b] = [a, b].map(|text| Units::new(text.as_bytes(), Unit::Character).unwrap());
        slide(changes, [&a, &b], |one, other| one == other, None)
    }

    #[test]
    fn changes_that_meet_are_joined() {
        // Deletes b and x, or x and b after the c.
        let joined = slid("pcxbxq", "pxq", &[(1..2, 1..1), (3..5, 2..2)]);
        assert_eq!(joined, [Change::new(1..4, 1..1)]);
        // Slides down to the next change, a replacement.
        let joined = slid("aab", "ac", &[(0..1, 0..0), (2..3, 1..2)]);
        assert_eq!(joined, [Change::new(1..3, 1..2)]);
    }

    /// After sliding, the units between the changes are equal, and the script is not longer.
    #[test]
    fn slid_changes_are_a_script() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..3000 {
            let mut text =
                || (0..random.usize(..30)).map(|_| ["a\n", "b\n", "\n", " a\n"][random.usize(..4)]).collect::<String>();
            let (a, b) = (text(), text());
            let runs = |indent| {
                let found = changes(&a, &b, indent);
                let (lines_a, lines_b): (Vec<_>, Vec<_>) = (a.lines().collect(), b.lines().collect());
                let (mut from_a, mut from_b) = (0, 0);
                for (i, (of_a, of_b)) in found.iter().enumerate() {
                    assert_eq!(lines_a[from_a..of_a.start], lines_b[from_b..of_b.start], "{a:?} {b:?} {found:?}");
                    assert!(i == 0 || of_a.start > from_a, "{a:?} {b:?} {found:?}");
                    (from_a, from_b) = (of_a.end, of_b.end);
                }
                assert_eq!(lines_a[from_a..], lines_b[from_b..], "{a:?} {b:?} {found:?}");
                found.iter().map(|(a, b)| a.len() + b.len()).sum::<usize>()
            };
            let numbered =
                crate::text::numbered::number(&a.lines().collect::<Vec<_>>(), &b.lines().collect::<Vec<_>>()).unwrap();
            let found = crate::lcs::items::matches::runs(&numbered.a, &numbered.b, Default::default()).unwrap();
            let lcs: usize = found.iter().map(|run| run.len as usize).sum();
            let shortest = numbered.a.len() + numbered.b.len() - 2 * lcs;
            assert_eq!((runs(false), runs(true)), (shortest, shortest), "{a:?} {b:?}");
        }
    }
}
