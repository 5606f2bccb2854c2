//! The parts of a text that are nearest to a pattern: their ends and starts.
//!
//! The text is the rows of a table, the pattern its columns. The last column has the distance of
//! the whole pattern to each prefix of the text or, if the first column is 0, to the nearest part
//! that ends there. So the columns of every engine show the least distance.
//!
//! ```text
//!                pattern              Prefix: the first column is 0, 1, 2 …, with at most 2m rows:
//!             0 1 2 … m               a prefix of over 2m symbols is farther than the empty one.
//!           +----------+
//!      text | |        |    |  min    Infix: the first column is 0.
//!           | first    | last
//!           |          |              Start of a part: as Prefix, backwards from the part's end.
//!           +----------+
//! ```

use super::mode::Mode;
use super::problem::Global;
use crate::cpu::short;
use crate::error::Result;
use crate::pairwise::columns::Direction;
use crate::pairwise::comparison::Engines;
use crate::pairwise::cuts::{Part, Side};
use crate::pairwise::differences::FirstColumn;
use rayon::prelude::*;
use std::ops::Range;

/// Minimum number of symbols of a text that a thread takes at a time.
const PIECE: usize = 1 << 18;

/// The least distance, and the ends of the parts with this distance.
pub(crate) struct Ends {
    pub(super) distance: u64,
    /// Ascending.
    pub(super) ends: Vec<usize>,
}

impl From<Ends> for super::mode::Ends {
    fn from(found: Ends) -> Self {
        Self { distance: found.distance, ends: found.ends.into_iter().map(|end| end as u64).collect() }
    }
}

impl Ends {
    /// Finds the ends of the nearest parts of a text from those of its pieces. The distance that a
    /// piece reports is exact, except that it may be too large in the symbols that the piece shares
    /// with the piece before.
    pub(super) fn of_pieces(pieces: Vec<Self>, m: usize) -> Self {
        let distance = pieces.iter().map(|piece| piece.distance).min().unwrap_or(m as u64);
        let nearest = pieces.into_iter().filter(|piece| piece.distance == distance);
        let mut ends: Vec<usize> = nearest.flat_map(|piece| piece.ends).collect();
        ends.sort_unstable();
        ends.dedup();
        Self { distance, ends }
    }
}

/// Returns the distance if it needs no table: an empty pattern is nearest to the empty part at the
/// text's start, and so is any pattern to an empty text.
pub(super) fn trivial(a: &[u8], b: &[u8]) -> Option<u64> {
    (a.is_empty() || b.is_empty()).then_some(a.len() as u64)
}

/// Returns the length of the text without symbols that no nearest prefix can include.
pub(super) fn text_of(mode: Mode, m: usize, n: usize) -> usize {
    if mode == Mode::Prefix { n.min(m.saturating_mul(2)) } else { n }
}

/// Computes the least distance of a pattern of 1 to 64 symbols.
pub(super) fn short_distance(a: &[u8], b: &[u8], mode: Mode) -> u64 {
    let mut least = a.len() as u64;
    short::last_row(a, &b[..text_of(mode, a.len(), b.len())], mode == Mode::Infix, |distance| {
        least = least.min(distance)
    });
    least
}

/// Finds the ends of the parts nearest to a pattern of 1 to 64 symbols.
pub(super) fn short_ends(a: &[u8], b: &[u8], mode: Mode) -> Ends {
    let mut found = Ends { distance: a.len() as u64, ends: vec![0] };
    let mut end = 0;
    short::last_row(a, &b[..text_of(mode, a.len(), b.len())], mode == Mode::Infix, |distance| {
        end += 1;
        if distance <= found.distance {
            if distance < found.distance {
                found.ends.clear();
                found.distance = distance;
            }
            found.ends.push(end);
        }
    });
    found
}

/// Finds the start of the longest part that ends at `end` and has this distance to a pattern of 1
/// to 64 symbols.
pub(super) fn short_start(a: &[u8], b: &[u8], distance: u64, end: usize) -> usize {
    let window = window(a.len(), distance, end);
    let (pattern, text): (Vec<u8>, Vec<u8>) =
        (a.iter().rev().copied().collect(), b[window].iter().rev().copied().collect());
    let mut length = 0;
    let mut longest = 0;
    short::last_row(&pattern, &text, false, |found| {
        length += 1;
        if found == distance {
            longest = length;
        }
    });
    end - longest
}

/// Returns the range of symbols that a part with this end and distance can include.
pub(super) fn window(m: usize, distance: u64, end: usize) -> Range<usize> {
    end.saturating_sub(m.saturating_add(distance as usize))..end
}

/// Finds the ends of the parts nearest to a pattern. Neither string may be empty.
pub(super) fn ends(engines: &Engines<'_, '_, Global>, m: usize, n: usize, mode: Mode) -> Result<Ends> {
    let first = if mode == Mode::Infix { FirstColumn::Zero } else { FirstColumn::Rising };
    let n = text_of(mode, m, n);
    let pattern = Part { side: Side::A, range: 0..m };
    let text = |range| Part { side: Side::B, range };
    let piece = PIECE.max(m.saturating_mul(16));
    if mode == Mode::Prefix
        || n < piece.saturating_mul(2)
        || (engines.is_large)(n as u64, m as u64, n as u64 * m as u64)
    {
        let engine = engines.engine_for(n as u64, m as u64);
        let (distance, ends) = engine.edit_column(&text(0..n), &pattern, Direction::Forward, first)?.least();
        return Ok(Ends { distance, ends });
    }
    // A part that is no farther than the empty one has at most 2m symbols, so each piece of the
    // text begins 2m symbols early.
    let one = |start: usize| {
        let from = start.saturating_sub(2 * m);
        let column =
            engines.small.edit_column(&text(from..n.min(start + piece)), &pattern, Direction::Forward, first)?;
        let (distance, ends) = column.least();
        Ok(Ends { distance, ends: ends.into_iter().map(|end| end + from).collect() })
    };
    let found: Vec<Ends> = (0..n.div_ceil(piece)).into_par_iter().map(|i| one(i * piece)).collect::<Result<_>>()?;
    Ok(Ends::of_pieces(found, m))
}

/// Finds the starts of the longest parts with these ends and this distance to the pattern.
pub(super) fn starts(
    engines: &Engines<'_, '_, Global>,
    m: usize,
    mode: Mode,
    distance: u64,
    ends: &[usize],
) -> Result<Vec<usize>> {
    let start = |&end: &usize| {
        if let Some(start) = known_start(m, mode, distance, end) {
            return Ok(start);
        }
        let window = window(m, distance, end);
        let engine = engines.engine_for(window.len() as u64, m as u64);
        let rows = Part { side: Side::B, range: window };
        let columns = Part { side: Side::A, range: 0..m };
        let column = engine.edit_column(&rows, &columns, Direction::Backward, FirstColumn::Rising)?;
        let (_, lengths) = column.least();
        Ok(end - lengths.last().copied().unwrap_or(0))
    };
    ends.par_iter().map(start).collect()
}

/// Returns a start that needs no table: of a prefix, of an empty part, or of a part that is equal
/// to the pattern.
pub(super) fn known_start(m: usize, mode: Mode, distance: u64, end: usize) -> Option<usize> {
    match (mode, distance) {
        _ if end == 0 => Some(0),
        (Mode::Global | Mode::Prefix, _) => Some(0),
        (Mode::Infix, 0) => end.checked_sub(m),
        _ => None,
    }
}
