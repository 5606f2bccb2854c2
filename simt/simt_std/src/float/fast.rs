//! The hardware's approximations of `f32` functions, by name. They take one or two instructions,
//! where the exact functions take 10 to 50.
//!
//! | function | PTX | largest error on a GPU |
//! |---|---|---|
//! | [`recip`] | `rcp.approx` | 1 ulp |
//! | [`rsqrt`] | `rsqrt.approx` | relative 2^-22.9: about 2 ulp |
//! | [`sqrt`] | `sqrt.approx` | relative 2^-23: about 1 ulp |
//! | [`div`] | `div.approx` | 2 ulp, for divisors from 2^-126 to 2^126 |
//! | [`exp2`] | `ex2.approx` | 2 ulp |
//! | [`exp`] | `mul`, `ex2.approx` | 2 + 1.2 x ulp: the product is rounded |
//! | [`log2`] | `lg2.approx` | 2^-22 from 0.5 to 2, elsewhere relative 2^-22 |
//! | [`ln`], [`log10`] | `lg2.approx`, `mul` | 2^-21.4 from 0.5 to 2, elsewhere 3 ulp |
//! | [`sin`], [`cos`] | `sin.approx`, `cos.approx` | 2^-20.5 up to 2 π, 2^-14.7 up to 100 π |
//! | [`tanh`] | `tanh.approx` | relative 2^-11 |
//! | [`powf`] | `lg2.approx`, `mul`, `ex2.approx` | grows with y log2(x) |
//!
//! The errors are those of NVIDIA's *PTX ISA* and *CUDA C++ Programming Guide*. Powers
//! of 2 without "relative" are absolute errors. All but `tanh` treat subnormal operands
//! as 0 and return 0 instead of subnormal results (`.ftz`).
//!
//! **On the simulator**, the nearest `f32` stands in for the hardware's result, so a kernel must
//! not depend on the last bits. Test with a tolerance that the table allows.

use crate::backend;
use core::f32::consts;

/// Functions of one instruction.
macro_rules! instructions {
    ($($(#[$doc:meta])* $name:ident = $instruction:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(x: f32) -> f32 {
            backend::$instruction(x)
        }
    )*};
}

instructions! {
    /// Returns 1 / x (PTX `rcp.approx.ftz.f32`).
    recip = rcp_approx;
    /// Returns 1 / √x (PTX `rsqrt.approx.ftz.f32`, CUDA C++ `rsqrtf`).
    rsqrt = rsqrt_approx;
    /// Returns √x (PTX `sqrt.approx.ftz.f32`).
    sqrt = sqrt_approx;
    /// Returns 2^x (PTX `ex2.approx.ftz.f32`, CUDA C++ `exp2f` with `-use_fast_math`).
    exp2 = ex2_approx;
    /// Returns the logarithm with base 2 (PTX `lg2.approx.ftz.f32`, CUDA C++ `__log2f`).
    log2 = lg2_approx;
    /// Returns the sine of a small angle (PTX `sin.approx.ftz.f32`, CUDA C++ `__sinf`).
    sin = sin_approx;
    /// Returns the cosine of a small angle (PTX `cos.approx.ftz.f32`, CUDA C++ `__cosf`).
    cos = cos_approx;
    /// Returns the hyperbolic tangent (PTX `tanh.approx.f32`). That instruction needs sm_75 and PTX
    /// 7.0; PTX for older ones has 7 instructions, `ex2.approx` and `rcp.approx` among them.
    tanh = tanh_approx;
}

/// Returns x / y (PTX `div.approx.ftz.f32`, CUDA C++ `__fdividef`): 0 if |y| is above 2^126.
#[inline(always)]
pub fn div(x: f32, y: f32) -> f32 {
    backend::div_approx(x, y)
}

/// Returns e^x as 2^(x log2 e) (CUDA C++ `__expf`).
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    exp2(x * consts::LOG2_E)
}

/// Returns the natural logarithm as log2(x) ln 2 (CUDA C++ `__logf`).
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    log2(x) * consts::LN_2
}

/// Returns the logarithm with base 10 as log2(x) log10 2 (CUDA C++ `__log10f`).
#[inline(always)]
pub fn log10(x: f32) -> f32 {
    log2(x) * consts::LOG10_2
}

/// Returns x^y as 2^(y log2 x), for x > 0 (CUDA C++ `__powf`).
#[inline(always)]
pub fn powf(x: f32, y: f32) -> f32 {
    exp2(y * log2(x))
}
