//! Floating-point functions: exact ones, fast approximations, and 16-bit storage.
//!
//! ```
//! use simt_std::prelude::*;
//!
//! /// Normalises vectors. Launch: at least n threads; `vectors` has n elements.
//! #[kernel(threads = 128)]
//! fn normalise(vectors: Global<F32x2>, n: u32) {
//!     let i = thread::index_1d();
//!     if i < n {
//!         let F32x2([x, y]) = vectors.read(i as usize);
//!         let scale = float::rsqrt(x.mul_add(x, y * y));
//!         vectors.write(i as usize, F32x2([x * scale, y * scale]));
//!     }
//! }
//! ```
//!
//! | form | for | error |
//! |---|---|---|
//! | `x.sqrt()`, `x.mul_add(a, b)` … | `f32`, `f64` | correctly rounded instructions |
//! | [`float::exp(x)`](exp), [`sin`] … | `f32`, `f64` | about 1 ulp: the crate `libm` |
//! | [`float::fast::exp(x)`](fast::exp) … | `f32` | the hardware's approximations: see [`fast`] |
//!
//! `docs/floats.md` states the largest error of each function in ulp, as measured by the tests.
//!
//! # Functions or methods
//!
//! Each function is also a method of [`GpuFloat`], whose names are those of the standard library
//! and of `cuda_std`: `x.exp()`. On the CPU, the standard library has methods of the same names for
//! `f32` and `f64`, and Rust prefers them. The correctly rounded ones give the same bits. The
//! others, such as `x.exp()`, call the CPU's own C library, whose last bit can differ.
//!
//! **The functions of this module give the same bits on the simulator as on a GPU**, except for the
//! payload of a NaN and the sign of a zero in [`min`] and [`max`]. So do the methods in functions
//! that are generic over [`GpuFloat`].
//!
//! # No contraction
//!
//! The compiler never fuses `a * b + c`; that would change the result. Write `a.mul_add(b, c)` for
//! one `fma.rn`: as fast as a multiplication alone, and rounded once.

pub mod fast;
mod gpu_float;
mod narrow;

pub use gpu_float::GpuFloat;
pub use narrow::{Bf16, F16};

/// Functions of one type, which call the methods of [`GpuFloat`].
macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($x:ident $(, $operand:ident)*);)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<T: GpuFloat>($x: T $(, $operand: T)*) -> T {
            $x.$name($($operand),*)
        }
    )*};
}

functions! {
    /// Returns the square root, correctly rounded (PTX `sqrt.rn`, CUDA C++ `sqrtf`). NaN below 0.
    sqrt(x);
    /// Returns 1 / √x by a square root and a division, both correctly rounded: an error below 1.5
    /// ulp. `fast::rsqrt` is one instruction.
    rsqrt(x);
    /// Returns x · a + b, rounded once (PTX `fma.rn`, CUDA C++ `fmaf`).
    mul_add(x, a, b);
    /// Returns e^x.
    exp(x);
    /// Returns 2^x.
    exp2(x);
    /// Returns the natural logarithm: −∞ of 0, NaN below.
    ln(x);
    /// Returns the logarithm with base 2: −∞ of 0, NaN below.
    log2(x);
    /// Returns the logarithm with base 10: −∞ of 0, NaN below.
    log10(x);
    /// Returns the sine of an angle in radians, of any size.
    sin(x);
    /// Returns the cosine of an angle in radians, of any size.
    cos(x);
    /// Returns the tangent of an angle in radians, of any size.
    tan(x);
    /// Returns the hyperbolic tangent.
    tanh(x);
    /// Returns x^y. NaN for x < 0 if y is no integer.
    powf(x, y);
    /// Returns the smaller number (PTX `min`); the other one if one is NaN. The sign of a zero is
    /// unspecified if the operands are 0 and −0.
    min(x, y);
    /// Returns the larger number (PTX `max`); the other one if one is NaN. The sign of a zero is
    /// unspecified if the operands are 0 and −0.
    max(x, y);
    /// Returns the absolute value (PTX `abs`).
    abs(x);
    /// Returns the largest integer that is not above x (PTX `cvt.rmi`).
    floor(x);
    /// Returns the smallest integer that is not below x (PTX `cvt.rpi`).
    ceil(x);
    /// Returns the integer part, rounded towards 0 (PTX `cvt.rzi`).
    trunc(x);
    /// Returns the nearest integer, ties away from 0 (CUDA C++ `roundf`: several instructions).
    round(x);
    /// Returns the nearest integer, ties to the even one (PTX `cvt.rni`, CUDA C++ `rintf`).
    round_ties_even(x);
}
