//! The best `ratio` of the shorter string with a part of the longer one that is no longer.
//!
//! The parts of the shorter string's length are windows. A table of a window takes m / 64 steps per
//! symbol. Two neighbouring windows have distances that differ by at most 2, so windows between two
//! bad ones are left out. The other parts are prefixes, whose lengths of a longest common
//! subsequence are in the columns of one table, and suffixes, which are prefixes in reverse.

use super::common::next;
use super::scorer::{Growth, Measure, Scorer, SimilarityToOne};
use crate::pairs::ids::Ids;
use crate::pairs::word_masks::{WORD, WordMasks};
use crate::pairs::{PairString, Symbols};
use std::ops::Range;

pub(super) const SCORER: Scorer = Scorer {
    name: "partial-ratio",
    about: "the best `ratio` of the shorter string with a part of the longer one",
    growth: Growth::Windows,
    measure: Measure::Similarity {
        two: |a, b, _, least| partial_ratio(a, b, least),
        optimal: 100.0,
        prepare: Some(|text, _| {
            let needle = Needle::new(text.symbols());
            SimilarityToOne::new(move |other, least| match text.symbols().len() <= other.len() {
                true => aligned(text.symbols(), &needle, other, least).score,
                false => partial_ratio(text.symbols(), other, least),
            })
        }),
    },
    of_pairs: None,
};

/// The best part of a string, and its similarity to another string.
///
/// ```
/// use carrywave::scorers::partial_ratio_alignment;
///
/// let found = partial_ratio_alignment(&"a certain string", &"cetain", 0.0).unwrap();
/// assert_eq!((found.a, found.b), (2..8, 0..6));
/// assert!((found.score - 83.333).abs() < 0.001);
/// assert!(partial_ratio_alignment(&"a certain string", &"cetain", 90.0).is_none());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PartialAlignment {
    /// `ratio` of the part and the shorter string, from 0 to 100.
    pub score: f64,
    /// Part of the first string: positions of symbols, 0-based and half-open.
    pub a: Range<usize>,
    /// Part of the second string: positions of symbols, 0-based and half-open.
    pub b: Range<usize>,
}

impl PartialAlignment {
    fn exchanged(self) -> Self {
        Self { score: self.score, a: self.b, b: self.a }
    }
}

/// Returns the part of the longer string that is most similar to the shorter string, or `None` if
/// its score is below `least`. Takes at most m^2 n / 64 steps for strings of m and n symbols, m the
/// shorter one, and memory linear in the lengths. See the [example](PartialAlignment).
pub fn partial_ratio_alignment(a: &impl PairString, b: &impl PairString, least: f64) -> Option<PartialAlignment> {
    let found = alignment(a.symbols(), b.symbols(), least);
    (found.score >= least).then_some(found)
}

/// Computes the best similarity, or 0 if it is below `least`.
pub(super) fn partial_ratio(a: Symbols<'_>, b: Symbols<'_>, least: f64) -> f64 {
    alignment(a, b, least).score
}

fn alignment(a: Symbols<'_>, b: Symbols<'_>, least: f64) -> PartialAlignment {
    if a.len() > b.len() {
        aligned(b, &Needle::new(b), a, least).exchanged()
    } else {
        aligned(a, &Needle::new(a), b, least)
    }
}

/// Returns the best alignment of a string with another that is not shorter.
fn aligned(short: Symbols<'_>, needle: &Needle, long: Symbols<'_>, least: f64) -> PartialAlignment {
    let (m, n) = (short.len(), long.len());
    if least > 100.0 || m == 0 {
        let score = if m == n && least <= 100.0 { 100.0 } else { 0.0 };
        return PartialAlignment { score, a: 0..m, b: 0..m };
    }
    let best = best_part(needle, m, long, least);
    let found = PartialAlignment { score: best.score, a: 0..m, b: best.part };
    if m < n || found.score == 100.0 {
        return found;
    }
    let other = best_part(&Needle::new(long), m, short, least.max(found.score));
    if other.score > found.score { PartialAlignment { score: other.score, a: other.part, b: 0..m } } else { found }
}

/// The shorter string, prepared.
enum Needle {
    Word(Box<WordMasks>),
    Long { ids: Box<Ids>, rows: Vec<u32> },
}

/// The longer string, as the needle's table reads it.
enum Columns {
    /// The rows that are equal to each symbol.
    Masks(Vec<u64>),
    /// The needle's numbers of the symbols.
    Ids(Vec<u32>),
}

impl Needle {
    fn new(string: Symbols<'_>) -> Self {
        if string.len() <= WORD {
            return Self::Word(Box::new(WordMasks::new(string)));
        }
        let (ids, rows) = Ids::new(string);
        Self::Long { ids: Box::new(ids), rows }
    }

    fn columns(&self, string: Symbols<'_>) -> Columns {
        match self {
            Self::Word(masks) => {
                let mut columns = Vec::with_capacity(string.len());
                masks.each(string, |equal| columns.push(equal));
                Columns::Masks(columns)
            }
            Self::Long { ids, .. } => Columns::Ids(ids.of(string)),
        }
    }

    /// Calls `each` with the start of each window of `len` symbols and its LCS length, in the
    /// order of `starts`.
    fn windows(&self, columns: &Columns, len: usize, starts: &[usize], each: &mut dyn FnMut(usize, usize)) {
        for starts in starts.chunks(CHAINS) {
            crate::threads::check();
            // The last group repeats its first window.
            let windows: [usize; CHAINS] = std::array::from_fn(|chain| *starts.get(chain).unwrap_or(&starts[0]));
            let lengths = match (self, columns) {
                (Self::Word(_), Columns::Masks(masks)) => {
                    by_word(windows.map(|start| masks.get(start..start + len).unwrap_or_default()))
                }
                (Self::Long { ids, rows }, Columns::Ids(numbers)) => {
                    let windows = windows.map(|start| numbers.get(start..start + len).unwrap_or_default());
                    by_strips(rows, ids.count, windows)
                }
                _ => [0; CHAINS],
            };
            starts.iter().zip(lengths).for_each(|(&start, length)| each(start, length));
        }
    }

    /// Calls `each` with the LCS lengths of the prefixes of some columns, or, in reverse, of their
    /// suffixes: of 1 symbol, of 2 and so on.
    fn prefixes(
        &self,
        columns: &Columns,
        range: Range<usize>,
        m: usize,
        is_reverse: bool,
        each: &mut dyn FnMut(usize),
    ) {
        match (self, columns) {
            (Self::Word(_), Columns::Masks(masks)) => {
                let masks = masks.get(range).unwrap_or_default();
                let mut v = !0u64;
                let mut length = |equal: u64| {
                    v = next(v, equal);
                    each(v.count_zeros() as usize);
                };
                if is_reverse {
                    let unused = WORD - m.min(WORD);
                    masks.iter().rev().for_each(|&equal| length(equal.reverse_bits() >> unused));
                } else {
                    masks.iter().for_each(|&equal| length(equal));
                }
            }
            (Self::Long { ids, rows }, Columns::Ids(numbers)) => {
                let mut rows = rows.clone();
                let mut columns = numbers.get(range).unwrap_or_default().to_vec();
                if is_reverse {
                    rows.reverse();
                    columns.reverse();
                }
                lengths_by_strips(&rows, ids.count, &columns).into_iter().for_each(each);
            }
            _ => {}
        }
    }
}

/// Windows that are computed at a time: a processor starts an instruction of the next one before it
/// ends an instruction of the first.
const CHAINS: usize = 4;

#[inline]
fn by_word(windows: [&[u64]; CHAINS]) -> [usize; CHAINS] {
    let mut v = [!0u64; CHAINS];
    let [a, b, c, d] = windows;
    for (((&a, &b), &c), &d) in a.iter().zip(b).zip(c).zip(d) {
        v = [next(v[0], a), next(v[1], b), next(v[2], c), next(v[3], d)];
    }
    v.map(|v| v.count_zeros() as usize)
}

/// Takes a word to the next column, with a carry from the rows above. Returns the carry below.
#[inline(always)]
fn next_with_carry(v: &mut u64, equal: u64, carry: bool) -> bool {
    let matched = *v & equal;
    let (sum, first) = v.overflowing_add(matched);
    let (sum, second) = sum.overflowing_add(u64::from(carry));
    *v = sum | *v & !matched;
    first || second
}

fn by_strips(rows: &[u32], count: usize, windows: [&[u32]; CHAINS]) -> [usize; CHAINS] {
    let mut equal = vec![0u64; count];
    let mut carries = vec![[false; CHAINS]; windows[0].len()];
    let mut lengths = [0; CHAINS];
    let [a, b, c, d] = windows;
    for strip in rows.chunks(WORD) {
        strip.iter().enumerate().for_each(|(bit, &id)| equal[id as usize] |= 1 << bit);
        let mut v = [!0u64; CHAINS];
        for ((((&a, &b), &c), &d), carry) in a.iter().zip(b).zip(c).zip(d).zip(&mut carries) {
            for (chain, id) in [a, b, c, d].into_iter().enumerate() {
                carry[chain] = next_with_carry(&mut v[chain], equal[id as usize], carry[chain]);
            }
        }
        lengths.iter_mut().zip(v).for_each(|(length, v)| *length += v.count_zeros() as usize);
        strip.iter().for_each(|&id| equal[id as usize] = 0);
    }
    lengths
}

/// Returns the LCS lengths of the rows and each prefix of the columns.
fn lengths_by_strips(rows: &[u32], count: usize, columns: &[u32]) -> Vec<usize> {
    let mut equal = vec![0u64; count];
    let mut carries = vec![false; columns.len()];
    let mut lengths = vec![0; columns.len()];
    for strip in rows.chunks(WORD) {
        strip.iter().enumerate().for_each(|(bit, &id)| equal[id as usize] |= 1 << bit);
        let mut v = !0u64;
        for ((&id, carry), length) in columns.iter().zip(&mut carries).zip(&mut lengths) {
            *carry = next_with_carry(&mut v, equal[id as usize], *carry);
            *length += v.count_zeros() as usize;
        }
        strip.iter().for_each(|&id| equal[id as usize] = 0);
    }
    lengths
}

/// The best part of the longer string.
struct Best {
    score: f64,
    part: Range<usize>,
}

impl Best {
    /// Takes a part with this distance if it is not worse.
    fn offer_longer(&mut self, distance: usize, total: usize, least: f64, part: Range<usize>) {
        let normalized = 1.0 - distance as f64 / total as f64;
        if normalized >= least / 100.0 && normalized * 100.0 >= self.score {
            *self = Self { score: normalized * 100.0, part };
        }
    }

    /// Takes a part with this distance if it is better.
    fn offer(&mut self, distance: usize, total: usize, least: f64, part: Range<usize>) {
        let normalized = 1.0 - distance as f64 / total as f64;
        if normalized >= least / 100.0 && normalized * 100.0 > self.score {
            *self = Self { score: normalized * 100.0, part };
        }
    }
}

fn best_part(needle: &Needle, m: usize, long: Symbols<'_>, least: f64) -> Best {
    let n = long.len();
    let columns = needle.columns(long);
    let mut best = Best { score: 0.0, part: 0..m };
    if n > m {
        best_window(needle, m, n, &columns, least, &mut best);
    }
    if best.score == 100.0 {
        return best;
    }
    // A part that ends in a symbol without a match is worse than the part without this symbol.
    let (mut before, mut size) = (0, 0);
    needle.prefixes(&columns, 0..m - 1, m, false, &mut |length| {
        size += 1;
        if std::mem::replace(&mut before, length) < length {
            best.offer(m + size - 2 * length, m + size, least, 0..size);
        }
    });
    if best.score == 100.0 {
        return best;
    }
    // Of equally good suffixes, the longest counts.
    let mut suffix = Best { score: 0.0, part: 0..0 };
    let (mut before, mut size) = (0, 0);
    needle.prefixes(&columns, n - m..n, m, true, &mut |length| {
        size += 1;
        if std::mem::replace(&mut before, length) < length {
            suffix.offer_longer(m + size - 2 * length, m + size, least, n - size..n);
        }
    });
    if suffix.score > best.score { suffix } else { best }
}

/// Windows between two windows whose distances are known.
#[derive(Clone, Copy)]
struct Span {
    first: usize,
    last: usize,
}

/// Mark of a distance that is not known.
const UNKNOWN: usize = usize::MAX;

/// Starts of windows in the order of the search, for up to four windows.
const FEW: [&[usize]; CHAINS] = [&[0], &[0, 1], &[0, 2, 1], &[0, 3, 1, 2]];

/// Finds the best of the windows before the last one, which is also a suffix.
fn best_window(needle: &Needle, m: usize, n: usize, columns: &Columns, least: f64, best: &mut Best) {
    let total = 2 * m;
    // Distances below the limit may lead to the least score or a better one.
    let limit = (total as f64 * (1.0 - least / 100.0 + 1e-5).min(1.0)).ceil() as usize;
    let mut nearest = Nearest { limit, start: None };
    match FEW.get(n - m - 1) {
        Some(starts) => {
            needle.windows(columns, m, starts, &mut |start, length| nearest.offer(start, total - 2 * length));
        }
        None => search(needle, m, n, columns, &mut nearest),
    }
    if let Some(start) = nearest.start {
        best.part = start..start + m;
        let score = (1.0 - nearest.limit as f64 / total as f64) * 100.0;
        if score >= least {
            best.score = score;
        }
    }
}

/// The first of the windows with the least distance.
struct Nearest {
    /// Windows with a lower distance are better.
    limit: usize,
    start: Option<usize>,
}

impl Nearest {
    fn offer(&mut self, start: usize, distance: usize) {
        if distance < self.limit {
            *self = Self { limit: distance, start: Some(start) };
        }
    }
}

/// Tries windows halfway between windows, where better ones may be.
fn search(needle: &Needle, m: usize, n: usize, columns: &Columns, nearest: &mut Nearest) {
    let total = 2 * m;
    let mut distances = vec![UNKNOWN; n - m];
    let mut spans = vec![Span { first: 0, last: n - m - 1 }];
    while !spans.is_empty() && nearest.limit > 0 {
        let mut starts = Vec::new();
        for start in spans.iter().flat_map(|span| [span.first, span.last]) {
            if distances[start] == UNKNOWN {
                distances[start] = 0;
                starts.push(start);
            }
        }
        needle.windows(columns, m, &starts, &mut |start, length| {
            distances[start] = total - 2 * length;
            nearest.offer(start, distances[start]);
        });
        let mut parts = Vec::new();
        for Span { first, last } in spans {
            let size = last - first;
            // Each step from a window to the next changes the distance by at most 2.
            let least = ((distances[first] + distances[last]) / 2).saturating_sub(size);
            if size > 1 && least < nearest.limit {
                let center = first + size / 2;
                parts.push(Span { first, last: center });
                parts.push(Span { first: center, last });
            }
        }
        spans = parts;
    }
}
