//! Patterns of one form in one pass: CRISPR guides with a PAM, which must match, and errors in the
//! other positions.
//!
//! ```text
//!              free positions        fixed
//! patterns     G A C G C A T A ...    N G G
//! text     . . . . . . . . . . . . . . A G G . . .
//!              <- 1 2 3 ... outwards |frame matches: 64 positions at a time
//!
//! 512 sites:   symbol 1 of all sites, symbol 2 of all sites, ...   (vectors, by transposition)
//! ```
//!
//! *Frame.* See `frame`: the positions of the text where the fixed positions match.
//! NGG leaves 1 position in 16.
//!
//! *Sites.* The symbols beside as many sites as a vector has bits are transposed: for each symbol,
//! counted from the frame outwards, and each code there is a vector that says where the sites'
//! symbols differ from the code. This is done once for all patterns.
//!
//! *Distances.* Each pattern is compared with all sites of a vector (`guide_lanes`): with
//! substitutions only, by counting where the symbols differ; with gaps, in a band of the table of
//! distances. Sites within k errors are candidates, and the search checks their ends against the
//! limits by kind. Gaps need a frame that is at one end of the patterns.
//!
//! Cost: about 20 instructions for a site. For each pattern at a site, of m symbols, 6 m / 512
//! vector instructions with AVX-512, and with up to d insertions and r deletions 5 (d + r + 1) m /
//! 512 more.

use super::frame::{Frame, FramePlanes, window};
use super::guide_lanes::{self, Beside, Bounds, MOST};
use super::partition;
use super::query::Query;
use super::row::{CpuAlgorithm, FindMany, Group, Offer, Takes};
use super::simd::Simd;
use crate::algorithm::{About, Limits};
use crate::cpu::planes::transpose;
use crate::cpu::segment_isa::{MAX_LANES, SegmentIsa, WORD};
use crate::cpu::vector::Vector;
use crate::error::Result;
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::job::Progress;
use crate::memory;
use crate::text::Pattern;
use rayon::prelude::*;
use std::ops::Range;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "guides",
        "patterns of one form with at most four classes: 512 matches of their fixed positions are compared with a pattern at a time",
        "this project; cells: Myers 1999",
        "20 instructions at each match of the fixed positions, and for each pattern 6 m / 512 vector instructions, more with gaps (AVX-512)",
    )
    .limited(Limits { symbols: Some(WORD as u64), gaps: false, gaps_if_fixed: true, together: true, ..Limits::NONE }),
    check: |query| {
        Simd::required(&ALGORITHM.about)?;
        let reason = "supports patterns whose free positions use at most four disjoint classes; with gaps, their fixed positions \
                      are at one end, and there are at most 4 insertions and 4 deletions";
        Guides::first(query).map(drop).ok_or_else(|| ALGORITHM.about.unsupported(reason.into()))
    },
    takes: Takes::Many { prepare },
};

/// Number of positions that a thread searches at a time. Their planes fit the second-level cache.
const PIECE: usize = 1 << 17;

/// Nanoseconds on one core (Zen 4): for a position of the text, for a match of the frame, and for a
/// pattern at a match, with the part for each cell of the band in a row.
const SCAN: f64 = 0.4;
const SITE: f64 = 8.0;
const COMPARE: f64 = 0.08;
const CELL: f64 = 0.05;

/// Patterns of one form.
#[derive(Debug)]
struct Guides {
    /// The fixed positions, counted from the first symbol of the base.
    frame: Frame,
    /// Number of symbols of the base: the part of the text at a match of the frame that every
    /// occurrence includes. With gaps this is the frame, else the pattern.
    base: usize,
    /// The positions that are compared with the patterns' symbols, in order, counted from the first
    /// symbol of the base: those of the free positions, and with gaps those of insertions.
    beside: Vec<isize>,
    allowed: Allowed,
    /// With gaps, true if the frame is behind the free positions.
    is_behind: bool,
    /// The codes of the patterns' free positions, in the order of `beside`.
    patterns: Vec<Vec<u8>>,
}

/// A candidate: a pattern, and the start of its base in the text.
#[derive(Debug, Clone, Copy)]
struct Site {
    pattern: usize,
    at: usize,
}

/// Prepares patterns, one group for each form. Unless the algorithm is named, only forms with fixed
/// positions are taken, if the other algorithms would take longer.
fn prepare(offer: &Offer<'_>) -> Vec<Group> {
    if Simd::widest().is_none() {
        return Vec::new();
    }
    let mut forms: Vec<Form> = Vec::new();
    for &number in offer.left {
        let query = &offer.queries[number];
        if !offer.is_named && !query.pattern.has_fixed() {
            continue;
        }
        if let Some(form) = forms.iter_mut().find(|form| form.guides.has_form(query))
            && form.guides.push(&query.pattern)
        {
            form.numbers.push(number);
        } else if let Some(guides) = Guides::first(query) {
            forms.push(Form { numbers: vec![number], guides });
        }
    }
    let is_taken = |form: &Form| offer.is_named || form.guides.are_faster();
    let group = |form: Form| Group { numbers: form.numbers, finder: Box::new(form.guides) };
    forms.into_iter().filter(is_taken).map(group).collect()
}

/// The patterns of a form, and their numbers among the patterns of a search.
struct Form {
    numbers: Vec<usize>,
    guides: Guides,
}

impl FindMany for Guides {
    /// Returns ends that include all those of occurrences, with the largest number of errors: the
    /// search checks them, because the patterns have fixed positions or limits by kind.
    fn ends(&self, text: &[u8], progress: Progress<'_>) -> Result<Vec<Vec<End>>> {
        let mut ends = vec![Vec::new(); self.patterns.len()];
        let Bounds { insertions, deletions, .. } = self.bounds();
        let free = self.patterns.first().map_or(0, Vec::len);
        for Site { pattern, at } in self.sites(text, progress) {
            let behind = at + self.base;
            let last = match self.allowed.has_gaps() && !self.is_behind {
                true => behind + free - deletions..=text.len().min(behind + free + insertions),
                false => behind..=behind,
            };
            memory::reserve(&mut ends[pattern], last.clone().count(), "the ends of occurrences")?;
            ends[pattern].extend(last.map(|end| End { end: end as u64, errors: self.allowed.errors }));
        }
        if !self.is_behind {
            // Sites next to one another have ends in common.
            ends.par_iter_mut().for_each(|ends| {
                ends.sort_unstable();
                ends.dedup();
            });
        }
        Ok(ends)
    }
}

impl Guides {
    /// Returns a set of one guide, or `None` if the algorithm does not take the pattern.
    fn first(query: &Query) -> Option<Self> {
        let Query { pattern, allowed, .. } = query;
        let m = pattern.len();
        let [insertions, deletions] = [allowed.insertions, allowed.deletions].map(|most| most as usize);
        let fixed = (0..m).filter(|&i| pattern.is_fixed(i)).count();
        let free = m - fixed;
        let is_behind = fixed > 0 && pattern.is_fixed(m - 1);
        let mut frame = Frame::of(pattern);
        let (base, beside) = if allowed.has_gaps() {
            let start = if is_behind { free } else { 0 };
            let is_at_an_end = fixed > 0 && (start..start + fixed).all(|i| pattern.is_fixed(i));
            if !is_at_an_end || insertions.max(deletions) > MOST || deletions >= free {
                return None;
            }
            frame.fixed.iter_mut().for_each(|(at, _)| *at -= start);
            let outwards = |number: usize| if is_behind { -1 - number as isize } else { (fixed + number) as isize };
            (fixed, (0..free + insertions).map(outwards).collect::<Vec<_>>())
        } else {
            (m, (0..m).filter(|&i| !pattern.is_fixed(i)).map(|i| i as isize).collect())
        };
        let errors = allowed.errors as usize;
        if allowed.transpositions || m > WORD || beside.len() > WORD || free.max(errors + MOST) > guide_lanes::LONGEST {
            return None;
        }
        let mut own = Self { frame, base, beside, allowed: *allowed, is_behind, patterns: Vec::new() };
        own.push(pattern).then_some(own)
    }

    /// Returns true if a pattern differs from the guides in its free positions only.
    fn has_form(&self, query: &Query) -> bool {
        let Query { pattern, allowed, .. } = query;
        let Some(other) = Some(pattern).filter(|_| *allowed == self.allowed).and_then(|_| Self::first(query)) else {
            return false;
        };
        (other.base, other.is_behind, &other.beside, &other.frame.fixed)
            == (self.base, self.is_behind, &self.beside, &self.frame.fixed)
    }

    /// Adds a guide of this form. Returns false if there are no codes for its symbols.
    fn push(&mut self, pattern: &Pattern) -> bool {
        let Some(mut codes) = self.frame.add(pattern) else { return false };
        if self.allowed.has_gaps() && self.is_behind {
            codes.reverse();
        }
        self.patterns.push(codes);
        true
    }

    fn bounds(&self) -> Bounds {
        let Allowed { errors, insertions, deletions, .. } = self.allowed;
        Bounds { errors, insertions: insertions as usize, deletions: deletions as usize }
    }

    /// Returns true if the guides take less time than in the index of
    /// [`partition`](super::partition) and than one at a time, in a random text of the classes of
    /// the free positions.
    fn are_faster(&self) -> bool {
        let count = self.patterns.len();
        // An index has no pieces with positions that several classes match.
        let single = self.patterns.first().map_or(0, Vec::len) + self.frame.single();
        let (k, symbols) = (self.allowed.errors, self.frame.symbols());
        let others = partition::together(count, single, k, symbols).min(partition::apart(count, single, k, symbols));
        let Bounds { insertions, deletions, .. } = self.bounds();
        let pattern = COMPARE + CELL * (insertions + deletions) as f64;
        SCAN + self.frame.share() * (SITE + pattern * count as f64) < others
    }

    /// Returns the candidates in a text, ordered by position, computed by the threads of the
    /// current pool. Empty on a processor without AVX2.
    fn sites(&self, text: &[u8], progress: Progress<'_>) -> Vec<Site> {
        let positions = (text.len() + 1).saturating_sub(self.base);
        let piece = |from: usize| {
            let mut found = Vec::new();
            let range = from..positions.min(from + PIECE);
            let len = range.len() as u64;
            match Simd::widest() {
                #[cfg(target_arch = "x86_64")]
                Some(Simd::Avx512(isa)) => self.piece(isa, text, range, &mut found),
                #[cfg(target_arch = "x86_64")]
                Some(Simd::Avx2(isa)) => self.piece(isa, text, range, &mut found),
                _ => {}
            }
            progress(len);
            found
        };
        let pieces: Vec<usize> = (0..positions).step_by(PIECE).collect();
        let found: Vec<Vec<Site>> = pieces.into_par_iter().map(piece).collect();
        found.concat()
    }

    /// Finds the candidates whose base starts at one of these positions of the text.
    fn piece<I: SegmentIsa>(&self, isa: I, text: &[u8], positions: Range<usize>, found: &mut Vec<Site>) {
        // The symbols from `WORD` before the first position to `WORD` behind the last base; zeros
        // stand for those that the text does not have.
        let before = positions.start.saturating_sub(WORD);
        let mut symbols = vec![0; WORD - (positions.start - before)];
        symbols.extend_from_slice(&text[before..text.len().min(positions.end + self.base + WORD)]);
        symbols.resize((symbols.len() + WORD).next_multiple_of(I::LANES * WORD), 0);
        isa.run(
            #[inline(always)]
            || {
                let planes = FramePlanes::new(isa, &self.frame, &symbols);
                let own = WORD..WORD + positions.len();
                let mut sites = Vec::with_capacity(I::LANES * WORD);
                for word in 1..own.end.div_ceil(WORD) {
                    let mut matches = planes.matches(word);
                    while matches != 0 {
                        let at = word * WORD + matches.trailing_zeros() as usize;
                        matches &= matches - 1;
                        if at >= own.end {
                            break;
                        }
                        sites.push(at);
                        if sites.len() == I::LANES * WORD {
                            self.compare(isa, &planes, &sites, positions.start, found);
                            sites.clear();
                        }
                    }
                }
                self.compare(isa, &planes, &sites, positions.start, found);
            },
        );
    }

    /// Compares all patterns with as many sites as a vector has bits, or fewer. `sites` are starts
    /// of the base in the planes, where position `WORD` is `from` in the text.
    #[inline(always)]
    fn compare<I: SegmentIsa>(
        &self,
        isa: I,
        planes: &FramePlanes,
        sites: &[usize],
        from: usize,
        found: &mut Vec<Site>,
    ) {
        if sites.is_empty() {
            return;
        }
        let beside = self.beside::<I>(isa, planes, sites);
        let bounds = self.bounds();
        let start = found.len();
        for (pattern, codes) in self.patterns.iter().enumerate() {
            let near = guide_lanes::near(isa.base(), &beside, codes, bounds);
            if near.is_zero() {
                continue;
            }
            let mut words = [0; MAX_LANES];
            near.store(&mut words);
            for (word, mut bits) in words.into_iter().enumerate() {
                while bits != 0 {
                    let number = word * WORD + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if let Some(at) = sites.get(number) {
                        found.push(Site { pattern, at: from + at - WORD });
                    }
                }
            }
        }
        found[start..].sort_unstable_by_key(|site| site.at);
    }

    /// Returns the symbols beside sites.
    #[inline(always)]
    fn beside<I: SegmentIsa>(&self, isa: I, planes: &FramePlanes, sites: &[usize]) -> Beside<I::Vector> {
        let first = self.beside.iter().copied().min().unwrap_or(0);
        let last = self.beside.iter().copied().max().unwrap_or(0);
        // Word w has the symbols of sites 64 w and following.
        let mut low = [[0; MAX_LANES]; WORD];
        let mut high = low;
        let mut none = low;
        for (word, sites) in sites.chunks(WORD).enumerate() {
            let starts = || sites.iter().map(|&at| at.wrapping_add_signed(first));
            // Half of the symbols at a time, so that two planes are transposed at once.
            for half in (0..=(last - first) as usize).step_by(WORD / 2) {
                let [lows, highs] = transposed(&planes.low, &planes.high, starts().map(|start| start + half));
                for (symbol, (own_low, own_high)) in lows.iter().zip(highs).enumerate() {
                    low[half + symbol][word] = *own_low;
                    high[half + symbol][word] = own_high;
                }
                // Few symbols have no code.
                if starts().any(|start| window(&planes.none, start + half) != 0) {
                    let [nones, _] = transposed(&planes.none, &planes.none, starts().map(|start| start + half));
                    nones.into_iter().enumerate().for_each(|(symbol, own)| none[half + symbol][word] = own);
                }
            }
        }
        let differ = |&at: &isize| {
            let symbol = (at - first) as usize;
            let load = |words: &[u64; MAX_LANES]| I::Vector::load(isa.base(), words);
            let [low, high, none] = [&low, &high, &none].map(|plane| load(&plane[symbol]));
            let ones = I::Vector::splat(isa.base(), !0);
            let [not_low, not_high] = [low, high].map(|plane| ones.and_not(plane));
            [low.or(high).or(none), not_low.or(high).or(none), low.or(not_high).or(none), not_low.or(not_high).or(none)]
        };
        self.beside.iter().map(differ).collect()
    }
}

/// Returns 32 bits of two planes from each start on, transposed: bit i of the word with number j is
/// bit j of start i. At most 64 starts.
#[inline(always)]
fn transposed(low: &[u64], high: &[u64], starts: impl Iterator<Item = usize>) -> [[u64; WORD / 2]; 2] {
    const HALF: u64 = u32::MAX as u64;
    let mut windows = [0; WORD];
    for (own, start) in windows.iter_mut().zip(starts) {
        *own = window(low, start) & HALF | window(high, start) << (WORD / 2);
    }
    transpose(&mut windows);
    let (low, high) = windows.split_at(WORD / 2);
    [low, high].map(|half| std::array::from_fn(|symbol| half[symbol]))
}
