//! A text in codes, a symbol for each character, and the positions of its symbols among its bytes.

use super::codes::Characters;
use super::places::{STEP, SymbolPosition, SymbolPositions};
use super::table::CodeTable;
use super::utf8::{ascii_run, borders, character};
use crate::error::Result;
use crate::memory;
use crate::threads;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// A text coded by [`Characters`].
#[derive(Debug, Clone)]
pub struct Coded<'t> {
    text: &'t [u8],
    symbols: Cow<'t, [u8]>,
    places: SymbolPositions,
    keeps_ascii: bool,
}

impl Characters {
    /// Codes a text. A text in ASCII is not copied (unless
    /// [other characters use its codes](Self::keep_ascii)). Other texts take their codes and some
    /// positions, up to 1.25 bytes a symbol. O(n) on all threads.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) if there is no memory for the codes.
    pub fn code<'t>(&self, text: &'t [u8]) -> Result<Coded<'t>> {
        if self.table.keeps(text) {
            return Ok(Coded::of_bytes(text));
        }
        let CodesWithPlaces { symbols, places } = self.code_all(text)?;
        Ok(Coded { text, symbols: symbols.into(), places, keeps_ascii: self.keep_ascii() })
    }

    /// Returns the codes of a text, and their positions.
    pub(super) fn code_all(&self, text: &[u8]) -> Result<CodesWithPlaces> {
        // The pieces, and the joined text.
        memory::check::<u8>(text.len().saturating_mul(2), "the characters of a text")?;
        let borders = borders(text);
        let stop = threads::stop();
        let code = |piece: &[usize]| {
            stop.check();
            CodedPiece::new(&self.table, &text[piece[0]..piece[1]])
        };
        let pieces: Vec<CodedPiece> = threads::run(|| borders.par_windows(2).map(code).collect());
        let mut symbols = Vec::with_capacity(pieces.iter().map(|piece| piece.symbols.len()).sum());
        let mut known = Vec::with_capacity(pieces.iter().map(|piece| piece.known.len()).sum());
        for (start, piece) in borders.into_iter().zip(pieces) {
            let moved = |place: SymbolPosition| SymbolPosition {
                symbol: symbols.len() + place.symbol,
                byte: start + place.byte,
            };
            known.extend(piece.known.into_iter().map(moved));
            symbols.extend_from_slice(&piece.symbols);
        }
        let places = SymbolPositions { known, ends: SymbolPosition { symbol: symbols.len(), byte: text.len() } };
        if let Some(shared) = &self.shared {
            shared.codes.correct(text, &mut symbols, &places, shared.errors)?;
        }
        Ok(CodesWithPlaces { symbols, places })
    }
}

/// The codes of a text, and their positions among its bytes.
pub(super) struct CodesWithPlaces {
    pub(super) symbols: Vec<u8>,
    pub(super) places: SymbolPositions,
}

/// A piece of a text in codes, and some positions, relative to its start.
struct CodedPiece {
    symbols: Vec<u8>,
    known: Vec<SymbolPosition>,
}

impl CodedPiece {
    fn new(table: &CodeTable, text: &[u8]) -> Self {
        let mut symbols = Vec::with_capacity(text.len());
        let mut known = vec![SymbolPosition::default()];
        let mut at = 0;
        let mut last = 0;
        while at < text.len() {
            let ascii = ascii_run(&text[at..]);
            if ascii >= STEP || symbols.len() - last >= STEP {
                last = symbols.len();
                known.push(SymbolPosition { symbol: last, byte: at });
            }
            let behind = symbols.len();
            symbols.extend_from_slice(&text[at..at + ascii]);
            if !table.keep_ascii() {
                symbols[behind..].iter_mut().for_each(|symbol| *symbol = table.code_of(u32::from(*symbol)));
            }
            at += ascii;
            if ascii >= STEP {
                last = symbols.len();
                known.push(SymbolPosition { symbol: last, byte: at });
            }
            while at < text.len() && text[at] >= 0x80 && symbols.len() - last < STEP {
                let found = character(&text[at..]);
                symbols.push(table.code_of(found.number));
                at += found.bytes;
            }
        }
        Self { symbols, known }
    }
}

impl<'t> Coded<'t> {
    /// Returns a text whose symbols are its bytes.
    pub(super) fn of_bytes(text: &'t [u8]) -> Self {
        Self { text, symbols: text.into(), places: SymbolPositions::default(), keeps_ascii: true }
    }

    /// Returns a code for each character.
    pub fn symbols(&self) -> &[u8] {
        &self.symbols
    }

    /// Returns the bytes of these symbols. O(log n).
    pub fn bytes(&self, symbols: Range<usize>) -> Range<usize> {
        self.places.byte(self.text, symbols.start)..self.places.byte(self.text, symbols.end)
    }

    /// Returns the symbols of parts of the text, which are given in bytes, in order, and contain
    /// whole characters. O(n).
    pub fn symbols_of(&self, bytes: &[Range<usize>]) -> Vec<Range<usize>> {
        self.places.symbols_of(self.text, bytes)
    }

    /// Returns a symbol as a character, or `None` for a byte outside any character.
    pub fn character(&self, symbol: usize) -> Option<char> {
        let rest = self.text.get(self.places.byte(self.text, symbol)..).filter(|rest| !rest.is_empty())?;
        char::from_u32(character(rest).number)
    }

    /// Returns true if each character of ASCII is its own code.
    pub fn keeps_ascii(&self) -> bool {
        self.keeps_ascii
    }

    /// Returns true if the text is its own codes, since it is ASCII: each symbol is then at the
    /// same position as its byte.
    pub fn is_ascii(&self) -> bool {
        self.places.known.is_empty()
    }
}
