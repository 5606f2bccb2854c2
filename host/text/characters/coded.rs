//! A text in codes, a symbol for each character, and where its symbols are among its bytes.

use super::Characters;
use super::set::OTHER;
use crate::error::Result;
use crate::memory;
use crate::threads;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// Bytes that a thread takes at a time.
const PIECE: usize = 1 << 18;
/// Symbols between two places that are known, and bytes of ASCII for which there is one.
const STEP: usize = 64;

/// A symbol's number, and that of the byte where it begins.
type Place = (usize, usize);

/// A text as [`Characters`] code it.
#[derive(Debug, Clone)]
pub struct Coded<'t> {
    text: &'t [u8],
    symbols: Cow<'t, [u8]>,
    places: Places,
    keeps_ascii: bool,
}

impl Characters {
    /// A text in codes; one in ASCII as it is (unless [other characters have codes of it](Self::keep_ascii)), and not copied. O(n) on all threads; of another one the codes, and some places: up to 1.25 bytes a
    /// symbol.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) if there is no memory for the codes.
    pub fn code<'t>(&self, text: &'t [u8]) -> Result<Coded<'t>> {
        if self.keeps(text) {
            return Ok(Coded::of_bytes(text));
        }
        let (symbols, places) = self.code_all(text)?;
        Ok(Coded { text, symbols: symbols.into(), places, keeps_ascii: self.keep_ascii() })
    }

    /// The codes of a text, and where they are.
    pub(super) fn code_all(&self, text: &[u8]) -> Result<(Vec<u8>, Places)> {
        // Pieces, and all of them together.
        memory::check::<u8>(text.len().saturating_mul(2), "the characters of a text")?;
        let borders = borders(text);
        let stop = threads::stop();
        let code = |piece: &[usize]| {
            stop.check();
            self.code_piece(&text[piece[0]..piece[1]])
        };
        let pieces: Vec<(Vec<u8>, Vec<Place>)> = threads::run(|| borders.par_windows(2).map(code).collect());
        let mut symbols = Vec::with_capacity(pieces.iter().map(|(symbols, _)| symbols.len()).sum());
        let mut known = Vec::with_capacity(pieces.iter().map(|(_, known)| known.len()).sum());
        for (start, (piece, places)) in borders.into_iter().zip(pieces) {
            known.extend(places.into_iter().map(|(symbol, byte)| (symbols.len() + symbol, start + byte)));
            symbols.extend_from_slice(&piece);
        }
        let places = Places { known, ends: (symbols.len(), text.len()) };
        if let Some(shared) = &self.shared {
            shared.codes.correct(text, &mut symbols, &places, shared.errors)?;
        }
        Ok((symbols, places))
    }

    fn code_piece(&self, text: &[u8]) -> (Vec<u8>, Vec<Place>) {
        let mut symbols = Vec::with_capacity(text.len());
        let mut known = vec![(0, 0)];
        let (mut at, mut last) = (0, 0);
        while at < text.len() {
            let ascii = ascii_run(&text[at..]);
            if ascii >= STEP || symbols.len() - last >= STEP {
                last = symbols.len();
                known.push((last, at));
            }
            let behind = symbols.len();
            symbols.extend_from_slice(&text[at..at + ascii]);
            if !self.keep_ascii() {
                symbols[behind..].iter_mut().for_each(|symbol| *symbol = self.code_of(u32::from(*symbol)));
            }
            at += ascii;
            if ascii >= STEP {
                last = symbols.len();
                known.push((last, at));
            }
            while at < text.len() && text[at] >= 0x80 && symbols.len() - last < STEP {
                let (character, bytes) = character(&text[at..]);
                symbols.push(self.code_of(character));
                at += bytes;
            }
        }
        (symbols, known)
    }
}

impl<'t> Coded<'t> {
    /// A text whose symbols are its bytes.
    pub(super) fn of_bytes(text: &'t [u8]) -> Self {
        Self { text, symbols: text.into(), places: Places::default(), keeps_ascii: true }
    }

    /// A code for each character.
    pub fn symbols(&self) -> &[u8] {
        &self.symbols
    }

    /// Returns the codes without a copy.
    pub fn into_symbols(self) -> Cow<'t, [u8]> {
        self.symbols
    }

    /// The bytes of these symbols. O(log n).
    pub fn bytes(&self, symbols: Range<usize>) -> Range<usize> {
        self.places.byte(self.text, symbols.start)..self.places.byte(self.text, symbols.end)
    }

    /// The symbols of parts of the text that are whole characters and are given in order, each in bytes. O(n).
    pub fn symbols_of(&self, bytes: &[Range<usize>]) -> Vec<Range<usize>> {
        self.places.symbols_of(self.text, bytes)
    }

    /// A symbol as a character; none if it is a byte that is no part of one.
    pub fn character(&self, symbol: usize) -> Option<char> {
        let rest = self.text.get(self.places.byte(self.text, symbol)..).filter(|rest| !rest.is_empty())?;
        char::from_u32(character(rest).0)
    }

    /// Returns true if each character of ASCII is its own code.
    pub fn keeps_ascii(&self) -> bool {
        self.keeps_ascii
    }

    /// Returns true if the text is its own codes, since it is ASCII: then every symbol is at the same place as a byte.
    pub fn is_ascii(&self) -> bool {
        self.places.known.is_empty()
    }
}

/// Where symbols are among bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    /// Some symbols and their bytes, in order, with the first; none if all are at the same places. Between two are as many bytes as symbols, or no
    /// more than some [`STEP`] of them.
    known: Vec<Place>,
    /// How many symbols and bytes there are.
    ends: Place,
}

impl Places {
    /// The byte where a symbol begins.
    pub fn byte(&self, text: &[u8], symbol: usize) -> usize {
        let behind = self.known.partition_point(|&(known, _)| known <= symbol);
        let Some(from) = behind.checked_sub(1) else { return symbol };
        let (mut at, mut byte) = self.known[from];
        let (next, next_byte) = self.known.get(behind).copied().unwrap_or(self.ends);
        if next - at == next_byte - byte {
            return byte + (symbol - at);
        }
        while at < symbol && byte < text.len() {
            byte += character(&text[byte..]).1;
            at += 1;
        }
        byte
    }

    pub fn symbols_of(&self, text: &[u8], bytes: &[Range<usize>]) -> Vec<Range<usize>> {
        if self.known.is_empty() {
            return bytes.to_vec();
        }
        let of = |ranges: &[Range<usize>]| {
            let mut walk = Walk::new(self, text, ranges.first().map_or(0, |range| range.start));
            let range = |range: &Range<usize>| walk.to(range.start)..walk.to(range.end);
            ranges.iter().map(range).collect::<Vec<_>>()
        };
        threads::run(|| bytes.par_chunks(4096).flat_map_iter(of).collect())
    }
}

/// Goes from place to place, onwards only.
struct Walk<'w> {
    places: &'w Places,
    text: &'w [u8],
    /// The place that is known and comes next.
    next: usize,
    symbol: usize,
    byte: usize,
}

impl<'w> Walk<'w> {
    /// Begins before a byte.
    fn new(places: &'w Places, text: &'w [u8], byte: usize) -> Self {
        let next = places.known.partition_point(|&(_, known)| known <= byte);
        let (symbol, at) = next.checked_sub(1).map_or((0, 0), |from| places.known[from]);
        Self { places, text, next, symbol, byte: at }
    }

    /// The symbol that begins at a byte.
    fn to(&mut self, byte: usize) -> usize {
        let known = &self.places.known;
        if known.is_empty() {
            return byte;
        }
        while let Some(&(symbol, at)) = known.get(self.next).filter(|&&(_, at)| at <= byte) {
            (self.symbol, self.byte, self.next) = (symbol, at, self.next + 1);
        }
        let (next, next_byte) = known.get(self.next).copied().unwrap_or(self.places.ends);
        if next - self.symbol == next_byte - self.byte {
            return self.symbol + byte.saturating_sub(self.byte);
        }
        while self.byte < byte {
            self.byte += character(&self.text[self.byte..]).1;
            self.symbol += 1;
        }
        self.symbol
    }
}

/// Whether a text is all ASCII: O(n) on all threads.
pub(super) fn is_ascii(text: &[u8]) -> bool {
    if text.len() <= PIECE {
        return text.is_ascii();
    }
    threads::run(|| text.par_chunks(PIECE).all(<[u8]>::is_ascii))
}

/// Where pieces of a text begin and end, none within a character.
fn borders(text: &[u8]) -> Vec<usize> {
    let continues = |at: usize| text[at] & 0xc0 == 0x80;
    let mut borders: Vec<usize> = (0..text.len()).step_by(PIECE).collect();
    // Of more than three such bytes one after the other the fourth is in no character with what is before them.
    let moved = |at: usize| (at..text.len()).take(3).find(|&at| !continues(at)).unwrap_or(text.len().min(at + 3));
    borders.iter_mut().skip(1).for_each(|border| *border = moved(*border));
    borders.push(text.len());
    borders
}

/// Bytes of ASCII that a text begins with.
#[inline]
fn ascii_run(text: &[u8]) -> usize {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut at = 0;
    for eight in text.chunks_exact(8) {
        let word = eight.try_into().map_or(HIGH, u64::from_le_bytes) & HIGH;
        if word != 0 {
            return at + word.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + text[at..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// The character that a text begins with, or [`OTHER`] where its first byte does not begin one in UTF-8; and its bytes. The text is not empty.
#[inline]
pub(super) fn character(text: &[u8]) -> (u32, usize) {
    let next = |at: usize| text.get(at).filter(|&&byte| byte & 0xc0 == 0x80).map(|&byte| u32::from(byte & 0x3f));
    let first = u32::from(text[0]);
    let (found, bytes, least) = match first {
        0..0x80 => return (first, 1),
        0xc0..0xe0 => (next(1).map(|b| (first & 0x1f) << 6 | b), 2, 0x80),
        0xe0..0xf0 => (next(1).zip(next(2)).map(|(b, c)| (first & 0xf) << 12 | b << 6 | c), 3, 0x800),
        0xf0..0xf8 => {
            let found = next(1).zip(next(2)).zip(next(3));
            (found.map(|((b, c), d)| (first & 7) << 18 | b << 12 | c << 6 | d), 4, 0x1_0000)
        }
        _ => (None, 1, 0),
    };
    match found {
        Some(found) if found >= least && char::from_u32(found).is_some() => (found, bytes),
        _ => (OTHER, 1),
    }
}
