//! The index of q-grams (strings of q symbols of patterns): a bit filter, then sorted hashes.

use crate::error::Result;
use crate::memory;
use rayon::prelude::*;

/// Number of symbols whose q-grams pass the filter before they are looked up, so that neither waits
/// for the other. A power of two.
const BLOCK: usize = 1024;
/// An odd number with irregular bits, for hashing.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// The index of q-grams, which are numbered from 0.
pub struct Grams {
    pub q: usize,
    /// The code of each symbol; 0 for symbols in no q-gram.
    pub codes: [u16; 256],
    /// Number of bits of a code.
    pub bits: u32,
    /// A bit filter, indexed by the highest bits of a hash: 1 if there may be such a q-gram.
    pub filter: Vec<u64>,
    /// Right shift of a hash that gives the index of its word in the filter.
    pub filter_shift: u32,
    /// The hashes of the q-grams, in order; different q-grams have different hashes.
    pub hashes: Vec<u64>,
    /// Indexed by the highest bits of a hash: the first q-gram with these bits, or greater ones.
    pub first: Vec<u32>,
    pub first_shift: u32,
}

/// Returns the hash of a q-gram whose codes are the lowest q · bits of `key`. Different q-grams
/// have different hashes, because the factor is odd.
#[inline(always)]
pub fn hash(key: u64, unused: u32) -> u64 {
    (key << unused).wrapping_mul(MIX)
}

impl Grams {
    /// Makes the index of the q-grams with these hashes; `None` if memory runs out.
    pub fn new(q: usize, codes: [u16; 256], bits: u32, mut hashes: Vec<u64>) -> Option<Self> {
        hashes.par_sort_unstable();
        hashes.dedup();
        let directory = hashes.len().next_power_of_two().max(2);
        let first_shift = 64 - directory.trailing_zeros();
        // 16 to 32 bits per q-gram: one in 16 to 32 of other q-grams passes.
        let words = (directory / 4).max(2);
        let filter_shift = 64 - words.trailing_zeros();
        let mut first = memory::filled(directory + 1, 0u32, "the index of patterns").ok()?;
        let mut filter = memory::filled(words, 0u64, "the filter of patterns").ok()?;
        for hash in &hashes {
            filter[(hash >> filter_shift) as usize] |= 1 << (hash >> (filter_shift - 6) & 63);
            first[(hash >> first_shift) as usize + 1] += 1;
        }
        let mut sum = 0;
        for first in &mut first {
            sum += *first;
            *first = sum;
        }
        Some(Self { q, codes, bits, filter, filter_shift, hashes, first, first_shift })
    }

    /// Returns the number of bits of a word that a q-gram does not use.
    fn unused(&self) -> u32 {
        64 - self.q as u32 * self.bits
    }

    /// Returns the number of the q-gram with a hash.
    #[inline(always)]
    pub fn number(&self, hash: u64) -> Option<u32> {
        let bucket = (hash >> self.first_shift) as usize;
        let first = self.first[bucket];
        let grams = &self.hashes[first as usize..self.first[bucket + 1] as usize];
        grams.binary_search(&hash).ok().map(|index| first + index as u32)
    }

    /// Finds the q-grams of a text whose last symbols are in `from..end`. Returns (number of the
    /// q-gram, position of its first symbol) for each.
    pub fn scan(&self, text: &[u8], from: usize, end: usize) -> Result<Vec<(u32, u32)>> {
        let mut found = Vec::new();
        let unused = self.unused();
        let mut key = 0u64;
        // Before the text, codes are 0, which no q-gram has.
        for symbol in &text[(from + 1).saturating_sub(self.q)..from] {
            key = key << self.bits | u64::from(self.codes[usize::from(*symbol)]);
        }
        let mut passed = [(0u64, 0u32); BLOCK];
        for at in (from..end).step_by(BLOCK) {
            let mut count = 0;
            for (j, symbol) in (at as u32..).zip(&text[at..(at + BLOCK).min(end)]) {
                key = key << self.bits | u64::from(self.codes[usize::from(*symbol)]);
                let hash = hash(key, unused);
                let word = self.filter.get((hash >> self.filter_shift) as usize).copied().unwrap_or(0);
                passed[count % BLOCK] = (hash, j);
                count += (word >> (hash >> (self.filter_shift - 6) & 63) & 1) as usize;
            }
            memory::reserve(&mut found, count, "the places of q-grams")?;
            for (hash, last) in &passed[..count] {
                if let Some(number) = self.number(*hash) {
                    // The text before it is long enough: the codes are not 0.
                    found.push((number, last + 1 - self.q as u32));
                }
            }
        }
        Ok(found)
    }
}
