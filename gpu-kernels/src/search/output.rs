//! What a search kernel writes, in one of four formats: a byte or a bit for each position of the text, how many ends
//! there are, or the hits themselves.
//!
//! ```text
//! text      a c g t a c c t        an occurrence ends at positions 3 (no error) and 6 (one error)
//!
//! BYTES     0 0 0 1 0 0 1 0        a byte a position: 1 where an occurrence ends; a store writes 16 positions
//! BITMAP    0b01001000             a bit a position, the first in bit 0 of word 0; a store writes 32 or 128 positions
//! COUNT     2                      each lane counts its own ends; at the end of the kernel one atomic addition a warp
//! HITS      (3, 0), (6, 1)         position and errors, in any order: an atomic addition claims places in the list
//! ```
//!
//! A hit is one word of 64 bits:
//!
//! ```text
//! bit    63           32 31       24 23         0
//!       | position     | last bit  | errors    |
//!
//! position   of the occurrence's last symbol in the text
//! last bit   which of several patterns: the bit that its last symbol has in the words of packed.rs; 0 for one pattern
//! errors     the fewest errors of an occurrence that ends there
//! ```
//!
//! **Cost.** Bytes are n bytes of memory traffic, bits n / 8, a count next to none. Hits cost an atomic addition for
//! each lane that has ends among the positions it looks at, 1 to 32, and 8 bytes a hit: cheap where occurrences are
//! rare.

use simt_std::prelude::*;

/// Format: a byte for each position, 1 where an occurrence ends, else 0. The one that the published kernels have.
pub const BYTES: u32 = 0;
/// Format: a bit for each position, the first in bit 0 of word 0.
pub const BITMAP: u32 = 1;
/// Format: only how many ends there are.
pub const COUNT: u32 = 2;
/// Format: the hits, each with its position and errors, in any order.
pub const HITS: u32 = 3;

/// How many bits of a hit's word the errors have; the last bit's 8 are above them.
pub const ERROR_BITS: u32 = 24;

/// The word of a hit: see the head of this file.
#[inline(always)]
const fn hit(position: u64, last_bit: u32, errors: u32) -> u64 {
    position << 32 | (last_bit as u64) << ERROR_BITS | errors as u64
}

/// Takes the word of a hit apart: the position, the last bit of its pattern, and its errors.
pub const fn parts(hit: u64) -> (u64, u32, u32) {
    (hit >> 32, (hit >> ERROR_BITS) as u32 & 0xff, hit as u32 & ((1 << ERROR_BITS) - 1))
}

/// Positions whose bytes one store of 16 bytes writes.
const BYTES_A_STORE: u32 = 16;

/// Where results go, and in which format: part of a search kernel's parameters.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SearchOutput {
    /// [`BYTES`], [`BITMAP`], [`COUNT`] or [`HITS`]; the arrays of the other formats are not used.
    pub format: u32,
    /// How many hits `hits` has room for; more are counted and not written.
    pub capacity: u32,
    /// Out, for [`BYTES`]: n bytes, rounded up to what the kernel takes at a time; 16 positions a word.
    pub bytes: Global<U32x4>,
    /// Out, for [`BITMAP`]: n bits, rounded up to what the kernel takes at a time; 32 positions a word.
    pub bitmap: Global<u32>,
    /// The same array as `bitmap`, as words of 128 positions.
    pub bitmap_by_4: Global<U32x4>,
    /// Out, for [`COUNT`] and [`HITS`]: one word, how many ends or hits there are; 0 when the launch starts.
    pub count: Global<u32>,
    /// Out, for [`HITS`]: the hits, as [`parts`] takes them apart.
    pub hits: Global<u64>,
}

/// The four low bits as four bytes, each 0 or 1, the lowest bit in the lowest byte.
#[inline(always)]
pub fn four_bytes(bits: u32) -> u32 {
    // Bit b is moved to 8 b by the copy that is shifted 7 b.
    (bits & 0xf).wrapping_mul(0x0020_4081) & 0x0101_0101
}

/// The errors of an end: how many levels do not have it. `levels[d]` has the ends with at most d errors, so an end with
/// e errors is missing from the levels 0 to e - 1.
#[inline(always)]
fn errors<const LEVELS: usize>(bit: u32, levels: [u32; LEVELS]) -> u32 {
    let mut errors = 0;
    for level in levels {
        errors += !level >> bit & 1;
    }
    errors
}

impl SearchOutput {
    /// Writes the bytes of 16 positions, the first a multiple of 16, where bit b of `ends` is position b.
    #[inline(always)]
    pub fn put_bytes(&self, position: u64, ends: u32) {
        let bytes = U32x4([four_bytes(ends), four_bytes(ends >> 4), four_bytes(ends >> 8), four_bytes(ends >> 12)]);
        self.bytes.write((position / u64::from(BYTES_A_STORE)) as usize, bytes);
    }

    /// Writes the bits of 32 positions, the first a multiple of 32.
    #[inline(always)]
    pub fn put_bits(&self, position: u64, ends: u32) {
        self.bitmap.write((position / 32) as usize, ends);
    }

    /// Writes the bits of 128 positions, the first a multiple of 128.
    #[inline(always)]
    pub fn put_128_bits(&self, position: u64, ends: [u32; 4]) {
        self.bitmap_by_4.write((position / 128) as usize, U32x4(ends));
    }

    /// Adds the hits among the 32 positions from `position` on, where bit b is position `position` + b. `levels[d]` has
    /// the ends with at most d errors.
    #[inline(always)]
    pub fn put_hits<const LEVELS: usize>(&self, position: u64, levels: [u32; LEVELS]) {
        let mut ends = levels[LEVELS - 1];
        if ends == 0 {
            return;
        }
        let mut slot = self.slots(ends.count_ones());
        while ends != 0 {
            let bit = ends.trailing_zeros();
            self.put_hit(slot, position + u64::from(bit), 0, errors(bit, levels));
            slot += 1;
            ends &= ends - 1;
        }
    }

    /// Adds the hits of several patterns at one position: bit b is the pattern whose last bit is `first` + b, and
    /// `levels[d]` has the patterns that end there with at most d errors.
    #[inline(always)]
    pub fn put_patterns<const LEVELS: usize>(&self, position: u64, first: u32, levels: [u32; LEVELS]) {
        let mut ends = levels[LEVELS - 1];
        let mut slot = self.slots(ends.count_ones());
        while ends != 0 {
            let bit = ends.trailing_zeros();
            self.put_hit(slot, position, first + bit, errors(bit, levels));
            slot += 1;
            ends &= ends - 1;
        }
    }

    /// Adds one end without errors: to this lane's `count` if the format is [`COUNT`], else as a hit.
    #[inline(always)]
    pub fn put_end(&self, position: u64, count: &mut u32) {
        if self.format == COUNT {
            *count += 1;
        } else {
            self.put_hit(self.slots(1), position, 0, 0);
        }
    }

    /// Adds ends without errors, as many as `ends`, each `step` after the one before, from `position` on: as
    /// [`put_end`](Self::put_end).
    #[inline(always)]
    pub fn put_ends(&self, position: u64, ends: u32, step: u32, count: &mut u32) {
        if self.format == COUNT {
            *count += ends;
        } else {
            let slot = self.slots(ends);
            for i in 0..ends {
                self.put_hit(slot + i, position + u64::from(i) * u64::from(step), 0, 0);
            }
        }
    }

    /// Claims `count` places in the list of hits for this lane alone, by an atomic addition, and returns the first.
    #[inline(always)]
    pub fn slots(&self, count: u32) -> u32 {
        atomic::fetch_add(self.count, 0, count)
    }

    /// Writes a hit with fewer than 2^[`ERROR_BITS`] errors to a place of the list that was claimed, if there is room.
    #[inline(always)]
    pub fn put_hit(&self, slot: u32, position: u64, last_bit: u32, errors: u32) {
        if slot < self.capacity {
            self.hits.write(slot as usize, hit(position, last_bit, errors));
        }
    }

    /// Adds up what the lanes of a warp have counted (5 shuffles), and adds the sum to the count by one atomic
    /// addition.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    pub unsafe fn put_count(&self, mut count: u32) {
        for distance in [16, 8, 4, 2, 1] {
            // SAFETY: the caller's.
            count += unsafe { warp::warp_shuffle_xor(FULL_WARP, count, distance, WARP) }.0;
        }
        if warp::lane_id() == 0 {
            atomic::fetch_add(self.count, 0, count);
        }
    }
}
