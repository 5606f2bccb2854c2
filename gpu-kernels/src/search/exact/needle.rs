//! What all kernels of an exact search know: the text, the pattern, and how two of its symbols are compared.
//!
//! **Symbols.** A position of the pattern stands for the symbols that agree with it in some of their eight bits, those
//! that it *cares* for: all eight for a symbol itself, all but 0x20 for a letter in either case, all but 0x21 for T, t,
//! U and u. So four symbols are compared by one instruction: `(text ^ pattern) & cares` is 0 where they match.
//!
//! **Witnesses.** For a shift d that is no period of the pattern P there is a position k, its *witness*, with P\[k\] ≠
//! P\[k + d\] (Vishkin 1985; JáJá 1992, chapter 7, and Wang 2018, who count from 1). Two positions of the text that are d
//! apart cannot both begin an occurrence, and one symbol of the text says which of them does not: the *duel*.
//!
//! ```text
//! text       ……………………………………… s …………          s is compared with P[k]
//! from i          | P[0] … P[k + d] …        if s is P[k], it is not P[k + d]: no occurrence begins at i
//! from j = i + d        | P[0] … P[k] …      if it is not, none begins at j
//! ```
//!
//! **Verification.** An occurrence may begin at any byte of a word of 16. So there are 16 copies of the pattern, one for each
//! of these places, and the text's words are compared with those of the copy as they are:
//!
//! ```text
//! text       | … … s s s s s s s s s s s s s s | s s s s … |        an occurrence begins 2 bytes after a word
//! copy 2     | . . P P P P P P P P P P P P P P | P P P P … |        before the pattern no bit counts
//! ```
//!
//! **Cost.** A duel is a load of the witness, and then one of a byte. 16 symbols are verified by three loads of 16 bytes and some
//! 8 instructions. Without copies it is four loads and 27 instructions.

use simt_std::integer::funnel_shift_right;
use simt_std::prelude::*;

/// No position: a text of 2^32 symbols has none with this number where a pattern of two symbols begins.
pub const NOWHERE: u32 = !0;

/// The text and the pattern of an exact search.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Needle {
    /// The text: n symbols of a byte, 16 a word; after the last one any, up to a multiple of 16.
    pub text: Global<U32x4>,
    /// n, from m to 2^32.
    pub n: u64,
    /// The first position that an occurrence which is wanted may begin at.
    pub first: u64,
    /// The pattern: m symbols, 16 a word. Nobody writes it, nor the next two arrays, during the launch.
    pub symbols: Global<U32x4>,
    /// The bits of each symbol that count, after the last one 0, up to a multiple of 16.
    pub cares: Global<U32x4>,
    /// For each shift less than `reach` its witness with the symbol that is there, as [`witness`] packs them; the first is not used.
    pub witnesses: Global<u64>,
    /// For kernels that verify: 16 copies of the pattern's first symbols, of which copy a begins a bytes after a word of 16, as
    /// the text does where an occurrence begins so; each of `pitch` words. Then the same of the bits that count, which are 0 before
    /// the pattern.
    pub copies: Global<U32x4>,
    /// m, at least 2.
    pub m: u32,
    /// r: two positions less than r apart may duel.
    pub reach: u32,
    /// Words of a copy.
    pub pitch: u32,
    /// Whether all bits of each symbol count (1).
    pub literal: u32,
}

/// A witness k, less than 2^32, and the symbol P\[k\] with its bits that count.
pub const fn witness(k: u32, symbol: u8, cares: u8) -> u64 {
    (cares as u64) << 40 | (symbol as u64) << 32 | k as u64
}

impl Needle {
    /// Whether an occurrence that begins here would be within the text, and is wanted.
    #[inline(always)]
    pub fn has_room_at(&self, position: u64) -> bool {
        // A position before the text wraps to a huge number.
        position >= self.first && position <= self.n - u64::from(self.m)
    }

    /// The winner of two positions i < j, less than `reach` apart, where the pattern has room: at the other one no
    /// occurrence begins.
    #[inline(always)]
    pub fn duel(&self, i: u32, j: u32) -> u32 {
        let witness = self.witnesses.read_only((j - i) as usize);
        let symbol = self.text.cast::<u8>().read(j as usize + witness as u32 as usize);
        let differs = (u32::from(symbol) ^ (witness >> 32) as u32) & (witness >> 40) as u32;
        if differs == 0 { j } else { i }
    }

    /// The winner of two positions of which either may be [`NOWHERE`]: those that are lead to no duel.
    #[inline(always)]
    pub fn duel_if_both(&self, one: u32, other: u32) -> u32 {
        if one == NOWHERE || other == NOWHERE {
            // The greatest number there is.
            one.min(other)
        } else {
            self.duel(one.min(other), one.max(other))
        }
    }

    /// The 16 symbols of the text from a position on, four in a word; after its end any.
    #[inline(always)]
    pub fn sixteen(&self, position: u64) -> [u32; 4] {
        let (word, last) = (position / 16, (self.n - 1) / 16);
        let U32x4(low) = self.text.read(word.min(last) as usize);
        let U32x4(high) = self.text.read((word + 1).min(last) as usize);
        align(low, high, position as u32 % 16)
    }

    /// The bits in which 16 symbols of the text differ from those of the pattern's part `part`, of its parts of 16.
    #[inline(always)]
    pub fn differences(&self, position: u64, part: u32) -> [u32; 4] {
        let text = self.sixteen(position + 16 * u64::from(part));
        let U32x4(symbols) = self.symbols.read_only(part as usize);
        let U32x4(cares) = self.cares.read_only(part as usize);
        core::array::from_fn(|i| (text[i] ^ symbols[i]) & cares[i])
    }

    /// Whether the first `parts` parts of 16 of the pattern begin at a position: by this lane alone, without copies, up to the
    /// first difference.
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

    /// Whether word `word` of the copy for a position is not what the text has there.
    #[inline(always)]
    fn differs(&self, position: u32, word: u32) -> bool {
        // The copy's last word may be after the text's end: then none of its bits count.
        let U32x4(text) = self.text.read(u64::from(position / 16 + word).min((self.n - 1) / 16) as usize);
        let at = position % 16 * self.pitch + word;
        let U32x4(symbols) = self.copies.read_only(at as usize);
        // Within a literal pattern all bits count.
        let is_inner = self.literal != 0 && word > 0 && word + 2 < self.pitch;
        let U32x4(cares) =
            if is_inner { U32x4([!0; 4]) } else { self.copies.read_only((at + 16 * self.pitch) as usize) };
        let differ = |i: usize| (text[i] ^ symbols[i]) & cares[i];
        differ(0) | differ(1) | differ(2) | differ(3) != 0
    }

    /// Whether the first of them are at a position: up to 16, to the end of its word.
    #[inline(always)]
    pub fn may_begin_at(&self, position: u32) -> bool {
        !self.differs(position, 0)
    }

    /// Whether the symbols that there are copies of begin at a position: by this lane alone, up to the first difference.
    #[inline(always)]
    pub fn begins_at(&self, position: u32) -> bool {
        let mut word = 0;
        while word < self.pitch && !self.differs(position, word) {
            word += 1;
        }
        word == self.pitch
    }

    /// The same by the `group` lanes (a power of two) that have one position, or [`NOWHERE`], together: up to the
    /// first round in which each group has found a difference.
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
        // SAFETY: the caller's, as below: `from` and what is voted on are the same in all lanes.
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

/// 16 bytes from byte `shift` < 16 of the 32 bytes of two words on: by two words or none, by one or none, and by bytes.
#[inline(always)]
pub fn align(low: [u32; 4], high: [u32; 4], shift: u32) -> [u32; 4] {
    let ([a, b, c, d], [e, f, g, h]) = (low, high);
    // All ones or all zeros: a choice between elements of an array would become one between their addresses.
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
