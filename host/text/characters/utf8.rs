//! Characters in UTF-8 texts, including texts with invalid bytes.

use super::set::OTHER;
use crate::threads;
use rayon::prelude::*;

/// Number of bytes that a thread takes at a time.
const PIECE: usize = 1 << 18;

/// Returns true if a text is all ASCII. O(n) on all threads.
pub(super) fn is_ascii(text: &[u8]) -> bool {
    if text.len() <= PIECE {
        return text.is_ascii();
    }
    threads::run(|| text.par_chunks(PIECE).all(<[u8]>::is_ascii))
}

/// Returns the borders of pieces of a text; no border is within a character.
pub(super) fn borders(text: &[u8]) -> Vec<usize> {
    let continues = |at: usize| text[at] & 0xc0 == 0x80;
    let mut borders: Vec<usize> = (0..text.len()).step_by(PIECE).collect();
    // With more than three such bytes in a row, the fourth does not belong to a character with the
    // bytes before it.
    let moved = |at: usize| (at..text.len()).take(3).find(|&at| !continues(at)).unwrap_or(text.len().min(at + 3));
    borders.iter_mut().skip(1).for_each(|border| *border = moved(*border));
    borders.push(text.len());
    borders
}

/// Returns the number of ASCII bytes at the start of a text.
#[inline]
pub(super) fn ascii_run(text: &[u8]) -> usize {
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

/// The first character of a text.
#[derive(Clone, Copy)]
pub(super) struct Decoded {
    /// Code point, or [`OTHER`] for a byte that begins no character in UTF-8.
    pub(super) number: u32,
    /// Number of bytes.
    pub(super) bytes: usize,
}

/// Decodes the first character of a text, which is not empty.
#[inline]
pub(super) fn character(text: &[u8]) -> Decoded {
    let next = |at: usize| text.get(at).filter(|&&byte| byte & 0xc0 == 0x80).map(|&byte| u32::from(byte & 0x3f));
    let first = u32::from(text[0]);
    let (found, bytes, least) = match first {
        0..0x80 => return Decoded { number: first, bytes: 1 },
        0xc0..0xe0 => (next(1).map(|b| (first & 0x1f) << 6 | b), 2, 0x80),
        0xe0..0xf0 => (next(1).zip(next(2)).map(|(b, c)| (first & 0xf) << 12 | b << 6 | c), 3, 0x800),
        0xf0..0xf8 => {
            let found = next(1).zip(next(2)).zip(next(3));
            (found.map(|((b, c), d)| (first & 7) << 18 | b << 12 | c << 6 | d), 4, 0x1_0000)
        }
        _ => (None, 1, 0),
    };
    match found {
        Some(found) if found >= least && char::from_u32(found).is_some() => Decoded { number: found, bytes },
        _ => Decoded { number: OTHER, bytes: 1 },
    }
}
