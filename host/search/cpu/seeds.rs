//! Search for a pattern that is long for its number of errors: exact pieces of it are looked up at
//! every s-th symbol of the text. S. Wu and U. Manber, Fast text searching allowing errors,
//! Communications of the ACM 35(10), 1992; the steps: E. Sutinen and J. Tarhio, On using q-gram
//! locations in approximate string matching, European Symposium on Algorithms, 1995.
//!
//! The pattern is cut into k + 1 disjoint pieces, so k errors leave at least one piece intact.
//! Every occurrence therefore contains an exact piece, as in the index of
//! [many patterns](super::partition). Wherever a piece of L symbols starts in the text, one of its
//! q-grams (strings of q symbols) starts at a multiple of s = L - q + 1:
//!
//! ```text
//! text        |...|...|...|...|...|...|...|...        looked up: q-grams at multiples of s = 4
//! piece                [----------]                   L = 11
//! q-gram                 [======]                     q = 8, the third of the piece's four
//! window    [---------------------------------]       verified: holds all occurrences with it
//! ```
//!
//! 1. *Look up*: the eight bytes at each multiple of s are read as a number, reduced to q of them.
//!    Bits that differ between the letters of a class are masked out (A and a; T, t, U and u). A
//!    table indexed by the number's hash tells if a piece has such a q-gram. This takes one load,
//!    about six instructions and one byte of a 16 KiB table for s symbols.
//! 2. *Verify*: if a q-gram is found and its whole piece matches, the result is a window of at most
//!    m + 2k symbols. Windows that touch are merged, and searched by Myers' bit-vectors. Two
//!    windows with a common symbol are merged, so each end is found once, and with the fewest
//!    errors: the best occurrence with this end has a window too, which is part of the merged one.
//!
//! A random text of σ symbols has (k + 1) σ^-L pieces per symbol. If verifying the pieces of a part
//! of the text, such as repeats, takes more than half the time that another algorithm takes for all
//! of it, that algorithm takes over. So the time is at most 1.5 times that of the other algorithm.

use super::exact_pieces::{longest_pieces, pieces};
use super::query::Query;
use super::row::{CpuAlgorithm, Fallback, FallbacksUsed, FindOne, Rows, Takes, prepare_fallback};
use crate::algorithm::{About, Limits};
use crate::infix::{End, cut_off};
use crate::text::{Class, Pattern};

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "seeds",
        "exact pieces, looked up at every s-th symbol, then bit-vectors around hits; texts with many hits go to the fastest other algorithm",
        "Wu, Manber 1992; Sutinen, Tarhio 1995; Myers 1999",
        "7 / s instructions in a random text",
    )
    .limited(Limits { symbols: Some(LONGEST as u64), ..Limits::NONE }),
    check: |query| {
        let reason = "supports patterns with errors that have k + 1 pieces of single symbols, or of letters in either case";
        has_plan(query).then_some(()).ok_or_else(|| ALGORITHM.about.unsupported(reason.into()))
    },
    takes: Takes::One {
        cost: |query| Some(SeedPlan::new(&query.pattern, query.k)?.cost),
        prepare: |query, rows| {
            let plan = SeedPlan::new(&query.pattern, query.k);
            let fallback = prepare_fallback(rows, Query::within(query.pattern.clone(), query.allowed));
            Box::new(Seeds { query, plan, fallback, rows, fallbacks_used: FallbacksUsed::default() })
        },
        hands_over: true,
    },
};

/// Longest pattern, in positions: windows are then short compared to a part of the text.
const LONGEST: usize = 4096;
/// Number of bits of a hash: the table has one byte per hash value, and fits the first-level cache.
const BITS: u32 = 14;
/// Number of positions that are looked up before their results are tested.
const BLOCK: usize = 16;
/// Largest step s, in symbols.
const STEP: usize = 32;
/// An odd number with irregular bits, for hashing.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Costs in instructions: `BASE_COST` per symbol for the whole search, `LOOK` per look-up, `PASSED`
/// per look-up that the table lets through, `WINDOW` per window, and `BLOCK_OF_ROWS` per block of
/// 64 rows and symbol of a window.
const BASE_COST: f64 = 0.25;
const LOOK: f64 = 3.0;
const PASSED: f64 = 90.0;
const WINDOW: f64 = 300.0;
const BLOCK_OF_ROWS: f64 = 17.0;

/// The pieces of a pattern and the parameters of the look-up.
struct SeedPlan {
    /// (offset, length) of each piece.
    pieces: Vec<(usize, usize)>,
    q: usize,
    step: usize,
    /// The bits of a symbol that are equal for all symbols of a class.
    bits: u8,
    /// Estimated number of instructions per symbol of a random text.
    cost: f64,
}

/// Returns the bits that differ between the symbols of a class. `None` if more than two bits
/// differ: then the symbols are not variants of one letter.
fn spread(class: &Class) -> Option<u8> {
    let first = class.symbols().next()?;
    let spread = class.symbols().fold(0, |spread, symbol| spread | symbol ^ first);
    (spread.count_ones() <= 2).then_some(spread)
}

/// Returns true if a pattern within the limits has a plan: enough positions of one symbol for k + 1
/// pieces. Faster than making the plan.
fn has_plan(query: &Query) -> bool {
    query.k > 0 && query.pattern.classes().iter().filter_map(spread).count() > query.k as usize
}

impl SeedPlan {
    /// Returns `None` if the pattern has no pieces or is too long.
    fn new(pattern: &Pattern, k: u32) -> Option<Self> {
        let (classes, count) = (pattern.classes(), k as usize + 1);
        if k == 0 || classes.len() > LONGEST {
            return None;
        }
        // Stretches of positions that the bits of a symbol identify.
        let spreads: Vec<Option<u8>> = classes.iter().map(spread).collect();
        let mut stretches: Vec<(usize, usize)> = Vec::new();
        for (i, _) in spreads.iter().enumerate().filter(|(_, spread)| spread.is_some()) {
            match stretches.last_mut().filter(|(start, length)| start + length == i) {
                Some((_, length)) => *length += 1,
                None => stretches.push((i, 1)),
            }
        }
        let length = longest_pieces(&stretches, count);
        let bits = !spreads.iter().flatten().fold(0, |all, spread| all | spread);
        let symbols = symbols(classes, bits);
        let (cost, q) = least(classes.len(), count, symbols, length)?;
        let pieces = pieces(&stretches, count, length).collect();
        Some(Self { pieces, q, step: (length - q + 1).min(STEP), bits, cost })
    }
}

/// Estimates the effective number of different symbols: the inverse of the probability that two of
/// the pattern's positions are equal. A natural language has fewer than its alphabet.
fn symbols(classes: &[Class], bits: u8) -> f64 {
    let mut counts = [0u32; 256];
    classes
        .iter()
        .filter_map(|class| class.symbols().next())
        .for_each(|symbol| counts[usize::from(symbol & bits)] += 1);
    let equal: f64 = counts.iter().map(|count| f64::from(*count).powi(2)).sum();
    (classes.len() as f64).powi(2) / equal.max(1.0)
}

/// Returns the least estimated number of instructions per symbol of a random text for `count`
/// pieces of a given length, and the q that achieves it; `None` for pieces of length 0.
pub(super) fn least(m: usize, count: usize, symbols: f64, length: usize) -> Option<(f64, usize)> {
    (1..=length.min(8)).map(|q| (cost(m, count, symbols, length, q), q)).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Estimates the instructions per symbol of a random text for `count` pieces of a given length.
fn cost(m: usize, count: usize, symbols: f64, length: usize, q: usize) -> f64 {
    let step = (length - q + 1).min(STEP) as f64;
    let of_symbols = |length: usize| count as f64 * symbols.powf(-(length as f64));
    let passed = of_symbols(q) + count as f64 * f64::from(1u32 << BITS).recip();
    BASE_COST + LOOK / step + passed * PASSED + of_symbols(length) * window(m, count - 1, m + 2 * (count - 1))
}

/// Estimates the instructions for a window of `symbols` symbols.
fn window(m: usize, k: usize, symbols: usize) -> f64 {
    WINDOW + BLOCK_OF_ROWS * symbols as f64 * m.div_ceil(64).min(k / 32 + 2) as f64
}

/// A q-gram of a piece.
struct Gram {
    /// The bits of its symbols.
    symbols: u64,
    /// Its start in the pattern.
    offset: usize,
    /// The piece that contains it, as (offset, length).
    piece: (usize, usize),
}

/// The q-grams of a pattern's pieces.
struct Grams {
    /// Mask of the bits of eight symbols that are compared.
    mask: u64,
    /// 1 for each hash value of a q-gram.
    table: Box<[u8; 1 << BITS]>,
    /// For each hash value, the index of its first q-gram in `all`.
    first: Box<[u32; 1 << BITS]>,
    /// All q-grams, ordered by hash.
    all: Vec<Gram>,
}

/// Returns the hash of the masked bits of eight symbols.
#[inline(always)]
fn hash(symbols: u64) -> usize {
    (symbols.wrapping_mul(MIX) >> (u64::BITS - BITS)) as usize
}

/// Returns eight symbols of the text as a number, with zeros after the text's end.
#[inline(always)]
fn eight(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => rest.iter().rev().fold(0, |all, symbol| all << 8 | u64::from(*symbol)),
    }
}

impl Grams {
    fn new(classes: &[Class], plan: &SeedPlan) -> Self {
        let mask = u64::from_le_bytes([plan.bits; 8]) & (!0 >> (64 - 8 * plan.q));
        let mut all = Vec::new();
        for &piece in &plan.pieces {
            for offset in piece.0..piece.0 + plan.step {
                let first = |class: &Class| class.symbols().next().unwrap_or(0);
                let symbols: Vec<u8> = classes[offset..offset + plan.q].iter().map(first).collect();
                let symbols = eight(&symbols, 0) & mask;
                all.push(Gram { symbols, offset, piece });
            }
        }
        all.sort_by_key(|gram| hash(gram.symbols));
        let (mut table, mut first) = (Box::new([0; 1 << BITS]), Box::new([0; 1 << BITS]));
        for (i, gram) in all.iter().enumerate().rev() {
            let hash = hash(gram.symbols);
            (table[hash], first[hash]) = (1, i as u32);
        }
        Self { mask, table, first, all }
    }

    /// Returns the q-grams with these symbols, whose hash must be in the table.
    fn with_symbols(&self, symbols: u64) -> impl Iterator<Item = &Gram> {
        let hash_of = hash(symbols);
        let rest = &self.all[self.first[hash_of] as usize..];
        rest.iter().take_while(move |gram| hash(gram.symbols) == hash_of).filter(move |gram| gram.symbols == symbols)
    }
}

/// Returns the windows of a text, ordered and disjoint; `None` if they take more than half of
/// `fallback_cost` instructions per symbol of the whole text.
fn windows(
    text: &[u8],
    query: &Query,
    plan: &SeedPlan,
    fallback_cost: f64,
    on_progress: &dyn Fn(u64),
) -> Option<Vec<(usize, usize)>> {
    let (classes, k) = (query.pattern.classes(), query.k as usize);
    let (m, n, step) = (classes.len(), text.len(), plan.step);
    let grams = Grams::new(classes, plan);
    let mut windows: Vec<(usize, usize)> = Vec::new();
    let mut left = fallback_cost * n as f64 / 2.0;
    let of_window = window(m, k, m + 2 * k);
    let mut verify = |at: usize| {
        let symbols = eight(text, at) & grams.mask;
        if grams.table[hash(symbols)] == 0 {
            return true;
        }
        left -= PASSED;
        for &Gram { offset, piece: (start, length), .. } in grams.with_symbols(symbols) {
            let Some(from) = (at + start).checked_sub(offset) else { continue };
            let whole = text.get(from..from + length);
            if whole
                .is_some_and(|whole| classes[start..].iter().zip(whole).all(|(class, symbol)| class.contains(*symbol)))
            {
                let window = (from.saturating_sub(start + k), (from + m - start + k).min(n));
                match windows.last_mut().filter(|last| last.0 <= window.0 && window.0 <= last.1) {
                    Some(last) => {
                        let longer = window.1.max(last.1);
                        left -= of_window * (longer - last.1) as f64 / (m + 2 * k) as f64;
                        last.1 = longer;
                    }
                    None => {
                        left -= of_window;
                        windows.push(window);
                    }
                }
            }
        }
        left > 0.0
    };
    let mut at = 0;
    // Blocks whose last eight symbols are within the text need no bounds checks.
    while let Some(block) = text.get(at..at + (BLOCK - 1) * step + 8) {
        let mut bits = 0;
        for i in 0..BLOCK {
            // All eight symbols are in the block.
            let symbols = block.get(i * step..i * step + 8).and_then(<[u8]>::first_chunk);
            let symbols = symbols.map_or(0, |symbols| u64::from_le_bytes(*symbols));
            bits |= u32::from(grams.table[hash(symbols & grams.mask)]) << i;
        }
        while bits != 0 {
            if !verify(at + bits.trailing_zeros() as usize * step) {
                return None;
            }
            bits &= bits - 1;
        }
        at += BLOCK * step;
    }
    if !(at..n).step_by(step).all(verify) {
        return None;
    }
    on_progress(n as u64 / 2);
    windows.sort_unstable();
    windows.dedup_by(|next, window| {
        let touch = next.0 <= window.1;
        if touch {
            window.1 = window.1.max(next.1);
        }
        touch
    });
    Some(windows)
}

/// A pattern that is prepared for texts.
struct Seeds {
    query: Query,
    plan: Option<SeedPlan>,
    /// The algorithm that takes over if verifying windows would take longer.
    fallback: Option<Fallback>,
    rows: Rows,
    fallbacks_used: FallbacksUsed,
}

impl FindOne for Seeds {
    fn ends(&self, text: &[u8], on_progress: &dyn Fn(u64)) -> Vec<End> {
        let Self { query, plan, fallback, .. } = self;
        let cost = fallback.as_ref().map_or(f64::INFINITY, |fallback| fallback.cost);
        let windows = plan.as_ref().and_then(|plan| windows(text, query, plan, cost, on_progress));
        match (windows, fallback) {
            (Some(windows), _) => in_windows(text, query, windows),
            (None, Some(fallback)) => {
                self.fallbacks_used.note(fallback.number);
                fallback.finder.ends(text, on_progress)
            }
            (None, None) => Vec::new(),
        }
    }

    fn fallbacks_used(&self) -> Vec<&'static str> {
        self.fallbacks_used.take(self.rows)
    }
}

/// Returns the ends in windows.
fn in_windows(text: &[u8], query: &Query, windows: Vec<(usize, usize)>) -> Vec<End> {
    let mut found = Vec::new();
    for (start, end) in windows {
        let symbols = text[start..end].iter().copied();
        let ends = cut_off::ends(symbols, query.matches(), query.len(), query.k, &|_| ());
        found.extend(ends.into_iter().map(|End { end, errors }| End { end: end + start as u64, errors }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::sellers;
    use crate::search::cpu::{ALGORITHMS, fastest};
    use crate::text::Alphabet;

    /// Returns a string with some random errors.
    fn near(random: &mut fastrand::Rng, string: &[u8], errors: usize, symbols: &[u8]) -> Vec<u8> {
        let mut near = string.to_vec();
        for _ in 0..errors {
            let (at, symbol) = (random.usize(..near.len().max(1)), symbols[random.usize(..symbols.len())]);
            match random.u8(..3) {
                0 if at < near.len() => near[at] = symbol,
                1 if at < near.len() => drop(near.remove(at)),
                _ => near.insert(at, symbol),
            }
        }
        near
    }

    /// Checks the search by windows alone, and with the other algorithm where that seems faster.
    /// Returns true if the pattern has a plan.
    fn check(text: &[u8], pattern: &Pattern, k: u32) -> bool {
        let expected = sellers::ends(text, pattern, k);
        let query = Query::new(pattern.clone(), k);
        assert_eq!(has_plan(&query), SeedPlan::new(pattern, k).is_some(), "m = {}, k = {k}", pattern.len());
        let Some(plan) = SeedPlan::new(pattern, k) else { return false };
        // Every step that pieces of this length allow.
        let length = plan.pieces.iter().map(|(_, length)| *length).min().unwrap();
        for q in 1..=length.min(8) {
            let plan = SeedPlan { q, step: length - q + 1, pieces: plan.pieces.clone(), ..plan };
            let windows = windows(text, &query, &plan, f64::INFINITY, &|_| ()).unwrap();
            assert!(windows.is_sorted_by(|a, b| a.1 < b.0), "{windows:?}");
            assert_eq!(in_windows(text, &query, windows), expected, "m = {}, k = {k}, q = {q}", pattern.len());
        }
        let (fallback, fallbacks_used) =
            (prepare_fallback(ALGORITHMS, Query::new(pattern.clone(), k)), FallbacksUsed::default());
        let prepared = Seeds { fallback, plan: Some(plan), query, rows: ALGORITHMS, fallbacks_used };
        assert_eq!(prepared.ends(text, &|_| ()), expected, "m = {}, k = {k}", pattern.len());
        true
    }

    #[test]
    fn ends_are_those_of_dynamic_programming() {
        let mut random = fastrand::Rng::with_seed(21);
        let alphabets: [&[u8]; 4] = [b"ACGT", b"ACGTacgtuUN", b"ab", b"etaoin shrdlu"];
        let mut found = 0;
        for case in 0..300 {
            let (symbols, k) = (alphabets[case % 4], random.u32(1..9));
            let m = random.usize(k as usize + 1..(k as usize + 1) * 14);
            let symbol = |random: &mut fastrand::Rng| symbols[random.usize(..symbols.len())];
            let word: Vec<u8> = (0..m).map(|_| symbol(&mut random)).collect();
            let mut text: Vec<u8> = Vec::new();
            // At the text's start, at its end, and overlapping.
            for _ in 0..random.usize(1..5) {
                let errors = random.usize(..=k as usize + 1);
                text.extend(near(&mut random, &word, errors, symbols));
                text.extend((0..[0, 3, 300][random.usize(..3)]).map(|_| symbol(&mut random)));
            }
            text.extend(near(&mut random, &word, k as usize, symbols));
            let pattern = match case % 3 {
                0 => Pattern::literal(&word),
                1 if case % 4 < 2 => Pattern::parse(&word, Alphabet::Iupac).unwrap(),
                _ => Pattern::with_wildcard(&word, word[0]),
            };
            found += usize::from(check(&text, &pattern, k));
        }
        assert!(found > 200, "{found}");
    }

    #[test]
    fn repeats_and_texts_that_are_short() {
        let ones = [b'a'; 700];
        let turns: Vec<u8> = (0..700).map(|i| b"ab"[i / 3 % 2]).collect();
        for text in [&ones[..], &turns, &ones[..40], &turns[..9], b"a", b""] {
            for m in [9, 40, 100] {
                for k in [1, 2, 8] {
                    assert!(check(text, &Pattern::literal(&ones[..m]), k));
                    assert!(check(text, &Pattern::literal(&turns[..m]), k));
                }
            }
        }
    }

    #[test]
    fn which_patterns_are_searched_for_so() {
        let mut random = fastrand::Rng::with_seed(22);
        let mut name = |m: usize, k: u32| {
            let pattern: Vec<u8> = (0..m).map(|_| b"ACGT"[random.usize(..4)]).collect();
            let query = Query::new(Pattern::parse(&pattern, Alphabet::Dna).unwrap(), k);
            fastest(ALGORITHMS.iter(), &query).unwrap().about.name
        };
        assert_eq!([name(100, 8), name(100, 4), name(300, 20)], ["seeds"; 3]);
        assert!([name(100, 0), name(20, 3), name(20, 8), name(64, 30)].iter().all(|name| *name != "seeds"));
        // A class of two letters is in no piece; a class of both cases of a letter is.
        let plan = |pattern: &[u8]| {
            SeedPlan::new(&Pattern::parse(pattern, Alphabet::Iupac).unwrap(), 1).map(|plan| (plan.pieces, plan.bits))
        };
        assert_eq!(plan(b"GATNTACA"), Some((vec![(0, 3), (4, 4)], !0x21)));
        assert_eq!(plan(b"NNANNRNN"), None);
    }
}
