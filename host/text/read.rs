//! Reads of a sequencer.

use super::alphabet::complement;
use std::borrow::Cow;
use std::ops::Range;

/// A read of a FASTA or FASTQ file.
///
/// ```
/// use carrywave::text::Read;
///
/// let read = Read::new(b"read1 lane 2", b"GATTN").with_qualities(b"IIII#");
/// let other = read.reverse_complement();
/// assert_eq!(other.symbols[..], *b"NAATC");
/// assert_eq!(other.qualities.as_deref(), Some(&b"#IIII"[..]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Read<'r> {
    /// Header, without `>` or `@`.
    pub name: Cow<'r, [u8]>,
    /// Symbols, one byte each.
    pub symbols: Cow<'r, [u8]>,
    /// Quality characters, one for each symbol; `None` for FASTA.
    pub qualities: Option<Cow<'r, [u8]>>,
}

impl<'r> Read<'r> {
    /// Returns a read without qualities. See the [example](Self).
    pub fn new(name: &'r [u8], symbols: &'r [u8]) -> Self {
        Self { name: name.into(), symbols: symbols.into(), qualities: None }
    }

    /// Sets the qualities, one for each symbol. See the [example](Self).
    pub fn with_qualities(self, qualities: &'r [u8]) -> Self {
        Self { qualities: Some(qualities.into()), ..self }
    }

    /// Returns the number of symbols. See the [example](Self).
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Returns true if there is no symbol. See the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Returns the read of the other strand: its symbols are complemented, IUPAC codes too, and
    /// symbols and qualities are reversed. See the [example](Self).
    pub fn reverse_complement(&self) -> Read<'static> {
        Read {
            name: Cow::Owned(self.name.to_vec()),
            symbols: self.symbols.iter().rev().map(|&symbol| complement(symbol)).collect(),
            qualities: self.qualities.as_ref().map(|qualities| qualities.iter().rev().copied().collect()),
        }
    }

    /// Keeps a range of the symbols.
    pub(crate) fn keep(&mut self, range: Range<usize>) {
        keep(&mut self.symbols, range.clone());
        if let Some(qualities) = &mut self.qualities {
            keep(qualities, range);
        }
    }
}

fn keep(bytes: &mut Cow<'_, [u8]>, range: Range<usize>) {
    match bytes {
        Cow::Borrowed(bytes) => *bytes = &bytes[range],
        Cow::Owned(bytes) => {
            bytes.truncate(range.end);
            bytes.drain(..range.start);
        }
    }
}
