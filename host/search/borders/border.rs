//! The best occurrence at one end of a record: of the whole pattern or of a part that begins with
//! the pattern, and ends with the record.

use super::limits::PartLimits;
use crate::cpu::myers::{Block, Step};
use crate::infix::extent::Reader;
use crate::text::{MatchWords, Pattern};
use std::ops::RangeInclusive;

/// An occurrence of a part of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PartMatch {
    /// Number of the pattern's symbols in the part.
    pub symbols: usize,
    /// Number of the text's symbols.
    pub length: u64,
    pub errors: u32,
}

impl PartMatch {
    /// Returns the score, as [`score`] defines it.
    pub fn score(&self) -> i64 {
        score(self.symbols, self.errors)
    }
}

/// Returns the score of an occurrence of `symbols` symbols of the pattern: these, less two for each
/// error. The better occurrence has the greater score.
pub(super) fn score(symbols: usize, errors: u32) -> i64 {
    symbols as i64 - 2 * i64::from(errors)
}

/// Memory that is used for one record after the other.
#[derive(Default)]
pub(super) struct Scratch {
    blocks: Vec<Block>,
    candidates: Vec<Candidate>,
}

/// A part of the pattern that may occur.
#[derive(Clone, Copy)]
struct Candidate {
    symbols: usize,
    /// A lower bound on its errors.
    errors: u32,
}

/// A pattern at the end of a record.
pub(super) struct Border {
    pattern: Pattern,
    matches: MatchWords,
    limits: PartLimits,
    /// Numbers of symbols of the parts.
    parts: RangeInclusive<usize>,
}

impl Border {
    /// Makes the border of a pattern. The parts that may occur have these numbers of symbols.
    pub fn new(pattern: Pattern, limits: PartLimits, parts: RangeInclusive<usize>) -> Self {
        Self { matches: pattern.match_words(), pattern, limits, parts }
    }

    /// Returns the best occurrence that ends with the text: the one with the greatest score, then
    /// the fewest errors, the fewest gaps, and the most symbols of the text. `text` has the last
    /// m + k symbols of a record, or all of a shorter one, in reading order.
    pub fn best(&self, text: &[u8], scratch: &mut Scratch) -> Option<PartMatch> {
        self.candidates(text, scratch);
        scratch.candidates.sort_unstable_by_key(|one| (-score(one.symbols, one.errors), one.errors));
        let mut best: Option<PartMatch> = None;
        for &Candidate { symbols, errors } in &scratch.candidates {
            // No later one is better than the bound of this one.
            let bound = (score(symbols, errors), -i64::from(errors));
            if best.is_some_and(|best| (best.score(), -i64::from(best.errors)) >= bound) {
                break;
            }
            if let Some(one) = self.occurrence(text, symbols, errors)
                && best.is_none_or(|best| (one.score(), best.errors) > (best.score(), one.errors))
            {
                best = Some(one);
            }
        }
        best.filter(|best| best.length > 0)
    }

    /// Finds the parts that may occur at the end of a text, by the last column of Sellers' table:
    /// the fewest errors of each part. O(n ⌈m / 64⌉ + m).
    fn candidates(&self, text: &[u8], scratch: &mut Scratch) {
        let Scratch { blocks, candidates } = scratch;
        candidates.clear();
        blocks.clear();
        blocks.resize(self.matches.words(), Block::RISING);
        for &symbol in text {
            let mut step = Step::from_difference(0);
            for (block, &eq) in blocks.iter_mut().zip(self.matches.mask(symbol)) {
                step = block.advance(eq, step, 63);
            }
        }
        let (mut errors, last) = (0i64, (*self.parts.end()).min(self.pattern.len()));
        for row in 0..last {
            let (plus, minus) = blocks[row / 64].words();
            errors += (plus >> (row % 64) & 1) as i64 - (minus >> (row % 64) & 1) as i64;
            let symbols = row + 1;
            if symbols >= *self.parts.start()
                && let Some(allowed) = self.limits.of(0..symbols)
                && errors <= i64::from(allowed.edits())
            {
                // With transpositions, two edits are one error.
                let errors = if allowed.transpositions { errors as u32 / 2 } else { errors as u32 };
                candidates.push(Candidate { symbols, errors });
            }
        }
    }

    /// Returns the best occurrence of the first `symbols` symbols, which has at least `least`
    /// errors.
    fn occurrence(&self, text: &[u8], symbols: usize, least: u32) -> Option<PartMatch> {
        let allowed = self.limits.of(0..symbols)?;
        let is_limited = self.pattern.has_fixed() || !allowed.is_any();
        if least == 0 && !is_limited {
            return Some(PartMatch { symbols, length: symbols as u64, errors: 0 });
        }
        let reader = Reader::backward(&self.pattern.part(0..symbols)).within(allowed);
        let (errors, extent) = match is_limited {
            true => reader.best(text, allowed.errors)?,
            false => (least, reader.extent(text, least)?),
        };
        Some(PartMatch { symbols, length: extent.length, errors })
    }
}
