//! The conversion to bf16 by integer arithmetic: for the CPU, and for GPUs without an instruction.

/// Rounds to the nearest, ties to even; a NaN becomes the canonical one, as of `cvt.rn.bf16.f32`.
#[inline(always)]
pub fn bf16_from_f32(x: f32) -> u16 {
    let bits = x.to_bits();
    if x.is_nan() {
        return 0x7fff;
    }
    // The sum of a number that is no NaN does not overflow.
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}
