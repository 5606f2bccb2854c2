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
//!           |          |              Suffix, and the start of a part: as Prefix, backwards from
//!           |          |              the part's end.
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

/// The parts that are nearest to the pattern, each by one of its borders.
pub(crate) struct Nearest {
    pub(super) distance: u64,
    /// The ends of the parts, ascending; in suffix mode, their starts.
    pub(super) borders: Vec<usize>,
}

impl Nearest {
    /// Returns the empty part, at the end of the text in suffix mode, else at its start.
    pub(super) fn empty(mode: Mode, m: usize, n: usize) -> Self {
        Self { distance: m as u64, borders: vec![if mode == Mode::Suffix { n } else { 0 }] }
    }

    /// Returns the ends of the parts of a text of `n` symbols.
    pub(super) fn ends(self, mode: Mode, n: usize) -> super::mode::Ends {
        let ends = if mode == Mode::Suffix { vec![n] } else { self.borders };
        super::mode::Ends { distance: self.distance, ends: ends.into_iter().map(|end| end as u64).collect() }
    }

    /// Returns the first part only.
    pub(super) fn first(mut self) -> Self {
        self.borders.truncate(1);
        self
    }

    /// Returns the parts of a text of `n` symbols. `starts` finds their starts from their ends.
    pub(super) fn parts(
        self,
        mode: Mode,
        n: usize,
        starts: impl FnOnce(&[usize]) -> Result<Vec<usize>>,
    ) -> Result<Vec<Range<usize>>> {
        if mode == Mode::Suffix {
            return Ok(self.borders.into_iter().map(|start| start..n).collect());
        }
        let starts = starts(&self.borders)?;
        Ok(starts.into_iter().zip(self.borders).map(|(start, end)| start..end).collect())
    }

    /// Changes lengths of suffixes, ascending, to the starts of the suffixes.
    pub(super) fn suffixes(mut self, n: usize) -> Self {
        self.borders.iter_mut().for_each(|border| *border = n - *border);
        self.borders.reverse();
        self
    }

    /// Finds the ends of the nearest parts of a text from those of its pieces. The distance that a
    /// piece reports is exact, except that it may be too large in the symbols that the piece shares
    /// with the piece before.
    pub(super) fn of_pieces(pieces: Vec<Self>, m: usize) -> Self {
        let distance = pieces.iter().map(|piece| piece.distance).min().unwrap_or(m as u64);
        let nearest = pieces.into_iter().filter(|piece| piece.distance == distance);
        let mut borders: Vec<usize> = nearest.flat_map(|piece| piece.borders).collect();
        borders.sort_unstable();
        borders.dedup();
        Self { distance, borders }
    }
}

/// Returns the distance if it needs no table: an empty pattern is nearest to an empty part of
/// the text, and so is any pattern to an empty text.
pub(super) fn trivial(a: &[u8], b: &[u8]) -> Option<u64> {
    (a.is_empty() || b.is_empty()).then_some(a.len() as u64)
}

/// Returns the range of the text without symbols that no nearest prefix or suffix can include.
pub(super) fn text_of(mode: Mode, m: usize, n: usize) -> Range<usize> {
    let most = n.min(m.saturating_mul(2));
    match mode {
        Mode::Global | Mode::Infix => 0..n,
        Mode::Prefix => 0..most,
        Mode::Suffix => n - most..n,
    }
}

/// Returns the symbols in the reverse order.
pub(super) fn reversed<T: Copy>(symbols: &[T]) -> Vec<T> {
    symbols.iter().rev().copied().collect()
}

/// Calls `each` with the distances of a pattern of 1 to 64 symbols to the prefixes of the text but
/// the empty one; in infix mode to the nearest part that ends there, in suffix mode to the
/// suffixes.
fn short_row(a: &[u8], b: &[u8], mode: Mode, each: impl FnMut(u64)) {
    let text = &b[text_of(mode, a.len(), b.len())];
    match mode {
        Mode::Suffix => short::last_row(&reversed(a), &reversed(text), false, each),
        mode => short::last_row(a, text, mode == Mode::Infix, each),
    }
}

/// Computes the least distance of a pattern of 1 to 64 symbols.
pub(super) fn short_distance(a: &[u8], b: &[u8], mode: Mode) -> u64 {
    let mut least = a.len() as u64;
    short_row(a, b, mode, |distance| least = least.min(distance));
    least
}

/// Finds the parts nearest to a pattern of 1 to 64 symbols.
pub(super) fn short_nearest(a: &[u8], b: &[u8], mode: Mode) -> Nearest {
    let mut found = Nearest { distance: a.len() as u64, borders: vec![0] };
    let mut end = 0;
    short_row(a, b, mode, |distance| {
        end += 1;
        if distance <= found.distance {
            if distance < found.distance {
                found.borders.clear();
                found.distance = distance;
            }
            found.borders.push(end);
        }
    });
    if mode == Mode::Suffix { found.suffixes(b.len()) } else { found }
}

/// Finds the start of the longest part that ends at `end` and has this distance to a pattern of 1
/// to 64 symbols.
pub(super) fn short_start(a: &[u8], b: &[u8], distance: u64, end: usize) -> usize {
    let window = window(a.len(), distance, end);
    let mut length = 0;
    let mut longest = 0;
    short::last_row(&reversed(a), &reversed(&b[window]), false, |found| {
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

/// Finds the parts nearest to a pattern. Neither string may be empty.
pub(super) fn nearest(engines: &Engines<'_, '_, Global>, m: usize, n: usize, mode: Mode) -> Result<Nearest> {
    let first = if mode == Mode::Infix { FirstColumn::Zero } else { FirstColumn::Rising };
    let all = text_of(mode, m, n);
    let pattern = Part { side: Side::A, range: 0..m };
    let text = |range| Part { side: Side::B, range };
    let piece = PIECE.max(m.saturating_mul(16));
    let rows = all.len() as u64;
    if mode != Mode::Infix
        || n < piece.saturating_mul(2)
        || (engines.is_large)(rows, m as u64, rows.saturating_mul(m as u64))
    {
        let engine = engines.engine_for(rows, m as u64);
        let direction = if mode == Mode::Suffix { Direction::Backward } else { Direction::Forward };
        let (distance, borders) = engine.edit_column(&text(all), &pattern, direction, first)?.least();
        let found = Nearest { distance, borders };
        return Ok(if mode == Mode::Suffix { found.suffixes(n) } else { found });
    }
    // A part that is no farther than the empty one has at most 2m symbols, so each piece of the
    // text begins 2m symbols early.
    let one = |start: usize| {
        let from = start.saturating_sub(2 * m);
        let column =
            engines.small.edit_column(&text(from..n.min(start + piece)), &pattern, Direction::Forward, first)?;
        let (distance, ends) = column.least();
        Ok(Nearest { distance, borders: ends.into_iter().map(|end| end + from).collect() })
    };
    let found: Vec<Nearest> = (0..n.div_ceil(piece)).into_par_iter().map(|i| one(i * piece)).collect::<Result<_>>()?;
    Ok(Nearest::of_pieces(found, m))
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

/// Returns a start that needs no table: of a prefix, of an empty part at the start, or of a part
/// that is equal to the pattern.
pub(super) fn known_start(m: usize, mode: Mode, distance: u64, end: usize) -> Option<usize> {
    match (mode, distance) {
        _ if end == 0 => Some(0),
        (Mode::Global | Mode::Prefix, _) => Some(0),
        (Mode::Infix, 0) => end.checked_sub(m),
        _ => None,
    }
}
