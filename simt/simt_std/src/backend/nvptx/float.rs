//! Floating-point instructions. LLVM knows those with an intrinsic, and can fold constants; the
//! approximations are one `asm!` each.

use core::arch::asm;

/// The correctly rounded operations of a type.
macro_rules! exact {
    ($module:ident, $t:ty, $($link:literal $name:ident($($operand:ident),*);)*) => {
        pub mod $module {
            $(
                #[inline(always)]
                pub fn $name($($operand: $t),*) -> $t {
                    #[allow(improper_ctypes)]
                    unsafe extern "C" {
                        #[link_name = $link]
                        safe fn intrinsic($($operand: $t),*) -> $t;
                    }
                    intrinsic($($operand),*)
                }
            )*
        }
    };
}

exact! { float32, f32,
    "llvm.sqrt.f32" sqrt(x);
    "llvm.fma.f32" mul_add(x, a, b);
    "llvm.floor.f32" floor(x);
    "llvm.ceil.f32" ceil(x);
    "llvm.trunc.f32" trunc(x);
    "llvm.round.f32" round(x);
    "llvm.roundeven.f32" round_ties_even(x);
}

exact! { float64, f64,
    "llvm.sqrt.f64" sqrt(x);
    "llvm.fma.f64" mul_add(x, a, b);
    "llvm.floor.f64" floor(x);
    "llvm.ceil.f64" ceil(x);
    "llvm.trunc.f64" trunc(x);
    "llvm.round.f64" round(x);
    "llvm.roundeven.f64" round_ties_even(x);
}

/// Approximations of one operand: one instruction each.
macro_rules! approximations {
    ($($name:ident $instruction:literal)*) => {$(
        #[inline(always)]
        pub fn $name(x: f32) -> f32 {
            let result: u32;
            // SAFETY: arithmetic on registers.
            unsafe {
                asm!(concat!($instruction, " {}, {};"),
                    out(reg32) result, in(reg32) x.to_bits(), options(pure, nomem, nostack));
            }
            f32::from_bits(result)
        }
    )*};
}

approximations! {
    ex2_approx "ex2.approx.ftz.f32"
    lg2_approx "lg2.approx.ftz.f32"
    sin_approx "sin.approx.ftz.f32"
    cos_approx "cos.approx.ftz.f32"
    rcp_approx "rcp.approx.ftz.f32"
    rsqrt_approx "rsqrt.approx.ftz.f32"
    sqrt_approx "sqrt.approx.ftz.f32"
}

#[cfg(all(target_feature = "sm_75", target_feature = "ptx70"))]
approximations! { tanh_approx "tanh.approx.f32" }

/// GPUs before sm_75 have no instruction for it. The fraction cancels near 0; there, two terms of
/// the series are exact to 2^-16.
#[cfg(not(all(target_feature = "sm_75", target_feature = "ptx70")))]
#[inline(always)]
pub fn tanh_approx(x: f32) -> f32 {
    let square = x * x;
    if square < 0.01 {
        return float32::mul_add(x * square, -1.0 / 3.0, x);
    }
    // e^2x; 2 log2(e) = 2.885…
    let power = ex2_approx(x * (2.0 * core::f32::consts::LOG2_E));
    float32::mul_add(rcp_approx(power + 1.0), -2.0, 1.0)
}

#[inline(always)]
pub fn div_approx(x: f32, y: f32) -> f32 {
    let result: u32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("div.approx.ftz.f32 {}, {}, {};",
            out(reg32) result, in(reg32) x.to_bits(), in(reg32) y.to_bits(), options(pure, nomem, nostack));
    }
    f32::from_bits(result)
}

#[inline(always)]
pub fn f16_from_f32(x: f32) -> u16 {
    let bits: u16;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("cvt.rn.f16.f32 {}, {};", out(reg16) bits, in(reg32) x.to_bits(), options(pure, nomem, nostack));
    }
    bits
}

#[inline(always)]
pub fn f16_to_f32(bits: u16) -> f32 {
    let result: u32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("cvt.f32.f16 {}, {};", out(reg32) result, in(reg16) bits, options(pure, nomem, nostack));
    }
    f32::from_bits(result)
}

#[cfg(all(target_feature = "sm_80", target_feature = "ptx70"))]
#[inline(always)]
pub fn bf16_from_f32(x: f32) -> u16 {
    let bits: u16;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("cvt.rn.bf16.f32 {}, {};", out(reg16) bits, in(reg32) x.to_bits(), options(pure, nomem, nostack));
    }
    bits
}

#[cfg(not(all(target_feature = "sm_80", target_feature = "ptx70")))]
pub use crate::backend::bf16::bf16_from_f32;
