//! Replay of CIGAR strings.

/// Replays a CIGAR over both strings and returns the matched symbols. Asserts that `=` runs match
/// and that both strings are used up.
pub fn replay(cigar: &str, a: &[u8], b: &[u8]) -> Vec<u8> {
    let (mut i, mut j, mut len, mut matched) = (0, 0, 0, Vec::new());
    for c in cigar.chars() {
        match (c, c.to_digit(10)) {
            (_, Some(digit)) => {
                len = len * 10 + digit as usize;
                continue;
            }
            ('=', _) => {
                assert_eq!(a[i..i + len], b[j..j + len], "at {i} and {j}");
                matched.extend_from_slice(&a[i..i + len]);
                (i, j) = (i + len, j + len);
            }
            ('I', _) => i += len,
            ('D', _) => j += len,
            _ => panic!("{c} in {cigar}"),
        }
        assert!(len > 0, "an empty operation in {cigar}");
        len = 0;
    }
    assert_eq!((i, j), (a.len(), b.len()), "the ends of both strings");
    matched
}
