//! An alignment of a pattern with a part of a text: which of the pattern's symbols match, and where the errors are.
//!
//! Of all alignments within the limits it is one with the fewest errors, of those one with the fewest gaps, and of those the one that comes first
//! when they are read from the left and at each place a symbol of the pattern alone goes before a symbol of the text alone, and that before a pair:
//! so gaps are as far to the left as they may be, as variants are normalised (VCF).
//!
//! R\[i\]\[j\], the errors and then the gaps of the best alignment of the pattern from symbol i on with the part from symbol j on, is computed from
//! the ends to the starts; the alignment is then read off from the starts. Only diagonals are computed that it may reach,
//!
//! ```text
//!                text ──▶
//! pattern   ▓ ▒ ▒ ▒                 m symbols and n: with s gaps more than the |n - m| that there must be, it stays within
//!    │      ▒ ▓ ▒ ▒ ▒               ⌊s / 2⌋ diagonals of those between the first one and the last. s is tried from few on:
//!    ▼        ▒ ▓ ▓ ▒ ▒             as the errors are known, it is known when it was enough.
//!               ▒ ▒ ▓ ▒ ▒
//! ```
//!
//! and of its rows only some are kept: from each of them the rows up to the one before are computed again. With w diagonals that is O(m w) time and
//! O(√m w) memory. Where the first few diagonals are not enough, `many_errors` goes through the cells of the best alignments alone. Where kinds of errors are limited, a diagonal is not enough: then there is a cell for each number of insertions a and of
//! deletions b that are still to come, and w = (a + 1) (b + 1).

mod many_errors;

use super::allowed::Allowed;
use crate::alignment::runs::{Alignment, Operation, Run};
use crate::error::{Error, Result};
use crate::memory;
use crate::text::{Class, Pattern};
use crate::threads;
use std::fmt::Write;

/// An alignment of a pattern with a part of a text: the pattern is string A, or the query of SAM, and the part is string B, or the reference.
///
/// Of two that have so few errors it has fewer gaps, and of those the gaps that are further to the left.
///
/// | | here, and in limits of a search | [`Operation`] | CIGAR |
/// |---|---|---|---|
/// | a symbol of each, which match | match | `Match` | `=` |
/// | a symbol of each, which do not | substitution | `Substitution` | `X` |
/// | a symbol that the text alone has | insertion (into the pattern) | `Deletion` | `D` |
/// | a symbol that the pattern alone has | deletion (from the pattern) | `Insertion` | `I` |
///
/// SAM says what became of the reference in the query, and a search what became of the pattern in the text: so one's insertion is the other's deletion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternAlignment {
    operations: Vec<Operation>,
    pattern_len: u64,
    part_len: u64,
}

impl PatternAlignment {
    /// All that happens from the start of the pattern and of the part to their ends.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The CIGAR string, with `=`, `X`, `I` and `D`. O(operations).
    pub fn cigar(&self) -> String {
        self.operations.iter().fold(String::new(), |mut cigar, operation| {
            // A string takes everything.
            let _ = write!(cigar, "{operation}");
            cigar
        })
    }

    fn count(&self, of: impl Fn(&Operation) -> bool) -> u64 {
        self.operations.iter().filter(|operation| of(operation)).map(Operation::len).sum()
    }

    /// Symbols that match.
    pub fn matches(&self) -> u64 {
        self.count(|operation| matches!(operation, Operation::Match(_)))
    }

    /// Symbols of the text in the place of other ones of the pattern: `X`.
    pub fn substitutions(&self) -> u64 {
        self.count(|operation| matches!(operation, Operation::Substitution { .. }))
    }

    /// Symbols that the text alone has: `D`.
    pub fn insertions(&self) -> u64 {
        self.count(|operation| matches!(operation, Operation::Deletion { .. }))
    }

    /// Symbols that the pattern alone has: `I`.
    pub fn deletions(&self) -> u64 {
        self.count(|operation| matches!(operation, Operation::Insertion { .. }))
    }

    /// Substitutions, insertions and deletions.
    pub fn errors(&self) -> u64 {
        self.count(|operation| !matches!(operation, Operation::Match(_)))
    }

    /// Pairs of symbols, and symbols of one alone: the columns of the alignment when it is written out.
    pub fn columns(&self) -> u64 {
        self.count(|_| true)
    }
}

impl Alignment for PatternAlignment {
    fn a_len(&self) -> u64 {
        self.pattern_len
    }

    fn b_len(&self) -> u64 {
        self.part_len
    }

    fn operations(&self) -> impl Iterator<Item = Operation> + '_ {
        self.operations.iter().copied()
    }
}

/// What a substitution costs; the gaps of an alignment are counted in the bits below.
const SUBSTITUTION: u64 = 1 << 32;

/// What a gap costs.
const GAP: u64 = SUBSTITUTION + 1;

/// No alignment: so much that there is room for what is added.
const NONE: u64 = 1 << 62;

/// What is tried first, and what is kept.
#[derive(Debug, Clone, Copy)]
struct Effort {
    /// Diagonals on each side that are tried first.
    first: i64,
    /// Cells that are kept, if that is enough.
    kept: usize,
    /// Cells of alignments that are kept, where it is many errors.
    cells: usize,
}

/// Nine diagonals, and 8 MiB.
const EFFORT: Effort = Effort { first: 4, kept: 1 << 20, cells: many_errors::MOST_CELLS };

/// The best alignment of a pattern with a part of a text, which has so many errors.
///
/// # Errors
/// [`Error::Verification`] where it has fewer, or more; [`Error::Memory`].
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
    let (m, n) = (pattern.len(), part.len());
    let none = || Error::Verification(format!("no best alignment of {m} symbols with these {n} has {errors} errors"));
    let Allowed { substitutions, insertions, deletions, .. } = allowed;
    if errors > allowed.errors {
        return Err(none());
    }
    let allowed = Allowed::new(errors, substitutions, insertions, deletions);
    if m == n
        && let Some(operations) = without_gaps(pattern, part, allowed, errors)
    {
        return Ok(operations);
    }
    let needed = n.abs_diff(m) as i64;
    let most = (i64::from(errors) - needed) / 2;
    let mut beside = effort.first;
    while needed <= i64::from(errors) {
        beside = beside.min(most);
        let states = States::new(m, n, allowed, beside).ok_or_else(none)?;
        let table = Table { pattern, part, states };
        let (of_errors, of_gaps) = (|cost: u64| cost / SUBSTITUTION, |cost: u64| (cost % SUBSTITUTION) as i64);
        // An alignment with more gaps may have a rival on other diagonals.
        let enough = |gaps: i64| beside == most || gaps < needed + 2 * (beside + 1);
        let is_wanted = |cost: u64| of_errors(cost) == u64::from(errors) && enough(of_gaps(cost));
        match table.solve(allowed, effort.kept, is_wanted)? {
            Some((_, Some(steps))) => return Ok(steps.alignment(m, n)),
            Some((cost, None)) if of_errors(cost) < u64::from(errors) => break,
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

/// The alignment of as many symbols without gaps, if it has so many errors. O(m).
fn without_gaps(pattern: &Pattern, part: &[u8], allowed: Allowed, errors: u32) -> Option<PatternAlignment> {
    let (mut steps, mut mismatches) = (Steps::default(), 0);
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

/// Operations, of which those of a kind that follow one another are one.
#[derive(Debug, Default)]
struct Steps(Vec<Operation>);

impl Steps {
    fn pair(&mut self, i: usize, j: usize, is_match: bool) {
        let (a_start, b_start) = (i as u64, j as u64);
        match self.0.last_mut() {
            Some(Operation::Match(Run { len, .. })) if is_match => *len += 1,
            Some(Operation::Substitution { len, .. }) if !is_match => *len += 1,
            _ if is_match => self.0.push(Operation::Match(Run { a_start, b_start, len: 1 })),
            _ => self.0.push(Operation::Substitution { a_start, b_start, len: 1 }),
        }
    }

    /// A symbol that the pattern alone has.
    fn of_pattern(&mut self, i: usize) {
        match self.0.last_mut() {
            Some(Operation::Insertion { len, .. }) => *len += 1,
            _ => self.0.push(Operation::Insertion { a_start: i as u64, len: 1 }),
        }
    }

    /// A symbol that the text alone has.
    fn of_text(&mut self, j: usize) {
        match self.0.last_mut() {
            Some(Operation::Deletion { len, .. }) => *len += 1,
            _ => self.0.push(Operation::Deletion { b_start: j as u64, len: 1 }),
        }
    }

    fn alignment(self, m: usize, n: usize) -> PatternAlignment {
        PatternAlignment { operations: self.0, pattern_len: m as u64, part_len: n as u64 }
    }
}

/// The cells of a row, in groups of `width`: one group of diagonals, j - i growing; or, where kinds are limited, a group for each number of insertions
/// that are still to come, falling, with a cell for each number of deletions that are, growing.
///
/// A symbol of the text alone leads to the cell `stride` after, in the same row; one of the pattern alone to the cell before in the group, in the next row; a
/// pair to the same cell in the next row.
#[derive(Debug)]
struct States {
    groups: usize,
    width: usize,
    stride: usize,
    /// j - i of the first cell; in the cell after, and in the group after, it is one more.
    first: i64,
    /// Where the pattern and the part end.
    end: usize,
    /// Where they start.
    starts: Vec<usize>,
}

impl States {
    /// With so many gaps of each kind beside those that there must be. None where more are needed than are allowed.
    fn new(m: usize, n: usize, allowed: Allowed, beside: i64) -> Option<Self> {
        let shift = n as i64 - m as i64;
        if allowed.is_any() {
            let first = shift.min(0) - beside;
            let width = (shift.max(0) + beside - first + 1) as usize;
            let (end, start) = ((shift - first) as usize, -first as usize);
            return Some(Self { groups: 1, width, stride: 1, first, end, starts: vec![start] });
        }
        let insertions = i64::from(allowed.insertions).min(shift.max(0) + beside);
        let deletions = i64::from(allowed.deletions).min((-shift).max(0) + beside);
        if insertions < shift || deletions < -shift {
            return None;
        }
        let width = deletions as usize + 1;
        let cell = |a: i64| (insertions - a) as usize * width + (a - shift) as usize;
        let starts = (shift.max(0)..=insertions.min(deletions + shift)).map(cell).collect();
        let groups = insertions as usize + 1;
        let end = insertions as usize * width;
        Some(Self { groups, width, stride: width, first: shift - insertions, end, starts })
    }

    fn len(&self) -> usize {
        self.groups * self.width
    }
}

struct Table<'t> {
    pattern: &'t Pattern,
    part: &'t [u8],
    states: States,
}

impl Table<'_> {
    /// Whether there may be a symbol of the text alone before the pattern's symbol i.
    fn takes_insertion(&self, i: usize) -> bool {
        i == 0 || !(self.pattern.is_fixed(i - 1) && self.pattern.is_fixed(i))
    }

    /// The row of the pattern's end, where symbols of the text alone are left.
    fn last_row(&self) -> Vec<u64> {
        let States { stride, end, .. } = self.states;
        let mut cells = vec![NONE; self.states.len()];
        for (gaps, at) in (0..=end).rev().step_by(stride).take(self.part.len() + 1).enumerate() {
            cells[at] = gaps as u64 * GAP;
        }
        cells
    }

    /// Makes row i of row i + 1, in place.
    fn step(&self, i: usize, class: &Class, cells: &mut [u64]) {
        if i.is_multiple_of(1 << 8) {
            threads::check();
        }
        let States { groups, width, stride, first, .. } = self.states;
        let n = self.part.len() as i64;
        let is_fixed = self.pattern.is_fixed(i);
        let is_band = groups == 1 && stride == 1;
        let unless = |forbidden: bool, cost: u64| if forbidden { NONE } else { cost };
        let [substitution, deletion] = [SUBSTITUTION, GAP].map(|cost| unless(is_fixed, cost));
        let insertion = unless(!self.takes_insertion(i), GAP);
        for group in (0..groups).rev() {
            let row = group * width;
            // j of the group's first cell, and the cells that are in the part, or at its end.
            let start = i as i64 + first + group as i64;
            let from = (-start).clamp(0, width as i64) as usize;
            let to = (n - start + 1).clamp(0, width as i64) as usize;
            // The cell that a symbol of the text alone leads to: on diagonals the one that was computed last.
            let mut next = NONE;
            for number in (from..to).rev() {
                let at = row + number;
                let before = if number > 0 { cells[at - 1] } else { NONE };
                let mut best = before + deletion;
                if let Some(&symbol) = self.part.get((start + number as i64) as usize) {
                    if !is_band {
                        next = cells.get(at + stride).copied().unwrap_or(NONE);
                    }
                    let pair = if class.contains(symbol) { 0 } else { substitution };
                    best = best.min(cells[at] + pair).min(next + insertion);
                }
                next = best.min(NONE);
                cells[at] = next;
            }
        }
    }

    /// The least cost within the limits, and if that is what is wanted, the first alignment that has it.
    fn solve(
        &self,
        allowed: Allowed,
        kept: usize,
        is_wanted: impl Fn(u64) -> bool,
    ) -> Result<Option<(u64, Option<Steps>)>> {
        let (m, len) = (self.pattern.len(), self.states.len());
        // Rows that are kept at a time, and the first of each such stretch.
        let stretch = (kept / len).max(m.isqrt() + 1);
        let tops: Vec<usize> = (0..m.max(1)).step_by(stretch).collect();
        memory::check::<u64>((stretch.min(m) + 1 + tops.len()).saturating_mul(len), "the alignment of a hit")?;
        let classes = self.pattern.classes();
        // The last row of each stretch, which is the first of the next one: from the pattern's end up.
        let mut row = self.last_row();
        let mut last_rows = vec![row.clone()];
        for &top in tops.iter().skip(1).rev() {
            let bottom = m.min(top + stretch);
            (top..bottom).rev().for_each(|i| self.step(i, &classes[i], &mut row));
            last_rows.push(row.clone());
        }
        let mut steps = Steps::default();
        let mut place = None;
        let mut least = NONE;
        for &top in &tops {
            let bottom = m.min(top + stretch);
            let mut rows = vec![NONE; (bottom - top + 1) * len];
            let mut row = last_rows.pop().unwrap_or_default();
            rows[(bottom - top) * len..].copy_from_slice(&row);
            for i in (top..bottom).rev() {
                self.step(i, &classes[i], &mut row);
                rows[(i - top) * len..][..len].copy_from_slice(&row);
            }
            if top == 0 {
                let within = |cost: u64| {
                    cost < NONE && cost / SUBSTITUTION - cost % SUBSTITUTION <= u64::from(allowed.substitutions)
                };
                let starts = self.states.starts.iter().map(|&start| (rows[start], start));
                place = starts.filter(|&(cost, _)| within(cost)).min();
                least = place.map_or(NONE, |(cost, _)| cost);
                if !is_wanted(least) {
                    return Ok(place.map(|(cost, _)| (cost, None)));
                }
            }
            let Some((cost, at)) = place else { return Ok(None) };
            place = Some(self.follow(&rows, top..bottom, (cost, at), &mut steps));
        }
        Ok(Some((least, Some(steps))))
    }

    /// Follows the first alignment through some rows: from a cell of the first, with its cost, to one of the last, or to the end.
    fn follow(
        &self,
        rows: &[u64],
        range: std::ops::Range<usize>,
        (mut cost, mut at): (u64, usize),
        steps: &mut Steps,
    ) -> (u64, usize) {
        let States { width, stride, first, .. } = self.states;
        let (m, len) = (self.pattern.len(), self.states.len());
        let mut i = range.start;
        // The symbols of the text alone that come before the last row's symbol are left to the next stretch.
        while i < range.end || i == m && cost > 0 {
            let row = &rows[(i - range.start) * len..];
            let (row, next) = row.split_at(len);
            let (number, j) = (at % width, (i as i64 + first + (at / width + at % width) as i64) as usize);
            let is_fixed = self.pattern.is_fixed(i);
            if i < m && number > 0 && !is_fixed && next[at - 1] + GAP == cost {
                steps.of_pattern(i);
                (i, at, cost) = (i + 1, at - 1, cost - GAP);
            } else if j < self.part.len()
                && at + stride < len
                && self.takes_insertion(i)
                && row[at + stride] + GAP == cost
            {
                steps.of_text(j);
                (at, cost) = (at + stride, cost - GAP);
            } else {
                let is_match = self.pattern.classes()[i].contains(self.part[j]);
                steps.pair(i, j, is_match);
                (i, cost) = (i + 1, cost - if is_match { 0 } else { SUBSTITUTION });
            }
        }
        (cost, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No diagonal more than there must be, and a few rows: so that others follow.
    const NARROW: Effort = Effort { first: 0, kept: 1, cells: 0 };

    /// Costs, as (errors, gaps, canonical order), of all alignments within the limits, by trying all of them.
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
            let (job, fixed) = ((pattern, part, allowed), pattern.is_fixed(i));
            if i < pattern.len() && !fixed {
                word.push(0);
                go(job, (i + 1, j), (s, a, b + 1), word, best);
                word.pop();
            }
            if j < part.len() && !(i > 0 && pattern.is_fixed(i - 1) && fixed) {
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

    /// 0, 1 and 2 for each symbol of the pattern alone, of the text alone, and each pair; checks that it is an alignment.
    fn word(alignment: &PatternAlignment, pattern: &Pattern, part: &[u8]) -> Vec<u8> {
        let (mut i, mut j, mut word) = (0, 0, Vec::new());
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
        // The T may be any of three.
        assert_eq!(cigar(b"GATTACA", b"GATTTACA", 1).unwrap(), "2=1D5=");
        assert_eq!(cigar(b"GATTACA", b"GATACA", 1).unwrap(), "2=1I4=");
        // The gap before the substitution.
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

    /// Two errors of a kind each where a substitution would be one, but is not allowed.
    #[test]
    fn kinds_by_hand() {
        let pattern = Pattern::literal(b"abcdef");
        let cigar = |part: &[u8], allowed: Allowed, errors| align(&pattern, part, allowed, errors).map(|it| it.cigar());
        assert_eq!(cigar(b"abXdef", Allowed::any(2), 1).unwrap(), "2=1X3=");
        assert_eq!(cigar(b"abXdef", Allowed::new(2, 0, 1, 1), 2).unwrap(), "2=1I1D3=");
        assert!(cigar(b"abXdef", Allowed::new(2, 0, 1, 0), 2).is_err());
        let fixed = pattern.clone().with_fixed([0, 1]).unwrap();
        // At the pattern's start it may be before the fixed ones, not between them.
        assert_eq!(align(&fixed, b"aabcdef", Allowed::any(1), 1).unwrap().cigar(), "1D6=");
        assert!(align(&fixed, b"axbcdef", Allowed::any(3), 1).is_err());
    }

    #[test]
    fn the_first_of_all_alignments() {
        let mut random = fastrand::Rng::with_seed(7);
        let (mut limited, mut unlimited) = (0, 0);
        for case in 0..4000 {
            let (m, n) = (random.usize(1..7), random.usize(0..7));
            let symbols = random.u8(1..4);
            let mut string = |n: usize| -> Vec<u8> { (0..n).map(|_| random.u8(..symbols)).collect() };
            let (pattern, part) = (string(m), string(n));
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

    /// Two alignments with four gaps and no other error: the first of them is further away from the first diagonal than the other, which is found
    /// before.
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

    /// Rows in several stretches, and more gaps than are tried at first; the whole table as the definition.
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
                // A block that moved: as many gaps of both kinds, far apart.
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

    /// The least errors, and of those the least gaps.
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
