//! The index of many patterns: the k + 1 pieces of each, and the q-grams at the pieces' starts.

use super::costs::{Costs, SCAN};
use super::encoded::Encoded;
use super::grams::{Grams, hash};
use crate::memory;
use crate::search::cpu::exact_pieces::{longest_pieces, pieces};
use crate::text::Pattern;
use std::collections::{BTreeMap, HashMap};

/// Largest number of positions of a pattern: a window's state is then small, and its windows are
/// short compared to a chunk.
pub const LONGEST: usize = u16::MAX as usize;

/// A piece of a pattern.
#[derive(Clone, Copy)]
pub struct Piece {
    /// Number of the q-gram at the start of the piece.
    pub gram: u32,
    /// First position of the piece in the pattern.
    pub offset: u16,
    /// Number of positions, at least q.
    pub length: u16,
}

/// The index of many patterns.
pub struct Index {
    pub k: u32,
    pub patterns: Encoded,
    /// The numbers of the patterns in the index, in order and without duplicates.
    pub chosen: Vec<u32>,
    /// The k + 1 pieces of each chosen pattern.
    pub pieces: Vec<Piece>,
    /// Patterns that equal a chosen one, as (number of the pattern, index of the equal one in
    /// `chosen`).
    pub copies: Vec<(u32, u32)>,
    pub grams: Grams,
    /// The greatest m of the chosen patterns.
    pub longest: usize,
}

impl Index {
    /// Makes the index. Returns it with the patterns that are not in it, in order: those without
    /// k + 1 pieces of classes that do not overlap, and, unless `is_named`, those that are found
    /// faster alone. `None` if an index does not pay for all of them together, or if memory runs
    /// out.
    pub fn new(patterns: &[&Pattern], k: u32, is_named: bool) -> Option<(Self, Vec<usize>)> {
        let encoded = Encoded::new(patterns)?;
        let costs = Costs { k, symbols: encoded.effective_symbols() };
        let kinds = Kind::count(&encoded, k);
        let gain = |q: usize| -> f64 {
            let of_one = |kind: &Kind| costs.gain(kind.m, kind.piece, q);
            let of_kind = |(kind, count): (&Kind, &u64)| {
                let gain = if is_named { of_one(kind) } else { of_one(kind).max(0.0) };
                gain * *count as f64
            };
            kinds.iter().map(of_kind).sum()
        };
        let pieces = kinds.keys().map(|kind| kind.piece).filter(|piece| *piece > 0);
        let longest = if is_named { pieces.min() } else { pieces.max() }?;
        let most = longest.min((64 / encoded.bits()) as usize);
        let (most, q) = (1..=most).map(|q| (gain(q), q)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        let takes = |m, piece| is_named || costs.gain(m, piece, q) > 0.0;
        (is_named || most > SCAN).then(|| Self::with(encoded, k, q, &takes)).flatten()
    }

    /// Makes the index with a given q, of the patterns whose m and piece length `takes` accepts.
    /// `None` if there is no such pattern, or if the codes of q symbols exceed a word.
    pub fn with(
        patterns: Encoded,
        k: u32,
        q: usize,
        takes: &dyn Fn(usize, usize) -> bool,
    ) -> Option<(Self, Vec<usize>)> {
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
}

/// A group of patterns with equal costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    m: usize,
    /// Length of its pieces, in symbols; 0 if it does not have enough of them.
    piece: usize,
}

impl Kind {
    /// Counts the patterns of each kind.
    fn count(encoded: &Encoded, k: u32) -> BTreeMap<Self, u64> {
        let mut kinds = BTreeMap::new();
        let mut stretches = Vec::new();
        for pattern in 0..encoded.len() {
            encoded.stretches(pattern, &mut stretches);
            let piece = longest_pieces(&stretches, k as usize + 1);
            *kinds.entry(Self { m: encoded.positions(pattern).len(), piece }).or_default() += 1;
        }
        kinds
    }
}

/// Returns true if a pattern has k + 1 pieces, and not too many symbols.
pub fn has_pieces(pattern: &Pattern, k: u32) -> bool {
    let mut stretches = Vec::new();
    pattern.len() <= LONGEST
        && Encoded::new(&[pattern]).is_some_and(|encoded| {
            encoded.stretches(0, &mut stretches);
            longest_pieces(&stretches, k as usize + 1) > 0
        })
}
