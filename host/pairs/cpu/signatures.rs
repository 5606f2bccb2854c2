//! Signatures of strings: a few bits, which show for most pairs that they are not near one another.

use crate::cpu::vector::{Isa, Lanes, Vector, with_isa};
use crate::error::Result;
use crate::memory;
use crate::pairs::cost::Cost;
use crate::pairs::strings::Symbols;
use crate::pairwise::hashed::Hashed;
use rayon::prelude::*;
use std::ops::Range;

/// Bits for each string.
///
/// `counts` has two bits for each of 32 classes of symbols: whether the string has one of them, and
/// whether it has two. An insertion sets at most one of them and a deletion clears at most one: I.
/// Bartolini, P. Ciaccia, M. Patella, String matching with metric trees using an approximate
/// distance, SPIRE 2002.
///
/// `grams` has a bit for each of 64 classes of two successive symbols. An operation sets at most
/// two and clears at most two: E. Ukkonen, Approximate string-matching with q-grams and maximal
/// matches, Theoretical Computer Science 92(1), 1992.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signature {
    counts: u64,
    grams: u64,
}

/// Returns a class below `classes`, a power of two, of a symbol or of two.
fn class(symbols: u64, classes: u64) -> u64 {
    symbols.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & (classes - 1)
}

impl Signature {
    pub(super) fn new(string: Symbols<'_>) -> Self {
        let mut signature = Self { counts: 0, grams: 0 };
        let mut last = None;
        string.for_each(|symbol| {
            let one = 1 << class(symbol, 32);
            signature.counts |= one | (signature.counts & one) << 32;
            if let Some(last) = last {
                signature.grams |= 1 << class(last << 32 | symbol, 64);
            }
            last = Some(symbol);
        });
        signature
    }

    /// Returns false only if the distance of the two strings is above `maximum`.
    #[inline]
    pub(super) fn may_be_near(self, other: Self, cost: Cost, maximum: u32) -> bool {
        let of_one = |a: u64, b: u64| (a & !b).count_ones();
        let cleared = of_one(self.counts, other.counts);
        let set = of_one(other.counts, self.counts);
        let operations = match cost {
            // A substitution clears one and sets one.
            Cost::Levenshtein | Cost::Osa => cleared.max(set),
            Cost::Indel => cleared + set,
        };
        let grams = of_one(self.grams, other.grams).max(of_one(other.grams, self.grams));
        operations <= maximum && grams.div_ceil(grams_of(cost)) <= maximum
    }
}

/// Returns the number of grams that an operation sets or clears at most: a transposition of b and c
/// in abcd has three.
fn grams_of(cost: Cost) -> u32 {
    if cost == Cost::Osa { 3 } else { 2 }
}

/// Words of the widest vectors.
const WIDEST: usize = 8;

/// The signatures of strings in a given order. One string is compared with several at a time.
pub(super) struct Signatures {
    /// The fields of all signatures, and [`WIDEST`] words more, which vectors read.
    counts: Vec<u64>,
    grams: Vec<u64>,
    lanes: Option<Lanes>,
}

impl Signatures {
    /// Returns the signatures of some strings.
    pub(super) fn new(strings: &[u32], of: impl Fn(u32) -> Signature + Sync) -> Result<Self> {
        memory::check::<Signature>(strings.len(), "the signatures of strings")?;
        let (mut counts, mut grams): (Vec<u64>, Vec<u64>) = strings
            .par_iter()
            .map(|&string| {
                let Signature { counts, grams } = of(string);
                (counts, grams)
            })
            .unzip();
        for words in [&mut counts, &mut grams] {
            words.resize(strings.len() + WIDEST, 0);
        }
        Ok(Self { counts, grams, lanes: Lanes::widest() })
    }

    /// Returns bit i if the distance of a string and of string `some.start` + i may be at most
    /// `maximum`, for up to 64 strings. Other bits are arbitrary.
    pub(super) fn near(&self, one: Signature, some: Range<usize>, cost: Cost, maximum: u32) -> u64 {
        match self.lanes {
            Some(lanes) => with_isa!(lanes, isa => isa.run(
                #[inline(always)]
                || self.near_by(isa, one, some, cost, maximum),
            )),
            None => some.enumerate().fold(0, |near, (i, at)| {
                let other = Signature { counts: self.counts[at], grams: self.grams[at] };
                near | u64::from(one.may_be_near(other, cost, maximum)) << i
            }),
        }
    }

    /// Does the same by vectors of one string a word: as [`Signature::may_be_near`].
    #[inline(always)]
    fn near_by<I: Isa>(&self, isa: I, one: Signature, some: Range<usize>, cost: Cost, maximum: u32) -> u64 {
        let most = above(isa, maximum);
        let most_grams = above(isa, maximum.saturating_mul(grams_of(cost)));
        let (own_counts, own_grams) = (I::Vector::splat(isa, one.counts), I::Vector::splat(isa, one.grams));
        let mut near = 0;
        for at in (0..some.len()).step_by(I::Vector::WORDS) {
            let counts = I::Vector::load(isa, &self.counts[some.start + at..]);
            let grams = I::Vector::load(isa, &self.grams[some.start + at..]);
            let (cleared, set) = (ones(isa, own_counts.and_not(counts)), ones(isa, counts.and_not(own_counts)));
            let (lost, new) = (ones(isa, own_grams.and_not(grams)), ones(isa, grams.and_not(own_grams)));
            let operations = match cost {
                Cost::Levenshtein | Cost::Osa => cleared.add(most).or(set.add(most)),
                Cost::Indel => cleared.add(set).add(most),
            };
            let far = operations.or(lost.add(most_grams)).or(new.add(most_grams)).top_bits();
            let mut words = [0; WIDEST];
            far.store(&mut words);
            for (i, far) in words[..I::Vector::WORDS].iter().enumerate() {
                near |= (far ^ 1) << (at + i);
            }
        }
        near
    }
}

/// Returns words whose sum with a number up to 64 has the highest bit if that is above the limit.
#[inline(always)]
fn above<I: Isa>(isa: I, limit: u32) -> I::Vector {
    I::Vector::splat(isa, (1 << 63) - 1 - u64::from(limit.min(64)))
}

/// Returns the number of ones in each word.
#[inline(always)]
fn ones<V: Vector>(isa: V::Isa, words: V) -> V {
    let pairs = V::splat(isa, 0x5555_5555_5555_5555);
    let sums = words.and(pairs).add(words.shift_right(1).and(pairs));
    let fours = V::splat(isa, 0x3333_3333_3333_3333);
    let sums = sums.and(fours).add(sums.shift_right(2).and(fours));
    let sums = sums.add(sums.shift_right(4)).and(V::splat(isa, 0x0f0f_0f0f_0f0f_0f0f));
    let sums = sums.add(sums.shift_right(8));
    let sums = sums.add(sums.shift_right(16));
    sums.add(sums.shift_right(32)).and(V::splat(isa, 0x7f))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::naive;

    #[test]
    fn near_strings_are_never_left_out() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut left_out = 0;
        for round in 0..3000 {
            let symbols = [2, 4, 26, 256][round % 4];
            let len = random.usize(..40);
            let a = naive::random(&mut random, len, symbols);
            let edits = random.usize(..8);
            let b = naive::edited(&mut random, &a, edits, symbols);
            let [x, y] = [&a, &b].map(|string| Signature::new(Symbols::Bytes(string)));
            for cost in naive::COSTS {
                let distance = naive::distance(&a, &b, cost, None);
                assert!(x.may_be_near(y, cost, distance), "{a:?} {b:?} {cost:?}");
                left_out += usize::from(distance > 0 && !x.may_be_near(y, cost, distance - 1));
            }
        }
        assert!(left_out > 100, "{left_out}");
    }

    #[test]
    fn vectors_leave_out_the_same_strings() {
        let mut random = fastrand::Rng::with_seed(2);
        let strings: Vec<Vec<u8>> = (0..150)
            .map(|_| {
                let len = random.usize(..200);
                naive::random(&mut random, len, 26)
            })
            .collect();
        let of = |string: u32| Signature::new(Symbols::Bytes(&strings[string as usize]));
        let order: Vec<u32> = (0..150).rev().collect();
        let mut signatures = Signatures::new(&order, of).unwrap();
        for lanes in Lanes::all().into_iter().map(Some).chain([None]) {
            signatures.lanes = lanes;
            for maximum in [0, 1, 2, 7, 20, 31, 40, 63, 64, 200, u32::MAX] {
                let one = of(random.u32(..150));
                for some in [0..64, 3..4, 90..150, 140..140] {
                    for cost in naive::COSTS {
                        let near = signatures.near(one, some.clone(), cost, maximum);
                        for (i, &string) in order[some.clone()].iter().enumerate() {
                            let what = format!("{lanes:?} {cost:?} {maximum} {some:?} {i}");
                            assert_eq!(near >> i & 1 == 1, one.may_be_near(of(string), cost, maximum), "{what}");
                        }
                    }
                }
            }
        }
    }
}
