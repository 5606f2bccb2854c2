//! Hits in a text that comes in parts, as they are found: searches files of any size with little
//! memory.
//!
//! ```text
//! parts     |---- part 0 ----|---- part 1 ----|---- part 2 ----|
//! searched  |----------------|
//!                       |-c--|----------------|
//!                                      |--c---|----------------|
//! ```
//!
//! Here c is the part of an unfinished record that is carried over: at least m + k symbols, and
//! everything from the first undecided occurrence on. Each part is searched in
//! [slices](crate::search::texts::slices): the hits of a slice are returned before the next one is
//! searched.

use super::coded::CodedSearch;
use super::found::{Found, Window, WindowRecord};
use super::slices::Slices;
use crate::error::{Result, UsageFault};
use crate::memory;
use crate::search::circular::Extended;
use crate::search::hits::hit::Hit;
use crate::search::hits::records::Memory;
use crate::text::characters::{CODES, Characters, CodedParts, Located};
use crate::text::parts::{Part, PartRecord, Parts};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Number of symbols that a thread copies at a time.
const COPY: usize = 1 << 20;

/// The hits of a single search in a text that comes in parts.
pub(super) struct PartHits<'p, P> {
    search: CodedSearch<'p>,
    parts: CodedParts<P>,
    /// The record that continues in the next part.
    open: Option<Open>,
    ready: VecDeque<Found>,
    /// The part that is searched; once it is finished, its memory is reused.
    window: Option<Arc<Window>>,
    slices: Slices,
    /// Memory for the next part that continues a record.
    spare: Vec<u8>,
    done: bool,
}

/// A record and a position in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub record: usize,
    pub at: u64,
}

/// The state of a record that continues in the next part.
struct Open {
    number: u64,
    /// The last symbols of the record.
    symbols: Vec<u8>,
    /// Offset of `symbols` in the record.
    from: u64,
}

impl<'p, P: Parts> PartHits<'p, P> {
    pub fn new(search: CodedSearch<'p>, reader: P) -> Self {
        let slices = Slices::new(&search.search);
        let parts = CodedParts::new(reader, search.characters.clone());
        Self { search, parts, open: None, ready: VecDeque::new(), window: None, slices, spare: Vec::new(), done: false }
    }

    /// Returns the reader of the parts.
    pub fn reader_mut(&mut self) -> &mut P {
        self.parts.reader_mut()
    }

    /// Returns the search, for another text.
    pub fn into_search(self) -> CodedSearch<'p> {
        self.search
    }

    /// Returns true if more of the text must be read for the next hit.
    pub fn waits(&self) -> bool {
        self.ready.is_empty() && !self.done
    }

    /// Returns the next hit that is already found.
    pub fn pop(&mut self) -> Option<Found> {
        self.ready.pop_front()
    }

    /// Returns true if [`advance`](Self::advance) reads a part.
    pub fn needs_part(&self) -> bool {
        self.window.is_none() || self.slices.is_done()
    }

    /// Returns true if all hits are found.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the first position where hits that are not found yet may start, if the part is
    /// searched completely.
    pub fn undecided(&self) -> Option<Position> {
        let last = self.window.as_ref()?.records.last()?.record.number as usize;
        let Some(symbol) = self.slices.needed() else { return Some(Position { record: last + 1, at: 0 }) };
        let at = if self.search.search.settings.in_characters { Some(symbol) } else { self.parts.byte(last, symbol) };
        Some(Position { record: last, at: at? })
    }

    /// Searches the next slice, and reads the next part if necessary.
    pub fn advance(&mut self) -> Result<()> {
        if let Some(window) = self.window.take() {
            if !self.slices.is_done() {
                return self.search(window);
            }
            match Arc::into_inner(window).map(|window| window.symbols) {
                // The next part may continue a record.
                Some(symbols) if self.spare.is_empty() && self.slices.needed().is_some() => self.spare = symbols,
                Some(symbols) => self.parts.recycle(symbols),
                None => {}
            }
        }
        match self.parts.next_part()? {
            Some(part) => self.begin(part),
            None => {
                self.done = true;
                // An open record is ignored if the reader does not end it.
                Ok(())
            }
        }
    }

    /// Takes the next part, and searches its first slice.
    fn begin(&mut self, part: Part) -> Result<()> {
        let Part { symbols, records } = part;
        let goes_on =
            |open: &Open| records.first().is_some_and(|first| first.before > 0 && first.number == open.number);
        let open = self.open.take().filter(goes_on);
        if open.is_none() {
            self.slices.drop_open();
        }
        let (window, searched) = match open {
            Some(open) => self.continued(open, symbols, records)?,
            None => (Window::new(symbols, records), 0),
        };
        let is_in_pieces = || window.records.iter().any(|own| own.from > 0 || !own.record.is_whole);
        if self.search.characters.as_ref().is_some_and(Characters::share_codes) && is_in_pieces() {
            return Err(UsageFault::Combination.error(format!(
                "a pattern with more than {CODES} distinct non-ASCII characters needs whole records; configure the reader \
                 to return whole records"
            )));
        }
        if self.search.search.takes_whole_records() {
            if is_in_pieces() {
                return Err(UsageFault::Combination
                    .error("records are searched as a whole; configure the reader to return whole records"));
            }
            let search = &mut self.search.search;
            let (hits, window) = search.recorded(|search| {
                if !search.settings.circular {
                    return Ok((search.in_whole_records(&window.symbols, &window.ranges)?, window));
                }
                let extended = search.extended(&window.symbols, &window.ranges)?;
                Ok((search.in_circular_records(&extended)?, window.circular(extended)))
            })?;
            self.slices.end();
            self.take(hits, Arc::new(window));
            return Ok(());
        }
        self.slices.begin_part(searched);
        self.search(Arc::new(window))
    }

    /// Makes a window of a part that continues a record. Returns it, and the number of its symbols
    /// that are searched already.
    fn continued(&mut self, open: Open, symbols: Vec<u8>, records: Vec<PartRecord>) -> Result<(Window, usize)> {
        let carried = open.symbols.len();
        match repeated(&open, &symbols, &records) {
            Some(start) => Ok((Window::new(symbols, records).extended_to(start, open.from), start + carried)),
            None => Ok((self.joined(open, symbols, records)?, carried)),
        }
    }

    /// Makes a window of a part and the symbols carried over before it.
    fn joined(&mut self, open: Open, symbols: Vec<u8>, records: Vec<PartRecord>) -> Result<Window> {
        let carried = open.symbols.len();
        let skipped = records.first().map_or(0, |first| first.range.start);
        let own = &symbols[skipped..];
        let mut all = std::mem::take(&mut self.spare);
        let len = carried + own.len();
        let more = len.saturating_sub(all.len());
        memory::reserve(&mut all, more, "a part of a text")?;
        all.resize(len, 0);
        let (before, rest) = all.split_at_mut(carried);
        before.copy_from_slice(&open.symbols);
        let pieces = rest.par_chunks_mut(COPY).zip(own.par_chunks(COPY));
        self.search.search.cpu.run(|| pieces.for_each(|(to, from)| to.copy_from_slice(from)));
        self.parts.recycle(symbols);
        let own = |(number, mut record): (usize, PartRecord)| {
            record.range = record.range.start + carried - skipped..record.range.end + carried - skipped;
            if number == 0 {
                record.range.start = 0;
            }
            WindowRecord { from: if number == 0 { open.from } else { 0 }, record, repeated: 0 }
        };
        Ok(Window::from_records(all, records.into_iter().enumerate().map(own).collect()))
    }

    /// Searches the next slice of a part.
    fn search(&mut self, window: Arc<Window>) -> Result<()> {
        let Window { symbols, records, ranges } = &*window;
        let from = records.first().map_or(0, |first| first.from);
        let is_whole = records.last().is_none_or(|last| last.record.is_whole);
        let text = Memory { symbols, records: ranges, from, is_whole };
        let slices = &mut self.slices;
        let hits = self.search.search.recorded(|search| slices.next(search, &text))?;
        if self.slices.is_done()
            && let (Some(from), Some(last)) = (self.slices.needed(), records.last())
        {
            let from = from.max(last.from);
            let symbols = symbols[last.record.range.clone()][(from - last.from) as usize..].to_vec();
            self.open = Some(Open { number: last.record.number, symbols, from });
        }
        self.take(hits, window);
        Ok(())
    }

    /// Queues the hits in the records of a part.
    fn take(&mut self, hits: Vec<Hit>, window: Arc<Window>) {
        let in_characters = self.search.search.settings.in_characters;
        let found = |hit: Hit| {
            let found = Found::new(hit, window.clone());
            let Hit { record, start, end, .. } = found.hit;
            let located = if in_characters { None } else { self.parts.locate(record, start..end, found.symbols()) };
            match located {
                Some(Located { range, bytes }) => found.in_bytes(range, bytes),
                None => found,
            }
        };
        self.ready = hits.into_iter().map(found).collect();
        self.window = Some(window);
    }
}

/// Returns where in a part the symbols begin that are carried over, if it repeats them before its
/// first record.
fn repeated(open: &Open, symbols: &[u8], records: &[PartRecord]) -> Option<usize> {
    let end = records.first()?.range.start;
    let start = end.checked_sub(open.symbols.len())?;
    (symbols.get(start..end)? == open.symbols).then_some(start)
}

impl Window {
    /// Extends the first record to the symbols before it in the part: from index `start` on, which
    /// is at offset `from` of the record.
    fn extended_to(mut self, start: usize, from: u64) -> Self {
        if let (Some(first), Some(range)) = (self.records.first_mut(), self.ranges.first_mut()) {
            (first.from, first.record.range.start, range.start) = (from, start, start);
        }
        self
    }

    /// Makes a window of the same records, each followed by its first symbols.
    fn circular(self, extended: Extended) -> Self {
        let Extended { symbols, records: ranges, lens } = extended;
        let own = |((own, range), len): ((WindowRecord, &Range<usize>), usize)| {
            let record = PartRecord { range: range.clone(), ..own.record };
            WindowRecord { repeated: range.len() - len, record, ..own }
        };
        let records = self.records.into_iter().zip(&ranges).zip(lens).map(own).collect();
        Self { symbols, records, ranges }
    }

    /// Makes a window of a part.
    fn new(symbols: Vec<u8>, records: Vec<PartRecord>) -> Self {
        let own = |record: PartRecord| WindowRecord { from: record.before, record, repeated: 0 };
        Self::from_records(symbols, records.into_iter().map(own).collect())
    }

    fn from_records(symbols: Vec<u8>, records: Vec<WindowRecord>) -> Self {
        let ranges = records.iter().map(|own| own.record.range.clone()).collect();
        Self { symbols, records, ranges }
    }
}

impl<P: Parts> Iterator for PartHits<'_, P> {
    type Item = Result<Found>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.ready.pop_front() {
                return Some(Ok(found));
            }
            if self.done {
                return None;
            }
            if let Err(error) = self.advance() {
                self.done = true;
                return Some(Err(error));
            }
        }
    }
}
