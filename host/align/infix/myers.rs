//! Approximate search by the differences of a column, whatever k: G. Myers, A fast bit-vector algorithm for approximate
//! string matching based on dynamic programming, Journal of the ACM 46(3), 1999, in blocks of 64 rows as in H. Hyyrö,
//! A bit-vector algorithm for computing Levenshtein and Damerau edit distances, Nordic Journal of Computing 10, 2003.

use super::End;
use crate::cpu::myers::Block;
use crate::text::pattern::MatchWords;

/// A column of the table.
struct BlockColumn<'p> {
    matches: &'p MatchWords,
    blocks: Vec<Block>,
    /// The last row, from 0.
    last: usize,
    /// D in the last row.
    errors: i64,
}

impl<'p> BlockColumn<'p> {
    /// BlockColumn 0 of a pattern with m positions, not 0.
    fn new(matches: &'p MatchWords, m: usize) -> Self {
        Self { matches, blocks: vec![Block::RISING; matches.words()], last: m - 1, errors: m as i64 }
    }

    /// Takes a symbol; D in the last row. `top` is D's difference from column to column in row 0: 0 where a match may begin
    /// anywhere, 1 where it begins with the text.
    #[inline(always)]
    fn take(&mut self, symbol: u8, top: i32) -> i64 {
        let mut difference = top;
        let words = self.matches.of(symbol);
        if let [block] = &mut self.blocks[..] {
            difference = block.advance(words[0], difference, self.last as u32);
        } else {
            let count = self.blocks.len();
            for (w, (block, &eq)) in self.blocks.iter_mut().zip(words).enumerate() {
                let bit = if w + 1 == count { self.last % 64 } else { 63 };
                difference = block.advance(eq, difference, bit as u32);
            }
        }
        self.errors += i64::from(difference);
        self.errors
    }
}

/// Symbols after which it is told how far a search is.
pub(super) const TOLD: u64 = 1 << 16;

/// The ends of occurrences with at most k errors of a pattern with m positions: ⌈m / 64⌉ steps of some 17 instructions a symbol.
/// `tell` is told the number of symbols done since its last call.
pub(super) fn ends_by(
    text: impl Iterator<Item = u8>,
    matches: &MatchWords,
    m: usize,
    k: u32,
    tell: &dyn Fn(u64),
) -> Vec<End> {
    let mut found = Vec::new();
    if m == 0 {
        return found;
    }
    let mut column = BlockColumn::new(matches, m);
    for (j, symbol) in (1u64..).zip(text) {
        let errors = column.take(symbol, 0);
        if errors <= i64::from(k) {
            found.push(End { end: j, errors: errors as u32 });
        }
        if matches.words() > 1 && j.is_multiple_of(TOLD) {
            tell(TOLD);
        }
    }
    found
}

/// The fewest errors of any column, and the first column with so few. `top` as for [`BlockColumn::take`]; m is not 0.
pub(crate) fn least(symbols: impl Iterator<Item = u8>, matches: &MatchWords, m: usize, top: i32) -> (u32, u64) {
    let mut column = BlockColumn::new(matches, m);
    let mut least = (column.errors, 0);
    for (j, symbol) in (1..).zip(symbols) {
        let errors = column.take(symbol, top);
        if errors < least.0 {
            least = (errors, j);
            if errors == 0 {
                break;
            }
        }
    }
    (least.0 as u32, least.1)
}
