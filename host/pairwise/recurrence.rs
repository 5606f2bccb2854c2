//! The recurrence of the longest common subsequence, row by row, as a reference for engines. It
//! shares no code with any algorithm.

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

/// Computes the length of an LCS of two sequences.
#[cfg(test)]
pub(crate) fn lcs_length<S: Eq>(a: &[S], b: &[S]) -> u64 {
    lcs_lengths(a.iter(), b.iter())[a.len()].into()
}
