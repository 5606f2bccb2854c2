//! Search with mismatches alone, no gaps (the Hamming distance), by Wu and Manber's operators without those for gaps, turned by a quarter as in
//! [`segments`](super::segments): a word has one position of the pattern and 64 consecutive symbols of the text.
//!
//! R\[d\]\[i\] has bit j where the pattern's first i classes are the i symbols that end with symbol j, but for at most d of them. With S = R one symbol
//! later (R << 1, and the highest bit of the 64 symbols before) and M\[i\] = the symbols that are in class i,
//!
//! ```text
//!   R[d][i] = S[d][i-1] & M[i]         a match
//!           | S[d-1][i-1]              a substitution, unless position i is fixed
//! ```
//!
//! A position that is any symbol is S alone, and one that is fixed has no second term: there R\[d\] has what it had, where the symbol is in the class.
//!
//! Cost: for (d, i) and 512 symbols one instruction of three operands and a double shift, and a load and a store of the 64 symbols
//! before. So 2 m (k + 1) / 512 instructions a symbol, and the members of each different class.

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
        "substitutions alone: 64 symbols of each of 8 or 4 segments of the text at a time, by AVX-512 or AVX2",
        "Wu, Manber 1992, turned by a quarter",
        "2 m (k + 1) / 512 vector instructions (AVX-512), or some 3 times as many (AVX2)",
    )
    .limited(Limits { errors: Some(MAX_ERRORS), gaps: false, ..Limits::NONE }),
    check: |_| Simd::required(&ALGORITHM.about).map(drop),
    takes: Takes::one(cost, |query, _| by(query, |text, query, _| ends_of(text, &query.pattern, query.k))),
};

/// About how many instructions a symbol takes, where the state is not too large. Without errors `segments` is the same.
fn cost(query: &Query) -> Option<f64> {
    let state = query.len().saturating_mul(query.k as usize + 1).saturating_mul(64);
    (query.k > 0 && state <= STATE).then(|| 2.0 * query.len() as f64 * f64::from(query.k + 1) / 512.0)
}

/// The ends, by the widest vectors there are.
fn ends_of(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    match Simd::widest() {
        #[cfg(target_arch = "x86_64")]
        Some(Simd::Avx512(isa)) => ends(isa, text, pattern, k),
        #[cfg(target_arch = "x86_64")]
        Some(Simd::Avx2(isa)) => ends(isa, text, pattern, k),
        _ => plain(text, pattern, k),
    }
}

/// Bytes of state that the vectors should not exceed where another algorithm may be taken: what caches hold.
const STATE: usize = 4 << 20;

/// The most errors there is code for.
const MAX_ERRORS: u32 = 15;

/// The same by the definition, at every position.
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

/// The ends of occurrences with at most k ≤ [`MAX_ERRORS`] mismatches.
fn ends<I: SegmentIsa>(isa: I, text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    // Vectors a step: as many as still leave the states in registers.
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

/// With D = k + 1, and U vectors a step.
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
    /// It is any symbol.
    Any,
    /// The symbol must be in the class.
    Fixed(usize),
    /// The symbol may be another: that is an error.
    Free(usize),
}

/// The state between steps.
struct Rows<'p, I: SegmentIsa, const D: usize, const U: usize> {
    isa: I,
    positions: &'p [Position],
    /// R\[d\]\[i\] of the 64 symbols before, i = 0 to m - 1.
    before: Vec<[I::Vector; D]>,
    /// R\[d\]\[m\].
    last: [[I::Vector; U]; D],
}

impl<'p, I: SegmentIsa, const D: usize, const U: usize> Rows<'p, I, D, U> {
    #[inline(always)]
    fn new(isa: I, positions: &'p [Position]) -> Self {
        let [zeros, ones] = [0, !0].map(|word| I::Vector::splat(isa.base(), word));
        // Before the text nothing ends but no class at all.
        let row = |i: usize| if i == 0 { [ones; D] } else { [zeros; D] };
        Self { isa, positions, before: (0..positions.len()).map(row).collect(), last: [[zeros; U]; D] }
    }
}

impl<I: SegmentIsa, const D: usize, const U: usize> Automaton<I, U> for Rows<'_, I, D, U> {
    #[inline(always)]
    fn step(&mut self, members: &[[Words; U]]) -> bool {
        let isa = self.isa;
        // R of position i - 1: no class at all ends everywhere.
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

    /// Planted occurrences that end and begin around every border of a word, a step and a segment, in patterns with positions of each kind.
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
