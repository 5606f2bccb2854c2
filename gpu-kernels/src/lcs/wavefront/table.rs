//! The match words of a strip in shared memory: one row per value of each digit, read without bank
//! conflicts.

use crate::lcs::digits::Digits;
use simt_std::integer::dp4a;
use simt_std::prelude::*;

/// Returns the bytes of shared memory for a strip's match words, for W words per lane and `rows`
/// rows ([`Digits::rows`](crate::lcs::digits::Digits::rows)).
pub const fn table_bytes(words: u32, rows: u32) -> u32 {
    rows * words * WARP * 4
}

/// Addresses of a lane's match words in shared memory. Each value of a digit (a symbol, if D = 1)
/// has W × 128 bytes: W words for each of 32 lanes. They are in three parts, for loads of four
/// words per lane, of two, and of one. The values of digit 1 follow the values of digit 0, and so
/// on.
///
/// ```text
/// W = 7      value 0: | lane 0: 4 words | lane 1: 4 words | …
///                     | lane 0: 2 words | lane 1: 2 words | …
///                     | lane 0: 1 word  | lane 1: 1 word  | …
///            value 1: …
/// ```
///
/// The hardware serves 8 lanes that load 4 words each at once, if these words are in different
/// banks. They are, whatever symbol each lane reads, since a value moves the address by whole lines
/// of 128 bytes, which span all 32 banks. This also holds for 16 lanes that load 2 words each.
#[derive(Clone, Copy)]
pub(crate) struct LaneTable<const W: usize, const D: usize> {
    /// Byte addresses of this lane's words of value 0 of each digit: in the part of four words per
    /// lane, of two, and of one.
    fours: [u32; D],
    twos: [u32; D],
    one: [u32; D],
}

/// The rows of a lane, as bit planes of their codes.
pub(crate) struct RowsOfLane {
    /// The planes of all tables, one after the other.
    pub(crate) planes: Global<u32>,
    /// Words per plane.
    pub(crate) plane_words: usize,
    /// Number of planes.
    pub(crate) count: u32,
    /// Start of the lane's words in each plane.
    pub(crate) words: usize,
    /// Number of rows of the strip.
    pub(crate) rows: u32,
}

impl<const W: usize, const D: usize> LaneTable<W, D> {
    /// Words of a lane that are loaded four at a time.
    const FOURS: usize = W / 4 * 4;
    /// Words of a lane that are loaded two at a time.
    const TWOS: usize = (W - Self::FOURS) / 2 * 2;

    #[inline(always)]
    pub(crate) fn new(address: u32, lane: u32, digit_bits: u32) -> Self {
        let mut table = Self { fours: [0; D], twos: [0; D], one: [0; D] };
        for d in 0..D {
            let address = address + table_bytes(W as u32, (d as u32) << digit_bits);
            let twos = address + Self::FOURS as u32 * 128;
            table.fours[d] = address + lane * 16;
            table.twos[d] = twos + lane * 8;
            table.one[d] = twos + Self::TWOS as u32 * 128 + lane * 4;
        }
        table
    }

    /// Returns the byte address of this lane's match word `w` in a row. The first rows are the
    /// values of digit 0; the values of the other digits follow.
    #[inline(always)]
    fn word(&self, row: u32, w: usize) -> u32 {
        row * W as u32 * 128
            + if w < Self::FOURS {
                self.fours[0] + (w / 4 * 512 + w % 4 * 4) as u32
            } else if w < Self::FOURS + Self::TWOS {
                self.twos[0] + (w % 2 * 4) as u32
            } else {
                self.one[0]
            }
    }

    /// Makes the match words of the lane's rows for codes of σ symbols in `digits`. Rows past the
    /// strip's last match nothing.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub(crate) fn fill(&self, lane_rows: &RowsOfLane, digits: Digits, symbols: u32) {
        let &RowsOfLane { planes: rows_planes, plane_words, count: all_planes, words, rows } = lane_rows;
        let lane = warp::lane_id();
        for digit in 0..D as u32 {
            // The first plane of this digit, the number of its planes and of its values, and the
            // row of its first value.
            let below = digit * digits.bits;
            let is_last = digit + 1 == D as u32;
            let count = if is_last { all_planes - below } else { digits.bits };
            let values = if is_last { digits.last_values(symbols) } else { 1 << digits.bits };
            let first_row = digit << digits.bits;
            for w in 0..W {
                let mut planes = [0; 8];
                unroll!(p in [0 1 2 3 4 5 6 7] {
                    if p < count {
                        planes[p as usize] = rows_planes.read((below + p) as usize * plane_words + words + w);
                    }
                });
                let first = (lane * W as u32 + w as u32) * 32;
                let exist = if first >= rows { 0 } else { !0 >> (32 - (rows - first).min(32)) };
                for value in 0..values {
                    let mut matches: u32 = exist;
                    unroll!(p in [0 1 2 3 4 5 6 7] {
                        matches &= !(planes[p as usize] ^ (value >> p & 1).wrapping_neg());
                    });
                    Shared::<u32>::at(self.word(first_row + value, w)).write(0, matches);
                }
            }
        }
    }

    /// Reads this lane's match words of a symbol. Byte `k` of `packed[d]` is W times digit d of the
    /// symbol. Times 128, it is the distance of the value's words from those of value 0; `dp4a`
    /// adds it to the address.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub(crate) fn read(&self, packed: [u32; D], k: u32) -> [u32; W] {
        let mut words = [!0; W];
        let times = 128 << (8 * k);
        for (d, &packed) in packed.iter().enumerate() {
            if Self::FOURS > 0 {
                let part = Shared::<U32x4>::at(dp4a(packed, times, self.fours[d]));
                for i in 0..W / 4 {
                    let U32x4(four) = part.read(i as u32 * 32);
                    words[4 * i] &= four[0];
                    words[4 * i + 1] &= four[1];
                    words[4 * i + 2] &= four[2];
                    words[4 * i + 3] &= four[3];
                }
            }
            if Self::TWOS > 0 {
                let two = Shared::<u64>::at(dp4a(packed, times, self.twos[d])).read(0);
                words[Self::FOURS] &= two as u32;
                words[Self::FOURS + 1] &= (two >> 32) as u32;
            }
            if W % 2 == 1 {
                words[W - 1] &= Shared::<u32>::at(dp4a(packed, times, self.one[d])).read(0);
            }
        }
        words
    }
}
