//! The best match on all cores: the text in pieces, of each its least distance.
//!
//! A part of the text that is longer than 2m is further than m from the pattern, and nothing at all is not (Nakano 2012, section
//! VII). So pieces have the 2m symbols before them, and what begins earlier is not missed.

use super::cut_off::least_within;
use super::seeds::{Seeds, Votes};
use super::{myers, sellers};
use crate::engine::best_end::{BestEnd, BestEnds};
use crate::error::{Error, Result};
use crate::search::pattern::{MatchWords, Pattern};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Symbols of a piece: enough to be worth a thread's while, and not so many that a thread is left with the last one.
const PIECE: Range<usize> = 1 << 14..1 << 19;
/// Times m that a piece has at least before it is cut further for the sake of an even load.
const PATTERNS: usize = 32;

/// Symbols of a piece of n: a share for each thread. What is computed twice is at most twice the rest.
fn size(n: usize, m: usize, threads: usize) -> usize {
    let most = PIECE.end.max(m.saturating_mul(PATTERNS));
    n.div_ceil(threads.max(1)).max(m).clamp(PIECE.start, most)
}

/// How a piece is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CpuBestAlgorithm {
    /// Ukkonen (1985) in Myers' blocks: those that a match as good as the best known can go through. Where the q-grams of the pattern
    /// are, one is looked for first.
    CutOff,
    /// Myers (1999), Hyyrö (2003): 17 ⌈m / 64⌉ instructions a symbol.
    Myers,
    /// Sellers (1980): m cells a symbol.
    Sellers,
}

/// The CPU engine.
pub struct CpuBest<'p> {
    /// How.
    pub algorithm: CpuBestAlgorithm,
    /// Told, from any thread, the number of symbols done since the last call.
    pub progress: &'p (dyn Fn(u64) + Sync),
}

impl CpuBest<'_> {
    /// With pieces of a record of n symbols that have so many.
    fn by_pieces(
        &self,
        symbols: &[u8],
        records: &[Range<usize>],
        pattern: &Pattern,
        size: impl Fn(usize) -> usize,
    ) -> Option<BestEnd> {
        let matches = pattern.match_words();
        let m = pattern.len();
        let pieces_of = |(record, range): (usize, &Range<usize>)| {
            let size = size(range.len());
            // An empty record has one piece.
            (0..range.len().max(1)).step_by(size).map(move |start| (record, start, size))
        };
        let pieces: Vec<_> = records.iter().enumerate().flat_map(pieces_of).collect();
        // Of a piece the text with the symbols before it, and where this begins.
        let text = |&(record, start, size): &(usize, usize, usize)| {
            let record = &symbols[records[record].clone()];
            let from = start.saturating_sub(2 * m);
            (&record[from..(start + size).min(record.len())], from)
        };
        let seeds = match self.algorithm {
            // One block is never too many.
            CpuBestAlgorithm::CutOff if m > 64 => Seeds::new(pattern),
            _ => None,
        };
        let votes: Vec<Option<Votes>> =
            pieces.par_iter().map(|piece| seeds.as_ref().map(|seeds| seeds.votes(text(piece).0))).collect();
        let near = seeds.as_ref().and_then(|seeds| {
            let places = pieces.iter().zip(&votes).filter_map(|(piece, votes)| {
                let (votes, place) = seeds.most(votes.as_ref()?)?;
                Some((votes, &text(piece).0[place]))
            });
            places.max_by_key(|(votes, _)| *votes)
        });
        let bound = near.and_then(|(_, near)| bound(near, &matches, m)).unwrap_or(m as u32);
        let least_so_far = AtomicU32::new(bound);
        let least = |(piece, votes): (&(usize, usize, usize), &Option<Votes>)| {
            let (text, from) = text(piece);
            // Ends before the piece are ends too, if not all the best there are.
            let found = match self.algorithm {
                CpuBestAlgorithm::CutOff if m > 64 => {
                    let parts = seeds.as_ref().zip(votes.as_ref()).and_then(|(seeds, votes)| seeds.parts(votes, bound));
                    let parts = parts.unwrap_or_else(|| vec![0..text.len()]);
                    let least = |part: Range<usize>| {
                        let symbols = text[part.clone()].iter().copied();
                        let (distance, end) = least_within(symbols, &matches, m, 0, least_so_far.load(Relaxed))?;
                        least_so_far.fetch_min(distance, Relaxed);
                        Some((distance, part.start as u64 + end))
                    };
                    parts.into_iter().filter_map(least).min()
                }
                CpuBestAlgorithm::CutOff | CpuBestAlgorithm::Myers => {
                    Some(myers::least(text.iter().copied(), &matches, m, 0))
                }
                CpuBestAlgorithm::Sellers => Some(sellers::least(text, pattern)),
            };
            (self.progress)((from + text.len() - piece.1) as u64);
            let (distance, end) = found?;
            Some(BestEnd { distance, record: piece.0, end: from as u64 + end })
        };
        pieces.par_iter().zip(&votes).filter_map(least).min()
    }
}

/// The least distance of a text's parts from the pattern, if it is at most m / 2: by larger and larger bounds.
fn bound(text: &[u8], matches: &MatchWords, m: usize) -> Option<u32> {
    let bounds = std::iter::successors(Some(32), |bound| Some(2 * bound)).take_while(|&bound| bound <= m as u32 / 2);
    let mut found = bounds.filter_map(|bound| least_within(text.iter().copied(), matches, m, 0, bound));
    found.next().map(|(distance, _)| distance)
}

impl BestEnds for CpuBest<'_> {
    fn best_end(&self, symbols: &[u8], records: &[Range<usize>], pattern: &Pattern) -> Result<BestEnd> {
        let threads = rayon::current_num_threads();
        let best = self.by_pieces(symbols, records, pattern, |n| size(n, pattern.len(), threads));
        best.ok_or_else(|| Error::Usage("there is no record to search in".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_text_give_what_the_whole_gives() {
        let mut random = fastrand::Rng::with_seed(7);
        for case in 0..300 {
            let (m, n) = match case % 3 {
                0 => (random.usize(65..200), random.usize(0..2000)),
                _ => (random.usize(1..30), random.usize(0..200)),
            };
            let [mut pattern, text]: [Vec<u8>; 2] = [m, n].map(|len| (0..len).map(|_| random.u8(..4)).collect());
            if case % 6 == 0 && m < n {
                // Near to a part of the text.
                pattern.copy_from_slice(&text[random.usize(..n - m)..][..m]);
                (0..random.usize(..m / 3)).for_each(|_| pattern[random.usize(..m)] = random.u8(..4));
            }
            let pattern = Pattern::literal(&pattern);
            let (distance, end) = sellers::least(&text, &pattern);
            for algorithm in [CpuBestAlgorithm::CutOff, CpuBestAlgorithm::Myers, CpuBestAlgorithm::Sellers] {
                let engine = CpuBest { algorithm, progress: &|_| () };
                for size in [1, 2, m, 2 * m + 1, 1000] {
                    let best = engine.by_pieces(&text, std::slice::from_ref(&(0..n)), &pattern, |_| size);
                    assert_eq!(best, Some(BestEnd { distance, record: 0, end }), "case {case}, {algorithm:?}, {size}");
                }
            }
        }
    }
}
