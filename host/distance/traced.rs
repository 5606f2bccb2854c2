//! Chooses one of all cheapest scripts by a rule: that of edlib or of rapidfuzz, whose users expect
//! the same script.
//!
//! The whole table is kept as bits: whether D grows from row to row (or the LCS length, for
//! insertions and deletions only). Each step from the last cell back to the first looks at the two
//! vertical differences beside it.
//!
//! ```text
//!             j - 1   j          Edlib: up if that is cheaper by 1, else left if that is cheaper
//!   i - 1       \     |          by 1, else diagonally. Rapidfuzz: up if it is cheaper by 1, else
//!                 \   | up       left if D falls from row i - 1 to row i in column j - 1, else
//!   i     ------ D[i][j]         diagonally. Common ends are matched first.
//!          left
//! ```
//!
//! Large tables are cut in the middle of the columns, at the first row that a cheapest script may
//! cross, if the package does so too. Takes at most 4 mn bits, or mn for insertions and deletions;
//! 17 instructions per 64 cells.

use super::items::cpu::blocks::MatchTable;
use crate::error::Result;
use crate::job::Progress;
use crate::memory;
use crate::pairwise::furthest::{common_prefix, common_suffix};
use crate::text::numbered::Numbered;

/// The package whose rule is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Edlib, for its cigars.
    Edlib,
    /// Rapidfuzz, for the edit operations of Levenshtein's distance.
    Rapidfuzz,
    /// Rapidfuzz, for the edit operations of the distance by insertions and deletions.
    RapidfuzzIndel,
}

/// Operation of a script on a symbol of A, of B, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Both symbols are the same.
    Match,
    /// The symbol of A becomes that of B.
    Substitute,
    /// The symbol of A is left out.
    Delete,
    /// The symbol of B is inserted.
    Insert,
}

/// Operations in order, with the number of repetitions.
pub type Steps = Vec<(Step, u64)>;

/// Minimum size of a table that edlib and rapidfuzz cut, in bytes.
const LARGE: u128 = 1 << 20;

/// Computes the cheapest script that turns `a` into `b` by the given rule. `progress` is called
/// with the number of cells computed since its last call.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory) if there is no room for the table.
pub fn traced(Numbered { a, b, .. }: &Numbered, choice: Choice, progress: Progress<'_>) -> Result<Steps> {
    let mut steps = Vec::new();
    Traceback { choice, progress }.part(a, b, a.len().max(b.len()) as u64, &mut steps)?;
    Ok(steps)
}

fn push(steps: &mut Steps, step: Step, count: u64) {
    match steps.last_mut() {
        _ if count == 0 => {}
        Some((last, known)) if *last == step => *known += count,
        _ => steps.push((step, count)),
    }
}

/// Settings of the traceback.
struct Traceback<'p> {
    choice: Choice,
    progress: Progress<'p>,
}

impl Traceback<'_> {
    /// Computes the script of a part with a distance of at most `most`.
    fn part(&self, a: &[u32], b: &[u32], most: u64, steps: &mut Steps) -> Result<()> {
        let choice = self.choice;
        let mut prefix = 0;
        let mut suffix = 0;
        if choice != Choice::Edlib {
            prefix = common_prefix(a, b);
            suffix = common_suffix(&a[prefix..], &b[prefix..]);
        }
        let a = &a[prefix..a.len() - suffix];
        let b = &b[prefix..b.len() - suffix];
        push(steps, Step::Match, prefix as u64);
        if a.is_empty() || b.is_empty() {
            push(steps, Step::Delete, a.len() as u64);
            push(steps, Step::Insert, b.len() as u64);
        } else if is_cut(a.len() as u128, b.len() as u128, choice, most.into()) {
            let (left, right) = b.split_at(b.len() / 2);
            let column = |rows: &[u32], columns: &mut dyn ExactSizeIterator<Item = &u32>| -> Result<Vec<u64>> {
                memory::check::<u64>(rows.len() + 1, "a column of the table")?;
                Ok(MatchTable::new(rows)?.last_column(columns, u64::MAX, self.progress).values(rows.len()))
            };
            let backwards: Vec<u32> = a.iter().rev().copied().collect();
            let forward = column(a, &mut left.iter())?;
            let backward = column(&backwards, &mut right.iter().rev())?;
            let cost = |row: usize| forward[row] + backward[a.len() - row];
            let row = match choice {
                Choice::Edlib => (1..a.len()).chain([0, a.len()]).min_by_key(|&row| cost(row)),
                _ => (0..=a.len()).min_by_key(|&row| cost(row)),
            };
            let row = row.unwrap_or(0);
            self.part(&a[..row], left, forward[row], steps)?;
            self.part(&a[row..], right, backward[a.len() - row], steps)?;
        } else {
            let mut reversed = Vec::new();
            match choice {
                Choice::RapidfuzzIndel => by_lengths(a, b, self.progress, &mut reversed)?,
                _ => by_distances(a, b, self, &mut reversed)?,
            }
            reversed.into_iter().rev().for_each(|(step, count)| push(steps, step, count));
        }
        push(steps, Step::Match, suffix as u64);
        Ok(())
    }
}

/// Returns true if the package cuts a table of m × n symbols.
fn is_cut(m: u128, n: u128, choice: Choice, most: u128) -> bool {
    match choice {
        Choice::Edlib => m > 1 && n > 1 && (20 * m.div_ceil(64) + 8) * n >= LARGE,
        Choice::Rapidfuzz => 2 * m.min(2 * most + 1) * n / 8 >= LARGE && m >= 65 && n >= 10,
        Choice::RapidfuzzIndel => false,
    }
}

/// Follows a path from the end, by steps to the left, up or diagonally.
fn trace(a: &[u32], b: &[u32], steps: &mut Steps, mut goes: impl FnMut(usize, usize) -> Step) {
    let mut i = a.len();
    let mut j = b.len();
    while i > 0 && j > 0 {
        let step = goes(i, j);
        match step {
            Step::Delete => i -= 1,
            Step::Insert => j -= 1,
            Step::Match | Step::Substitute => (i, j) = (i - 1, j - 1),
        }
        push(steps, step, 1);
    }
    push(steps, Step::Delete, i as u64);
    push(steps, Step::Insert, j as u64);
}

fn by_distances(
    a: &[u32],
    b: &[u32],
    &Traceback { choice, progress }: &Traceback<'_>,
    steps: &mut Steps,
) -> Result<()> {
    let table = MatchTable::new(a)?;
    let columns = table.columns(b, progress)?;
    let blocks = a.len().div_ceil(64);
    // D[i][j] - D[i - 1][j]. Rows and columns count from 1; column 0 rises.
    let difference = |i: usize, j: usize| match j {
        0 => 1,
        _ => {
            let (bit, (plus, minus)) = ((i - 1) % 64, columns[(j - 1) * blocks + (i - 1) / 64]);
            (plus >> bit & 1) as i32 - (minus >> bit & 1) as i32
        }
    };
    trace(a, b, steps, |i, j| {
        let equal = a[i - 1] == b[j - 1];
        let left = difference(i, j - 1);
        // If up is not cheaper and the symbols differ, left is cheaper by 1 unless D rises there.
        let inserts = match choice {
            Choice::Edlib if !equal => left <= 0,
            _ => left < 0,
        };
        match difference(i, j) {
            1 => Step::Delete,
            _ if inserts => Step::Insert,
            _ if equal => Step::Match,
            _ => Step::Substitute,
        }
    });
    Ok(())
}

fn by_lengths(a: &[u32], b: &[u32], progress: Progress<'_>, steps: &mut Steps) -> Result<()> {
    let columns = MatchTable::new(a)?.lcs_columns(b, progress)?;
    let blocks = a.len().div_ceil(64);
    // True if L grows from row i - 1 to row i.
    let grows = |i: usize, j: usize| j > 0 && columns[(j - 1) * blocks + (i - 1) / 64] >> ((i - 1) % 64) & 1 == 0;
    trace(a, b, steps, |i, j| match (grows(i, j), grows(i, j - 1)) {
        (false, _) => Step::Delete,
        (true, true) => Step::Insert,
        (true, false) => Step::Match,
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::numbered::number;

    /// Computes the steps by the rule, from a full table.
    fn naive(a: &[u32], b: &[u32], choice: Choice) -> (u64, Steps) {
        let substitution = if choice == Choice::RapidfuzzIndel { 2 } else { 1 };
        let mut d = vec![vec![0i64; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                d[i][j] = match (i, j) {
                    (_, 0) => i as i64,
                    (0, _) => j as i64,
                    _ if a[i - 1] == b[j - 1] => d[i - 1][j - 1],
                    _ => (d[i - 1][j] + 1).min(d[i][j - 1] + 1).min(d[i - 1][j - 1] + substitution),
                };
            }
        }
        let mut reversed = Vec::new();
        trace(a, b, &mut reversed, |i, j| {
            let up = match choice {
                // L[i - 1][j] = L[i][j].
                Choice::RapidfuzzIndel => d[i - 1][j] == d[i][j] - 1,
                _ => d[i - 1][j] + 1 == d[i][j],
            };
            let left = match choice {
                Choice::Edlib => d[i][j - 1] + 1 == d[i][j],
                _ => d[i][j - 1] + 1 == d[i - 1][j - 1],
            };
            match (up, left) {
                (true, _) => Step::Delete,
                (_, true) => Step::Insert,
                _ if a[i - 1] == b[j - 1] => Step::Match,
                _ => Step::Substitute,
            }
        });
        let mut steps = Vec::new();
        reversed.into_iter().rev().for_each(|(step, count)| push(&mut steps, step, count));
        (d[a.len()][b.len()] as u64, steps)
    }

    fn cost(steps: &Steps) -> u64 {
        steps.iter().filter(|(step, _)| *step != Step::Match).map(|(_, count)| count).sum()
    }

    #[test]
    fn steps_by_the_rules() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..600 {
            let kinds = [1, 2, 4, 300][round % 4];
            let mut tokens = |most: usize| (0..random.usize(..most)).map(|_| random.u32(..kinds)).collect::<Vec<_>>();
            let (mut a, mut b) = (tokens(if round % 10 == 0 { 200 } else { 20 }), tokens(100));
            for choice in [Choice::Edlib, Choice::Rapidfuzz, Choice::RapidfuzzIndel] {
                if choice != Choice::Edlib {
                    // Common ends are matched first. Without them, the table's rule decides all.
                    a.insert(0, 1000);
                    b.insert(0, 1001);
                    a.push(1002);
                    b.push(1003);
                }
                let (distance, expected) = naive(&a, &b, choice);
                let steps = traced(&number(&a, &b).unwrap(), choice, &|_| ()).unwrap();
                assert_eq!((cost(&steps), &steps), (distance, &expected), "{a:?} {b:?} {choice:?}");
            }
        }
    }

    #[test]
    fn common_ends_and_cuts() {
        let steps = traced(&number(&[1, 2, 3], &[1, 3]).unwrap(), Choice::Rapidfuzz, &|_| ()).unwrap();
        assert_eq!(steps, [(Step::Match, 1), (Step::Delete, 1), (Step::Match, 1)]);
        let mut random = fastrand::Rng::with_seed(2);
        let mut tokens = |len: usize| (0..len).map(|_| random.u32(..4)).collect::<Vec<u32>>();
        let (a, b) = (tokens(3000), tokens(2500));
        for choice in [Choice::Edlib, Choice::Rapidfuzz] {
            assert!(is_cut(3000, 2500, choice, 3000));
            let steps = traced(&number(&a, &b).unwrap(), choice, &|_| ()).unwrap();
            assert_eq!(cost(&steps), super::super::Comparison::new().distance_of(&a, &b).unwrap());
        }
    }
}
