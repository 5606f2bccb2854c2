//! The windows of a pattern: the parts of a text that contain all its occurrences, computed from
//! the positions of its q-grams.

use super::costs::{BESIDE, Partner};
use super::index::{Index, Piece};
use crate::error::Result;
use crate::memory;
use rayon::prelude::*;

/// Number of zero codes before and after a text's codes.
const PAD: usize = 8;

/// Number of symbols that a thread scans at a time.
pub const TASK: usize = 256 << 10;

/// The positions of each q-gram in a text, in order.
pub struct GramPositions<'t> {
    pub text: &'t [u8],
    /// The lowest byte of each symbol's code, with [`PAD`] zeros before and after.
    pub codes: Vec<u8>,
    /// For each q-gram, the index of its first position in `positions`; then the end of the last
    /// q-gram's positions.
    pub starts: Vec<u32>,
    pub positions: Vec<u32>,
}

impl<'t> GramPositions<'t> {
    /// Sorts pairs of one of `count` q-grams and its position by q-gram, with a counting sort. The
    /// pairs of each q-gram must be in order.
    pub fn new(text: &'t [u8], codes: &[u16; 256], found: &[Vec<(u32, u32)>], count: usize) -> Result<Self> {
        let what = "the places of q-grams";
        let low = codes.map(|code| code as u8);
        let mut codes = memory::filled(text.len() + 2 * PAD, 0u8, what)?;
        let own = codes[PAD..][..text.len()].par_chunks_mut(TASK).zip(text.par_chunks(TASK));
        own.for_each(|(codes, text)| {
            codes.iter_mut().zip(text).for_each(|(code, symbol)| *code = low[usize::from(*symbol)]);
        });
        let total = found.iter().map(Vec::len).sum();
        let mut positions = memory::filled(total, 0, what)?;
        // Shifted by two entries: the counts first, then the index of the next position, and
        // finally the start of each q-gram.
        let mut starts = memory::filled(count + 2, 0u32, what)?;
        for (gram, _) in found.iter().flatten() {
            starts[*gram as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        for &(gram, start) in found.iter().flatten() {
            let next = &mut starts[gram as usize + 1];
            positions[*next as usize] = start;
            *next += 1;
        }
        Ok(Self { text, codes, starts, positions })
    }

    /// Returns the codes of the eight symbols from a position on.
    #[inline(always)]
    pub fn after(&self, start: usize) -> u64 {
        self.codes.get(start + PAD..).and_then(<[u8]>::first_chunk).map_or(0, |eight| u64::from_le_bytes(*eight))
    }

    /// Returns the codes of the eight symbols before a position, the last first.
    #[inline(always)]
    pub fn before(&self, start: usize) -> u64 {
        self.codes.get(start..).and_then(<[u8]>::first_chunk).map_or(0, |eight| u64::from_be_bytes(*eight))
    }

    pub fn starts_of(&self, gram: u32) -> &[u32] {
        &self.positions[self.starts[gram as usize] as usize..self.starts[gram as usize + 1] as usize]
    }
}

/// Returns the partner of a piece, or `None` if it has none: the first and the second piece form a
/// pair, the third and the fourth, and so on, if they are adjacent.
fn partner(index: &Index, positions: &[u16], pieces: &[Piece], piece: usize) -> Option<Partner> {
    let end = |piece: &Piece| usize::from(piece.offset) + usize::from(piece.length);
    let (first, second) = (&pieces[piece & !1], pieces.get(piece | 1)?);
    if end(first) != usize::from(second.offset) {
        return None;
    }
    let is_after = piece.is_multiple_of(2);
    let low = |class: &u16| u64::from(index.patterns.codes[usize::from(*class)] as u8);
    let positions = if is_after {
        &positions[usize::from(second.offset)..end(second)]
    } else {
        &positions[usize::from(first.offset)..end(first)]
    };
    let shifted = |(i, class): (usize, &u16)| low(class) << (8 * i);
    let codes = if is_after {
        positions.iter().take(BESIDE).enumerate().map(shifted).sum()
    } else {
        positions.iter().rev().take(BESIDE).enumerate().map(shifted).sum()
    };
    let mask = !0 >> (64 - 8 * positions.len().min(BESIDE));
    Some(Partner { codes, mask, is_after })
}

/// Computes the windows of a pattern, ordered and disjoint.
pub fn windows(
    index: &Index,
    gram_positions: &GramPositions<'_>,
    number: usize,
    pieces: &[Piece],
    windows: &mut Vec<(u32, u32)>,
) {
    let (text, positions, k, q) =
        (gram_positions.text, index.patterns.positions(number), index.k as usize, index.grams.q);
    windows.clear();
    for (i, &Piece { gram, offset, length }) in pieces.iter().enumerate() {
        let (offset, length) = (usize::from(offset), usize::from(length));
        let rest = &positions[offset + q..offset + length];
        let partner = partner(index, positions, pieces, i);
        let is_near = |start: usize| {
            partner.is_none_or(|partner| {
                partner.is_near(if partner.is_after {
                    gram_positions.after(start + length)
                } else {
                    gram_positions.before(start)
                })
            })
        };
        for start in gram_positions.starts_of(gram).iter().map(|start| *start as usize).filter(|start| is_near(*start))
        {
            // The rest of the piece, behind its q-gram, must match exactly too.
            let mut equal = rest.iter().zip(&text[start + q..]).map(|(class, symbol)| {
                index.patterns.codes[usize::from(*class)] == index.grams.codes[usize::from(*symbol)]
            });
            if equal.all(|equal| equal) {
                let end = (start + positions.len() - offset + k).min(text.len());
                windows.push((start.saturating_sub(offset + k) as u32, end as u32));
            }
        }
    }
    // A few sorted stretches, which the stable sort merges.
    windows.sort();
    windows.dedup_by(|next, window| {
        let touch = next.0 <= window.1;
        if touch {
            window.1 = window.1.max(next.1);
        }
        touch
    });
}
