//! Many patterns of one form in one pass: CRISPR guides with a PAM, which must match, and
//! substitutions in the other positions only.
//!
//! ```text
//! patterns    G A C G C A T A A A G A T G A G A C G C N G G      m = 23, 3 of them fixed
//!             A C G A A T C A T G T A T C T A C C G T N G G
//! text        . . . . . . . . . . . . . . . . . . . . . . . . .  3 bits per symbol (planes)
//!             |start where the frame matches: 64 starts at a time
//! ```
//!
//! *Planes.* The free positions of all guides have at most four disjoint classes (for nucleotides
//! A, C, G and T). So a symbol has a code of 2 bits, or none. 64 symbols are three words: the low
//! bits, the high bits, and the symbols without a code. For each class of the frame, another word
//! holds the symbols that match it.
//!
//! *Frame.* A frame matches at the AND of those words, each shifted by its position. NGG leaves 1
//! start in 16.
//!
//! *Guides.* At each remaining start, the next m symbols are three words. The mismatches of a guide
//! are the bits of (low ^ its low | high ^ its high | without a code) in its free positions: XOR,
//! OR and a population count for each guide, eight or four guides per vector.
//!
//! Cost: 3 vector instructions per class for 64 symbols of the text, and about 3 instructions per
//! guide for each start that the frame leaves.

use super::partition;
use super::query::Query;
use super::row::{CpuAlgorithm, FindMany, Group, Offer, Takes};
use super::simd::Simd;
use crate::algorithm::{About, Limits};
use crate::cpu::class_test::ClassTest;
use crate::cpu::segment_isa::{MAX_LANES, SegmentIsa, WORD};
use crate::error::Result;
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::job::Progress;
use crate::memory;
use crate::text::{Class, Pattern};
use rayon::prelude::*;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "guides",
        "substitutions only: patterns of one form with at most four classes, compared where their fixed positions match",
        "this project",
        "3 vector instructions per class for 64 symbols, and 3 per pattern at each position where the fixed positions match",
    )
    .limited(Limits { symbols: Some(LONGEST as u64), gaps: false, together: true, ..Limits::NONE }),
    check: |query| {
        Simd::required(&ALGORITHM.about)?;
        let reason = "supports patterns whose free positions use at most four disjoint classes";
        Guides::first(query).map(drop).ok_or_else(|| ALGORITHM.about.unsupported(reason.into()))
    },
    takes: Takes::Many { prepare },
};

/// Least number of guides of a form; fewer are searched for one at a time.
const FEWEST: usize = 3;

/// Largest number of symbols of a pattern: one word.
const LONGEST: usize = 64;

/// Number of starts that a thread searches at a time. Their planes fit the second-level cache.
const PIECE: usize = 1 << 17;

/// Number of guides that are compared at a time.
const TOGETHER: usize = 8;

/// Guides of one form.
#[derive(Debug)]
struct Guides {
    /// Number of symbols of a pattern.
    m: usize,
    /// Largest number of mismatches.
    k: u32,
    /// The fixed positions, each with its class.
    frame: Vec<(usize, Class)>,
    /// The classes of the other positions, indexed by code 0, 1, 2 and 3.
    codes: Vec<Class>,
    /// The other positions, one bit each.
    free: u64,
    /// The guides' codes, in groups of eight.
    guides: Vec<[Planes; TOGETHER]>,
    /// Number of guides.
    count: usize,
}

/// The codes of a guide's symbols, one bit per position and plane.
#[derive(Debug, Clone, Copy, Default)]
struct Planes {
    low: u64,
    high: u64,
}

/// A match of a guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Site {
    /// Number of the guide.
    guide: usize,
    /// End of the match, exclusive; the match has m symbols.
    end: u64,
    /// Number of mismatches.
    errors: u32,
}

/// Nanoseconds on one core for a guide at a start that the frame leaves.
const COMPARE: f64 = 0.3;

/// Prepares guides, one group for each form. Unless the algorithm is named, only forms with fixed
/// positions and enough guides are taken, if an index of all guides would take longer.
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
    let are_enough =
        |form: &Form| offer.is_named || form.numbers.len() >= FEWEST && form.guides.are_faster_than_an_index();
    let group = |form: Form| Group { numbers: form.numbers, finder: Box::new(form.guides) };
    forms.into_iter().filter(are_enough).map(group).collect()
}

/// The guides of a form, and their numbers among the patterns of a search.
struct Form {
    numbers: Vec<usize>,
    guides: Guides,
}

impl FindMany for Guides {
    fn ends(&self, text: &[u8], _: Progress<'_>) -> Result<Vec<Vec<End>>> {
        let mut ends = vec![Vec::new(); self.count];
        for Site { guide, end, errors } in self.sites(text) {
            memory::reserve(&mut ends[guide], 1, "the ends of occurrences")?;
            ends[guide].push(End { end, errors });
        }
        Ok(ends)
    }
}

impl Guides {
    /// Returns a set of one guide, or `None` if the pattern may have gaps or has more than 64
    /// symbols.
    fn first(query: &Query) -> Option<Self> {
        let Query { pattern, allowed, .. } = query;
        let m = pattern.len();
        if allowed.has_gaps() || m > LONGEST {
            return None;
        }
        let fixed = (0..m).filter(|&i| pattern.is_fixed(i));
        let frame: Vec<(usize, Class)> = fixed.map(|i| (i, pattern.classes()[i])).collect();
        let free = (0..m).filter(|&i| !pattern.is_fixed(i)).fold(0, |bits, i| bits | 1 << i);
        let (codes, guides) = (Vec::new(), Vec::new());
        let mut own = Self { m, k: allowed.errors, frame, codes, free, guides, count: 0 };
        own.push(pattern).then_some(own)
    }

    /// Returns true if a pattern differs from the guides in its free positions only.
    fn has_form(&self, query: &Query) -> bool {
        let Query { pattern, allowed, .. } = query;
        let frame = (0..pattern.len()).filter(|&i| pattern.is_fixed(i)).map(|i| (i, pattern.classes()[i]));
        (pattern.len(), *allowed) == (self.m, Allowed::mismatches(self.k)) && frame.eq(self.frame.iter().copied())
    }

    /// Adds a guide of this form. Returns false if there are no codes for its symbols.
    fn push(&mut self, pattern: &Pattern) -> bool {
        let mut codes = self.codes.clone();
        let mut planes = Planes::default();
        for (i, class) in pattern.classes().iter().enumerate().filter(|(i, _)| self.free >> i & 1 == 1) {
            let code = codes.iter().position(|known| known == class).unwrap_or_else(|| {
                codes.push(*class);
                codes.len() - 1
            });
            planes.low |= (code as u64 & 1) << i;
            planes.high |= (code as u64 >> 1 & 1) << i;
        }
        let apart = |(i, class): (usize, &Class)| codes[..i].iter().all(|other| other.intersection(*class).is_empty());
        if codes.len() > 4 || !codes.iter().enumerate().all(apart) {
            return false;
        }
        self.codes = codes;
        if self.count.is_multiple_of(TOGETHER) {
            self.guides.push([Planes::default(); TOGETHER]);
        }
        if let Some(last) = self.guides.last_mut() {
            last[self.count % TOGETHER] = planes;
        }
        self.count += 1;
        true
    }

    /// Returns true if the guides take less time than in the index of
    /// [`partition`](super::partition), in a random text of the classes of the free positions.
    fn are_faster_than_an_index(&self) -> bool {
        let symbols = self.codes.len().max(2) as f64;
        let matching = |class: &Class| self.codes.iter().filter(|code| !code.intersection(*class).is_empty()).count();
        let frame: Vec<usize> = self.frame.iter().map(|(_, class)| matching(class)).collect();
        let starts: f64 = frame.iter().map(|&matching| (matching as f64 / symbols).min(1.0)).product();
        // An index has no pieces with positions that several classes match.
        let single = self.free.count_ones() as usize + frame.iter().filter(|&&matching| matching <= 1).count();
        starts * COMPARE * (self.count as f64) < partition::together(self.count, single, self.k, symbols)
    }

    /// Returns the matches of all guides in a text, ordered by end, computed by the threads of the
    /// current pool. Empty on a processor without AVX2.
    fn sites(&self, text: &[u8]) -> Vec<Site> {
        let starts = (text.len() + 1).saturating_sub(self.m);
        let piece = |from: usize| {
            let mut found = Vec::new();
            let part = &text[from..text.len().min(from + PIECE + self.m - 1)];
            match Simd::widest() {
                #[cfg(target_arch = "x86_64")]
                Some(Simd::Avx512(isa)) => self.piece(isa, part, from, &mut found),
                #[cfg(target_arch = "x86_64")]
                Some(Simd::Avx2(isa)) => self.piece(isa, part, from, &mut found),
                _ => {}
            }
            found
        };
        let pieces: Vec<usize> = (0..starts).step_by(PIECE).collect();
        let found: Vec<Vec<Site>> = pieces.into_par_iter().map(piece).collect();
        found.concat()
    }

    /// Finds the matches in a piece of the text that starts at `from`.
    fn piece<I: SegmentIsa>(&self, isa: I, text: &[u8], from: usize, found: &mut Vec<Site>) {
        let starts = text.len() + 1 - self.m;
        // Whole vectors, and one word behind the last start.
        let mut symbols = text.to_vec();
        symbols.resize((text.len() + WORD).next_multiple_of(I::LANES * WORD), 0);
        isa.run(
            #[inline(always)]
            || {
                let plane = |class: &Class| members(isa, &ClassTest::new(class), &symbols);
                let codes: Vec<Vec<u64>> = self.codes.iter().map(plane).collect();
                let code = |number: usize, word: usize| codes.get(number).map_or(0, |plane| plane[word]);
                let words = 0..symbols.len() / WORD;
                let low: Vec<u64> = words.clone().map(|word| code(1, word) | code(3, word)).collect();
                let high: Vec<u64> = words.clone().map(|word| code(2, word) | code(3, word)).collect();
                let none: Vec<u64> =
                    words.map(|word| !(code(0, word) | code(1, word) | code(2, word) | code(3, word))).collect();
                let mut classes: Vec<(Class, Vec<u64>)> = Vec::new();
                for (_, class) in &self.frame {
                    if !classes.iter().any(|(known, _)| known == class) {
                        classes.push((*class, plane(class)));
                    }
                }
                let known = |class: &Class| classes.iter().position(|(known, _)| known == class).unwrap_or(0);
                let frame: Vec<(usize, &[u64])> =
                    self.frame.iter().map(|(at, class)| (*at, &classes[known(class)].1[..])).collect();
                for word in 0..starts.div_ceil(WORD) {
                    let mut matches = !0;
                    for (at, plane) in &frame {
                        matches &= window(plane, word * WORD + at);
                    }
                    while matches != 0 {
                        let start = word * WORD + matches.trailing_zeros() as usize;
                        matches &= matches - 1;
                        if start >= starts {
                            return;
                        }
                        let here = Planes { low: window(&low, start), high: window(&high, start) };
                        self.compare(here, window(&none, start), (from + start + self.m) as u64, found);
                    }
                }
            },
        );
    }

    /// Adds the guides that match m symbols of the text.
    #[inline(always)]
    fn compare(&self, text: Planes, none: u64, end: u64, found: &mut Vec<Site>) {
        let (k, free) = (u64::from(self.k), self.free);
        for (number, guides) in self.guides.iter().enumerate() {
            let errors: [u64; TOGETHER] = std::array::from_fn(|i| {
                let wrong = (text.low ^ guides[i].low) | (text.high ^ guides[i].high) | none;
                u64::from((wrong & free).count_ones())
            });
            if errors.iter().fold(u64::MAX, |least, &errors| least.min(errors)) > k {
                continue;
            }
            for (i, errors) in errors.into_iter().enumerate().filter(|(_, errors)| *errors <= k) {
                let guide = number * TOGETHER + i;
                if guide < self.count {
                    found.push(Site { guide, end, errors: errors as u32 });
                }
            }
        }
    }
}

/// Returns one bit for each symbol that is in a class. The symbols must be whole vectors.
#[inline(always)]
fn members<I: SegmentIsa>(isa: I, test: &ClassTest, symbols: &[u8]) -> Vec<u64> {
    let mut plane = Vec::with_capacity(symbols.len() / WORD);
    for part in symbols.chunks_exact(I::LANES * WORD) {
        let words: [&[u8; WORD]; MAX_LANES] =
            std::array::from_fn(|lane| part.get(lane * WORD..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; WORD]));
        let mut members = [0; MAX_LANES];
        isa.members(test, &words, &mut members);
        plane.extend_from_slice(&members[..I::LANES]);
    }
    plane
}

/// Returns 64 bits of a plane from bit `at` on, with zeros beyond its end.
#[inline(always)]
fn window(plane: &[u64], at: usize) -> u64 {
    let (word, bit) = (at / WORD, at % WORD);
    let own = plane.get(word).copied().unwrap_or(0) >> bit;
    if bit == 0 { own } else { own | plane.get(word + 1).copied().unwrap_or(0) << (WORD - bit) }
}
