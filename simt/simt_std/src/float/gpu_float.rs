//! The methods of floating-point numbers.

use crate::backend::{float32, float64};
use core::ops::{Add, Div, Mul, Neg, Rem, Sub};

mod sealed {
    /// Only `f32` and `f64` have the methods.
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// Declares the trait and its two implementations. A method has one body: by the backend's
/// instruction, by `libm`, or by a Rust expression.
macro_rules! gpu_float {
    (
        $(#[$trait_doc:meta])*
        instructions { $($(#[$i_doc:meta])* $instruction:ident($($i_operand:ident),*);)* }
        libm { $($(#[$l_doc:meta])* $name:ident($($l_operand:ident),*) = $for_f32:ident, $for_f64:ident;)* }
        core { $($(#[$c_doc:meta])* $of_core:ident($($c_operand:ident),*);)* }
    ) => {
        $(#[$trait_doc])*
        pub trait GpuFloat:
            crate::Word
            + From<f32>
            + PartialOrd
            + Add<Output = Self>
            + Sub<Output = Self>
            + Mul<Output = Self>
            + Div<Output = Self>
            + Rem<Output = Self>
            + Neg<Output = Self>
            + sealed::Sealed
        {
            $($(#[$i_doc])* #[must_use] fn $instruction(self $(, $i_operand: Self)*) -> Self;)*
            $($(#[$l_doc])* #[must_use] fn $name(self $(, $l_operand: Self)*) -> Self;)*
            $($(#[$c_doc])* #[must_use] fn $of_core(self $(, $c_operand: Self)*) -> Self;)*
            /// Returns 1 / √x by a square root and a division: an error below 1.5 ulp.
            #[must_use]
            fn rsqrt(self) -> Self;
            /// Returns the fractional part, with the sign of `self`.
            #[must_use]
            fn fract(self) -> Self;
            /// Returns the logarithm to a base, `self.ln() / base.ln()`.
            #[must_use]
            fn log(self, base: Self) -> Self;
            /// Returns `self` to an integer power, by repeated multiplication: the error grows with
            /// the number of bits of `n`.
            #[must_use]
            fn powi(self, n: i32) -> Self;
            /// Returns the quotient rounded so that [`rem_euclid`](Self::rem_euclid) is not
            /// negative.
            #[must_use]
            fn div_euclid(self, divisor: Self) -> Self;
            /// Returns the least remainder that is not negative.
            #[must_use]
            fn rem_euclid(self, divisor: Self) -> Self;
            /// Returns the inverse hyperbolic cosine, NaN below 1.
            #[must_use]
            fn acosh(self) -> Self;
            /// Returns the sine and the cosine of an angle in radians.
            #[must_use]
            fn sin_cos(self) -> (Self, Self);
        }

        gpu_float!(@for f32, float32, acoshf, fmodf,
            ($($instruction($($i_operand),*);)*) ($($name($($l_operand),*) = $for_f32;)*) ($($of_core($($c_operand),*);)*));
        gpu_float!(@for f64, float64, acosh, fmod,
            ($($instruction($($i_operand),*);)*) ($($name($($l_operand),*) = $for_f64;)*) ($($of_core($($c_operand),*);)*));
    };
    (
        @for $t:ty, $module:ident, $acosh:ident, $fmod:ident,
        ($($instruction:ident($($i_operand:ident),*);)*)
        ($($name:ident($($l_operand:ident),*) = $libm:ident;)*)
        ($($of_core:ident($($c_operand:ident),*);)*)
    ) => {
        impl GpuFloat for $t {
            $(#[inline(always)]
            fn $instruction(self $(, $i_operand: Self)*) -> Self {
                $module::$instruction(self $(, $i_operand)*)
            })*

            $(#[inline]
            fn $name(self $(, $l_operand: Self)*) -> Self {
                libm::$libm(self $(, $l_operand)*)
            })*

            $(#[inline(always)]
            fn $of_core(self $(, $c_operand: Self)*) -> Self {
                <$t>::$of_core(self $(, $c_operand)*)
            })*

            #[inline(always)]
            fn rsqrt(self) -> Self {
                1.0 / $module::sqrt(self)
            }

            #[inline(always)]
            fn fract(self) -> Self {
                self - $module::trunc(self)
            }

            #[inline]
            fn log(self, base: Self) -> Self {
                GpuFloat::ln(self) / GpuFloat::ln(base)
            }

            #[inline]
            fn powi(self, n: i32) -> Self {
                let (mut power, mut result, mut bits) = (self, 1.0, n.unsigned_abs());
                while bits != 0 {
                    if bits & 1 == 1 {
                        result *= power;
                    }
                    power *= power;
                    bits >>= 1;
                }
                if n < 0 { 1.0 / result } else { result }
            }

            #[inline]
            fn div_euclid(self, divisor: Self) -> Self {
                let quotient = $module::trunc(self / divisor);
                match libm::$fmod(self, divisor) < 0.0 {
                    true if divisor > 0.0 => quotient - 1.0,
                    true => quotient + 1.0,
                    false => quotient,
                }
            }

            #[inline]
            fn rem_euclid(self, divisor: Self) -> Self {
                // On a GPU, `%` is inexact for large quotients.
                let remainder = libm::$fmod(self, divisor);
                if remainder < 0.0 { remainder + divisor.abs() } else { remainder }
            }

            #[inline]
            fn acosh(self) -> Self {
                // Some versions of libm return infinity for some numbers below 0.
                if self < 1.0 { Self::NAN } else { libm::$acosh(self) }
            }

            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                (GpuFloat::sin(self), GpuFloat::cos(self))
            }
        }
    };
}

gpu_float! {
    /// The methods of `f32` and `f64` that Rust's `core` does not have, under the names of the
    /// standard library and of `cuda_std`'s trait of this name. The [module](super) says when a
    /// method's bits on the simulator are the GPU's.
    ///
    /// ```
    /// use simt_std::float::GpuFloat;
    ///
    /// /// Generic code gets the GPU's bits.
    /// fn sigmoid<T: GpuFloat>(x: T) -> T {
    ///     (T::from(1.0) + (-x).exp()).recip()
    /// }
    /// assert_eq!(sigmoid(0.0_f32), 0.5);
    /// ```
    instructions {
        /// Returns the square root, correctly rounded (PTX `sqrt.rn`).
        sqrt();
        /// Returns `self` · a + b, rounded once (PTX `fma.rn`).
        mul_add(a, b);
        /// Returns the largest integer that is not above `self` (PTX `cvt.rmi`).
        floor();
        /// Returns the smallest integer that is not below `self` (PTX `cvt.rpi`).
        ceil();
        /// Returns the integer part (PTX `cvt.rzi`).
        trunc();
        /// Returns the nearest integer, ties away from 0.
        round();
        /// Returns the nearest integer, ties to the even one (PTX `cvt.rni`).
        round_ties_even();
    }
    libm {
        /// Returns e^`self`.
        exp() = expf, exp;
        /// Returns 2^`self`.
        exp2() = exp2f, exp2;
        /// Returns e^`self` − 1, exact near 0.
        exp_m1() = expm1f, expm1;
        /// Returns the natural logarithm.
        ln() = logf, log;
        /// Returns the natural logarithm of 1 + `self`, exact near 0.
        ln_1p() = log1pf, log1p;
        /// Returns the logarithm with base 2.
        log2() = log2f, log2;
        /// Returns the logarithm with base 10.
        log10() = log10f, log10;
        /// Returns `self`^y.
        powf(y) = powf, pow;
        /// Returns the cube root.
        cbrt() = cbrtf, cbrt;
        /// Returns √(`self`² + y²) without overflow on the way.
        hypot(y) = hypotf, hypot;
        /// Returns the sine of an angle in radians.
        sin() = sinf, sin;
        /// Returns the cosine of an angle in radians.
        cos() = cosf, cos;
        /// Returns the tangent of an angle in radians.
        tan() = tanf, tan;
        /// Returns the arcsine in radians, NaN outside −1 to 1.
        asin() = asinf, asin;
        /// Returns the arccosine in radians, NaN outside −1 to 1.
        acos() = acosf, acos;
        /// Returns the arctangent in radians.
        atan() = atanf, atan;
        /// Returns the angle in radians of the point (x, `self`), −π to π.
        atan2(x) = atan2f, atan2;
        /// Returns the hyperbolic sine.
        sinh() = sinhf, sinh;
        /// Returns the hyperbolic cosine.
        cosh() = coshf, cosh;
        /// Returns the hyperbolic tangent.
        tanh() = tanhf, tanh;
        /// Returns the inverse hyperbolic sine.
        asinh() = asinhf, asinh;
        /// Returns the inverse hyperbolic tangent, NaN outside −1 to 1.
        atanh() = atanhf, atanh;
    }
    core {
        /// Returns the smaller number, or the other one if one is NaN (PTX `min`).
        min(y);
        /// Returns the larger number, or the other one if one is NaN (PTX `max`).
        max(y);
        /// Returns the absolute value (PTX `abs`).
        abs();
        /// Returns 1 with the sign of `self`, or NaN.
        signum();
        /// Returns the magnitude of `self` with the sign of `sign`.
        copysign(sign);
        /// Returns 1 / `self`, correctly rounded (PTX `rcp.rn`).
        recip();
    }
}
