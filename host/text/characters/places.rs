//! Positions of the symbols of a text in codes, in symbols and in bytes.

use super::utf8::character;
use crate::threads;
use rayon::prelude::*;
use std::ops::Range;

/// Upper bound on the symbols between two known positions, and lower bound on the bytes of ASCII
/// with positions of their own.
pub(super) const STEP: usize = 64;

/// The position of a symbol.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SymbolPosition {
    /// Number of the symbol.
    pub(super) symbol: usize,
    /// Number of its first byte.
    pub(super) byte: usize,
}

/// Positions of symbols among bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct SymbolPositions {
    /// Some symbols and their bytes, in order, including the first; empty if all symbols are at the
    /// same positions as their bytes. Between two entries, there are equally many bytes and
    /// symbols, or at most about [`STEP`] symbols.
    pub(super) known: Vec<SymbolPosition>,
    /// Numbers of symbols and of bytes.
    pub(super) ends: SymbolPosition,
}

impl SymbolPositions {
    /// Returns the byte where a symbol begins.
    #[inline]
    pub fn byte(&self, text: &[u8], symbol: usize) -> usize {
        let behind = self.known.partition_point(|known| known.symbol <= symbol);
        let Some(from) = behind.checked_sub(1) else { return symbol };
        let mut at = self.known[from];
        let next = self.known.get(behind).copied().unwrap_or(self.ends);
        if next.symbol - at.symbol == next.byte - at.byte {
            return at.byte + (symbol - at.symbol);
        }
        while at.symbol < symbol && at.byte < text.len() {
            at.byte += character(&text[at.byte..]).bytes;
            at.symbol += 1;
        }
        at.byte
    }

    /// Returns the symbols of parts of the text, which are given in bytes, in order, and contain
    /// whole characters.
    pub fn symbols_of(&self, text: &[u8], bytes: &[Range<usize>]) -> Vec<Range<usize>> {
        if self.known.is_empty() {
            return bytes.to_vec();
        }
        let walked = |ranges: &[Range<usize>]| {
            let mut walk = Walk::new(self, text, ranges.first().map_or(0, |range| range.start));
            let range = |range: &Range<usize>| walk.to(range.start)..walk.to(range.end);
            ranges.iter().map(range).collect::<Vec<_>>()
        };
        threads::run(|| bytes.par_chunks(4096).flat_map_iter(walked).collect())
    }
}

/// Moves from position to position, forwards only.
struct Walk<'w> {
    places: &'w SymbolPositions,
    text: &'w [u8],
    /// Index of the next known position.
    next: usize,
    at: SymbolPosition,
}

impl<'w> Walk<'w> {
    /// Starts before a byte.
    fn new(places: &'w SymbolPositions, text: &'w [u8], byte: usize) -> Self {
        let next = places.known.partition_point(|known| known.byte <= byte);
        let at = next.checked_sub(1).map_or(SymbolPosition::default(), |from| places.known[from]);
        Self { places, text, next, at }
    }

    /// Returns the symbol that begins at a byte.
    fn to(&mut self, byte: usize) -> usize {
        let known = &self.places.known;
        if known.is_empty() {
            return byte;
        }
        while let Some(&place) = known.get(self.next).filter(|place| place.byte <= byte) {
            self.at = place;
            self.next += 1;
        }
        let next = known.get(self.next).copied().unwrap_or(self.places.ends);
        if next.symbol - self.at.symbol == next.byte - self.at.byte {
            return self.at.symbol + byte.saturating_sub(self.at.byte);
        }
        while self.at.byte < byte {
            self.at.byte += character(&self.text[self.at.byte..]).bytes;
            self.at.symbol += 1;
        }
        self.at.symbol
    }
}
