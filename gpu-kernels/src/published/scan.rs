//! Inclusive scans with any associative operator, by a thread, a warp and a block.
//! [`scan_search`](super::scan_search) uses them.
//!
//! **Idea.** A value describes the effect of a stretch of the text (some consecutive symbols) on an
//! automaton. [`Stretch::then`] joins the values of two neighbouring stretches into that of both
//! together. If it is associative, the values up to every position can be joined in any order, and
//! so in parallel: an inclusive scan (Hillis and Steele 1986).
//!
//! ```text
//! lane           0    1    2    3    4  …
//! distance 1     0   01   12   23   34     every lane prepends the value of the lane `distance`
//! distance 2     0   01   02   03   14     below to its own (02: the value of lanes 0 to 2)
//! distance 4     0   01   02   03   04     each step doubles the number of lanes in a value
//! ```
//!
//! An operator forgets symbols that lie further back than its word has bits. So m symbols are
//! enough, and the number of steps is log2 of the number of lanes that hold them: section 4.3 of
//! the paper.
//!
//! **The operators** are those of Mitani, Ino and Hagihara (2017): † ([`ShiftOrSum`], definition 1)
//! for Shift-Or, and ‡ ([`WuManberSum`], definition 4) for a level of Wu and Manber's automaton.
//! The paper's pairs carry a count of symbols. Here every thread knows the length of a stretch, so
//! the count is an argument, and no shuffle moves it.
//!
//! **Cost.** † is a shift and an OR; ‡ is two shifts and two logic operations of three operands. A
//! step of a warp's scan takes 1 shuffle of a word (†) or 2 (‡), and the operator. Joining the
//! warps of a block takes one barrier.

use core::ops::{BitAnd, BitOr, Not};
use simt_std::integer::{LOP3_A, LOP3_B, LOP3_C, funnel_shift_left, lop3};
use simt_std::prelude::*;
use simt_std::warp::WarpShuffleValue;

/// A machine word of w bits: `u32` or `u64`.
pub trait Bits: Word + WarpShuffleValue + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// w, the number of bits of a word.
    const WIDTH: u32;
    /// The word with all bits 0.
    const ZERO: Self;
    /// Returns the word with the given low and high 32 bits; a 32-bit word ignores `high`.
    fn from_halves(low: u32, high: u32) -> Self;
    /// Returns 1 in all bits from bit `first` on; 0 if `first` is w or more.
    fn ones_from(first: u32) -> Self;
    /// Shifts up by `bits` bits; returns 0 if `bits` is w or more.
    fn up(self, bits: u32) -> Self;
    /// Returns the 32 bits from bit `first` on, which is less than w; 0 past the word's end.
    fn low_from(self, first: u32) -> u32;
    /// Computes `a & b & c` with one logic operation per 32 bits.
    fn and_all(a: Self, b: Self, c: Self) -> Self;
    /// Shifts `below` up by one bit, and inserts this word's highest bit as bit 0.
    fn push_highest(self, below: u32) -> u32;
}

macro_rules! bits {
    ($($word:ty, $from:expr;)*) => {$(
        impl Bits for $word {
            const WIDTH: u32 = <$word>::BITS;
            const ZERO: Self = 0;

            #[inline(always)]
            fn from_halves(low: u32, high: u32) -> Self {
                $from(low, high)
            }

            #[inline(always)]
            fn ones_from(first: u32) -> Self {
                (!0).up(first)
            }

            #[inline(always)]
            fn up(self, bits: u32) -> Self {
                if bits < Self::WIDTH { self << bits } else { 0 }
            }

            #[inline(always)]
            fn low_from(self, first: u32) -> u32 {
                (self >> (first % Self::WIDTH)) as u32
            }

            #[inline(always)]
            fn and_all(a: Self, b: Self, c: Self) -> Self {
                // Written with operators, the compiler would split the operation and merge parts of
                // it into the computation of `a`.
                let part = |x: Self, word: u32| (x as u64 >> (32 * word)) as u32;
                let both = [0, 1].map(|word| {
                    lop3::<{ LOP3_A & LOP3_B & LOP3_C }>(part(a, word), part(b, word), part(c, word))
                });
                Self::from_halves(both[0], both[1])
            }

            #[inline(always)]
            fn push_highest(self, below: u32) -> u32 {
                funnel_shift_left((self >> (Self::WIDTH - 32)) as u32, below, 1)
            }
        }
    )*};
}

bits! {
    u32, |low, _| low;
    u64, |low, high| (high as u64) << 32 | low as u64;
}

/// Effect of a stretch of the text on an automaton: the type of the values that a scan joins.
pub trait Stretch: Copy {
    /// The value of an empty stretch, the identity of [`then`](Self::then).
    const NOTHING: Self;

    /// Returns the value of this stretch followed by the stretch `later`, which has `symbols`
    /// symbols.
    fn then(self, later: Self, symbols: u32) -> Self;

    /// Returns the value of the lane `distance` below and true, or this lane's own and false if
    /// there is no such lane.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, with the same `distance`.
    unsafe fn below(self, distance: u32) -> (Self, bool);

    /// Writes the value to shared memory: at most 16 bytes, at an address that is a multiple of 16.
    fn write(self, to: Shared<U32x4>);

    /// Reads a value written by [`write`](Self::write).
    fn read(from: Shared<U32x4>) -> Self;
}

/// †, for Shift-Or: x1 † x2 = (x1 << u2) | x2, where u2 is the second stretch's number of symbols.
/// Bit i is 1 if the last i + 1 symbols differ from the pattern's first i + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShiftOrSum<W>(pub W);

impl<W: Bits> Stretch for ShiftOrSum<W> {
    const NOTHING: Self = Self(W::ZERO);

    #[inline(always)]
    fn then(self, later: Self, symbols: u32) -> Self {
        Self(self.0.up(symbols) | later.0)
    }

    #[inline(always)]
    unsafe fn below(self, distance: u32) -> (Self, bool) {
        // SAFETY: guaranteed by the caller.
        let (x, exists) = unsafe { warp::warp_shuffle_up(FULL_WARP, self.0, distance, WARP) };
        (Self(x), exists)
    }

    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn write(self, to: Shared<U32x4>) {
        Shared::at(to.address()).write(0, self.0);
    }

    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn read(from: Shared<U32x4>) -> Self {
        Self(Shared::at(from.address()).read(0))
    }
}

/// ‡, for a level of Wu and Manber: ⟨x1, y1⟩ ‡ ⟨x2, y2⟩ = (⟨x1, y1⟩ [`<<`](Self::up) u2)
/// [`⊎`](Self::and_then) ⟨x2, y2⟩, where u2 is the second stretch's number of symbols. A stretch
/// shifts a state, clears the bits of x, and then sets those of y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WuManberSum<W> {
    /// Bits that the stretch clears.
    pub x: W,
    /// Bits that the stretch sets afterwards.
    pub y: W,
}

impl<W: Bits> WuManberSum<W> {
    /// ≪₂ (definition 2): shifts both words up by `bits` bits.
    #[inline(always)]
    pub fn up(self, bits: u32) -> Self {
        Self { x: self.x.up(bits), y: self.y.up(bits) }
    }

    /// ⊎ (definition 3): returns the pair that clears and sets like this one, and then like
    /// `later`.
    #[inline(always)]
    pub fn and_then(self, later: Self) -> Self {
        Self { x: self.x | later.x, y: self.y & !later.x | later.y }
    }

    /// Appends one symbol, whose value is ⟨!N, M & N⟩ (algorithm 2, line 7): M are its mismatches,
    /// N are the states that the level below leaves unreached. Takes fewer instructions than
    /// [`then`](Stretch::then) with that pair.
    #[inline(always)]
    pub fn then_symbol(self, mismatches: W, n: W) -> Self {
        let Self { x, y } = self.up(1);
        Self { x: x | !n, y: (y | mismatches) & n }
    }
}

impl<W: Bits> Stretch for WuManberSum<W> {
    const NOTHING: Self = Self { x: W::ZERO, y: W::ZERO };

    #[inline(always)]
    fn then(self, later: Self, symbols: u32) -> Self {
        self.up(symbols).and_then(later)
    }

    #[inline(always)]
    unsafe fn below(self, distance: u32) -> (Self, bool) {
        // SAFETY: guaranteed by the caller, for both calls.
        let ((x, exists), (y, _)) = unsafe {
            (
                warp::warp_shuffle_up(FULL_WARP, self.x, distance, WARP),
                warp::warp_shuffle_up(FULL_WARP, self.y, distance, WARP),
            )
        };
        (Self { x, y }, exists)
    }

    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn write(self, to: Shared<U32x4>) {
        let (x, y) = (self.x.to_bits(), self.y.to_bits());
        if W::WIDTH == 32 {
            Shared::at(to.address()).write(0, y << 32 | x);
        } else {
            to.write(0, U32x4([x as u32, (x >> 32) as u32, y as u32, (y >> 32) as u32]));
        }
    }

    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn read(from: Shared<U32x4>) -> Self {
        let (x, y);
        if W::WIDTH == 32 {
            let both: u64 = Shared::at(from.address()).read(0);
            (x, y) = (both, both >> 32);
        } else {
            let U32x4([x_low, x_high, y_low, y_high]) = from.read(0);
            (x, y) = (u64::from(x_high) << 32 | u64::from(x_low), u64::from(y_high) << 32 | u64::from(y_low));
        }
        Self { x: W::from_bits(x), y: W::from_bits(y) }
    }
}

/// Scans a warp's values inclusively. Each lane has the value of `symbols` symbols. The result is
/// the joined value of this lane and at least `lanes` - 1 lanes below it, or of all lanes from 0
/// on. An operator that forgets symbols more than `most` back needs only the steps that reach that
/// far.
///
/// The steps are unrolled, each with a constant distance. Steps that `lanes` does not need are
/// skipped at run time.
///
/// # Safety
/// All 32 lanes of the warp call it together, with the same `symbols` and `lanes`.
#[inline(always)]
pub unsafe fn warp_scan<S: Stretch>(mut value: S, symbols: u32, lanes: u32, most: u32) -> S {
    unroll!(step in [0 1 2 3 4] {
        let distance = 1 << step;
        if distance * symbols < most && distance < lanes {
            // SAFETY: guaranteed by the caller: all lanes take the same steps.
            let (lower, exists) = unsafe { value.below(distance) };
            if exists {
                value = lower.then(value, distance * symbols);
            }
        }
    });
    value
}

/// Shared memory through which the warps of a block exchange their values.
#[derive(Debug, Clone, Copy)]
pub struct WarpTotals {
    /// Two sets of 16 bytes per warp. They alternate, so that one barrier per join is enough:
    /// before a set is written again, all threads have read it and have then passed the barrier of
    /// the other set.
    sets: Shared<U32x4>,
    warps: u32,
    /// The set to be written next: 0 or 1.
    set: u32,
}

impl WarpTotals {
    /// Returns the totals in `sets`, shared memory of 2 `warps` elements.
    #[inline(always)]
    pub fn new(sets: Shared<U32x4>, warps: u32) -> Self {
        Self { sets, warps, set: 0 }
    }

    /// Returns, for each warp of a block, the value to join before the values of its lane 0: that
    /// of the preceding warp (of the two preceding ones, if a warp has fewer than `most` symbols),
    /// and the empty value for the first warp. Lane 31 of each warp supplies `total`, the value of
    /// the warp's `symbols` symbols.
    ///
    /// # Safety
    /// All threads of the block call it together, with the same `symbols` and `most`.
    #[inline(always)]
    pub unsafe fn before<S: Stretch>(&mut self, total: S, symbols: u32, most: u32) -> S {
        let number = thread::thread_idx_x() / WARP;
        let first = self.set * self.warps;
        let of = |warp: u32| Shared::at(self.sets.address() + (first + warp) * size_of::<U32x4>() as u32);
        if warp::lane_id() == WARP - 1 {
            total.write(of(number));
        }
        // SAFETY: guaranteed by the caller.
        unsafe { thread::sync_threads() };
        let mut sum = S::NOTHING;
        if symbols < most && number >= 2 {
            sum = S::read(of(number - 2));
        }
        if number >= 1 {
            sum = sum.then(S::read(of(number - 1)), symbols);
        }
        self.set = 1 - self.set;
        sum
    }
}

/// The lemmas and theorems of the paper (supplementary material and section 4), on random words of
/// 32 and 64 bits.
#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(seed: u64) -> impl Iterator<Item = u64> {
        // SplitMix64.
        (1..).map(move |i: u64| {
            let mut z = (seed.wrapping_add(i)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        })
    }

    /// Checks 10,000 random cases of three values and two lengths up to 69.
    fn three<S>(mut value: impl FnMut(u64) -> S, mut check: impl FnMut([S; 3], [u32; 2])) {
        let mut random = numbers(7);
        let mut next = || random.next().unwrap();
        for _ in 0..10_000 {
            let values = [(); 3].map(|()| value(next()));
            check(values, [(); 2].map(|()| (next() % 70) as u32));
        }
    }

    /// Returns a pseudo-random pair of words for `number`.
    fn pair<W: Bits>(number: u64) -> WuManberSum<W> {
        let y = numbers(number).next().unwrap();
        WuManberSum { x: W::from_bits(number), y: W::from_bits(y) }
    }

    #[test]
    fn lemma_1_shifts_add_up() {
        three(|x| x, |[x, ..], [u, v]| assert_eq!(x.up(u).up(v), x.up(u + v), "{u} and {v}"));
        three(|x| x as u32, |[x, ..], [u, v]| assert_eq!(x.up(u).up(v), x.up(u + v), "{u} and {v}"));
    }

    #[test]
    fn lemma_2_or_is_associative() {
        three(|x| x, |[a, b, c], _| assert_eq!((a | b) | c, a | (b | c)));
    }

    #[test]
    fn lemma_3_a_shift_of_an_or_is_the_or_of_the_shifts() {
        three(|x| x, |[a, b, _], [u, _]| assert_eq!((a | b).up(u), a.up(u) | b.up(u), "{u}"));
        three(|x| x as u32, |[a, b, _], [u, _]| assert_eq!((a | b).up(u), a.up(u) | b.up(u), "{u}"));
    }

    #[test]
    fn lemma_4_shifts_of_pairs_add_up() {
        three(pair::<u64>, |[x, ..], [u, v]| assert_eq!(x.up(u).up(v), x.up(u + v), "{u} and {v}"));
        three(pair::<u32>, |[x, ..], [u, v]| assert_eq!(x.up(u).up(v), x.up(u + v), "{u} and {v}"));
    }

    #[test]
    fn lemma_5_clearing_and_setting_is_associative() {
        three(pair::<u64>, |[a, b, c], _| assert_eq!(a.and_then(b).and_then(c), a.and_then(b.and_then(c))));
        // The paper shows it for one bit: all 64 cases.
        for bits in 0..64u32 {
            let [a, b, c] = [0, 2, 4].map(|i| WuManberSum { x: bits >> i & 1, y: bits >> (i + 1) & 1 });
            assert_eq!(a.and_then(b).and_then(c), a.and_then(b.and_then(c)), "{bits:06b}");
        }
    }

    #[test]
    fn lemma_6_a_shift_of_pairs_joined_is_that_of_each() {
        three(pair::<u64>, |[a, b, _], [u, _]| assert_eq!(a.and_then(b).up(u), a.up(u).and_then(b.up(u)), "{u}"));
        three(pair::<u32>, |[a, b, _], [u, _]| assert_eq!(a.and_then(b).up(u), a.up(u).and_then(b.up(u)), "{u}"));
    }

    /// Checks ((a b) c) = (a (b c)) for stretches of any length.
    fn check_associative<S: Stretch + PartialEq + std::fmt::Debug>(value: impl FnMut(u64) -> S) {
        three(value, |[a, b, c], [u, v]| {
            assert_eq!(a.then(b, u).then(c, v), a.then(b.then(c, v), u + v), "{u} and {v} symbols");
            assert_eq!((S::NOTHING.then(a, u), a.then(S::NOTHING, 0)), (a, a));
        });
    }

    #[test]
    fn theorem_1_the_operator_of_shift_or_is_associative() {
        check_associative(ShiftOrSum::<u64>);
        check_associative(|x| ShiftOrSum(x as u32));
    }

    #[test]
    fn theorem_3_the_operator_of_wu_manber_is_associative() {
        check_associative(pair::<u64>);
        check_associative(pair::<u32>);
    }

    /// An operation of theorems 4 and 5 on a word.
    #[derive(Debug, Clone, Copy)]
    enum Operation {
        And(u64),
        Or(u64),
        Shift(u32),
    }

    /// Checks that R of equation 11 equals y of equations 12 and 15 after each of 50 random
    /// operations: of two types for theorem 4, of three for theorem 5.
    fn check_rewriting(kinds: u64) {
        for seed in 0..200 {
            let mut random = numbers(seed);
            let first = random.next().unwrap();
            let (mut r, mut sum) = (first, WuManberSum { x: 0, y: first });
            for number in 0..50 {
                let a = random.next().unwrap();
                let operation = match random.next().unwrap() % kinds {
                    0 => Operation::And(a),
                    1 => Operation::Or(a),
                    _ => Operation::Shift((a % 9) as u32),
                };
                (r, sum) = match operation {
                    Operation::And(a) => (r & a, sum.and_then(WuManberSum { x: !a, y: 0 })),
                    Operation::Or(a) => (r | a, sum.and_then(WuManberSum { x: 0, y: a })),
                    Operation::Shift(u) => (r << u, sum.up(u)),
                };
                assert_eq!(r, sum.y, "seed {seed}, operation {number}: {operation:?}");
            }
        }
    }

    #[test]
    fn theorem_4_ands_and_ors_are_sums_of_pairs() {
        check_rewriting(2);
    }

    #[test]
    fn theorem_5_so_are_shifts_among_them() {
        check_rewriting(3);
    }

    /// Returns random mismatch words of a text's symbols, with few bits set, for a pattern of m
    /// symbols.
    fn masks(m: u32, seed: u64) -> Vec<u64> {
        let mut random = numbers(seed);
        let mut next = || random.next().unwrap();
        (0..300).map(|_| next() & next() & next() & !u64::ones_from(m)).collect()
    }

    const AUTOMATA: [(u32, u32, u64); 5] = [(1, 0, 1), (5, 1, 2), (31, 2, 3), (32, 3, 4), (64, 3, 5)];

    /// Equation 1: returns the states of Shift-Or before the text and after each symbol.
    fn shift_or(m: u32, masks: &[u64]) -> Vec<u64> {
        let mut states = vec![!u64::ones_from(m)];
        for (j, mask) in masks.iter().enumerate() {
            states.push((states[j] << 1 | mask) & !u64::ones_from(m));
        }
        states
    }

    #[test]
    fn theorem_2_sums_are_the_states_of_shift_or() {
        for (m, _, seed) in AUTOMATA {
            let masks = masks(m, seed);
            let states = shift_or(m, &masks);
            let mut sum = ShiftOrSum(states[0]);
            for (j, &mask) in masks.iter().enumerate() {
                sum = sum.then(ShiftOrSum(mask), 1);
                assert_eq!(sum.0 & !u64::ones_from(m), states[j + 1], "m = {m}, symbol {j}");
            }
        }
    }

    /// Theorem 6 rewrites equation 2; theorem 7 says that the sums of algorithm 2 are its states.
    #[test]
    fn theorems_6_and_7_sums_are_the_states_of_wu_manber() {
        for (m, k, seed) in AUTOMATA {
            let (masks, ones) = (masks(m, seed), !u64::ones_from(m));
            let mut below = shift_or(m, &masks);
            for d in 1..=k {
                let mut level = vec![u64::ones_from(d) & ones];
                let mut sum = WuManberSum { x: 0, y: level[0] };
                for (j, &mask) in masks.iter().enumerate() {
                    let n = below[j] & below[j] << 1 & below[j + 1] << 1;
                    level.push((level[j] << 1 | mask) & n & ones);
                    let pair = sum.then(WuManberSum { x: !n, y: mask & n }, 1);
                    sum = sum.then_symbol(mask, n);
                    assert_eq!(sum, pair);
                    assert_eq!(sum.y & ones, level[j + 1], "m = {m}, level {d}, symbol {j}");
                }
                below = level;
            }
        }
    }

    /// Equation 17: symbols more than m back are shifted out of the word.
    #[test]
    fn equation_17_m_symbols_are_enough() {
        for (m, _, seed) in AUTOMATA {
            let masks = masks(m, seed);
            let states = shift_or(m, &masks);
            for j in m as usize..masks.len() {
                let last =
                    masks[j - m as usize..j].iter().fold(ShiftOrSum::NOTHING, |sum, &x| sum.then(ShiftOrSum(x), 1));
                assert_eq!(last.0 & !u64::ones_from(m), states[j], "m = {m}, symbol {j}");
            }
        }
    }
}
