//! The symbols that occur in a text.

use super::vector::by_vectors;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

/// Lower bound on the symbols that a thread takes at a time.
pub(crate) const PIECE: usize = 1 << 16;

/// Upper bound on the symbols for a single thread: waking others takes as long as reading these.
pub(crate) const ALONE: usize = 1 << 18;

/// Number of symbols that [`Few`] has room for.
const FEW: usize = 8;

/// Symbols that are looked for together.
const BLOCK: usize = 1 << 10;

/// A few different symbols. Comparing with each of them takes fewer instructions than a table,
/// because the compiler makes vectors of these loops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Few([u8; FEW]);

impl Few {
    /// Returns the symbols that occur, the first several times, or `None` if they are too many.
    pub(crate) fn of(occurs: &[bool; 256]) -> Option<Self> {
        let mut symbols = (0..=255u8).filter(|&symbol| occurs[usize::from(symbol)]);
        let first = symbols.next()?;
        let few = Self(std::array::from_fn(|slot| if slot == 0 { first } else { symbols.next().unwrap_or(first) }));
        symbols.next().is_none().then_some(few)
    }

    /// Returns true if a text has no other symbols.
    #[inline(always)]
    fn cover(&self, text: &[u8]) -> bool {
        let others = |&symbol: &u8| self.0.iter().fold(1, |other, &own| other & u8::from(symbol != own));
        text.iter().map(others).fold(0, |any, other| any | other) == 0
    }

    /// Appends the codes of a text that has no other symbols.
    pub(crate) fn encode(&self, codes: &[u8; 256], text: &[u8], out: &mut Vec<u8>) {
        let own = self.0.map(|symbol| (symbol, codes[usize::from(symbol)]));
        let start = out.len();
        out.resize(start + text.len(), 0);
        let out = &mut out[start..];
        by_vectors(
            #[inline(always)]
            || {
                for (out, &symbol) in out.iter_mut().zip(text) {
                    *out = own.iter().fold(0, |all, &(one, code)| all | if symbol == one { code } else { 0 });
                }
            },
        );
    }
}

/// Returns the symbols that occur in a text.
pub(crate) fn occurring(text: &[u8]) -> [bool; 256] {
    let of_piece = |piece: &[u8]| {
        let mut occurs = [false; 256];
        let Some(&first) = piece.first() else { return occurs };
        occurs[usize::from(first)] = true;
        // `None` once there are more.
        let mut few = Few::of(&occurs);
        for block in piece.chunks(BLOCK) {
            let is_covered = few.is_some_and(|few| {
                by_vectors(
                    #[inline(always)]
                    || few.cover(block),
                )
            });
            if is_covered {
                continue;
            }
            for &symbol in block {
                occurs[usize::from(symbol)] = true;
            }
            few = few.and_then(|_| Few::of(&occurs));
        }
        occurs
    };
    if text.len() <= ALONE {
        return of_piece(text);
    }
    let either = |a: [bool; 256], b: [bool; 256]| std::array::from_fn(|symbol| a[symbol] || b[symbol]);
    text.par_chunks(PIECE).map(of_piece).reduce(|| [false; 256], either)
}

/// Returns the number of different symbols of the shorter of two texts, which is read faster.
pub(crate) fn symbols_of_shorter(a: &[u8], b: &[u8]) -> usize {
    let shorter = if a.len() < b.len() { a } else { b };
    occurring(shorter).into_iter().filter(|&occurs| occurs).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn occurring_symbols_are_those_of_a_set() {
        for kinds in [1, 2, 7, 8, 9, 30] {
            for len in [1, 7, BLOCK, 3 * BLOCK + 11, ALONE + PIECE + 3] {
                let mut text: Vec<u8> = (0..len).map(|place| b'A' + (place * 7 / 3 % kinds) as u8).collect();
                // A symbol that occurs once, late.
                text[len - 1] = b'z';
                let expected: BTreeSet<u8> = text.iter().copied().collect();
                let found = occurring(&text);
                assert!((0..=255u8).all(|symbol| found[usize::from(symbol)] == expected.contains(&symbol)));
            }
        }
        assert_eq!(occurring(b""), [false; 256]);
    }
}
