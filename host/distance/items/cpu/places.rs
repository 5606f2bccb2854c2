//! The parts of a sequence of tokens that are nearest to a pattern, if the pattern has more
//! different tokens than there are bytes; for strings, see [`places`](crate::distance::places).
//!
//! The pattern is the rows of a table, in words of 64 rows. The last row has the distance of the
//! pattern to each prefix of the text or, if the first row is 0, to the nearest part that ends
//! there.

use super::algorithm::Sequences;
use super::blocks::MatchTable;
use crate::distance::mode::Mode;
use crate::distance::places::{Ends, known_start, text_of, window};
use crate::error::Result;
use rayon::prelude::*;

/// Minimum number of tokens of a text that a thread takes at a time.
const PIECE: usize = 1 << 16;

/// Returns the least distance of the pattern to a part of the text, and the ends of all parts with
/// this distance.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub(super) fn ends(&Sequences { a, b, progress }: &Sequences<'_>, mode: Mode) -> Result<Ends> {
    let m = a.len();
    if m == 0 || b.is_empty() {
        return Ok(Ends { distance: m as u64, ends: vec![0] });
    }
    let text = &b[..text_of(mode, m, b.len())];
    let table = MatchTable::new(a)?;
    // A part that is no farther than the empty one has at most 2m tokens, so each piece begins 2m
    // tokens early.
    let piece = if mode == Mode::Infix { PIECE.max(m.saturating_mul(16)) } else { text.len() };
    let one = |start: usize| {
        let from = start.saturating_sub(m.saturating_mul(2));
        let mut found = Ends { distance: m as u64, ends: Vec::new() };
        let mut end = from;
        if from == 0 {
            found.ends.push(0);
        }
        table.last_row(&text[from..text.len().min(start + piece)], mode == Mode::Infix, progress, |distance| {
            end += 1;
            if distance < found.distance {
                found.ends.clear();
                found.distance = distance;
            }
            if distance == found.distance {
                found.ends.push(end);
            }
        });
        found
    };
    let found: Vec<Ends> = (0..text.len().div_ceil(piece)).into_par_iter().map(|i| one(i * piece)).collect();
    Ok(Ends::of_pieces(found, m))
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
    let backwards: Vec<u32> = a.iter().rev().copied().collect();
    let table = MatchTable::new(&backwards)?;
    let start = |&end: &usize| {
        if let Some(start) = known_start(a.len(), mode, distance, end) {
            return start;
        }
        let text: Vec<u32> = b[window(a.len(), distance, end)].iter().rev().copied().collect();
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
