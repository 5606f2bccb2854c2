//! A search for patterns that share codes, and its hits in positions of the text.

use super::words;
use crate::error::Result;
use crate::search::borders::anchor::Anchor;
use crate::search::borders::records::EndRules;
use crate::search::hits::hit::Hit;
use crate::search::hits::lines::LineHits;
use crate::search::prepared::{PreparedSearch, Sought};
use crate::search::resident::{Kept, Source};
use crate::search::settings::Settings;
use crate::text::Text;
use crate::text::characters::{Characters, Coded, PatternGroup, TextPattern};
use std::ops::Range;

/// A search for patterns that share codes.
pub(in crate::search) struct CodedSearch<'p> {
    /// The codes of characters; `None` if symbols are bytes.
    pub characters: Option<Characters>,
    pub search: PreparedSearch<'p>,
}

impl<'p> CodedSearch<'p> {
    /// Makes the searches for patterns, one for each group with its own codes: of the text that
    /// `kept` holds on a device, or of any text.
    pub fn all(all: &[TextPattern], settings: &Settings<'p>, kept: Option<&Kept>) -> Result<Vec<Self>> {
        let allowed = settings.check(all)?;
        let anchors = settings.anchors.of_each(all.len())?;
        let has_borders = settings.overhang.is_some() || anchors.iter().any(|&anchor| anchor != Anchor::Anywhere);
        let of_group = |PatternGroup { mut characters, patterns, numbers }: PatternGroup| {
            let most = numbers.iter().map(|&number| allowed[number].edits()).max().unwrap_or(0);
            if let Some(characters) = &mut characters {
                characters.set_errors(most);
            }
            let sought = |(pattern, number)| {
                let (allowed, anchor) = (allowed[number], anchors[number]);
                let rules = || EndRules { anchor, limits: settings.part_limits(&all[number], allowed) };
                Sought { pattern, number, allowed, at_ends: has_borders.then(rules) }
            };
            let sought = patterns.into_iter().zip(numbers).map(sought).collect();
            Ok(Self { characters, search: PreparedSearch::new(settings, sought, kept)? })
        };
        PatternGroup::from_patterns(all)?.into_iter().map(of_group).collect()
    }

    /// Returns the hits in a text, in order.
    pub fn hits(&mut self, source: &Source<'_>) -> Result<Vec<Hit>> {
        let Self { characters, search } = self;
        search.recorded(|search| {
            let text = source.text();
            let Some(characters) = characters else { return search.hits(text) };
            source.check_codes(characters)?;
            if source.kept().is_some() {
                return search.hits(text);
            }
            let bytes = text.part(0..text.len())?;
            let coded = CodedText::new(characters, &bytes, text.records())?;
            let mut hits = search.hits(&coded.text()?)?;
            if !search.settings.in_characters {
                hits.iter_mut().for_each(|hit| coded.place_in_bytes(hit));
            }
            Ok(hits)
        })
    }

    /// Counts the hits in a text.
    pub fn count(&mut self, source: &Source<'_>) -> Result<u64> {
        let Self { characters, search } = self;
        search.recorded(|search| {
            let text = source.text();
            let Some(characters) = characters else { return search.count(text) };
            source.check_codes(characters)?;
            if source.kept().is_some() {
                return search.count(text);
            }
            let bytes = text.part(0..text.len())?;
            search.count(&CodedText::new(characters, &bytes, text.records())?.text()?)
        })
    }

    /// Returns the hits in the lines of a text, or only the first hit of each line.
    pub fn lines(&mut self, text: &[u8], only_first: bool) -> Result<LineHits> {
        let Self { characters, search } = self;
        search.recorded(|search| {
            let coded = characters.as_ref().map(|characters| characters.code(text)).transpose()?;
            let symbols = coded.as_ref().map_or(text, Coded::symbols);
            let mut found = search.lines(symbols, only_first && !search.settings.whole_words)?;
            if search.settings.whole_words {
                let lines = std::mem::take(&mut found.hits);
                let lines = lines.chunk_by(|one, next| one.record == next.record);
                for hits in lines {
                    let Some(line) = hits.first().and_then(|first| found.lines.get(first.record)) else { continue };
                    let own =
                        words::between(&words::Symbols::new(symbols, coded.as_ref(), &line.symbols), hits, search);
                    found.hits.extend(own.into_iter().take(if only_first { 1 } else { usize::MAX }));
                }
            }
            if let Some(coded) = &coded {
                place_lines_in_bytes(&mut found, coded, !search.settings.in_characters);
            }
            Ok(found)
        })
    }
}

/// A text in codes, whose records consist of whole characters.
struct CodedText<'t> {
    coded: Coded<'t>,
    /// The records in bytes; `None` for a text without records.
    bytes: Option<&'t [Range<usize>]>,
    /// The records in symbols.
    symbols: Vec<Range<usize>>,
}

impl<'t> CodedText<'t> {
    fn new(characters: &Characters, text: &'t [u8], records: Option<&'t [Range<usize>]>) -> Result<Self> {
        let coded = characters.code(text)?;
        let symbols = records.map(|records| coded.symbols_of(records)).unwrap_or_default();
        Ok(Self { coded, bytes: records, symbols })
    }

    fn text(&self) -> Result<Text<'_>> {
        match self.bytes {
            Some(_) => Text::with_records(self.coded.symbols(), &self.symbols),
            None => Ok(self.coded.symbols().into()),
        }
    }

    /// Converts the positions of a hit from symbols to bytes.
    fn place_in_bytes(&self, hit: &mut Hit) {
        let start = self.symbols.get(hit.record).map_or(0, |record| record.start);
        let byte = self.bytes.and_then(|bytes| bytes.get(hit.record)).map_or(0, |record| record.start);
        place_in_bytes(hit, &self.coded, start, byte);
    }
}

/// Converts the positions of a hit from symbols to bytes, in a record that starts at `symbol` and
/// at `byte`.
fn place_in_bytes(hit: &mut Hit, coded: &Coded<'_>, symbol: usize, byte: usize) {
    let bytes = coded.bytes(symbol + hit.start as usize..symbol + hit.end as usize);
    hit.start = bytes.start.saturating_sub(byte) as u64;
    hit.end = bytes.end.saturating_sub(byte) as u64;
}

/// Converts the positions of lines from symbols to bytes, and those of their hits unless they count
/// characters.
fn place_lines_in_bytes(found: &mut LineHits, coded: &Coded<'_>, are_hits_in_bytes: bool) {
    if coded.is_ascii() {
        return;
    }
    let LineHits { lines, hits } = found;
    let bytes: Vec<Range<usize>> = lines.iter().map(|line| coded.bytes(line.symbols.clone())).collect();
    if are_hits_in_bytes {
        for hit in hits {
            place_in_bytes(hit, coded, lines[hit.record].symbols.start, bytes[hit.record].start);
        }
    }
    for (line, bytes) in lines.iter_mut().zip(bytes) {
        line.symbols = bytes;
    }
}
