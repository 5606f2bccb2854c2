//! A pattern's bits in several words of a lane, or of a warp: word 0 is the lowest.

/// `x` one bit to the left, over the words' borders; `low` comes into the lowest bit.
#[inline(always)]
pub fn shifted<const WORDS: usize>(x: [u32; WORDS], low: u32) -> [u32; WORDS] {
    core::array::from_fn(|w| if w == 0 { x[0] << 1 | low } else { x[w] << 1 | x[w - 1] >> 31 })
}
