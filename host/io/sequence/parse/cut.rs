//! Finds positions where an input can be cut, so that several threads parse it.
//!
//! A cut is a guess from the bytes around it. It is right if the parser of the bytes before it
//! reaches it in the state that a parser behind the cut starts in
//! ([`Parser::handover`](super::Parser::handover)); otherwise that parser goes on.

use crate::io::sequence::Format;

/// Upper bound on the bytes to search for the start of a FASTQ record.
const SEARCHED: usize = 1 << 18;

/// Returns where to cut bytes from the middle of an input: at the start of a line of a FASTA file,
/// and at the start of a record of a FASTQ file whose symbols and qualities have one line each.
pub(in crate::io::sequence) fn cut(format: Format, bytes: &[u8]) -> Option<usize> {
    match format {
        Format::Lines => None,
        Format::Fasta => memchr::memchr(b'\n', bytes).map(|end| end + 1),
        Format::Fastq => start_of_read(&bytes[..bytes.len().min(SEARCHED)]),
    }
}

/// Returns the start of the first four lines that look like a read: '@', symbols, '+', and as many
/// qualities.
fn start_of_read(bytes: &[u8]) -> Option<usize> {
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', bytes).collect();
    let line = |number: usize| &bytes[ends[number] + 1..ends[number + 1]];
    let looks_like_read = |&number: &usize| {
        line(number).starts_with(b"@")
            && line(number + 2).starts_with(b"+")
            && !line(number + 1).is_empty()
            && line(number + 1).len() == line(number + 3).len()
    };
    (0..ends.len().saturating_sub(4)).find(looks_like_read).map(|number| ends[number] + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_starts_where_four_lines_fit() {
        for (bytes, expected) in [
            (&b""[..], None),
            (b"@II\n@r\nACG\n+\nIII\n", Some(4)),
            (b"ACG\n+\n@II\n@r\nACG\n+\n@II\n", Some(10)),
            (b"+\n@II\n@r\nACG\n+\nII", None),
            (b"+\nII\n@r\nAC\nGT\n+\nII\nII\n", None),
        ] {
            assert_eq!(cut(Format::Fastq, bytes), expected, "{}", bytes.escape_ascii());
        }
        assert_eq!(
            (cut(Format::Fasta, b"ACG\nT"), cut(Format::Fasta, b"ACG"), cut(Format::Lines, b"a\nb")),
            (Some(4), None, None)
        );
    }
}
