//! The places of q-grams in a text.

use crate::error::Result;
use crate::memory;
use rayon::prelude::*;

/// Codes before and after a text's own.
const PAD: usize = 8;

/// Symbols that a thread scans at a time.
pub const TASK: usize = 256 << 10;

/// The places of each q-gram in a text, in order.
pub struct Places<'t> {
    pub text: &'t [u8],
    /// The lowest byte of each symbol's code, and [`PAD`] zeros before and after them.
    pub codes: Vec<u8>,
    /// Where each q-gram's places begin, and where the last one's end.
    pub starts: Vec<u32>,
    pub places: Vec<u32>,
}

impl<'t> Places<'t> {
    /// From pairs of one of `count` q-grams and a place, by the places: sorted by counting.
    pub fn new(text: &'t [u8], codes: &[u16; 256], found: &[Vec<(u32, u32)>], count: usize) -> Result<Self> {
        let what = "the places of q-grams";
        let low = codes.map(|code| code as u8);
        let mut codes = memory::filled(text.len() + 2 * PAD, 0u8, what)?;
        let own = codes[PAD..][..text.len()].par_chunks_mut(TASK).zip(text.par_chunks(TASK));
        own.for_each(|(codes, text)| {
            codes.iter_mut().zip(text).for_each(|(code, symbol)| *code = low[usize::from(*symbol)]);
        });
        let total = found.iter().map(Vec::len).sum();
        let mut places = memory::filled(total, 0, what)?;
        // Two before it is needed: first the number of places, then where the next one goes, in the end where they begin.
        let mut starts = memory::filled(count + 2, 0u32, what)?;
        for (gram, _) in found.iter().flatten() {
            starts[*gram as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        for &(gram, place) in found.iter().flatten() {
            let next = &mut starts[gram as usize + 1];
            places[*next as usize] = place;
            *next += 1;
        }
        Ok(Self { text, codes, starts, places })
    }

    /// The codes of the eight symbols from a place on.
    #[inline(always)]
    pub fn after(&self, place: usize) -> u64 {
        self.codes.get(place + PAD..).and_then(<[u8]>::first_chunk).map_or(0, |eight| u64::from_le_bytes(*eight))
    }

    /// The codes of the eight symbols before a place, the last first.
    #[inline(always)]
    pub fn before(&self, place: usize) -> u64 {
        self.codes.get(place..).and_then(<[u8]>::first_chunk).map_or(0, |eight| u64::from_be_bytes(*eight))
    }

    pub fn of(&self, gram: u32) -> &[u32] {
        &self.places[self.starts[gram as usize] as usize..self.starts[gram as usize + 1] as usize]
    }
}
