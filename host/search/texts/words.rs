//! Whole words: the occurrences of a pattern with word borders on both sides.
//!
//! The start at a word border may differ from that of the best occurrence: with one error `word`
//! occurs in `words` as a word, although it occurs without errors as a part of it. So for each end
//! at a border, all starts at borders are computed.

use crate::infix::allowed::Allowed;
use crate::search::hits::hit::Hit;
use crate::search::prepared::PreparedSearch;
use crate::text::characters::Coded;
use crate::text::{Class, Strand};
use std::cmp::Reverse;
use std::ops::Range;

/// The symbols of a line.
pub(super) struct Symbols<'l> {
    symbols: &'l [u8],
    /// The text that contains the line, if symbols are codes of characters.
    coded: Option<&'l Coded<'l>>,
    /// Start of the line in the text.
    start: usize,
}

impl<'l> Symbols<'l> {
    /// Makes the symbols of a line of a text, which is in codes if `coded` is given.
    pub fn new(text: &'l [u8], coded: Option<&'l Coded<'l>>, line: &Range<usize>) -> Self {
        Self { symbols: &text[line.clone()], coded, start: line.start }
    }

    /// Returns true if a symbol belongs to words: a letter, a digit or an underscore; outside ASCII
    /// by Unicode.
    fn is_word(&self, at: usize) -> bool {
        let symbol = self.symbols[at];
        match self.coded {
            // A code in ASCII may stand for another character.
            Some(text) if !symbol.is_ascii() || !text.keeps_ascii() => {
                text.character(self.start + at).is_some_and(|character| character.is_alphanumeric() || character == '_')
            }
            _ => symbol.is_ascii_alphanumeric() || symbol == b'_',
        }
    }
}

fn begins(line: &Symbols<'_>, start: usize) -> bool {
    start == 0 || !line.is_word(start - 1)
}

fn ends_there(line: &Symbols<'_>, end: usize) -> bool {
    end == line.symbols.len() || !line.is_word(end)
}

/// The cost of an alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    errors: u32,
    /// Number of errors that are gaps.
    gaps: u32,
}

impl Cost {
    const FAR: Self = Self { errors: u32::MAX / 2, gaps: 0 };

    /// Returns the cost of `len` gaps.
    fn of_gaps(len: usize) -> Self {
        Self { errors: len as u32, gaps: len as u32 }
    }

    fn with_gap(self) -> Self {
        Self { errors: self.errors + 1, gaps: self.gaps + 1 }
    }

    fn with_pair(self, is_equal: bool) -> Self {
        Self { errors: self.errors + u32::from(!is_equal), ..self }
    }

    fn with_transposition(self) -> Self {
        Self { errors: self.errors + 1, ..self }
    }
}

/// Returns the costs of aligning all of `classes` with the last j symbols of `text`, for each j
/// from 0 to at most m + k. A cost is exact if it has at most the allowed number of errors, k.
/// Takes O(m k) time, for a band of 2 k + 1 cells in each row of the table.
fn costs(classes: &[Class], text: &[u8], allowed: Allowed) -> Vec<Cost> {
    let k = allowed.errors as usize;
    let longest = text.len().min(classes.len() + k);
    let mut above: Vec<Cost> = (0..=longest).map(|j| if j <= k { Cost::of_gaps(j) } else { Cost::FAR }).collect();
    let mut row = vec![Cost::FAR; longest + 1];
    let mut two_above = row.clone();
    let symbol = |j: usize| text[text.len() - j];
    for (i, class) in classes.iter().rev().enumerate().map(|(i, class)| (i + 1, class)) {
        let first = i.saturating_sub(k);
        let last = longest.min(i + k);
        if first > longest {
            return vec![Cost::FAR; longest + 1];
        }
        if first > 0 {
            row[first - 1] = Cost::FAR;
        }
        for j in first..=last {
            let mut best = above[j].with_gap();
            if j > 0 {
                let paired = above[j - 1].with_pair(class.contains(symbol(j)));
                let before = if j > first { row[j - 1].with_gap() } else { Cost::FAR };
                best = best.min(paired).min(before);
            }
            if allowed.transpositions && i > 1 && j > 1 {
                let next = classes[classes.len() - i + 1];
                if class.contains(symbol(j - 1)) && next.contains(symbol(j)) {
                    best = best.min(two_above[j - 2].with_transposition());
                }
            }
            row[j] = best;
        }
        if last < longest {
            row[last + 1] = Cost::FAR;
        }
        std::mem::swap(&mut two_above, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    // These cells are left over from rows above.
    above[..classes.len().saturating_sub(k).min(longest + 1)].fill(Cost::FAR);
    above
}

/// Returns the occurrences in a line with these ends, between word borders. Of a pattern's
/// overlapping occurrences, only the best is returned.
pub(super) fn between(line: &Symbols<'_>, ends: &[Hit], search: &PreparedSearch<'_>) -> Vec<Hit> {
    let mut all = Vec::new();
    let mut most = 0;
    for hit in ends {
        let end = hit.end as usize;
        if !ends_there(line, end) {
            continue;
        }
        let Some(number) = search.forward(hit.pattern) else { continue };
        let pattern = &search.patterns[number];
        let allowed = search.searched[number].allowed;
        let k = allowed.errors;
        most = most.max(k);
        for (len, cost) in costs(pattern.classes(), &line.symbols[..end], allowed).into_iter().enumerate() {
            let start = end - len;
            if len > 0 && cost.errors <= k && begins(line, start) {
                let hit = Hit { start: start as u64, errors: cost.errors, strand: Strand::Forward, ..*hit };
                all.push((hit.pattern, cost, Reverse(len), hit));
            }
        }
    }
    if most == 0 {
        // Without errors, words of one pattern overlap only if the pattern has a word border
        // inside, and callers may want all of them.
        let mut hits: Vec<Hit> = all.into_iter().map(|(.., hit)| hit).collect();
        hits.sort_unstable();
        return hits;
    }
    all.sort_unstable();
    let mut chosen: Vec<Hit> = Vec::new();
    for (.., hit) in all {
        let overlaps = |other: &Hit| other.pattern == hit.pattern && other.start < hit.end && hit.start < other.end;
        if !chosen.iter().any(overlaps) {
            chosen.push(hit);
        }
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Pattern;

    /// Returns the errors and gaps of the best alignment, by the definition.
    fn cost(classes: &[Class], text: &[u8], transpositions: bool) -> Cost {
        let cost = |classes, text| cost(classes, text, transpositions);
        match (classes, text) {
            ([], _) => Cost::of_gaps(text.len()),
            (_, []) => Cost::of_gaps(classes.len()),
            (all @ [class, classes @ ..], [symbol, rest @ ..]) => {
                let paired = cost(classes, rest).with_pair(class.contains(*symbol));
                let exchanged = match (classes, rest) {
                    ([next, classes @ ..], [other, rest @ ..])
                        if transpositions && class.contains(*other) && next.contains(*symbol) =>
                    {
                        cost(classes, rest).with_transposition()
                    }
                    _ => Cost::FAR,
                };
                paired.min(cost(classes, text).with_gap()).min(cost(all, rest).with_gap()).min(exchanged)
            }
        }
    }

    #[test]
    fn costs_are_those_of_the_definition() {
        let mut random = fastrand::Rng::with_seed(18);
        for _ in 0..300 {
            let mut string = |most| (0..random.usize(0..=most)).map(|_| b"ab"[random.usize(..2)]).collect::<Vec<_>>();
            let pattern = Pattern::literal(&string(5));
            let text = string(7);
            for (k, transpositions) in (0..4).flat_map(|k| [(k, false), (k, true)]) {
                let allowed = Allowed { transpositions, ..Allowed::any(k) };
                for (len, found) in costs(pattern.classes(), &text, allowed).into_iter().enumerate() {
                    let expected = cost(pattern.classes(), &text[text.len() - len..], transpositions);
                    let is_near = expected.errors <= k;
                    assert_eq!(found.errors <= k, is_near, "{pattern:?} {text:?} {k} {len}");
                    assert!(!is_near || found == expected, "{pattern:?} {text:?} {k} {len}: {found:?} {expected:?}");
                }
            }
        }
    }
}
