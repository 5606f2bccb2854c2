//! The bits of a pattern in several words of a lane; word 0 is the lowest.
//!
//! ```text
//! x = [1000…01, 0000…00]  (lowest bit on the right), low = 1      ->   [0000…11, 0000…01]
//! ```

/// Shifts `x`, one long number, up by one bit: each word's highest bit moves into the next word,
/// and `low`, 0 or 1, into the lowest bit of word 0. One instruction per word (a funnel shift).
#[inline(always)]
pub fn shifted<const WORDS: usize>(x: [u32; WORDS], low: u32) -> [u32; WORDS] {
    core::array::from_fn(|w| if w == 0 { x[0] << 1 | low } else { x[w] << 1 | x[w - 1] >> 31 })
}
