//! The ends of a search, by dynamic programming.

use carrywave::align::infix::End;
use carrywave::search::Pattern;

/// Sellers (1980), by columns: every end with at most k errors.
pub fn sellers(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    let mut column: Vec<u32> = (0..=pattern.len() as u32).collect();
    let mut ends = Vec::new();
    for (j, &symbol) in text.iter().enumerate() {
        let mut diagonal = 0;
        for (i, class) in pattern.classes().iter().enumerate() {
            let substituted = diagonal + u32::from(!class.contains(symbol));
            diagonal = column[i + 1];
            column[i + 1] = substituted.min(column[i] + 1).min(diagonal + 1);
        }
        let errors = column[pattern.len()];
        if errors <= k {
            ends.push(End { end: j as u64 + 1, errors });
        }
    }
    ends
}
