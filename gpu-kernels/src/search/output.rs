//! The results of a search kernel in one of five formats: a byte or a bit for each position of the
//! text, the number of ends, the hits, or the end with the fewest errors.
//!
//! **Problem.** The lanes of a warp search neighbouring parts of the text. Each lane has found
//! *ends*, positions at which an occurrence ends, as bits of a word: bit b is the b-th of the
//! lane's positions. With errors there is one such word per level d; it has the ends of occurrences
//! with at most d errors.
//!
//! ```text
//! text       a c g t a c c t    an occurrence with no error ends at 3, one with one error at 6
//! level 0    . . . x . . . .    0b00001000
//! level 1    . . . x . . x .    0b01001000    errors of an end: the number of levels that lack it
//!
//! BYTES      0 0 0 1 0 0 1 0    one byte per position, 1 at an end: a store writes 16 positions
//! BITMAP     0b01001000         one bit per position, the first in bit 0 of word 0:
//!                               a store writes 32 or 128 positions
//! COUNT      2                  each lane counts its ends; at the end of the kernel a warp
//!                               adds up its lanes
//! HITS       (3, 0), (6, 1)     position and errors, in any order
//! LEAST      (3, 0)             the end with the fewest errors, the first of several
//! ```
//!
//! A hit is one word of 64 bits:
//!
//! ```text
//! bit    63           32 31       24 23         0
//!       | position     | last bit  | errors    |
//!
//! position   of the occurrence's last symbol in the text
//! last bit   identifies the pattern: the bit of its last symbol in the words of packed.rs;
//!            0 if there is one pattern
//! errors     the fewest errors of an occurrence that ends there
//! ```
//!
//! **The list of hits.** A lane with c ends adds c to the count by one atomic addition. The
//! addition returns the previous count, which is the lane's first *slot* in the list. Example of
//! four lanes, three with ends:
//!
//! ```text
//! lane            0        1        2        3
//! ends          0b0000   0b0101   0b1000   0b0011
//! slots           -       0, 1      2       3, 4        or in any other order of the lanes
//! ```
//!
//! **Cost.** Bytes take n bytes of memory traffic, bits n / 8. A count takes one addition per lane,
//! and at the end 5 shuffles and an atomic addition per warp. Hits take one atomic addition for
//! each lane with ends among the positions that it examines together, 1 to 32, and 8 bytes per hit,
//! which is cheap if occurrences are rare.

use simt_std::prelude::*;
use simt_std::warp::WarpReductionOp;

/// Format: one byte per position, 1 where an occurrence ends, else 0. The format of the published
/// kernels.
pub const BYTES: u32 = 0;
/// Format: one bit per position, the first in bit 0 of word 0.
pub const BITMAP: u32 = 1;
/// Format: only the number of ends.
pub const COUNT: u32 = 2;
/// Format: the hits, each with its position and errors, in any order.
pub const HITS: u32 = 3;

/// Format: one word, the end with the fewest errors, and the first of several such ends.
pub const LEAST: u32 = 4;

/// Number of bits for the errors in a hit's word. The 8 bits of the last bit are above them.
pub const ERROR_BITS: u32 = 24;

/// Returns the word of a hit, as the head of this file defines it.
#[inline(always)]
const fn hit(position: u64, last_bit: u32, errors: u32) -> u64 {
    position << 32 | (last_bit as u64) << ERROR_BITS | errors as u64
}

/// Splits the word of a hit into position, last bit of its pattern, and errors.
pub const fn parts(hit: u64) -> (u64, u32, u32) {
    (hit >> 32, (hit >> ERROR_BITS) as u32 & 0xff, hit as u32 & ((1 << ERROR_BITS) - 1))
}

/// Returns the word of an end for [`LEAST`]: the least word is that of the fewest errors, and of
/// several ends with them that of the first.
#[inline(always)]
pub const fn least_word(errors: u32, position: u64) -> u64 {
    (errors as u64) << 32 | position
}

/// Splits a word of [`least_word`] into position and errors.
#[inline(always)]
pub const fn least_parts(word: u64) -> (u64, u32) {
    (word & u32::MAX as u64, (word >> 32) as u32)
}

/// Number of positions whose bytes one store of 16 bytes writes.
const BYTES_PER_STORE: u32 = 16;

/// Destination and format of the results: part of a search kernel's parameters.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SearchOutput {
    /// [`BYTES`], [`BITMAP`], [`COUNT`], [`HITS`] or [`LEAST`], which only
    /// [`myers`](crate::search::myers) has; the arrays of the other formats are not used.
    pub format: u32,
    /// Capacity of `hits`. Further hits are counted but not written.
    pub capacity: u32,
    /// Out, for [`BYTES`]: n bytes, rounded up to the number that the kernel processes at a time;
    /// 16 positions per word.
    pub bytes: Global<U32x4>,
    /// Out, for [`BITMAP`]: n bits, rounded up to the number that the kernel processes at a time;
    /// 32 positions per word.
    pub bitmap: Global<u32>,
    /// The array `bitmap`, as words of 128 positions.
    pub bitmap_by_4: Global<U32x4>,
    /// Out, for [`COUNT`] and [`HITS`]: one word, the number of ends or hits; 0 before the launch.
    pub count: Global<u32>,
    /// Out, for [`HITS`]: the hits, in the format that [`parts`] splits. In and out, for [`LEAST`]:
    /// one word, the least [`least_word`] of all ends and of its value before the launch.
    pub hits: Global<u64>,
}

/// Spreads the four low bits to four bytes, each 0 or 1, the lowest bit to the lowest byte. One
/// multiplication adds four copies of the bits, shifted up by 0, 7, 14 and 21, so that bit b of
/// copy b is at bit 8 b, the lowest bit of byte b:
///
/// ```text
/// bits 1010           copy 3, << 21    copy 2, << 14    copy 1, << 7    copy 0
/// bytes 1, 0, 1, 0    bit 3 at 24      bit 2 at 16      bit 1 at 8      bit 0 at 0
/// = 0x01000100        the mask keeps bit 0 of each byte
/// ```
#[inline(always)]
fn four_bytes(bits: u32) -> u32 {
    (bits & 0xf).wrapping_mul(0x0020_4081) & 0x0101_0101
}

/// Writes the bytes of `ALPHA` positions from `at` on, which is a multiple of `ALPHA`, or of 16 if
/// `ALPHA` is 32. Bit i of `ends` becomes byte i, 0 or 1.
#[inline(always)]
pub fn write_bytes<const ALPHA: usize>(bytes: Global<u8>, at: u64, ends: u32) {
    let i = (at / ALPHA as u64) as usize;
    let four = |q: u32| four_bytes(ends >> (4 * q));
    match ALPHA {
        1 => bytes.write(i, ends as u8 & 1),
        2 => {
            bytes.write(2 * i, ends as u8 & 1);
            bytes.write(2 * i + 1, (ends >> 1) as u8 & 1);
        }
        4 => bytes.cast::<u32>().write(i, four(0)),
        8 => bytes.cast::<u64>().write(i, u64::from(four(1)) << 32 | u64::from(four(0))),
        _ => {
            let fours = bytes.cast::<U32x4>().skip((at / 16) as usize);
            for part in 0..ALPHA as u32 / 16 {
                fours.write(
                    part as usize,
                    U32x4([four(4 * part), four(4 * part + 1), four(4 * part + 2), four(4 * part + 3)]),
                );
            }
        }
    }
}

/// Returns the errors of an end, which is the number of levels that lack it. `levels[d]` has the
/// ends with at most d errors, so an end with e errors is missing from the levels 0 to e - 1.
#[inline(always)]
fn errors<const LEVELS: usize>(bit: u32, levels: [u32; LEVELS]) -> u32 {
    let mut errors = 0;
    for level in levels {
        errors += !level >> bit & 1;
    }
    errors
}

impl SearchOutput {
    /// Writes the bytes of 16 positions, the first a multiple of 16. Bit b of `ends` is position b.
    #[inline(always)]
    pub fn put_bytes(&self, position: u64, ends: u32) {
        let bytes = U32x4([four_bytes(ends), four_bytes(ends >> 4), four_bytes(ends >> 8), four_bytes(ends >> 12)]);
        self.bytes.write((position / u64::from(BYTES_PER_STORE)) as usize, bytes);
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

    /// Adds the hits among 32 positions, where bit b is position `position` + b. `levels[d]` has
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

    /// Adds the hits of several patterns at one position. Bit b is the pattern whose last bit is
    /// `first` + b, and `levels[d]` has the patterns that end there with at most d errors.
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

    /// Adds one end without errors: to this lane's `count` if the format is [`COUNT`], else as a
    /// hit.
    #[inline(always)]
    pub fn put_end(&self, position: u64, count: &mut u32) {
        if self.format == COUNT {
            *count += 1;
        } else {
            self.put_hit(self.slots(1), position, 0, 0);
        }
    }

    /// Adds `ends` ends without errors at `position`, `position` + `step` and so on. Counts or
    /// writes them like [`put_end`](Self::put_end).
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

    /// Reserves `count` slots in the list of hits for this lane, by an atomic addition, and returns
    /// the first.
    #[inline(always)]
    pub fn slots(&self, count: u32) -> u32 {
        atomic::fetch_add(self.count, 0, count)
    }

    /// Reserves slots like [`slots`](Self::slots), and never overflows the count. If there are more
    /// hits than the capacity, the count is more than the capacity after the launch, but it is not
    /// the number of hits.
    #[inline(always)]
    pub fn claim(&self, count: u32) -> u32 {
        let slot = self.slots(count);
        if slot > self.capacity {
            // The count stays near the capacity, however many slots are requested.
            atomic::fetch_add(self.count, 0, count.wrapping_neg());
        }
        slot
    }

    /// Writes a hit with fewer than 2^[`ERROR_BITS`] errors to a slot if the slot is within the
    /// capacity.
    #[inline(always)]
    pub fn put_hit(&self, slot: u32, position: u64, last_bit: u32, errors: u32) {
        if slot < self.capacity {
            self.hits.write(slot as usize, hit(position, last_bit, errors));
        }
    }

    /// Sums the counts of a warp's lanes (5 shuffles), and adds the sum to `self.count` by one
    /// atomic addition.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    pub unsafe fn put_count(&self, count: u32) {
        // SAFETY: guaranteed by the caller.
        let count = unsafe { warp::warp_reduce(count, WarpReductionOp::Add) };
        if warp::lane_id() == 0 {
            atomic::fetch_add(self.count, 0, count);
        }
    }
}
