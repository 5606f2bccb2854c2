//! Approximate search by the differences of a column, for any k: G. Myers, A fast bit-vector
//! algorithm for approximate string matching based on dynamic programming, Journal of the ACM
//! 46(3), 1999, in blocks of 64 rows as in H. Hyyrö, A bit-vector algorithm for computing
//! Levenshtein and Damerau edit distances, Nordic Journal of Computing 10, 2003.

use super::end::End;
use crate::cpu::myers::{Block, Step};
use crate::text::pattern::MatchWords;

/// Calls `enough` with the number of each column, 1-based, and D in its last row, until it returns
/// true. m is not 0. `top` is the difference of D from column to column in row 0: 0 if a match may
/// begin anywhere, 1 if it begins with the text.
#[inline(always)]
fn columns(
    symbols: impl Iterator<Item = u8>,
    matches: &MatchWords,
    m: usize,
    top: i32,
    mut enough: impl FnMut(u64, i64) -> bool,
) {
    let mut errors = m as i64;
    let bit = ((m - 1) % 64) as u32;
    let top = Step::from_difference(top);
    let mut last = Block::RISING;
    if let Some(words) = matches.single_words() {
        // A loop of its own, so that the block stays in registers.
        for (j, symbol) in (1..).zip(symbols) {
            errors += last.advance(words[usize::from(symbol)], top, bit).difference();
            if enough(j, errors) {
                return;
            }
        }
        return;
    }
    let mut above = vec![Block::RISING; matches.words() - 1];
    for (j, symbol) in (1..).zip(symbols) {
        let Some((&last_word, words)) = matches.mask(symbol).split_last() else { return };
        let mut step = top;
        for (block, &eq) in above.iter_mut().zip(words) {
            step = block.advance(eq, step, 63);
        }
        errors += last.advance(last_word, step, bit).difference();
        if enough(j, errors) {
            return;
        }
    }
}

/// Interval of progress reports, in symbols.
pub(super) const PROGRESS_INTERVAL: u64 = 1 << 16;

/// Finds the ends of occurrences with at most k errors of a pattern with m positions: ⌈m / 64⌉
/// steps of about 17 instructions a symbol. `tell` receives the number of symbols done since its
/// last call.
pub(super) fn ends_by(
    text: impl Iterator<Item = u8>,
    matches: &MatchWords,
    m: usize,
    k: u32,
    on_progress: &dyn Fn(u64),
) -> Vec<End> {
    let mut found = Vec::new();
    if m == 0 {
        return found;
    }
    let tells = matches.words() > 1;
    columns(text, matches, m, 0, |j, errors| {
        if errors <= i64::from(k) {
            found.push(End { end: j, errors: errors as u32 });
        }
        if tells && j.is_multiple_of(PROGRESS_INTERVAL) {
            on_progress(PROGRESS_INTERVAL);
        }
        false
    });
    found
}

/// Returns the fewest errors of any column, and the first column with them. `top` as for
/// [`columns`]; m is not 0.
pub(crate) fn least(symbols: impl Iterator<Item = u8>, matches: &MatchWords, m: usize, top: i32) -> (u32, u64) {
    let mut least = (m as i64, 0);
    columns(symbols, matches, m, top, |j, errors| {
        if errors < least.0 {
            least = (errors, j);
        }
        errors == 0
    });
    (least.0 as u32, least.1)
}
