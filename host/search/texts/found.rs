//! A hit in a text that comes in parts, with its record and the surrounding symbols.

use crate::search::hits::hit::Hit;
use crate::text::parts::{Fastq, PartRecord};
use std::ops::Range;
use std::sync::Arc;

/// A hit, its record, and the surrounding symbols. As in the [example](crate::search::Hits).
#[derive(Debug, Clone)]
pub struct Found {
    /// The hit's record, positions, pattern, strand and errors.
    pub hit: Hit,
    window: Arc<Window>,
    /// Index of the record in the window.
    record: usize,
    /// The range of the hit's symbols in the record.
    symbols: Range<u64>,
    /// The hit's bytes, if they differ from the symbols of the window.
    bytes: Option<Vec<u8>>,
}

/// A hit and the surrounding bytes ([`Found::context`]). As in the [example](crate::search::Hits).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Context<'f> {
    /// The record's bytes in memory: at least 3 on each side of the hit, if the record has them.
    /// For a pattern of characters, they may be only the hit's bytes.
    pub bytes: &'f [u8],
    /// The range of the hit in `bytes`.
    pub hit: Range<usize>,
}

/// A stretch of a text, and the records in it.
#[derive(Debug)]
pub(super) struct Window {
    pub symbols: Vec<u8>,
    pub records: Vec<WindowRecord>,
    /// The ranges of the records among the symbols.
    pub ranges: Vec<Range<usize>>,
}

#[derive(Debug)]
pub(super) struct WindowRecord {
    /// The record as the reader returned it, with its range among the symbols of the window.
    pub record: PartRecord,
    /// The start of the range in the record.
    pub from: u64,
    /// Number of symbols at the end of the range that repeat the first ones, as the record is
    /// circular.
    pub repeated: usize,
}

impl Found {
    /// Wraps a hit in a record of a window.
    pub(super) fn new(hit: Hit, window: Arc<Window>) -> Self {
        let number = window.records[hit.record].record.number as usize;
        Self {
            hit: Hit { record: number, ..hit },
            window,
            record: hit.record,
            symbols: hit.start..hit.end,
            bytes: None,
        }
    }

    /// Sets the hit's bytes and their range in the record.
    pub(super) fn in_bytes(mut self, range: Range<u64>, bytes: Vec<u8>) -> Self {
        (self.hit.start, self.hit.end) = (range.start, range.end);
        self.bytes = Some(bytes);
        self
    }

    fn own(&self) -> &WindowRecord {
        &self.window.records[self.record]
    }

    /// Returns the record's name; `None` for a line and for a record without a name. As in the
    /// [example](crate::search::Hits).
    pub fn name(&self) -> Option<&str> {
        self.own().record.name.as_deref()
    }

    /// Returns the position of a line in its file, in bytes after decompression. As in the
    /// [example](crate::search::Hits).
    pub fn place(&self) -> u64 {
        self.own().record.place
    }

    /// Returns the bytes of the hit. As in the [example](crate::search::Hits).
    pub fn symbols(&self) -> &[u8] {
        let Context { bytes, hit } = self.context();
        &bytes[hit]
    }

    /// Returns the hit and the surrounding bytes. As in the [example](crate::search::Hits).
    pub fn context(&self) -> Context<'_> {
        if let Some(bytes) = &self.bytes {
            return Context { bytes, hit: 0..bytes.len() };
        }
        let own = self.own();
        let place = |at: u64| (at - own.from) as usize;
        Context {
            bytes: &self.window.symbols[own.record.range.clone()],
            hit: place(self.symbols.start)..place(self.symbols.end),
        }
    }

    /// Returns the header and the qualities of a FASTQ record, if the reader keeps them. As in the
    /// [example](crate::search::Hits).
    pub fn fastq(&self) -> Option<&Fastq> {
        self.own().record.fastq.as_deref()
    }

    /// Returns all bytes of the record, if they are in memory. With a reader that returns whole
    /// records they are, unless the pattern is of characters and the record has characters outside
    /// ASCII. As in the [example](crate::search::Hits).
    pub fn record(&self) -> Option<&[u8]> {
        let own = self.own();
        let is_whole = own.from == 0 && own.record.is_whole && self.bytes.is_none();
        let Range { start, end } = own.record.range;
        is_whole.then(|| &self.window.symbols[start..end - own.repeated])
    }
}
