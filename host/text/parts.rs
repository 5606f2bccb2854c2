//! A text in parts: the records of a file of any size, with a few million symbols in memory at a
//! time.

use crate::error::Result;
use std::ops::Range;
use std::sync::Arc;

/// A part of a text: symbols, and the records that they belong to. As in the [example](Parts).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// Symbols of all records of this part, concatenated. If the records are lines, line ends are
    /// included.
    pub symbols: Vec<u8>,
    /// Records, in order. The first may continue from the part before, and the last may continue in
    /// the next part. If the first continues, the symbols before its range repeat those that
    /// precede them in the record.
    pub records: Vec<PartRecord>,
}

/// A record, or the piece of it that is in a part. As in the [example](Parts).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartRecord {
    /// Number of the record in the whole text, 0-based.
    pub number: u64,
    /// Name: the header up to the first blank. `None` for a line, and for a header without a name.
    pub name: Option<Arc<str>>,
    /// Range of its symbols within the part.
    pub range: Range<usize>,
    /// Number of its symbols in the parts before; 0 if it begins here.
    pub before: u64,
    /// Offset of its start in the file, in bytes after decompression. Only set for lines.
    pub place: u64,
    /// True if the record ends in this part.
    pub is_whole: bool,
    /// Header and qualities in a FASTQ file, if the reader keeps them and the record is whole.
    pub fastq: Option<Arc<Fastq>>,
}

/// The header and the qualities of a FASTQ record.
///
/// ```
/// # #[cfg(feature = "io")] {
/// use carrywave::io::sequence::{PartOptions, PartReader};
/// use carrywave::text::parts::Parts;
///
/// let reads = &b"@read1 lane=2\nACGT\n+\nIIF#\n"[..];
/// let mut reader = PartReader::from_reader("reads", reads, PartOptions::default().fastq(true))?;
/// let part = reader.next_part()?.unwrap();
/// let fastq = part.records[0].fastq.as_ref().unwrap();
/// assert_eq!((&fastq.header[..], &fastq.quality[..]), (&b"read1 lane=2"[..], &b"IIF#"[..]));
/// # }
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fastq {
    /// Header without the `@`.
    pub header: Vec<u8>,
    /// Quality of each symbol, as in the file.
    pub quality: Vec<u8>,
}

/// A source that returns the parts of a text one after the other. `io::sequence::PartReader`
/// implements it for files.
///
/// ```
/// use carrywave::search::Search;
/// use carrywave::text::Pattern;
/// use carrywave::text::parts::{Part, PartRecord, Parts};
///
/// /// One record, in parts of four symbols.
/// struct Chunks {
///     rest: &'static [u8],
///     before: u64,
///     buffer: Vec<u8>,
/// }
///
/// impl Parts for Chunks {
///     fn next_part(&mut self) -> carrywave::Result<Option<Part>> {
///         if self.rest.is_empty() {
///             return Ok(None);
///         }
///         let (chunk, rest) = self.rest.split_at(self.rest.len().min(4));
///         let mut symbols = std::mem::take(&mut self.buffer);
///         symbols.clear();
///         symbols.extend_from_slice(chunk);
///         let record = PartRecord {
///             number: 0,
///             name: None,
///             range: 0..chunk.len(),
///             before: self.before,
///             place: 0,
///             is_whole: rest.is_empty(),
///             fastq: None,
///         };
///         self.before += chunk.len() as u64;
///         self.rest = rest;
///         Ok(Some(Part { symbols, records: vec![record] }))
///     }
///
///     fn recycle(&mut self, symbols: Vec<u8>) {
///         self.buffer = symbols;
///     }
/// }
///
/// let chunks = Chunks { rest: b"the carry wave", before: 0, buffer: Vec::new() };
/// let hits = Search::new(Pattern::literal(b"carry")).prepare()?.stream(chunks);
/// let hits = hits.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!((hits.len(), hits[0].hit.start, hits[0].hit.end), (1, 4, 9));
/// # Ok::<(), carrywave::Error>(())
/// ```
pub trait Parts: Send {
    /// Returns the next part, or `None` at the end of the text. As in the [example](Self).
    ///
    /// # Errors
    /// Errors of reading the text.
    fn next_part(&mut self) -> Result<Option<Part>>;

    /// Takes back the vector of a part's symbols, for use in a later part. The default frees it. As
    /// in the [example](Self).
    fn recycle(&mut self, symbols: Vec<u8>) {
        drop(symbols);
    }
}
