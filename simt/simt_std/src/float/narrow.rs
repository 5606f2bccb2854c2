//! 16-bit floating-point numbers in memory. Arithmetic is done in `f32`.

use crate::backend;

/// A 16-bit type with its conversions.
macro_rules! narrow {
    ($(#[$doc:meta])* $name:ident, $(#[$from_doc:meta])* from = $from:expr, $(#[$to_doc:meta])* to = $to:expr;) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name(u16);

        impl $name {
            $(#[$from_doc])*
            #[inline(always)]
            pub fn from_f32(x: f32) -> Self {
                Self($from(x))
            }

            $(#[$to_doc])*
            #[inline(always)]
            pub fn to_f32(self) -> f32 {
                $to(self.0)
            }

            /// Returns the number of these bits.
            #[inline(always)]
            pub const fn from_bits(bits: u16) -> Self {
                Self(bits)
            }

            /// Returns the bits: sign, exponent, fraction.
            #[inline(always)]
            pub const fn to_bits(self) -> u16 {
                self.0
            }
        }

        impl From<$name> for f32 {
            #[inline(always)]
            fn from(number: $name) -> Self {
                number.to_f32()
            }
        }

        /// Compares the numbers: 0 equals −0, and a NaN nothing.
        impl PartialEq for $name {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl PartialOrd for $name {
            #[inline(always)]
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.to_f32().fmt(f)
            }
        }

        // SAFETY: a plain number of 16 bits.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe impl bytemuck::Zeroable for $name {}
        // SAFETY: as for `Zeroable`.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe impl bytemuck::Pod for $name {}
        // SAFETY: as for `Zeroable`.
        unsafe impl crate::Word for $name {}
    };
}

narrow! {
    /// An IEEE half, for storage (CUDA C++ `__half`, PTX `.f16`): 11 significant bits, up to
    /// 65,504, normal from 2^-14 on, subnormal multiples of 2^-24 below.
    ///
    /// ```
    /// use simt_std::float::F16;
    ///
    /// assert_eq!(F16::from_f32(0.1).to_f32(), 0.099_975_586);
    /// assert_eq!(F16::from_f32(65_520.0).to_f32(), f32::INFINITY);
    /// ```
    F16,
    /// Rounds to the nearest, ties to even (PTX `cvt.rn.f16.f32`, CUDA C++ `__float2half_rn`):
    /// ±∞ from 65,520 on. A NaN stays a NaN.
    from = backend::f16_from_f32,
    /// Returns the number, exactly (PTX `cvt.f32.f16`, CUDA C++ `__half2float`). A NaN stays a NaN.
    to = backend::f16_to_f32;
}

narrow! {
    /// The upper half of an `f32`, for storage (CUDA C++ `__nv_bfloat16`, PTX `.bf16`): 8
    /// significant bits, with the range of `f32`.
    ///
    /// ```
    /// use simt_std::float::Bf16;
    ///
    /// assert_eq!(Bf16::from_f32(3.141_592_7).to_f32(), 3.140_625);
    /// ```
    Bf16,
    /// Rounds to the nearest, ties to even (CUDA C++ `__float2bfloat16_rn`). With sm_80 and PTX 7.0
    /// it is `cvt.rn.bf16.f32`, with older ones six integer instructions. A NaN stays a NaN.
    from = backend::bf16_from_f32,
    /// Returns the number, exactly: a shift (CUDA C++ `__bfloat162float`).
    to = |bits: u16| f32::from_bits((bits as u32) << 16);
}
