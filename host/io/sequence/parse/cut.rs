//! Finds positions where an input can be cut, so that several threads parse it.
//!
//! A cut is a guess from the bytes around it. It is right if the parser of the bytes before it
//! reaches it in the state that a parser behind the cut starts in
//! ([`Parser::handover`](super::Parser::handover)); otherwise that parser goes on.

use crate::io::sequence::Format;

/// Upper bound on the bytes to search for the start of a FASTQ record.
const SEARCHED: usize = 1 << 18;

/// Length in bytes of the shortest FASTA line that is cut.
const LONG_LINE: usize = 1 << 16;

/// A place to cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::io::sequence) struct Cut {
    /// Number of bytes before it.
    pub place: usize,
    /// True if it is within a line of symbols, false if it is at the start of a line.
    pub within_line: bool,
}

/// Returns where to cut bytes from the middle of an input: at the start of a line of a FASTA file,
/// or anywhere in a long line; and at the start of a record of a FASTQ file whose symbols and
/// qualities have one line each.
pub(in crate::io::sequence) fn cut(format: Format, bytes: &[u8]) -> Option<Cut> {
    match format {
        Format::Lines => None,
        Format::Fasta => {
            let start = &bytes[..bytes.len().min(LONG_LINE)];
            Some(match memchr::memchr(b'\n', start) {
                Some(end) => Cut { place: end + 1, within_line: false },
                None => Cut { place: 0, within_line: true },
            })
        }
        Format::Fastq => {
            let place = start_of_read(&bytes[..bytes.len().min(SEARCHED)])?;
            Some(Cut { place, within_line: false })
        }
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
            let expected = expected.map(|place| Cut { place, within_line: false });
            assert_eq!(cut(Format::Fastq, bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_line_of_fasta_is_cut_if_it_is_long() {
        let long = [b"A".repeat(LONG_LINE), b"\nT".to_vec()].concat();
        let at = |place, within_line| Some(Cut { place, within_line });
        for (bytes, expected) in [(&b"ACG\nT"[..], at(4, false)), (b"ACG", at(0, true)), (&long, at(0, true))] {
            assert_eq!(cut(Format::Fasta, bytes), expected);
        }
        assert_eq!(cut(Format::Fasta, &long[1..]), at(LONG_LINE, false));
        assert_eq!(cut(Format::Lines, b"a\nb"), None);
    }
}
