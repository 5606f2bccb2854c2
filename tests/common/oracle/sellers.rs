//! The ends of a search, by Sellers' table.

use super::edits;
use carrywave::internal::infix::End;
use carrywave::text::Pattern;

/// Returns every end with at most k errors.
pub fn sellers(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    let (m, classes) = (pattern.len(), pattern.classes());
    let columns = edits::sellers((m, text.len()), |i, j| !classes[i - 1].contains(text[j - 1]));
    let ends = (0..).zip(columns).skip(1).filter(|(_, column)| column[m] <= k);
    ends.map(|(end, column)| End { end, errors: column[m] }).collect()
}
