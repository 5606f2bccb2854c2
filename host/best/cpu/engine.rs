//! The engine: the least distance in each piece of the text.
//!
//! A part of the text that is longer than 2m has a distance above m, and the empty part has the
//! distance m (Nakano 2012, section VII). So each piece includes the 2m symbols before it: no
//! nearest part begins earlier.

use crate::algorithm::About;
use crate::best::end::{BestEnd, BestEnds};
use crate::error::{Result, UsageFault};
use crate::text::{MatchWords, Pattern};
use rayon::prelude::*;
use std::ops::Range;

/// Returns the least distance in the piece with a given number, and the first end with it in the
/// piece; `None` if another piece has a smaller one.
pub trait Least: Fn(usize) -> Option<(u32, u64)> + Sync {}

impl<F: Fn(usize) -> Option<(u32, u64)> + Sync> Least for F {}

/// An algorithm that finds the nearest part of a text on the processor.
#[derive(Debug)]
pub struct CpuAlgorithm {
    /// Its name, source, cost and limits.
    pub about: About,
    /// Returns a function that finds the least distance of each piece.
    pub least: for<'p> fn(&'p Pieces<'p>) -> Box<dyn Least + 'p>,
}

/// Bounds on the symbols of a piece: enough to pay for a task, and few enough for an even load at
/// the end.
const PIECE: Range<usize> = 1 << 14..1 << 19;
/// Lower bound on the length of a piece, as a multiple of m, when it is cut further to balance the
/// load.
const PATTERNS: usize = 32;

/// Returns the piece size for a text of n symbols: a share for each thread. The 2m symbols before a
/// piece are at most two thirds of its work.
fn size(n: usize, m: usize, threads: usize) -> usize {
    let most = PIECE.end.max(m.saturating_mul(PATTERNS));
    n.div_ceil(threads.max(1)).max(m).clamp(PIECE.start, most)
}

/// The CPU engine.
pub struct CpuBest<'p> {
    /// The algorithm.
    pub algorithm: &'static CpuAlgorithm,
    /// Called, from any thread, with the number of symbols done since its last call.
    pub progress: &'p (dyn Fn(u64) + Sync),
}

impl CpuBest<'_> {
    /// Searches in pieces; `size` returns the piece size for the length of a record.
    fn by_pieces(
        &self,
        symbols: &[u8],
        records: &[Range<usize>],
        pattern: &Pattern,
        size: impl Fn(usize) -> usize,
    ) -> Option<BestEnd> {
        let m = pattern.len();
        let pieces_of = |(record, range): (usize, &Range<usize>)| {
            let size = size(range.len());
            let text = &symbols[range.clone()];
            // An empty record has one piece.
            (0..range.len().max(1)).step_by(size).map(move |start| {
                let from = start.saturating_sub(2 * m);
                let end = (start + size).min(text.len());
                Piece { record, from, text: &text[from..end], own: end - start }
            })
        };
        let pieces: Vec<Piece<'_>> = records.iter().enumerate().flat_map(pieces_of).collect();
        let matches = pattern.match_words();
        // A piece's overlap may contribute ends too, though not always the best ones.
        let text = Pieces { pieces: &pieces, pattern, matches: &matches, progress: self.progress };
        let of_piece = (self.algorithm.least)(&text);
        let least = |(number, piece): (usize, &Piece<'_>)| {
            // The progress callback may unwind here to end the job, before the work of each piece.
            (self.progress)(0);
            let found = of_piece(number);
            (self.progress)(piece.own as u64);
            found.map(|(distance, end)| BestEnd { distance, record: piece.record, end: piece.from as u64 + end })
        };
        pieces.par_iter().enumerate().filter_map(least).min()
    }
}

/// A pattern, and a text in pieces.
pub struct Pieces<'p> {
    pub(super) pieces: &'p [Piece<'p>],
    pub(super) pattern: &'p Pattern,
    pub(super) matches: &'p MatchWords,
    /// Progress callback, as in [`CpuBest`].
    progress: &'p (dyn Fn(u64) + Sync),
}

/// Number of steps between two reports of progress.
const STEPS: usize = 1 << 22;

impl<'p> Pieces<'p> {
    /// Returns the symbols of a text and reports progress, so that the caller can end the job. A
    /// symbol takes `steps` steps.
    pub(super) fn watched<'s>(&self, symbols: &'s [u8], steps: usize) -> impl Iterator<Item = u8> + use<'s, 'p> {
        let progress = self.progress;
        let each = (STEPS / steps.max(1)).max(1);
        let mut left = each;
        symbols.iter().map(move |&symbol| {
            left -= 1;
            if left == 0 {
                left = each;
                progress(0);
            }
            symbol
        })
    }

    /// Returns true if a piece takes so long that its loop must report progress.
    pub(super) fn is_long(&self) -> bool {
        self.matches.words() >= 16
    }

    /// Returns the fewest errors by all of Myers' blocks, and the first end with them.
    pub(super) fn by_all_blocks(&self, symbols: &[u8]) -> (u32, u64) {
        let m = self.pattern.len();
        if self.is_long() {
            return crate::infix::myers::least(self.watched(symbols, self.matches.words()), self.matches, m, 0);
        }
        crate::infix::myers::least(symbols.iter().copied(), self.matches, m, 0)
    }
}

/// A part of a record.
pub struct Piece<'t> {
    record: usize,
    /// Position of its text in the record; the text includes the symbols before its own.
    from: usize,
    pub(super) text: &'t [u8],
    /// Number of its own symbols.
    own: usize,
}

impl BestEnds for CpuBest<'_> {
    fn best_end(&self, symbols: &[u8], records: &[Range<usize>], pattern: &Pattern) -> Result<BestEnd> {
        let threads = rayon::current_num_threads();
        let best = self.by_pieces(symbols, records, pattern, |n| size(n, pattern.len(), threads));
        best.ok_or_else(|| {
            UsageFault::Empty.error("there is no record to search; give a text with at least one record")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::ALGORITHMS;
    use super::*;
    use crate::infix::sellers;

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
                // The pattern resembles a part of the text.
                pattern.copy_from_slice(&text[random.usize(..n - m)..][..m]);
                (0..random.usize(..m / 3)).for_each(|_| pattern[random.usize(..m)] = random.u8(..4));
            }
            let pattern = Pattern::literal(&pattern);
            let (distance, end) = sellers::least(&text, &pattern);
            for algorithm in ALGORITHMS {
                let engine = CpuBest { algorithm, progress: &|_| () };
                for size in [1, 2, m, 2 * m + 1, 1000] {
                    let best = engine.by_pieces(&text, std::slice::from_ref(&(0..n)), &pattern, |_| size);
                    assert_eq!(
                        best,
                        Some(BestEnd { distance, record: 0, end }),
                        "case {case}, {}, {size}",
                        algorithm.about.name
                    );
                }
            }
        }
    }
}
