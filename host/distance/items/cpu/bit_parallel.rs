//! The edit distance of two sequences of numbers (tokens), and a cheapest script. Tokens stand for
//! characters of a large alphabet, for lines, words or any other items that can be compared.
//!
//! Sequences with at most 254 different tokens in common become strings of bytes, and are compared
//! like all strings. For others, the table is computed by blocks of 64 rows (`blocks`) near the
//! diagonal only (Ukkonen 1985): first within the reach that a small distance needs, then within
//! twice that reach, until the distance found is at most the reach.
//!
//! ```text
//!        b                     Computes only blocks with cells within `reach` of the diagonal.
//!      + - - - - - - - +       Above them, D is taken to grow by 1 from column to column, and
//!    a | # # . . . . . |       below them from row to row. There it may be too large, never too
//!      | # # # # . . . |       small, so a distance of at most `reach` is exact.
//!      | . # # # # # . |       The script: the columns are cut in the middle, where D of both
//!      | . . . # # # # |       halves shows the row of a cheapest path (Hirschberg 1975). A part
//!      + - - - - - - - +       with few different tokens becomes bytes again.
//! ```

use super::algorithm::{CpuAlgorithm, OfBytes};
use super::blocks::{FAR, MatchTable};
use super::places;
use crate::algorithm::About;
use crate::alignment::Run;
use crate::error::Result;
use crate::job::Progress;
use crate::pairwise::furthest::{common_prefix, common_suffix};
use crate::text::numbered::number;
use crate::threads;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "bit-parallel",
        "blocks of 64 rows of tokens; for whole sequences, only near the diagonal",
        "Myers 1999, Hyyrö 2003, Ukkonen 1985",
        "17 (2D + 128) n / 64 for whole sequences of distance D, else 17 mn / 64",
    ),
    distance: |sequences, maximum| distance(sequences.a, sequences.b, maximum, sequences.progress),
    nearest: places::nearest,
    starts: places::starts,
    runs: |sequences, of_bytes| runs(sequences.a, sequences.b, of_bytes, sequences.progress),
};

/// Reach of the first attempt: distance from the diagonal.
const REACH: u64 = 256;

/// Computes the edit distance; `None` if it is above the maximum. Takes 17 instructions per 64
/// cells of the band.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub(crate) fn distance(a: &[u32], b: &[u32], maximum: Option<u64>, progress: Progress<'_>) -> Result<Option<u64>> {
    let (a, b) = trimmed(a, b).0;
    let (rows, columns) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let difference = (columns.len() - rows.len()) as u64;
    let longest = columns.len() as u64;
    let most = maximum.unwrap_or(longest).min(longest);
    if difference > most {
        return Ok(None);
    }
    if rows.is_empty() {
        return Ok(Some(difference));
    }
    let table = MatchTable::new(rows)?;
    let mut reach = REACH.max(difference.saturating_mul(2)).min(most);
    loop {
        let distance = table.last_column(columns.iter(), reach, progress).last();
        if distance <= reach {
            return Ok(Some(distance));
        }
        if reach == most {
            return Ok(None);
        }
        reach = reach.saturating_mul(2).min(most);
    }
}

/// Computes the length of a longest common subsequence.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub(crate) fn lcs_length(a: &[u32], b: &[u32], progress: Progress<'_>) -> Result<u64> {
    let ((a, b), [prefix, suffix]) = trimmed(a, b);
    let (rows, columns) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let common = (prefix + suffix) as u64;
    if rows.is_empty() {
        return Ok(common);
    }
    Ok(common + MatchTable::new(rows)?.lcs_length(columns, progress))
}

/// Computes the runs of matches of a cheapest script, in order.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory), and the errors of `of_bytes`.
fn runs(a: &[u32], b: &[u32], of_bytes: OfBytes<'_>, progress: Progress<'_>) -> Result<Vec<Run>> {
    let distance = distance(a, b, None, progress)?.unwrap_or(FAR);
    let mut runs: Vec<Run> = Vec::new();
    for run in threads::run(|| (Parts { of_bytes, progress }).solve([a, b], [0, 0], distance))? {
        match runs.last_mut() {
            _ if run.len == 0 => {}
            Some(last) if last.ends() == (run.a_start, run.b_start) => last.len += run.len,
            _ => runs.push(run),
        }
    }
    Ok(runs)
}

/// Removes the prefix and the suffix that both sequences have in common. Also returns their
/// lengths.
fn trimmed<'s>(a: &'s [u32], b: &'s [u32]) -> ((&'s [u32], &'s [u32]), [usize; 2]) {
    let prefix = common_prefix(a, b);
    let a = &a[prefix..];
    let b = &b[prefix..];
    let suffix = common_suffix(a, b);
    ((&a[..a.len() - suffix], &b[..b.len() - suffix]), [prefix, suffix])
}

/// Hirschberg's recursion.
struct Parts<'p> {
    of_bytes: OfBytes<'p>,
    progress: Progress<'p>,
}

impl Parts<'_> {
    /// Computes the runs of two parts that begin at these positions and have this distance.
    fn solve(&self, [a, b]: [&[u32]; 2], [a_start, b_start]: [u64; 2], distance: u64) -> Result<Vec<Run>> {
        let ((x, y), [prefix, suffix]) = trimmed(a, b);
        let x_start = a_start + prefix as u64;
        let y_start = b_start + prefix as u64;
        let mut runs = vec![Run { a_start, b_start, len: prefix as u64 }];
        runs.extend(self.middle([x, y], [x_start, y_start], distance)?);
        let a_start = x_start + x.len() as u64;
        let b_start = y_start + y.len() as u64;
        runs.push(Run { a_start, b_start, len: suffix as u64 });
        Ok(runs)
    }

    fn middle(&self, [a, b]: [&[u32]; 2], [a_start, b_start]: [u64; 2], distance: u64) -> Result<Vec<Run>> {
        if a.is_empty() || b.is_empty() {
            return Ok(Vec::new());
        }
        if let Some([x, y]) = number(a, b)?.bytes() {
            let moved = |run: Run| Run { a_start: run.a_start + a_start, b_start: run.b_start + b_start, len: run.len };
            return Ok((self.of_bytes)(&x, &y)?.into_iter().map(moved).collect());
        }
        // The parts have more than 254 different tokens in common, so both halves have symbols.
        let middle = b.len() / 2;
        let (left, right) = b.split_at(middle);
        let backwards: Vec<u32> = a.iter().rev().copied().collect();
        let column = |rows: &[u32], columns: &mut (dyn ExactSizeIterator<Item = &u32> + Send)| -> Result<Vec<u64>> {
            Ok(MatchTable::new(rows)?.last_column(columns, distance, self.progress).values(rows.len()))
        };
        let (forward, backward) =
            rayon::join(|| column(a, &mut left.iter()), || column(&backwards, &mut right.iter().rev()));
        let forward = forward?;
        let backward = backward?;
        let costs = forward.iter().zip(backward.iter().rev()).map(|(x, y)| x + y).enumerate();
        let row = costs.min_by_key(|&(row, cost)| (cost, row)).map_or(0, |(row, _)| row);
        let (x, y) = a.split_at(row);
        let (first, second) = rayon::join(
            || self.solve([x, left], [a_start, b_start], forward[row]),
            || self.solve([y, right], [a_start + row as u64, b_start + middle as u64], backward[a.len() - row]),
        );
        let mut runs = first?;
        runs.extend(second?);
        Ok(runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::naive;
    use crate::distance::Comparison;

    fn check(a: &[u32], b: &[u32]) {
        let expected = naive::distance(a, b);
        let found = |maximum| distance(a, b, maximum, &|_| ()).unwrap();
        assert_eq!(found(None), Some(expected), "{a:?} {b:?}");
        for maximum in [0, expected.saturating_sub(1), expected, expected + 1, 1 << 40] {
            assert_eq!(found(Some(maximum)), Some(expected).filter(|&d| d <= maximum), "{a:?} {b:?} {maximum}");
        }
        let comparison = Comparison::new();
        assert_eq!(comparison.distance_of(a, b).unwrap(), expected);
        assert_eq!(comparison.clone().maximum(expected).within_of(a, b).unwrap(), Some(expected));
        let below = comparison.clone().maximum(expected.saturating_sub(1));
        assert_eq!(below.within_of(a, b).unwrap().is_some(), expected == 0);
        let script = comparison.script_of(a, b).unwrap();
        assert_eq!((script.distance(), script.a_len(), script.b_len()), (expected, a.len() as u64, b.len() as u64));
        for run in script.runs() {
            let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
            assert_eq!(a[x..x + len], b[y..y + len]);
        }
    }

    #[test]
    fn random_tokens() {
        let mut random = fastrand::Rng::with_seed(1);
        for m in [0, 1, 5, 63, 64, 65, 300, 1500] {
            for n in [0, 1, 64, 130, 700, 1300] {
                for kinds in [2, 300, 1000, u32::MAX] {
                    let mut tokens = |len: usize| (0..len).map(|_| random.u32(..kinds) % kinds).collect::<Vec<_>>();
                    check(
                        &number(&tokens(m), &tokens(n)).unwrap().a,
                        &tokens(n).iter().map(|t| t % 2000).collect::<Vec<_>>(),
                    );
                }
            }
        }
    }

    /// Many different tokens in common, with few and with many differences.
    #[test]
    fn similar_tokens() {
        let mut random = fastrand::Rng::with_seed(2);
        for (len, edits) in [(400, 3), (1000, 0), (1000, 40), (2000, 300), (2000, 2000)] {
            let a: Vec<u32> = (0..len).map(|_| random.u32(..1500)).collect();
            let mut b = a.clone();
            for _ in 0..edits {
                let at = random.usize(..b.len());
                match random.u8(..3) {
                    0 => b[at] = random.u32(..1500),
                    1 => b.insert(at, random.u32(..1500)),
                    _ => drop(b.remove(at)),
                }
            }
            check(&a, &b);
            check(&b, &a);
            // A long piece that only one sequence has: the path leaves the diagonal.
            b.splice(100..100, a[..300].iter().copied().rev());
            check(&a, &b);
        }
    }
}
