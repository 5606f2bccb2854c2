//! The script of two short strings from the bit-vectors of all columns: a table of two bits per
//! cell.
//!
//! The bits say whether D\[i\]\[j\] = D\[i - 1\]\[j\] + 1 (Myers' Pv) and whether D\[i\]\[j\] =
//! D\[i\]\[j - 1\] + 1 (Ph). They suffice to follow a cheapest path from the end. If two symbols
//! are equal, the diagonal is always cheapest. Otherwise the path goes up if Pv is set, left if Ph
//! is set, and if neither is set it can only come from a substitution.

use super::algorithm::DistanceTable;
use super::coded::Coded;
use super::strip::{MatchTable, STRIP_ROWS, STRIP_WORDS, Steps, advance};
use crate::alignment::Run;
use crate::cpu::myers::Block;
use crate::pairwise::columns::Direction;
use crate::pairwise::differences::FirstColumn;
use crate::text::Equality;

/// Maximum cells of a table that is best solved whole in Hirschberg's recursion: 1 MiB of bits.
pub const LEAF_CELLS: u64 = 1 << 22;

/// Computes a cheapest script from `a` to `b` as maximal runs of matches in ascending order, with
/// positions relative to the slices. Between two runs lie x symbols of `a` and y symbols of `b`
/// that cost max(x, y): each pair is a substitution, and the rest are insertions or deletions.
///
/// Among several scripts it picks one by the steps from the end to the start: a match where
/// possible, else a symbol of `a` alone where that is cheapest, else a symbol of `b` alone, else a
/// substitution. Takes 16 bytes per 64 rows of a column.
pub fn script_by(a: &[u8], b: &[u8], equality: &Equality) -> Vec<Run> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let coded = Coded::new(&DistanceTable {
        rows: a,
        cols: b,
        direction: Direction::Forward,
        first: FirstColumn::Rising,
        equality,
    });
    let codes = &coded.codes;
    let words = a.len().div_ceil(64);
    let n = b.len();
    // Order of the table: strip by strip, in a strip column by column, in a column word by word.
    let mut table: Vec<[u64; 2]> = Vec::with_capacity(words.saturating_mul(n));
    let mut steps = vec![Steps::RISING; n.div_ceil(64)];
    let mut matches = MatchTable::new();
    for rows in codes.rows.chunks(STRIP_ROWS) {
        coded.fill(&mut matches, rows);
        match rows.len().div_ceil(64) {
            4 => strip::<4>(&matches, &codes.cols, &mut steps, &mut table),
            3 => strip::<3>(&matches, &codes.cols, &mut steps, &mut table),
            2 => strip::<2>(&matches, &codes.cols, &mut steps, &mut table),
            _ => strip::<1>(&matches, &codes.cols, &mut steps, &mut table),
        }
    }
    let bits = |i: usize, j: usize| {
        let strip = i / 64 / STRIP_WORDS;
        let word = i / 64 % STRIP_WORDS;
        let width = (words - strip * STRIP_WORDS).min(STRIP_WORDS);
        table[strip * STRIP_WORDS * n + j * width + word].map(|bits| bits >> (i % 64) & 1 == 1)
    };
    let mut runs: Vec<Run> = Vec::new();
    let mut i = a.len();
    let mut j = n;
    while i > 0 && j > 0 {
        if equality.equal(a[i - 1], b[j - 1]) {
            (i, j) = (i - 1, j - 1);
            let a_start = i as u64;
            let b_start = j as u64;
            match runs.last_mut() {
                Some(run) if run.a_start == a_start + 1 && run.b_start == b_start + 1 => {
                    *run = Run { a_start, b_start, len: run.len + 1 };
                }
                _ => runs.push(Run { a_start, b_start, len: 1 }),
            }
        } else {
            match bits(i - 1, j - 1) {
                [true, _] => i -= 1,
                [false, true] => j -= 1,
                [false, false] => (i, j) = (i - 1, j - 1),
            }
        }
    }
    runs.reverse();
    runs
}

/// Takes a strip of W words through all columns and keeps both bits of its cells.
fn strip<const W: usize>(matches: &MatchTable, cols: &[u8], steps: &mut [Steps], table: &mut Vec<[u64; 2]>) {
    advance(&mut [Block::RISING; W], matches, cols, steps, |pv, ph| table.push([pv, ph]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::codes::random;

    /// Computes the script from a full table.
    fn plain(a: &[u8], b: &[u8]) -> (u64, Vec<Run>) {
        let mut d = vec![vec![0u64; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                d[i][j] = match (i, j) {
                    (0, _) => j as u64,
                    (_, 0) => i as u64,
                    _ => {
                        let diagonal = d[i - 1][j - 1] + u64::from(a[i - 1] != b[j - 1]);
                        diagonal.min(d[i - 1][j] + 1).min(d[i][j - 1] + 1)
                    }
                };
            }
        }
        let mut matches = Vec::new();
        let (mut i, mut j) = (a.len(), b.len());
        while i > 0 && j > 0 {
            if a[i - 1] == b[j - 1] {
                matches.push(Run { a_start: i as u64 - 1, b_start: j as u64 - 1, len: 1 });
                (i, j) = (i - 1, j - 1);
            } else if d[i][j] == d[i - 1][j] + 1 {
                i -= 1;
            } else if d[i][j] == d[i][j - 1] + 1 {
                j -= 1;
            } else {
                (i, j) = (i - 1, j - 1);
            }
        }
        matches.reverse();
        let runs = crate::alignment::runs::CommonSubsequence::new(matches, a.len() as u64, b.len() as u64).unwrap();
        (d[a.len()][b.len()], runs.runs().to_vec())
    }

    #[test]
    fn same_runs_as_a_plain_table() {
        for symbols in [1, 2, 4, 20, 251] {
            for m in [0, 1, 63, 64, 65, 255, 256, 257, 400, 520] {
                for n in [0, 1, 2, 63, 64, 65, 300] {
                    let (a, b) = (random(m, symbols, 1), random(n, symbols, 2));
                    let (distance, expected) = plain(&a, &b);
                    let runs = script_by(&a, &b, &Equality::exact());
                    assert_eq!(runs, expected, "{m} x {n}, {symbols} symbols");
                    let (mut cost, mut a_end, mut b_end) = (0, 0, 0);
                    let end = Run { a_start: m as u64, b_start: n as u64, len: 0 };
                    for run in runs.iter().chain([&end]) {
                        cost += (run.a_start - a_end).max(run.b_start - b_end);
                        (a_end, b_end) = (run.a_start + run.len, run.b_start + run.len);
                    }
                    assert_eq!(cost, distance, "{m} x {n}, {symbols} symbols");
                }
            }
        }
    }
}
