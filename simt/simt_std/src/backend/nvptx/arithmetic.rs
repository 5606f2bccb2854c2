//! Arithmetic that has no LLVM operation: one instruction each.

use core::arch::asm;

#[inline(always)]
pub fn dp4a(a: u32, b: u32, c: u32) -> u32 {
    let sum: u32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("dp4a.u32.u32 {}, {}, {}, {};",
            out(reg32) sum, in(reg32) a, in(reg32) b, in(reg32) c, options(pure, nomem, nostack));
    }
    sum
}

#[inline(always)]
pub fn lop3<const TABLE: u8>(a: u32, b: u32, c: u32) -> u32 {
    let result: u32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("lop3.b32 {}, {}, {}, {}, {};",
            out(reg32) result, in(reg32) a, in(reg32) b, in(reg32) c, const TABLE, options(pure, nomem, nostack));
    }
    result
}

#[inline(always)]
pub fn funnel_shift_left(low: u32, high: u32, shift: u32) -> u32 {
    let word: u32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("shf.l.wrap.b32 {}, {}, {}, {};",
            out(reg32) word, in(reg32) low, in(reg32) high, in(reg32) shift, options(pure, nomem, nostack));
    }
    word
}

#[inline(always)]
pub fn funnel_shift_right(low: u32, high: u32, shift: u32) -> u32 {
    let word: u32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("shf.r.wrap.b32 {}, {}, {}, {};",
            out(reg32) word, in(reg32) low, in(reg32) high, in(reg32) shift, options(pure, nomem, nostack));
    }
    word
}

#[inline(always)]
pub fn opaque(mut number: u32) -> u32 {
    // SAFETY: an empty instruction.
    unsafe { asm!("mov.b32 {0}, {0};", inout(reg32) number, options(nomem, nostack)) };
    number
}
