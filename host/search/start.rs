//! From an occurrence's end back to its start.

use super::pattern::Pattern;

/// Where an occurrence starts that ends at the end of `text` with `errors` errors, the fewest of all that end there.
///
/// Of several starts with so few errors it is the nearest to the end. The table of the reversed pattern and the reversed
/// text, whose first row and column count up, up to the first symbol at which the pattern ends with `errors`: of each
/// column those cells that are no more than `errors` off the diagonal. O(m k) time.
pub(super) fn start(text: &[u8], pattern: &Pattern, errors: u32) -> usize {
    let (m, band) = (pattern.len(), errors as usize);
    let too_many = errors + 1;
    // Column 0: the first i classes from the end, deleted.
    let mut column: Vec<u32> = (0..=errors).chain(std::iter::repeat(too_many)).take(m + 1).collect();
    for (j, &symbol) in (1..).zip(text.iter().rev().take(m + band)) {
        if column[m] == errors {
            return text.len() + 1 - j;
        }
        let low = j.saturating_sub(band).max(1);
        let high = m.min(j + band);
        let mut diagonal = column[low - 1];
        // Above the band, or row 0.
        column[low - 1] = if low == 1 { too_many.min(j as u32) } else { too_many };
        for i in low..=high {
            let left = column[i];
            let mismatch = u32::from(!pattern.classes()[m - i].contains(symbol));
            column[i] = (diagonal + mismatch).min(column[i - 1] + 1).min(left + 1).min(too_many);
            diagonal = left;
        }
    }
    text.len().saturating_sub(m + band)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_the_best() {
        let start =
            |text: &str, pattern: &str, errors| start(text.as_bytes(), &Pattern::literal(pattern.as_bytes()), errors);
        assert_eq!(start("xxabc", "abc", 0), 2);
        // "abxc" has one error too many, "bxc" would have two.
        assert_eq!(start("xxabxc", "abc", 1), 2);
        // "c" alone: a and b deleted. "xc" would be a substitution and a deletion, "xxc" two substitutions.
        assert_eq!(start("xxc", "abc", 2), 2);
        // Nothing at all.
        assert_eq!(start("xx", "ab", 2), 2);
        assert_eq!(start("", "ab", 2), 0);
    }

    #[test]
    fn bands_are_as_good_as_the_table() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..2000 {
            let [pattern, text]: [Vec<u8>; 2] =
                [1..12, 0..16].map(|len| (0..random.usize(len)).map(|_| random.u8(..3)).collect());
            // The edit distance of the pattern and the last j symbols.
            let mut column: Vec<u32> = (0..=pattern.len() as u32).collect();
            let mut distances = vec![column[pattern.len()]];
            for (j, symbol) in (1..).zip(text.iter().rev()) {
                let before = column.clone();
                column[0] = j;
                for i in 1..=pattern.len() {
                    let mismatch = u32::from(pattern[pattern.len() - i] != *symbol);
                    column[i] = (before[i - 1] + mismatch).min(before[i] + 1).min(column[i - 1] + 1);
                }
                distances.push(column[pattern.len()]);
            }
            let least = *distances.iter().min().unwrap();
            let nearest = distances.iter().position(|&distance| distance == least).unwrap();
            let found = start(&text, &Pattern::literal(&pattern), least);
            assert_eq!(found, text.len() - nearest, "{pattern:?} at the end of {text:?}");
        }
    }
}
