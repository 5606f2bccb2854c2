//! Tables by the definitions, a row at a time: the reference of tests.

/// Returns the edit distance of Levenshtein.
pub(crate) fn distance<S: Eq>(a: &[S], b: &[S]) -> u64 {
    let mut row: Vec<u64> = (0..=b.len() as u64).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i as u64 + 1);
        for (j, y) in b.iter().enumerate() {
            let cell = (diagonal + u64::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], cell);
        }
    }
    row[b.len()]
}

/// Returns the length of a longest common subsequence.
pub(crate) fn lcs_length<S: Eq>(a: &[S], b: &[S]) -> u64 {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let cell = if x == y { diagonal + 1 } else { row[j].max(row[j + 1]) };
            diagonal = std::mem::replace(&mut row[j + 1], cell);
        }
    }
    row[b.len()]
}
