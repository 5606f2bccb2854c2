//! The parts of a text that can match a pattern, by its q-grams: P. Jokinen and E. Ukkonen, Two
//! algorithms for approximate string matching in static texts, Mathematical Foundations of Computer
//! Science, 1991.
//!
//! An error changes at most q of the pattern's q-grams. So a part of the text with at most k errors
//! has all of them except at most kq, on diagonals that differ by at most k. A region with fewer
//! cannot contain a match. The region with the most q-grams probably contains the pattern.
//!
//! ```text
//! pattern   … AGCT … TTAC …         text    … TTAC …    … AGCT … TTAC …
//!                                             a vote      two votes for one bucket of diagonals
//! ```
//!
//! q is chosen so that in a text of random symbols one q-gram in 64 is in the pattern.

use crate::text::{Class, DistinctClasses, Pattern};
use std::ops::Range;

/// Upper bound on the symbols that count in the choice of q: in natural language, a few symbols are
/// most of the text.
const SYMBOLS: usize = 16;
/// Odd numbers without a pattern in their bits.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
const MIX: u64 = 0xd6e8_feb8_6659_fd93;

/// The q-grams of a pattern.
pub struct Seeds {
    m: usize,
    q: usize,
    /// Number of each symbol; symbols that the pattern does not distinguish share one.
    codes: [u64; 256],
    /// `STEP` to the power of q + 1: the factor of the first symbol of a q-gram when the next one
    /// arrives.
    leaving: u64,
    /// Hash table: a slot holds half of a q-gram's hash as its tag, and the position in the pattern
    /// where the q-gram ends, 1-based; 0 if the slot is empty.
    table: Vec<(u32, u32)>,
    /// Number of entries. If q-grams have the same hash, the table keeps the last.
    count: usize,
    /// Number of diagonals of a bucket.
    width: usize,
}

/// The number of the pattern's q-grams in a text, by buckets of diagonals.
pub struct Votes {
    votes: Vec<u32>,
    /// Number of symbols of the text.
    n: usize,
}

impl Seeds {
    /// Returns `None` for patterns that are short or have only one symbol: their q-grams are
    /// everywhere.
    pub fn new(pattern: &Pattern) -> Option<Self> {
        let m = pattern.len();
        let DistinctClasses { classes, indices } = pattern.distinct();
        let symbols = classes.len().min(SYMBOLS) as u64;
        if symbols < 2 {
            return None;
        }
        let mut q = 1;
        while symbols.saturating_pow(q) < 64 * m as u64 {
            q += 1;
        }
        let q = q as usize;
        if 2 * q > m {
            return None;
        }
        let code = |symbol: u8| classes.iter().position(|class| class.contains(symbol)).map_or(0, |i| i as u64 + 1);
        let codes: [u64; 256] = std::array::from_fn(|symbol| code(symbol as u8));
        // Classes that share a symbol with an earlier class have other codes in the text, so their
        // q-grams are skipped.
        let known = |(i, class): (usize, &Class)| {
            (0..=255u8)
                .filter(|symbol| class.contains(*symbol))
                .all(|symbol| codes[usize::from(symbol)] == i as u64 + 1)
        };
        let known: Vec<bool> = classes.iter().enumerate().map(known).collect();
        let slots = (2 * m).next_power_of_two();
        let leaving = STEP.wrapping_pow(q as u32 + 1);
        let width = (m / 8).max(64);
        let mut seeds = Self { m, q, codes, leaving, table: vec![(0, 0); slots], count: 0, width };
        let mut hash = 0u64;
        let mut last_unknown = None;
        for (i, &class) in indices.iter().enumerate() {
            let old = if i < q { 0 } else { indices[i - q] as u64 + 1 };
            hash = seeds.next(hash, class as u64 + 1, old);
            if !known[class] {
                last_unknown = Some(i);
            }
            if i + 1 >= q && last_unknown.is_none_or(|unknown| unknown + q <= i) {
                let (slot, tag) = seeds.slot(hash);
                seeds.table[slot] = (tag, (i + 1) as u32);
            }
        }
        seeds.count = seeds.table.iter().filter(|(_, place)| *place > 0).count();
        Some(seeds)
    }

    /// Returns the hash of the q-gram that ends with `new`, given that of the q-gram before it,
    /// which begins with `old`.
    #[inline(always)]
    fn next(&self, hash: u64, new: u64, old: u64) -> u64 {
        hash.wrapping_add(new).wrapping_mul(STEP).wrapping_sub(old.wrapping_mul(self.leaving))
    }

    #[inline(always)]
    fn slot(&self, hash: u64) -> (usize, u32) {
        let mixed = (hash ^ hash >> 32).wrapping_mul(MIX);
        ((mixed >> 32) as usize & (self.table.len() - 1), mixed as u32)
    }

    /// Counts the votes of a text, in about 15 instructions a symbol.
    pub fn votes(&self, text: &[u8]) -> Votes {
        let m = self.m;
        let q = self.q;
        let n = text.len();
        let mut votes = vec![0u32; (n + m) / self.width + 2];
        let code = |symbol: &u8| self.codes[usize::from(*symbol)];
        if let Some((head, rest)) = text.split_at_checked(q) {
            let mut hash = head.iter().map(code).fold(0, |hash, new| self.next(hash, new, 0));
            let mut vote = |j: usize, hash: u64| {
                let (slot, tag) = self.slot(hash);
                let (of, place) = self.table[slot];
                if of == tag && place > 0 {
                    let votes = &mut votes[(j + q + m - place as usize) / self.width];
                    *votes = votes.saturating_add(1);
                }
            };
            // The q-gram that begins at symbol j.
            for (j, (new, old)) in rest.iter().map(code).zip(text.iter().map(code)).enumerate() {
                vote(j, hash);
                hash = self.next(hash, new, old);
            }
            vote(n - q, hash);
        }
        Votes { votes, n }
    }

    /// Returns the most votes and the part of the text that has them, a few symbols longer than m;
    /// `None` if no q-gram matched.
    pub fn most(&self, votes: &Votes) -> Option<(u32, Range<usize>)> {
        let (bucket, most) = self.pairs(votes).max_by_key(|&(bucket, votes)| (votes, std::cmp::Reverse(bucket)))?;
        (most > 0).then(|| (most, self.part(bucket, votes.n, self.width)))
    }

    /// Returns the parts of a text, in order and disjoint, that contain all parts with at most k
    /// errors; `None` if they are most of the text.
    pub fn parts(&self, votes: &Votes, k: u32) -> Option<Vec<Range<usize>>> {
        let changed = (k as usize).checked_mul(self.q).filter(|changed| *changed < self.count)?;
        if k as usize >= self.width {
            return None;
        }
        let least = (self.count - changed) as u32;
        let mut parts: Vec<Range<usize>> = Vec::new();
        for (bucket, _) in self.pairs(votes).filter(|(_, votes)| *votes >= least) {
            let part = self.part(bucket, votes.n, k as usize);
            match parts.last_mut() {
                Some(last) if part.start <= last.end => last.end = part.end,
                _ => parts.push(part),
            }
        }
        (parts.iter().map(Range::len).sum::<usize>() <= votes.n / 2).then_some(parts)
    }

    /// Returns each bucket's votes together with those of the next: diagonals that differ by at
    /// most the width lie in one such pair.
    fn pairs(&self, votes: &Votes) -> impl Iterator<Item = (usize, u32)> {
        votes.votes.windows(2).map(|pair| pair[0].saturating_add(pair[1])).enumerate()
    }

    /// Returns the part of a text of n symbols that contains any match on the diagonals of a bucket
    /// and the next, extended by `more` symbols at both ends.
    fn part(&self, bucket: usize, n: usize, more: usize) -> Range<usize> {
        let start = (bucket * self.width).saturating_sub(self.m + more).min(n);
        let end = ((bucket + 2) * self.width + more).min(n);
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::sellers;
    use crate::text::Alphabet;

    #[test]
    fn a_pattern_with_errors_is_found_where_it_is() {
        let mut random = fastrand::Rng::with_seed(9);
        for (symbols, m) in [(2, 1000), (4, 100), (4, 3000), (60, 200)] {
            let text: Vec<u8> = (0..100_000).map(|_| b'A' + random.u8(..symbols)).collect();
            let at = random.usize(..text.len() - m);
            let mut pattern = text[at..at + m].to_vec();
            for _ in 0..m / 20 {
                pattern[random.usize(..m)] = b'A' + random.u8(..symbols);
            }
            pattern.remove(m / 3);
            let seeds = Seeds::new(&Pattern::literal(&pattern)).unwrap();
            let (_, found) = seeds.most(&seeds.votes(&text)).unwrap();
            assert!(found.start <= at && at + m <= found.end && found.len() < 2 * m + 256, "{found:?}, {at}, m = {m}");
        }
    }

    #[test]
    fn symbols_of_a_class_are_one() {
        let mut random = fastrand::Rng::with_seed(10);
        let text: Vec<u8> = (0..20_000).map(|_| b"ACGTacgt"[random.usize(..8)]).collect();
        let pattern = Pattern::parse(&text[7000..7300].to_ascii_uppercase(), Alphabet::Dna).unwrap();
        let seeds = Seeds::new(&pattern).unwrap();
        let (votes, found) = seeds.most(&seeds.votes(&text)).unwrap();
        assert!(votes > 200 && found.start <= 7000 && found.end >= 7300, "{votes} {found:?}");
    }

    #[test]
    fn nothing_to_go_by() {
        assert!(Seeds::new(&Pattern::literal(b"")).is_none());
        assert!(Seeds::new(&Pattern::literal(&[b'a'; 500])).is_none());
        assert!(Seeds::new(&Pattern::literal(b"abcabc")).is_none());
        let pattern: Vec<u8> = (0..200u32).map(|i| (i * i % 199) as u8).collect();
        let seeds = Seeds::new(&Pattern::literal(&pattern)).unwrap();
        for text in [&b""[..], b"x", &[250; 1000]] {
            assert_eq!(seeds.most(&seeds.votes(text)), None);
        }
    }

    /// Every end with at most k errors has a whole match in one of the parts.
    #[test]
    fn no_match_is_lost() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut some = 0;
        for case in 0..300 {
            let m = random.usize(20..400);
            let symbols = [2, 4, 30][case % 3];
            let mut symbol = || random.u8(..symbols);
            let mut pattern: Vec<u8> = (0..m).map(|_| symbol()).collect();
            let mut text: Vec<u8> = (0..4000).map(|_| symbol()).collect();
            if case % 4 == 0 {
                // Some q-grams occur more than once.
                let half = pattern[..m / 2].to_vec();
                pattern[m - m / 2..].copy_from_slice(&half);
            }
            let errors = random.usize(0..12);
            for at in [0, random.usize(0..3000), 4000] {
                let mut near = pattern.clone();
                for _ in 0..errors {
                    let place = random.usize(..near.len());
                    match random.usize(..3) {
                        0 => near[place] = random.u8(..symbols),
                        1 => near.insert(place, random.u8(..symbols)),
                        _ => drop(near.remove(place)),
                    }
                }
                text.splice(at.min(text.len())..at.min(text.len()), near);
            }
            // Some classes share symbols.
            let pattern = if case % 5 == 0 { Pattern::with_wildcard(&pattern, 1) } else { Pattern::literal(&pattern) };
            let Some(seeds) = Seeds::new(&pattern) else { continue };
            let votes = seeds.votes(&text);
            for k in [0, errors as u32, errors as u32 + 3] {
                let Some(parts) = seeds.parts(&votes, k) else { continue };
                some += 1;
                let mut in_parts: Vec<_> = parts
                    .iter()
                    .flat_map(|part| {
                        let ends = sellers::ends(&text[part.clone()], &pattern, k).into_iter();
                        ends.map(|end| (part.start as u64 + end.end, end.errors))
                    })
                    .collect();
                in_parts.sort_unstable();
                let all: Vec<_> = sellers::ends(&text, &pattern, k).iter().map(|end| (end.end, end.errors)).collect();
                assert_eq!(in_parts, all, "case {case}, m = {m}, k = {k}, {parts:?}");
            }
        }
        assert!(some > 200, "{some}");
    }
}
