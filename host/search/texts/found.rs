//! A hit in a text that comes in parts, with its record and the symbols around it.

use crate::search::hits::hit::Hit;
use crate::text::parts::{Fastq, PartRecord};
use std::ops::Range;
use std::sync::Arc;

/// A hit, its record, and the symbols around it. As in the [example](crate::search::Hits).
#[derive(Debug, Clone)]
pub struct Found {
    /// Its place.
    pub hit: Hit,
    window: Arc<Window>,
    /// The record among those of the window.
    record: usize,
    /// The range of its symbols in the record.
    symbols: Range<u64>,
    /// Its bytes, where these are not the symbols of the window.
    bytes: Option<Vec<u8>>,
}

/// Some symbols of a text, and the records that they belong to.
#[derive(Debug)]
pub(in crate::search) struct Window {
    pub symbols: Vec<u8>,
    pub records: Vec<WindowRecord>,
    /// The ranges of the records among the symbols.
    pub ranges: Vec<Range<usize>>,
}

#[derive(Debug)]
pub(in crate::search) struct WindowRecord {
    /// As the reader gave it, with its range among the symbols of the window.
    pub record: PartRecord,
    /// The start of the range in the record.
    pub from: u64,
}

impl Found {
    /// A hit in a record of a window.
    pub(in crate::search) fn new(hit: Hit, window: Arc<Window>) -> Self {
        let number = window.records[hit.record].record.number as usize;
        Self {
            hit: Hit { record: number, ..hit },
            window,
            record: hit.record,
            symbols: hit.start..hit.end,
            bytes: None,
        }
    }

    /// With these bytes, which are this range of the record.
    pub(in crate::search) fn in_bytes(mut self, range: Range<u64>, bytes: Vec<u8>) -> Self {
        (self.hit.start, self.hit.end) = (range.start, range.end);
        self.bytes = Some(bytes);
        self
    }

    fn own(&self) -> &WindowRecord {
        &self.window.records[self.record]
    }

    /// The record's name; none for a line, and for a record without one. As in the [example](crate::search::Hits).
    pub fn name(&self) -> Option<&str> {
        self.own().record.name.as_deref()
    }

    /// Where the record begins in the file, in bytes after decompression: for lines.
    pub fn place(&self) -> u64 {
        self.own().record.place
    }

    /// The bytes that the hit covers.
    pub fn symbols(&self) -> &[u8] {
        let (symbols, hit) = self.around();
        &symbols[hit]
    }

    /// The bytes of the record that are at hand, and where the hit is among them: at least 3 on each side, if the record has so many. Of a pattern of
    /// characters, they may be those of the hit alone.
    pub fn around(&self) -> (&[u8], Range<usize>) {
        if let Some(bytes) = &self.bytes {
            return (bytes, 0..bytes.len());
        }
        let own = self.own();
        let place = |at: u64| (at - own.from) as usize;
        (&self.window.symbols[own.record.range.clone()], place(self.symbols.start)..place(self.symbols.end))
    }

    /// The header and the qualities of the record, if it is one of a FASTQ file and the reader keeps them.
    pub fn fastq(&self) -> Option<&Fastq> {
        self.own().record.fastq.as_deref()
    }

    /// All bytes of the record, if they are at hand: of a reader that gives whole records they are, unless the pattern is of characters and the record
    /// has some outside ASCII.
    pub fn record(&self) -> Option<&[u8]> {
        let own = self.own();
        let is_whole = own.from == 0 && own.record.is_whole && self.bytes.is_none();
        is_whole.then(|| &self.window.symbols[own.record.range.clone()])
    }
}
