//! The α symbols of the text that a thread of the published kernels processes at a time, with one
//! load, and the α result bytes, which it writes with one store. α (alpha) is the parameter's name
//! in the paper of Mitani, Ino and Hagihara (2017).
//!
//! ```text
//! α = 4    text    a c g t | t a c g | …   thread i loads its 4 symbols, the bytes of a word,
//!                                          at once
//!          ends    0 0 1 0 | 1 0 0 1 | …   its results, one bit per symbol
//!          bytes   0 0 1 0 | 1 0 0 1 | …   become one byte per symbol, stored at once
//! ```
//!
//! α is 1, 2, 4, 8, 16 or 32. A load or store moves at most 16 bytes, so 32 symbols take two of
//! each. 2 symbols take two loads and two stores of one byte.
//!
//! **Cost.** One instruction of a warp moves 32 α bytes: 32 bytes with α = 1, 512 with α = 16. The
//! fewer instructions per byte, the closer a kernel comes to the memory's throughput. But a thread
//! searches its α symbols in sequence.

use simt_std::prelude::*;

/// `each!(i in ALPHA { … })`: repeats the block for i = 0 to `ALPHA` - 1. On a GPU the block is
/// written out for 32 numbers, and the compiler drops those that are not less than `ALPHA`: with a
/// constant index, arrays stay in registers. The simulator has no registers and uses a loop, which
/// compiles in a fraction of the time.
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

/// Reads the `ALPHA` symbols from position `at` on, which is a multiple of `ALPHA`, or of 16 if
/// `ALPHA` is 32. A word holds four symbols: symbol i is byte i mod 4 of word i / 4.
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
