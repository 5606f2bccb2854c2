//! Hits of several searches in one text, merged: of patterns in [groups](PatternGroup) that have codes of their own.
//!
//! Each search has the text in its own codes, part by part. A hit is returned once no search can find one before it:
//!
//! ```text
//! part       |------------------- searched by all ------------------|
//! group 0        hit      hit                              ▲ undecided from here on
//! group 1                        hit  ▲ undecided from here on
//!                └─ these are returned ┘   the next part decides more
//! ```

use super::find::Search;
use super::hit::Hit;
use super::searcher::Searcher;
use super::stream::{Found, Hits};
use crate::error::Result;
use crate::text::Strand;
use crate::text::characters::{CodedParts, Located, PatternGroup};
use crate::text::parts::{Part, PartRecord, Parts};
use std::collections::VecDeque;

/// Symbols that all searches together take at a time.
const SYMBOLS: usize = 1 << 24;
/// Fewest symbols that a search takes at a time.
const FEWEST: usize = 1 << 16;

/// Gives hits the patterns' numbers among all, and merges them: those of each group, in symbols of the same kind.
pub fn merge<'n>(groups: impl IntoIterator<Item = (Vec<Hit>, &'n [usize])>) -> Vec<Hit> {
    let mut all = Vec::new();
    for (mut hits, numbers) in groups {
        let number = |pattern: usize| numbers.get(pattern).copied().unwrap_or(pattern);
        hits.iter_mut().for_each(|hit| hit.pattern = number(hit.pattern));
        if all.is_empty() {
            all = hits;
        } else {
            all.extend(hits);
        }
    }
    if !all.is_sorted() {
        all.sort_unstable();
    }
    all
}

impl Search<'_> {
    /// The most errors that any pattern may have: what [`PatternGroup::set_errors`] takes.
    ///
    /// # Errors
    /// As [`hits`](Search::hits), for the patterns.
    pub fn most_errors(&self) -> Result<u32> {
        Ok(self.settings.check()?.iter().map(|allowed| allowed.errors).max().unwrap_or(0))
    }
}

/// A hit of one of several searches.
#[derive(Debug, Clone)]
pub struct MergedHit {
    /// The hit, in symbols of its group and with the pattern's number in it.
    pub found: Found,
    /// The number of its group.
    pub group: usize,
    /// The number of its pattern among all.
    pub pattern: usize,
    /// Its bytes, if they are known already.
    located: Option<Located>,
}

/// The hits of several searches in a text that comes in parts, in order of records, bytes and patterns, as they are found. Those of one search are
/// the ones of [`Hits`], in the same time and memory; several searches need as much together as one for each group, with parts of at most 16 Mi
/// symbols for all of them, or one record.
///
/// ```
/// use carrywave::io::sequence::{PartOptions, PartReader};
/// use carrywave::search::{MergedHits, Search};
/// use carrywave::text::Pattern;
/// use carrywave::text::characters::{CharacterPattern, PatternGroup, TextPattern};
///
/// // One pattern of characters, and one that is no UTF-8.
/// let patterns = [
///     TextPattern::Characters(CharacterPattern::literal("Muller", false)),
///     TextPattern::Bytes(Pattern::literal(b"M\xf6ller")),
/// ];
/// let groups = PatternGroup::of(&patterns)?;
/// let prepare = |group: &PatternGroup| Search::many(group.patterns.clone()).errors(1).prepare();
/// let searchers = groups.iter().map(prepare).collect::<Result<_, _>>()?;
/// let text = "Herr Müller\nFrau Muller\n".as_bytes();
/// let reader = PartReader::from_reader("a text", text, PartOptions::default())?;
/// let mut hits = MergedHits::new(&groups, searchers, reader);
/// let mut found = Vec::new();
/// while let Some(hit) = hits.next() {
///     let hit = hit?;
///     found.push((hit.found.hit.record, hit.pattern, hit.found.hit.errors));
/// }
/// assert_eq!(found, [(0, 0, 1), (1, 0, 0), (1, 1, 1)]);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub struct MergedHits<'p, P> {
    streams: Vec<Stream<'p, P>>,
    /// The text, where several searches have it.
    shared: Option<Shared<P>>,
}

/// A text that several searches have.
struct Shared<P> {
    reader: P,
    /// Parts that no search has yet.
    parts: VecDeque<Part>,
    /// Symbols of a part.
    symbols: usize,
    is_at_end: bool,
}

/// The source of a search's parts.
enum Feed<P> {
    Reader(P),
    Queue(VecDeque<Part>),
}

impl<P: Parts> Parts for Feed<P> {
    fn next_part(&mut self) -> Result<Option<Part>> {
        match self {
            Self::Reader(reader) => reader.next_part(),
            Self::Queue(parts) => Ok(parts.pop_front()),
        }
    }

    fn recycle(&mut self, symbols: Vec<u8>) {
        if let Self::Reader(reader) = self {
            reader.recycle(symbols);
        }
    }
}

/// A record and a byte in it.
type Place = (usize, u64);

/// The order of hits; places are bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    start: Place,
    end: u64,
    pattern: usize,
    strand: Strand,
}

/// The hits of one group.
struct Stream<'p, P> {
    hits: Hits<'p, CodedParts<Feed<P>>>,
    numbers: Vec<usize>,
    /// The first hit that was not returned.
    first: Option<(Key, MergedHit)>,
    /// No hit that is not found yet begins before it.
    undecided: Place,
}

impl<'p, P: Parts> MergedHits<'p, P> {
    /// The hits of these groups' searches, in the same order. Without a group there is no hit.
    pub fn new(groups: &[PatternGroup], searchers: Vec<Searcher<'p>>, reader: P) -> Self {
        let mut reader = Some(reader);
        let is_shared = searchers.len() != 1;
        let symbols = (SYMBOLS / searchers.len().max(1)).max(FEWEST);
        let mut stream = |(group, searcher): (&PatternGroup, Searcher<'p>)| {
            let own = if is_shared { None } else { reader.take() };
            let feed = own.map_or_else(|| Feed::Queue(VecDeque::new()), Feed::Reader);
            let hits = searcher.stream(CodedParts::new(feed, group.characters.clone()));
            Stream { hits, numbers: group.numbers.clone(), first: None, undecided: (0, 0) }
        };
        let streams = groups.iter().zip(searchers).map(&mut stream).collect();
        let shared = reader.map(|reader| Shared { reader, parts: VecDeque::new(), symbols, is_at_end: false });
        Self { streams, shared }
    }

    /// The bytes that a hit covers: those of [`CodedParts::locate`], for the last hit that was returned.
    pub fn locate(&self, hit: &mut MergedHit) -> Option<Located> {
        hit.located.take().or_else(|| self.streams.get(hit.group)?.locate(&hit.found))
    }

    /// Returns true if more of the text must be read for the next hit: a good time to hand on what was made of those before.
    pub fn waits(&self) -> bool {
        match &self.streams[..] {
            [stream] if self.shared.is_none() => stream.hits.waits(),
            streams => {
                let is_out = |stream: &Stream<'_, P>| stream.first.is_none() && stream.hits.waits();
                streams.iter().all(is_out) && !self.is_at_end()
            }
        }
    }

    fn is_at_end(&self) -> bool {
        self.shared.as_ref().is_none_or(|shared| shared.is_at_end && shared.parts.is_empty())
    }

    /// The searches again, for another text; hits that were not asked for are dropped.
    pub fn into_searchers(self) -> Vec<Searcher<'p>> {
        self.streams.into_iter().map(|stream| stream.hits.into_searcher()).collect()
    }

    /// The number of the stream whose first hit is the first of all, if no other stream may find one before it.
    fn first(&self) -> Option<usize> {
        let firsts = (0..).zip(&self.streams).filter_map(|(number, stream)| Some((stream.first.as_ref()?.0, number)));
        let (key, first) = firsts.min()?;
        let open = self.streams.iter().filter(|stream| stream.first.is_none() && !stream.hits.is_done());
        open.map(|stream| stream.undecided).all(|undecided| key.start < undecided).then_some(first)
    }

    /// The next hit of several groups.
    fn next_of_several(&mut self) -> Result<Option<MergedHit>> {
        loop {
            let is_at_end = self.is_at_end();
            for (group, stream) in self.streams.iter_mut().enumerate() {
                stream.fill(group, is_at_end)?;
            }
            if let Some(first) = self.first() {
                return Ok(self.streams[first].first.take().map(|(_, hit)| hit));
            }
            let Some(shared) = self.shared.as_mut().filter(|_| !is_at_end) else { return Ok(None) };
            if let Some(part) = shared.next()? {
                self.streams.iter_mut().for_each(|stream| stream.push(part.clone()));
            }
        }
    }
}

impl<P: Parts> Stream<'_, P> {
    fn push(&mut self, part: Part) {
        if let Feed::Queue(parts) = self.hits.parts_mut().reader_mut() {
            parts.push_back(part);
        }
    }

    fn has_part(&mut self) -> bool {
        matches!(self.hits.parts_mut().reader_mut(), Feed::Queue(parts) if !parts.is_empty())
    }

    /// Searches for the first hit, in the parts that were read.
    fn fill(&mut self, group: usize, is_at_end: bool) -> Result<()> {
        while self.first.is_none() && !self.hits.is_done() {
            if let Some(found) = self.hits.pop() {
                let located = self.locate(&found);
                let Hit { record, start, end, strand, .. } = found.hit;
                let bytes = located.as_ref().map_or(start..end, |located| located.range.clone());
                let pattern = self.number(&found);
                let key = Key { start: (record, bytes.start), end: bytes.end, pattern, strand };
                self.first = Some((key, MergedHit { found, group, pattern, located }));
            } else if !self.hits.needs_part() || self.has_part() || is_at_end {
                self.hits.advance()?;
            } else {
                if let Some((record, symbol)) = self.hits.undecided()
                    && let Some(byte) = self.hits.parts().byte(record, symbol)
                {
                    self.undecided = (record, byte);
                }
                return Ok(());
            }
        }
        Ok(())
    }

    fn number(&self, found: &Found) -> usize {
        self.numbers.get(found.hit.pattern).copied().unwrap_or(found.hit.pattern)
    }

    fn locate(&self, found: &Found) -> Option<Located> {
        self.hits.parts().locate(found.hit.record, found.hit.start..found.hit.end, found.symbols())
    }
}

impl<P: Parts> Iterator for MergedHits<'_, P> {
    type Item = Result<MergedHit>;

    fn next(&mut self) -> Option<Self::Item> {
        if let [stream] = &mut self.streams[..]
            && self.shared.is_none()
        {
            let found = stream.hits.next()?;
            return Some(found.map(|found| MergedHit {
                pattern: stream.number(&found),
                found,
                group: 0,
                located: None,
            }));
        }
        let next = self.next_of_several();
        if next.is_err() {
            // Nothing comes behind an error.
            self.streams.clear();
            self.shared = None;
        }
        next.transpose()
    }
}

impl<P: Parts> Shared<P> {
    /// The next part, of a size that all searches can have it.
    fn next(&mut self) -> Result<Option<Part>> {
        if self.parts.is_empty() {
            match self.reader.next_part()? {
                Some(part) => self.parts.extend(split(part, self.symbols)),
                None => self.is_at_end = true,
            }
        }
        Ok(self.parts.pop_front())
    }
}

/// Splits a part between records, into pieces of about `symbols` symbols.
fn split(part: Part, symbols: usize) -> Vec<Part> {
    let mut pieces = Vec::new();
    let Part { symbols: all, records } = part;
    if all.len() <= symbols {
        return vec![Part { symbols: all, records }];
    }
    let mut own: Vec<PartRecord> = Vec::new();
    let mut start = 0;
    let mut records = records.into_iter().peekable();
    while let Some(record) = records.next() {
        let end = record.range.end;
        own.push(PartRecord { range: record.range.start - start..end - start, ..record });
        let behind = records.peek().map_or(all.len(), |next| next.range.start);
        if behind - start >= symbols || records.peek().is_none() {
            pieces.push(Part { symbols: all[start..behind].to_vec(), records: std::mem::take(&mut own) });
            start = behind;
        }
    }
    pieces
}

impl<P> std::fmt::Debug for MergedHits<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MergedHits").field("groups", &self.streams.len()).finish_non_exhaustive()
    }
}
