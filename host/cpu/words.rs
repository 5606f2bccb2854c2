//! Tables of a few words of 64 rows, column by column: whole tables of few rows, and strips of
//! larger ones.
//!
//! Levenshtein takes 17 instructions per 64 cells ([`Block`]), LCS takes 6.

use super::myers::{Block, Step};
use super::short::{self, oriented, trimmed};

/// Rows per word.
pub(crate) const WORD: usize = 64;
/// Maximum words of a strip. A column takes two registers per word for Levenshtein, and one for the
/// LCS.
pub(crate) const LEVENSHTEIN_WORDS: usize = 4;
pub(crate) const LCS_WORDS: usize = 8;

/// Takes a few rows through the columns. On entry, `differences` are D's differences from column to
/// column above the rows; on return, those in the last row. Without differences, the rows are the
/// whole table, and D increases above them. D increases from row to row before the first column.
/// Returns D in the last row and column minus D above it.
pub(crate) type Strip = fn(rows: &[u8], columns: &[u8], differences: &mut [i8]) -> i64;

/// Returns the edit distance of Levenshtein, if one of the strings has at most 256 symbols without
/// their common prefix and suffix.
#[inline]
pub(crate) fn levenshtein_distance(a: &[u8], b: &[u8]) -> Option<u64> {
    short::levenshtein(a, b).or_else(|| {
        let (a, b, _) = trimmed(a, b);
        let (rows, columns) = oriented(a, b, LEVENSHTEIN_WORDS * WORD)?;
        // Neither is empty, because `short` takes such tables.
        u64::try_from(columns.len() as i64 + levenshtein(rows, columns, &mut [])).ok()
    })
}

/// Returns the length of a longest common subsequence, if one of the strings has at most 512
/// symbols without their common prefix and suffix.
#[inline]
pub(crate) fn lcs_length(a: &[u8], b: &[u8]) -> Option<u64> {
    short::lcs_length(a, b).or_else(|| {
        let (a, b, common) = trimmed(a, b);
        let (rows, columns) = oriented(a, b, LCS_WORDS * WORD)?;
        let distance = u64::try_from(columns.len() as i64 + lcs(rows, columns, &mut [])).ok()?;
        Some(common as u64 + ((a.len() + b.len()) as u64 - distance) / 2)
    })
}

/// Returns the rows that have each symbol: `table[symbol][word]`.
fn match_table<const W: usize>(rows: &[u8]) -> [[u64; W]; 256] {
    let mut table = [[0; W]; 256];
    for (words, rows) in rows.chunks(WORD).enumerate() {
        for (bit, &symbol) in rows.iter().enumerate() {
            table[usize::from(symbol)][words % W] |= 1 << bit;
        }
    }
    table
}

/// Calls a function for a strip of this many rows: for the number of words, and with `true` if
/// there are no differences.
macro_rules! for_words {
    ($function:ident($rows:expr, $columns:expr, $differences:expr): $($words:literal)+, $most:ident) => {
        match ($rows.len().div_ceil(WORD), $differences.is_empty()) {
            $(
                ($words, true) => $function::<$words, true>($rows, $columns, $differences),
                ($words, false) => $function::<$words, false>($rows, $columns, $differences),
            )+
            (_, true) => $function::<$most, true>($rows, $columns, $differences),
            (_, false) => $function::<$most, false>($rows, $columns, $differences),
        }
    };
}

/// Calls `next` with each column's symbol and the difference above the strip, if there is one, and
/// replaces it with the difference below.
#[inline(always)]
fn each<const ALONE: bool>(columns: &[u8], differences: &mut [i8], mut next: impl FnMut(u8, i8) -> i8) {
    if ALONE {
        for &symbol in columns {
            next(symbol, 1);
        }
    } else {
        for (&symbol, difference) in columns.iter().zip(differences) {
            *difference = next(symbol, *difference);
        }
    }
}

/// [`Strip`] of Levenshtein's distance.
pub(crate) fn levenshtein(rows: &[u8], columns: &[u8], differences: &mut [i8]) -> i64 {
    for_words!(levenshtein_words(rows, columns, differences): 1 2 3, LEVENSHTEIN_WORDS)
}

fn levenshtein_words<const W: usize, const ALONE: bool>(rows: &[u8], columns: &[u8], differences: &mut [i8]) -> i64 {
    let table = match_table::<W>(rows);
    let mut blocks = [Block::RISING; W];
    let last = ((rows.len() - 1) % WORD) as u32;
    each::<ALONE>(columns, differences, |symbol, difference| {
        let mut step = Step::from_difference(i32::from(difference));
        for (w, (block, &equal)) in blocks.iter_mut().zip(&table[usize::from(symbol)]).enumerate() {
            step = block.advance(equal, step, if w + 1 < W { 63 } else { last });
        }
        step.difference() as i8
    });
    let parts = rows.chunks(WORD).zip(blocks);
    parts.map(|(rows, block)| block.rise(rows.len() as u32)).sum()
}

/// [`Strip`] of the distance by insertions and deletions. A carry means that the LCS becomes longer
/// in a column, so D decreases by one instead of increasing.
pub(crate) fn lcs(rows: &[u8], columns: &[u8], differences: &mut [i8]) -> i64 {
    for_words!(lcs_words(rows, columns, differences): 1 2 3 4 5 6 7, LCS_WORDS)
}

fn lcs_words<const W: usize, const ALONE: bool>(rows: &[u8], columns: &[u8], differences: &mut [i8]) -> i64 {
    let table = match_table::<W>(rows);
    let mut words = [!0u64; W];
    let top = (rows.len() - 1) % WORD;
    each::<ALONE>(columns, differences, |symbol, difference| {
        let mut carry = difference < 0;
        let mut out = carry;
        for (w, (word, &equal)) in words.iter_mut().zip(&table[usize::from(symbol)]).enumerate() {
            let matched = *word & equal;
            let (sum, over) = word.carrying_add(matched, carry);
            let others = *word ^ matched;
            // The carry out of a row other than the word's last is the change that the addition
            // made in the bit above it.
            carry = over;
            if w + 1 == W {
                out = if top == 63 { carry } else { (sum ^ others) >> (top + 1) & 1 == 1 };
            }
            *word = sum | others;
        }
        if out { -1 } else { 1 }
    });
    let zeros = |rows: &[u8], word: u64| i64::from((!word & !0 >> (WORD - rows.len())).count_ones());
    rows.len() as i64 - 2 * rows.chunks(WORD).zip(words).map(|(rows, word)| zeros(rows, word)).sum::<i64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::naive;
    #[test]
    fn tables_of_several_words() {
        let mut random = fastrand::Rng::with_seed(1);
        for m in [0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320, 511, 512, 513] {
            for n in [1, 64, 65, 100, 256, 257, 512, 600] {
                for symbols in [2, 4, 256] {
                    let mut string = |len| -> Vec<u8> { (0..len).map(|_| random.u32(..symbols) as u8).collect() };
                    let (a, b) = (string(m), string(n));
                    let (x, y, _) = trimmed(&a, &b);
                    let few = x.len().min(y.len());
                    assert_eq!(
                        levenshtein_distance(&a, &b),
                        (few <= 256).then(|| naive::distance(&a, &b)),
                        "{m} {n} {symbols}"
                    );
                    let length = (few <= 512).then(|| naive::lcs_length(&a, &b));
                    assert_eq!(lcs_length(&a, &b), length, "{m} {n} {symbols}");
                }
            }
        }
    }
}
