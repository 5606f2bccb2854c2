//! One column of the LCS table in one lane: W words of the bit-vector as one number of 32 W bits.
//!
//! With V the lane's rows, M those that match the column's symbol, and a carry from the rows below (Crochemore et al.
//! 2001), V' = (V + (V & M) + carry in) | (V & !M):
//!
//! ```text
//!                word W - 1    …      word 1        word 0
//! carry out <-  u + V      <-  …  <- u + V      <- u + V      <- carry in         u = V & M
//! (a bit of a packed word)                                       (a bit of a packed word)
//! ```
//!
//! Carries of successive columns are packed in a word, the first column in the highest bit: doubling the word hands its
//! next bit to the carry flag, and takes the flag in at the other end.
//!
//! **Cost.** 3 instructions a word and column (LOP3, IADD3.X, LOP3), and 2 a column for the carries.

/// A lane with W words.
#[derive(Debug, Clone, Copy)]
pub struct Lane<const W: usize>;

/// The step of a lane to its next column.
pub trait LaneColumn<const W: usize> {
    /// Takes `v` past a column whose match words are `matches`. The carry in is the highest bit of `carries_in`, which
    /// moves up by one; the carry out moves into `carries_out` from below.
    fn step(v: &mut [u32; W], matches: &[u32; W], carries_in: &mut u32, carries_out: &mut u32);

    /// [`step`](Self::step) if the highest bit of `exist` is set, which moves up by one as well. Where it is not, the
    /// carry in has to be 0: with no match V stays, and the carry out is 0. Costs no more instructions a word.
    fn step_if(exist: &mut u32, v: &mut [u32; W], matches: &[u32; W], carries_in: &mut u32, carries_out: &mut u32);
}

/// The assembly of a column, one block, since nothing may come between and use the carry flag. Operands: 0 and 1 are the
/// packed carries in and out; word w's bits `v` and match word `m` have the numbers that stand in its brackets, so that the
/// text of the assembly can name them. `and` makes u = V & M of them; where more than that is to be and-ed, it names it.
#[cfg(target_arch = "nvptx64")]
macro_rules! column {
    (
        [$($w:literal $v_number:literal $m_number:literal),*] $v:ident $matches:ident $carries_in:ident $carries_out:ident,
        and: $and:literal $more:literal $(, mask: $mask:ident)?
    ) => {
        core::arch::asm!(
            // The next carry in, into the flag.
            "add.cc.u32 {0}, {0}, {0};",
            $(concat!(
                "{{ .reg .b32 u; ",
                $and, " u, {", $v_number, "}, {", $m_number, "}", $more, "; ",
                "addc.cc.u32 u, u, {", $v_number, "}; ",
                // u | (V & !M)
                "lop3.b32 {", $v_number, "}, u, {", $v_number, "}, {", $m_number, "}, 0xf4; }}",
            ),)*
            // The flag, into the carries out.
            "addc.u32 {1}, {1}, {1};",
            inout(reg32) *$carries_in,
            inout(reg32) *$carries_out,
            $(inout(reg32) $v[$w], in(reg32) $matches[$w],)*
            $(mask = in(reg32) $mask,)?
            options(pure, nomem, nostack),
        )
    };
}

/// Implements the step for a number of words, given each word and the numbers of its operands in the assembly.
macro_rules! lane_column {
    ($words:literal: $([$w:literal $v:literal $m:literal])*) => {
        impl LaneColumn<$words> for Lane<$words> {
            #[inline(always)]
            #[cfg(target_arch = "nvptx64")]
            fn step(v: &mut [u32; $words], matches: &[u32; $words], carries_in: &mut u32, carries_out: &mut u32) {
                // SAFETY: arithmetic on registers.
                unsafe { column!([$($w $v $m),*] v matches carries_in carries_out, and: "and.b32" "") };
            }

            #[inline(always)]
            fn step_if(
                exist: &mut u32,
                v: &mut [u32; $words],
                matches: &[u32; $words],
                carries_in: &mut u32,
                carries_out: &mut u32,
            ) {
                let mask = (*exist as i32 >> 31) as u32;
                *exist <<= 1;
                // SAFETY: arithmetic on registers. 0x80: all three.
                #[cfg(target_arch = "nvptx64")]
                unsafe {
                    column!([$($w $v $m),*] v matches carries_in carries_out, and: "lop3.b32" ", {mask}, 0x80", mask: mask)
                };
                #[cfg(not(target_arch = "nvptx64"))]
                Self::step(v, &matches.map(|m| m & mask), carries_in, carries_out);
            }

            #[cfg(not(target_arch = "nvptx64"))]
            fn step(v: &mut [u32; $words], matches: &[u32; $words], carries_in: &mut u32, carries_out: &mut u32) {
                let mut carry = *carries_in >> 31 == 1;
                *carries_in <<= 1;
                for (v, m) in v.iter_mut().zip(matches) {
                    let sum;
                    (sum, carry) = v.carrying_add(*v & m, carry);
                    *v = sum | *v & !m;
                }
                *carries_out = *carries_out << 1 | u32::from(carry);
            }
        }
    };
}

/// Implements the step for every number of words up to that of the operands given: `3 [2 6 7]` adds word 2, whose V is
/// operand 6 and whose match word is operand 7, to those before it, and is the step of 3 words.
macro_rules! lane_columns {
    ([$($done:tt)*]) => {};
    ([$($done:tt)*] $words:literal $operands:tt $($more:tt)*) => {
        lane_column!($words: $($done)* $operands);
        lane_columns!([$($done)* $operands] $($more)*);
    };
}

lane_columns! {
    []
    1 [0 2 3] 2 [1 4 5] 3 [2 6 7] 4 [3 8 9] 5 [4 10 11] 6 [5 12 13] 7 [6 14 15] 8 [7 16 17] 9 [8 18 19]
    10 [9 20 21] 11 [10 22 23] 12 [11 24 25] 13 [12 26 27] 14 [13 28 29] 15 [14 30 31] 16 [15 32 33]
    17 [16 34 35] 18 [17 36 37] 19 [18 38 39] 20 [19 40 41]
}
