//! The same where errors are limited by their kinds, or may not be in some positions of the pattern: a cell for each number of insertions
//! and deletions.
//!
//! S\[i\]\[a\]\[b\] is the fewest substitutions of an alignment of the pattern's first i symbols with a insertions and b deletions; it takes the
//! text's first j = i + a - b symbols. With p\[i\] and t\[j\] the i-th and the j-th symbol, both from 1, it is the least of
//!
//! ```text
//!   S[i-1][a][b]      where t[j] is in p[i]
//!   S[i-1][a][b] + 1  a substitution, unless p[i] is fixed
//!   S[i][a-1][b]      an insertion, unless p[i] and p[i+1] are both fixed
//!   S[i-1][a][b-1]    a deletion, unless p[i] is fixed
//! ```
//!
//! and S\[0\]\[a\]\[0\] = 0. The part with the fewest errors is among S\[m\], whose cells are all parts within the limits. O(m (a + 1) (b + 1)), with
//! the most insertions and deletions that are allowed.

use super::{Extent, Reader};
use crate::align::infix::allowed::Allowed;
use crate::text::pattern::Pattern;

/// No alignment.
const NONE: u32 = u32::MAX;

/// The fewest errors of all parts of `text` that begin where reading does and are within the limits, if they are at most `bound`, and the best
/// part with so many.
pub(super) fn best(reader: &Reader, text: &[u8], bound: u32, allowed: Allowed) -> Option<(u32, Extent)> {
    let pattern = &reader.pattern;
    let most = |kind: u32| kind.min(bound) as usize;
    let symbol = |number: usize| reader.symbol(text, number);
    let (insertions, deletions) = (most(allowed.insertions), most(allowed.deletions));
    let width = deletions + 1;
    let cells = last_row(pattern, text.len(), symbol, (insertions, deletions));
    let m = pattern.len();
    let mut found: Option<(u32, Extent)> = None;
    for (at, &substitutions) in cells.iter().enumerate().filter(|(_, cell)| **cell <= allowed.substitutions) {
        let (a, b) = (at / width, at % width);
        let errors = substitutions + (a + b) as u32;
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

/// S\[m\], the cells with a insertions one after the other. `symbol` tells the text's n symbols by their numbers.
fn last_row(
    pattern: &Pattern,
    n: usize,
    symbol: impl Fn(usize) -> u8,
    (insertions, deletions): (usize, usize),
) -> Vec<u32> {
    let width = deletions + 1;
    // Row i, the cells with a insertions one after the other.
    let mut cells = vec![NONE; (insertions + 1) * width];
    for a in 0..=insertions.min(n) {
        cells[a * width] = 0;
    }
    for (i, class) in pattern.classes().iter().enumerate() {
        let (is_fixed, next_is_fixed) = (pattern.is_fixed(i), pattern.is_fixed(i + 1));
        for a in 0..=insertions {
            // From the most deletions down, so that the row before is still there.
            for b in (0..=deletions).rev() {
                // Symbols of the text before this one.
                let taken = (i + a).checked_sub(b).filter(|&taken| taken < n);
                let mut best = NONE;
                let above = cells[a * width + b];
                if let Some(taken) = taken.filter(|_| above != NONE) {
                    if class.contains(symbol(taken)) {
                        best = above;
                    } else if !is_fixed {
                        best = above + 1;
                    }
                }
                if b > 0 && !is_fixed {
                    best = best.min(cells[a * width + b - 1]);
                }
                // As many symbols as are in the text: t[j] is the insertion.
                if a > 0 && taken.is_some() && !(is_fixed && next_is_fixed) {
                    best = best.min(cells[(a - 1) * width + b]);
                }
                cells[a * width + b] = best;
            }
        }
    }
    cells
}

/// The fewest errors of an alignment of all of the pattern with all of `text` that is within the limits.
pub(crate) fn whole(pattern: &Pattern, text: &[u8], allowed: Allowed) -> Option<u32> {
    let (insertions, deletions) = (allowed.insertions as usize, allowed.deletions as usize);
    let cells = last_row(pattern, text.len(), |number| text[number], (insertions, deletions));
    let (m, n, width) = (pattern.len(), text.len(), deletions + 1);
    let all = cells.into_iter().enumerate().filter(|&(at, substitutions)| {
        let (a, b) = (at / width, at % width);
        m + a == n + b && substitutions <= allowed.substitutions
    });
    let errors = all.map(|(at, substitutions)| substitutions + (at / width + at % width) as u32).min();
    errors.filter(|&errors| errors <= allowed.errors)
}
