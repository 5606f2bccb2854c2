//! A text that comes in parts: records of a file of any size, of which a few million symbols are in memory at a time.

use crate::error::Result;
use std::ops::Range;
use std::sync::Arc;

/// The next symbols of a text, and which records they belong to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// The symbols of all records of this part, one after the other. Of lines also what is between them.
    pub symbols: Vec<u8>,
    /// The records, in order: the first may go on from the part before, the last may go on in the next one.
    pub records: Vec<PartRecord>,
}

/// A record, or as much of it as is in a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartRecord {
    /// The record's number in the whole text, from 0.
    pub number: u64,
    /// Its name: the header up to the first blank. None for a line, and for a record whose header has none.
    pub name: Option<Arc<str>>,
    /// Where its symbols are in those of the part.
    pub range: Range<usize>,
    /// How many symbols of it were in the parts before: 0 if it begins here.
    pub before: u64,
    /// Where it begins in the file, in bytes after decompression: for lines.
    pub place: u64,
    /// Whether it ends in this part.
    pub is_whole: bool,
    /// What else a FASTQ file says of it, if the reader was asked to keep that and the record is whole.
    pub fastq: Option<Arc<Fastq>>,
}

/// What a FASTQ file says of a record beside its symbols.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fastq {
    /// The header without the `@`.
    pub header: Vec<u8>,
    /// A quality for each symbol.
    pub quality: Vec<u8>,
}

/// Gives the parts of a text one after the other.
pub trait Parts: Send {
    /// The next part; none at the end of the text.
    ///
    /// # Errors
    /// When the text cannot be read.
    fn next_part(&mut self) -> Result<Option<Part>>;

    /// Takes the memory of a part's symbols that are no longer needed, to read a later part into. Unless said otherwise, it is freed.
    fn recycle(&mut self, symbols: Vec<u8>) {
        drop(symbols);
    }
}
