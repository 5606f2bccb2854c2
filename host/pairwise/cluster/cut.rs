//! A cut of Hirschberg's recursion, by all members: each finds the best row among its own rows.

use super::bands::Steps;
use super::link::receive;
use super::member::Member;
use crate::error::{Error, Result};
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::CutRequest;
use crate::pairwise::problem::Pairwise;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::ops::Range;

/// Number of rows that a thread searches at a time for the best one.
const ROWS: usize = 1 << 16;

impl<P: Pairwise> Member<'_, P> {
    /// Finds the row of a cut, by all members.
    pub(super) fn cut(&self, request: &CutRequest) -> Result<usize> {
        let CutRequest { rows, columns, middle } = request;
        let (before, after) = columns.split(*middle);
        let forward = self.ranges(rows, &before, Direction::Forward)?;
        let backward = self.ranges(rows, &after, Direction::Backward)?;
        let channels = [self.channel(), self.channel()];
        let first = || self.pass(rows, &before, Direction::Forward, &forward, channels[0]);
        let second = || self.pass(rows, &after, Direction::Backward, &backward, channels[1]);
        // The members of the upper half begin at the top, the others at the bottom, so that fewer
        // wait. Carries that arrive early are kept.
        let (first, second) = if 2 * self.link.rank() < self.link.size() {
            let first = first()?;
            (first, second()?)
        } else {
            let second = second()?;
            (first()?, second)
        };
        let start = forward[self.link.rank()].start;
        let mut best = Best::default();
        for RowSteps { rows, steps } in self.aligned(&second, &forward, &backward)? {
            let of_piece = |piece: usize| {
                let mut best = Best::default();
                for row in piece..(piece + ROWS).min(rows.end) {
                    let up = first.as_ref().map_or(0, |column| column.step(row - start));
                    best.add(row, P::Column::BETTER * (up - steps.at(row)));
                }
                best
            };
            let pieces: Vec<usize> = rows.clone().step_by(ROWS).collect();
            let pieces: Vec<Best> = pieces.into_par_iter().map(of_piece).collect();
            pieces.into_iter().for_each(|next| best.append(next));
        }
        let all = self.all([best.sum, best.most, best.row as i64])?;
        let mut whole = Best::default();
        for [sum, most, row] in all {
            whole.append(Best { sum, most, row: row as usize });
        }
        Ok(whole.row)
    }

    /// Returns the steps of the backward table's last column at this member's rows of the forward
    /// one; other members may have computed them.
    fn aligned<'c>(
        &self,
        own: &'c Option<P::Column>,
        forward: &[Range<usize>],
        backward: &[Range<usize>],
    ) -> Result<Vec<RowSteps<'c, P::Column>>> {
        let channel = self.channel();
        let rank = self.link.rank();
        let common = |one: &Range<usize>, other: &Range<usize>| one.start.max(other.start)..one.end.min(other.end);
        if let Some(column) = own {
            for (to, rows) in forward.iter().enumerate().filter(|&(to, _)| to != rank) {
                let rows = common(rows, &backward[rank]);
                if !rows.is_empty() {
                    self.link.send(to, channel, packed(rows, |row| column.step(backward[rank].end - 1 - row)))?;
                }
            }
        }
        let mut found = Vec::new();
        for (from, rows) in backward.iter().enumerate() {
            let rows = common(rows, &forward[rank]);
            if rows.is_empty() {
                continue;
            }
            let steps = match own {
                Some(column) if from == rank => StepsOf::Own { column, end: backward[rank].end },
                _ => {
                    let words = receive(self.link, from, channel)?;
                    if words.len() != 2 * rows.len().div_ceil(64) {
                        let reason = format!("sent {} words for a column of {} rows", words.len(), rows.len());
                        return Err(Error::Member { rank: from, reason });
                    }
                    StepsOf::Sent { words, start: rows.start }
                }
            };
            found.push(RowSteps { rows, steps });
        }
        Ok(found)
    }
}

/// Best row among consecutive rows: the first row with the greatest gain up to it.
#[derive(Debug, Default)]
struct Best {
    /// Gain of all rows.
    sum: i64,
    /// Gain of the rows up to the best one; above 0.
    most: i64,
    /// Row after these, if they gain anything.
    row: usize,
}

impl Best {
    /// Adds the next row, with its gain.
    fn add(&mut self, row: usize, gain: i64) {
        self.append(Self { sum: gain, most: gain, row: row + 1 });
    }

    /// Adds the next rows.
    fn append(&mut self, next: Self) {
        if next.most > 0 && self.sum + next.most > self.most {
            (self.most, self.row) = (self.sum + next.most, next.row);
        }
        self.sum += next.sum;
    }
}

/// Some rows, and their steps.
struct RowSteps<'c, C> {
    rows: Range<usize>,
    steps: StepsOf<'c, C>,
}

/// Steps of a backward table's last column, by the rows of the string.
enum StepsOf<'c, C> {
    /// Of this member, whose rows end at `end`.
    Own { column: &'c C, end: usize },
    /// Of another member: a bit a row for +1, then a bit a row for -1.
    Sent { words: Vec<u64>, start: usize },
}

impl<C: Steps> StepsOf<'_, C> {
    fn at(&self, row: usize) -> i64 {
        match self {
            Self::Own { column, end } => column.step(end - 1 - row),
            Self::Sent { words, start } => {
                let at = row - start;
                let half = words.len() / 2;
                let bit = |first: usize| (words[first + at / 64] >> (at % 64) & 1) as i64;
                bit(0) - bit(half)
            }
        }
    }
}

/// Packs steps of rows in the format of [`StepsOf::Sent`].
fn packed(rows: Range<usize>, step: impl Fn(usize) -> i64) -> Vec<u64> {
    let half = rows.len().div_ceil(64);
    let mut words = vec![0; 2 * half];
    for (at, row) in rows.enumerate() {
        let step = step(row);
        words[at / 64] |= u64::from(step > 0) << (at % 64);
        words[half + at / 64] |= u64::from(step < 0) << (at % 64);
    }
    words
}
