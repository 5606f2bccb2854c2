//! Approximate search by Wu and Manber's operators (1992), transposed: a word holds one position of
//! the pattern and 64 consecutive symbols of the text, and a vector holds such words of 8 (AVX-512)
//! or 4 (AVX2) segments of the text.
//!
//! R\[d\]\[i\] has bit j set if the pattern's first i classes end at symbol j with at most d
//! errors. With S = R delayed by one symbol (R << 1, and the highest bit of the 64 symbols before)
//! and M\[i\] = the symbols that are in class i,
//!
//! ```text
//!   R[d][i] = S[d][i-1] & M[i]         a match
//!           | S[d-1][i-1]              a substitution
//!           | S[d-1][i]                an insertion: a symbol that the pattern does not have
//!           | R[d-1][i-1]              a deletion: a class that the text does not have
//! ```
//!
//! Cost: 2 three-operand instructions and a double shift for each (d, i) and 512 symbols, and a
//! load and a store of the 64 symbols before, which U vectors share. So 3 m (k + 1) / 512
//! instructions per symbol, and the membership tests of each different class: 3 instructions for 64
//! symbols (a test, a move of the mask, a store).

use super::query::Query;
use super::row::{CpuAlgorithm, Takes, by};
use super::segment::{self, Automaton, Words, halo};
use super::simd::Simd;
use crate::algorithm::{About, Limits};
use crate::cpu::class_test::ClassTest;
use crate::cpu::segment_isa::SegmentIsa;
use crate::cpu::vector::Vector;
use crate::infix::{End, sellers};
use crate::text::Pattern;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "segments",
        "64 symbols of each of 8 (AVX-512) or 4 (AVX2) segments of the text at a time",
        "Wu, Manber 1992, transposed",
        "3 m (k + 1) / 512 vector instructions (AVX-512), about 3 times that with AVX2",
    )
    .limited(Limits { errors: Some(MAX_ERRORS), ..Limits::NONE }),
    check: |_| Simd::required(&ALGORITHM.about).map(drop),
    takes: Takes::one(cost, |query, _| by(query, |text, query, _| ends_of(text, &query.pattern, query.k))),
};

/// Estimates the instructions per symbol, or returns `None` if the state is too large.
fn cost(query: &Query) -> Option<f64> {
    let state = query.len().saturating_mul(query.k as usize + 1).saturating_mul(64);
    (state <= STATE).then(|| 3.0 * query.len() as f64 * f64::from(query.k + 1) / 512.0)
}

/// Returns the ends of occurrences with at most k ≤ [`MAX_ERRORS`] errors, computed by the widest
/// vectors.
pub(super) fn ends_of(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    match Simd::widest() {
        #[cfg(target_arch = "x86_64")]
        Some(Simd::Avx512(isa)) => ends(isa, text, pattern, k),
        #[cfg(target_arch = "x86_64")]
        Some(Simd::Avx2(isa)) => ends(isa, text, pattern, k),
        _ => sellers::ends(text, pattern, k),
    }
}

/// `auto` chooses this algorithm for states of up to this many bytes, which fit the caches.
const STATE: usize = 4 << 20;

/// Largest number of errors that the code is compiled for. [`myers`](crate::infix::myers), whose
/// time does not grow with k, is four times slower even at 15 errors.
const MAX_ERRORS: u32 = 15;

/// Returns the ends of occurrences with at most k ≤ [`MAX_ERRORS`] errors.
fn ends<I: SegmentIsa>(isa: I, text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    // Vectors per step: as many as keep the states in registers.
    macro_rules! by_errors {
        ($($k:literal: $vectors:literal,)+) => {
            match k {
                $($k => run::<I, { $k + 1 }, $vectors>(isa, text, pattern),)+
                _ => sellers::ends(text, pattern, k),
            }
        };
    }
    by_errors! {
        0: 4, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1, 7: 1,
        8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1,
    }
}

/// Runs with D = k + 1 and U vectors per step.
fn run<I: SegmentIsa, const D: usize, const U: usize>(isa: I, text: &[u8], pattern: &Pattern) -> Vec<End> {
    let distinct = pattern.distinct();
    let classes: Vec<ClassTest> = distinct.classes.iter().map(ClassTest::new).collect();
    isa.run(
        #[inline(always)]
        || {
            let rows = WuManber::<I, D, U>::new(isa, &distinct.indices);
            segment::ends(isa, rows, text, &classes, halo(pattern, D as u32 - 1))
        },
    )
}

/// The state between steps.
struct WuManber<'p, I: SegmentIsa, const D: usize, const U: usize> {
    isa: I,
    /// The class of each position.
    positions: &'p [usize],
    /// R\[d\]\[i\] of the 64 symbols before, for i = 1 to m.
    before: Vec<[I::Vector; D]>,
    /// R\[d\]\[m\].
    last: [[I::Vector; U]; D],
}

impl<'p, I: SegmentIsa, const D: usize, const U: usize> WuManber<'p, I, D, U> {
    #[inline(always)]
    fn new(isa: I, positions: &'p [usize]) -> Self {
        let [zeros, ones] = [0, !0].map(|word| I::Vector::splat(isa.base(), word));
        // Before the text, the first i classes match with i errors: all of them are deleted.
        let row = |i: usize| std::array::from_fn(|d| if i <= d { ones } else { zeros });
        Self { isa, positions, before: (1..=positions.len()).map(row).collect(), last: [[zeros; U]; D] }
    }
}

impl<I: SegmentIsa, const D: usize, const U: usize> Automaton<I, U> for WuManber<'_, I, D, U> {
    #[inline(always)]
    fn step(&mut self, members: &[[Words; U]]) -> bool {
        let ones = I::Vector::splat(self.isa.base(), !0);
        // R and S of position i - 1: the empty prefix of the pattern matches everywhere.
        let (mut r, mut s) = ([[ones; U]; D], [[ones; U]; D]);
        for (&class, before) in self.positions.iter().zip(&mut self.before) {
            let class = &members[class];
            let (mut new_r, mut new_s) = (r, s);
            for d in 0..D {
                for u in 0..U {
                    let mut ends = s[d][u].and(I::Vector::load(self.isa.base(), &class[u]));
                    if d > 0 {
                        ends = ends.or(s[d - 1][u].or(r[d - 1][u]).or(new_s[d - 1][u]));
                    }
                    new_r[d][u] = ends;
                    new_s[d][u] = self.isa.after(ends, if u == 0 { before[d] } else { new_r[d][u - 1] });
                }
                before[d] = new_r[d][U - 1];
            }
            (r, s) = (new_r, new_s);
        }
        self.last = r;
        !r[D - 1].into_iter().fold(I::Vector::splat(self.isa.base(), 0), I::Vector::or).is_zero()
    }

    fn errors(&mut self, found: &mut dyn FnMut(usize, usize, u32, u32)) {
        bits_in_order::<I, D, U>(&self.last, found);
    }
}

/// Calls `found` with the vector, lane, bit and errors of every set bit of the last of D rows. Each
/// row includes the bits of the row before, so the number of errors is the number of rows without
/// the bit.
pub(super) fn bits_in_order<I: SegmentIsa, const D: usize, const U: usize>(
    rows: &[[I::Vector; U]; D],
    found: &mut dyn FnMut(usize, usize, u32, u32),
) {
    for u in 0..U {
        let mut ends = [Words::default(); D];
        for (words, ends) in ends.iter_mut().zip(rows) {
            ends[u].store(words);
        }
        for lane in 0..I::LANES {
            let mut bits = ends[D - 1][lane];
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let errors = ends.iter().take_while(|words| words[lane] >> bit & 1 == 0).count();
                found(u, lane, bit, errors as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::segment;
    use super::*;
    use crate::cpu::segment_isa::Plain;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::segment_isa::{Avx2, Avx512};

    /// Plants occurrences that end and start around every border of a word, a step and a segment.
    fn check<I: SegmentIsa>() {
        let Some(isa) = I::detect() else { return };
        let mut random = fastrand::Rng::with_seed(3);
        for k in 0..=MAX_ERRORS {
            let m = (k as usize + 5) * 2;
            let symbols: Vec<u8> = (0..m).map(|_| random.u8(b'a'..b'e')).collect();
            let pattern = Pattern::literal(&symbols);
            for n in [0usize, 1, 63, 64, 65, 700, 1500, 2100] {
                let mut text: Vec<u8> = (0..n).map(|_| random.u8(b'a'..b'e')).collect();
                // k additional symbols in the middle: the longest possible occurrence.
                let mut longest = symbols.clone();
                longest.splice(m / 2..m / 2, std::iter::repeat_n(b'x', k as usize));
                let share = n.saturating_sub(segment::halo(&pattern, k)).div_ceil(I::LANES).max(1);
                for end in (share..=n).step_by(share) {
                    let end = (end + random.usize(..3)).min(n);
                    if let Some(start) = end.checked_sub(longest.len()) {
                        text[start..end].copy_from_slice(&longest);
                    }
                }
                assert_eq!(ends(isa, &text, &pattern, k), sellers::ends(&text, &pattern, k), "k = {k}, n = {n}");
            }
        }
    }

    #[test]
    fn occurrences_at_borders() {
        check::<Plain>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx2>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx512>();
    }
}
