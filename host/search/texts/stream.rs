//! Hits in a text that comes in parts, as they are found.
//!
//! Patterns of characters may be in several groups with their own codes. Each group has its own
//! search, which reads the text in the group's codes, part by part. A hit is returned once no
//! search can find an earlier one:
//!
//! ```text
//! part       |------------------- searched by all ------------------|
//! group 0        hit      hit                              ▲ undecided from here on
//! group 1                        hit  ▲ undecided from here on
//!                └─ these are returned ┘   the next part decides more
//! ```

use super::coded::CodedSearch;
use super::found::Found;
use super::parts::{PartHits, Position};
use crate::error::Result;
use crate::search::searcher::{Searcher, refuse_words};
use crate::text::parts::{Part, PartRecord, Parts};
use std::collections::VecDeque;

/// Number of symbols that all searches together read at a time.
const SYMBOLS: usize = 1 << 24;
/// Least number of symbols that a search reads at a time.
const FEWEST: usize = 1 << 16;

/// The hits in a text that comes in parts, ordered by record and position. Each hit is returned as
/// soon as no later symbol can change it, so the first ones come before the text is read to its
/// end.
///
/// Memory: up to four of the reader's parts (64 Mi symbols each by default), 160 bytes for each of
/// about 2^17 hits that are searched for at a time, and for each pattern up to 2^16 + 16 (m + k)
/// symbols and 24 bytes for each end in them. With a reader that returns whole records, also the
/// longest record. If a row of neighbouring occurrences spans more than 2^16 symbols and more than
/// 16 (m + k), hits are chosen in pieces of that length.
///
/// ```
/// use carrywave::io::sequence::{PartOptions, PartReader};
/// use carrywave::search::Search;
/// use carrywave::text::Pattern;
///
/// let file = &b">one\nGATT\nACAGG\n>two\nCCGATACA\n"[..];
/// let reader = PartReader::from_reader("a text", file, PartOptions::default())?;
/// let search = Search::new(Pattern::literal(b"GATTACA")).errors(1);
/// let mut hits = search.prepare()?.stream(reader);
/// while let Some(found) = hits.next() {
///     let found = found?;
///     println!("{} {}..{}", found.name().unwrap_or(""), found.hit.start, found.hit.end);
///     // The hit, and the surrounding symbols of the record.
///     let context = found.context();
///     assert_eq!(&context.bytes[context.hit.clone()], found.symbols());
///     assert_eq!(
///         found.record().map(<[u8]>::len),
///         Some(if found.hit.record == 0 { 9 } else { 8 })
///     );
///     // Additional data of lines and of FASTQ records.
///     assert_eq!((found.place(), found.fastq()), (0, None));
///     if hits.waits() {
///         println!("reads on");
///     }
/// }
/// assert_eq!(hits.into_searcher().count(b"GATTACA")?, 1);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[must_use = "an iterator does nothing until it is asked for its items"]
pub struct Hits<'p, P> {
    streams: Vec<Stream<'p, P>>,
    /// The text, if several searches share it.
    shared: Option<Shared<P>>,
    whole_words: bool,
}

/// A text that several searches share.
struct Shared<P> {
    reader: P,
    /// Parts that are not passed to the searches yet.
    parts: VecDeque<Part>,
    /// Number of symbols of a part.
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

/// The hits of one group.
struct Stream<'p, P> {
    hits: PartHits<'p, Feed<P>>,
    /// The first hit that is not returned yet.
    first: Option<Found>,
    /// All hits that are not found yet start at or after this position.
    undecided: Position,
}

impl<'p> Searcher<'p> {
    /// Returns the hits in a text that comes in parts, as they are found: see [`Hits`]. As in the
    /// [example](Hits).
    pub fn stream<P: Parts>(self, parts: P) -> Hits<'p, P> {
        Hits::new(self, parts)
    }
}

impl<'p, P: Parts> Hits<'p, P> {
    fn new(searcher: Searcher<'p>, reader: P) -> Self {
        let Searcher { searches, whole_words } = searcher;
        let mut reader = Some(reader);
        let is_shared = searches.len() != 1;
        let symbols = (SYMBOLS / searches.len().max(1)).max(FEWEST);
        let mut stream = |search: CodedSearch<'p>| {
            let own = if is_shared { None } else { reader.take() };
            let feed = own.map_or_else(|| Feed::Queue(VecDeque::new()), Feed::Reader);
            Stream { hits: PartHits::new(search, feed), first: None, undecided: Position { record: 0, at: 0 } }
        };
        let streams = searches.into_iter().map(&mut stream).collect();
        let shared = reader.map(|reader| Shared { reader, parts: VecDeque::new(), symbols, is_at_end: false });
        Self { streams, shared, whole_words }
    }

    /// Returns true if more of the text must be read for the next hit: a good time to pass on the
    /// results so far. As in the [example](Self).
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

    /// Returns the search, for another text; remaining hits are dropped. As in the [example](Self).
    pub fn into_searcher(self) -> Searcher<'p> {
        let searches = self.streams.into_iter().map(|stream| stream.hits.into_search()).collect();
        Searcher { searches, whole_words: self.whole_words }
    }

    /// Returns the number of the stream with the first of all hits, if no other stream may find an
    /// earlier one.
    fn first(&self) -> Option<usize> {
        let firsts = (0..).zip(&self.streams).filter_map(|(number, stream)| Some((stream.first.as_ref()?.hit, number)));
        let (hit, first) = firsts.min()?;
        let start = Position { record: hit.record, at: hit.start };
        let open = self.streams.iter().filter(|stream| stream.first.is_none() && !stream.hits.is_done());
        open.map(|stream| stream.undecided).all(|undecided| start < undecided).then_some(first)
    }

    /// Returns the next hit of several groups.
    fn next_of_several(&mut self) -> Result<Option<Found>> {
        loop {
            let is_at_end = self.is_at_end();
            for stream in &mut self.streams {
                stream.fill(is_at_end)?;
            }
            if let Some(first) = self.first() {
                return Ok(self.streams[first].first.take());
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
        if let Feed::Queue(parts) = self.hits.reader_mut() {
            parts.push_back(part);
        }
    }

    fn has_part(&mut self) -> bool {
        matches!(self.hits.reader_mut(), Feed::Queue(parts) if !parts.is_empty())
    }

    /// Searches for the first hit in the parts that are read.
    fn fill(&mut self, is_at_end: bool) -> Result<()> {
        while self.first.is_none() && !self.hits.is_done() {
            if let Some(found) = self.hits.pop() {
                self.first = Some(found);
            } else if !self.hits.needs_part() || self.has_part() || is_at_end {
                self.hits.advance()?;
            } else {
                self.undecided = self.hits.undecided().unwrap_or(self.undecided);
                return Ok(());
            }
        }
        Ok(())
    }
}

impl<P: Parts> Iterator for Hits<'_, P> {
    type Item = Result<Found>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.whole_words {
            self.streams.clear();
            self.shared = None;
            self.whole_words = false;
            return Some(Err(refuse_words()));
        }
        if let [stream] = &mut self.streams[..]
            && self.shared.is_none()
        {
            return stream.hits.next();
        }
        let next = self.next_of_several();
        if next.is_err() {
            // An error ends the iteration.
            self.streams.clear();
            self.shared = None;
        }
        next.transpose()
    }
}

impl<P: Parts> Shared<P> {
    /// Returns the next part, of a size that fits all searches.
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

impl<P> std::fmt::Debug for Hits<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hits").field("searches", &self.streams.len()).finish_non_exhaustive()
    }
}
