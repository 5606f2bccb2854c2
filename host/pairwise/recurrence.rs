//! The recurrences of the longest common subsequence and of optimal string alignment, row by row,
//! as a reference for engines. They share no code with any algorithm.

/// Computes L\[i\]\[n\] for i = 0 to m: the length of an LCS of the first i symbols of `rows` and
/// all of `columns`.
pub(crate) fn lcs_lengths<'t, S: Eq + 't>(
    rows: impl Iterator<Item = &'t S>,
    columns: impl Iterator<Item = &'t S> + Clone,
) -> Vec<u32> {
    let mut row = vec![0u32; columns.clone().count() + 1];
    let mut lengths = vec![0];
    for x in rows {
        let mut next = vec![0u32];
        for (j, y) in columns.clone().enumerate() {
            let best = row[j + 1].max(next[j]);
            next.push(if x == y { row[j] + 1 } else { best });
        }
        row = next;
        lengths.push(row.last().copied().unwrap_or(0));
    }
    lengths
}

/// Computes the distance of optimal string alignment: insertions, deletions, substitutions and
/// transpositions of neighbours, where no part is edited twice.
pub(crate) fn osa<S: Eq>(a: &[S], b: &[S]) -> u32 {
    let mut rows: Vec<Vec<u32>> = vec![(0..=b.len() as u32).collect()];
    for i in 1..=a.len() {
        let above = &rows[i - 1];
        let mut row = vec![i as u32];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + u32::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Computes the length of an LCS of two sequences.
#[cfg(test)]
pub(crate) fn lcs_length<S: Eq>(a: &[S], b: &[S]) -> u64 {
    lcs_lengths(a.iter(), b.iter())[a.len()].into()
}
