//! A pattern with more kinds of characters than codes: some kinds share a code, and the text gets
//! other codes where that matters.
//!
//! Kinds that share a code are far apart in the pattern. An alignment with at most k errors that
//! ends at a given position of the text only has cells in a band, k on each side of its diagonal.
//! So a character of the text meets only 2 k + 1 positions of the pattern:
//!
//! ```text
//!            text    …  a candidate's end ▼
//! pattern  ┌─────────────────────────────┐
//!          │ ▓▓▓                         │
//!          │   ▓▓▓                       │
//!          │      …                 ▓▓▓  │
//!          └─────────────────────────────┘
//! ```
//!
//! Candidates are ends with at most k errors if kinds with one code count as one kind. The picture
//! shows the cells that alignments with this end may have. There a character's code must match
//! where the character does, and nowhere else.
//!
//! So each character in a candidate's band gets a code that is right for its positions: its own
//! code, or the code of characters that no position has. These codes match where the text has the
//! pattern's characters, and a search for at most k errors finds nothing else.

use super::numbers::numbers_of;
use super::pattern::CharacterPattern;
use super::places::SymbolPositions;
use super::set::{OTHER, Set};
use super::table::REST;
use super::utf8::character;
use crate::error::{Error, Result, UsageFault};
use crate::text::class::Class;
use crate::text::pattern::Pattern;
use std::collections::HashMap;
use std::ops::Range;

/// A pattern whose kinds of characters share codes.
pub(super) struct SharedCodes {
    /// Set of each position.
    sets: Vec<Set>,
    classes: Vec<Class>,
    /// Number of kinds of characters outside ASCII.
    kinds: usize,
}

/// Ends that are near each other.
struct Candidate {
    first: usize,
    last: usize,
}

impl SharedCodes {
    /// Takes a pattern, and the same in codes. `None` if a position that does not match everything
    /// matches characters that no position names.
    pub fn new(pattern: &CharacterPattern, coded: &Pattern, kinds: usize) -> Option<Self> {
        let sets: Vec<Set> = pattern.in_order().cloned().collect();
        let is_right = |set: &Set| set.is_all() || !set.contains(OTHER);
        sets.iter().all(is_right).then(|| Self { sets, classes: coded.classes().to_vec(), kinds })
    }

    /// Corrects the codes of a coded text, so that they are right for at most k errors.
    pub fn correct(&self, text: &[u8], symbols: &mut [u8], places: &SymbolPositions, k: u32) -> Result<()> {
        let m = self.classes.len();
        let k = k as usize;
        let candidates = self.candidates(symbols, k);
        let mut first = 0;
        let mut at = 0;
        while let Some(next) = candidates.get(first) {
            at = at.max(next.first.saturating_sub(m + k));
            if at >= next.last {
                first += 1;
                continue;
            }
            let found = character(text.get(places.byte(text, at)..).unwrap_or_default());
            // Diagonals of each candidate at this symbol.
            let begun = candidates[first..].iter().take_while(|candidate| candidate.first <= at + m + k);
            let positions = begun.filter(|candidate| at < candidate.last).map(|candidate| {
                let least = (at + m).saturating_sub(candidate.last + k);
                least..(at + m + k + 1).saturating_sub(candidate.first).min(m)
            });
            let positions: Vec<Range<usize>> = positions.filter(|range| !range.is_empty()).collect();
            symbols[at] = self.code(found.number, symbols[at], &positions).ok_or_else(|| self.too_many(k))?;
            at += 1;
        }
        Ok(())
    }

    /// Returns a code that matches at these positions if and only if the character does: its own,
    /// or another one.
    fn code(&self, character: u32, own: u8, positions: &[Range<usize>]) -> Option<u8> {
        let is_right = |code: &u8| {
            let mut all = positions.iter().cloned().flatten();
            all.all(|i| self.classes[i].contains(*code) == self.sets[i].contains(character))
        };
        // Neither code adds a match anywhere, so that nothing is found outside the candidates.
        [own, REST].into_iter().find(is_right)
    }

    /// Finds ends with at most k errors of the pattern in codes, by Sellers' recurrence and
    /// Ukkonen's cut-off.
    fn candidates(&self, symbols: &[u8], k: usize) -> Vec<Candidate> {
        let m = self.classes.len();
        let mut found: Vec<Candidate> = Vec::new();
        let mut column: Vec<usize> = (0..=m).collect();
        // The last row with at most k errors.
        let mut last = k.min(m);
        for (end, &symbol) in (1..).zip(symbols) {
            let mut diagonal = 0;
            let mut above = 0;
            let reach = (last + 1).min(m);
            for (i, (cell, class)) in column[1..=reach].iter_mut().zip(&self.classes).enumerate() {
                let before = if i < last { *cell } else { k + 1 };
                let through = diagonal + usize::from(!class.contains(symbol));
                above = through.min(above + 1).min(before + 1);
                *cell = above;
                diagonal = before;
            }
            last = reach;
            while last > 0 && column[last] > k {
                last -= 1;
            }
            if last < m {
                continue;
            }
            match found.last_mut() {
                Some(before) if end - before.last <= 1 && end - before.first <= k => before.last = end,
                _ => found.push(Candidate { first: end, last: end }),
            }
        }
        found
    }

    fn too_many(&self, k: usize) -> Error {
        let kinds = self.kinds;
        let m = self.classes.len();
        UsageFault::TooLarge.error(format!(
            "a pattern of {m} characters has {kinds} distinct non-ASCII characters, which cannot be distinguished in this \
             text with {k} errors; allow fewer errors, search for parts of the pattern, or compare bytes (--bytes)"
        ))
    }

    /// Returns numbers for the characters of the pattern and of a text, which are equal if the
    /// characters match; `None` if a position has several kinds.
    pub fn numbers(&self, text: &[u8]) -> Option<[Vec<u32>; 2]> {
        let mut known: HashMap<u32, u32> = HashMap::new();
        let mut pattern = Vec::with_capacity(self.sets.len());
        for set in &self.sets {
            let (number, _) = set.ranges().next().filter(|_| !set.is_all())?;
            pattern.push(number);
            for member in set.ranges().flat_map(|(first, last)| first..=last) {
                if *known.entry(member).or_insert(number) != number {
                    return None;
                }
            }
        }
        let numbers = numbers_of(text).into_iter();
        Some([pattern, numbers.map(|number| known.get(&number).copied().unwrap_or(number)).collect()])
    }
}

/// Chooses a code for each of some kinds of characters, by their positions in a pattern of m: kinds
/// that share a code are far apart, even if two occurrences of the pattern are adjacent.
pub(super) fn share(kinds: &[Vec<usize>], m: usize, codes: &[u8]) -> Vec<u8> {
    let mut taken: Vec<Vec<usize>> = vec![Vec::new(); codes.len()];
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    order.sort_by_key(|&kind| kinds[kind].first());
    let mut chosen = vec![REST; kinds.len()];
    for (number, kind) in order.into_iter().enumerate() {
        let own = &kinds[kind];
        let code = if number < codes.len() {
            number
        } else {
            let far: Vec<usize> = taken.iter().map(|taken| distance(own, taken, m)).collect();
            let farthest = far.iter().copied().max().unwrap_or(0);
            // Does not always choose the farthest one: kinds in a row would then share the codes of
            // other kinds in a row.
            let enough: Vec<usize> = (0..codes.len()).filter(|&code| far[code] >= farthest - farthest / 4).collect();
            enough[(number * 2_654_435_761) % enough.len().max(1)]
        };
        taken[code].extend(own);
        taken[code].sort_unstable();
        chosen[kind] = codes[code];
    }
    chosen
}

/// Returns the least distance of a position to others, which are in order, in a pattern of m that
/// is repeated.
fn distance(own: &[usize], others: &[usize], m: usize) -> usize {
    let of_one = |&at: &usize| {
        let behind = others.partition_point(|&other| other < at);
        let next = others.get(behind).copied().or_else(|| Some(others.first()? + m)).map(|other| other - at);
        let before = behind.checked_sub(1).map(|before| at - others[before]);
        let before = before.or_else(|| Some(at + m - others.last()?));
        next.into_iter().chain(before).min()
    };
    own.iter().filter_map(of_one).min().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_with_one_code_are_far_from_each_other() {
        let kinds: Vec<Vec<usize>> = (0..900).map(|kind| vec![kind, 1799 - kind]).collect();
        let codes: Vec<u8> = (1..=200).collect();
        let chosen = share(&kinds, 1800, &codes);
        assert!(chosen.iter().all(|code| codes.contains(code)));
        let mut least = 1800;
        for (kind, own) in kinds.iter().enumerate() {
            for other in (0..kind).filter(|&other| chosen[other] == chosen[kind]) {
                for (a, b) in own.iter().flat_map(|a| kinds[other].iter().map(move |b| (a, b))) {
                    least = least.min(a.abs_diff(*b)).min(1800 - a.abs_diff(*b));
                }
            }
        }
        assert!(least > 50, "{least}");
    }
}
