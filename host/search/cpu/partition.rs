//! Very many patterns with at most k errors in one pass over the text, by partition into exact pieces: S. Wu and U. Manber,
//! Fast text searching allowing errors, Communications of the ACM 35(10), 1992; R. Baeza-Yates and C. Perleberg, Fast and
//! practical approximate pattern matching, Combinatorial Pattern Matching, 1992.
//!
//! Of k + 1 pieces of a pattern that have no position in common, k errors leave one as it is. So every occurrence has a piece
//! without errors in it. The pieces here are q-grams (strings of q symbols, the same q for all patterns), and the q-grams of all
//! patterns are in one index.
//!
//! ```text
//! pattern, k = 2      ..[GATTA]..[CCTGA]..[TTGAC]....          k + 1 q-grams, o: offset of one of them in the pattern
//! text                ....................CCTGA..............
//!                                         ^ t                  in the index: an occurrence may be here
//! window                     [--------------------------]      from t - o - k, of m + 2k symbols
//! ```
//!
//! 1. *Scan*: the q-gram at each place of the text is looked up, in a filter of bits first: some 15 instructions a symbol, however
//!    many patterns there are.
//! 2. *Pairs*: of pieces that are neighbours two make a pair, and if all pairs had two errors, and a piece that is left over one, there were more
//!    than k. So a piece that has a partner counts only where the partner is beside it with one error at most: three comparisons of eight symbols.
//! 3. *Verify*: a place of a q-gram gives a window for each pattern that has it there, if the rest of the piece follows too. The
//!    windows of a pattern are merged where they touch, and Myers' bit-vectors go through them, eight at a time. Two windows that
//!    have a symbol in common are one, so each end is found once; and with the least errors, since the best occurrence that ends
//!    there has a window too, which is part of the same one.
//!
//! A random text of σ symbols has a given q-gram at one place in σ^q, and each window costs some 100 ns, so with (k + 1) σ^-q far
//! below 1 / 500 a pattern costs next to nothing. Where windows are a larger part of the text, as for repeats, the pattern is
//! searched for in all of it as it would be without the index ([`alone`]): so the time is about that at most. Equal patterns are
//! searched for once.
//!
//! On one core, 4.6 million bases (E. coli), 20,000 patterns from it of 20 bases, both strands: without errors 0.03 s instead of
//! 10 s, k = 1: 0.07 s instead of 15 s, k = 2: 4 s instead of 18 s; with k = 3, it does not pay. About 20 patterns pay for the scan.
//!
//! Memory, in bytes: 2 m + 12 a pattern, 22 to 28 for each of its k + 1 pieces (less if patterns share q-grams), and the ends;
//! while the index is made, about twice that. And for each place of a q-gram in 16 Mi symbols of the text 12.

use super::segments::Simd;
use super::{CpuAlgorithm, Query, seeds};
use crate::cpu::segment_isa::SegmentIsa as _;
use crate::device::EngineKind;
use crate::error::Result;
use crate::infix::{End, cut_off};
use crate::memory;
use crate::search::find::Algorithm;
use crate::text::{Class, Pattern};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// Positions of a pattern at most: a window's state is then small, and its windows are short beside a chunk.
const LONGEST: usize = u16::MAX as usize;
/// Different classes at most.
const CLASSES: usize = 1 << 10;
/// Symbols of the text that are scanned before their windows are verified, at least.
const CHUNK: usize = 16 << 20;
/// Times what goes before a chunk that the chunk has at least, so that little is searched twice.
const HALOS: usize = 8;
/// Symbols that a thread scans at a time.
const TASK: usize = 256 << 10;
/// Symbols whose q-grams pass the filter before they are looked up, so that neither waits for the other. A power of two.
const BLOCK: usize = 1024;
/// Patterns that a thread verifies at a time.
const GROUP: usize = 64;
/// Windows of a pattern that are gone through at a time, one in each lane of a SIMD vector.
const LANES: usize = 8;
/// Symbols of a partner that are compared at most: a text with one error has one more.
const BESIDE: usize = 7;
/// Codes before and after a text's own.
const PAD: usize = 8;
/// Windows that are faster one by one.
const FEW: usize = 3;
/// Symbols of each window whose matches are laid side by side at a time.
const STEPS: usize = 32;
/// An odd number without a pattern in its bits.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// What ends are called when there is no memory for them.
const ENDS: &str = "the ends of occurrences";

/// Nanoseconds on one core that the scan takes for a symbol.
const SCAN: f64 = 3.0;
/// Nanoseconds that a place of a q-gram takes for each pattern that has it.
const PLACE: f64 = 5.0;
/// Nanoseconds that a window takes beside its symbols.
const WINDOW: f64 = 30.0;
/// Nanoseconds that an instruction takes of those that algorithms' costs are in.
const INSTRUCTION: f64 = 0.37;
/// Nanoseconds that a symbol of the text takes when a pattern of m positions is searched for in all of it: by the SIMD search, or by
/// bit-vectors where it has no code.
fn alone(m: usize, k: u32) -> f64 {
    match k {
        0..=15 => 0.1 + 0.0022 * m as f64 * (f64::from(k) + 1.0),
        _ => 6.0 * m.div_ceil(64).min(k as usize / 32 + 1) as f64,
    }
}

/// Nanoseconds that a symbol of a window takes: several windows at a time if m is at most 64.
fn column(m: usize) -> f64 {
    if m <= 64 { 2.0 } else { 6.0 * m.div_ceil(64) as f64 }
}

/// What patterns cost in a random text.
struct Costs {
    k: u32,
    /// As many symbols as the text may as well be made of, all equally frequent.
    symbols: f64,
}

impl Costs {
    /// How many nanoseconds a symbol are gained by having a pattern of m positions in an index of q-grams, with pieces of a given
    /// length; less than none where it is searched for faster alone, or q is greater.
    fn gain(&self, m: usize, length: usize, q: usize) -> f64 {
        if q > length {
            return -1.0;
        }
        let pieces = f64::from(self.k) + 1.0;
        let of_symbols = |length: usize| pieces * self.symbols.powf(-(length as f64));
        // A partner with one error at most: about 2 σ of its symbols may be another, left out or one too many.
        let beside = length.min(BESIDE) as f64;
        let near = ((1.0 + 2.0 * self.symbols * beside) * self.symbols.powf(-beside)).min(1.0);
        let single = f64::from((self.k + 1) % 2) / pieces;
        let windows = of_symbols(length) * (single + (1.0 - single) * near);
        let window = WINDOW + (m as f64 + 2.0 * f64::from(self.k)) * column(m);
        let seeds = seeds::least(m, self.k as usize + 1, self.symbols, length)
            .map_or(f64::INFINITY, |(cost, _)| cost * INSTRUCTION);
        alone(m, self.k).min(seeds) - of_symbols(q) * PLACE - windows * window
    }
}

/// Patterns in small numbers: every position as the number of its class.
struct Encoded {
    /// The different classes.
    classes: Vec<Class>,
    /// The class of each position, of one pattern after the other.
    positions: Vec<u16>,
    /// Where each pattern's positions begin, and where the last one's end.
    starts: Vec<usize>,
    /// For each symbol the number of its atom. An atom is a set of symbols that are in the same classes.
    atoms: [u8; 256],
    /// The atoms of each class.
    members: Vec<Vec<u8>>,
    /// For each class that is one atom a number from 1 on, and 0 for the others. Only of such a class it can be told from the
    /// text's symbol alone which class it is.
    codes: Vec<u16>,
}

impl Encoded {
    /// None with too many different classes, or without memory.
    fn new(patterns: &[Pattern]) -> Option<Self> {
        let total = patterns.iter().map(Pattern::len).sum();
        let (mut positions, mut starts) = (Vec::new(), Vec::new());
        memory::reserve(&mut positions, total, "the positions of patterns").ok()?;
        memory::reserve(&mut starts, patterns.len() + 1, "the starts of patterns").ok()?;
        starts.push(0);
        let mut classes: Vec<Class> = Vec::new();
        // The numbers of classes by their first symbol; an empty class has none.
        let mut by_symbol: Vec<Vec<u16>> = vec![Vec::new(); 257];
        for pattern in patterns {
            for class in pattern.classes() {
                let same = &mut by_symbol[class.symbols().next().map_or(256, usize::from)];
                let known = same.iter().copied().find(|number| classes[usize::from(*number)] == *class);
                let number = known.unwrap_or(classes.len() as u16);
                if known.is_none() {
                    if classes.len() == CLASSES {
                        return None;
                    }
                    same.push(number);
                    classes.push(*class);
                }
                positions.push(number);
            }
            starts.push(positions.len());
        }
        let atoms = atoms(&classes);
        let members: Vec<Vec<u8>> = classes
            .iter()
            .map(|class| {
                let mut members: Vec<u8> = class.symbols().map(|symbol| atoms[usize::from(symbol)]).collect();
                members.sort_unstable();
                members.dedup();
                members
            })
            .collect();
        let mut last = 0;
        let code = |members: &Vec<u8>| {
            let one = members.len() == 1;
            last += u16::from(one);
            if one { last } else { 0 }
        };
        let codes = members.iter().map(code).collect();
        Some(Self { classes, positions, starts, atoms, members, codes })
    }

    /// How many patterns there are.
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The class of each position of a pattern.
    fn positions(&self, pattern: usize) -> &[u16] {
        &self.positions[self.starts[pattern]..self.starts[pattern + 1]]
    }

    /// The codes of a pattern's positions.
    fn codes(&self, pattern: usize) -> impl Iterator<Item = u16> {
        self.positions(pattern).iter().map(|class| self.codes[usize::from(*class)])
    }

    /// Bits of a code, at least 1.
    fn bits(&self) -> u32 {
        (u16::BITS - self.codes.iter().max().map_or(u16::BITS, |code| code.leading_zeros())).max(1)
    }

    /// For each symbol the code of the class that it tells, or 0.
    fn symbol_codes(&self) -> [u16; 256] {
        let mut of_atom = [0; 256];
        for (members, code) in self.members.iter().zip(&self.codes) {
            if let [atom] = members[..] {
                of_atom[usize::from(atom)] = *code;
            }
        }
        self.atoms.map(|atom| of_atom[usize::from(atom)])
    }

    /// The stretches of a pattern's positions that have codes: where each begins, and how long it is.
    fn stretches(&self, pattern: usize, stretches: &mut Vec<(usize, usize)>) {
        stretches.clear();
        let mut length = 0;
        for (i, code) in self.codes(pattern).chain([0]).enumerate() {
            if code > 0 {
                length += 1;
            } else if length > 0 {
                stretches.push((i - length, std::mem::take(&mut length)));
            }
        }
    }

    /// How many symbols there are as far as chance goes: the inverse of the probability that two of the patterns' coded positions,
    /// picked at random, are equal. A language has fewer than its letters.
    fn effective_symbols(&self) -> f64 {
        let mut counts = vec![0u64; self.classes.len() + 1];
        for class in &self.positions {
            counts[usize::from(self.codes[usize::from(*class)])] += 1;
        }
        let total: u64 = counts[1..].iter().sum();
        let equal: f64 = counts[1..].iter().map(|count| (*count as f64 / total.max(1) as f64).powi(2)).sum();
        1.0 / equal.max(f64::MIN_POSITIVE)
    }

    /// A pattern as it was.
    fn pattern(&self, pattern: usize) -> Pattern {
        Pattern::new(self.positions(pattern).iter().map(|class| self.classes[usize::from(*class)]).collect())
    }
}

/// The greatest length that so many pieces of these stretches can have, with no position in common; 0 if there are none.
pub(super) fn longest_pieces(stretches: &[(usize, usize)], count: usize) -> usize {
    // There are so many of `least` positions, and not of `most`.
    let (mut least, mut most) = (0, stretches.iter().map(|(_, length)| length).sum::<usize>() / count + 1);
    while most - least > 1 {
        let middle = least.midpoint(most);
        let pieces: usize = stretches.iter().map(|(_, length)| length / middle).sum();
        if pieces >= count { least = middle } else { most = middle }
    }
    least
}

/// So many pieces of these stretches, as (offset, length), each of `least` positions or more: all of a stretch that any are of.
pub(super) fn pieces(stretches: &[(usize, usize)], count: usize, least: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut missing = count;
    stretches.iter().flat_map(move |&(start, length)| {
        let pieces = (length / least).min(missing);
        missing -= pieces;
        let border = move |piece: usize| start + length * piece / pieces;
        (0..pieces).map(move |piece| (border(piece), border(piece + 1) - border(piece)))
    })
}

/// For each symbol a number; the same for those that are in the same classes.
fn atoms(classes: &[Class]) -> [u8; 256] {
    let mut atoms = [0u8; 256];
    let mut count = 1;
    for class in classes {
        // For each atom that the class has a part of, how many of its symbols are in the class, and how many there are.
        let mut sizes = [(0u32, 0u32); 256];
        for symbol in 0..=255u8 {
            let (inside, all) = &mut sizes[usize::from(atoms[usize::from(symbol)])];
            *inside += u32::from(class.contains(symbol));
            *all += 1;
        }
        let split = sizes.map(|(inside, all)| {
            let split = inside > 0 && inside < all;
            count += usize::from(split);
            // At most 256 atoms: each has a symbol.
            split.then_some((count - 1) as u8)
        });
        for symbol in class.symbols() {
            let atom = &mut atoms[usize::from(symbol)];
            *atom = split[usize::from(*atom)].unwrap_or(*atom);
        }
    }
    atoms
}

/// The index: q-grams by number, from 0 on.
struct Grams {
    q: usize,
    /// For each symbol its code, 0 for those that no q-gram has.
    codes: [u16; 256],
    /// Bits of a code.
    bits: u32,
    /// By the highest bits of the hash: whether there is such a q-gram.
    filter: Vec<u64>,
    /// Bits of the hash that the number of a filter's word leaves.
    filter_shift: u32,
    /// The hashes of the q-grams, in order: different ones for different q-grams.
    hashes: Vec<u64>,
    /// By the highest bits of the hash: which is the first q-gram that has them, or greater ones.
    first: Vec<u32>,
    first_shift: u32,
}

/// The hash of a q-gram whose codes are the lowest q · bits of `key`. Different ones have different hashes: the factor is odd.
#[inline(always)]
fn hash(key: u64, unused: u32) -> u64 {
    (key << unused).wrapping_mul(MIX)
}

impl Grams {
    /// The q-grams with these hashes. None without memory.
    fn new(q: usize, codes: [u16; 256], bits: u32, mut hashes: Vec<u64>) -> Option<Self> {
        hashes.par_sort_unstable();
        hashes.dedup();
        let directory = hashes.len().next_power_of_two().max(2);
        let first_shift = 64 - directory.trailing_zeros();
        // 16 to 32 bits a q-gram: one in 16 to 32 of other q-grams passes.
        let words = (directory / 4).max(2);
        let filter_shift = 64 - words.trailing_zeros();
        let mut first = vec_of(directory + 1, 0u32, "the index of patterns").ok()?;
        let mut filter = vec_of(words, 0u64, "the filter of patterns").ok()?;
        for hash in &hashes {
            filter[(hash >> filter_shift) as usize] |= 1 << (hash >> (filter_shift - 6) & 63);
            first[(hash >> first_shift) as usize + 1] += 1;
        }
        let mut sum = 0;
        for first in &mut first {
            sum += *first;
            *first = sum;
        }
        Some(Self { q, codes, bits, filter, filter_shift, hashes, first, first_shift })
    }

    /// Bits that a q-gram leaves in a word.
    fn unused(&self) -> u32 {
        64 - self.q as u32 * self.bits
    }

    /// The number of the q-gram with a hash.
    #[inline(always)]
    fn number(&self, hash: u64) -> Option<u32> {
        let bucket = (hash >> self.first_shift) as usize;
        let first = self.first[bucket];
        let grams = &self.hashes[first as usize..self.first[bucket + 1] as usize];
        grams.binary_search(&hash).ok().map(|place| first + place as u32)
    }

    /// The q-grams of a text that end at the symbols from `from` on and before `end`, as (number, place of its first symbol).
    fn scan(&self, text: &[u8], from: usize, end: usize) -> Result<Vec<(u32, u32)>> {
        let mut found = Vec::new();
        let unused = self.unused();
        let mut key = 0u64;
        // Before the text there is nothing: codes of 0, which no q-gram has.
        for symbol in &text[(from + 1).saturating_sub(self.q)..from] {
            key = key << self.bits | u64::from(self.codes[usize::from(*symbol)]);
        }
        let mut passed = [(0u64, 0u32); BLOCK];
        for at in (from..end).step_by(BLOCK) {
            let mut count = 0;
            for (j, symbol) in (at as u32..).zip(&text[at..(at + BLOCK).min(end)]) {
                key = key << self.bits | u64::from(self.codes[usize::from(*symbol)]);
                let hash = hash(key, unused);
                let word = self.filter.get((hash >> self.filter_shift) as usize).copied().unwrap_or(0);
                passed[count % BLOCK] = (hash, j);
                count += (word >> (hash >> (self.filter_shift - 6) & 63) & 1) as usize;
            }
            memory::reserve(&mut found, count, "the places of q-grams")?;
            for (hash, last) in &passed[..count] {
                if let Some(number) = self.number(*hash) {
                    // The text before it is no shorter: the codes are not 0.
                    found.push((number, last + 1 - self.q as u32));
                }
            }
        }
        Ok(found)
    }
}

/// The places of each q-gram in a text, in order.
struct Places<'t> {
    text: &'t [u8],
    /// The lowest byte of each symbol's code, and [`PAD`] zeros before and after them.
    codes: Vec<u8>,
    /// Where each q-gram's places begin, and where the last one's end.
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl<'t> Places<'t> {
    /// From pairs of one of `count` q-grams and a place, by the places: sorted by counting.
    fn new(text: &'t [u8], codes: &[u16; 256], found: &[Vec<(u32, u32)>], count: usize) -> Result<Self> {
        let what = "the places of q-grams";
        let low = codes.map(|code| code as u8);
        let mut codes = vec_of(text.len() + 2 * PAD, 0u8, what)?;
        let own = codes[PAD..][..text.len()].par_chunks_mut(TASK).zip(text.par_chunks(TASK));
        own.for_each(|(codes, text)| {
            codes.iter_mut().zip(text).for_each(|(code, symbol)| *code = low[usize::from(*symbol)]);
        });
        let total = found.iter().map(Vec::len).sum();
        let mut places = vec_of(total, 0, what)?;
        // Two before it is needed: first the number of places, then where the next one goes, in the end where they begin.
        let mut starts = vec_of(count + 2, 0u32, what)?;
        for (gram, _) in found.iter().flatten() {
            starts[*gram as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        for &(gram, place) in found.iter().flatten() {
            let next = &mut starts[gram as usize + 1];
            places[*next as usize] = place;
            *next += 1;
        }
        Ok(Self { text, codes, starts, places })
    }

    /// The codes of the eight symbols from a place on.
    #[inline(always)]
    fn after(&self, place: usize) -> u64 {
        self.codes.get(place + PAD..).and_then(<[u8]>::first_chunk).map_or(0, |eight| u64::from_le_bytes(*eight))
    }

    /// The codes of the eight symbols before a place, the last first.
    #[inline(always)]
    fn before(&self, place: usize) -> u64 {
        self.codes.get(place..).and_then(<[u8]>::first_chunk).map_or(0, |eight| u64::from_be_bytes(*eight))
    }

    fn of(&self, gram: u32) -> &[u32] {
        &self.places[self.starts[gram as usize] as usize..self.starts[gram as usize + 1] as usize]
    }
}

/// A piece of a pattern.
#[derive(Clone, Copy)]
struct Piece {
    /// The number of the q-gram that it begins with.
    gram: u32,
    /// Where in the pattern it begins.
    offset: u16,
    /// Positions, at least q.
    length: u16,
}

/// What is beside a piece: the piece that it makes a pair with, or the symbols of that which are nearest.
#[derive(Clone, Copy)]
struct Partner {
    /// Their codes' lowest bytes, from the piece on.
    codes: u64,
    /// The bytes that there are.
    mask: u64,
    /// Whether it comes after the piece.
    is_after: bool,
}

impl Partner {
    /// Whether these symbols begin with the partner with one error at most.
    #[inline(always)]
    fn is_near(self, symbols: u64) -> bool {
        let differ = (self.codes ^ symbols) & self.mask;
        // Up to there they agree; the error may as well be there.
        let same = differ.trailing_zeros() & 56;
        let substituted = differ >> same >> 8;
        let inserted = ((self.codes ^ symbols >> 8) & self.mask) >> same;
        let deleted = ((self.codes >> 8 ^ symbols) & self.mask >> 8) >> same;
        differ == 0 || substituted == 0 || inserted == 0 || deleted == 0
    }
}

/// What a thread verifies with.
struct Scratch {
    /// For each atom the positions of a pattern that it matches; all 0 between patterns.
    matches: [u64; 256],
    /// Where windows begin and end.
    windows: Vec<(u32, u32)>,
    /// The positions that match some symbols of windows that are gone through at a time.
    equal: [[u64; LANES]; STEPS],
    /// The ends in those; none between patterns.
    found: [Vec<End>; LANES],
    simd: Option<Simd>,
}

impl Scratch {
    fn new() -> Self {
        Self {
            matches: [0; 256],
            windows: Vec::new(),
            equal: [[0; LANES]; STEPS],
            found: Default::default(),
            simd: Simd::widest(),
        }
    }
}

/// The index of many patterns.
pub struct Partition {
    k: u32,
    patterns: Encoded,
    /// The numbers of the patterns that are in the index, in order, no two of them equal.
    chosen: Vec<u32>,
    /// k + 1 of each of them.
    pieces: Vec<Piece>,
    /// Patterns that are equal to one of those: (the pattern, the other's place among the chosen).
    copies: Vec<(u32, u32)>,
    grams: Grams,
    /// The greatest m of the chosen.
    longest: usize,
}

impl Partition {
    /// The index, and the patterns that are not in it, in order: those that have no k + 1 pieces without overlapping classes, and
    /// those that are found faster alone. None if that is so of all of them together, and without memory.
    pub fn new(patterns: &[Pattern], k: u32) -> Option<(Self, Vec<usize>)> {
        let encoded = Encoded::new(patterns)?;
        let costs = Costs { k, symbols: encoded.effective_symbols() };
        // How many patterns there are of each m with pieces of each length.
        let mut kinds: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        let mut stretches = Vec::new();
        for pattern in 0..encoded.len() {
            encoded.stretches(pattern, &mut stretches);
            let longest = longest_pieces(&stretches, k as usize + 1);
            *kinds.entry((encoded.positions(pattern).len(), longest)).or_default() += 1;
        }
        let gain = |q: usize| -> f64 {
            kinds.iter().map(|(&(m, longest), patterns)| costs.gain(m, longest, q).max(0.0) * *patterns as f64).sum()
        };
        let longest = kinds.keys().map(|(_, longest)| *longest).max()?;
        let most = longest.min((64 / encoded.bits()) as usize);
        let (most, q) = (1..=most).map(|q| (gain(q), q)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        (most > SCAN).then(|| Self::with(encoded, k, q, &|m, longest| costs.gain(m, longest, q) > 0.0)).flatten()
    }

    /// The same with a given q, of those patterns that `takes` says yes to, by m and the length of their pieces. None without any, or
    /// if q symbols are too many.
    fn with(patterns: Encoded, k: u32, q: usize, takes: &dyn Fn(usize, usize) -> bool) -> Option<(Self, Vec<usize>)> {
        let count = k as usize + 1;
        let bits = patterns.bits();
        let unused = 64u32.checked_sub(bits.checked_mul(u32::try_from(q).ok()?)?)?;
        let what = "the pieces of patterns";
        let (mut chosen, mut copies, mut left) = (Vec::new(), Vec::new(), Vec::new());
        let mut made: Vec<(u64, u16, u16)> = Vec::new();
        let mut known: HashMap<&[u16], u32> = HashMap::new();
        let (mut stretches, mut longest) = (Vec::new(), 0);
        for pattern in 0..patterns.len() {
            let positions = patterns.positions(pattern);
            let m = positions.len();
            patterns.stretches(pattern, &mut stretches);
            let least = longest_pieces(&stretches, count);
            if least < q || m > LONGEST || !takes(m, least) {
                left.push(pattern);
                continue;
            }
            if let Some(same) = known.get(positions) {
                copies.push((u32::try_from(pattern).ok()?, *same));
                continue;
            }
            memory::reserve(&mut made, count, what).ok()?;
            made.extend(pieces(&stretches, count, least).map(|(offset, length)| {
                let codes = positions[offset..offset + q].iter().map(|class| patterns.codes[usize::from(*class)]);
                let key = codes.fold(0, |key, code| key << bits | u64::from(code));
                (hash(key, unused), offset as u16, length as u16)
            }));
            known.insert(positions, u32::try_from(chosen.len()).ok()?);
            chosen.push(u32::try_from(pattern).ok()?);
            longest = longest.max(m);
        }
        drop(known);
        u32::try_from(made.len()).ok().filter(|pieces| *pieces > 0)?;
        let mut hashes = Vec::new();
        memory::reserve(&mut hashes, made.len(), what).ok()?;
        hashes.extend(made.iter().map(|(hash, ..)| *hash));
        let grams = Grams::new(q, patterns.symbol_codes(), bits, hashes)?;
        memory::check::<Piece>(made.len(), what).ok()?;
        let piece =
            |&(hash, offset, length): &(u64, u16, u16)| grams.number(hash).map(|gram| Piece { gram, offset, length });
        let pieces = made.iter().map(piece).collect::<Option<_>>()?;
        Some((Self { k, patterns, chosen, pieces, copies, grams, longest }, left))
    }

    /// How many patterns are in the index.
    pub fn count(&self) -> u64 {
        (self.chosen.len() + self.copies.len()) as u64
    }

    /// Of each pattern every end of an occurrence with at most k errors, in order; none of those that were left over. `progress`
    /// is told, from any thread, the number of symbols done since its last call, for all patterns together.
    ///
    /// # Errors
    /// [`Memory`](crate::Error::Memory) for more ends, or places of q-grams, than there is memory for.
    pub fn ends(&self, text: &[u8], progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<Vec<End>>> {
        let halo = self.longest + self.k as usize;
        let size = CHUNK.max(HALOS * halo);
        let mut found = vec_of(self.chosen.len(), Vec::new(), ENDS)?;
        for first in (0..text.len()).step_by(size) {
            let (from, end) = (first.saturating_sub(halo), first.saturating_add(size).min(text.len()));
            self.chunk(&text[from..end], first - from, from as u64, &mut found, progress)?;
        }
        let mut ends = vec_of(self.patterns.len(), Vec::new(), ENDS)?;
        for &(copy, same) in &self.copies {
            let (of, to) = (&found[same as usize], &mut ends[copy as usize]);
            memory::reserve(to, of.len(), ENDS)?;
            to.extend_from_slice(of);
        }
        for (number, found) in self.chosen.iter().zip(found) {
            ends[*number as usize] = found;
        }
        Ok(ends)
    }

    /// Adds the ends in a chunk of the text, whose first symbol is number `from` of the text, from 0 on; the first `halo` symbols
    /// belong to the chunk before.
    fn chunk(
        &self,
        text: &[u8],
        halo: usize,
        from: u64,
        found: &mut [Vec<End>],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<()> {
        let own = text.len() - halo;
        // Half of the symbols are told of when they have been scanned, the others as their windows are verified.
        let scan = |start: usize| {
            let end = (start + TASK).min(text.len());
            let places = self.grams.scan(text, start, end);
            progress((end.saturating_sub(halo) / 2 - start.saturating_sub(halo) / 2) as u64);
            places
        };
        let tasks: Vec<usize> = (0..text.len()).step_by(TASK).collect();
        let scanned: Vec<_> = tasks.into_par_iter().map(scan).collect::<Result<_>>()?;
        let places = Places::new(text, &self.grams.codes, &scanned, self.grams.hashes.len())?;
        drop(scanned);

        let groups = self.chosen.len().div_ceil(GROUP) as u64;
        let told = |group: u64| (own - own / 2) as u64 * group / groups;
        found.par_chunks_mut(GROUP).enumerate().try_for_each_init(Scratch::new, |scratch, (group, found)| {
            for (member, found) in (GROUP * group..).zip(found) {
                let before = found.len();
                self.verify(&places, member, scratch, found)?;
                let mut kept = before;
                for i in before..found.len() {
                    let End { end, errors } = found[i];
                    if end > halo as u64 {
                        found[kept] = End { end: end + from, errors };
                        kept += 1;
                    }
                }
                found.truncate(kept);
            }
            progress(told(group as u64 + 1) - told(group as u64));
            Ok(())
        })
    }

    /// Adds the ends of a chosen pattern in a text with these places of q-grams.
    fn verify(&self, places: &Places<'_>, member: usize, scratch: &mut Scratch, found: &mut Vec<End>) -> Result<()> {
        let text = places.text;
        let (number, count) = (self.chosen[member] as usize, self.k as usize + 1);
        let pieces = &self.pieces[member * count..][..count];
        let m = self.patterns.positions(number).len();
        let many: usize = pieces.iter().map(|piece| places.of(piece.gram).len()).sum();
        if many == 0 {
            return Ok(());
        }
        let whole = text.len() as f64 * alone(m, self.k);
        let mut cost = many as f64 * PLACE;
        if cost <= whole {
            self.windows(places, number, pieces, &mut scratch.windows);
            let symbols: u64 = scratch.windows.iter().map(|(start, end)| u64::from(end - start)).sum();
            cost += scratch.windows.len() as f64 * WINDOW + symbols as f64 * column(m);
        }
        if cost > whole {
            let query = Query::new(self.patterns.pattern(number), self.k);
            let row = CpuAlgorithm::listed(&query).ok_or_else(|| Algorithm::AUTO.missing_on(EngineKind::Cpu))?;
            let ends = row.find(text, &query, &|_| ())?;
            memory::reserve(found, ends.len(), ENDS)?;
            found.extend(ends);
            return Ok(());
        }
        if m <= 64 {
            return match scratch.simd {
                #[cfg(target_arch = "x86_64")]
                Some(Simd::Avx512(isa)) => isa.run(
                    #[inline(always)]
                    || self.verify_short(text, number, scratch, found),
                ),
                #[cfg(target_arch = "x86_64")]
                Some(Simd::Avx2(isa)) => isa.run(
                    #[inline(always)]
                    || self.verify_short(text, number, scratch, found),
                ),
                None => self.verify_short(text, number, scratch, found),
            };
        }
        let matches = self.patterns.pattern(number).match_words();
        for &(start, end) in &scratch.windows {
            let symbols = text[start as usize..end as usize].iter().copied();
            let ends = cut_off::ends(symbols, &matches, m, self.k, &|_| ());
            memory::reserve(found, ends.len(), ENDS)?;
            found.extend(ends.into_iter().map(|End { end, errors }| End { end: end + u64::from(start), errors }));
        }
        Ok(())
    }

    /// What makes a pair with a piece, if there is something: the first and the second piece, the third and the fourth, and so on, where nothing
    /// is between them.
    fn partner(&self, positions: &[u16], pieces: &[Piece], piece: usize) -> Option<Partner> {
        let end = |piece: &Piece| usize::from(piece.offset) + usize::from(piece.length);
        let (first, second) = (&pieces[piece & !1], pieces.get(piece | 1)?);
        if end(first) != usize::from(second.offset) {
            return None;
        }
        let is_after = piece.is_multiple_of(2);
        let low = |class: &u16| u64::from(self.patterns.codes[usize::from(*class)] as u8);
        let positions = if is_after {
            &positions[usize::from(second.offset)..end(second)]
        } else {
            &positions[usize::from(first.offset)..end(first)]
        };
        let place = |(i, class): (usize, &u16)| low(class) << (8 * i);
        let codes = if is_after {
            positions.iter().take(BESIDE).enumerate().map(place).sum()
        } else {
            positions.iter().rev().take(BESIDE).enumerate().map(place).sum()
        };
        let mask = !0 >> (64 - 8 * positions.len().min(BESIDE));
        Some(Partner { codes, mask, is_after })
    }

    /// The windows of a pattern, in order and apart.
    fn windows(&self, places: &Places<'_>, number: usize, pieces: &[Piece], windows: &mut Vec<(u32, u32)>) {
        let (text, positions, k, q) = (places.text, self.patterns.positions(number), self.k as usize, self.grams.q);
        windows.clear();
        for (i, &Piece { gram, offset, length }) in pieces.iter().enumerate() {
            let (offset, length) = (usize::from(offset), usize::from(length));
            let rest = &positions[offset + q..offset + length];
            let partner = self.partner(positions, pieces, i);
            let is_near = |place: usize| {
                partner.is_none_or(|partner| {
                    partner.is_near(if partner.is_after { places.after(place + length) } else { places.before(place) })
                })
            };
            for place in places.of(gram).iter().map(|place| *place as usize).filter(|place| is_near(*place)) {
                // Behind its q-gram too the piece is without errors.
                let mut equal = rest.iter().zip(&text[place + q..]).map(|(class, symbol)| {
                    self.patterns.codes[usize::from(*class)] == self.grams.codes[usize::from(*symbol)]
                });
                if equal.all(|equal| equal) {
                    let end = (place + positions.len() - offset + k).min(text.len());
                    windows.push((place.saturating_sub(offset + k) as u32, end as u32));
                }
            }
        }
        // A few sorted stretches: the stable sort merges them.
        windows.sort();
        windows.dedup_by(|next, window| {
            let touch = next.0 <= window.1;
            if touch {
                window.1 = window.1.max(next.1);
            }
            touch
        });
    }

    /// Adds the ends of a pattern of at most 64 positions in its windows.
    #[inline(always)]
    fn verify_short(&self, text: &[u8], number: usize, scratch: &mut Scratch, found: &mut Vec<End>) -> Result<()> {
        let Scratch { matches, windows, equal, found: of_lanes, .. } = scratch;
        let positions = self.patterns.positions(number);
        for (i, class) in positions.iter().enumerate() {
            for atom in &self.patterns.members[usize::from(*class)] {
                matches[usize::from(*atom)] |= 1 << i;
            }
        }
        let (m, k) = (positions.len(), i64::from(self.k));
        let matches_of = |symbol: u8| matches[usize::from(self.patterns.atoms[usize::from(symbol)])];
        for group in windows.chunks(LANES) {
            // Lanes that are left over have the last window again.
            let lanes: [(u32, u32); LANES] = std::array::from_fn(|lane| group[lane.min(group.len() - 1)]);
            let end = |lane: usize, j: usize, errors: i64| End {
                end: u64::from(group[lane].0) + j as u64 + 1,
                errors: errors as u32,
            };
            let shared = lanes.iter().map(|(start, end)| (end - start) as usize).min().unwrap_or(0);
            let shared = if group.len() < FEW { 0 } else { shared };
            let mut columns = LaneColumns::<LANES>::new(m);
            for at in (0..shared).step_by(STEPS) {
                let steps = STEPS.min(shared - at);
                // First the symbols, so that lanes do not wait for each other's to come from memory.
                let mut symbols = [[0; STEPS]; LANES];
                for (symbols, (start, _)) in symbols.iter_mut().zip(lanes) {
                    let rest = &text[start as usize + at..];
                    match rest.first_chunk() {
                        Some(chunk) => *symbols = *chunk,
                        None => symbols[..rest.len()].copy_from_slice(rest),
                    }
                }
                for (step, equal) in equal[..steps].iter_mut().enumerate() {
                    *equal = std::array::from_fn(|lane| matches_of(symbols[lane][step]));
                }
                for (j, equal) in (at..).zip(&equal[..steps]) {
                    if columns.take(equal, m, k) {
                        for (lane, errors) in columns.errors.into_iter().enumerate().take(group.len()) {
                            if errors <= k {
                                memory::reserve(&mut of_lanes[lane], 1, ENDS)?;
                                of_lanes[lane].push(end(lane, j, errors));
                            }
                        }
                    }
                }
            }
            for (lane, of_lane) in of_lanes.iter_mut().enumerate().take(group.len()) {
                memory::reserve(found, of_lane.len(), ENDS)?;
                found.append(of_lane);
                let mut column = columns.lane(lane);
                let window = lanes[lane].0 as usize..lanes[lane].1 as usize;
                for (j, symbol) in text[window].iter().enumerate().skip(shared) {
                    if column.take(&[matches_of(*symbol)], m, k) {
                        memory::reserve(found, 1, ENDS)?;
                        found.push(end(lane, j, column.errors[0]));
                    }
                }
            }
        }
        *matches = [0; 256];
        Ok(())
    }
}

/// LaneColumns of at most 64 rows side by side, each as in Myers' algorithm: where D increases and where it decreases from row
/// to row, and D in row m.
#[derive(Clone, Copy)]
struct LaneColumns<const L: usize> {
    plus: [u64; L],
    minus: [u64; L],
    errors: [i64; L],
}

impl<const L: usize> LaneColumns<L> {
    /// Column 0 of a pattern with m positions.
    fn new(m: usize) -> Self {
        Self { plus: [!0; L], minus: [0; L], errors: [m as i64; L] }
    }

    /// The column of one lane.
    fn lane(&self, lane: usize) -> LaneColumns<1> {
        LaneColumns { plus: [self.plus[lane]], minus: [self.minus[lane]], errors: [self.errors[lane]] }
    }

    /// The next columns, from the positions that match the symbol of each lane. Whether D in row m is at most k in any.
    #[inline(always)]
    fn take(&mut self, equal: &[u64; L], m: usize, k: i64) -> bool {
        let (pv, mv, eq, last) = (self.plus, self.minus, *equal, m - 1);
        // One step of all lanes after the other, for the compiler to make vectors of them.
        let xh: [u64; L] =
            std::array::from_fn(|lane| ((eq[lane] & pv[lane]).wrapping_add(pv[lane]) ^ pv[lane]) | eq[lane]);
        let ph: [u64; L] = std::array::from_fn(|lane| mv[lane] | !(xh[lane] | pv[lane]));
        let mh: [u64; L] = std::array::from_fn(|lane| pv[lane] & xh[lane]);
        self.errors = std::array::from_fn(|lane| {
            self.errors[lane] + (ph[lane] >> last & 1) as i64 - (mh[lane] >> last & 1) as i64
        });
        self.plus = std::array::from_fn(|lane| mh[lane] << 1 | !(eq[lane] | mv[lane] | ph[lane] << 1));
        self.minus = std::array::from_fn(|lane| ph[lane] << 1 & (eq[lane] | mv[lane]));
        self.errors.iter().fold(false, |any, errors| any | (*errors <= k))
    }
}

/// So many equal elements, if there is memory for them.
fn vec_of<T: Clone>(len: usize, element: T, what: &str) -> Result<Vec<T>> {
    memory::check::<T>(len, what)?;
    Ok(vec![element; len])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::sellers;
    use crate::text::Alphabet;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// With this q, or with the greatest that any pattern allows.
    fn with(patterns: &[Pattern], k: u32, q: usize) -> Option<(Partition, Vec<usize>)> {
        Partition::with(Encoded::new(patterns).unwrap(), k, q, &|_, _| true)
    }

    /// Everything that is in the index is found as by dynamic programming. How many patterns that is, and how many ends.
    #[track_caller]
    fn check(text: &[u8], patterns: &[Pattern], k: u32, q: usize) -> (usize, usize) {
        let Some((partition, left)) = with(patterns, k, q) else { return (0, 0) };
        let done = AtomicU64::new(0);
        let found = partition.ends(text, &|symbols| _ = done.fetch_add(symbols, Relaxed)).unwrap();
        assert_eq!(done.into_inner(), text.len() as u64);
        assert_eq!(found.len(), patterns.len());
        for (number, (pattern, found)) in patterns.iter().zip(&found).enumerate() {
            let expected = if left.contains(&number) { Vec::new() } else { sellers::ends(text, pattern, k) };
            assert_eq!(*found, expected, "pattern {number} of m = {}, k = {k}, q = {q}", pattern.len());
        }
        (patterns.len() - left.len(), found.iter().map(Vec::len).sum())
    }

    /// A string with some errors.
    fn near(random: &mut fastrand::Rng, string: &[u8], errors: usize, symbols: u8) -> Vec<u8> {
        let mut near = string.to_vec();
        for _ in 0..errors {
            let at = random.usize(..near.len().max(1));
            match random.u8(..3) {
                0 if at < near.len() => near[at] = random.u8(..symbols),
                1 if at < near.len() => drop(near.remove(at)),
                _ => near.insert(at, random.u8(..symbols)),
            }
        }
        near
    }

    #[test]
    fn ends_are_those_of_dynamic_programming() {
        let mut random = fastrand::Rng::with_seed(12);
        let (mut patterns_found, mut ends_found) = (0, 0);
        for case in 0..600u32 {
            let (symbols, k) = (1 + (case % 5) as u8, random.u32(0..7));
            // Classes that overlap, and one of no symbol.
            let overlapping = case % 3 == 0;
            let classes: Vec<Class> = (0..8)
                .map(|_| Class::of_all((0..symbols).filter(|_| random.u8(..4) == 0)))
                .chain((0..symbols).map(Class::of))
                .chain([Class::ANY])
                .collect();
            let mut text: Vec<u8> = (0..random.usize(0..1500)).map(|_| random.u8(..symbols)).collect();
            let longest = [6, 30, 70, 200][random.usize(..4)];
            let mut patterns = Vec::new();
            for _ in 0..random.usize(1..30) {
                let m = random.usize(1..=longest);
                let symbols_of: Vec<u8> = match text.len().checked_sub(m) {
                    Some(rest) if random.bool() => {
                        let at = random.usize(..=rest);
                        text[at..at + m].to_vec()
                    }
                    _ => (0..m).map(|_| random.u8(..symbols)).collect(),
                };
                let errors = random.usize(..=k as usize + 1);
                let planted = near(&mut random, &symbols_of, errors, symbols);
                let at = random.usize(..=text.len());
                text.splice(at..at, planted);
                let rate = random.usize(2..40);
                let class = |symbol: &u8| match random.usize(..rate) {
                    0 if overlapping => classes[random.usize(..classes.len())],
                    _ => Class::of(*symbol),
                };
                patterns.push(Pattern::new(symbols_of.iter().map(class).collect()));
                if random.u8(..4) == 0 {
                    patterns.push(patterns[random.usize(..patterns.len())].clone());
                }
            }
            let (patterns, ends) = check(&text, &patterns, k, random.usize(1..12));
            patterns_found += patterns;
            ends_found += ends;
        }
        assert!(patterns_found > 1000 && ends_found > 100_000, "{patterns_found} patterns, {ends_found} ends");
    }

    /// Windows apart, so that several are gone through at a time, some of them shorter or merged.
    #[test]
    fn many_windows_of_a_pattern() {
        let mut random = fastrand::Rng::with_seed(13);
        for (m, k) in [(12, 0), (12, 1), (20, 2), (30, 3), (63, 4), (64, 5), (65, 5), (130, 6)] {
            let patterns: Vec<Vec<u8>> = (0..20).map(|_| (0..m).map(|_| random.u8(..4)).collect()).collect();
            let mut text = Vec::new();
            for _ in 0..400 {
                let (pattern, errors) = (&patterns[random.usize(..20)], random.usize(..=k as usize + 1));
                text.extend(near(&mut random, pattern, errors, 4));
                text.extend((0..random.usize(..m)).map(|_| random.u8(..4)));
            }
            let patterns: Vec<Pattern> = patterns.iter().map(|pattern| Pattern::literal(pattern)).collect();
            let (taken, ends) = check(&text, &patterns, k, (m / (k as usize + 1)).min(9));
            assert!(taken == 20 && ends > 100, "{ends} ends");
        }
    }

    #[test]
    fn repeats_and_texts_of_one_symbol() {
        let ones = vec![1u8; 3000];
        let turns: Vec<u8> = (0..3000).map(|i| (i / 3 % 2) as u8).collect();
        for text in [&ones, &turns] {
            for m in [3, 40, 100] {
                let patterns = [&ones[..m], &turns[..m], &ones[..m], &turns[1..=m]].map(Pattern::literal);
                for k in [0, 1, 2] {
                    check(text, &patterns, k, 1);
                    check(text, &patterns, k, (m / (k as usize + 1)).min(8));
                }
            }
        }
    }

    #[test]
    fn texts_that_are_empty_or_short() {
        let patterns = [&b"carry"[..], b"wave", b"w", b""].map(Pattern::literal);
        for text in [&b""[..], b"w", b"wa", b"arr", b"carrywave"] {
            for (k, q) in [(0, 1), (0, 4), (1, 2), (3, 1)] {
                check(text, &patterns, k, q);
            }
        }
        let (partition, left) = with(&patterns, 1, 2).unwrap();
        assert_eq!(left, [2, 3]);
        let end = |end, errors| End { end, errors };
        let found = partition.ends(b"carrywave", &|_| ()).unwrap();
        assert_eq!(found, [vec![end(4, 1), end(5, 0), end(6, 1)], vec![end(8, 1), end(9, 0)], vec![], vec![]]);
        assert!(with(&[], 1, 1).is_none());
        assert!(with(&patterns, 1, 40).is_none());
    }

    /// More than one chunk, and more than one task of each.
    #[test]
    fn borders_of_tasks_and_chunks() {
        let mut random = fastrand::Rng::with_seed(14);
        let mut text: Vec<u8> = std::iter::repeat_with(|| random.u8(..4)).take(CHUNK + 2 * TASK + 50).collect();
        let patterns: Vec<Vec<u8>> = (0..6).map(|_| (0..40).map(|_| random.u8(..4)).collect()).collect();
        let mut planted = 0;
        for (number, border) in (TASK..text.len()).step_by(TASK).enumerate() {
            // So many of its symbols are before the border, and only the piece that is there too is without errors.
            let before = if border == CHUNK { 20 } else { number % 41 };
            let mut near = patterns[number % 6].clone();
            for piece in (0..3).filter(|piece| *piece != (before / 13).min(2)) {
                let symbol = &mut near[13 * piece + 6];
                *symbol = (*symbol + 1) % 4;
            }
            text[border - before..][..40].copy_from_slice(&near);
            planted += 1;
        }
        let patterns: Vec<Pattern> = patterns.iter().map(|pattern| Pattern::literal(pattern)).collect();
        let (partition, _) = with(&patterns, 2, 12).unwrap();
        let found = partition.ends(&text, &|_| ()).unwrap();
        for (pattern, found) in patterns.iter().zip(&found) {
            assert_eq!(*found, cut_off::ends(text.iter().copied(), &pattern.match_words(), 40, 2, &|_| ()));
        }
        assert!(found.iter().map(Vec::len).sum::<usize>() >= planted, "{planted} planted");
    }

    #[test]
    fn only_classes_that_overlap_have_no_code() {
        let dna = |symbols: &[u8]| Pattern::parse(symbols, Alphabet::Iupac).unwrap();
        let encoded = Encoded::new(&[dna(b"GATNTACA"), dna(b"gru")]).unwrap();
        let codes = |pattern: usize| encoded.codes(pattern).collect::<Vec<_>>();
        assert_eq!(codes(0), [1, 2, 3, 0, 3, 2, 4, 2]);
        assert_eq!(codes(1), [1, 0, 3]);
        let of_symbols = encoded.symbol_codes();
        assert_eq!(
            b"GgAaTtUuCcNnRrX\n".map(|symbol| of_symbols[usize::from(symbol)])[..10],
            [1, 1, 2, 2, 3, 3, 3, 3, 4, 4]
        );
        assert_eq!(b"NnRrX\n".map(|symbol| of_symbols[usize::from(symbol)]), [0; 6]);
        // Pieces beside the N, and none in a pattern of Ns.
        let (partition, left) = with(&[dna(b"NNGATTACANN"), dna(b"NNNNNNNN"), dna(b"GATNTACA")], 1, 3).unwrap();
        assert_eq!(left, [1]);
        assert_eq!(partition.pieces.iter().map(|piece| piece.offset).collect::<Vec<_>>(), [2, 5, 0, 4]);
        assert_eq!(partition.pieces.iter().map(|piece| piece.length).collect::<Vec<_>>(), [3, 4, 3, 4]);
    }

    #[test]
    fn an_index_is_made_where_it_pays() {
        let mut random = fastrand::Rng::with_seed(15);
        let mut dna = |count: usize, m: usize| -> Vec<Pattern> {
            (0..count).map(|_| Pattern::literal(&(0..m).map(|_| random.u8(..4)).collect::<Vec<_>>())).collect()
        };
        let left = |patterns: &[Pattern], k: u32| Partition::new(patterns, k).map(|(_, left)| left.len());
        assert_eq!(left(&dna(1000, 20), 1), Some(0));
        assert_eq!(left(&dna(1000, 100), 5), Some(0));
        assert_eq!(left(&dna(1, 20), 1), None);
        assert_eq!(left(&dna(1000, 20), 9), None);
        assert_eq!(left(&dna(1000, 4), 3), None);
        assert_eq!(left(&dna(1000, 4), 4), None);
        assert_eq!(left(&vec![Pattern::literal(&[7; 50]); 100], 1), None);
        assert_eq!(left(&[], 1), None);
        // Short ones are left over.
        let mut both = dna(1000, 20);
        both.extend(dna(50, 4));
        assert_eq!(left(&both, 1), Some(50));
        // 256 symbols: a code has 9 bits.
        let bytes: Vec<Pattern> =
            (0..200).map(|_| Pattern::literal(&std::array::from_fn::<u8, 40, _>(|_| random.u8(..)))).collect();
        assert_eq!(left(&bytes, 1), Some(0));
    }
}
