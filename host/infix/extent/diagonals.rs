//! The best part for few errors: the cells of the diagonals that an alignment with few errors can
//! reach (Ukkonen 1985), each with the fewest errors and then the fewest gaps.
//!
//! ```text
//!                text ──▶
//! pattern   ▒ ▒ ▒ ▒               An alignment that begins in the corner has at least as many
//!    │      ▒ ▓ ▒ ▒ ▒             gaps as it is diagonals away from there: with d errors, 2d + 1
//!    ▼      ▒ ▒ ▒ ▒ ▒ ▒           diagonals are enough. They are computed column by column, since
//!           ▒ ▒ ▒ ▒ ▒ ▒ ▒         the bits of a word mark the consecutive rows of the pattern that
//!             ▒ ▒ ▒ ▒ ▒ ▒ ▒       have a column's symbol.
//! ```
//!
//! Time O(m d), about ten instructions a cell; no memory is allocated.

use super::size::Extent;
use crate::text::pattern::MatchWords;

/// Upper bound on the errors: with more, [`alignments`](super::alignments) in blocks of 64 cells
/// take less time.
pub(super) const MAX_ERRORS: usize = 15;

/// Cost of an error; a cell's value is its errors times this, plus its gaps.
const ERROR: u16 = 1 << 8;

/// Cost of a gap.
const GAP: u16 = ERROR + 1;

/// A value above every relevant cell's cost, with room to add another error.
const FAR: u16 = u16::MAX - GAP;

/// Finds the fewest errors of all parts of a text that begin with it, if they are at most `bound`,
/// and the best part with these errors; m is not 0.
pub(super) fn best(
    matches: &MatchWords,
    m: usize,
    symbols: impl ExactSizeIterator<Item = u8>,
    bound: u32,
) -> Option<(u32, Extent)> {
    let d = bound as usize;
    debug_assert!(d <= MAX_ERRORS);
    // A value of `bound` errors with any number of gaps is below this limit.
    let limit = (bound as u16 + 1) * ERROR - 1;
    if m > symbols.len() + d {
        return None;
    }
    // In column j, entry t is row j + t - d; the last entry is out of reach.
    let mut column = [FAR; 2 * MAX_ERRORS + 2];
    for (gaps, cell) in column[d..=2 * d].iter_mut().enumerate().take(m + 1) {
        *cell = gaps as u16 * GAP;
    }
    let mut best = if m <= d { (column[d + m], 0) } else { (FAR, 0) };
    for (j, symbol) in (1..=m + d).zip(symbols) {
        // Rows from 1, or d above the diagonal, to m, or d below it.
        let first = (d + 1).saturating_sub(j);
        let last = (m + d - j).min(2 * d);
        let mut above = FAR;
        if j <= d {
            above = j as u16 * GAP;
            column[d - j] = above;
        }
        let mut least = above;
        let mut bits = rows_from(matches.mask(symbol), j + first - d - 1);
        for t in first..=last {
            let differs = if bits & 1 == 1 { 0 } else { ERROR };
            bits >>= 1;
            above = (column[t] + differs).min(column[t + 1] + GAP).min(above + GAP).min(FAR);
            column[t] = above;
            least = least.min(above);
        }
        // Among equal parts the last is the longest.
        if j + d >= m && above <= best.0 {
            best = (above, j as u64);
        }
        if least > limit {
            break;
        }
    }
    let (value, length) = best;
    (value <= limit).then(|| (u32::from(value / ERROR), Extent { gaps: u32::from(value % ERROR), length }))
}

/// Returns a bit mask of the rows that match, among 31 rows from this one on.
fn rows_from(words: &[u64], row: usize) -> u32 {
    let word = row / 64;
    let bit = row % 64;
    let low = words[word] >> bit;
    let high = words.get(word + 1).map_or(0, |next| next << 1 << (63 - bit));
    (low | high) as u32
}
