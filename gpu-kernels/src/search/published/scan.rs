//! Inclusive scans with any associative operator: in a thread in sequence, in a warp by shuffles, and what a block
//! needs to join its warps. [`scan_search`](super::scan_search) searches by them.
//!
//! **Idea.** What a stretch of the text (some symbols that follow one another) does to an automaton is a value, and
//! [`Stretch::then`] joins the values of two neighbouring stretches into that of both together. If that is associative,
//! the values up to every position can be joined in any order, so in parallel: an inclusive scan (Hillis and Steele
//! 1986).
//!
//! ```text
//! lane           0    1    2    3    4  …
//! distance 1     0   01   12   23   34        every lane joins the value of the lane `distance` below before its own
//! distance 2     0   01   02   03   14        (02: what lanes 0 to 2 have)
//! distance 4     0   01   02   03   04        after log2 steps all that lies `window` symbols back is in
//! ```
//!
//! An operator forgets what lies more symbols back than its word has bits, so a scan may stop when `window` symbols are
//! in.
//!
//! **The operators** are those of Mitani, Ino and Hagihara (2017): † ([`ShiftOrSum`], definition 1) for Shift-Or, and ‡
//! ([`WuManberSum`], definition 4) for a level of Wu and Manber's automaton. Their pairs carry a count of symbols; here
//! every thread knows how many symbols a stretch has, so the count is an argument, and no shuffle moves it.
//!
//! **Cost.** † is a shift and an OR, ‡ two shifts and three logic operations. The scan of a thread joins once a symbol,
//! that of a warp at most 5 times, with 1 shuffle of a word (†) or 2 (‡) each time; joining the warps of a block takes
//! two barriers.

use core::ops::{BitAnd, BitOr, Not};
use simt_std::prelude::*;
use simt_std::warp::WarpShuffleValue;

/// A machine word of w bits: `u32` or `u64`.
pub trait Bits: WarpShuffleValue + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// w, the bits of a word.
    const WIDTH: u32;
    /// Words of 32 bits in it: 1 or 2.
    const WORDS: usize;
    /// The word from its low and its high 32 bits; for 32 bits `high` is not used.
    fn from_halves(low: u32, high: u32) -> Self;
    /// 1 in all bits from bit `first` on; 0 in all of them if `first` is w or more.
    fn ones_from(first: u32) -> Self;
    /// Shifted up by `bits` bits: 0 if they are w or more.
    fn up(self, bits: u32) -> Self;
    /// The 32 bits from bit `first` on, which is less than w; 0 past the word's end.
    fn low_from(self, first: u32) -> u32;
}

macro_rules! bits {
    ($($word:ty, $words:literal, $from:expr;)*) => {$(
        impl Bits for $word {
            const WIDTH: u32 = <$word>::BITS;
            const WORDS: usize = $words;

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
        }
    )*};
}

bits! {
    u32, 1, |low, _| low;
    u64, 2, |low, high| (high as u64) << 32 | low as u64;
}

/// What a stretch of the text does to an automaton: the values that a scan joins.
pub trait Stretch: Copy {
    /// The value of this stretch and, after it, the stretch `later`, which has `symbols` symbols.
    fn then(self, later: Self, symbols: u32) -> Self;

    /// The value of the lane `distance` below and true; this lane's own and false if there is no such lane.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, with the same `distance`.
    unsafe fn below(self, distance: u32) -> (Self, bool);

    /// The value as two words of 64 bits, to pass through shared memory.
    fn to_words(self) -> [u64; 2];

    /// The value from these words.
    fn from_words(words: [u64; 2]) -> Self;
}

/// †, for Shift-Or: x1 † x2 = (x1 << u2) | x2, where u2 is the second stretch's number of symbols. Bit i is 1 where the
/// last i + 1 symbols are not the pattern's first i + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShiftOrSum<W>(pub W);

impl<W: Bits> Stretch for ShiftOrSum<W> {
    #[inline(always)]
    fn then(self, later: Self, symbols: u32) -> Self {
        Self(self.0.up(symbols) | later.0)
    }

    #[inline(always)]
    unsafe fn below(self, distance: u32) -> (Self, bool) {
        // SAFETY: the caller's.
        let (x, exists) = unsafe { warp::warp_shuffle_up(FULL_WARP, self.0, distance, WARP) };
        (Self(x), exists)
    }

    #[inline(always)]
    fn to_words(self) -> [u64; 2] {
        [self.0.to_bits(), 0]
    }

    #[inline(always)]
    fn from_words([x, _]: [u64; 2]) -> Self {
        Self(W::from_bits(x))
    }
}

/// ‡, for a level of Wu and Manber: ⟨x1, y1⟩ ‡ ⟨x2, y2⟩ = ⟨x1 | x2, (y1 & !x2) | y2⟩, after x1 and y1 have been shifted
/// up by u2, the second stretch's number of symbols. What a stretch does to a state is to shift it, to clear the bits
/// of x, and then to set those of y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WuManberSum<W> {
    /// Bits that are cleared.
    pub x: W,
    /// Bits that are set afterwards.
    pub y: W,
}

impl<W: Bits> Stretch for WuManberSum<W> {
    #[inline(always)]
    fn then(self, later: Self, symbols: u32) -> Self {
        Self { x: self.x.up(symbols) | later.x, y: self.y.up(symbols) & !later.x | later.y }
    }

    #[inline(always)]
    unsafe fn below(self, distance: u32) -> (Self, bool) {
        // SAFETY: the caller's, twice.
        let ((x, exists), (y, _)) = unsafe {
            (
                warp::warp_shuffle_up(FULL_WARP, self.x, distance, WARP),
                warp::warp_shuffle_up(FULL_WARP, self.y, distance, WARP),
            )
        };
        (Self { x, y }, exists)
    }

    #[inline(always)]
    fn to_words(self) -> [u64; 2] {
        [self.x.to_bits(), self.y.to_bits()]
    }

    #[inline(always)]
    fn from_words([x, y]: [u64; 2]) -> Self {
        Self { x: W::from_bits(x), y: W::from_bits(y) }
    }
}

/// The inclusive scan of a thread's values, one a symbol, in sequence: at most 32, so that they can stay in registers.
#[inline(always)]
pub fn thread_scan<S: Stretch, const N: usize>(values: &mut [S; N]) {
    unroll!(k in [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31] {
        let i = k as usize;
        if i < N {
            values[i] = values[i - 1].then(values[i], 1);
        }
    });
}

/// The inclusive scan of a warp's values, one a lane, each of `symbols` symbols: what is returned has at least the last
/// `window` symbols in it, or all from lane 0 on.
///
/// # Safety
/// All 32 lanes of the warp call it together, with the same `symbols` and `window`.
#[inline(always)]
pub unsafe fn warp_scan<S: Stretch>(mut value: S, symbols: u32, window: u32) -> S {
    let mut distance = 1;
    while distance < WARP && distance * symbols < window {
        // SAFETY: the caller's: all lanes take as many turns.
        let (lower, exists) = unsafe { value.below(distance) };
        if exists {
            value = lower.then(value, distance * symbols);
        }
        distance *= 2;
    }
    value
}

/// For each warp of a block, the values of the warps before it joined, as far back as `window` symbols at least; none
/// for the first warp. Each warp gives in its lane 31 `total`, the value of its `symbols` symbols.
///
/// # Safety
/// All threads of the block call it together, with the same `symbols` and `window`. `totals` has a word of 16 bytes a
/// warp.
#[inline(always)]
pub unsafe fn warps_before<S: Stretch>(total: S, symbols: u32, window: u32, totals: Shared<U32x4>) -> Option<S> {
    let number = thread::thread_idx_x() / WARP;
    // SAFETY: the caller's, as below: what was here before has been read.
    unsafe { thread::sync_threads() };
    if warp::lane_id() == WARP - 1 {
        let [x, y] = total.to_words();
        totals.write(number, U32x4([x as u32, (x >> 32) as u32, y as u32, (y >> 32) as u32]));
    }
    // SAFETY: as above.
    unsafe { thread::sync_threads() };
    let of = |warp: u32| {
        let U32x4([x, x_high, y, y_high]) = totals.read(warp);
        let wide = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        S::from_words([wide(x, x_high), wide(y, y_high)])
    };
    let mut sum = None;
    let mut warp = number.saturating_sub(window.div_ceil(symbols));
    while warp < number {
        sum = Some(match sum {
            None => of(warp),
            Some(before) => S::then(before, of(warp), symbols),
        });
        warp += 1;
    }
    sum
}

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

    /// Theorems 1 and 3: ((a b) c) = (a (b c)) for stretches of any length.
    fn check_associative<S: Stretch + PartialEq + std::fmt::Debug>(mut value: impl FnMut() -> S) {
        let mut length = numbers(7);
        for _ in 0..10_000 {
            let (a, b, c) = (value(), value(), value());
            let [u, v] = [(); 2].map(|()| (length.next().unwrap() % 70) as u32);
            assert_eq!(a.then(b, u).then(c, v), a.then(b.then(c, v), u + v), "{u} and {v} symbols");
        }
    }

    #[test]
    fn the_operators_are_associative() {
        let mut n = numbers(1);
        check_associative(|| ShiftOrSum(n.next().unwrap()));
        let mut n = numbers(2);
        check_associative(|| ShiftOrSum(n.next().unwrap() as u32));
        let mut n = numbers(3);
        check_associative(|| WuManberSum { x: n.next().unwrap(), y: n.next().unwrap() });
        let mut n = numbers(4);
        check_associative(|| WuManberSum { x: n.next().unwrap() as u32, y: n.next().unwrap() as u32 });
    }

    /// Theorems 2 and 7: the sums are the states of Shift-Or (equation 1) and Wu-Manber (equation 2).
    #[test]
    fn sums_are_the_states_of_the_automata() {
        for (m, k, seed) in [(1, 0, 1), (5, 1, 2), (31, 2, 3), (32, 3, 4), (64, 3, 5)] {
            let mut random = numbers(seed);
            let ones = u64::ones_from(0) >> (64 - m);
            // The mismatches of a text's symbols, few of them.
            let masks: Vec<u64> = (0..300)
                .map(|_| random.next().unwrap() & random.next().unwrap() & random.next().unwrap() & ones)
                .collect();
            let initial = |d: u32| u64::ones_from(d) & ones;
            let mut states: Vec<Vec<u64>> = vec![vec![initial(0)]];
            for &mask in &masks {
                let last = *states[0].last().unwrap();
                states[0].push((last << 1 | mask) & ones);
            }
            let mut sum = ShiftOrSum(initial(0));
            for (j, &mask) in masks.iter().enumerate() {
                sum = sum.then(ShiftOrSum(mask), 1);
                assert_eq!(sum.0 & ones, states[0][j + 1], "m = {m}, level 0, symbol {j}");
            }
            for d in 1..=k {
                let below = states[d - 1].clone();
                let mut level = vec![initial(d as u32)];
                let mut sum = WuManberSum { x: 0, y: initial(d as u32) };
                for (j, &mask) in masks.iter().enumerate() {
                    let n = below[j] & below[j] << 1 & below[j + 1] << 1;
                    level.push((level[j] << 1 | mask) & n & ones);
                    sum = sum.then(WuManberSum { x: !n, y: mask & n }, 1);
                    assert_eq!(sum.y & ones, level[j + 1], "m = {m}, level {d}, symbol {j}");
                }
                states.push(level);
            }
        }
    }

    #[test]
    fn a_threads_scan_is_its_prefixes() {
        let mut values: [ShiftOrSum<u32>; 8] = core::array::from_fn(|i| ShiftOrSum(1 << (3 * i)));
        let alone = values;
        thread_scan(&mut values);
        let mut sum = alone[0];
        for i in 1..8 {
            sum = sum.then(alone[i], 1);
            assert_eq!(values[i], sum);
        }
    }
}
