//! The parts of a sequence of tokens that are nearest to a pattern, if the pattern has more
//! different tokens than there are bytes; for strings, see [`places`](crate::distance::places).
//!
//! The pattern is the rows of a table, in words of 64 rows. The last row has the distance of the
//! pattern to each prefix of the text or, if the first row is 0, to the nearest part that ends
//! there.

use super::algorithm::Sequences;
use super::blocks::MatchTable;
use crate::distance::mode::Mode;
use crate::distance::places::{Nearest, known_start, reversed, text_of, window};
use crate::error::Result;
use rayon::prelude::*;

/// Minimum number of tokens of a text that a thread takes at a time.
const PIECE: usize = 1 << 16;

/// Finds the parts of the text that are nearest to the pattern.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub(super) fn nearest(&Sequences { a, b, progress }: &Sequences<'_>, mode: Mode) -> Result<Nearest> {
    let m = a.len();
    if m == 0 || b.is_empty() {
        return Ok(Nearest::empty(mode, m, b.len()));
    }
    let text = &b[text_of(mode, m, b.len())];
    if mode == Mode::Suffix {
        let backwards = Sequences { a: &reversed(a), b: &reversed(text), progress };
        return Ok(nearest(&backwards, Mode::Prefix)?.suffixes(b.len()));
    }
    let table = MatchTable::new(a)?;
    // A part that is no farther than the empty one has at most 2m tokens, so each piece begins 2m
    // tokens early.
    let piece = if mode == Mode::Infix { PIECE.max(m.saturating_mul(16)) } else { text.len() };
    let one = |start: usize| {
        let from = start.saturating_sub(m.saturating_mul(2));
        let mut found = Nearest { distance: m as u64, borders: Vec::new() };
        let mut end = from;
        if from == 0 {
            found.borders.push(0);
        }
        table.last_row(&text[from..text.len().min(start + piece)], mode == Mode::Infix, progress, |distance| {
            end += 1;
            if distance < found.distance {
                found.borders.clear();
                found.distance = distance;
            }
            if distance == found.distance {
                found.borders.push(end);
            }
        });
        found
    };
    let found: Vec<Nearest> = (0..text.len().div_ceil(piece)).into_par_iter().map(|i| one(i * piece)).collect();
    Ok(Nearest::of_pieces(found, m))
}

/// Returns, for each end, the start of the longest part with this distance to the pattern.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub(super) fn starts(
    &Sequences { a, b, .. }: &Sequences<'_>,
    mode: Mode,
    distance: u64,
    ends: &[usize],
) -> Result<Vec<usize>> {
    let table = MatchTable::new(&reversed(a))?;
    let start = |&end: &usize| {
        if let Some(start) = known_start(a.len(), mode, distance, end) {
            return start;
        }
        let text = reversed(&b[window(a.len(), distance, end)]);
        let mut length = 0;
        let mut longest = 0;
        table.last_row(&text, false, &|_| (), |found| {
            length += 1;
            if found == distance {
                longest = length;
            }
        });
        end - longest
    };
    Ok(ends.par_iter().map(start).collect())
}
