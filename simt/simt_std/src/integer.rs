//! Instructions on integers that Rust has no name for.

use super::backend;

/// The dot product of two vectors of four bytes, `a` and `b`, added to `c` (PTX `dp4a.u32.u32`, CUDA C++ `__dp4a`).
/// With one byte of `b` set it also takes a byte out of `a`, multiplies it, and adds an address, in one instruction.
///
/// ```text
/// a = 04 03 02 01, b = 00 00 80 00, c = 5   ->   02 × 80 + 5 = 0x105
/// ```
#[inline(always)]
pub fn dp4a(a: u32, b: u32, c: u32) -> u32 {
    backend::dp4a(a, b, c)
}

/// Returns `number`, and hides from LLVM which one it is. A loop of `opaque(4)` turns stays a loop, where LLVM would
/// unroll one of 4. It is an empty `mov`.
#[inline(always)]
pub fn opaque(number: u32) -> u32 {
    backend::opaque(number)
}
