//! Places of a read that may have a piece of an adapter, by five symbols at every few places.

use super::alignment::Aligner;
use std::ops::Range;

/// Symbols of a gram, two bits each.
const LEN: usize = 5;
/// Shortest distance of the places that is faster than to look at all.
const NEAREST: usize = 3;

/// The grams of some pieces. Two bits tell A, C, G and T apart, in either case; U is as T. A piece
/// of `stride` + 4 symbols has a whole gram at one of any places that are `stride` apart.
#[derive(Debug, Clone)]
pub(super) struct Grams {
    /// True for the grams of the pieces.
    is_in: Box<[bool; 1 << (2 * LEN)]>,
    stride: usize,
    /// Length of the longest piece.
    longest: usize,
}

/// Returns two bits of a symbol.
fn code(symbol: u8) -> usize {
    usize::from(symbol >> 1 & 3)
}

/// Returns the gram at the start of eight symbols.
#[inline(always)]
fn gram(symbols: [u8; 8]) -> usize {
    let word = u64::from_le_bytes(symbols) >> 1;
    // The product has the pairs of bits of four symbols side by side in its highest byte.
    let four = (word as u32 & 0x0303_0303).wrapping_mul(1 << 24 | 1 << 18 | 1 << 12 | 1 << 6) >> 24;
    four as usize | ((word >> 32 & 3) as usize) << 8
}

impl Grams {
    /// Returns the grams of pieces of an adapter, by their positions; `None` if the pieces are too
    /// short, or a position matches symbols with different bits, as N does.
    pub fn new(aligner: &Aligner, pieces: &[Range<usize>]) -> Option<Self> {
        let shortest = pieces.iter().map(Range::len).min()?;
        let longest = pieces.iter().map(Range::len).max()?;
        let stride = shortest.checked_sub(LEN - 1).filter(|stride| *stride >= NEAREST)?;
        let mut is_in = Box::new([false; 1 << (2 * LEN)]);
        for piece in pieces {
            let codes: Vec<usize> = piece.clone().map(|position| code_of(aligner, position)).collect::<Option<_>>()?;
            for gram in codes.windows(LEN).take(stride) {
                is_in[gram.iter().rev().fold(0, |bits, code| bits << 2 | code)] = true;
            }
        }
        Some(Self { is_in, stride, longest })
    }

    /// Calls `take` with the parts of the symbols that may have a piece; each piece is whole in one
    /// of them. O(n).
    pub fn parts(&self, symbols: &[u8], mut take: impl FnMut(Range<usize>)) {
        let mut look = |at: usize, word: [u8; 8]| {
            if self.is_in[gram(word)] {
                take((at + 1).saturating_sub(self.stride)..(at + self.longest).min(symbols.len()));
            }
        };
        let mut at = 0;
        while let Some(word) = symbols[at..].first_chunk() {
            look(at, *word);
            at += self.stride;
            if at > symbols.len() {
                return;
            }
        }
        while let Some(rest) = symbols.get(at..).filter(|rest| rest.len() >= LEN) {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            look(at, word);
            at += self.stride;
        }
    }
}

/// Returns the bits of the symbols that a position of the adapter matches.
fn code_of(aligner: &Aligner, position: usize) -> Option<usize> {
    let mut codes = (0..=255).filter(|symbol| aligner.matches(position, *symbol)).map(code);
    let first = codes.next()?;
    codes.all(|code| code == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::super::adapter::{Adapter, AdapterEnd, Kind};
    use super::super::tolerance::AdapterSettings;
    use super::*;

    fn aligner(adapter: &str) -> Aligner {
        let adapter = Adapter::parse(adapter, AdapterEnd::ThreePrime, &AdapterSettings::default()).unwrap();
        let Kind::Single(single) = &adapter.kind else { panic!("{adapter:?}") };
        single.finder.aligner.clone()
    }

    #[test]
    fn no_piece_is_missed() {
        let mut random = fastrand::Rng::with_seed(1);
        let adapter = "GATTACAGGCTTAACCGTAGACTC";
        let aligner = aligner(adapter);
        let mut places = 0;
        for _ in 0..3000 {
            let start = random.usize(0..8);
            let pieces = [start..start + random.usize(7..=9), 15..24];
            let grams = Grams::new(&aligner, &pieces).unwrap();
            let mut symbols: Vec<u8> = (0..random.usize(0..60)).map(|_| b"ACGTacgtN\r"[random.usize(0..10)]).collect();
            symbols.extend_from_slice(&adapter.as_bytes()[random.usize(0..24)..]);
            symbols.extend((0..random.usize(0..60)).map(|_| b"ACGTacgtN\r"[random.usize(0..10)]));
            let mut parts = Vec::new();
            grams.parts(&symbols, |part| parts.push(part));
            for piece in &pieces {
                for start in 0..(symbols.len() + 1).saturating_sub(piece.len()) {
                    let end = start + piece.len();
                    let own = symbols[start..end].iter().zip(piece.clone());
                    let is_piece = own.into_iter().all(|(symbol, position)| aligner.matches(position, *symbol));
                    let is_in_part = parts.iter().any(|part| part.start <= start && end <= part.end);
                    assert!(is_in_part || !is_piece, "{piece:?} {start} {parts:?}");
                }
            }
            places += parts.len();
        }
        assert!((3000..9000).contains(&places), "{places}");
    }

    #[test]
    fn codes_and_short_pieces_have_no_grams() {
        let aligner = aligner("GATNACAGGCTTAACCGT");
        let has_grams = |pieces: &[Range<usize>]| Grams::new(&aligner, pieces).is_some();
        let [behind_n, with_n, short] = [4..11, 3..10, 11..17];
        assert!(has_grams(std::slice::from_ref(&behind_n)));
        assert!(!has_grams(std::slice::from_ref(&with_n)));
        assert!(!has_grams(&[behind_n, short]));
    }
}
