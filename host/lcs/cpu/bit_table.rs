//! The LCS of two strings from the bit-vectors of all columns: a table of one bit per cell.
//!
//! Bit i of column j is 0 if L\[i + 1\]\[j\] = L\[i\]\[j\] + 1, which is the traceback's first
//! question. If the bit is 0, bit i of column j - 1 answers the second question: if that bit is 0
//! too, L\[i + 1\]\[j\] = L\[i + 1\]\[j - 1\], since otherwise L\[i + 1\]\[j\] would exceed
//! L\[i\]\[j - 1\] by two.

use super::strip::{MatchTable, advance};
use super::word_parallel::STRIP_WORDS;
use crate::alignment::Run;
use crate::alignment::traceback;
use crate::cpu::codes::Codes;

/// Finds an LCS of `a` and `b` as maximal runs of matches in ascending order, with positions
/// relative to the slices.
///
/// Among several LCSs it picks the one whose last match is earliest in `a`, then earliest in `b`,
/// and so on from the end to the start, as `dp_table::lcs` does.
pub fn lcs(a: &[u8], b: &[u8]) -> Vec<Run> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let codes = Codes::new(a, b, false);
    let words = a.len().div_ceil(64);
    let n = b.len();
    // Order of the table: strip by strip, in a strip column by column.
    let mut table = vec![0u64; words.saturating_mul(n)];
    let mut carries = vec![0; n.div_ceil(64)];
    let strips = words / STRIP_WORDS;
    let last = words % STRIP_WORDS;
    let (whole, rest) = codes.rows.split_at(a.len().min(strips * STRIP_WORDS * 64));
    let (kept, kept_of_rest) = table.split_at_mut(strips * STRIP_WORDS * n);
    if strips > 0 {
        let mut matches = MatchTable::new();
        for (rows, kept) in whole.chunks(64 * STRIP_WORDS).zip(kept.chunks_mut(STRIP_WORDS * n)) {
            strip::<STRIP_WORDS>(&mut matches, codes.symbols, rows, &codes.cols, &mut carries, kept);
        }
    }
    match last {
        1 => strip::<1>(&mut MatchTable::new(), codes.symbols, rest, &codes.cols, &mut carries, kept_of_rest),
        2 => strip::<2>(&mut MatchTable::new(), codes.symbols, rest, &codes.cols, &mut carries, kept_of_rest),
        3 => strip::<3>(&mut MatchTable::new(), codes.symbols, rest, &codes.cols, &mut carries, kept_of_rest),
        _ => {}
    }
    runs_of(&table, a.len(), n)
}

/// Returns the runs of a filled table of m rows and n columns, in the order strip by strip, in a
/// strip column by column.
pub(in crate::lcs) fn runs_of(table: &[u64], m: usize, n: usize) -> Vec<Run> {
    let words = m.div_ceil(64);
    let flat = |i: usize, j: usize| {
        let strip = i / 64 / STRIP_WORDS;
        let word = i / 64 % STRIP_WORDS;
        let width = (words - strip * STRIP_WORDS).min(STRIP_WORDS);
        let column = table[strip * STRIP_WORDS * n + j * width + word];
        column >> (i % 64) & 1 == 1
    };
    traceback::runs(m, n, |i, j| flat(i - 1, j - 1), |i, j| j > 1 && !flat(i - 1, j - 2))
}

/// Returns a function that stores the words of each column, one column after the other.
pub(in crate::lcs) fn keeping<const W: usize>(kept: &mut [u64]) -> impl FnMut(&[u64; W]) + '_ {
    let mut kept = kept.as_chunks_mut::<W>().0.iter_mut();
    move |words| {
        if let Some(kept) = kept.next() {
            *kept = *words;
        }
    }
}

/// Takes a strip through all columns and stores its W words after each.
fn strip<const W: usize>(
    matches: &mut MatchTable<W>,
    symbols: usize,
    rows: &[u8],
    cols: &[u8],
    carries: &mut [u64],
    kept: &mut [u64],
) {
    matches.fill(symbols, rows);
    advance(&mut [!0; W], matches, cols, carries, keeping(kept));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcs::cpu::dp_table;

    #[test]
    fn same_runs_as_the_plain_table() {
        let text = |len: u64, factor: u64, modulus: u64| -> Vec<u8> {
            (0..len).map(|i| (i * i * factor % 251 % modulus) as u8).collect()
        };
        for modulus in [1, 2, 4, 20, 251] {
            for m in [0, 1, 63, 64, 65, 255, 256, 257, 400, 520] {
                for n in [0, 1, 2, 63, 64, 65, 300] {
                    let (a, b) = (text(m, 3, modulus), text(n, 5, modulus));
                    assert_eq!(lcs(&a, &b), dp_table::lcs(&a, &b), "{m} x {n}, {modulus} symbols");
                }
            }
        }
    }
}
