//! Floating-point instructions on the CPU.
//!
//! The correctly rounded operations have the GPU's bits. In place of an approximation stands the
//! rounded value, and subnormal numbers are flushed to 0 where the instruction does so.

/// The correctly rounded operations of a type.
macro_rules! exact {
    ($module:ident, $t:ty, $($name:ident($x:ident $(, $operand:ident)*);)*) => {
        pub mod $module {
            $(
                pub fn $name($x: $t $(, $operand: $t)*) -> $t {
                    <$t>::$name($x $(, $operand)*)
                }
            )*
        }
    };
}

exact! { float32, f32,
    sqrt(x); mul_add(x, a, b); floor(x); ceil(x); trunc(x); round(x); round_ties_even(x);
}

exact! { float64, f64,
    sqrt(x); mul_add(x, a, b); floor(x); ceil(x); trunc(x); round(x); round_ties_even(x);
}

/// Returns 0 with the sign of `x` if `x` is subnormal, else `x`.
fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0.0_f32.copysign(x) } else { x }
}

/// Computes in f64, with the operand and the result flushed.
fn approximate(x: f32, function: impl FnOnce(f64) -> f64) -> f32 {
    flushed(function(flushed(x).into()) as f32)
}

pub fn ex2_approx(x: f32) -> f32 {
    approximate(x, libm::exp2)
}

pub fn lg2_approx(x: f32) -> f32 {
    approximate(x, libm::log2)
}

pub fn sin_approx(x: f32) -> f32 {
    approximate(x, libm::sin)
}

pub fn cos_approx(x: f32) -> f32 {
    approximate(x, libm::cos)
}

/// Its instruction keeps subnormal numbers.
pub fn tanh_approx(x: f32) -> f32 {
    libm::tanh(x.into()) as f32
}

pub fn rcp_approx(x: f32) -> f32 {
    approximate(x, |x| 1.0 / x)
}

pub fn rsqrt_approx(x: f32) -> f32 {
    approximate(x, |x| 1.0 / x.sqrt())
}

pub fn sqrt_approx(x: f32) -> f32 {
    approximate(x, f64::sqrt)
}

/// The instruction multiplies by the reciprocal, which is 0 for a divisor above 2^126.
pub fn div_approx(x: f32, y: f32) -> f32 {
    if y.abs() > f32::from_bits(0x7e80_0000) && y.is_finite() {
        return flushed(x) * 0.0_f32.copysign(y);
    }
    let quotient = f64::from(flushed(x)) / f64::from(flushed(y));
    flushed(quotient as f32)
}

/// Rounds to the nearest, ties to even (PTX `cvt.rn.f16.f32`).
pub fn f16_from_f32(x: f32) -> u16 {
    let sign = (x.to_bits() >> 16) as u16 & 0x8000;
    let magnitude = x.to_bits() & 0x7fff_ffff;
    // The bounds: the least number that rounds to infinity, and the least normal one, 2^-14.
    let (overflow, normal) = (0x477f_f000, 0x3880_0000);
    if x.is_nan() {
        0x7fff
    } else if magnitude >= overflow {
        sign | 0x7c00
    } else if magnitude >= normal {
        // The exponent's bias is 15 instead of 127.
        let odd = magnitude >> 13 & 1;
        sign | ((magnitude - (112 << 23) + 0xfff + odd) >> 13) as u16
    } else {
        // The unit of 0.5 is that of the subnormal numbers, 2^-24, so the addition rounds to it.
        let rounded = f32::from_bits(magnitude) + 0.5;
        sign | (rounded.to_bits() - 0.5_f32.to_bits()) as u16
    }
}

pub fn f16_to_f32(bits: u16) -> f32 {
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    let magnitude = match exponent {
        // Subnormal: a multiple of 2^-24.
        0 => fraction as f32 * f32::from_bits((127 - 24) << 23),
        31 if fraction == 0 => f32::INFINITY,
        31 => f32::from_bits(0x7fff_ffff),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if bits & 0x8000 != 0 && !magnitude.is_nan() { -magnitude } else { magnitude }
}

pub use crate::backend::bf16::bf16_from_f32;
