//! The start of a file: a byte order mark, and blanks.

/// The byte order mark of UTF-8, which is no symbol at the start of a file.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the bytes of the byte order mark at the start of a file; 0 without one.
pub(in crate::io::sequence) fn mark(head: &[u8]) -> usize {
    if head.starts_with(MARK) { MARK.len() } else { 0 }
}

/// Returns true if `head` may be the beginning of a byte order mark.
pub(in crate::io::sequence) fn may_be_mark(head: &[u8]) -> bool {
    head.len() < MARK.len() && MARK.starts_with(head)
}

/// Returns the bytes of the byte order mark and of blanks at the start of a file.
pub(in crate::io::sequence) fn blanks(head: &[u8]) -> usize {
    let mark = mark(head);
    mark + head[mark..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Returns the number, from 1, of the line behind the first bytes of a file.
pub(in crate::io::sequence) fn line_behind(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64 + 1
}
