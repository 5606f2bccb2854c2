//! Integer instructions that Rust has no function for.

use super::backend;

/// Returns the dot product of two vectors of four bytes, `a` and `b`, plus `c` (PTX `dp4a.u32.u32`,
/// CUDA C++ `__dp4a`). If only one byte of `b` is not 0, one instruction extracts a byte of `a`,
/// multiplies it and adds an address.
///
/// ```text
/// a = 04 03 02 01, b = 00 00 80 00, c = 5   ->   02 × 80 + 5 = 0x105
/// ```
#[inline(always)]
pub fn dp4a(a: u32, b: u32, c: u32) -> u32 {
    backend::dp4a(a, b, c)
}

/// Returns the high word of the 64 bits `high`, `low`, shifted left by `shift` < 32 (PTX
/// `shf.l.wrap.b32`, CUDA C++ `__funnelshift_l`).
///
/// ```text
/// high = 00000001, low = 80000000, shift = 1   ->   00000003
/// ```
#[inline(always)]
pub fn funnel_shift_left(low: u32, high: u32, shift: u32) -> u32 {
    backend::funnel_shift_left(low, high, shift)
}

/// Returns the low word of the 64 bits `high`, `low`, shifted right by `shift` < 32 (PTX
/// `shf.r.wrap.b32`, CUDA C++ `__funnelshift_r`).
///
/// ```text
/// high = 00000001, low = 80000000, shift = 31   ->   00000003
/// ```
#[inline(always)]
pub fn funnel_shift_right(low: u32, high: u32, shift: u32) -> u32 {
    backend::funnel_shift_right(low, high, shift)
}

/// Returns `number` and hides its value from LLVM. LLVM unrolls a loop of 4 iterations, but not a
/// loop of `opaque(4)` iterations. It is an empty `mov`.
#[inline(always)]
pub fn opaque(number: u32) -> u32 {
    backend::opaque(number)
}

/// Computes any logic operation of three operands in one instruction (PTX `lop3.b32`). `TABLE` is
/// its truth table: the operation applied to the three bytes [`LOP3_A`], [`LOP3_B`] and [`LOP3_C`].
/// The compiler often merges several operators of an expression into one such instruction; this
/// function is for expressions where it should not choose.
///
/// ```
/// use simt_std::integer::{LOP3_A, LOP3_B, LOP3_C, lop3};
///
/// let choice = lop3::<{ (LOP3_A & LOP3_B) | (!LOP3_A & LOP3_C) }>(0b1100, 0b1010, 0b0110);
/// assert_eq!(choice, 0b1010);
/// ```
#[inline(always)]
pub fn lop3<const TABLE: u8>(a: u32, b: u32, c: u32) -> u32 {
    backend::lop3::<TABLE>(a, b, c)
}

/// The first operand of [`lop3`] in its truth table.
pub const LOP3_A: u8 = 0xf0;
/// The second operand of [`lop3`] in its truth table.
pub const LOP3_B: u8 = 0xcc;
/// The third operand of [`lop3`] in its truth table.
pub const LOP3_C: u8 = 0xaa;
