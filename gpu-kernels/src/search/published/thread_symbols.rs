//! The α symbols that a thread takes at a time, and what it writes for them: one load and one store each.
//!
//! ```text
//! α = 4      text     a c g t | t a c g | …      thread i loads 4 bytes at once: its symbols are the bytes of a word
//!            ends     0 0 1 0 | 1 0 0 1 | …      what it has found, a bit a symbol,
//!            bytes    0 0 1 0 | 1 0 0 1 | …      becomes a byte a symbol, stored at once
//! ```
//!
//! α is 1, 2, 4, 8, 16 or 32, and a load takes 16 bytes at most. **Cost:** a warp that loads single bytes moves 32 bytes at a
//! time, one that loads words of 16 bytes 512: the fewer instructions a byte, the nearer it comes to the memory's rate.

use crate::search::output::four_bytes;
use simt_std::prelude::*;

/// A block for each of `ALPHA` symbols. On a GPU one after the other, so that arrays stay in registers; the simulator has no
/// use for that, and a loop is compiled in a fraction of the time.
#[cfg(target_arch = "nvptx64")]
macro_rules! each {
    ($i:ident in $alpha:ident $body:block) => {
        simt_std::unroll!(number in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31] {
            let $i = number as usize;
            if $i < $alpha $body
        })
    };
}
#[cfg(not(target_arch = "nvptx64"))]
macro_rules! each {
    ($i:ident in $alpha:ident $body:block) => {{
        #[allow(clippy::needless_range_loop, reason = "as on the GPU")]
        for $i in 0..$alpha $body
    }};
}
pub(crate) use each;

/// `ALPHA` symbols (1, 2, 4, 8, 16 or 32) from a position on, a multiple of it and of 16 at most, four in a word.
#[inline(always)]
pub fn symbols<const ALPHA: usize>(text: Global<u8>, at: u64) -> [u32; 8] {
    let i = (at / ALPHA as u64) as usize;
    let mut words = [0; 8];
    match ALPHA {
        1 => words[0] = text.read(i).into(),
        2 => words[0] = u32::from(text.read(2 * i)) | u32::from(text.read(2 * i + 1)) << 8,
        4 => words[0] = text.cast::<u32>().read(i),
        8 => {
            let pair = text.cast::<u64>().read(i);
            (words[0], words[1]) = (pair as u32, (pair >> 32) as u32);
        }
        _ => {
            let fours = text.cast::<U32x4>().skip((at / 16) as usize);
            for part in 0..ALPHA / 16 {
                let U32x4(four) = fours.read(part);
                words[4 * part] = four[0];
                words[4 * part + 1] = four[1];
                words[4 * part + 2] = four[2];
                words[4 * part + 3] = four[3];
            }
        }
    }
    words
}

/// Writes `ALPHA` bytes from a position on: bit i of `ends` is the i-th.
#[inline(always)]
pub fn put<const ALPHA: usize>(bytes: Global<u8>, at: u64, ends: u32) {
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
