//! The longest ascending chain of pairs.

/// Returns a largest subset of the pairs that also ascends in B: a longest increasing subsequence,
/// by patience sorting. The pairs ascend in A. O(n log n).
pub(crate) fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends`: for each length, the pair with the least position in B that ends an ascending chain
    // of that length. `before`: the predecessor of each pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = Vec::with_capacity(pairs.len());
    let place = |i: usize| pairs.get(i).map_or(0, |pair| pair.1);
    for (i, &(_, y)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| place(end) < y);
        before.push(length.checked_sub(1).and_then(|length| ends.get(length).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = i,
            None => ends.push(i),
        }
    }
    let mut chosen = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(i) = next {
        chosen.extend(pairs.get(i));
        next = before.get(i).copied().flatten();
    }
    chosen.reverse();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_ascending_pairs() {
        let pairs: Vec<(usize, usize)> = [4, 0, 5, 1, 6, 2, 3].into_iter().enumerate().collect();
        assert_eq!(ascending(&pairs), [(1, 0), (3, 1), (5, 2), (6, 3)]);
        assert_eq!(ascending(&[]), []);
    }
}
