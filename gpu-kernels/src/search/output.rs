//! What a search kernel writes: a byte or a bit a position, how many, or the hits themselves.
//!
//! ```text
//! text      a c g t a c c t        an occurrence ends at positions 3 (no error) and 6 (one error)
//!
//! BYTES     0 0 0 1 0 0 1 0        a byte a position; a store writes 16 positions
//! BITMAP    0b01001000             a bit a position, the first in bit 0; a store writes 32 or 128 positions
//! COUNT     2                      each lane counts its own, then one addition a warp
//! HITS      (3, 0), (6, 1)         in any order: a slot of the list is claimed by an atomic addition
//!
//! a hit     63           32 31       24 23         0
//!           | position     | last bit  | errors    |        last bit: which of several patterns, by where it ends in the words
//! ```

use simt_std::prelude::*;

/// A byte for each position: 1 where an occurrence ends, else 0. The paper's format.
pub const BYTES: u32 = 0;
/// A bit for each position, the first in bit 0 of word 0.
pub const BITMAP: u32 = 1;
/// Only how many.
pub const COUNT: u32 = 2;
/// The positions and errors, in any order.
pub const HITS: u32 = 3;

/// Bits of a hit's errors.
pub const ERROR_BITS: u32 = 24;

/// A hit: the position of its last symbol (32 bits), the last bit of its pattern (8; 0 if there is one only), its errors (24).
#[inline(always)]
const fn hit(position: u64, last_bit: u32, errors: u32) -> u64 {
    position << 32 | (last_bit as u64) << ERROR_BITS | errors as u64
}

/// The position of a hit, the last bit of its pattern, and its errors.
pub const fn parts(hit: u64) -> (u64, u32, u32) {
    (hit >> 32, (hit >> ERROR_BITS) as u32 & 0xff, hit as u32 & ((1 << ERROR_BITS) - 1))
}

/// Symbols that a lane takes at a time.
pub const ALPHA: u32 = 16;

/// Where results go, and which.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SearchOutput {
    /// One of the constants above; the arrays of the others are not used.
    pub format: u32,
    /// Hits that there is room for; more are counted and not written.
    pub capacity: u32,
    /// Out: n bytes, rounded up to a whole tile.
    pub bytes: Global<U32x4>,
    /// Out: n bits, rounded up to a whole tile.
    pub bitmap: Global<u32>,
    /// The same array, four words at a time.
    pub bitmap_by_4: Global<U32x4>,
    /// Out: how many ends or hits there are; 0 when the launch starts.
    pub count: Global<u32>,
    /// Out: hits, as [`parts`] takes them apart.
    pub hits: Global<u64>,
}

/// The four low bits as four bytes, each 0 or 1, the lowest bit in the lowest byte.
#[inline(always)]
pub fn four_bytes(bits: u32) -> u32 {
    // Bit b is moved to 8 b by the copy that is shifted 7 b.
    (bits & 0xf).wrapping_mul(0x0020_4081) & 0x0101_0101
}

/// In how many levels a bit is 0: the errors.
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
        self.bytes.write((position / u64::from(ALPHA)) as usize, bytes);
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

    /// Adds the hits of up to 32 positions from `position` on. `levels[d]` has the ends with at most d errors.
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

    /// Adds the hits of up to 32 patterns that end at one position, those whose last bits are `first` to `first` + 31.
    /// `levels[d]` has the bits of those with at most d errors.
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

    /// The first of `count` slots for hits, which are this lane's alone.
    #[inline(always)]
    pub fn slots(&self, count: u32) -> u32 {
        atomic::fetch_add(self.count, 0, count)
    }

    /// Writes a hit with fewer than 2^[`ERROR_BITS`] errors into a slot, if there is room.
    #[inline(always)]
    pub fn put_hit(&self, slot: u32, position: u64, last_bit: u32, errors: u32) {
        if slot < self.capacity {
            self.hits.write(slot as usize, hit(position, last_bit, errors));
        }
    }

    /// Adds what the lanes of a warp have counted.
    ///
    /// # Safety
    /// All lanes of the warp are here.
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
