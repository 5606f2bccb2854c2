//! Occurrences of a string without errors, and the least period of a string.

use memchr::memmem::Finder;

/// Returns the starts of the pattern in the text, including overlapping occurrences, by a
/// comparison at every position. The crate memchr, restarted one position after each occurrence,
/// must find the same starts.
pub fn starts(text: &[u8], pattern: &[u8]) -> Vec<u64> {
    let at_each = text.windows(pattern.len()).enumerate().filter(|(_, part)| *part == pattern);
    let starts: Vec<u64> = at_each.map(|(start, _)| start as u64).collect();
    let (finder, mut from) = (Finder::new(pattern), 0);
    let stepped = std::iter::from_fn(|| {
        let start = from + finder.find(text.get(from..)?)?;
        from = start + 1;
        Some(start as u64)
    });
    assert!(stepped.eq(starts.iter().copied()), "memmem finds something else");
    starts
}

/// Returns the least shift at which a string agrees with itself on the overlap; at most its length.
pub fn period(string: &[u8]) -> usize {
    (1..string.len()).find(|&p| string[p..] == string[..string.len() - p]).unwrap_or(string.len())
}
