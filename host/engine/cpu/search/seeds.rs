//! Where in a text a pattern probably is: where most of its q-grams are, by diagonals.
//!
//! What is found is a place to look at first and proves nothing. q is such that a text of random symbols has one q-gram of the
//! pattern in 64.
//!
//! ```text
//! pattern   … AGCT … TTAC …         text    … TTAC …    … AGCT … TTAC …
//!                                                           two q-grams on one diagonal
//! ```

use crate::search::Pattern;
use std::ops::Range;

/// Symbols that count at most, for the choice of q: in a language a few are most of the text.
const SYMBOLS: usize = 16;
/// Any odd numbers without a pattern in their bits.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
const MIX: u64 = 0xd6e8_feb8_6659_fd93;

/// The q-grams of a pattern.
pub struct Seeds {
    m: usize,
    q: usize,
    /// For every symbol a number, one for all that the pattern takes for the same.
    codes: [u64; 256],
    /// `STEP` to the power of q + 1: what the first symbol of a q-gram counts when the next one comes.
    leaving: u64,
    /// By hash: half of the hash, and the place in the pattern from 1 on; 0 where there is none.
    table: Vec<(u32, u32)>,
}

impl Seeds {
    /// None where q-grams say nothing: of patterns that are short or of one symbol.
    pub fn new(pattern: &Pattern) -> Option<Self> {
        let m = pattern.len();
        let (classes, positions) = pattern.distinct();
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
        let codes = std::array::from_fn(|symbol| code(symbol as u8));
        let slots = (2 * m).next_power_of_two().max(2);
        let leaving = STEP.wrapping_pow(q as u32 + 1);
        let mut seeds = Self { m, q, codes, leaving, table: vec![(0, 0); slots] };
        let mut hash = 0u64;
        for (i, &class) in positions.iter().enumerate() {
            let old = if i < q { 0 } else { positions[i - q] as u64 + 1 };
            hash = seeds.next(hash, class as u64 + 1, old);
            if i + 1 >= q {
                let (slot, tag) = seeds.slot(hash);
                seeds.table[slot] = (tag, (i + 1) as u32);
            }
        }
        Some(seeds)
    }

    /// The hash of the q-gram that ends with `new`, from that of the one before it, which began with `old`.
    #[inline(always)]
    fn next(&self, hash: u64, new: u64, old: u64) -> u64 {
        hash.wrapping_add(new).wrapping_mul(STEP).wrapping_sub(old.wrapping_mul(self.leaving))
    }

    #[inline(always)]
    fn slot(&self, hash: u64) -> (usize, u32) {
        let mixed = (hash ^ hash >> 32).wrapping_mul(MIX);
        ((mixed >> 32) as usize & (self.table.len() - 1), mixed as u32)
    }

    /// How many q-grams there are where most are, and the part of the text that the pattern may be nearest to: some symbols
    /// more than m. None without any.
    pub fn most(&self, text: &[u8]) -> Option<(u32, Range<usize>)> {
        // Diagonals of a bucket: insertions and deletions lead from one to another.
        let width = (self.m / 8).max(64);
        let mut votes = vec![0u32; (text.len() + self.m) / width + 2];
        let mut hash = 0u64;
        for (j, &symbol) in text.iter().enumerate() {
            let old = if j < self.q { 0 } else { self.codes[usize::from(text[j - self.q])] };
            hash = self.next(hash, self.codes[usize::from(symbol)], old);
            let (slot, tag) = self.slot(hash);
            let (of, place) = self.table[slot];
            if of == tag && place > 0 {
                votes[(j + 1 + self.m - place as usize) / width] += 1;
            }
        }
        let pairs = votes.windows(2).map(|pair| pair[0].saturating_add(pair[1]));
        let (bucket, most) = pairs.enumerate().max_by_key(|&(bucket, votes)| (votes, std::cmp::Reverse(bucket)))?;
        let start = (bucket * width).saturating_sub(self.m + width).min(text.len());
        let end = ((bucket + 3) * width).min(text.len());
        (most > 0).then_some((most, start..end.max(start)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Alphabet;

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
            let (_, found) = Seeds::new(&Pattern::literal(&pattern)).unwrap().most(&text).unwrap();
            assert!(found.start <= at && at + m <= found.end && found.len() < 2 * m + 256, "{found:?}, {at}, m = {m}");
        }
    }

    #[test]
    fn symbols_of_a_class_are_one() {
        let mut random = fastrand::Rng::with_seed(10);
        let text: Vec<u8> = (0..20_000).map(|_| b"ACGTacgt"[random.usize(..8)]).collect();
        let pattern = Pattern::parse(&text[7000..7300].to_ascii_uppercase(), Alphabet::Dna).unwrap();
        let (votes, found) = Seeds::new(&pattern).unwrap().most(&text).unwrap();
        assert!(votes > 200 && found.start <= 7000 && found.end >= 7300, "{votes} {found:?}");
    }

    #[test]
    fn nothing_to_go_by() {
        assert!(Seeds::new(&Pattern::literal(b"")).is_none());
        assert!(Seeds::new(&Pattern::literal(&[b'a'; 500])).is_none());
        assert!(Seeds::new(&Pattern::literal(b"abcdefgh")).is_none());
        let pattern: Vec<u8> = (0..200).map(|i| i * i % 199).collect();
        let seeds = Seeds::new(&Pattern::literal(&pattern)).unwrap();
        assert_eq!(seeds.most(b""), None);
        assert_eq!(seeds.most(b"x"), None);
        assert_eq!(seeds.most(&[250; 1000]), None);
    }
}
