//! Approximate search by dynamic programming, column by column: P. H. Sellers, The theory and
//! computation of evolutionary distances: pattern recognition, Journal of Algorithms 1(4), 1980.

use super::end::End;
use crate::text::Pattern;

/// Finds the ends of occurrences with at most k errors: O(mn) time, O(m) space.
///
/// D\[i\]\[j\] is the least number of errors between the pattern's first i classes and any part of
/// the text that ends after its first j symbols: D\[0\]\[j\] = 0, D\[i\]\[0\] = i, and otherwise
/// the least of D\[i - 1\]\[j - 1\] (plus 1 for a mismatch), D\[i - 1\]\[j\] + 1 and D\[i\]\[j -
/// 1\] + 1.
pub fn ends(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    let ends = (1..).zip(last_row(text.iter().copied(), pattern)).filter(|&(_, errors)| errors <= k);
    ends.map(|(end, errors)| End { end, errors }).collect()
}

/// Returns the fewest errors of any part of the text, and the first end of such a part; 0 if the
/// empty part has them.
#[cfg(test)]
pub fn least(text: &[u8], pattern: &Pattern) -> (u32, u64) {
    least_by(text.iter().copied(), pattern)
}

/// Like [`least`], for an iterator of symbols.
pub(crate) fn least_by(text: impl Iterator<Item = u8>, pattern: &Pattern) -> (u32, u64) {
    let nothing = (pattern.len() as u32, 0);
    let ends = last_row(text, pattern).zip(1..);
    // Pairs are ordered so that the first of several equal distances is the least.
    ends.fold(nothing, |least, end| least.min(end))
}

/// Iterates over D\[m\]\[j\] from j = 1 on.
fn last_row(text: impl Iterator<Item = u8>, pattern: &Pattern) -> impl Iterator<Item = u32> {
    let mut column: Vec<u32> = (0..).take(pattern.len() + 1).collect();
    text.map(move |symbol| {
        let mut diagonal = 0;
        let mut above = 0;
        for (class, cell) in pattern.classes().iter().zip(&mut column[1..]) {
            let left = *cell;
            above = (diagonal + u32::from(!class.contains(symbol))).min(above + 1).min(left + 1);
            *cell = above;
            diagonal = left;
        }
        above
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sellers_by_hand() {
        // D[3][j] for "abc" in "xabxc": 3, 2, 1, 1, 1.
        let ends = ends(b"xabxc", &Pattern::literal(b"abc"), 2);
        let expected = [(2, 2), (3, 1), (4, 1), (5, 1)].map(|(end, errors)| End { end, errors });
        assert_eq!(ends, expected);
    }
}
