//! The best match on all cores: the text in pieces, of each its least distance.
//!
//! A part of the text that is longer than 2m is further than m from the pattern, and nothing at all is not (Nakano 2012, section
//! VII). So pieces have the 2m symbols before them, and what begins earlier is not missed.

use super::seeds::{Seeds, Votes};
use crate::align::infix::cut_off::least_within;
use crate::align::infix::{myers, sellers};
use crate::distance::best_end::{BestEnd, BestEnds};
use crate::error::{Error, Result};
use crate::text::pattern::{MatchWords, Pattern};
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
    /// With pieces (of a record of n symbols) that have so many.
    fn by_pieces(
        &self,
        symbols: &[u8],
        records: &[Range<usize>],
        pattern: &Pattern,
        size: impl Fn(usize) -> usize,
    ) -> Option<BestEnd> {
        let m = pattern.len();
        let pieces_of = |(record, range): (usize, &Range<usize>)| {
            let (size, text) = (size(range.len()), &symbols[range.clone()]);
            // An empty record has one piece.
            (0..range.len().max(1)).step_by(size).map(move |start| {
                let (from, end) = (start.saturating_sub(2 * m), (start + size).min(text.len()));
                Piece { record, from, text: &text[from..end], own: end - start }
            })
        };
        let pieces: Vec<Piece<'_>> = records.iter().enumerate().flat_map(pieces_of).collect();
        let matches = pattern.match_words();
        // Ends before a piece's own symbols are ends too, if not all the best there are.
        let in_each = |least: &(dyn Fn(usize) -> Option<(u32, u64)> + Sync)| {
            let least = |(number, piece): (usize, &Piece<'_>)| {
                let found = least(number);
                (self.progress)(piece.own as u64);
                found.map(|(distance, end)| BestEnd { distance, record: piece.record, end: piece.from as u64 + end })
            };
            pieces.par_iter().enumerate().filter_map(least).min()
        };
        match self.algorithm {
            // One block is never too many.
            CpuBestAlgorithm::CutOff if m > 64 => {
                let plan = Plan::new(&pieces, pattern, &matches);
                in_each(&|number| plan.least(number))
            }
            CpuBestAlgorithm::CutOff | CpuBestAlgorithm::Myers => {
                in_each(&|number| Some(myers::least(pieces[number].text.iter().copied(), &matches, m, 0)))
            }
            CpuBestAlgorithm::Sellers => in_each(&|number| Some(sellers::least(pieces[number].text, pattern))),
        }
    }
}

/// A part of a record.
struct Piece<'t> {
    record: usize,
    /// Where its text begins in the record: with the symbols before its own.
    from: usize,
    text: &'t [u8],
    /// Its own symbols.
    own: usize,
}

/// What the cut-off knows before it begins.
struct Plan<'p> {
    pieces: &'p [Piece<'p>],
    matches: &'p MatchWords,
    m: usize,
    /// What is where most of the pattern's q-grams are, if it is at most m / 2 from the pattern.
    near: Option<Near>,
    /// A distance that some part of the texts has: that one's, or m, which nothing at all has.
    bound: u32,
    /// The pattern's q-grams, if they say anything, and how many each piece has of them.
    seeds: Option<(Seeds, Vec<Votes>)>,
    /// The least distance found, and at first the bound.
    least: AtomicU32,
}

/// A part of a piece, and the least distance in it with its first end in the piece.
struct Near {
    piece: usize,
    part: Range<usize>,
    least: (u32, u64),
}

impl<'p> Plan<'p> {
    fn new(pieces: &'p [Piece<'p>], pattern: &Pattern, matches: &'p MatchWords) -> Self {
        let m = pattern.len();
        let seeds = Seeds::new(pattern).map(|seeds| {
            let votes = pieces.par_iter().map(|piece| seeds.votes(piece.text)).collect::<Vec<_>>();
            (seeds, votes)
        });
        let most = seeds.as_ref().and_then(|(seeds, votes)| {
            let most = |(piece, votes)| seeds.most(votes).map(|(votes, part)| (votes, piece, part));
            votes.iter().enumerate().filter_map(most).max_by_key(|(votes, ..)| *votes)
        });
        let near = most.and_then(|(_, piece, part)| {
            let text = &pieces[piece].text[part.clone()];
            // By larger and larger bounds: a small distance is soon found.
            let bounds = std::iter::successors(Some(32u32), |bound| bound.checked_mul(2));
            let (distance, end) = bounds
                .take_while(|&bound| bound <= m as u32 / 2)
                .find_map(|bound| least_within(text.iter().copied(), matches, m, 0, bound))?;
            Some(Near { piece, least: (distance, part.start as u64 + end), part })
        });
        let bound = near.as_ref().map_or(m as u32, |near| near.least.0);
        Self { pieces, matches, m, near, bound, seeds, least: AtomicU32::new(bound) }
    }

    /// The least distance in a piece, and the first end with it; none if another piece is known to have a smaller one.
    fn least(&self, number: usize) -> Option<(u32, u64)> {
        let text = self.pieces[number].text;
        let whole = 0..text.len();
        let parts = self.seeds.as_ref().and_then(|(seeds, votes)| seeds.parts(&votes[number], self.bound));
        let least = |part: Range<usize>| {
            let known =
                |near: &&Near| near.piece == number && near.part.start <= part.start && part.end <= near.part.end;
            if let Some(near) = self.near.as_ref().filter(known) {
                return Some(near.least);
            }
            let symbols = text[part.clone()].iter().copied();
            let bound = self.least.load(Relaxed);
            // In random text some 2k rows have a distance of at most k.
            let (distance, end) = match bound / 32 + 1 < self.matches.words() as u32 {
                true => least_within(symbols, self.matches, self.m, 0, bound)?,
                false => myers::least(symbols, self.matches, self.m, 0),
            };
            self.least.fetch_min(distance, Relaxed);
            Some((distance, part.start as u64 + end))
        };
        parts.unwrap_or_else(|| vec![whole]).into_iter().filter_map(least).min()
    }
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
