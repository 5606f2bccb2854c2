//! The common data of all kernels of an exact search: the text, the pattern, and the comparison of
//! their symbols.
//!
//! **Symbols.** A position of the pattern matches all symbols that agree with it in some of their
//! eight bits, the bits it *cares* for: all eight for a single symbol, all but 0x20 for a letter in
//! either case, all but 0x21 for T, t, U and u. So one instruction compares four symbols: the
//! result of `(text ^ pattern) & significant_bits` is 0 where they match.
//!
//! **Witnesses.** For a shift d that is no period of the pattern P there is a position k, its
//! *witness*, with P\[k\] ≠ P\[k + d\] (Vishkin 1985; JáJá 1992, chapter 7, and Wang 2018, who
//! count from 1). Two positions of the text at a distance of d cannot both begin an occurrence, and
//! one symbol of the text rules one of them out: the *duel*.
//!
//! ```text
//! text       ……………………………………… s …………        s is compared with P[k]
//! from i          | P[0] … P[k + d] …      if s = P[k], s ≠ P[k + d]: no occurrence begins at i
//! from j = i + d        | P[0] … P[k] …    if s ≠ P[k], no occurrence begins at j
//! ```
//!
//! **Verification.** An occurrence may begin at any byte of a 16-byte word. So there are 16 copies
//! of the pattern, one for each alignment, and the words of the text are compared directly with
//! those of a copy:
//!
//! ```text
//! text       | … … s s s s s s s s s s s s s s | s s s s … |    an occurrence at byte 2 of a word
//! copy 2     | . . P P P P P P P P P P P P P P | P P P P … |    no bit counts before the pattern
//! ```
//!
//! **Cost.** A duel takes a load of the witness, followed by a load of a byte. Verifying 16 symbols
//! takes three loads of 16 bytes and about 8 instructions; without copies it takes four loads and
//! 27 instructions.

use simt_std::integer::funnel_shift_right;
use simt_std::prelude::*;

/// No position. In a text of 2^32 symbols no pattern of two symbols begins at this position.
pub const NOWHERE: u32 = !0;

/// The text and the pattern of an exact search.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Needle {
    /// The text: n symbols of one byte, 16 per word, padded with arbitrary bytes up to a multiple
    /// of 16.
    pub text: Global<U32x4>,
    /// n, from m to 2^32.
    pub n: u64,
    /// First start position of a reported occurrence.
    pub first: u64,
    /// The pattern: m symbols, 16 per word. Read-only during the launch, as are the next two
    /// arrays.
    pub symbols: Global<U32x4>,
    /// The bits of each symbol that count. After the last symbol 0, up to a multiple of 16.
    pub significant_bits: Global<U32x4>,
    /// For each shift less than `reach`, its witness with the pattern's symbol there, as
    /// [`pack_witness`] packs them. The first entry is not used.
    pub witnesses: Global<u64>,
    /// For kernels that verify: 16 copies of the pattern's first symbols. Copy a begins a bytes
    /// after the start of a 16-byte word, like an occurrence with this alignment. Each has `pitch`
    /// words. They are followed by 16 such copies of the bits that count, which are 0 before the
    /// pattern.
    pub copies: Global<U32x4>,
    /// m, at least 2.
    pub m: u32,
    /// r: two positions at a distance less than r may duel.
    pub reach: u32,
    /// Number of words per copy.
    pub pitch: u32,
    /// 1 if all bits of each symbol count.
    pub literal: u32,
}

/// Packs a witness k, less than 2^32, with the symbol P\[k\] and its bits that count.
pub const fn pack_witness(k: u32, symbol: u8, significant_bits: u8) -> u64 {
    (significant_bits as u64) << 40 | (symbol as u64) << 32 | k as u64
}

impl Needle {
    /// Returns true if an occurrence that begins at `position` is within the text and is to be
    /// reported.
    #[inline(always)]
    pub fn has_room_at(&self, position: u64) -> bool {
        // A position before the text wraps to a huge number.
        position >= self.first && position <= self.n - u64::from(self.m)
    }

    /// Returns the winner of two positions i < j at a distance less than `reach`, both with room
    /// for the pattern. No occurrence begins at the other one.
    #[inline(always)]
    pub fn duel(&self, i: u32, j: u32) -> u32 {
        let witness = self.witnesses.read_only((j - i) as usize);
        let symbol = self.text.cast::<u8>().read(j as usize + witness as u32 as usize);
        let differs = (u32::from(symbol) ^ (witness >> 32) as u32) & (witness >> 40) as u32;
        if differs == 0 { j } else { i }
    }

    /// Returns the winner of two positions. Either may be [`NOWHERE`]; then there is no duel.
    #[inline(always)]
    pub fn duel_if_both(&self, one: u32, other: u32) -> u32 {
        if one == NOWHERE || other == NOWHERE {
            // `NOWHERE` is the greatest number, so the minimum is the other position.
            one.min(other)
        } else {
            self.duel(one.min(other), one.max(other))
        }
    }

    /// Returns the 16 symbols of the text from a position on, four per word. Symbols after the
    /// text's end are arbitrary.
    #[inline(always)]
    pub fn sixteen(&self, position: u64) -> [u32; 4] {
        let (word, last) = (position / 16, (self.n - 1) / 16);
        let U32x4(low) = self.text.read(word.min(last) as usize);
        let U32x4(high) = self.text.read((word + 1).min(last) as usize);
        align(low, high, position as u32 % 16)
    }

    /// Returns the differing bits between 16 symbols of the text and part `part` of the pattern; a
    /// part has 16 symbols.
    #[inline(always)]
    pub fn differences(&self, position: u64, part: u32) -> [u32; 4] {
        let text = self.sixteen(position + 16 * u64::from(part));
        let U32x4(symbols) = self.symbols.read_only(part as usize);
        let U32x4(significant_bits) = self.significant_bits.read_only(part as usize);
        core::array::from_fn(|i| (text[i] ^ symbols[i]) & significant_bits[i])
    }

    /// Returns true if the first `parts` parts of 16 symbols of the pattern match at a position.
    /// This lane compares alone, without copies, up to the first difference.
    #[inline(always)]
    pub fn begins_with(&self, position: u64, parts: u32) -> bool {
        let mut part = 0;
        while part < parts {
            let [a, b, c, d] = self.differences(position, part);
            if a | b | c | d != 0 {
                break;
            }
            part += 1;
        }
        part == parts
    }

    /// Returns true if word `word` of the copy for a position differs from the text.
    #[inline(always)]
    fn differs(&self, position: u32, word: u32) -> bool {
        // The copy's last word may be after the text's end: then none of its bits count.
        let U32x4(text) = self.text.read(u64::from(position / 16 + word).min((self.n - 1) / 16) as usize);
        let at = position % 16 * self.pitch + word;
        let U32x4(symbols) = self.copies.read_only(at as usize);
        // Within a literal pattern all bits count.
        let is_inner = self.literal != 0 && word > 0 && word + 2 < self.pitch;
        let U32x4(significant_bits) =
            if is_inner { U32x4([!0; 4]) } else { self.copies.read_only((at + 16 * self.pitch) as usize) };
        let differ = |i: usize| (text[i] ^ symbols[i]) & significant_bits[i];
        differ(0) | differ(1) | differ(2) | differ(3) != 0
    }

    /// Returns true if the first symbols match at a position: up to 16, to the end of its 16-byte
    /// word.
    #[inline(always)]
    pub fn may_begin_at(&self, position: u32) -> bool {
        !self.differs(position, 0)
    }

    /// Returns true if all symbols of the copy match at a position. This lane compares alone, up to
    /// the first difference.
    #[inline(always)]
    pub fn begins_at(&self, position: u32) -> bool {
        let mut word = 0;
        while word < self.pitch && !self.differs(position, word) {
            word += 1;
        }
        word == self.pitch
    }

    /// Like [`begins_at`](Self::begins_at), computed jointly by the `group` lanes (a power of two)
    /// that have the same position, or [`NOWHERE`]. Stops once every group has found a difference.
    ///
    /// ```text
    /// group of 4    lane 0   lane 1   lane 2   lane 3
    /// round 0       word 0   word 1   word 2   word 3       neighbours read neighbouring words
    /// round 1       word 4   word 5   …
    /// ```
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, with the same `group`.
    #[inline(always)]
    pub unsafe fn begins_at_together(&self, position: u32, group: u32) -> bool {
        let lane = warp::lane_id();
        let (own, shift) = (lane % group, lane / group * group);
        let of_group = (FULL_WARP >> (WARP - group)) << shift;
        let mut begins = position != NOWHERE;
        let mut from = 0;
        // SAFETY: guaranteed by the caller, also below: `from` and the vote are the same in all
        // lanes.
        while from < self.pitch && unsafe { warp::warp_vote_any(FULL_WARP, begins) } {
            let word = from + own;
            let differs = begins && word < self.pitch && self.differs(position, word);
            // SAFETY: as above.
            let differ = unsafe { warp::warp_vote_ballot(FULL_WARP, differs) };
            begins = begins && differ & of_group == 0;
            from += group;
        }
        begins
    }
}

/// Returns 16 bytes from byte `shift` < 16 on of two 16-byte words: shifts by two words or none,
/// then by one or none, then by bytes.
#[inline(always)]
pub fn align(low: [u32; 4], high: [u32; 4], shift: u32) -> [u32; 4] {
    let ([a, b, c, d], [e, f, g, h]) = (low, high);
    // Masks of all ones or all zeros: a choice between elements of an array would become a choice
    // between their addresses.
    let (two, one) = (0u32.wrapping_sub(shift >> 3 & 1), 0u32.wrapping_sub(shift >> 2 & 1));
    let pick = |mask: u32, yes: u32, no: u32| yes & mask | no & !mask;
    let (a, b, c) = (pick(two, c, a), pick(two, d, b), pick(two, e, c));
    let (d, e, f) = (pick(two, f, d), pick(two, g, e), pick(two, h, f));
    let (a, b, c) = (pick(one, b, a), pick(one, c, b), pick(one, d, c));
    let (d, e) = (pick(one, e, d), pick(one, f, e));
    let bits = 8 * (shift % 4);
    [
        funnel_shift_right(a, b, bits),
        funnel_shift_right(b, c, bits),
        funnel_shift_right(c, d, bits),
        funnel_shift_right(d, e, bits),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_from_any_place() {
        let bytes: [u8; 32] = core::array::from_fn(|i| 3 * i as u8);
        let word = |i: usize| u32::from_le_bytes(core::array::from_fn(|b| bytes[4 * i + b]));
        for shift in 0..16 {
            let got = align(core::array::from_fn(word), core::array::from_fn(|i| word(i + 4)), shift as u32);
            let got: Vec<u8> = got.into_iter().flat_map(u32::to_le_bytes).collect();
            assert_eq!(got, bytes[shift..shift + 16]);
        }
    }
}
