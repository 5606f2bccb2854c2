//! The best part if errors are limited by their kinds, or excluded in some positions of the
//! pattern: a cell for each number of insertions and deletions.
//!
//! S\[i\]\[a\]\[b\] is the fewest substitutions of an alignment of the pattern's first i symbols
//! with a insertions and b deletions; it takes the text's first j = i + a - b symbols. With p\[i\]
//! and t\[j\] as the i-th and the j-th symbol, 1-based, it is the least of
//!
//! ```text
//!   S[i-1][a][b]      where t[j] is in p[i]
//!   S[i-1][a][b] + 1  a substitution, unless p[i] is fixed
//!   S[i][a-1][b]      an insertion, unless p[i] and p[i+1], or the one that exists, are fixed
//!   S[i-1][a][b-1]    a deletion, unless p[i] is fixed
//!   S[i-2][a][b] + 1  a transposition, where t[j] is in p[i-1] and t[j-1] in p[i], unless one of
//!                     the two is fixed
//! ```
//!
//! and S\[0\]\[a\]\[0\] = 0. The cells of S\[m\] are all parts within the limits, and the best part
//! is among them. O(m (a + 1) (b + 1)), with the allowed maximum of insertions and deletions.

use super::reader::Reader;
use super::size::Extent;
use crate::infix::allowed::Allowed;
use crate::text::pattern::Pattern;

/// Value that means "no alignment".
const NONE: u32 = u32::MAX;

/// Finds the fewest errors of all parts of `text` that begin at the start of reading and are within
/// the limits, if they are at most `bound`, and the best part with these errors.
pub(super) fn best(reader: &Reader, text: &[u8], bound: u32, allowed: Allowed) -> Option<(u32, Extent)> {
    let pattern = &reader.pattern;
    let most = |kind: u32| kind.min(bound / allowed.gap) as usize;
    let symbol = |number: usize| reader.symbol(text, number);
    let m = pattern.len();
    // There are at most this many symbols to insert or to delete.
    let insertions = most(allowed.insertions).min(text.len());
    let deletions = most(allowed.deletions).min(m);
    let width = deletions + 1;
    let most = Most { insertions, deletions, transpositions: allowed.transpositions };
    let cells = last_row(pattern, text.len(), symbol, most);
    let mut found: Option<(u32, Extent)> = None;
    let known = |cell: u32| cell != NONE && cell <= allowed.substitutions;
    for (at, &substitutions) in cells.iter().enumerate().filter(|(_, cell)| known(**cell)) {
        let a = at / width;
        let b = at % width;
        let errors = allowed.errors_of(substitutions, (a + b) as u32);
        let extent = Extent { gaps: (a + b) as u32, length: (m + a - b) as u64 };
        if errors <= bound.min(allowed.errors) {
            found = Some(match found {
                Some((fewest, _)) if errors > fewest => continue,
                Some((fewest, other)) if errors == fewest => (errors, other.or(extent)),
                _ => (errors, extent),
            });
        }
    }
    found
}

/// Upper bounds on the gaps of each kind.
#[derive(Clone, Copy)]
struct Most {
    insertions: usize,
    deletions: usize,
    /// True if there may be transpositions.
    transpositions: bool,
}

/// Returns true if symbols i - 1 and i of the pattern, 0-based, match two symbols of a text in
/// exchanged order, and none of the two positions is fixed.
fn are_exchanged(pattern: &Pattern, i: usize, [first, second]: [u8; 2]) -> bool {
    let classes = pattern.classes();
    i > 0
        && classes[i - 1].contains(second)
        && classes[i].contains(first)
        && !pattern.is_fixed(i - 1)
        && !pattern.is_fixed(i)
}

/// Computes S\[m\]: the cells with a insertions are contiguous. `symbol` returns the text's n
/// symbols by their numbers.
fn last_row(pattern: &Pattern, n: usize, symbol: impl Fn(usize) -> u8, most: Most) -> Vec<u32> {
    let Most { insertions, deletions, transpositions } = most;
    let width = deletions + 1;
    // Row i; the cells with a insertions are contiguous.
    let mut cells = vec![NONE; (insertions + 1) * width];
    let before = if pattern.takes_insertion(0) { insertions.min(n) } else { 0 };
    for a in 0..=before {
        cells[a * width] = 0;
    }
    // Rows i - 1 and i - 2, for transpositions.
    let (mut above, mut two_above) = (Vec::new(), Vec::new());
    for (i, class) in pattern.classes().iter().enumerate() {
        if transpositions {
            std::mem::swap(&mut above, &mut two_above);
            above.clone_from(&cells);
        }
        let is_fixed = pattern.is_fixed(i);
        let takes_insertion = pattern.takes_insertion(i + 1);
        for a in 0..=insertions {
            // Deletions count down, so that the previous row's values are still available.
            for b in (0..=deletions).rev() {
                // Number of symbols of the text before this one.
                let taken = (i + a).checked_sub(b).filter(|&taken| taken < n);
                let mut best = NONE;
                let diagonal = cells[a * width + b];
                if let Some(taken) = taken.filter(|_| diagonal != NONE) {
                    if class.contains(symbol(taken)) {
                        best = diagonal;
                    } else if !is_fixed {
                        best = diagonal + 1;
                    }
                }
                if b > 0 && !is_fixed {
                    best = best.min(cells[a * width + b - 1]);
                }
                if let Some(taken) = taken.filter(|&taken| transpositions && i > 0 && taken > 0) {
                    let exchanged = two_above[a * width + b];
                    if exchanged != NONE && are_exchanged(pattern, i, [symbol(taken - 1), symbol(taken)]) {
                        best = best.min(exchanged + 1);
                    }
                }
                // Here t[j] is within the text and is the insertion.
                if a > 0 && taken.is_some() && takes_insertion {
                    best = best.min(cells[(a - 1) * width + b]);
                }
                cells[a * width + b] = best;
            }
        }
    }
    cells
}

/// Upper bound on the cells of a row for the computation row by row.
const FEW_CELLS: usize = 256;

/// Returns the fewest errors of an alignment of the whole pattern with all of `text` within the
/// limits.
pub(crate) fn whole(pattern: &Pattern, text: &[u8], allowed: Allowed) -> Option<u32> {
    let m = pattern.len();
    let n = text.len();
    let insertions = (allowed.insertions as usize).min(n);
    let deletions = (allowed.deletions as usize).min(m);
    let width = deletions + 1;
    let cells = (insertions + 1).saturating_mul(width);
    if cells > n.max(FEW_CELLS) {
        return by_columns(pattern, text, allowed);
    }
    let most = Most { insertions, deletions, transpositions: allowed.transpositions };
    let cells = last_row(pattern, n, |number| text[number], most);
    let all = cells.into_iter().enumerate().filter(|&(at, substitutions)| {
        let a = at / width;
        let b = at % width;
        m + a == n + b && substitutions != NONE && substitutions <= allowed.substitutions
    });
    let errors =
        all.map(|(at, substitutions)| allowed.errors_of(substitutions, (at / width + at % width) as u32)).min();
    errors.filter(|&errors| errors <= allowed.errors)
}

/// Computes [`whole`] column by column, with a column for each symbol of the text, if many
/// insertions are allowed. A cell is S of the pattern's first i symbols and b deletions. Without
/// limits on kinds, it counts all errors, and there is one cell for each i. O(nm (b + 1)).
fn by_columns(pattern: &Pattern, text: &[u8], allowed: Allowed) -> Option<u32> {
    let m = pattern.len();
    let n = text.len();
    let most = |kind: u32| kind as usize;
    let all_kinds = most(allowed.insertions) >= n && most(allowed.deletions) >= m && most(allowed.substitutions) >= m;
    let by_kind = !Allowed { transpositions: false, ..allowed }.is_any() && !all_kinds;
    let width = if by_kind { most(allowed.deletions).min(m) + 1 } else { 1 };
    let gap = if by_kind { 0 } else { allowed.gap };
    // Columns j - 2, j - 1 and j.
    let mut two_before = vec![NONE; (m + 1) * width];
    let mut before = two_before.clone();
    let mut cells = two_before.clone();
    for j in 0..=n {
        for i in 0..=m {
            let is_fixed = i > 0 && pattern.is_fixed(i - 1);
            let takes_insertion = pattern.takes_insertion(i);
            for b in 0..width {
                // Insertions.
                let a = (j + b).checked_sub(i).filter(|&a| a <= most(allowed.insertions));
                let mut best = if (i, j) == (0, 0) && b == 0 { 0 } else { NONE };
                if by_kind && a.is_none() {
                    cells[i * width + b] = NONE;
                    continue;
                }
                if i > 0 && j > 0 {
                    let above = before[(i - 1) * width + b];
                    match pattern.classes()[i - 1].contains(text[j - 1]) {
                        true => best = best.min(above),
                        false if !is_fixed => best = best.min(above.saturating_add(1)),
                        false => {}
                    }
                }
                if allowed.transpositions && i > 1 && j > 1 {
                    let exchanged = two_before[(i - 2) * width + b];
                    if exchanged != NONE && are_exchanged(pattern, i - 1, [text[j - 2], text[j - 1]]) {
                        best = best.min(exchanged.saturating_add(1));
                    }
                }
                if j > 0 && takes_insertion {
                    best = best.min(before[i * width + b].saturating_add(gap));
                }
                if i > 0 && !is_fixed {
                    let above = if by_kind { b.checked_sub(1) } else { Some(0) };
                    let above = above.map_or(NONE, |b| cells[(i - 1) * width + b]);
                    best = best.min(above.saturating_add(gap));
                }
                cells[i * width + b] = best;
            }
        }
        std::mem::swap(&mut two_before, &mut before);
        std::mem::swap(&mut before, &mut cells);
    }
    let last = before[m * width..].iter().enumerate().filter(|(_, cell)| **cell != NONE);
    let errors = last.filter_map(|(b, &cell)| match by_kind {
        true if cell > allowed.substitutions => None,
        true => Some(allowed.errors_of(cell, ((n + b).checked_sub(m)? + b) as u32)),
        false => Some(cell),
    });
    errors.min().filter(|&errors| errors <= allowed.errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns give the same results as rows, with limits of all sizes.
    #[test]
    fn columns_and_rows() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut found = 0;
        for _ in 0..2000 {
            let mut string =
                |most: usize| (0..random.usize(..=most)).map(|_| b"AC"[random.usize(..2)]).collect::<Vec<u8>>();
            let symbols = string(6);
            let text = string(7);
            let fixed: Vec<usize> = (0..symbols.len()).filter(|_| random.u8(..4) == 0).collect();
            let pattern = Pattern::literal(&symbols).with_fixed(fixed).unwrap();
            let transpositions = random.bool();
            let mut most = || [0, 1, 2, 5, 20, u32::MAX][random.usize(..6)];
            for allowed in [Allowed::new(most(), most(), most(), most()), Allowed::any(most())] {
                let allowed = Allowed { transpositions, ..allowed };
                let rows = whole(&pattern, &text, allowed);
                assert_eq!(by_columns(&pattern, &text, allowed), rows, "{symbols:?} {text:?} {allowed:?}");
                found += u32::from(rows.is_some());
            }
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn more_errors_than_symbols() {
        let pattern = Pattern::literal(b"ab").with_fixed([0]).unwrap();
        assert_eq!(whole(&pattern, b"ab", Allowed::any(u32::MAX)), Some(0));
        assert_eq!(whole(&pattern, b"abxy", Allowed::any(u32::MAX)), Some(2));
        assert_eq!(whole(&pattern, b"xaby", Allowed::any(u32::MAX)), None);
        assert_eq!(whole(&pattern, b"xyz", Allowed::any(u32::MAX)), None);
        let long: Vec<u8> = b"abxy".repeat(5000);
        assert_eq!(whole(&pattern, &long, Allowed::any(u32::MAX)), Some(19_998));
        assert_eq!(whole(&pattern, &long, Allowed::new(u32::MAX, 1, u32::MAX, 1)), Some(19_998));
    }
}
