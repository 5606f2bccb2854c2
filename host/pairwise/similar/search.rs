//! Widens a band around the guide until no path outside it can be cheaper.

use super::band::RowBand;
use super::block::{CodedStrings, VerticalDeltas};
use super::bounds::Bounds;
use super::costs::Costs;
use super::guide::{Guide, Stretch};
use super::seeds::Seeds;
use super::strip::{BLOCK, GROUP};
use crate::alignment::Run;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A request about two strings.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// The costs of an alignment.
    pub costs: Costs,
    /// True to get the script, too.
    pub script: bool,
    /// Upper bound on the distance; larger distances are not needed exactly.
    pub maximum: Option<u64>,
    /// Upper bound on the computed cells, of all bands together. A cell takes about 2.5 times as
    /// long as one of the full table by lanes.
    pub most_cells: u64,
    /// If the guess of the distance is greater than this, another algorithm is faster, and no band
    /// is computed.
    pub most_errors: u64,
    /// True if a device is in use, which computes full tables faster than the CPU.
    pub beside_device: bool,
}

impl Request {
    /// Returns a request for the distance without limits.
    pub const fn new(costs: Costs) -> Self {
        Self { costs, script: false, maximum: None, most_cells: u64::MAX, most_errors: u64::MAX, beside_device: false }
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The distance, and the runs of matches of a script if requested.
    Distance { distance: u64, runs: Option<Vec<Run>> },
    /// The distance is greater than the maximum.
    Above,
    /// The strings are not similar enough: more cells would be needed than allowed. Includes a
    /// guess of the distance, if the seeds give one.
    GaveUp(Option<u64>),
}

/// Initial width, in rows on each side of the guide: together with the rows that a block's columns
/// go down, it makes up the smaller strip.
const FIRST_WIDTH: usize = 96;
/// Upper bound on the growth factor of a band while the distance, and so the required width, still
/// falls.
const GROWTH: usize = 4;
/// Number of blocks on each side of a widened block that are made as wide.
const NEAR: usize = 8;

/// Computes the distance of two strings, if they are similar enough. `progress` receives the number
/// of computed cells, which are far fewer than those of the table.
///
/// Among several scripts it returns this one: tracing from the end to the start, it matches where
/// possible, otherwise takes a symbol of A alone where that is cheapest in the band, otherwise a
/// symbol of B alone, and otherwise a substitution.
pub fn similar(a: &[u8], b: &[u8], request: &Request, progress: &(dyn Fn(u64) + Sync)) -> Answer {
    let m = a.len();
    let n = b.len();
    let maximum = request.maximum.unwrap_or(u64::MAX).min((m + n) as u64) as i64;
    if let Some(answer) = by_lengths(m, n, request, maximum) {
        return answer;
    }
    let seeds = Seeds::new(a, b);
    let Some(guide) = Guide::new(&seeds, m, n) else { return Answer::GaveUp(None) };
    let guess = guide.errors(&seeds, n);
    if guess > request.most_errors {
        return Answer::GaveUp(Some(guess));
    }
    let spent = Spent { cells: AtomicU64::new(0), progress };
    let strings = CodedStrings::new(a, b, request.costs);
    let bands = Widening { strings: &strings, seeds: &seeds, guide: &guide, request, maximum, spent: &spent };
    match bands.exact() {
        Outcome::Within { band, plan } => {
            let runs = request.script.then(|| band.path(&strings, &plan, a, b).runs);
            Answer::Distance { distance: band.distance as u64, runs }
        }
        Outcome::Above => Answer::Above,
        Outcome::TooManyCells => Answer::GaveUp(Some(guess)),
    }
}

/// Returns the answer if the lengths alone determine it: the strings differ too much in length, one
/// is empty, or the narrowest band takes too long.
fn by_lengths(m: usize, n: usize, request: &Request, maximum: i64) -> Option<Answer> {
    if m.abs_diff(n) as i64 > maximum {
        return Some(Answer::Above);
    }
    if m == 0 || n == 0 {
        return Some(Answer::Distance { distance: m.max(n) as u64, runs: request.script.then(Vec::new) });
    }
    // The cells of the narrowest band and its bounds. If A is much longer, so that the strings
    // cannot be similar, blocks of a band have all of its rows.
    let narrowest = (n as u64).saturating_mul(2 * 64 * GROUP as u64);
    let longest = (m as u64).saturating_mul(2 * BLOCK.min(n) as u64);
    let is_too_much = narrowest > request.most_cells || m / 2 > n && longest > request.most_cells;
    is_too_much.then_some(Answer::GaveUp(None))
}

/// Number of cells computed so far.
struct Spent<'p> {
    cells: AtomicU64,
    progress: &'p (dyn Fn(u64) + Sync),
}

impl Spent<'_> {
    /// Adds the cells of a band.
    fn add(&self, cells: u64) {
        self.cells.fetch_add(cells, Ordering::Relaxed);
        (self.progress)(cells);
    }

    /// Adds cells that all threads compute together, in proportionally less time.
    fn add_shared(&self, cells: u64) {
        self.cells.fetch_add(cells / rayon::current_num_threads() as u64, Ordering::Relaxed);
        (self.progress)(cells);
    }
}

/// The result of widening a band.
enum Outcome {
    /// A band with the cheapest path overall, and the words of its blocks.
    Within { band: RowBand, plan: Vec<Range<usize>> },
    /// The distance is above the maximum.
    Above,
    /// More cells would be needed than allowed.
    TooManyCells,
}

/// Bands around the guide, each wider than the one before.
struct Widening<'w> {
    strings: &'w CodedStrings,
    seeds: &'w Seeds,
    guide: &'w Guide,
    request: &'w Request,
    maximum: i64,
    spent: &'w Spent<'w>,
}

impl Widening<'_> {
    /// Widens the band until no path outside it can be cheaper.
    fn exact(&self) -> Outcome {
        let Self { strings, request, maximum, .. } = *self;
        let stretches = self.guide.stretches(BLOCK);
        let mut widths = vec![FIRST_WIDTH; stretches.len()];
        let mut plan = plan(strings, &stretches, &widths);
        if cells_of(&plan, strings.n).saturating_mul(2) > request.most_cells {
            return Outcome::TooManyCells;
        }
        // Cheap bounds that suffice if errors are few; those of parts follow only if needed.
        let mut bounds = Bounds::by_seeds(strings.m, strings.n, self.seeds);
        let mut by_parts = false;
        let mut before = i64::MAX;
        loop {
            if bounds.whole() > maximum {
                return Outcome::Above;
            }
            let spent = self.spent.cells.load(Ordering::Relaxed);
            if spent.saturating_add(cells_of(&plan, strings.n)) > request.most_cells {
                return Outcome::TooManyCells;
            }
            let first = VerticalDeltas::new(strings);
            let band = RowBand::new(strings, first, &plan, request.script, &|cells| self.spent.add(cells));
            // If all exits cost at least this, there is no cheaper path, and none within the
            // maximum.
            let target = band.distance.min(maximum.saturating_add(1));
            let mut exits = band.exits(&bounds);
            if !by_parts && exits.iter().any(|&exit| exit < target) {
                bounds = Bounds::by_parts(strings, self.seeds, self.guide, &|cells| self.spent.add_shared(cells));
                by_parts = true;
                exits = band.exits(&bounds);
            }
            // A band that finds nothing better than a narrower band has probably found the
            // distance; it remains to be proved.
            let most = if band.distance < before { GROWTH } else { usize::MAX };
            before = band.distance;
            if exits.iter().all(|&exit| exit >= target) {
                return if band.distance > maximum { Outcome::Above } else { Outcome::Within { band, plan } };
            }
            widths = wider(&widths, &exits, target, most);
            plan = self::plan(strings, &stretches, &widths);
        }
    }
}

/// Returns the words of the rows of each block: around the guide, wider by a number of rows on each
/// side.
fn plan(strings: &CodedStrings, stretches: &[Stretch], widths: &[usize]) -> Vec<Range<usize>> {
    let mut range = 0..0;
    let one = |(stretch, &width): (&Stretch, &usize)| {
        range =
            strings.words_of(&range, stretch.rows.start.saturating_sub(width)..stretch.rows.end.saturating_add(width));
        range.clone()
    };
    stretches.iter().zip(widths).map(one).collect()
}

/// Returns widths at which a path that leaves the rows should cost at least the target. They grow
/// by at most a factor of `most`.
fn wider(widths: &[usize], exits: &[i64], target: i64, most: usize) -> Vec<usize> {
    let needed = |(&width, &exit): (&usize, &i64)| match target - exit {
        // Each row further away costs about one more. Adds a margin, since one band too many costs
        // more than some rows.
        more @ 1.. => (width + more as usize + width / 16 + 64).min(width.saturating_mul(most)),
        _ => width,
    };
    let needed: Vec<usize> = widths.iter().zip(exits).map(needed).collect();
    // A path that leaves here may come from some blocks earlier, or leave some blocks later.
    let about = |block: usize| block.saturating_sub(NEAR)..(block + NEAR + 1).min(needed.len());
    (0..needed.len()).map(|block| needed[about(block)].iter().copied().max().unwrap_or(0)).collect()
}

/// Returns the number of cells of a band.
fn cells_of(plan: &[Range<usize>], n: usize) -> u64 {
    let words: u64 = plan.iter().map(|range| range.len() as u64).sum();
    words.saturating_mul(64 * BLOCK.min(n) as u64)
}

#[cfg(test)]
mod tests {
    use super::super::costs::script_cost;
    use super::*;
    use crate::alignment::runs::CommonSubsequence;
    use crate::cpu::codes::random;
    use crate::cpu::myers::{Block, Step};
    use proptest::prelude::*;

    /// Computes the distance by the full table, in words: Myers' blocks, or Crochemore's addition.
    fn full(a: &[u8], b: &[u8], costs: Costs) -> u64 {
        let words = a.len().div_ceil(64);
        let mut matches = vec![vec![0u64; words]; 256];
        a.iter().enumerate().for_each(|(i, &symbol)| matches[usize::from(symbol)][i / 64] |= 1 << (i % 64));
        let rows = |word: usize| (a.len() - 64 * word).min(64) as u32;
        match costs {
            Costs::Levenshtein => {
                let mut blocks = vec![Block::RISING; words];
                for &symbol in b {
                    let mut step = Step::from_difference(1);
                    for (block, &eq) in blocks.iter_mut().zip(&matches[usize::from(symbol)]) {
                        step = block.advance(eq, step, 63);
                    }
                }
                let rise: i64 = blocks.iter().enumerate().map(|(word, block)| block.rise(rows(word))).sum();
                (b.len() as u64).checked_add_signed(rise).unwrap()
            }
            Costs::Indel => {
                let mut vector = vec![!0u64; words];
                for &symbol in b {
                    let mut carry = false;
                    for (v, &eq) in vector.iter_mut().zip(&matches[usize::from(symbol)]) {
                        let (sum, next) = v.carrying_add(*v & eq, carry);
                        (*v, carry) = (sum | *v & !eq, next);
                    }
                }
                let zeros = |(word, v): (usize, &u64)| u64::from((!v & !0 >> (64 - rows(word))).count_ones());
                (a.len() + b.len()) as u64 - 2 * vector.iter().enumerate().map(zeros).sum::<u64>()
            }
        }
    }

    /// Checks distance and script against the full table. Returns true if there was an answer.
    fn check(a: &[u8], b: &[u8], what: &str) -> bool {
        [Costs::Levenshtein, Costs::Indel].into_iter().all(|costs| check_of(costs, a, b, what))
    }

    fn check_of(costs: Costs, a: &[u8], b: &[u8], what: &str) -> bool {
        let what = format!("{costs:?}, {what}, {} x {}", a.len(), b.len());
        let distance = full(a, b, costs);
        let unlimited = Request { script: true, ..Request::new(costs) };
        match similar(a, b, &unlimited, &|_| ()) {
            Answer::Distance { distance: found, runs: Some(runs) } => {
                assert_eq!(found, distance, "{what}");
                assert_eq!(script_cost(&runs, a.len(), b.len(), costs), distance, "the script's cost, {what}");
                CommonSubsequence::new(runs, a.len() as u64, b.len() as u64).unwrap().verify(a, b).unwrap();
            }
            Answer::GaveUp(_) => return false,
            other => panic!("{other:?}, {what}"),
        }
        for maximum in [0, distance / 2, distance.saturating_sub(1), distance, distance + 1, 2 * distance] {
            let request = Request { script: false, maximum: Some(maximum), ..unlimited };
            let expected = if distance <= maximum { Answer::Distance { distance, runs: None } } else { Answer::Above };
            assert_eq!(similar(a, b, &request, &|_| ()), expected, "at most {maximum}, {what}");
        }
        true
    }

    /// Applies substitutions, insertions and deletions in equal shares.
    fn mutated(a: &[u8], symbols: usize, rate: f64, seed: u64) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut b = Vec::new();
        for &symbol in a {
            let other = random.usize(..symbols) as u8;
            match if random.f64() < rate { random.u8(..3) } else { 3 } {
                0 => b.push(other),
                1 => b.extend([symbol, other]),
                2 => {}
                _ => b.push(symbol),
            }
        }
        b
    }

    #[test]
    fn every_rate_of_errors() {
        for symbols in [2, 4, 20, 256] {
            for rate in [0.0, 0.001, 0.01, 0.05, 0.1, 0.15, 0.3] {
                for len in [1, 63, 64, 65, 255, 256, 257, 1000, 2047, 2049, 6000, 15_000] {
                    let a = random(len, symbols, 1);
                    let b = mutated(&a, symbols, rate, 2);
                    let answered = check(&a, &b, &format!("{symbols} symbols, {rate} of errors"));
                    assert!(answered || rate > 0.1 || b.is_empty(), "{symbols} symbols, {rate} of errors");
                }
            }
        }
    }

    #[test]
    fn long_gaps_inversions_repeats_and_periods() {
        let a = random(12_000, 4, 3);
        let noisy = mutated(&a, 4, 0.02, 4);
        let cut = |text: &[u8], from: usize, to: usize| [&text[..from], &text[to..]].concat();
        let put = |text: &[u8], at: usize, part: &[u8]| [&text[..at], part, &text[at..]].concat();
        let mut inverted = noisy.clone();
        inverted[5000..7000].reverse();
        let repeat: Vec<u8> = random(300, 4, 5).repeat(40);
        let period = |len: usize, period: usize| -> Vec<u8> { (0..len).map(|i| (i % period) as u8).collect() };
        for (b, what) in [
            (cut(&noisy, 3000, 7000), "a gap"),
            (cut(&noisy, 0, 2500), "no beginning"),
            (cut(&noisy, 9000, noisy.len()), "no end"),
            (put(&noisy, 6000, &random(3000, 4, 6)), "an insertion"),
            (put(&noisy, 0, &random(3000, 4, 7)), "another beginning"),
            (put(&noisy, noisy.len(), &random(3000, 4, 8)), "another end"),
            (put(&noisy, 6000, &noisy[2000..6000]), "a part twice"),
            (put(&cut(&noisy, 1000, 2000), 8000, &noisy[1000..2000]), "a part elsewhere"),
            (inverted, "an inversion"),
            (noisy.clone(), "errors"),
            (a.clone(), "equal"),
        ] {
            check(&a, &b, what);
            check(&b, &a, what);
        }
        for rate in [0.01, 0.1] {
            check(&repeat, &mutated(&repeat, 4, rate, 9), "a repeat");
            for length in [1, 2, 7, 100] {
                let a = period(8000, length);
                check(&a, &mutated(&a, 4, rate, 10), "a period");
                check(&a, &period(6000, length), "periods of two lengths");
                check(&a, &period(8000, length + 1), "two periods");
            }
        }
        check(&random(5000, 4, 11), &random(5000, 4, 12), "unrelated");
        check(b"", b"ACGT", "an empty string");
        check(b"ACGT", b"", "an empty string");
    }

    #[test]
    fn strings_that_are_not_similar_are_given_up_early() {
        let a = random(20_000, 4, 1);
        let b = random(20_000, 4, 2);
        let cells = AtomicU64::new(0);
        let progress = |done| {
            cells.fetch_add(done, Ordering::Relaxed);
        };
        let costs = Costs::Levenshtein;
        let most_cells = 40_000_000;
        let request = Request { most_cells, ..Request::new(costs) };
        assert_eq!(similar(&a, &b, &request, &progress), Answer::GaveUp(None));
        assert!(cells.into_inner() <= request.most_cells);
        let request = Request { maximum: Some(1000), ..request };
        assert_ne!(similar(&a, &b, &request, &|_| ()), Answer::Distance { distance: 1000, runs: None });
    }

    #[test]
    fn the_guess_is_near_the_distance() {
        let a = random(100_000, 4, 1);
        for rate in [0.02, 0.1, 0.15] {
            let b = mutated(&a, 4, rate, 2);
            let unlimited = Request::new(Costs::Levenshtein);
            let Answer::Distance { distance, .. } = similar(&a, &b, &unlimited, &|_| ()) else { panic!("gave up") };
            let request = Request { most_errors: 1000, ..unlimited };
            let Answer::GaveUp(Some(guess)) = similar(&a, &b, &request, &|_| ()) else { panic!("no guess") };
            assert!(guess.abs_diff(distance) * 10 < distance, "{guess} for {distance}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

        #[test]
        fn pieces_of_one_string_in_another(
            len in 1usize..9000,
            symbols in 1usize..30,
            rate in 0.0f64..0.2,
            pieces in proptest::collection::vec((0.0f64..1.0, 0.0f64..1.0, any::<bool>()), 0..4),
            seed in any::<u32>(),
        ) {
            let a = random(len, symbols, u64::from(seed));
            let mut b = mutated(&a, symbols, rate, u64::from(seed) + 1);
            for (from, to, copy) in pieces {
                let at = |share: f64| (share * b.len() as f64) as usize;
                let (from, to) = (at(from.min(to)), at(from.max(to)));
                if copy {
                    let piece = b[from..to].to_vec();
                    b.splice(from..from, piece);
                } else if (to - from) < b.len() / 2 {
                    b.drain(from..to);
                }
            }
            check(&a, &b, "pieces");
        }
    }
}
