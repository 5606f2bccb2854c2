//! Finds the nearest part of a text with only those Myers blocks that can hold it: E. Ukkonen,
//! Finding approximate patterns in strings, Journal of Algorithms 6(1), 1985. The part with most of
//! the pattern's q-grams is examined first, which gives an early bound (`seeds`).

use super::engine::{CpuAlgorithm, Least, Pieces};
use crate::algorithm::About;
use crate::best::seeds::{Seeds, Votes};
use crate::infix::cut_off::least_within;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "cut-off",
        "Myers' blocks down to the last row that matters, first near q-grams of the pattern",
        "Ukkonen 1985; q-grams: Jokinen, Ukkonen 1991",
        "about 15 n instructions if a part is near the pattern; at most 17 n m / 64",
    ),
    least,
};

fn least<'p>(text: &'p Pieces<'p>) -> Box<dyn Least + 'p> {
    // A pattern of one block has nothing to cut off.
    if text.pattern.len() <= 64 {
        return Box::new(move |number| Some(text.by_all_blocks(text.pieces.get(number)?.text)));
    }
    let bounds = Bounds::new(text);
    Box::new(move |number| bounds.least(number))
}

/// Returns the fewest errors, if they are at most a bound, and the first end with them.
fn within(text: &Pieces<'_>, symbols: &[u8], bound: u32) -> Option<(u32, u64)> {
    let m = text.pattern.len();
    if text.is_long() {
        return least_within(text.watched(symbols, text.matches.words()), text.matches, m, 0, bound);
    }
    least_within(symbols.iter().copied(), text.matches, m, 0, bound)
}

/// Bounds known before the columns are computed.
struct Bounds<'p> {
    text: &'p Pieces<'p>,
    /// The part with the most of the pattern's q-grams, if its distance is at most m / 2.
    near: Option<Near>,
    /// A distance that some part of the text has: that of `near`, or m, the distance of the empty
    /// part.
    bound: u32,
    /// The pattern's q-grams, if they are selective, and each piece's number of them.
    seeds: Option<(Seeds, Vec<Votes>)>,
    /// The least distance found, and at first the bound.
    least: AtomicU32,
}

/// A part of a piece, its least distance, and the first end with that distance in the piece.
struct Near {
    piece: usize,
    part: Range<usize>,
    least: (u32, u64),
}

impl<'p> Bounds<'p> {
    fn new(text: &'p Pieces<'p>) -> Self {
        let Pieces { pieces, pattern, .. } = *text;
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
            let symbols = &pieces[piece].text[part.clone()];
            // Bounds double: a small distance is found soon.
            let bounds = std::iter::successors(Some(32u32), |bound| bound.checked_mul(2));
            let (distance, end) =
                bounds.take_while(|&bound| bound <= m as u32 / 2).find_map(|bound| within(text, symbols, bound))?;
            Some(Near { piece, least: (distance, part.start as u64 + end), part })
        });
        let bound = near.as_ref().map_or(m as u32, |near| near.least.0);
        Self { text, near, bound, seeds, least: AtomicU32::new(bound) }
    }

    /// Returns the least distance in a piece, and the first end with it; `None` if another piece is
    /// known to have a smaller one.
    fn least(&self, number: usize) -> Option<(u32, u64)> {
        let piece = self.text.pieces[number].text;
        let whole = 0..piece.len();
        let parts = self.seeds.as_ref().and_then(|(seeds, votes)| seeds.parts(&votes[number], self.bound));
        let least = |part: Range<usize>| {
            let known =
                |near: &&Near| near.piece == number && near.part.start <= part.start && part.end <= near.part.end;
            if let Some(near) = self.near.as_ref().filter(known) {
                return Some(near.least);
            }
            let symbols = &piece[part.clone()];
            let bound = self.least.load(Relaxed);
            // In random text, about 2k rows have a distance of at most k.
            let (distance, end) = match bound / 32 + 1 < self.text.matches.words() as u32 {
                true => within(self.text, symbols, bound)?,
                false => self.text.by_all_blocks(symbols),
            };
            self.least.fetch_min(distance, Relaxed);
            Some((distance, part.start as u64 + end))
        };
        parts.unwrap_or_else(|| vec![whole]).into_iter().filter_map(least).min()
    }
}
