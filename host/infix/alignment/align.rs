//! Finds the best alignment of a pattern with a part of a text: on few diagonals first, then on
//! more, or in the cells of the best alignments only.

use super::many_errors;
use super::pattern_alignment::PatternAlignment;
use super::steps::Steps;
use super::table::{AlignmentTable, SUBSTITUTION, Solved, States};
use crate::error::{Error, Result};
use crate::infix::allowed::Allowed;
use crate::text::Pattern;

/// Size of the first attempt, and memory limits.
#[derive(Debug, Clone, Copy)]
struct Effort {
    /// Number of diagonals on each side in the first attempt.
    first: i64,
    /// Number of cells to keep, if that suffices.
    kept: usize,
    /// Upper bound on the cells of alignments to keep, for many errors.
    cells: usize,
}

/// Nine diagonals, and 8 MiB.
const EFFORT: Effort = Effort { first: 4, kept: 1 << 20, cells: many_errors::MAX_CELLS };

/// Finds the best alignment of a pattern with a part of a text, which has `errors` errors.
///
/// # Errors
/// [`Error::Verification`] if it has fewer or more; [`Error::Memory`].
pub(crate) fn align(pattern: &Pattern, part: &[u8], allowed: Allowed, errors: u32) -> Result<PatternAlignment> {
    align_with(EFFORT, pattern, part, allowed, errors)
}

fn align_with(
    effort: Effort,
    pattern: &Pattern,
    part: &[u8],
    allowed: Allowed,
    errors: u32,
) -> Result<PatternAlignment> {
    let m = pattern.len();
    let n = part.len();
    let none = || Error::Verification(format!("no best alignment of {m} symbols with these {n} has {errors} errors"));
    if errors > allowed.errors {
        return Err(none());
    }
    let allowed = Allowed { transpositions: false, ..allowed.at_most(errors) };
    if m == n
        && let Some(operations) = without_gaps(pattern, part, allowed, errors)
    {
        return Ok(operations);
    }
    let needed = n.abs_diff(m) as i64;
    let gaps = i64::from(errors / allowed.gap);
    let most = (gaps - needed) / 2;
    let mut beside = effort.first;
    if needed > gaps {
        return Err(none());
    }
    loop {
        beside = beside.min(most);
        let states = States::new(m, n, allowed, beside).ok_or_else(none)?;
        let table = AlignmentTable { pattern, part, states, gap: u64::from(allowed.gap) * SUBSTITUTION + 1 };
        let (of_errors, of_gaps) = (|cost: u64| cost / SUBSTITUTION, |cost: u64| (cost % SUBSTITUTION) as i64);
        // An alignment with more gaps may have a rival on diagonals not computed yet.
        let enough = |gaps: i64| beside == most || gaps < needed + 2 * (beside + 1);
        let is_wanted = |cost: u64| of_errors(cost) == u64::from(errors) && enough(of_gaps(cost));
        match table.solve(allowed, effort.kept, is_wanted)? {
            Some(Solved { steps: Some(steps), .. }) => return Ok(steps.alignment(m, n)),
            Some(Solved { cost, steps: None }) if of_errors(cost) < u64::from(errors) => break,
            _ if beside == most => break,
            _ => {}
        }
        if beside == effort.first
            && m > 0
            && allowed.is_any()
            && !pattern.has_fixed()
            && let Some(steps) = many_errors::align(pattern, part, errors, effort.cells)
        {
            return Ok(steps.alignment(m, n));
        }
        beside = 4 * beside.max(1);
    }
    Err(none())
}

/// Returns the alignment without gaps of a part of the same length, if it has `errors` errors.
/// O(m).
fn without_gaps(pattern: &Pattern, part: &[u8], allowed: Allowed, errors: u32) -> Option<PatternAlignment> {
    let mut steps = Steps::default();
    let mut mismatches = 0;
    for (i, (class, &symbol)) in pattern.classes().iter().zip(part).enumerate() {
        let is_match = class.contains(symbol);
        mismatches += u32::from(!is_match);
        if mismatches > allowed.substitutions || !is_match && pattern.is_fixed(i) {
            return None;
        }
        steps.pair(i, i, is_match);
    }
    (mismatches == errors).then(|| steps.alignment(part.len(), part.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::Run;
    use crate::alignment::operation::Operation;
    use crate::text::Class;

    /// The fewest possible diagonals and few rows, so that more attempts follow.
    const NARROW: Effort = Effort { first: 0, kept: 1, cells: 0 };

    /// Returns the costs, as (errors, gaps, canonical order), of all alignments within the limits,
    /// by trying all of them.
    fn all(pattern: &Pattern, part: &[u8], allowed: Allowed) -> Option<(u32, u32, Vec<u8>)> {
        fn go(
            (pattern, part, allowed): (&Pattern, &[u8], Allowed),
            (i, j): (usize, usize),
            (s, a, b): (u32, u32, u32),
            word: &mut Vec<u8>,
            best: &mut Option<(u32, u32, Vec<u8>)>,
        ) {
            if s > allowed.substitutions
                || a > allowed.insertions
                || b > allowed.deletions
                || s + a + b > allowed.errors
            {
                return;
            }
            if i == pattern.len() && j == part.len() {
                let found = (s + a + b, a + b, word.clone());
                if best.as_ref().is_none_or(|best| found < *best) {
                    *best = Some(found);
                }
                return;
            }
            let job = (pattern, part, allowed);
            let fixed = pattern.is_fixed(i);
            if i < pattern.len() && !fixed {
                word.push(0);
                go(job, (i + 1, j), (s, a, b + 1), word, best);
                word.pop();
            }
            let before = if i == 0 { pattern.has_fixed() } else { pattern.is_fixed(i - 1) };
            let behind = if i == pattern.len() { pattern.has_fixed() } else { fixed };
            if j < part.len() && !(before && behind) {
                word.push(1);
                go(job, (i, j + 1), (s, a + 1, b), word, best);
                word.pop();
            }
            if i < pattern.len() && j < part.len() {
                let differs = !pattern.classes()[i].contains(part[j]);
                if !(differs && fixed) {
                    word.push(2);
                    go(job, (i + 1, j + 1), (s + u32::from(differs), a, b), word, best);
                    word.pop();
                }
            }
        }
        let mut best = None;
        go((pattern, part, allowed), (0, 0), (0, 0, 0), &mut Vec::new(), &mut best);
        best
    }

    /// Returns 0, 1 or 2 for each symbol of the pattern alone, of the text alone, and each pair;
    /// checks that the result is an alignment.
    fn word(alignment: &PatternAlignment, pattern: &Pattern, part: &[u8]) -> Vec<u8> {
        let mut i = 0;
        let mut j = 0;
        let mut word = Vec::new();
        for operation in alignment.operations() {
            let len = operation.len() as usize;
            let pairs = |i: usize, j: usize, are: bool| {
                (0..len).for_each(|k| assert_eq!(pattern.classes()[i + k].contains(part[j + k]), are));
            };
            let (kind, di, dj) = match *operation {
                Operation::Insertion { a_start, .. } => {
                    assert_eq!(a_start as usize, i);
                    (0, len, 0)
                }
                Operation::Deletion { b_start, .. } => {
                    assert_eq!(b_start as usize, j);
                    (1, 0, len)
                }
                Operation::Match(Run { a_start, b_start, .. }) => {
                    assert_eq!((a_start as usize, b_start as usize), (i, j));
                    pairs(i, j, true);
                    (2, len, len)
                }
                Operation::Substitution { a_start, b_start, .. } => {
                    assert_eq!((a_start as usize, b_start as usize), (i, j));
                    pairs(i, j, false);
                    (2, len, len)
                }
            };
            word.extend(vec![kind; len]);
            (i, j) = (i + di, j + dj);
        }
        assert_eq!((i, j), (pattern.len(), part.len()));
        word
    }

    #[test]
    fn by_hand() {
        let cigar = |pattern: &[u8], part: &[u8], errors| {
            align(&Pattern::literal(pattern), part, Allowed::any(errors), errors).map(|found| found.cigar())
        };
        assert_eq!(cigar(b"GATTACA", b"GATTACA", 0).unwrap(), "7=");
        assert_eq!(cigar(b"GATTACA", b"GATCACA", 1).unwrap(), "3=1X3=");
        // Any of three Ts may be the extra one.
        assert_eq!(cigar(b"GATTACA", b"GATTTACA", 1).unwrap(), "2=1D5=");
        assert_eq!(cigar(b"GATTACA", b"GATACA", 1).unwrap(), "2=1I4=");
        // The gap is before the substitution.
        assert_eq!(cigar(b"GCT", b"GAAT", 2).unwrap(), "1=1D1X1=");
        assert_eq!(cigar(b"abc", b"", 3).unwrap(), "3I");
        assert_eq!(cigar(b"abc", b"xbcy", 2).unwrap(), "1X2=1D");
        for errors in [0, 2] {
            assert!(matches!(cigar(b"GATTACA", b"GATCACA", errors), Err(Error::Verification(_))));
        }
        let found = align(&Pattern::literal(b"abcdef"), b"bcXXxe", Allowed::any(5), 5).unwrap();
        assert_eq!((found.errors(), found.matches(), found.columns()), (5, 2, 7));
        assert_eq!((found.substitutions(), found.insertions(), found.deletions()), (3, 1, 1));
    }

    /// Two errors of different kinds replace a substitution that is not allowed.
    #[test]
    fn kinds_by_hand() {
        let pattern = Pattern::literal(b"abcdef");
        let cigar = |part: &[u8], allowed: Allowed, errors| align(&pattern, part, allowed, errors).map(|it| it.cigar());
        assert_eq!(cigar(b"abXdef", Allowed::any(2), 1).unwrap(), "2=1X3=");
        assert_eq!(cigar(b"abXdef", Allowed::new(2, 0, 1, 1), 2).unwrap(), "2=1I1D3=");
        assert!(cigar(b"abXdef", Allowed::new(2, 0, 1, 0), 2).is_err());
        let fixed = pattern.clone().with_fixed([0, 1]).unwrap();
        // There is no insertion before the fixed positions nor between them.
        assert_eq!(align(&fixed, b"abbcdef", Allowed::any(1), 1).unwrap().cigar(), "2=1D4=");
        assert!(align(&fixed, b"aabcdef", Allowed::any(3), 1).is_err());
        assert!(align(&fixed, b"axbcdef", Allowed::any(3), 1).is_err());
    }

    #[test]
    fn the_first_of_all_alignments() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut limited = 0;
        let mut unlimited = 0;
        for case in 0..4000 {
            let m = random.usize(1..7);
            let n = random.usize(0..7);
            let symbols = random.u8(1..4);
            let mut string = |n: usize| -> Vec<u8> { (0..n).map(|_| random.u8(..symbols)).collect() };
            let pattern = string(m);
            let part = string(n);
            let mut pattern =
                if case % 4 == 0 { Pattern::with_wildcard(&pattern, 0) } else { Pattern::literal(&pattern) };
            if case % 3 == 0 {
                pattern = pattern.with_fixed((0..m).filter(|_| random.u8(..3) == 0)).unwrap();
            }
            let k = random.u32(0..8);
            let mut most = || random.u32(0..=k);
            let allowed = if case % 2 == 0 { Allowed::any(k) } else { Allowed::new(k, most(), most(), most()) };
            let place = format!("case {case}: {pattern:?}, {part:?}, {allowed:?}");
            let Some((errors, gaps, first)) = all(&pattern, &part, allowed) else {
                for errors in 0..=k {
                    assert!(align(&pattern, &part, allowed, errors).is_err(), "{place}");
                }
                continue;
            };
            let found = align(&pattern, &part, allowed, errors).unwrap_or_else(|_| panic!("{place}"));
            let narrow = align_with(NARROW, &pattern, &part, allowed, errors).unwrap();
            assert_eq!(found, narrow, "{place}");
            if allowed.is_any() && !pattern.has_fixed() {
                let steps = |errors| many_errors::align(&pattern, &part, errors, usize::MAX);
                assert_eq!(steps(errors).map(|steps| steps.alignment(m, n)).as_ref(), Some(&found), "{place}");
                assert!(steps(errors + 1).is_none() && (errors == 0 || steps(errors - 1).is_none()), "{place}");
                unlimited += 1;
            }
            assert_eq!(found.errors(), u64::from(errors), "{place}");
            assert_eq!(found.insertions() + found.deletions(), u64::from(gaps), "{place}");
            assert_eq!(word(&found, &pattern, &part), first, "{place}, {}", found.cigar());
            let kinds = [(found.substitutions(), allowed.substitutions), (found.insertions(), allowed.insertions)];
            assert!(kinds.iter().all(|&(kind, most)| kind <= u64::from(most)), "{place}");
            assert!(found.deletions() <= u64::from(allowed.deletions), "{place}");
            limited += u32::from(case % 2 == 1);
        }
        assert!(limited > 300 && unlimited > 300, "{limited} {unlimited}");
    }

    /// Two alignments with four gaps and no other error: the preferred one is further from the
    /// first diagonal than the other, which is found earlier.
    #[test]
    fn enough_diagonals() {
        let part: Vec<u8> = (0..10).collect();
        let near = [(0..3, 1), (4..6, 0), (6..9, 1)];
        let far = [(0..8, 2)];
        let mut classes = vec![Class::default(); 10];
        for (run, shift) in near.into_iter().chain(far) {
            run.for_each(|i: usize| classes[i].insert((i + shift) as u8));
        }
        let pattern = Pattern::new(classes);
        for first in [0, 1, 2, 10] {
            let effort = Effort { first, ..NARROW };
            let found = align_with(effort, &pattern, &part, Allowed::any(4), 4).unwrap();
            assert_eq!(found.cigar(), "2D5=1I3=1I", "{first}");
        }
    }

    /// Rows in several stretches, and more gaps than in the first attempt; compared with the whole
    /// table.
    #[test]
    fn long_patterns() {
        let mut random = fastrand::Rng::with_seed(8);
        for (case, edits) in [40, 450, 10, 2].into_iter().enumerate() {
            let pattern: Vec<u8> = (0..1500).map(|_| random.u8(..4)).collect();
            let mut part = pattern.clone();
            for _ in 0..edits {
                let at = random.usize(..part.len());
                match random.u8(..3) {
                    0 => part.insert(at, random.u8(..4)),
                    1 => drop(part.remove(at)),
                    _ => part[at] = random.u8(..4),
                }
            }
            if case == 2 {
                // A block that moved: equally many gaps of both kinds, far apart.
                let block: Vec<u8> = part.drain(500..540).collect();
                part.splice(1000..1000, block);
            }
            let pattern = Pattern::literal(&pattern);
            let (errors, gaps) = by_table(&pattern, &part);
            for allowed in [Allowed::any(errors + 7), Allowed::new(errors + 7, errors, errors, 50)] {
                if !allowed.is_any() && edits > 50 {
                    continue;
                }
                let found = align(&pattern, &part, allowed, errors).unwrap();
                word(&found, &pattern, &part);
                if allowed.is_any() {
                    let steps = |cells| many_errors::align(&pattern, &part, errors, cells);
                    assert_eq!(steps(usize::MAX).unwrap().alignment(pattern.len(), part.len()), found);
                    assert!(steps(pattern.len()).is_none());
                }
                assert_eq!(align_with(NARROW, &pattern, &part, allowed, errors).unwrap(), found);
                assert_eq!((found.errors(), found.insertions() + found.deletions()), (errors.into(), gaps.into()));
            }
        }
    }

    /// Returns the least errors, and among those the least gaps.
    fn by_table(pattern: &Pattern, part: &[u8]) -> (u32, u32) {
        let gap = |cell: (u32, u32)| (cell.0 + 1, cell.1 + 1);
        let mut column: Vec<(u32, u32)> = (0..=pattern.len() as u32).map(|i| (i, i)).collect();
        for &symbol in part {
            let before = column.clone();
            column[0] = gap(before[0]);
            for (i, class) in pattern.classes().iter().enumerate() {
                let diagonal = (before[i].0 + u32::from(!class.contains(symbol)), before[i].1);
                column[i + 1] = diagonal.min(gap(column[i])).min(gap(before[i + 1]));
            }
        }
        column[pattern.len()]
    }
}
