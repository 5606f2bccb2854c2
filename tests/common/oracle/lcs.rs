//! The table of longest common subsequences.

/// Computes the whole LCS table: `table[i][j]` is the length for the first i symbols of `a` and the
/// first j of `b`.
pub fn table(a: &[u8], b: &[u8]) -> Vec<Vec<usize>> {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            table[i][j] = if a[i - 1] == b[j - 1] {
                table[i - 1][j - 1] + 1
            } else if table[i - 1][j] > table[i][j - 1] {
                table[i - 1][j]
            } else {
                table[i][j - 1]
            };
        }
    }
    table
}

/// Returns the LCS lengths of every prefix of `rows` and the whole of `cols`.
pub fn prefixes<T: PartialEq>(rows: &[T], cols: &[T]) -> Vec<usize> {
    let mut column = vec![0; rows.len() + 1];
    for y in cols {
        let mut corner = 0;
        for (i, x) in rows.iter().enumerate() {
            let left = column[i + 1];
            column[i + 1] = if x == y { corner + 1 } else { left.max(column[i]) };
            corner = left;
        }
    }
    column
}

/// Returns the LCS lengths of every suffix of `rows`, shortest first, and the whole of `cols`.
pub fn suffixes(rows: &[u8], cols: &[u8]) -> Vec<usize> {
    let reversed = |text: &[u8]| text.iter().rev().copied().collect::<Vec<u8>>();
    prefixes(&reversed(rows), &reversed(cols))
}

/// Returns the LCS length.
pub fn length<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    prefixes(a, b)[a.len()]
}
