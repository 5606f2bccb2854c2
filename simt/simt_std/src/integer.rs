//! Integer instructions that Rust has no name for.

use super::backend;

/// The products of the four bytes of `a` and `b`, summed onto `c` (PTX `dp4a.u32.u32`).
///
/// ```text
/// a = 04 03 02 01, b = 00 00 80 00, c = 5   ->   02 × 80 + 5 = 0x105
/// ```
#[inline(always)]
pub fn dp4a(a: u32, b: u32, c: u32) -> u32 {
    backend::dp4a(a, b, c)
}

/// The same number, of which the compiler knows nothing: with it as the number of turns, a loop stays one.
#[inline(always)]
pub fn opaque(number: u32) -> u32 {
    backend::opaque(number)
}
