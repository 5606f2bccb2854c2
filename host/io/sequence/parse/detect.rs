//! The start of a file: a byte order mark, blanks, and the format that the first bytes show.

use super::super::Format;
use super::super::source::{Bytes, HEAD};
use crate::Result;

/// Number of nucleotides in the line after an '@' line that make a file FASTQ, whatever follows.
const SURE: usize = 8;

impl Bytes {
    /// Returns the format: lines if `as_lines` is set, else that of a known record, else the one
    /// that the first bytes show.
    pub(in crate::io::sequence) fn format(&self, head: &[u8], as_lines: bool) -> Result<Format> {
        match self.known {
            _ if as_lines => Ok(Format::Lines),
            Some(known) => Ok(known.format),
            None => {
                self.source.refuse_two_bit(head)?;
                Ok(Format::detect_whole(head))
            }
        }
    }

    /// Returns the number of the first line after some skipped bytes, 1-based.
    pub(in crate::io::sequence) fn first_line(&self, skipped: &[u8]) -> u64 {
        self.known.map_or_else(|| line_behind(skipped), |known| known.line)
    }
}

impl Format {
    /// Detects the format from a file's first bytes; `None` if it needs more of them.
    ///
    /// FASTA starts with '>', possibly after lines that start with ';'. FASTQ starts with an '@'
    /// line that is followed by lines of letters and a '+' line, or by a line of at least 8
    /// nucleotides. Anything else is lines.
    pub(in crate::io::sequence) fn detect(head: &[u8]) -> Option<Self> {
        if may_be_mark(head) {
            return None;
        }
        let text = &head[blanks(head)..];
        match text.first() {
            Some(b'>') => Some(Self::Fasta),
            Some(b';') => behind_comments(text),
            Some(b'@') => behind_header(text),
            Some(_) => Some(Self::Lines),
            None => None,
        }
    }

    /// Detects the format from the whole file or its first [`HEAD`] bytes.
    pub(in crate::io::sequence) fn detect_whole(head: &[u8]) -> Self {
        let decided = Self::detect(head).or_else(|| {
            // The last line may lack its line end.
            Self::detect(&[head, b"\n"].concat())
        });
        decided.unwrap_or_else(|| {
            let text = &head[blanks(head)..];
            let is_one_line = memchr::memchr_iter(b'\n', text).count() <= 1;
            // The read is longer than the available bytes.
            let is_long = head.len() >= HEAD && text.len() >= HEAD / 2;
            if text.starts_with(b"@") && is_one_line && is_long { Self::Fastq } else { Self::Lines }
        })
    }
}

/// Skips FASTA comments, which are lines that start with ';'.
fn behind_comments(text: &[u8]) -> Option<Format> {
    let mut rest = text;
    loop {
        match rest.first()? {
            b'>' => return Some(Format::Fasta),
            b';' => {}
            _ => {
                let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                if !rest[..end].trim_ascii().is_empty() {
                    return Some(Format::Lines);
                }
            }
        }
        rest = &rest[memchr::memchr(b'\n', rest)? + 1..];
    }
}

fn behind_header(text: &[u8]) -> Option<Format> {
    // A hunk of a patch.
    if text.starts_with(b"@@ ") {
        return Some(Format::Lines);
    }
    let header_end = memchr::memchr(b'\n', text)?;
    let header = text[1..header_end].trim_ascii();
    let mut rest = &text[header_end + 1..];
    let mut has_letters_only = true;
    for number in 0.. {
        let end = memchr::memchr(b'\n', rest);
        let line = rest[..end.unwrap_or(rest.len())].trim_ascii_end();
        if number > 0 && line.starts_with(b"+") {
            // After one line of letters a '+' is enough. After several, only the name may follow
            // it.
            if number == 1 {
                return Some(Format::Fastq);
            }
            end?;
            return Some(if header.starts_with(line[1..].trim_ascii()) { Format::Fastq } else { Format::Lines });
        }
        has_letters_only &= is_of_letters(line);
        if number > 0 && !has_letters_only && !(end.is_none() && line.is_empty()) {
            return Some(Format::Lines);
        }
        rest = &rest[end? + 1..];
        if number == 0 && line.len() >= SURE && line.iter().all(is_nucleotide) {
            return Some(Format::Fastq);
        }
    }
    None
}

/// Returns true for a line that a read may have: letters, and signs for gaps, stops and unknown
/// symbols.
fn is_of_letters(line: &[u8]) -> bool {
    !line.is_empty() && line.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'.' | b'*' | b'-'))
}

fn is_nucleotide(symbol: &u8) -> bool {
    matches!(symbol.to_ascii_uppercase(), b'A' | b'C' | b'G' | b'T' | b'U' | b'N')
}

/// The UTF-8 byte order mark, which is not a symbol at the start of a file.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the length of the byte order mark at the start of a file; 0 without one.
pub(in crate::io::sequence) fn mark(head: &[u8]) -> usize {
    if head.starts_with(MARK) { MARK.len() } else { 0 }
}

/// Returns true if `head` may be the beginning of a byte order mark.
pub(in crate::io::sequence) fn may_be_mark(head: &[u8]) -> bool {
    head.len() < MARK.len() && MARK.starts_with(head)
}

/// Returns the length of the byte order mark and blanks at the start of a file.
pub(in crate::io::sequence) fn blanks(head: &[u8]) -> usize {
    let mark = mark(head);
    mark + head[mark..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Returns the 1-based number of the line after the first bytes of a file.
pub(in crate::io::sequence) fn line_behind(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_as_soon_as_they_can_be() {
        let (fasta, fastq, lines) = (Some(Format::Fasta), Some(Format::Fastq), Some(Format::Lines));
        for (head, format) in [
            ("", None),
            (" \n", None),
            ("\u{feff}>", fasta),
            ("\u{feff}", None),
            ("\u{feff}x", lines),
            ("\n >x", fasta),
            ("x", lines),
            ("; a comment", None),
            ("; a comment\n", None),
            ("; a comment\n\n; another\n>", fasta),
            ("; a comment\nx", lines),
            ("@r\nACGT\n", None),
            ("@r\nACGT\n+", fastq),
            ("@r\nT0123.2\n+", fastq),
            ("@r\n\n+", fastq),
            ("@r\nACGT\n\n", lines),
            ("@r\nACGT\nAC\n+", None),
            ("@r\nACGT\nAC\n+\n", fastq),
            ("@r one\nACGT\nAC\n+r\n", fastq),
            ("@r one\r\nACGT\r\nAC\r\n+r one\r\n", fastq),
            ("@someone\nhello\nthere\n+1 for that\n", lines),
            ("@someone\nhello\nthere, you\n", lines),
            ("@r\nACGTACG\n", None),
            ("@r\nACGTACGN\n", fastq),
            ("@HD\tVN:1.6\n@SQ\tSN:a\tLN:5\n", None),
            ("@HD\tVN:1.6\n@SQ\tSN:a\tLN:5\nr\t4", lines),
            ("@@ -1 +1 @@\n-a\n+b\n", lines),
        ] {
            assert_eq!(Format::detect(head.as_bytes()), format, "{head:?}");
        }
        for (head, format) in [(&b"\xef"[..], None), (b"\xef\xbb", None), (b"\xef\xbbx", lines)] {
            assert_eq!(Format::detect(head), format);
        }
    }

    #[test]
    fn the_end_of_what_is_looked_at_decides() {
        let long = [b"@r\n".to_vec(), vec![b'K'; HEAD - 3]].concat();
        assert_eq!((Format::detect(&long), Format::detect_whole(&long)), (None, Format::Fastq));
        assert_eq!(Format::detect_whole(&long[..HEAD - 1]), Format::Lines);
        assert_eq!(Format::detect_whole(&[b"@r\n".to_vec(), b"word\n".repeat(HEAD / 5)].concat()), Format::Lines);
        for (text, format) in [
            ("@r\nACGTACGT", Format::Fastq),
            ("@r\nACGT\nAC\n+", Format::Fastq),
            ("@r", Format::Lines),
            ("@HD\tVN:1.6\n@SQ\tSN:a\tLN:5\n", Format::Lines),
            ("; only comments", Format::Lines),
            ("", Format::Lines),
        ] {
            assert_eq!(Format::detect_whole(text.as_bytes()), format, "{text:?}");
        }
    }
}
