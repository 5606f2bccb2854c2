//! A text in memory, searched one slice at a time, so that the results take little memory even if
//! hits are dense.
//!
//! ```text
//! records   |---- 0 ----|--------------- 1 ---------------|-- 2 --…
//! slices    |=== searched ===|== next ==|
//!                        |cc|                c: m + k symbols, searched again
//! returned  hits that no later occurrence can change, in order
//! ```
//!
//! An occurrence may start in the m + k symbols before a slice, so these are searched again. A
//! slice has the number of symbols that should give about [`ENDS`] ends, by the density in the
//! slice before. If it gives far more, its hits are found in several steps. The hits do not depend
//! on the slices.

use crate::device::EngineKind;
use crate::error::Result;
use crate::infix::End;
use crate::memory::{self, BlockSize};
use crate::search::hits::chains::{Chains, LONGEST_PIECE, Piece, Rest};
use crate::search::hits::choice::Chooser;
use crate::search::hits::hit::Hit;
use crate::search::hits::records::{self, Memory};
use crate::search::prepared::PreparedSearch;
use crate::threads;
use rayon::prelude::*;

/// Targeted number of ends per slice, for all patterns together.
const ENDS: usize = 1 << 17;

/// Lengths of the first slice and of the smallest later one, in symbols, divided by the number of
/// patterns. The first slice measures the density of ends; it is so short that a single thread
/// searches it.
const FIRST: usize = 1 << 15;
const SMALLEST: usize = 1 << 16;
/// Shortest slice for many patterns, in symbols.
const MIN_SLICE: usize = 1 << 12;
/// Least length of a slice, as a multiple of the symbols that are searched again for it.
const CONTEXTS: usize = 16;

/// The record that continues behind the end of a slice.
#[derive(Debug, Clone, Copy)]
struct OpenRecord {
    number: usize,
    /// Number of searched symbols of the record.
    known: u64,
}

/// The ends of each pattern in a slice up to index `to` of the text.
struct FoundEnds {
    to: usize,
    all: Vec<Vec<End>>,
}

/// The state of a sliced search. The record of a hit is the index of the record's range.
pub(super) struct Slices {
    /// The symbols before this index are searched.
    at: usize,
    /// The length of the next slice, in symbols.
    size: BlockSize,
    /// If a slice has more ends than this, its hits are found in several steps.
    many: usize,
    /// Length of a piece of a chain, in symbols.
    piece: u64,
    /// The ends of a slice that are not processed yet.
    found: Option<FoundEnds>,
    /// True at the end of the text.
    is_done: bool,
    /// For each pattern the unfinished chain.
    rests: Vec<Rest>,
    /// Hits that others may precede.
    waiting: Vec<Hit>,
    /// The first symbol of the open record that a later hit may cover, or that is beside it.
    from: Option<u64>,
}

impl Slices {
    /// Starts a search.
    pub fn new(search: &PreparedSearch<'_>) -> Self {
        let patterns = &search.patterns;
        let context = usize::try_from(search.context()).unwrap_or(usize::MAX);
        let share =
            |symbols: usize| (symbols / patterns.len().max(1)).max(MIN_SLICE).max(context.saturating_mul(CONTEXTS));
        // A device allocates memory for the largest slice at once.
        let size = if search.kind == EngineKind::Cpu { share(FIRST) } else { usize::MAX };
        let rests = vec![Rest::default(); patterns.len()];
        Self {
            at: 0,
            size: BlockSize::new(size, share(SMALLEST)..=usize::MAX, ENDS),
            many: 2 * ENDS,
            piece: LONGEST_PIECE,
            found: None,
            is_done: false,
            rests,
            waiting: Vec::new(),
            from: None,
        }
    }

    /// Starts with the known ends of each pattern in a text of `len` symbols.
    pub fn with_ends(search: &PreparedSearch<'_>, len: usize, all: Vec<Vec<End>>) -> Self {
        Self { found: Some(FoundEnds { to: len, all }), ..Self::new(search) }
    }

    /// Ends the search of the text.
    pub fn end(&mut self) {
        self.is_done = true;
    }

    /// Returns true at the end of the text.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Returns the first symbol of the unfinished record that the next part needs, counted from the
    /// record's start.
    pub fn needed(&self) -> Option<u64> {
        self.from
    }

    /// Continues with the next part of a text, whose symbols before index `searched` are searched.
    /// Its first record is the unfinished one, if there is one, from [`needed`](Self::needed) on.
    pub fn begin_part(&mut self, searched: usize) {
        (self.at, self.is_done) = (searched, false);
        if self.from.is_none() {
            self.drop_open();
            return;
        }
        for rest in &mut self.rests {
            rest.ends.iter_mut().for_each(|(record, _)| *record = 0);
        }
        self.waiting.iter_mut().for_each(|hit| hit.record = 0);
    }

    /// Drops the unfinished record.
    pub fn drop_open(&mut self) {
        self.rests.fill(Rest::default());
        self.waiting.clear();
        self.from = None;
    }

    /// Searches the next slice. Returns the hits that are decided, in order.
    ///
    /// # Errors
    /// The errors of the engine.
    pub fn next(&mut self, search: &mut PreparedSearch<'_>, text: &Memory<'_>) -> Result<Vec<Hit>> {
        threads::check();
        let found = match self.found.take() {
            Some(found) => found,
            None => self.search(search, text)?,
        };
        let context = usize::try_from(search.context()).unwrap_or(usize::MAX);
        let (to, all) = self.some_of(found, text, context);
        let hits = self.decide(search, text, all, open_record(text, to))?;
        self.at = to;
        self.is_done = to == text.symbols.len();
        Ok(hits)
    }

    /// Splits the ends of a slice if there are many: returns those up to an index of the text, and
    /// keeps the rest for the next step.
    fn some_of(&mut self, found: FoundEnds, text: &Memory<'_>, context: usize) -> (usize, Vec<Vec<End>>) {
        let FoundEnds { to, mut all } = found;
        let count: usize = all.iter().map(Vec::len).sum();
        if count <= self.many {
            return (to, all);
        }
        let wanted_end = self.at.saturating_add(self.size.of_density(to - self.at, count));
        let end = slice_end(text, wanted_end, context).min(to);
        let first = |ends: &mut Vec<End>| ends.drain(..ends.partition_point(|found| found.end <= end as u64)).collect();
        let some = all.iter_mut().map(first).collect();
        if end < to {
            self.found = Some(FoundEnds { to, all });
        }
        (end, some)
    }

    /// Returns the hits that are decided by additional ends of each pattern, in order.
    fn decide(
        &mut self,
        search: &PreparedSearch<'_>,
        text: &Memory<'_>,
        all: Vec<Vec<End>>,
        open: Option<OpenRecord>,
    ) -> Result<Vec<Hit>> {
        let mut hits = std::mem::take(&mut self.waiting);
        let beside = search.settings.beside;
        // The hits before this symbol are known, and so are the symbols beside them.
        let mut undecided = open.map(|open| open.known.saturating_sub(search.context()).saturating_sub(beside));
        for (number, ends) in all.into_iter().enumerate() {
            let before = std::mem::take(&mut self.rests[number]);
            if ends.is_empty() && before.ends.is_empty() {
                continue;
            }
            let PreparedSearch { patterns, searched, settings, .. } = search;
            let choice = settings.choice();
            let own = &searched[number];
            let mut in_records = before.ends.clone();
            memory::reserve(&mut in_records, ends.len(), "the ends of occurrences")?;
            records::ends(text, &ends, &patterns[number], own.allowed, &mut in_records);
            let chooser = Chooser::new(&patterns[number], own.allowed, choice);
            let chains = Chains::new(chooser.longest(), self.piece, choice);
            let known = open.map(|open| (open.number, open.known));
            let (pieces, mut rest) = chains.pieces(&in_records, &before, known);
            let in_piece = |piece: &Piece<'_>, first, hits: &mut Vec<Hit>| {
                let (record, window) = (piece.record(), chooser.window(piece));
                let from = if record == 0 { text.from } else { 0 };
                let symbols = &text.symbols[text.records[record].clone()];
                let symbols = &symbols[(window.start - from) as usize..(window.end - from) as usize];
                own.hits(&chooser, symbols, piece, first, hits);
                Ok(())
            };
            let found = search.cpu.run(|| chains.hits(&pieces, &before, rest.as_mut(), in_piece))?;
            if hits.is_empty() {
                hits = found;
            } else {
                memory::reserve(&mut hits, found.len(), "the hits")?;
                hits.extend(found);
            }
            if let Some(rest) = rest {
                undecided = undecided.map(|first| first.min(rest.start(chooser.longest())));
                self.rests[number] = rest;
            }
        }
        if !hits.is_sorted() {
            search.cpu.run(|| hits.par_sort_unstable());
        }
        if let (Some(open), Some(first)) = (open, undecided) {
            let decided = hits.partition_point(|hit| hit.record != open.number || hit.start < first);
            self.waiting = hits.split_off(decided);
        }
        self.from = undecided.map(|first| first.saturating_sub(beside));
        Ok(hits)
    }

    /// Searches the next slice.
    fn search(&mut self, search: &mut PreparedSearch<'_>, text: &Memory<'_>) -> Result<FoundEnds> {
        let context = usize::try_from(search.context()).unwrap_or(usize::MAX);
        let to = slice_end(text, self.at.saturating_add(self.size.get()), context);
        if to == self.at {
            return Ok(FoundEnds { to, all: vec![Vec::new(); self.rests.len()] });
        }
        let before = self.at.saturating_sub(context);
        let mut all = search.ends_beyond(&text.symbols[before..to], (self.at - before) as u64)?;
        if before > 0 {
            all.iter_mut().flatten().for_each(|found| found.end += before as u64);
        }
        let count: usize = all.iter().map(Vec::len).sum();
        self.size.adapt(to - self.at, count);
        Ok(FoundEnds { to, all })
    }
}

/// Returns the record that continues behind an index of the text.
fn open_record(text: &Memory<'_>, to: usize) -> Option<OpenRecord> {
    let is_end = to == text.symbols.len();
    let number = if is_end && !text.is_whole {
        text.records.len().checked_sub(1)?
    } else {
        text.records.partition_point(|range| range.start < to).checked_sub(1)?
    };
    let range = &text.records[number];
    let goes_on = if is_end { !text.is_whole } else { to < range.end };
    let from = if number == 0 { text.from } else { 0 };
    goes_on.then(|| OpenRecord { number, known: from + (to.min(range.end) - range.start) as u64 })
}

/// Moves the end of a slice away from the first `context` symbols of a record, because these are
/// searched together.
fn slice_end(text: &Memory<'_>, wanted_end: usize, context: usize) -> usize {
    let len = text.symbols.len();
    if wanted_end >= len {
        return len;
    }
    let record = text.records.partition_point(|range| range.start < wanted_end).checked_sub(1);
    match record.map(|record| &text.records[record]) {
        Some(range) if wanted_end < range.end && wanted_end - range.start < context => {
            range.end.min(range.start.saturating_add(context)).min(len)
        }
        _ => wanted_end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::texts::coded::CodedSearch;
    use crate::search::{Ends, Search};
    use crate::text::Pattern;
    use fastrand::Rng;

    /// Searches a text in slices of `size` symbols, with pieces of `piece` symbols, and steps of
    /// about `ends` ends.
    fn in_steps(search: &Search<'_>, text: &Memory<'_>, size: usize, piece: u64, ends: usize) -> Vec<Hit> {
        let mut search = CodedSearch::all(&search.patterns, &search.settings, None).unwrap().remove(0).search;
        let size = BlockSize::new(size, size..=size, ends);
        let mut slices = Slices { size, many: 2 * ends, piece, ..Slices::new(&search) };
        let mut hits = Vec::new();
        while !slices.is_done() {
            hits.extend(slices.next(&mut search, text).unwrap());
        }
        hits
    }

    fn sliced(search: &Search<'_>, text: &Memory<'_>, size: usize, piece: u64) -> Vec<Hit> {
        in_steps(search, text, size, piece, ENDS)
    }

    #[test]
    fn hits_do_not_depend_on_slices() {
        let mut random = Rng::with_seed(12);
        for round in 0..400 {
            let sigma = 1 + round % 3;
            let string =
                |random: &mut Rng, len: usize| -> Vec<u8> { (0..len).map(|_| b"ACG"[random.usize(..sigma)]).collect() };
            let symbols = random.usize(..300);
            let symbols = string(&mut random, symbols);
            let mut records = Vec::new();
            let mut start = 0;
            while start < symbols.len() {
                let end = (start + random.usize(1..200)).min(symbols.len());
                records.push(start..end);
                start = end + random.usize(..2);
            }
            let pattern = |random: &mut Rng| {
                let m = random.usize(2..6);
                Pattern::literal(&string(random, m))
            };
            let patterns: Vec<Pattern> = (0..random.usize(1..4)).map(|_| pattern(&mut random)).collect();
            let text = Memory { symbols: &symbols, records: &records, from: 0, is_whole: true };
            for (ends, overlapping) in [(Ends::Best, false), (Ends::Best, true), (Ends::All, false)] {
                let search = Search::many(patterns.clone()).errors(random.u32(..2)).ends(ends).overlapping(overlapping);
                let search = search.both_strands(random.bool());
                let expected = sliced(&search, &text, usize::MAX, u64::MAX);
                assert!(expected.is_sorted());
                let size = random.usize(1..60);
                assert_eq!(sliced(&search, &text, size, u64::MAX), expected, "slices of {size}");
                let piece = random.u64(1..40);
                let pieced = sliced(&search, &text, usize::MAX, piece);
                assert_eq!(sliced(&search, &text, size, piece), pieced, "slices of {size}, pieces of {piece}");
                let step = random.usize(1..9);
                assert_eq!(in_steps(&search, &text, size, piece, step), pieced, "steps of {step} ends");
                assert_eq!(in_steps(&search, &text, usize::MAX, piece, step), pieced, "steps of {step} ends");
                if overlapping || ends == Ends::All {
                    assert_eq!(pieced, expected, "pieces of {piece}");
                    continue;
                }
                for hit in &pieced {
                    let overlaps = |other: &&Hit| {
                        let same = (other.record, other.pattern, other.strand) == (hit.record, hit.pattern, hit.strand);
                        same && other.start < hit.end && hit.start < other.end
                    };
                    assert_eq!(pieced.iter().filter(overlaps).count(), 1, "{hit:?}");
                }
            }
        }
    }
}
