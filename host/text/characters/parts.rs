//! A text of characters that comes in parts.

use super::coded::CodesWithPlaces;
use super::codes::Characters;
use super::places::SymbolPositions;
use super::set::OTHER;
use super::utf8::character;
use crate::error::Result;
use crate::text::parts::{Part, Parts};
use std::collections::VecDeque;
use std::ops::Range;

/// Number of symbols of a record whose positions in bytes stay known after later parts are read:
/// more than a search carries over.
const KEPT: u64 = 48 << 20;

/// The parts of a text in codes, with the positions in bytes of the symbols of recent parts. No
/// part ends within a character.
#[derive(Debug)]
pub struct CodedParts<P> {
    parts: P,
    /// `None` if symbols are bytes.
    characters: Option<Characters>,
    /// Positions in recent parts, in order. The parts before the last have symbols of its first
    /// record.
    pieces: VecDeque<Piece>,
    /// First bytes of a character that continues in the next part.
    cut: Vec<u8>,
    /// Record that continues in the next part: its number, and its symbols and bytes so far.
    open: Option<(u64, u64, u64)>,
}

/// Positions of the symbols of a part among its bytes.
#[derive(Debug)]
struct Piece {
    /// Number of its first record.
    first: u64,
    /// Start of each record among its symbols, and end of the last record.
    starts: Vec<usize>,
    /// Symbols and bytes of its first record in the parts before.
    before: (u64, u64),
    /// Bytes of the part; empty if they are its symbols.
    text: Vec<u8>,
    places: SymbolPositions,
}

/// Symbols of a record, located in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Range in bytes, from the start of the record.
    pub range: Range<u64>,
    /// The bytes themselves.
    pub bytes: Vec<u8>,
}

impl<P: Parts> CodedParts<P> {
    /// Codes the parts of a reader by `characters`; without them, symbols are bytes.
    pub fn new(parts: P, characters: Option<Characters>) -> Self {
        Self { parts, characters, pieces: VecDeque::new(), cut: Vec::new(), open: None }
    }

    /// Returns the bytes of symbols of a record, given their codes. Knows the records of the last
    /// part, and about 2^25 symbols before it. `None` for other symbols, and if symbols are bytes.
    pub fn locate(&self, record: usize, symbols: Range<u64>, codes: &[u8]) -> Option<Located> {
        self.characters.as_ref()?;
        let of_record: Vec<Own<'_>> = self.pieces.iter().filter_map(|piece| piece.own(record as u64)).collect();
        let byte = |symbol: u64| Some(of_record.iter().rev().find(|own| own.symbols.start <= symbol)?.byte(symbol));
        if of_record.iter().all(Own::is_bytes) {
            return None;
        }
        let range = byte(symbols.start)?..byte(symbols.end)?;
        let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
        for own in &of_record {
            let part = own.symbols.start.max(symbols.start)..own.symbols.end.min(symbols.end);
            if part.is_empty() {
                continue;
            }
            match own.text(part.clone()) {
                Some(text) => bytes.extend_from_slice(text),
                None => bytes.extend_from_slice(
                    codes.get((part.start - symbols.start) as usize..(part.end - symbols.start) as usize)?,
                ),
            }
        }
        Some(Located { range, bytes })
    }

    /// Returns the reader of the parts.
    pub fn reader_mut(&mut self) -> &mut P {
        &mut self.parts
    }

    /// Returns the offset in bytes of a symbol from the start of its record, as
    /// [`locate`](Self::locate) does.
    pub fn byte(&self, record: usize, symbol: u64) -> Option<u64> {
        if self.characters.is_none() {
            return Some(symbol);
        }
        let mut of_record = self.pieces.iter().rev().filter_map(|piece| piece.own(record as u64));
        Some(of_record.find(|own| own.symbols.start <= symbol)?.byte(symbol))
    }

    /// Codes a part.
    fn code(&mut self, characters: &Characters, mut part: Part) -> Result<Part> {
        let open = self.open.take();
        let continued = part.records.first().filter(|first| first.before > 0);
        let before = match (continued, open) {
            (Some(first), Some((number, symbols, bytes))) if first.number == number => (symbols, bytes),
            (first, _) => first.map_or((0, 0), |first| (first.before, first.before)),
        };
        if let Some(first) = part.records.first().filter(|_| !self.cut.is_empty()) {
            let cut = std::mem::take(&mut self.cut);
            let start = first.range.start;
            part.symbols.splice(start..start, cut.iter().copied());
            for (number, record) in part.records.iter_mut().enumerate() {
                let more = if number == 0 { 0 } else { cut.len() };
                record.range = record.range.start + more..record.range.end + cut.len();
            }
        }
        if let Some(last) =
            part.records.last_mut().filter(|last| !last.is_whole && last.range.end == part.symbols.len())
        {
            let whole = whole_characters(&part.symbols[last.range.clone()]);
            self.cut = part.symbols.split_off(last.range.start + whole);
            last.range.end = part.symbols.len();
        }
        let goes_on = part.records.first().is_some_and(|first| first.before > 0);
        if !goes_on {
            self.pieces.clear();
        }
        let (text, places) = if characters.table.keeps(&part.symbols) {
            (Vec::new(), SymbolPositions::default())
        } else {
            let CodesWithPlaces { symbols, places } = characters.code_all(&part.symbols)?;
            let text = std::mem::replace(&mut part.symbols, symbols);
            let ranges: Vec<Range<usize>> = part.records.iter().map(|record| record.range.clone()).collect();
            for (record, range) in part.records.iter_mut().zip(places.symbols_of(&text, &ranges)) {
                record.range = range;
            }
            (text, places)
        };
        if let Some(first) = part.records.first_mut() {
            first.before = before.0;
            let first = first.number;
            let mut starts: Vec<usize> = part.records.iter().map(|record| record.range.start).collect();
            starts.extend(part.records.last().map(|last| last.range.end));
            self.pieces.push_back(Piece { first, starts, before, text, places });
        }
        if let (Some(last), Some(piece)) = (part.records.last(), self.pieces.back())
            && !last.is_whole
            && let Some(own) = piece.own(last.number)
        {
            self.open = Some((last.number, own.symbols.end, own.byte(own.symbols.end)));
        }
        let longest = characters.longest as u64;
        let kept = before.0.saturating_sub(KEPT + 4 * longest);
        while self.pieces.len() > 1 && self.pieces[1].before.0 <= kept {
            self.pieces.pop_front();
        }
        Ok(part)
    }
}

impl<P: Parts> Parts for CodedParts<P> {
    fn next_part(&mut self) -> Result<Option<Part>> {
        let Some(part) = self.parts.next_part()? else { return Ok(None) };
        let Some(characters) = self.characters.take() else { return Ok(Some(part)) };
        let coded = self.code(&characters, part);
        self.characters = Some(characters);
        coded.map(Some)
    }

    fn recycle(&mut self, symbols: Vec<u8>) {
        self.parts.recycle(symbols);
    }
}

/// Symbols of a record that are in a part.
struct Own<'p> {
    piece: &'p Piece,
    /// Range of the symbols, from the start of the record.
    symbols: Range<u64>,
    /// Start of the symbols among those of the part.
    start: usize,
    /// Number of bytes of the record in the parts before.
    bytes_before: u64,
}

impl Piece {
    fn own(&self, record: u64) -> Option<Own<'_>> {
        let number = usize::try_from(record.checked_sub(self.first)?).ok()?;
        let (&start, &end) = (self.starts.get(number)?, self.starts.get(number + 1)?);
        let (symbols, bytes_before) = if number == 0 { self.before } else { (0, 0) };
        Some(Own { piece: self, symbols: symbols..symbols + (end - start) as u64, start, bytes_before })
    }
}

impl<'p> Own<'p> {
    /// Returns true if the symbols are the bytes of the record, at the same positions.
    fn is_bytes(&self) -> bool {
        self.piece.text.is_empty() && self.symbols.start == self.bytes_before
    }

    /// Returns the start of a symbol among the bytes of the part.
    fn at(&self, symbol: u64) -> usize {
        let Piece { text, places, .. } = self.piece;
        places.byte(text, self.start + (symbol - self.symbols.start) as usize)
    }

    /// Returns the start of a symbol in bytes from the start of the record.
    fn byte(&self, symbol: u64) -> u64 {
        self.bytes_before + (self.at(symbol) - self.at(self.symbols.start)) as u64
    }

    /// Returns the bytes of some symbols; `None` if symbols are bytes.
    fn text(&self, symbols: Range<u64>) -> Option<&'p [u8]> {
        let text = &self.piece.text;
        if text.is_empty() { None } else { text.get(self.at(symbols.start)..self.at(symbols.end)) }
    }
}

/// Returns the length of a text without a truncated character at its end.
fn whole_characters(text: &[u8]) -> usize {
    let least = text.len().saturating_sub(3);
    let begins = (least..text.len()).rev().find(|&at| text[at] & 0xc0 != 0x80);
    let is_cut = |at: &usize| {
        character(&text[*at..]).number == OTHER
            && std::str::from_utf8(&text[*at..]).is_err_and(|fault| fault.error_len().is_none())
    };
    begins.filter(is_cut).unwrap_or(text.len())
}
