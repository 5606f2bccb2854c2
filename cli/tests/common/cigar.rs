//! CIGAR strings, walked over the strings that they are of.

/// Walks a CIGAR over both strings: it spends them, `=` matches, and what matched is the answer.
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
