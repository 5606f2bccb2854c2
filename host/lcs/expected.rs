//! The LCS length of random strings: a baseline for a measured length.
//!
//! Unrelated strings still have a long LCS: for random DNA, it is 65 % of their length. For random
//! strings, the length depends on the frequencies of their symbols and on the ratio of their
//! lengths, and there is no formula for it. Even for two symbols, the limit of length / n, the
//! constant of Chvátal and Sankoff (1975), is known only to lie between 0.788 and 0.827. So it is
//! estimated here from random strings. Each symbol is drawn independently, with the frequencies of
//! the strings to be compared, by a generator with a fixed seed: equal strings have equal
//! estimates.
//!
//! - Up to 2^26 cells (two strings of 8,192 symbols) the random strings are as long as the given
//!   ones.
//! - For longer strings, the random ones have 2^26 cells and the same ratio of lengths. Length / n
//!   grows slowly with n, as γ − c n^(−2/3). The exponent is that of last-passage percolation, and
//!   the LCS is thought to belong to the same class (Baik, Deift, Johansson 1999; Bundschuh 2001
//!   measured it for the LCS). Random strings of an eighth of the size show how large c is, so c
//!   need not be known: for them the term is four times as large.
//! - The longer of the random strings is at most 1,024 times as long as the shorter one. A longer
//!   string hardly makes the LCS longer, because it is already nearly the whole shorter string.
//!
//! `benches/lcs_null.rs` measures the lengths and the errors of these estimates; `docs/lcs.md` has
//! the table.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::cpu::bit_parallel;
use crate::cpu::short;
use crate::pairwise::columns::Direction;
use crate::threads;

/// Maximum cells of a table of random strings.
const CELLS: u64 = 1 << 26;
/// Maximum ratio of the longer string's length to the shorter one's.
const RATIO: u64 = 1024;
/// Divisor of the sizes for the second set of random strings, and the growth of the finite-size
/// term from it: 8^(2/3).
const SMALLER: (u64, f64) = (8, 4.0);
/// Number of steps of a symbol's frequency.
const STEPS: u64 = 1 << 16;
/// Maximum composition classes of a list of strings.
const CLASSES: usize = 16;
/// Maximum distance between strings of one class, in addition to chance: half the sum of the
/// differences of all frequencies.
const ALIKE: f64 = 0.04;

/// Number of occurrences of each symbol in a string, or in several.
///
/// ```
/// use carrywave::lcs::{Composition, expected_length_from};
///
/// let mut counts = [0; 256];
/// (counts[usize::from(b'A')], counts[usize::from(b'C')]) = (3, 1);
/// let given = Composition::from_counts(counts);
/// assert_eq!(given.counts(), Composition::new(b"ACAA").counts());
/// // With two equally frequent symbols, the LCS is about 81 % of long strings; here it is longer.
/// assert!(expected_length_from([&given, &given], [1000, 1000]).length > 810.0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composition {
    counts: [u64; 256],
}

impl Default for Composition {
    fn default() -> Self {
        Self { counts: [0; 256] }
    }
}

impl Composition {
    /// Counts the symbols of a string, as in the [example](Self).
    pub fn new(symbols: &[u8]) -> Self {
        let mut composition = Self::default();
        symbols.iter().for_each(|&symbol| composition.counts[usize::from(symbol)] += 1);
        composition
    }

    /// Creates a composition from counts, with that of symbol s at index s; as in the
    /// [example](Self).
    pub fn from_counts(counts: [u64; 256]) -> Self {
        Self { counts }
    }

    /// Returns the number of occurrences of each symbol, as in the [example](Self).
    pub fn counts(&self) -> &[u64; 256] {
        &self.counts
    }

    /// Adds the symbols of another string.
    fn add(&mut self, other: &Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
    }

    /// Returns the number of all symbols.
    fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the share of each symbol; 0 if there are no symbols.
    fn shares(&self) -> impl Iterator<Item = f64> + '_ {
        let total = self.total().max(1) as f64;
        self.counts.iter().map(move |&count| count as f64 / total)
    }

    /// Returns half the sum of the differences of all shares, from 0 to 1.
    fn distance(&self, other: &Self) -> f64 {
        self.shares().zip(other.shares()).map(|(own, other)| (own - other).abs()).sum::<f64>() / 2.0
    }

    /// Returns the mean distance of a random string of `len` symbols to the composition that it is
    /// drawn from: half the sum of the mean deviations of its shares, each √(2 / π) of its standard
    /// deviation.
    fn chance(&self, len: u64) -> f64 {
        let deviations = self.shares().map(|share| (share * (1.0 - share) / len.max(1) as f64).sqrt()).sum::<f64>();
        deviations * (2.0 / std::f64::consts::PI).sqrt() / 2.0
    }

    /// Returns the symbol for each step of a random number, in the shares of this composition.
    fn drawn(&self) -> Vec<u8> {
        let total = u128::from(self.total().max(1));
        let mut symbols = Vec::with_capacity(STEPS as usize);
        let mut before = 0u128;
        for (symbol, &count) in (0..=u8::MAX).zip(&self.counts) {
            before += u128::from(count);
            let end = (before * u128::from(STEPS) / total) as usize;
            symbols.resize(end.max(symbols.len()), symbol);
        }
        // For an empty string, which is never drawn from.
        symbols.resize(STEPS as usize, 0);
        symbols
    }
}

/// Expected LCS length of random strings, as in the [example](expected_length).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Expected {
    /// Mean length of the LCS, in symbols.
    pub length: f64,
    /// Standard error of the mean, from the spread among the random strings that were compared.
    pub standard_error: f64,
}

/// Estimates the LCS length of random strings with the lengths and the symbol frequencies of `a`
/// and `b`. Takes tens of milliseconds, whatever the lengths, plus the time to read the strings for
/// their frequencies.
///
/// ```
/// use carrywave::lcs::{expected_length, lcs_length};
///
/// let mut random = fastrand::Rng::with_seed(1);
/// let [a, b] =
///     [(); 2].map(|()| (0..2000).map(|_| b"ACGT"[random.usize(..4)]).collect::<Vec<u8>>());
/// let (length, expected) = (lcs_length(&a, &b)?, expected_length(&a, &b));
/// // About 64 % of the symbols, although the strings are unrelated.
/// assert!((1250..1330).contains(&length) && (expected.length - length as f64).abs() < 25.0);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub fn expected_length(a: &[u8], b: &[u8]) -> Expected {
    let (of_a, of_b) = threads::run(|| rayon::join(|| Composition::new(a), || Composition::new(b)));
    expected_length_from([&of_a, &of_b], [a.len() as u64, b.len() as u64])
}

/// Estimates the LCS length like [`expected_length`], from two compositions and lengths; as in the
/// [example](Composition).
pub fn expected_length_from(compositions: [&Composition; 2], lengths: [u64; 2]) -> Expected {
    estimate(compositions.map(Composition::drawn).each_ref().map(Vec::as_slice), lengths, Effort::FULL)
}

/// Number of random pairs to compare: enough to reach these totals of cells and symbols, within
/// bounds.
#[derive(Clone, Copy)]
struct Effort {
    cells: u64,
    symbols: u64,
    pairs: (u64, u64),
}

impl Effort {
    /// For one pair of strings.
    const FULL: Self = Self { cells: 1 << 32, symbols: 1 << 21, pairs: (8, 1024) };
    /// For a point of the grid of lengths of [`ExpectedLengths`].
    const GRID: Self = Self { cells: 1 << 26, symbols: 1 << 18, pairs: (4, 64) };

    fn pairs(self, [m, n]: [u64; 2]) -> u64 {
        let (least, most) = self.pairs;
        (self.cells / (m * n).max(1)).min(self.symbols / (m + n).max(1)).clamp(least, most)
    }
}

fn estimate(drawn: [&[u8]; 2], lengths: [u64; 2], effort: Effort) -> Expected {
    let [m, n] = lengths;
    let short = m.min(n);
    let long = m.max(n);
    if short == 0 {
        return Expected { length: 0.0, standard_error: 0.0 };
    }
    let long = long.min(short.saturating_mul(RATIO));
    let of = |short, long| if m <= n { [short, long] } else { [long, short] };
    if u128::from(short) * u128::from(long) <= u128::from(CELLS) {
        return simulated(drawn, of(short, long), effort);
    }
    let shrink = (CELLS as f64 / (short as f64 * long as f64)).sqrt();
    let scaled = |len: u64| ((len as f64 * shrink).round() as u64).max(1);
    let large = of(scaled(short), scaled(long));
    let small = large.map(|len| (len / SMALLER.0).max(1));
    // Per symbol of the shorter string, because rounding may change the ratio.
    let per_symbol = |lengths: [u64; 2]| {
        let Expected { length, standard_error } = simulated(drawn, lengths, effort);
        let symbols = lengths[0].min(lengths[1]) as f64;
        (length / symbols, standard_error / symbols)
    };
    let of_large = per_symbol(large);
    let of_small = per_symbol(small);
    // Remaining share of the finite-size term at the full size, relative to the large strings; the
    // rest is added.
    let left = shrink.powf(2.0 / 3.0);
    let weight = (1.0 - left) / (SMALLER.1 - 1.0);
    let length = of_large.0 + weight * (of_large.0 - of_small.0);
    let error = ((1.0 + weight) * of_large.1).hypot(weight * of_small.1);
    Expected { length: (length * short as f64).min(short as f64), standard_error: error * short as f64 }
}

/// Computes the mean LCS length of random pairs of exactly these lengths.
fn simulated(drawn: [&[u8]; 2], lengths: [u64; 2], effort: Effort) -> Expected {
    let pairs = effort.pairs(lengths);
    let length_of = |pair: u64| {
        let [a, b] = [0, 1]
            .map(|string| random_string(drawn[string], lengths[string], &mut generator(2 * pair + string as u64)));
        let length = short::lcs_length(&a, &b)
            .unwrap_or_else(|| bit_parallel::last_column(&a, &b, Direction::Forward, &|_| ()).last() as u64);
        length as f64
    };
    let all: Vec<f64> = threads::run(|| (0..pairs).into_par_iter().map(length_of).collect());
    let mean = all.iter().sum::<f64>() / pairs as f64;
    let squares = all.iter().map(|length| (length - mean).powi(2)).sum::<f64>();
    Expected { length: mean, standard_error: (squares / ((pairs - 1).max(1) * pairs) as f64).sqrt() }
}

/// Creates a random generator from a number. The seeds are far apart, because fastrand's first
/// outputs are similar for neighbouring seeds.
fn generator(number: u64) -> fastrand::Rng {
    let golden = 0x9e37_79b9_7f4a_7c15u64;
    let mixed = (number + 1).wrapping_mul(golden);
    let mut random = fastrand::Rng::with_seed((mixed ^ mixed >> 32).wrapping_mul(golden));
    random.u64(..);
    random
}

/// Returns a string of `len` symbols, each drawn independently.
fn random_string(drawn: &[u8], len: u64, random: &mut fastrand::Rng) -> Vec<u8> {
    let mut symbols = Vec::with_capacity(len as usize + 3);
    while (symbols.len() as u64) < len {
        let bits = random.u64(..);
        symbols.extend([0, 16, 32, 48].map(|shift| drawn[(bits >> shift) as usize & (STEPS as usize - 1)]));
    }
    symbols.truncate(len as usize);
    symbols
}

/// A point of the grid.
#[derive(Debug, PartialEq, Eq, Hash)]
struct GridPoint {
    /// Classes of two strings.
    classes: [usize; 2],
    /// Their lengths.
    lengths: [u64; 2],
}

/// Expected LCS lengths of random strings, for pairs of two lists: faster than [`expected_length`]
/// for each pair, and less exact.
///
/// The strings of a list are divided into at most 16 classes of similar composition, and the
/// class's composition stands for theirs. Lengths are interpolated on a grid with 8 steps from each
/// power of two to the next. A grid point is estimated when a pair first needs it.
///
/// ```
/// use carrywave::lcs::ExpectedLengths;
///
/// let expected = ExpectedLengths::new(&["AAAA", "ACGT"], &["AAAAA"]);
/// // The shorter string is the whole LCS, because there is only one symbol.
/// assert_eq!(expected.length(0, 0), 4.0);
/// assert!(expected.length(1, 0) < 4.0);
/// ```
#[derive(Debug)]
pub struct ExpectedLengths {
    a: Classes,
    b: Classes,
    known: Mutex<HashMap<GridPoint, f64>>,
}

impl ExpectedLengths {
    /// Classifies two lists of strings by their compositions, as in the [example](Self). Takes
    /// O(all symbols).
    pub fn new<S: AsRef<[u8]> + Sync>(a: &[S], b: &[S]) -> Self {
        Self { a: Classes::new(a), b: Classes::new(b), known: Mutex::default() }
    }

    /// Returns the expected length for string `a` of the first list and string `b` of the second; 0
    /// if there is no such string. As in the [example](Self).
    pub fn length(&self, a: usize, b: usize) -> f64 {
        let (Some(a), Some(b)) = (self.a.strings.get(a), self.b.strings.get(b)) else { return 0.0 };
        let rows = Steps::around(a.length);
        let columns = Steps::around(b.length);
        let at = |m, n| self.on_grid([a.class, b.class], [m, n]);
        let along = |m| columns.between(|n| at(m, n));
        rows.between(along)
    }

    fn on_grid(&self, classes: [usize; 2], lengths: [u64; 2]) -> f64 {
        let point = GridPoint { classes, lengths };
        if let Some(&length) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&point) {
            return length;
        }
        // Without the lock, so that other threads go on. If two threads estimate the same point at
        // once, they get the same value.
        let drawn = [&self.a.drawn[classes[0]][..], &self.b.drawn[classes[1]]];
        let length = estimate(drawn, lengths, Effort::GRID).length;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(point, length);
        length
    }
}

/// The grid lengths below and above a length, and its relative position between them.
struct Steps {
    below: u64,
    above: u64,
    share: f64,
}

impl Steps {
    fn around(len: u64) -> Self {
        let shift = len.max(1).ilog2().saturating_sub(3);
        let below = len >> shift << shift;
        let above = if below == len { below } else { below + (1 << shift) };
        Self { below, above, share: (len - below) as f64 / (1u64 << shift) as f64 }
    }

    /// Interpolates the value at the length from those at both ends.
    fn between(&self, value: impl Fn(u64) -> f64) -> f64 {
        let below = value(self.below);
        if self.above == self.below { below } else { below + self.share * (value(self.above) - below) }
    }
}

/// A string of a list.
#[derive(Debug, Clone, Copy, Default)]
struct Classed {
    class: usize,
    length: u64,
}

/// Strings, classified by their compositions.
#[derive(Debug)]
struct Classes {
    strings: Vec<Classed>,
    /// For each class, the symbols to draw from.
    drawn: Vec<Vec<u8>>,
}

impl Classes {
    fn new<S: AsRef<[u8]> + Sync>(strings: &[S]) -> Self {
        let len = |string: usize| strings[string].as_ref().len() as u64;
        let mut order: Vec<usize> = (0..strings.len()).collect();
        // The longest first: their compositions are the most reliable.
        order.sort_by_key(|&string| std::cmp::Reverse(len(string)));
        let mut classed = vec![Classed::default(); strings.len()];
        // The first string of each class, and the sum of its strings.
        let mut classes: Vec<(Composition, Composition)> = Vec::new();
        for string in order {
            let own = Composition::new(strings[string].as_ref());
            let far = |first: &Composition| own.distance(first) - first.chance(own.total());
            let nearest =
                (0..classes.len()).map(|class| (far(&classes[class].0), class)).min_by(|x, y| x.0.total_cmp(&y.0));
            let class = match nearest {
                Some((distance, class)) if distance <= ALIKE || classes.len() == CLASSES || own.total() == 0 => class,
                _ => {
                    classes.push((own.clone(), Composition::default()));
                    classes.len() - 1
                }
            };
            classes[class].1.add(&own);
            classed[string] = Classed { class, length: len(string) };
        }
        Self { strings: classed, drawn: classes.iter().map(|(_, all)| all.drawn()).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairwise::recurrence::lcs_length;

    fn uniform(symbols: usize) -> Composition {
        Composition::from_counts(std::array::from_fn(|symbol| u64::from(symbol < symbols)))
    }

    /// Compares with the mean lengths of all pairs of strings over two symbols, by definition.
    #[test]
    fn short_strings_over_two_symbols_by_counting() {
        for (m, n) in [(1u32, 1u32), (2, 2), (3, 5), (5, 5)] {
            let string = |bits: u32, len: u32| (0..len).map(|at| (bits >> at & 1) as u8).collect::<Vec<_>>();
            let mut sum = 0;
            for (x, y) in (0..1 << m).flat_map(|x| (0..1 << n).map(move |y| (x, y))) {
                let (a, b) = (string(x, m), string(y, n));
                sum += lcs_length(&a, &b);
            }
            let mean = sum as f64 / f64::from(1u32 << (m + n));
            let of = expected_length_from([&uniform(2), &uniform(2)], [m.into(), n.into()]);
            let fault = (of.length - mean).abs();
            assert!(fault < 5.0 * of.standard_error && of.standard_error < 0.05, "{m} x {n}: {of:?}, {mean}");
        }
    }

    #[test]
    fn one_symbol_and_none() {
        let of = |a: &[u8], b: &[u8]| expected_length(a, b).length;
        assert_eq!(of(b"", b""), 0.0);
        assert_eq!(of(b"", b"abc"), 0.0);
        assert_eq!(of(b"aaaa", b"aaaaaaa"), 4.0);
        assert_eq!(of(b"aaaa", b"bbbb"), 0.0);
        assert_eq!(
            expected_length(&[b'a'; 40_000], &[b'a'; 30_000]),
            Expected { length: 30_000.0, standard_error: 0.0 }
        );
    }

    /// For four symbols the constant of Chvátal and Sankoff is 0.6544 (from strings of 10^6 symbols
    /// and more, Bundschuh 2001); for two it is 0.8122.
    #[test]
    fn long_strings_come_near_the_constants() {
        for (symbols, constant) in [(4, 0.6544), (2, 0.8122)] {
            let of = expected_length_from([&uniform(symbols), &uniform(symbols)], [1 << 40; 2]);
            let [share, error] = [of.length, of.standard_error].map(|length| length / 2f64.powi(40));
            assert!((share - constant).abs() < 0.002 && error < 0.001, "{symbols}: {share} ± {error}");
        }
    }

    /// Compares strings too long for simulation with one simulation of their own size.
    #[test]
    fn extrapolated_lengths_are_those_of_longer_strings() {
        let uniform = uniform(4);
        for [m, n] in [[60_000u64, 60_000], [20_000, 150_000]] {
            let of = expected_length_from([&uniform, &uniform], [m, n]);
            let drawn = uniform.drawn();
            let mut random = fastrand::Rng::with_seed(77);
            let [a, b] = [m, n].map(|len| random_string(&drawn, len, &mut random));
            let one = bit_parallel::last_column(&a, &b, Direction::Forward, &|_| ()).last() as f64;
            assert!((of.length - one).abs() < 0.002 * one, "{m} x {n}: {of:?}, {one}");
        }
    }

    #[test]
    fn strings_are_drawn_as_the_composition_says() {
        let composition = Composition::new(b"aaabbbbbbbbbcccc");
        let string = random_string(&composition.drawn(), 160_001, &mut fastrand::Rng::with_seed(5));
        let of = Composition::new(&string);
        assert_eq!(of.total(), 160_001);
        assert!(of.distance(&composition) < 0.01);
        for (symbol, count) in [(b'a', 30_000), (b'b', 90_000), (b'c', 40_000)] {
            assert!(of.counts()[usize::from(symbol)].abs_diff(count) < 1_000);
        }
    }

    #[test]
    fn lengths_between_those_of_the_grid() {
        for (len, below, above) in [(0, 0, 0), (1, 1, 1), (15, 15, 15), (16, 16, 16), (17, 16, 18), (1000, 960, 1024)] {
            let steps = Steps::around(len);
            assert_eq!((steps.below, steps.above), (below, above), "{len}");
            assert!((steps.between(|len| 3.0 * len as f64) - 3.0 * len as f64).abs() < 1e-9);
        }
    }

    #[test]
    fn lists_have_the_lengths_of_their_pairs() {
        let mut random = fastrand::Rng::with_seed(9);
        let compositions = [[1u64, 1, 1, 1], [35, 15, 15, 35], [1, 40, 40, 1]];
        let mut strings = |lengths: &[u64]| -> Vec<Vec<u8>> {
            let of = |(number, &len): (usize, &u64)| {
                let mut counts = [0; 256];
                counts[..4].copy_from_slice(&compositions[number % 3]);
                random_string(&Composition::from_counts(counts).drawn(), len, &mut random)
            };
            lengths.iter().enumerate().map(of).collect()
        };
        let (a, b) = (strings(&[300, 500, 5_000, 0, 999, 77]), strings(&[250, 640, 3_000, 1_111, 20]));
        let lists = ExpectedLengths::new(&a, &b);
        assert!((3..=5).contains(&lists.a.drawn.len()), "{}", lists.a.drawn.len());
        for (i, j) in (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))) {
            let (of, exact) = (lists.length(i, j), expected_length(&a[i], &b[j]));
            // A short string's own frequencies differ from those of its class.
            let allowed = 0.03 * exact.length + 0.5 * (a[i].len().min(b[j].len()) as f64).sqrt() + 1.0;
            assert!((of - exact.length).abs() <= allowed, "{i} and {j}: {of}, {exact:?}");
        }
        assert_eq!(lists.length(6, 0), 0.0);
    }
}
