//! Hits in a text that comes in parts, as they are found: a file of any size in little memory.
//!
//! ```text
//! parts     |---- part 0 ----|---- part 1 ----|---- part 2 ----|
//! searched  |----------------|
//!                       |-c--|----------------|                    c: what is carried over of a record that goes on: at least m + k symbols, and
//!                                      |--c---|----------------|       all from the first occurrence on that later ones may overlap
//! told      hits that no later occurrence can change, in order
//! ```

use super::choice::Chooser;
use super::hit::Hit;
use super::records::{self, RecordEnd};
use super::searcher::Searcher;
use crate::align::infix::End;
use crate::error::{Error, Result};
use crate::memory;
use crate::text::Text;
use crate::text::parts::{Fastq, Part, PartRecord, Parts};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Symbols that are carried over at most: a chain of occurrences, each near the one before, that is longer is cut.
const MOST_CARRIED: u64 = 32 << 20;

/// Symbols of a record that are at hand beside a hit, if it has so many: as many as a character in UTF-8 may have beside one of its bytes.
const BESIDE: u64 = 3;

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
/// Memory is bounded by the part that the reader gives (64 MiB unless asked otherwise), up to 32 MiB that are carried over, and the hits of a
/// part; with a reader that gives whole records, also by the longest record. In a record of several parts a chain of more than 32
/// MiB of occurrences that are all near one another is cut, and there the choice of hits may not be the best.
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
    /// The last window: when its hits are told, a later one may have its memory.
    window: Option<Arc<Window>>,
    done: bool,
}

/// What is carried over of a record that goes on.
struct Open {
    number: u64,
    /// Its last symbols.
    symbols: Vec<u8>,
    /// Where these begin in the record.
    from: u64,
    /// For each pattern, ends that later ones may be near to, from the record's start.
    ends: Vec<Vec<End>>,
    /// For each pattern where the last hit ends of a chain that was cut: none of the rest may overlap it.
    cuts: Vec<u64>,
    /// Hits that are not told yet, since others may come before them.
    hits: Vec<Hit>,
}

impl<'p, P: Parts> Hits<'p, P> {
    pub(super) fn new(searcher: Searcher<'p>, parts: P) -> Self {
        Self { searcher, parts, open: None, ready: VecDeque::new(), window: None, done: false }
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

    /// Searches the next part, if there is one.
    fn advance(&mut self) -> Result<()> {
        if let Some(window) = self.window.take().and_then(Arc::into_inner) {
            self.parts.recycle(window.symbols);
        }
        match self.parts.next_part()? {
            Some(part) => self.search(part),
            None => {
                self.done = true;
                // A reader ends its last record; one that does not has said all there is.
                Ok(())
            }
        }
    }

    fn search(&mut self, part: Part) -> Result<()> {
        let Part { symbols, records } = part;
        let goes_on =
            |open: &Open| records.first().is_some_and(|first| first.before > 0 && first.number == open.number);
        let open = self.open.take().filter(goes_on);
        let carried = open.as_ref().map_or(0, |open| open.symbols.len());
        let (window, open) = Self::window(symbols, records, open)?;
        let ranges: Vec<Range<usize>> = window.records.iter().map(|own| own.record.range.clone()).collect();
        if let Some(hits) = self.searcher.whole(&window.symbols, &ranges) {
            return self.take_whole(hits, window);
        }
        let all = self.searcher.all_ends(&Text::from(&window.symbols))?;

        let (patterns, searched, choice) = self.searcher.patterns();
        let last = window.records.len().checked_sub(1).filter(|&last| !window.records[last].record.is_whole);
        let context = self.searcher.context() + BESIDE;
        let mut next = last.map(|last| {
            let own = &window.records[last];
            let len = own.from + own.record.range.len() as u64;
            let open = Open {
                number: own.record.number,
                symbols: Vec::new(),
                from: len.saturating_sub(context + BESIDE),
                ends: vec![Vec::new(); patterns.len()],
                cuts: vec![0; patterns.len()],
                hits: Vec::new(),
            };
            (last, len, open)
        });
        let mut hits: Vec<(usize, Hit)> = Vec::new();
        let mut before = vec![Vec::new(); patterns.len()];
        let mut cuts = vec![0; patterns.len()];
        if let Some(open) = open {
            hits.extend(open.hits.into_iter().map(|hit| (0, hit)));
            (before, cuts) = (open.ends, open.cuts);
        }
        for (number, ends) in all.into_iter().enumerate() {
            let waiting = std::mem::take(&mut before[number]);
            if ends.is_empty() && waiting.is_empty() {
                continue;
            }
            let pattern = &patterns[number];
            let allowed = searched[number].allowed;
            let chooser = Chooser::new(pattern, allowed, choice);
            // Ends from their records' starts; those in what was carried over are known.
            let mut in_records: Vec<RecordEnd> = waiting.into_iter().map(|end| (0, end)).collect();
            for (record, end) in records::ends(&window.symbols, &ranges, &ends, pattern, allowed) {
                let from = window.records[record].from;
                if record > 0 || carried == 0 || end.end > carried as u64 {
                    in_records.push((record, End { end: end.end + from, ..end }));
                }
            }
            let near = |a: &RecordEnd, b: &RecordEnd| a.0 == b.0 && chooser.is_near(a.1, b.1);
            let mut groups: Vec<&[RecordEnd]> = in_records.chunk_by(near).collect();
            // The last group may go on in the next part, unless it has become too long.
            let mut cut = None;
            if let Some((last, len, next)) = &mut next
                && let Some(group) = groups.last()
                && group[0].0 == *last
                && len.saturating_sub(group[group.len() - 1].1.end) < context
            {
                let ends: Vec<End> = group.iter().map(|&(_, end)| end).collect();
                let start = chooser.window(&ends).start;
                if *len - start <= MOST_CARRIED {
                    next.from = next.from.min(start.saturating_sub(BESIDE));
                    next.ends[number] = ends;
                    groups.pop();
                } else {
                    cut = Some(ends[ends.len() - 1].end);
                }
            }
            let in_group = |group: &&[RecordEnd]| {
                let record = group.first().map_or(0, |&(record, _)| record);
                let ends: Vec<End> = group.iter().map(|&(_, end)| end).collect();
                let (own, part) = (&window.records[record], chooser.window(&ends));
                let symbols = &window.symbols[own.record.range.clone()];
                let symbols = &symbols[(part.start - own.from) as usize..(part.end - own.from) as usize];
                let cut = if record == 0 { cuts[number] } else { 0 };
                let mut hits = searched[number].hits(own.record.number as usize, &chooser, symbols, &ends);
                hits.retain(|hit| hit.start >= cut);
                hits.into_iter().map(move |hit| (record, hit)).collect::<Vec<_>>()
            };
            hits.extend(
                self.searcher
                    .cpu()
                    .run(|| groups.par_iter().with_min_len(64).flat_map_iter(in_group).collect::<Vec<_>>()),
            );
            if let (Some(end), Some((_, _, next))) = (cut, &mut next) {
                next.cuts[number] = end;
            } else if let Some((0, _, next)) = &mut next {
                next.cuts[number] = cuts[number];
            }
        }
        hits.sort_unstable_by_key(|&(_, hit)| hit);
        if let Some((last, _, next)) = &mut next {
            // What may still come begins there at the earliest.
            let from = next.from;
            let told = hits.partition_point(|(record, hit)| record != last || hit.start < from);
            next.hits = hits.split_off(told).into_iter().map(|(_, hit)| hit).collect();
            let own = &window.records[*last];
            next.symbols = window.symbols[own.record.range.clone()][(from - own.from) as usize..].to_vec();
        }
        self.open = next.map(|(_, _, open)| open);
        let window = self.window.insert(Arc::new(window));
        self.ready = hits.into_iter().map(|(record, hit)| Found { hit, window: window.clone(), record }).collect();
        Ok(())
    }

    /// Takes the whole records of a part that are hits.
    fn take_whole(&mut self, hits: Vec<Hit>, window: Window) -> Result<()> {
        if window.records.iter().any(|own| own.from > 0 || !own.record.is_whole) {
            return Err(Error::Usage("whole records are compared: the reader is to give no parts of records".into()));
        }
        let window = self.window.insert(Arc::new(window));
        let found = |hit: Hit| {
            let number = window.records[hit.record].record.number as usize;
            Found { hit: Hit { record: number, ..hit }, window: window.clone(), record: hit.record }
        };
        self.ready = hits.into_iter().map(found).collect();
        Ok(())
    }

    /// A part with what was carried over before it.
    fn window(mut symbols: Vec<u8>, records: Vec<PartRecord>, open: Option<Open>) -> Result<(Window, Option<Open>)> {
        let Some(mut open) = open else {
            let own = |record: PartRecord| WindowRecord { from: record.before, record };
            return Ok((Window { symbols, records: records.into_iter().map(own).collect() }, None));
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
        let records = records.into_iter().enumerate().map(own).collect();
        Ok((Window { symbols, records }, Some(open)))
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
