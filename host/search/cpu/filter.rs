//! Exact search for plain bytes by a filter: SIMD compares the text with a few symbols of the
//! pattern. The rest of the pattern is compared only where they all agree, and no symbol of the
//! text is compared twice.
//!
//! ```text
//! pattern         a a b a a b a a c a a b        positions: 8 (c, the rarest), 0, 11, … (≤ 16)
//! text            . . . . . . . . . . . . . . .
//!                 |s                    512 starts at a time, one bit each, until all bits are 0:
//!                                       bits = (text[s + 8..] = c) & (text[s + 0..] = a) & …
//! ```
//!
//! *Positions.* The text, not the pattern, determines which symbols of the pattern are rare. The
//! first position is that of the pattern's symbol that is rarest in a sample of the text. Then some
//! starts in the text with that symbol are compared with the pattern, and the next position is the
//! one where most of them differ first; and so on. So in a text of `a`s the first position of
//! a^(m-1) b is its last one, and in random DNA six positions leave no bit of 512. For a pattern of
//! up to 16 symbols, all positions are compared, and nothing else is needed.
//!
//! *The rest.* Z\[d\] is the length of the longest common prefix of the pattern and its suffix from
//! d on (M. G. Main, R. J. Lorentz, An O(n log n) algorithm for finding all repetitions in a
//! string, Journal of Algorithms 5, 1984). Of all starts compared so far, the one whose match
//! reaches furthest is kept: from `start` to `reach` the text equals the pattern's prefix. A later
//! start in that range, d symbols on, agrees with the pattern for Z\[d\] symbols, or at least up to
//! `reach`, where the comparison continues. So each symbol is compared once, however repetitive the
//! pattern and the text are: O(m + n) in all.
//!
//! *Runs.* If an occurrence starts d ≤ m / 4 symbols after the last one, d is a period of the
//! pattern. While the text continues with that period, there is an occurrence every d symbols, and
//! none between them: it would also occur between the first two. The length of the run takes one
//! comparison of the text with itself, so a^m is found fast in a text of `a`s.
//!
//! *Segments.* In DNA no symbol is rare, and eight positions take eight loads for 64 starts. The
//! [segments](super::segments) load a symbol once for all positions and are faster there: with
//! AVX-512 they find short patterns, and the first symbols of long ones.
//!
//! Cost: a load, a comparison and a move of a mask for each 64 symbols and position, for as many
//! positions as leave bits of 512 starts (256 by AVX2). On one core that is as fast as memory if a
//! symbol is rare.

use super::row::{CpuAlgorithm, FindOne, Takes};
use super::segments;
use super::simd::Simd;
use crate::algorithm::{About, Limits};
use crate::cpu::class_test::ClassTest;
use crate::cpu::segment_isa::{MAX_LANES, SegmentIsa, WORD};
use crate::infix::End;
use crate::memory;
use crate::text::period::{common, z_values};
use crate::text::{Class, Pattern};
use once_cell::race::OnceBox;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "filter",
        "SIMD compares up to 16 symbols of the pattern, the text's rarest first; then the rest, each symbol once",
        "this project; Z-values: Main, Lorentz 1984",
        "less than 1 instruction",
    )
    .limited(Limits { errors: Some(0), classes: false, ..Limits::NONE }),
    check: |query| {
        Simd::required(&ALGORITHM.about)?;
        if query.len() > u32::MAX as usize {
            return Err(ALGORITHM.about.unsupported("supports patterns of fewer than 2^32 symbols".into()));
        }
        memory::check::<u32>(query.len(), "what a pattern has in common with itself")
    },
    takes: Takes::one(|_| Some(0.0), |query, _| Box::new(Prepared::new(query.literal().unwrap_or_default().to_vec()))),
};

/// Largest number of positions that SIMD compares.
const MAX_POSITIONS: usize = 16;

/// The sample of the text for symbol frequencies: (symbols per stretch, number of stretches).
const SAMPLE: (usize, usize) = (256, 16);

/// Number of starts with the rarest symbol that are compared with the pattern, per stretch of the
/// sample, and the number of symbols that are compared.
const HITS: usize = 16;
const FAR: usize = 4096;

/// `TILE` is the number of starts that are compared at a time. The first positions are enough if
/// fewer than `RARE` starts of a tile are expected to remain.
const TILE: f64 = 512.0;
const RARE: f64 = 0.2;

/// The segments of AVX-512 replace a comparison of 8 positions for patterns of at least `SHORTEST`
/// symbols: they find the whole pattern up to `LONGEST` symbols, and else its first `BEGINNING`
/// symbols. These must have at most `FEW` different symbols, and at most one in `SELDOM` sampled
/// starts with the rarest symbol may agree with them.
const SHORTEST: usize = 6;
const LONGEST: usize = 48;
const BEGINNING: usize = 24;
const FEW: u32 = 6;
const SELDOM: usize = 8;

/// Least number of overlapping occurrences at a position that are handled as a run; fewer are found
/// one by one.
const DENSE: usize = 4;

/// Up to this many symbols are compared again instead of looked up.
const SHORT: usize = 64;

/// Receiver of occurrences.
trait Found {
    /// Takes occurrences that start at the set bits of a word, whose bit 0 is position `from`.
    fn starts(&mut self, from: usize, bits: u64);

    /// Takes `count` occurrences, the first at `start`, each `step` symbols after the one before.
    fn run(&mut self, start: usize, count: usize, step: usize);
}

/// The number of occurrences.
struct Count(u64);

impl Found for Count {
    fn starts(&mut self, _: usize, bits: u64) {
        self.0 += u64::from(bits.count_ones());
    }

    fn run(&mut self, _: usize, count: usize, _: usize) {
        self.0 += count as u64;
    }
}

/// The ends of occurrences.
struct Ends {
    m: usize,
    all: Vec<End>,
}

impl Found for Ends {
    fn starts(&mut self, from: usize, mut bits: u64) {
        while bits != 0 {
            self.run(from + bits.trailing_zeros() as usize, 1, 0);
            bits &= bits - 1;
        }
    }

    fn run(&mut self, start: usize, count: usize, step: usize) {
        let end = |i| End { end: (start + i * step + self.m) as u64, errors: 0 };
        self.all.extend((0..count).map(end));
    }
}

/// A pattern, and data about it that is computed once.
struct Prepared {
    pattern: Vec<u8>,
    /// The positions that are compared first, chosen with the first text that is searched.
    positions: OnceBox<FilterPositions>,
    /// The pattern's Z-values.
    common: OnceBox<Vec<u32>>,
}

impl Prepared {
    fn new(pattern: Vec<u8>) -> Self {
        Self { pattern, positions: OnceBox::new(), common: OnceBox::new() }
    }

    fn common_with_itself(&self) -> &[u32] {
        self.common.get_or_init(|| Box::new(common_with_itself(&self.pattern)))
    }
}

impl FindOne for Prepared {
    fn ends(&self, text: &[u8], _: &dyn Fn(u64)) -> Vec<End> {
        let mut ends = Ends { m: self.pattern.len(), all: Vec::new() };
        search(text, self, &mut ends);
        ends.all
    }

    fn counts(&self) -> bool {
        true
    }

    fn count(&self, text: &[u8]) -> u64 {
        let mut count = Count(0);
        search(text, self, &mut count);
        count.0
    }
}

/// Finds all occurrences, in order.
fn search(text: &[u8], prepared: &Prepared, found: &mut impl Found) {
    let pattern = &prepared.pattern[..];
    if !(1..=text.len()).contains(&pattern.len()) {
        return;
    }
    let positions = prepared.positions.get_or_init(|| Box::new(FilterPositions::new(text, pattern)));
    let verifier = Verifier::new(text, prepared);
    match Simd::widest() {
        #[cfg(target_arch = "x86_64")]
        Some(Simd::Avx512(isa)) => match &positions.beginning {
            Some(beginning) => by_segments(beginning, verifier, found),
            None => isa.run(
                #[inline(always)]
                || filter(isa, positions, verifier, found),
            ),
        },
        #[cfg(target_arch = "x86_64")]
        Some(Simd::Avx2(isa)) => isa.run(
            #[inline(always)]
            || filter(isa, positions, verifier, found),
        ),
        // Unreachable: `check` refuses processors without SIMD.
        _ => {
            let mut verifier = verifier;
            (0..=text.len() - pattern.len()).for_each(|start| verifier.compare(start, found));
        }
    }
}

/// The positions of a pattern that the filter compares.
#[derive(Debug)]
struct FilterPositions {
    /// The positions, in the order of comparison.
    all: Vec<usize>,
    /// Number of positions compared together: 2, 4 or 8. They leave a start in few tiles.
    together: usize,
    /// The pattern's first symbols, if the segments find them faster: there is no rare symbol, and
    /// they occur seldom.
    beginning: Option<Pattern>,
}

impl FilterPositions {
    /// Chooses the positions where a text differs from a pattern.
    fn new(text: &[u8], pattern: &[u8]) -> Self {
        let (m, starts) = (pattern.len(), text.len() - pattern.len() + 1);
        let sampled = |i: usize| i * (starts / SAMPLE.1);
        let mut frequency = [0u32; 256];
        for i in 0..SAMPLE.1 {
            text[sampled(i)..].iter().take(SAMPLE.0).for_each(|&symbol| frequency[usize::from(symbol)] += 1);
        }
        let of = |position: usize| frequency[usize::from(pattern[position])];
        let rarest = (0..m).min_by_key(|&position| of(position)).unwrap_or(0);
        let mut all = vec![rarest];
        // Starts that agree with the pattern in the rarest symbol and all positions chosen so far.
        let from = |i: usize| {
            let hits = memchr::memchr_iter(pattern[rarest], &text[sampled(i) + rarest..]);
            hits.take(HITS).map(move |at| sampled(i) + at)
        };
        let mut left: Vec<usize> = (0..SAMPLE.1).flat_map(from).filter(|start| *start < starts).collect();
        // Expected number of starts of a tile per remaining start of the sample.
        let in_tile = f64::from(of(rarest)) * TILE / (SAMPLE.0 * SAMPLE.1) as f64 / left.len().max(1) as f64;
        let mut together = None;
        let beginning = &pattern[..if m <= LONGEST { m } else { BEGINNING }];
        let agree = |start: &&usize| text[**start..].starts_with(beginning);
        let is_rare = left.iter().filter(agree).count() * SELDOM <= left.len();
        while all.len() < MAX_POSITIONS.min(m) {
            if together.is_none() && in_tile * (left.len() as f64) < RARE {
                together = Some(all.len());
            }
            // The position at which each start first differs from the pattern.
            let far = |start: &usize| common(&text[*start..], &pattern[..m.min(FAR)]);
            let mut differ: Vec<usize> = left.iter().map(far).filter(|&position| position < m.min(FAR)).collect();
            differ.sort_unstable();
            let Some(most) = differ.chunk_by(|a, b| a == b).max_by_key(|same| same.len()) else { break };
            all.push(most[0]);
            left.retain(|start| text[start + most[0]] == pattern[most[0]]);
        }
        // The sample may be unlike the rest of the text: adds a few positions from all over the
        // pattern.
        let others = (0..MAX_POSITIONS).map(|i| i * (m - 1) / (MAX_POSITIONS - 1)).chain(0..m.min(2 * MAX_POSITIONS));
        for position in others {
            if all.len() < MAX_POSITIONS && !all.contains(&position) {
                all.push(position);
            }
        }
        let together = together.unwrap_or(all.len()).next_power_of_two().clamp(2, 8);
        let by_segments =
            together == 8 && is_rare && m >= SHORTEST && Class::from_symbols(beginning.iter().copied()).len() <= FEW;
        Self { all, together, beginning: by_segments.then(|| Pattern::literal(beginning)) }
    }
}

/// Finds the pattern's first symbols by the segments, and verifies the rest.
#[cfg(target_arch = "x86_64")]
fn by_segments(beginning: &Pattern, mut verifier: Verifier<'_>, found: &mut impl Found) {
    let (m, len) = (verifier.pattern.len(), beginning.len());
    for end in segments::ends_of(&verifier.text[..verifier.text.len() - (m - len)], beginning, 0) {
        let start = end.end as usize - len;
        if len == m {
            found.run(start, 1, 0);
        } else {
            verifier.compare(start, found);
        }
    }
}

/// Searches the text, a tile of starts at a time.
#[inline(always)]
fn filter<I: SegmentIsa>(isa: I, positions: &FilterPositions, verifier: Verifier<'_>, found: &mut impl Found) {
    match positions.together {
        2 => tiles::<I, 2>(isa, positions, verifier, found),
        4 => tiles::<I, 4>(isa, positions, verifier, found),
        _ => tiles::<I, 8>(isa, positions, verifier, found),
    }
}

/// Searches the text with P positions compared together.
#[inline(always)]
fn tiles<I: SegmentIsa, const P: usize>(
    isa: I,
    positions: &FilterPositions,
    mut verifier: Verifier<'_>,
    found: &mut impl Found,
) {
    let (text, pattern) = (verifier.text, verifier.pattern);
    let starts = text.len() - pattern.len() + 1;
    // Short patterns repeat some positions.
    let first: [usize; P] = std::array::from_fn(|i| positions.all[i % positions.all.len()]);
    let symbols = first.map(|position| pattern[position]);
    let later = positions.all.iter().skip(P);
    let later: Vec<(usize, ClassTest)> =
        later.map(|&position| (position, ClassTest::new(&Class::from_symbol(pattern[position])))).collect();
    let tile = I::LANES * WORD;
    let is_all = positions.all.len() == pattern.len();
    let mut next = 0;
    while next < starts {
        // The last tile overlaps the one before it, so that it is full.
        let Some(from) = starts.checked_sub(tile).map(|last| last.min(next)) else {
            (next..starts).for_each(|start| verifier.compare(start, found));
            return;
        };
        let mut bits = [0; MAX_LANES];
        if isa.agree(&symbols, &first.map(|position| &text[from + position..][..tile]), &mut bits)
            && is_left(isa, &later, &text[from..], &mut bits)
        {
            for (lane, bits) in bits.into_iter().enumerate().take(I::LANES).filter(|(_, bits)| *bits != 0) {
                let from = from + lane * WORD;
                let done = next.saturating_sub(from);
                let bits = if done < WORD { bits >> done << done } else { 0 };
                if is_all {
                    found.starts(from, bits);
                } else {
                    verifier.compare_all(from, bits, found);
                }
            }
        }
        next = (from + tile).max(verifier.next);
    }
}

/// Keeps the starts that agree in further positions. Returns true if any is left.
#[inline(always)]
fn is_left<I: SegmentIsa>(isa: I, positions: &[(usize, ClassTest)], text: &[u8], bits: &mut [u64; MAX_LANES]) -> bool {
    for (position, test) in positions {
        let symbols = &text[*position..];
        // Lanes beyond the text read zeros.
        let word = |lane: usize| symbols.get(lane * WORD..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; WORD]);
        let mut agree = [0; MAX_LANES];
        isa.members(test, &std::array::from_fn(word), &mut agree);
        bits.iter_mut().zip(agree).for_each(|(bits, agree)| *bits &= agree);
        if bits.iter().all(|bits| *bits == 0) {
            return false;
        }
    }
    true
}

/// Compares starts with the whole pattern, in order.
struct Verifier<'q> {
    text: &'q [u8],
    pattern: &'q [u8],
    prepared: &'q Prepared,
    /// From `start` to `reach` the text equals the pattern's prefix.
    start: usize,
    reach: usize,
    /// Start of the last occurrence.
    last: Option<usize>,
    /// All starts before this one are decided.
    next: usize,
}

impl<'q> Verifier<'q> {
    fn new(text: &'q [u8], prepared: &'q Prepared) -> Self {
        Self { text, pattern: &prepared.pattern, prepared, start: 0, reach: 0, last: None, next: 0 }
    }

    /// Compares the starts at the set bits of a word, whose bit 0 is position `from`.
    fn compare_all(&mut self, from: usize, mut bits: u64, found: &mut impl Found) {
        while bits != 0 {
            self.compare(from + bits.trailing_zeros() as usize, found);
            bits &= bits - 1;
        }
    }

    /// Reports an occurrence at `start`, if there is one. If it overlaps the last one, reports the
    /// whole run.
    fn compare(&mut self, start: usize, found: &mut impl Found) {
        let (text, pattern, m) = (self.text, self.pattern, self.pattern.len());
        if start < self.next {
            return;
        }
        let mut agree = 0;
        let known = self.reach.saturating_sub(start);
        if known > SHORT {
            // At most m - d: the pattern ends there.
            let d = start - self.start;
            if (self.prepared.common_with_itself()[d] as usize) < known {
                return;
            }
            agree = known;
        }
        agree += common(&text[start + agree..], &pattern[agree..]);
        if start + agree > self.reach {
            (self.start, self.reach) = (start, start + agree);
        }
        if agree < m {
            return;
        }
        let mut last = start;
        match self.last.map(|last| start - last).filter(|step| step * DENSE <= m) {
            None => found.run(start, 1, 0),
            Some(step) => {
                let end = start + m;
                let more = common(&text[end..], &text[end - step..]) / step;
                found.run(start, 1 + more, step);
                last += more * step;
                (self.start, self.reach) = (last, last + m);
            }
        }
        (self.last, self.next) = (Some(last), last + 1);
    }
}

/// Returns Z: for each position, the length of the longest common prefix of the pattern and its
/// suffix from there; 0 for the first position.
fn common_with_itself(pattern: &[u8]) -> Vec<u32> {
    let mut z: Vec<u32> = z_values(pattern, pattern.len(), true).into_iter().map(|same| same as u32).collect();
    if let Some(first) = z.first_mut() {
        *first = 0;
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::segment_isa::Plain;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::segment_isa::{Avx2, Avx512};

    /// Returns a text of repeats of random words.
    fn repeats(n: usize, random: &mut fastrand::Rng) -> Vec<u8> {
        let mut text = Vec::new();
        while text.len() < n {
            let word: Vec<u8> = (0..random.usize(1..40)).map(|_| random.u8(b'a'..b'c')).collect();
            text.extend(word.repeat(random.usize(1..60)));
        }
        text.truncate(n);
        text
    }

    fn check<I: SegmentIsa>() {
        let Some(isa) = I::detect() else { return };
        let mut random = fastrand::Rng::with_seed(5);
        let mut runs = 0;
        for case in 0..600 {
            let n = [1, 63, 64, 300, 511, 512, 513, 1500, 4000][case % 9];
            let text = repeats(n, &mut random);
            let m = [1, 2, 8, 15, 16, 17, 40, 65, 100, 200, 400][case % 11].min(n);
            let from = random.usize(..=n - m);
            let mut pattern = text[from..from + m].to_vec();
            if case % 3 == 0 {
                pattern[random.usize(..m)] ^= 1;
            }
            let expected: Vec<u64> =
                text.windows(m).enumerate().filter(|(_, part)| *part == pattern).map(|(s, _)| (s + m) as u64).collect();
            runs += usize::from(expected.len() > 2);
            // Positions chosen for another text must work too.
            for sample in [text.clone(), repeats(n, &mut random)] {
                let prepared = Prepared::new(pattern.clone());
                let positions = FilterPositions::new(&sample, &pattern);
                assert_eq!(positions.all.len(), MAX_POSITIONS.min(m), "{positions:?}");
                let (mut ends, mut count) = (Ends { m, all: Vec::new() }, Count(0));
                filter(isa, &positions, Verifier::new(&text, &prepared), &mut ends);
                filter(isa, &positions, Verifier::new(&text, &prepared), &mut count);
                let found: Vec<u64> = ends.all.iter().map(|end| end.end).collect();
                assert_eq!(found, expected, "m = {m}, n = {n}, case {case}");
                assert_eq!(count.0, expected.len() as u64);
            }
        }
        assert!(runs > 100, "{runs}");
    }

    #[test]
    fn repeats_at_borders_of_tiles() {
        check::<Plain>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx2>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx512>();
    }

    /// After a run, an occurrence may overlap the last one by less than the period, but by more
    /// than is compared again.
    #[test]
    fn an_occurrence_that_overlaps_a_run_by_a_border() {
        let mut random = fastrand::Rng::with_seed(7);
        let [v, w] = [70, 20].map(|len| -> Vec<u8> { (0..len).map(|_| random.u8(b'a'..b'e')).collect() });
        let word = [&v[..], &w, &v].concat();
        let pattern = word.repeat(4);
        let text = [&word.repeat(5), &pattern[v.len()..], &vec![b'x'; 1000]].concat();
        let prepared = Prepared::new(pattern.clone());
        let mut ends = Ends { m: pattern.len(), all: Vec::new() };
        filter(Plain, &FilterPositions::new(&text, &pattern), Verifier::new(&text, &prepared), &mut ends);
        let starts: Vec<u64> = ends.all.iter().map(|end| end.end - pattern.len() as u64).collect();
        assert_eq!(starts, [0, 160, 730]);
    }

    #[test]
    fn z_values_by_their_definition() {
        let mut random = fastrand::Rng::with_seed(6);
        for n in [1, 2, 3, 63, 64, 65, 200, 700] {
            let pattern = repeats(n, &mut random);
            let naive = |d: usize| pattern[d..].iter().zip(&pattern).take_while(|(a, b)| a == b).count() as u32;
            let expected: Vec<u32> = std::iter::once(0).chain((1..n).map(naive)).collect();
            assert_eq!(common_with_itself(&pattern), expected, "{n}");
        }
    }

    #[test]
    fn the_first_place_is_where_the_text_differs() {
        let of = |text: &[u8], pattern: &[u8]| FilterPositions::new(text, pattern).all[..2].to_vec();
        let a = vec![b'a'; 5000];
        let last = [&a[..999], b"b"].concat();
        assert_eq!(of(&a, &last)[0], 999);
        let ab = b"ab".repeat(3000);
        let mut changed = ab[..1000].to_vec();
        changed[700] = b'b';
        // Even starts differ at 700, and odd ones at once.
        assert!(of(&ab, &changed).contains(&700) || of(&ab, &changed).contains(&0));
    }
}
