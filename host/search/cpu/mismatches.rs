//! Search with substitutions only, no gaps (Hamming distance), by Wu and Manber's operators without
//! those for gaps, transposed as in [`segments`](super::segments): a word holds one position of the
//! pattern and 64 consecutive symbols of the text.
//!
//! R\[d\]\[i\] has bit j set if the pattern's first i classes match the i symbols that end with
//! symbol j, except for at most d of them. With S = R delayed by one symbol (R << 1, and the
//! highest bit of the 64 symbols before) and M\[i\] = the symbols that are in class i,
//!
//! ```text
//!   R[d][i] = S[d][i-1] & M[i]         a match
//!           | S[d-1][i-1]              a substitution, unless position i is fixed
//! ```
//!
//! For a position that matches any symbol, R is S. For a fixed position there is no second term:
//! each R\[d\] keeps its bit if the symbol is in the class.
//!
//! Cost: one three-operand instruction and a double shift for each (d, i) and 512 symbols, and a
//! load and a store of the 64 symbols before. So 2 m (k + 1) / 512 instructions per symbol, and the
//! membership tests of each different class.

use super::query::Query;
use super::row::{CpuAlgorithm, Takes, by};
use super::segment::{self, Automaton, Words};
use super::segments::bits_in_order;
use super::simd::Simd;
use crate::algorithm::{About, Limits};
use crate::cpu::class_test::ClassTest;
use crate::cpu::segment_isa::SegmentIsa;
use crate::cpu::vector::Vector;
use crate::infix::End;
use crate::text::{Class, DistinctClasses, Pattern};

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "mismatches",
        "substitutions only: 64 symbols of each of 8 (AVX-512) or 4 (AVX2) segments of the text at a time",
        "Wu, Manber 1992, transposed",
        "2 m (k + 1) / 512 vector instructions (AVX-512), about 3 times that with AVX2",
    )
    .limited(Limits { errors: Some(MAX_ERRORS), gaps: false, ..Limits::NONE }),
    check: |_| Simd::required(&ALGORITHM.about).map(drop),
    takes: Takes::one(cost, |query, _| by(query, |text, query, _| ends_of(text, &query.pattern, query.k))),
};

/// Estimates the instructions per symbol, or returns `None` if the state is too large. Without
/// errors, `segments` does the same work.
fn cost(query: &Query) -> Option<f64> {
    let state = query.len().saturating_mul(query.k as usize + 1).saturating_mul(64);
    (query.k > 0 && state <= STATE).then(|| 2.0 * query.len() as f64 * f64::from(query.k + 1) / 512.0)
}

/// Returns the ends, computed by the widest vectors.
fn ends_of(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    match Simd::widest() {
        #[cfg(target_arch = "x86_64")]
        Some(Simd::Avx512(isa)) => ends(isa, text, pattern, k),
        #[cfg(target_arch = "x86_64")]
        Some(Simd::Avx2(isa)) => ends(isa, text, pattern, k),
        _ => plain(text, pattern, k),
    }
}

/// `auto` chooses this algorithm for states of up to this many bytes, which fit the caches.
const STATE: usize = 4 << 20;

/// Largest number of errors that the code is compiled for.
const MAX_ERRORS: u32 = 15;

/// Returns the ends by the definition, testing every position.
fn plain(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    let m = pattern.len();
    let errors = |part: &[u8]| {
        let mut errors = 0;
        for (i, (class, symbol)) in pattern.classes().iter().zip(part).enumerate() {
            errors += u32::from(!class.contains(*symbol));
            if errors > k || pattern.is_fixed(i) && !class.contains(*symbol) {
                return None;
            }
        }
        Some(errors)
    };
    let ends = text.windows(m).zip(m as u64..).filter_map(|(part, end)| Some(End { end, errors: errors(part)? }));
    ends.collect()
}

/// Returns the ends of occurrences with at most k ≤ [`MAX_ERRORS`] mismatches.
fn ends<I: SegmentIsa>(isa: I, text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    // Vectors per step: as many as keep the states in registers.
    macro_rules! by_errors {
        ($($k:literal: $vectors:literal,)+) => {
            match k {
                $($k => run::<I, { $k + 1 }, $vectors>(isa, text, pattern),)+
                _ => plain(text, pattern, k),
            }
        };
    }
    by_errors! {
        0: 4, 1: 4, 2: 4, 3: 4, 4: 2, 5: 2, 6: 2, 7: 2,
        8: 2, 9: 2, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1,
    }
}

/// Runs with D = k + 1 and U vectors per step.
fn run<I: SegmentIsa, const D: usize, const U: usize>(isa: I, text: &[u8], pattern: &Pattern) -> Vec<End> {
    let DistinctClasses { classes, indices } = pattern.distinct();
    let position = |(i, &class): (usize, &usize)| match classes[class] == Class::ANY {
        true => Position::Any,
        false if pattern.is_fixed(i) => Position::Fixed(class),
        false => Position::Free(class),
    };
    let positions: Vec<Position> = indices.iter().enumerate().map(position).collect();
    let classes: Vec<ClassTest> = classes.iter().map(ClassTest::new).collect();
    let halo = pattern.len().saturating_sub(1);
    isa.run(
        #[inline(always)]
        || {
            let rows = Rows::<I, D, U>::new(isa, &positions);
            segment::ends(isa, rows, text, &classes, halo)
        },
    )
}

/// A position of the pattern, with the number of its class.
#[derive(Debug, Clone, Copy)]
enum Position {
    /// Any symbol matches.
    Any,
    /// The symbol must be in the class.
    Fixed(usize),
    /// A symbol outside the class is an error.
    Free(usize),
}

/// The state between steps.
struct Rows<'p, I: SegmentIsa, const D: usize, const U: usize> {
    isa: I,
    positions: &'p [Position],
    /// R\[d\]\[i\] of the 64 symbols before, for i = 0 to m - 1.
    before: Vec<[I::Vector; D]>,
    /// R\[d\]\[m\].
    last: [[I::Vector; U]; D],
}

impl<'p, I: SegmentIsa, const D: usize, const U: usize> Rows<'p, I, D, U> {
    #[inline(always)]
    fn new(isa: I, positions: &'p [Position]) -> Self {
        let [zeros, ones] = [0, !0].map(|word| I::Vector::splat(isa.base(), word));
        // Before the text, only the empty prefix of the pattern matches.
        let row = |i: usize| if i == 0 { [ones; D] } else { [zeros; D] };
        Self { isa, positions, before: (0..positions.len()).map(row).collect(), last: [[zeros; U]; D] }
    }
}

impl<I: SegmentIsa, const D: usize, const U: usize> Automaton<I, U> for Rows<'_, I, D, U> {
    #[inline(always)]
    fn step(&mut self, members: &[[Words; U]]) -> bool {
        let isa = self.isa;
        // R of position i - 1: the empty prefix matches everywhere.
        let mut r = [[I::Vector::splat(isa.base(), !0); U]; D];
        for (&position, before) in self.positions.iter().zip(&mut self.before) {
            let mut s = r;
            for d in 0..D {
                for u in 0..U {
                    s[d][u] = isa.after(r[d][u], if u == 0 { before[d] } else { r[d][u - 1] });
                }
                before[d] = r[d][U - 1];
            }
            r = s;
            match position {
                Position::Any => {}
                Position::Fixed(class) => {
                    for u in 0..U {
                        let class = I::Vector::load(isa.base(), &members[class][u]);
                        r.iter_mut().for_each(|row| row[u] = row[u].and(class));
                    }
                }
                Position::Free(class) => {
                    for u in 0..U {
                        let class = I::Vector::load(isa.base(), &members[class][u]);
                        r[0][u] = s[0][u].and(class);
                        for d in 1..D {
                            r[d][u] = s[d][u].and(class).or(s[d - 1][u]);
                        }
                    }
                }
            }
        }
        self.last = r;
        !r[D - 1].into_iter().fold(I::Vector::splat(isa.base(), 0), I::Vector::or).is_zero()
    }

    fn errors(&mut self, found: &mut dyn FnMut(usize, usize, u32, u32)) {
        bits_in_order::<I, D, U>(&self.last, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::segment_isa::Plain;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::segment_isa::{Avx2, Avx512};

    /// Plants occurrences that end and start around every border of a word, a step and a segment,
    /// in patterns with all types of positions.
    fn check<I: SegmentIsa>() {
        let Some(isa) = I::detect() else { return };
        let mut random = fastrand::Rng::with_seed(3);
        let mut found = 0;
        for k in 0..=MAX_ERRORS {
            let m = (k as usize + 5) * 2;
            let symbols: Vec<u8> = (0..m).map(|_| random.u8(b'a'..=b'e')).collect();
            let pattern = Pattern::with_wildcard(&symbols, b'e').with_fixed([3, 4, m - 2, m - 1]).unwrap();
            for n in [0usize, 1, 63, 64, 65, 700, 1500, 2100] {
                let mut text: Vec<u8> = (0..n).map(|_| random.u8(b'a'..=b'e')).collect();
                let share = n.saturating_sub(m - 1).div_ceil(I::LANES).max(1);
                for end in (share..=n).step_by(share) {
                    let end = (end + random.usize(..3)).min(n);
                    if let Some(start) = end.checked_sub(m) {
                        text[start..end].copy_from_slice(&symbols);
                        for _ in 0..random.usize(..=k as usize) {
                            text[start + random.usize(..m)] = random.u8(b'a'..=b'e');
                        }
                    }
                }
                let expected = plain(&text, &pattern, k);
                assert_eq!(ends(isa, &text, &pattern, k), expected, "k = {k}, n = {n}");
                found += expected.len();
            }
        }
        assert!(found > 50, "{found}");
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
