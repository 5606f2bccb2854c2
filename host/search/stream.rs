//! Hits in a text that comes in parts, as they are found: a file of any size in little memory.
//!
//! ```text
//! parts     |---- part 0 ----|---- part 1 ----|---- part 2 ----|
//! searched  |----------------|
//!                       |-c--|----------------|                    c: what is carried over of a record that goes on: at least m + k symbols, and
//!                                      |--c---|----------------|       all from the first occurrence on that is not decided
//! ```
//!
//! Each part is searched in [slices](super::slices): the hits of one are returned before the next is searched.

use super::hit::Hit;
use super::records::Memory;
use super::searcher::Searcher;
use super::slices::Slices;
use crate::error::{Result, UsageFault};
use crate::memory;
use crate::text::parts::{Fastq, Part, PartRecord, Parts};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// A hit, its record, and the symbols around it.
#[derive(Debug, Clone)]
pub struct Found {
    /// Where it is.
    pub hit: Hit,
    window: Arc<Window>,
    /// The record among those of the window.
    record: usize,
}

/// Some symbols of a text, and the records that they belong to.
#[derive(Debug)]
struct Window {
    symbols: Vec<u8>,
    records: Vec<WindowRecord>,
    /// The ranges of the records among the symbols.
    ranges: Vec<Range<usize>>,
}

#[derive(Debug)]
struct WindowRecord {
    /// As the reader gave it, with its range among the symbols of the window.
    record: PartRecord,
    /// Where the range begins in the record.
    from: u64,
}

impl Found {
    fn own(&self) -> &WindowRecord {
        &self.window.records[self.record]
    }

    /// The record's name; none for a line, and for a record without one.
    pub fn name(&self) -> Option<&str> {
        self.own().record.name.as_deref()
    }

    /// Where the record begins in the file, in bytes after decompression: for lines.
    pub fn place(&self) -> u64 {
        self.own().record.place
    }

    /// The symbols that the hit covers.
    pub fn symbols(&self) -> &[u8] {
        let (symbols, hit) = self.around();
        &symbols[hit]
    }

    /// The symbols of the record that are at hand, and where the hit is among them: at least 3 on each side, if the record has so many.
    pub fn around(&self) -> (&[u8], Range<usize>) {
        let own = self.own();
        let place = |at: u64| (at - own.from) as usize;
        (&self.window.symbols[own.record.range.clone()], place(self.hit.start)..place(self.hit.end))
    }

    /// The header and the qualities of the record, if it is one of a FASTQ file and the reader keeps them.
    pub fn fastq(&self) -> Option<&Fastq> {
        self.own().record.fastq.as_deref()
    }

    /// All symbols of the record, if they are at hand: of a reader that gives whole records they always are.
    pub fn record(&self) -> Option<&[u8]> {
        let own = self.own();
        (own.from == 0 && own.record.is_whole).then(|| &self.window.symbols[own.record.range.clone()])
    }
}

/// The hits in a text that comes in parts, in order of records and places, each as soon as no later symbol can change it; the first before
/// the text is read to its end.
///
/// Memory: up to four of the reader's parts (of 64 Mi symbols by default), 160 bytes for each of about 2^17 hits that are looked for at a time,
/// and for each pattern up to 2^16 + 16 (m + k) symbols and 24 bytes for each of their ends. With a reader that gives whole records, also the
/// longest record. Where neighbouring occurrences in a row span more than 2^16 symbols and 16 (m + k), they are chosen in pieces of that length.
///
/// ```
/// use carrywave::io::sequence::{PartOptions, PartReader};
/// use carrywave::search::Search;
/// use carrywave::text::Pattern;
///
/// let file = &b">one\nGATT\nACAGG\n>two\nCCGATACA\n"[..];
/// let reader = PartReader::from_reader("a text", file, PartOptions::default())?;
/// let search = Search::new(Pattern::literal(b"GATTACA")).errors(1);
/// for found in search.prepare()?.stream(reader) {
///     let found = found?;
///     println!("{} {}..{}", found.name().unwrap_or(""), found.hit.start, found.hit.end);
/// }
/// # Ok::<(), carrywave::Error>(())
/// ```
#[must_use = "an iterator does nothing until it is asked for its items"]
pub struct Hits<'p, P> {
    searcher: Searcher<'p>,
    parts: P,
    /// The record that goes on in the next part.
    open: Option<Open>,
    ready: VecDeque<Found>,
    /// The part that is searched, or was: then a later one may have its memory.
    window: Option<Arc<Window>>,
    slices: Slices,
    done: bool,
}

/// What is carried over of a record that goes on.
struct Open {
    number: u64,
    /// Its last symbols.
    symbols: Vec<u8>,
    /// Where these begin in the record.
    from: u64,
}

impl<'p> Searcher<'p> {
    /// The hits in a text that comes in parts, as they are found: see [`Hits`].
    pub fn stream<P: Parts>(self, parts: P) -> Hits<'p, P> {
        Hits::new(self, parts)
    }
}

impl<'p, P: Parts> Hits<'p, P> {
    pub(super) fn new(searcher: Searcher<'p>, parts: P) -> Self {
        let slices = Slices::new(&searcher.search);
        Self { searcher, parts, open: None, ready: VecDeque::new(), window: None, slices, done: false }
    }

    /// The reader of the parts.
    pub fn parts(&self) -> &P {
        &self.parts
    }

    /// The search again, for another text; hits that were not asked for are dropped.
    pub fn into_searcher(self) -> Searcher<'p> {
        self.searcher
    }

    /// Whether more of the text must be read for the next hit: a good time to hand on what was made of those before.
    pub fn waits(&self) -> bool {
        self.ready.is_empty() && !self.done
    }

    /// The reader of the parts.
    pub(super) fn parts_mut(&mut self) -> &mut P {
        &mut self.parts
    }

    /// The next hit that is found already.
    pub(super) fn pop(&mut self) -> Option<Found> {
        self.ready.pop_front()
    }

    /// Returns true if [`advance`](Self::advance) reads a part.
    pub(super) fn needs_part(&self) -> bool {
        self.window.is_none() || self.slices.is_done()
    }

    /// Returns true if all hits are found.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// The first symbol at which hits may begin that are not found yet, and its record, where all of a part is searched.
    pub(super) fn undecided(&self) -> Option<(usize, u64)> {
        let last = self.window.as_ref()?.records.last()?.record.number as usize;
        Some(self.slices.needed().map_or((last + 1, 0), |from| (last, from)))
    }

    /// Searches the next slice, of the next part if need be.
    pub(super) fn advance(&mut self) -> Result<()> {
        if let Some(window) = self.window.take() {
            if !self.slices.is_done() {
                return self.search(window);
            }
            if let Some(window) = Arc::into_inner(window) {
                self.parts.recycle(window.symbols);
            }
        }
        match self.parts.next_part()? {
            Some(part) => self.begin(part),
            None => {
                self.done = true;
                // A reader ends its last record; one that does not has said all there is.
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
        let carried = open.as_ref().map_or(0, |open| open.symbols.len());
        let window = Window::new(symbols, records, open)?;
        if let Some(hits) = self.searcher.search.whole_records(&window.symbols, &window.ranges) {
            return self.take_whole(hits, window);
        }
        self.slices.begin_part(carried);
        self.search(Arc::new(window))
    }

    /// Searches the next slice of a part.
    fn search(&mut self, window: Arc<Window>) -> Result<()> {
        let Window { symbols, records, ranges } = &*window;
        let from = records.first().map_or(0, |first| first.from);
        let is_whole = records.last().is_none_or(|last| last.record.is_whole);
        let hits = self.slices.next(&mut self.searcher.search, &Memory { symbols, records: ranges, from, is_whole })?;
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

    /// Makes hits among the records of a part ready.
    fn take(&mut self, hits: Vec<Hit>, window: Arc<Window>) {
        let found = |hit: Hit| {
            let number = window.records[hit.record].record.number as usize;
            Found { hit: Hit { record: number, ..hit }, window: window.clone(), record: hit.record }
        };
        self.ready = hits.into_iter().map(found).collect();
        self.window = Some(window);
    }

    /// Takes the whole records of a part that are hits.
    fn take_whole(&mut self, hits: Vec<Hit>, window: Window) -> Result<()> {
        if window.records.iter().any(|own| own.from > 0 || !own.record.is_whole) {
            return Err(
                UsageFault::Combination.error("whole records are compared: the reader is to give no parts of records")
            );
        }
        self.slices.end();
        self.take(hits, Arc::new(window));
        Ok(())
    }
}

impl Window {
    /// A part with what was carried over before it.
    fn new(mut symbols: Vec<u8>, records: Vec<PartRecord>, open: Option<Open>) -> Result<Self> {
        let Some(mut open) = open else {
            let own = |record: PartRecord| WindowRecord { from: record.before, record };
            return Ok(Self::of(symbols, records.into_iter().map(own).collect()));
        };
        let carried = open.symbols.len();
        let skipped = records.first().map_or(0, |first| first.range.start);
        memory::reserve(&mut symbols, carried, "a part of a text")?;
        symbols.splice(..skipped, open.symbols.drain(..));
        let own = |(number, mut record): (usize, PartRecord)| {
            record.range = record.range.start + carried - skipped..record.range.end + carried - skipped;
            if number == 0 {
                record.range.start = 0;
            }
            WindowRecord { from: if number == 0 { open.from } else { 0 }, record }
        };
        Ok(Self::of(symbols, records.into_iter().enumerate().map(own).collect()))
    }

    fn of(symbols: Vec<u8>, records: Vec<WindowRecord>) -> Self {
        let ranges = records.iter().map(|own| own.record.range.clone()).collect();
        Self { symbols, records, ranges }
    }
}

impl<P: Parts> Iterator for Hits<'_, P> {
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
