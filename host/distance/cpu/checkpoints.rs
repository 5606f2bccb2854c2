//! The script of two strings that have little in common, for little more than the cost of the
//! distance: it keeps columns of the full table, and finds the way back from each kept column to
//! the one before.
//!
//! ```text
//!        |       |       |     The kept columns are differences, two bits per row. In each part
//!        |   ____|       |     between two kept columns, only rows that the path can come from are
//!        |  |    |_______|     computed again, from the row where it leaves the part: as many rows
//!        |  |    |       |     as the part has columns, and half as many more if strings are
//!        |  |____|   x<- |     unrelated.
//! ```
//!
//! Hirschberg's recursion computes the table twice. This algorithm computes 1 + (skew of the lanes
//! in each part) + (K windows of the table), where K is the number of parts: a sixth and a third
//! more for strings of 100,000 symbols.

use super::algorithm::CpuAlgorithm;
use super::bit_parallel;
use crate::algorithm::About;
use crate::alignment::Run;
use crate::job::Progress;
use crate::pairwise::rows::Computes;
use crate::pairwise::similar::{Answer, KnownColumn, Path, Request, way_back};

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "checkpoints",
        "scripts: keeps some columns of the full table, and computes parts again on the way back; in lanes of AVX-512 or AVX2",
        "this project, on the lanes of bit-parallel",
        "about a third more than the distance by bit-parallel, which takes over without lanes, and for distances",
    ),
    computes: Computes::Whole(compare),
};

/// Factor of the number of columns of a part, which is about √(n × `PART`) for n columns.
const PART: usize = 512;

/// Computes the script if it is requested, unless a device computes the table faster.
fn compare(a: &[u8], b: &[u8], request: &Request, progress: Progress<'_>) -> Answer {
    let found = if request.script && !request.beside_device { script(a, b, progress) } else { None };
    found.unwrap_or(Answer::GaveUp(None))
}

/// Computes a cheapest script; `None` if the processor has no lanes.
fn script(a: &[u8], b: &[u8], progress: Progress<'_>) -> Option<Answer> {
    if a.is_empty() || b.is_empty() {
        return Some(Answer::Distance { distance: (a.len() + b.len()) as u64, runs: Some(Vec::new()) });
    }
    let step = b.len().saturating_mul(PART).isqrt().next_multiple_of(PART);
    let columns = bit_parallel::columns(a, b, step, progress)?;
    let mut runs: Vec<Run> = Vec::new();
    let mut row = a.len();
    for (part, [plus, minus]) in columns[..columns.len() - 1].iter().enumerate().rev() {
        let start = part * step;
        let end = (start + step).min(b.len());
        if row == 0 {
            break;
        }
        let distance = at(&columns[part + 1], end, row);
        // Finds the first row that the path can come from: D there, plus the remaining insertions
        // or deletions, is at most D here.
        let mut d = at(&columns[part], start, row);
        let mut first = row;
        for i in (0..=row).rev() {
            if d + (row - i).abs_diff(end - start) as u64 <= distance {
                first = i;
            }
            if let Some(above) = i.checked_sub(1) {
                d = d - (plus[above / 64] >> (above % 64) & 1) + (minus[above / 64] >> (above % 64) & 1);
            }
        }
        let word = first / 64;
        let before = KnownColumn {
            top: at(&columns[part], start, word * 64),
            plus: &plus[word..row.div_ceil(64)],
            minus: &minus[word..row.div_ceil(64)],
        };
        let Path { row: entry, runs: found } = way_back(&a[word * 64..row], &b[start..end], &before, distance)?;
        let found = found.into_iter().map(|run| Run {
            a_start: run.a_start + 64 * word as u64,
            b_start: run.b_start + start as u64,
            ..run
        });
        runs.extend(found.rev());
        row = word * 64 + entry;
    }
    runs.reverse();
    Some(Answer::Distance { distance: at(columns.last()?, b.len(), a.len()), runs: Some(runs) })
}

/// Returns D in a row of the column that has `columns` columns before it.
fn at([plus, minus]: &[Vec<u64>; 2], columns: usize, row: usize) -> u64 {
    let ones = |words: &[u64]| {
        let whole: u64 = words[..row / 64].iter().map(|word| u64::from(word.count_ones())).sum();
        let rest = if row.is_multiple_of(64) { 0 } else { words[row / 64] & !(!0 << (row % 64)) };
        whole + u64::from(rest.count_ones())
    };
    columns as u64 + ones(plus) - ones(minus)
}

#[cfg(test)]
mod tests {
    use super::super::dp;
    use super::*;
    use crate::alignment::runs::CommonSubsequence;
    use crate::cpu::codes::random;
    use crate::pairwise::columns::Direction;
    use crate::pairwise::similar::{Costs, script_cost};

    #[test]
    fn scripts_of_the_distance() {
        for (m, n, symbols) in
            [(1, 1, 4), (700, 3000, 4), (3000, 700, 4), (2000, 2000, 2), (5000, 4000, 30), (900, 9000, 4)]
        {
            let (a, b) = (random(m, symbols, 1), random(n, symbols, 2));
            // Similar in the first half, unrelated in the second.
            let half = [&a[..m / 2], &b[..n / 2]].concat();
            for b in [&b, &half, &a] {
                let Some(answer) = script(&a, b, &|_| ()) else { continue };
                let Answer::Distance { distance, runs: Some(runs) } = answer else { panic!("{answer:?}") };
                assert_eq!(distance, dp::last_column(&a, b, Direction::Forward).last());
                assert_eq!(script_cost(&runs, m, b.len(), Costs::Levenshtein), distance, "{m} x {}", b.len());
                CommonSubsequence::new(runs, m as u64, b.len() as u64).unwrap().verify(&a, b).unwrap();
            }
        }
    }
}
