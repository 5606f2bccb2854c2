//! Finds the strings of a list that may be within k errors of another string, without comparing
//! them all.
//!
//! A string with at most k errors leaves at least one of its k + 1 pieces unchanged. So the pieces
//! of all strings are stored in a table, by the length of the string and the number of the piece. A
//! string near a text shares a piece with it, at about the right position: G. Li, D. Deng, J. Wang,
//! J. Feng, Pass-Join: a partition-based method for similarity joins, Proceedings of the VLDB
//! Endowment 5(3), 2011.
//!
//! The position: let the string have m symbols and the text n, and let the errors in the pieces 0
//! to k be e\[0\] to e\[k\], at most k in total. The sum of e\[0\] to e\[i-1\] minus i is 0 for i =
//! 0, negative for i = k + 1, and never falls by more than 1. Let i be the first piece at whose end
//! the sum is below 0. It has no error, with exactly i errors before it and at most k - i after it.
//! So it is shifted by some d with
//!
//! ```text
//! |d| ≤ i    and    |d - (n - m)| ≤ k - i
//! ```
//!
//! This gives O(k²) positions in total. Pieces are compared by hashes, so the results are
//! candidates: all strings that are near, and a few others.

use super::hashed::Hashed;
use super::piece_ends::{piece_ends, sample_size};
use crate::error::Result;
use crate::memory;
use rayon::slice::ParallelSliceMut;
use std::ops::Range;

/// Base of rolling hashes of strings: hash(s c) = hash(s) BASE + c + 1, modulo 2^64.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// A piece of a string of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    /// Hash of the piece, its number and its string's group.
    hash: u64,
    /// Number of the string in the list.
    string: u32,
}

/// Equal pieces.
#[derive(Debug, Clone, Copy)]
struct Key {
    hash: u64,
    /// Start of their strings.
    start: u32,
}

/// Strings of the same length and the same k.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    m: usize,
    k: usize,
    /// Strings that are candidates by their length alone: all of the group, or none.
    all: Vec<u32>,
    /// Ends of the k + 1 pieces, from the 0 before the first on; none if `all` has the strings.
    ends: Vec<usize>,
}

impl Group {
    /// Returns the range of piece `i`.
    fn piece(&self, i: usize) -> Range<usize> {
        self.ends[i]..self.ends[i + 1]
    }
}

/// A list of strings, by their pieces.
#[derive(Debug)]
pub(crate) struct Pieces {
    /// Groups in the order of m, then k.
    groups: Vec<Group>,
    largest_k: usize,
    /// Different hashes of pieces, in order; and an end.
    keys: Vec<Key>,
    /// The string of each piece, in the order of the hashes. Those of equal pieces are in order.
    strings: Vec<u32>,
    /// Start of the keys for each value of the first bits of a hash; and the end.
    starts: Vec<u32>,
    /// Shift that leaves the first bits of a hash.
    shift: u32,
    /// Powers of [`BASE`].
    powers: Vec<u64>,
}

/// Returns the number of strings of m symbols that are compared in the time of the look-ups for
/// them: about 60 clock cycles for each of (k + 1)² / 2 look-ups, and 60 + mk / 30 for a
/// comparison.
fn few(m: usize, k: usize) -> usize {
    let k = k as f64;
    (30.0 * (k + 1.0).powi(2) / (60.0 + m as f64 * k / 30.0)) as usize
}

/// Returns the groups of strings with these lengths and k. `numbers` are the strings' groups.
fn groups<S: Hashed>(
    forms: &[(usize, usize)],
    strings: &[S],
    numbers: &[usize],
    few: impl Fn(usize, usize) -> usize,
) -> Vec<Group> {
    let mut counts = vec![0; forms.len()];
    numbers.iter().for_each(|&group| counts[group] += 1);
    let sizes: Vec<usize> = forms.iter().zip(&counts).map(|(&(m, _), &count)| sample_size(m, count)).collect();
    // Samples are spread over the list, which may be sorted.
    let mut samples: Vec<Vec<&S>> = sizes.iter().map(|&size| Vec::with_capacity(size)).collect();
    let mut met = vec![0usize; forms.len()];
    for (string, &group) in strings.iter().zip(numbers) {
        let taken = met[group] as u128 * sizes[group] as u128 / counts[group] as u128;
        met[group] += 1;
        if taken < met[group] as u128 * sizes[group] as u128 / counts[group] as u128 {
            samples[group].push(string);
        }
    }
    let group = |(number, sample): (usize, Vec<&S>)| {
        let (m, k) = forms[number];
        let ends = if m > k && counts[number] > few(m, k) { piece_ends(&sample, m, k) } else { Vec::new() };
        Group { m, k, all: Vec::new(), ends }
    };
    samples.into_iter().enumerate().map(group).collect()
}

/// Returns the hash of a piece among all pieces of all groups.
fn mixed(hash: u64, group: usize, number: usize) -> u64 {
    let mut mixed = hash ^ (group as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ (number as u64) << 40;
    mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 29
}

/// Computes the hashes of a string's prefixes, from the empty one on.
fn beginnings(string: &impl Hashed, to: &mut Vec<u64>) {
    to.clear();
    to.reserve(string.len() + 1);
    to.push(0);
    let mut hash = 0u64;
    string.for_each(|symbol| {
        hash = hash.wrapping_mul(BASE).wrapping_add(symbol + 1);
        to.push(hash);
    });
}

/// A filter of candidates: which strings may be near a text.
pub(crate) trait Sieve {
    /// Returns bit i if the string of piece `pieces.start` + i may be near, for up to 64 pieces of
    /// strings of m symbols. Other bits are arbitrary.
    fn pieces(&self, m: usize, pieces: Range<usize>) -> u64;

    /// Returns true if a string of m symbols may be near.
    fn string(&self, m: usize, string: u32) -> bool;
}

/// Leaves out no string.
impl Sieve for () {
    fn pieces(&self, _m: usize, _pieces: Range<usize>) -> u64 {
        u64::MAX
    }

    fn string(&self, _m: usize, _string: u32) -> bool {
        true
    }
}

/// Buffers for looking up candidates, reused between texts.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    hashes: Vec<u64>,
    lookups: Vec<Lookup>,
}

/// A part of a text that is looked up in the table.
#[derive(Debug)]
struct Lookup {
    hash: u64,
    /// Length of the strings.
    m: usize,
    /// Keys whose hashes begin with the same bits, and the first one's hash.
    keys: Range<usize>,
    least: u64,
}

impl Pieces {
    /// Prepares a list of fewer than 2^32 strings, with k of each. O(symbols + pieces log pieces).
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) if the pieces do not fit into memory.
    pub(crate) fn new<S: Hashed>(strings: &[S], k_of: impl Fn(usize) -> u32) -> Result<Self> {
        Self::with_few(strings, k_of, few)
    }

    /// Does the same with another number of strings that are too few for look-ups, given m and k.
    fn with_few<S: Hashed>(
        strings: &[S],
        k_of: impl Fn(usize) -> u32,
        few: impl Fn(usize, usize) -> usize,
    ) -> Result<Self> {
        let form = |number: usize| (strings[number].len(), k_of(number) as usize);
        let mut forms: Vec<(usize, usize)> = (0..strings.len()).map(form).collect();
        forms.sort_unstable();
        forms.dedup();
        let numbers: Vec<usize> =
            (0..strings.len()).map(|number| forms.binary_search(&form(number)).unwrap_or(0)).collect();
        let mut groups = groups(&forms, strings, &numbers, few);
        let count = (0..strings.len()).map(form).filter(|(m, k)| m > k).map(|(_, k)| k + 1).sum();
        memory::check::<(Piece, Key, u32)>(
            if u32::try_from(count).is_ok() { count } else { usize::MAX },
            "the pieces of strings",
        )?;
        let longest = forms.last().map_or(0, |&(m, _)| m);
        memory::check::<u64>(longest.saturating_mul(2), "the hashes of a string")?;
        let mut powers = vec![1u64; longest + 1];
        for length in 1..=longest {
            powers[length] = powers[length - 1].wrapping_mul(BASE);
        }
        let mut pieces = Vec::with_capacity(count);
        let mut hashes = Vec::new();
        for (number, string) in strings.iter().enumerate() {
            let own = &mut groups[numbers[number]];
            if own.ends.is_empty() {
                own.all.push(number as u32);
                continue;
            }
            beginnings(string, &mut hashes);
            pieces.extend((0..=own.k).map(|i| {
                let Range { start, end } = own.piece(i);
                let hash = hashes[end].wrapping_sub(hashes[start].wrapping_mul(powers[end - start]));
                Piece { hash: mixed(hash, numbers[number], i), string: number as u32 }
            }));
        }
        pieces.par_sort_unstable();
        let equal = pieces.chunk_by(|one, other| one.hash == other.hash);
        let mut start = 0;
        let key = |equal: &[Piece]| {
            let key = Key { hash: equal[0].hash, start };
            start += equal.len() as u32;
            key
        };
        let mut keys: Vec<Key> = equal.map(key).collect();
        let bits = keys.len().max(2).ilog2();
        let shift = 64 - bits;
        let mut starts = vec![0u32; (1 << bits) + 1];
        for key in &keys {
            starts[(key.hash >> shift) as usize + 1] += 1;
        }
        keys.push(Key { hash: u64::MAX, start: pieces.len() as u32 });
        for slot in 1..starts.len() {
            starts[slot] += starts[slot - 1];
        }
        let largest_k = forms.iter().map(|&(_, k)| k).max().unwrap_or(0);
        let strings = pieces.iter().map(|piece| piece.string).collect();
        Ok(Self { groups, largest_k, keys, strings, starts, shift, powers })
    }

    /// Finds the strings from number `from` on that may be near a text, in order: those of all
    /// strings within their k of it, and of some others, that `sieve` keeps. O(n), O(k²) lookups
    /// in the table for each length of strings between n - k and n + k, and the candidates.
    pub(crate) fn candidates(
        &self,
        text: &impl Hashed,
        from: u32,
        scratch: &mut Scratch,
        sieve: &impl Sieve,
        found: &mut Vec<u32>,
    ) {
        let Scratch { hashes, lookups } = scratch;
        found.clear();
        lookups.clear();
        let n = text.len();
        let least = self.groups.partition_point(|group| group.m + self.largest_k < n);
        let groups = self.groups[least..].iter().take_while(|group| group.m <= n + self.largest_k);
        let mut is_hashed = false;
        for (number, group) in (least..).zip(groups) {
            let &Group { m, k, ref all, ref ends } = group;
            if m.abs_diff(n) > k {
                continue;
            }
            let all = &all[all.partition_point(|&string| string < from)..];
            found.extend(all.iter().copied().filter(|&string| sieve.string(m, string)));
            if ends.is_empty() {
                continue;
            }
            if !is_hashed {
                beginnings(text, hashes);
                is_hashed = true;
            }
            for i in 0..=k {
                self.shifted(hashes, (number, i), lookups);
            }
        }
        self.look_up(lookups, from, sieve, found);
        found.sort_unstable();
        found.dedup();
    }

    /// Adds the parts of a text that may be piece `i` of strings of a group, at their allowed
    /// positions.
    fn shifted(&self, hashes: &[u64], (group, i): (usize, usize), lookups: &mut Vec<Lookup>) {
        let Group { m, k, .. } = self.groups[group];
        let n = hashes.len() - 1;
        let Range { start, end } = self.groups[group].piece(i);
        let length = end - start;
        let start = start as i64;
        let difference = n as i64 - m as i64;
        let before = i as i64;
        let behind = (k - i) as i64;
        let first = (start - before).max(start + difference - behind).max(0);
        let last = (start + before).min(start + difference + behind).min((n as i64) - length as i64);
        for from in first..=last {
            let from = from as usize;
            let hash = hashes[from + length].wrapping_sub(hashes[from].wrapping_mul(self.powers[length]));
            lookups.push(Lookup { hash: mixed(hash, group, i), m, keys: 0..0, least: 0 });
        }
    }

    /// Adds the strings from number `from` on that have one of some pieces.
    fn look_up(&self, lookups: &mut Vec<Lookup>, from: u32, sieve: &impl Sieve, found: &mut Vec<u32>) {
        // A look-up reads two places that are far away in memory. The reads of several look-ups
        // overlap if no branch waits for them.
        for Lookup { hash, keys, .. } in lookups.iter_mut() {
            let slot = (*hash >> self.shift) as usize;
            *keys = self.starts[slot] as usize..self.starts[slot + 1] as usize;
        }
        for Lookup { keys, least, .. } in lookups.iter_mut() {
            *least = self.keys[keys.start].hash;
        }
        lookups.retain(|lookup| !lookup.keys.is_empty() && lookup.least <= lookup.hash);
        for Lookup { hash, m, keys, .. } in lookups {
            let Some(key) = keys.find(|&key| self.keys[key].hash == *hash) else { continue };
            let (mut first, end) = (self.keys[key].start as usize, self.keys[key + 1].start as usize);
            // The numbers of a few strings are only read for those that remain.
            if end - first > 64 {
                first += self.strings[first..end].partition_point(|&string| string < from);
            }
            for start in (first..end).step_by(64) {
                let some = start..end.min(start + 64);
                let mut near = sieve.pieces(*m, some.clone()) & u64::MAX >> (64 - some.len());
                while near != 0 {
                    let string = self.strings[start + near.trailing_zeros() as usize];
                    near &= near - 1;
                    if string >= from {
                        found.push(string);
                    }
                }
            }
        }
    }

    /// Returns the string of each piece, in the order of the pieces.
    pub(crate) fn strings(&self) -> &[u32] {
        &self.strings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &[u8], b: &[u8]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut corner = std::mem::replace(&mut row[0], i + 1);
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = (corner + usize::from(x != y)).min(above + 1).min(row[j] + 1);
                corner = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn all_that_are_near_are_candidates() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut near = 0;
        let mut told = 0;
        for round in 0..60 {
            let symbols = [1, 2, 4, 200][round % 4];
            let string = |random: &mut fastrand::Rng| -> Vec<u8> {
                (0..random.usize(..24)).map(|_| random.u8(..symbols)).collect()
            };
            let mut list: Vec<Vec<u8>> = Vec::new();
            for number in 0..40 {
                let mut next = if number % 3 == 0 { string(&mut random) } else { list[number - 1].clone() };
                for _ in 0..random.usize(..4) {
                    let at = random.usize(..=next.len());
                    match random.u8(..3) {
                        0 => next.insert(at, random.u8(..symbols)),
                        1 if at < next.len() => drop(next.remove(at)),
                        2 if at < next.len() => next[at] = random.u8(..symbols),
                        _ => {}
                    }
                }
                list.push(next);
            }
            let strings: Vec<&[u8]> = list.iter().map(Vec::as_slice).collect();
            let k_of = |number: usize| ((number + round) % 6) as u32;
            let pieces = Pieces::with_few(&strings, k_of, |_, _| 0).unwrap();
            let mut scratch = Scratch::default();
            let mut found = Vec::new();
            for text in &strings {
                pieces.candidates(text, 0, &mut scratch, &(), &mut found);
                assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
                for (number, string) in strings.iter().enumerate() {
                    if distance(string, text) <= k_of(number) as usize {
                        assert!(found.contains(&(number as u32)), "{string:?} {text:?} {}", k_of(number));
                        near += 1;
                    }
                }
                told += found.len();
            }
        }
        // There are few: at least a third of the candidates are near.
        assert!(near > 5000 && told < 3 * near, "{told} candidates, {near} of them near");
    }

    /// More strings with one piece than are looked at in one step.
    #[test]
    fn strings_from_a_number_on() {
        let strings: Vec<&[u8]> =
            (0..300).map(|number| if number % 3 == 0 { &b"carry"[..] } else { b"waves" }).collect();
        let pieces = Pieces::with_few(&strings, |_| 1, |_, _| 0).unwrap();
        let (mut scratch, mut found) = (Scratch::default(), Vec::new());
        for from in [0, 1, 2, 63, 64, 65, 150, 299, 300] {
            pieces.candidates(&&b"waved"[..], from, &mut scratch, &(), &mut found);
            assert_eq!(found, (from..300).filter(|number| number % 3 != 0).collect::<Vec<u32>>(), "{from}");
        }
    }

    /// Enough strings of each length for pieces by a sample: all that are near are still found, and
    /// a common beginning makes no candidates.
    #[test]
    fn a_common_beginning_makes_no_candidates() {
        let mut random = fastrand::Rng::with_seed(9);
        let mut list: Vec<Vec<u8>> = Vec::new();
        for number in 0..600 {
            let mut next: Vec<u8> = b"https://www.example.com/".to_vec();
            if number % 5 == 0 && number > 0 {
                next = list[random.usize(..number)].clone();
                for _ in 0..3 {
                    let at = random.usize(..next.len());
                    next[at] = b'#';
                }
            } else {
                next.extend((0..24 + number % 2).map(|_| random.u8(b'a'..=b'z')));
            }
            list.push(next);
        }
        let strings: Vec<&[u8]> = list.iter().map(Vec::as_slice).collect();
        let pieces = Pieces::new(&strings, |_| 3).unwrap();
        let (mut scratch, mut found) = (Scratch::default(), Vec::new());
        let (mut near, mut told) = (0, 0);
        for text in &strings {
            pieces.candidates(text, 0, &mut scratch, &(), &mut found);
            for (number, string) in strings.iter().enumerate().filter(|(_, string)| distance(string, text) <= 3) {
                assert!(found.contains(&(number as u32)), "{string:?} {text:?}");
                near += 1;
            }
            told += found.len();
        }
        assert!(near > 700 && told < 2 * near, "{told} candidates, {near} of them near");
    }

    /// Few strings with many errors would take k² look-ups for each length.
    #[test]
    fn few_strings_are_candidates_by_their_length() {
        let strings: Vec<Vec<u8>> = (0..50).map(|number| vec![b'a' + number as u8; 2000 + 20 * number]).collect();
        let strings: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let pieces = Pieces::new(&strings, |_| 200).unwrap();
        assert!(pieces.strings.is_empty());
        let mut found = Vec::new();
        pieces.candidates(&strings[30], 0, &mut Scratch::default(), &(), &mut found);
        assert_eq!(found, (20..=40).collect::<Vec<u32>>());
        assert_eq!([few(12, 1), few(100, 3), few(10_000, 1000), few(0, 5)], [1, 6, 90, 18]);
    }

    #[test]
    fn no_strings_and_no_text() {
        let mut scratch = Scratch::default();
        let mut found = vec![1];
        Pieces::new::<&[u8]>(&[], |_| 3).unwrap().candidates(&&b"abc"[..], 0, &mut scratch, &(), &mut found);
        assert!(found.is_empty());
        let pieces = Pieces::new(&[&b""[..], b"ab", b"abcd"], |_| 2).unwrap();
        pieces.candidates(&&b""[..], 0, &mut scratch, &(), &mut found);
        assert_eq!(found, [0, 1]);
    }
}
