//! Distances by the definition, with two rows of the table, and test strings: for tests.

use super::cost::{ABOVE, Cost};
use crate::pairwise::recurrence;

/// Computes the distance, or [`ABOVE`] if it is above the maximum.
pub(super) fn distance<T: Eq>(a: &[T], b: &[T], cost: Cost, maximum: Option<u32>) -> u32 {
    let mut above: Vec<u32> = (0..=b.len() as u32).collect();
    for (i, x) in (1..).zip(a) {
        let mut row = vec![i];
        for (j, y) in b.iter().enumerate() {
            let gap = above[j + 1].min(row[j]) + 1;
            row.push(match (x == y, cost) {
                (true, _) => gap.min(above[j]),
                (false, Cost::Indel) => gap,
                (false, _) => gap.min(above[j] + 1),
            });
        }
        above = row;
    }
    let distance = if cost == Cost::Osa { recurrence::osa(a, b) } else { above[b.len()] };
    if distance <= maximum.unwrap_or(ABOVE) { distance } else { ABOVE }
}

/// Returns a random string of `len` symbols over an alphabet.
pub(super) fn random(random: &mut fastrand::Rng, len: usize, symbols: usize) -> Vec<u8> {
    // Spread over all bytes; 256 symbols are all different.
    (0..len).map(|_| (random.usize(..symbols) * 77 + 65) as u8).collect()
}

/// Returns the string after some edits and transpositions.
pub(super) fn edited(random: &mut fastrand::Rng, string: &[u8], edits: usize, symbols: usize) -> Vec<u8> {
    let mut string = string.to_vec();
    for _ in 0..edits {
        let at = random.usize(..=string.len());
        let symbol = self::random(random, 1, symbols)[0];
        match random.usize(..4) {
            0 if at < string.len() => drop(string.remove(at)),
            1 if at < string.len() => string[at] = symbol,
            2 if at + 1 < string.len() => string.swap(at, at + 1),
            _ => string.insert(at, symbol),
        }
    }
    string
}

/// Calls `check` with random strings of all [`LENGTHS`], and with similar ones, over all
/// [`ALPHABETS`].
pub(super) fn all_lengths_and_alphabets(check: impl Fn(&[u8], &[u8])) {
    let mut random = fastrand::Rng::with_seed(1);
    for (i, &m) in LENGTHS.iter().enumerate() {
        for (j, &n) in LENGTHS.iter().enumerate() {
            let symbols = ALPHABETS[(i + j) % ALPHABETS.len()];
            let a = self::random(&mut random, m, symbols);
            check(&a, &self::random(&mut random, n, symbols));
            let edits = random.usize(..20);
            check(&a, &edited(&mut random, &a, edits, symbols));
        }
    }
}

/// Lengths around the sizes of words and vectors.
pub(super) const LENGTHS: &[usize] =
    &[0, 1, 2, 11, 12, 13, 23, 24, 25, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513];

/// Sizes of alphabets.
pub(super) const ALPHABETS: &[usize] = &[1, 2, 4, 26, 256];

pub(super) const COSTS: [Cost; 3] = [Cost::Levenshtein, Cost::Indel, Cost::Osa];

/// Returns pairs of random strings and of similar ones.
pub(super) fn pairs(random: &mut fastrand::Rng, count: usize, lengths: &[usize], symbols: usize) -> Vec<[Vec<u8>; 2]> {
    let length = |random: &mut fastrand::Rng| lengths[random.usize(..lengths.len())];
    let pair = |_| {
        let m = length(random);
        let a = self::random(random, m, symbols);
        let b = if random.bool() {
            let edits = random.usize(..12);
            edited(random, &a, edits, symbols)
        } else {
            let n = length(random);
            self::random(random, n, symbols)
        };
        [a, b]
    };
    (0..count).map(pair).collect()
}

pub(super) fn borrowed(pairs: &[[Vec<u8>; 2]]) -> Vec<[&[u8]; 2]> {
    pairs.iter().map(|[a, b]| [&a[..], &b[..]]).collect()
}
