//! Signatures of strings: a few bits, which show for most pairs that they are not near one another.

use crate::pairs::cost::Cost;
use crate::pairs::strings::Symbols;
use crate::pairwise::hashed::Hashed;

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
        // Grams that an operation sets or clears: a transposition of b and c in abcd has three.
        let most = if cost == Cost::Osa { 3 } else { 2 };
        operations <= maximum && grams.div_ceil(most) <= maximum
    }
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
}
