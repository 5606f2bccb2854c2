//! A table of edits by its recurrence, column by column, for any cell type. It has no dependencies,
//! so the tests of every crate can use it.

/// Returns the columns j = 0 to n of a table of m + 1 rows, where the least value is the best:
///
/// d[0][j] = top(j), and d[i][j] is the least of replaced(d[i - 1][j - 1], i, j), gap(d[i - 1][j])
/// and gap(d[i][j - 1]).
///
/// In Sellers' table (1980) top is 0, and a gap and a substitution cost 1 each.
pub fn columns<C: Copy + Ord>(
    (m, n): (usize, usize),
    top: impl Fn(usize) -> C,
    gap: impl Fn(C) -> C,
    replaced: impl Fn(C, usize, usize) -> C,
) -> impl Iterator<Item = Vec<C>> {
    let mut before: Option<Vec<C>> = None;
    (0..=n).map(move |j| {
        let mut column = vec![top(j)];
        for i in 1..=m {
            let above = gap(column[i - 1]);
            column.push(match &before {
                Some(before) => above.min(gap(before[i])).min(replaced(before[i - 1], i, j)),
                None => above,
            });
        }
        before = Some(column.clone());
        column
    })
}

/// Returns the columns of Sellers' table. `differ` returns true if symbol i of the pattern and
/// symbol j of the text (1-based) differ.
pub fn sellers(size: (usize, usize), differ: impl Fn(usize, usize) -> bool) -> impl Iterator<Item = Vec<u32>> {
    columns(size, |_| 0, |cell| cell + 1, move |cell, i, j| cell + u32::from(differ(i, j)))
}
