//! The index of q-grams, strings of q symbols of patterns: a filter of bits, then hashes in order.

use crate::error::Result;
use crate::memory;
use rayon::prelude::*;

/// Symbols whose q-grams pass the filter before they are looked up, so that neither waits for the other. A power of two.
const BLOCK: usize = 1024;
/// An odd number without a pattern in its bits.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// The index: q-grams by number, from 0 on.
pub struct Grams {
    pub q: usize,
    /// For each symbol its code, 0 for those that no q-gram has.
    pub codes: [u16; 256],
    /// Bits of a code.
    pub bits: u32,
    /// By the highest bits of the hash: whether there is such a q-gram.
    pub filter: Vec<u64>,
    /// Bits of the hash that the number of a filter's word leaves.
    pub filter_shift: u32,
    /// The hashes of the q-grams, in order: different ones for different q-grams.
    pub hashes: Vec<u64>,
    /// By the highest bits of the hash: which is the first q-gram that has them, or greater ones.
    pub first: Vec<u32>,
    pub first_shift: u32,
}

/// The hash of a q-gram whose codes are the lowest q · bits of `key`. Different ones have different hashes: the factor is odd.
#[inline(always)]
pub fn hash(key: u64, unused: u32) -> u64 {
    (key << unused).wrapping_mul(MIX)
}

impl Grams {
    /// The q-grams with these hashes. None without memory.
    pub fn new(q: usize, codes: [u16; 256], bits: u32, mut hashes: Vec<u64>) -> Option<Self> {
        hashes.par_sort_unstable();
        hashes.dedup();
        let directory = hashes.len().next_power_of_two().max(2);
        let first_shift = 64 - directory.trailing_zeros();
        // 16 to 32 bits a q-gram: one in 16 to 32 of other q-grams passes.
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

    /// Bits that a q-gram leaves in a word.
    fn unused(&self) -> u32 {
        64 - self.q as u32 * self.bits
    }

    /// The number of the q-gram with a hash.
    #[inline(always)]
    pub fn number(&self, hash: u64) -> Option<u32> {
        let bucket = (hash >> self.first_shift) as usize;
        let first = self.first[bucket];
        let grams = &self.hashes[first as usize..self.first[bucket + 1] as usize];
        grams.binary_search(&hash).ok().map(|place| first + place as u32)
    }

    /// The q-grams of a text that end at the symbols from `from` on and before `end`, as (number, place of its first symbol).
    pub fn scan(&self, text: &[u8], from: usize, end: usize) -> Result<Vec<(u32, u32)>> {
        let mut found = Vec::new();
        let unused = self.unused();
        let mut key = 0u64;
        // Before the text there is nothing: codes of 0, which no q-gram has.
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
                    // The text before it is no shorter: the codes are not 0.
                    found.push((number, last + 1 - self.q as u32));
                }
            }
        }
        Ok(found)
    }
}
