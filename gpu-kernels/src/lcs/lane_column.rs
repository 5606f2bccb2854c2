//! One column of the LCS table in one lane. The lane's W words of the bit-vector form one number of
//! 32 W bits.
//!
//! **Recurrence** (Crochemore, Iliopoulos, Pinzon and Reid 2001; [`lcs`](crate::lcs) shows the
//! table). V holds the lane's rows, and M the rows that match the column's symbol:
//! V' = (V + (V & M) + carry in) | (V & !M). The carry in comes from the lane with the rows below,
//! and the carry out goes to the lane with the rows above. Within the lane, the hardware's carry
//! flag passes the carry from word to word:
//!
//! ```text
//!                word W - 1    …      word 1        word 0
//! carry out <-  u + V      <-  …  <- u + V      <- u + V      <- carry in         u = V & M
//! (a bit of a packed word)                                       (a bit of a packed word)
//! ```
//!
//! Lanes exchange the carries of a tile of columns, up to 32, packed into one word with the first
//! column in the highest bit. Doubling the word of carries in moves its highest bit into the carry
//! flag. After the column, doubling the word of carries out moves the flag into its lowest bit.
//!
//! **The instructions**, for W = 2. They form one `asm!` block, since nothing between them may
//! change the carry flag. Operands are numbered by position: 0 and 1 are the packed carries,
//! followed by V and M of each word.
//!
//! ```text
//! operands   {0} carries in    {1} carries out
//!            {2} V of word 0   {3} M of word 0
//!            {4} V of word 1   {5} M of word 1
//!
//! add.cc.u32   {0}, {0}, {0}          the flag = the next carry in
//! and.b32      u, {2}, {3}            word 0: u = V & M
//! addc.cc.u32  s, u, {2}                      s = u + V + flag; the flag = its overflow
//! lop3.b32     {2}, s, {2}, u, 0xf6           V' = s | (V ^ u) in one instruction: V ^ u is V & !M
//! and.b32      u, {4}, {5}            word 1: the same
//! addc.cc.u32  s, u, {4}
//! lop3.b32     {4}, s, {4}, u, 0xf6
//! addc.u32     {1}, {1}, {1}          carries out = 2 × carries out + flag
//! ```
//!
//! M is used only once. So if M is itself the AND of two words, ptxas merges both ANDs into one
//! LOP3.
//!
//! **Cost.** 3 instructions per word and column (LOP3, IADD3.X, LOP3 in the machine code), and 2
//! per column for the carries.

/// A lane with W words of the bit-vector, 32 W rows. The type only selects the step of that width.
#[derive(Debug, Clone, Copy)]
pub struct Lane<const W: usize>;

/// The step of a lane from one column to the next. W is 1 to 20.
pub trait LaneColumn<const W: usize> {
    /// Replaces V by V'. `v` holds the lane's words, lowest first, and `matches` the match words M
    /// of the column's symbol. The carry in is the highest bit of `carries_in`, which is shifted up
    /// by one. `carries_out` is also shifted up by one, and the carry out becomes its lowest bit.
    fn step(v: &mut [u32; W], matches: &[u32; W], carries_in: &mut u32, carries_out: &mut u32);

    /// Takes a column that may be past the end of the table. The column exists if the highest bit
    /// of `exist` is set; `exist` is shifted up by one. For a column that does not exist, M counts
    /// as 0 and the carry in must be 0: V then stays the same, and the carry out is 0. Apart from
    /// that it is [`step`](Self::step). It costs no more instructions per word, since V & M & mask
    /// is one LOP3, and 2 more per column for the mask.
    fn step_if(exist: &mut u32, v: &mut [u32; W], matches: &[u32; W], carries_in: &mut u32, carries_out: &mut u32);
}

/// The assembly of a column, as the head of this file shows it. A list such as `[0 2 3], [1 4 5]`
/// has the index and the two operand numbers of each word: V of word 1 is operand 4, and its match
/// word is operand 5. The list is explicit because a macro can put a literal into the assembly's
/// text, but cannot count.
///
/// `and: "and.b32" ""` computes u = V & M. `and: "lop3.b32" ", {mask}, 0x80", mask: mask` also ANDs
/// a third operand.
#[cfg(target_arch = "nvptx64")]
macro_rules! column {
    (
        [$($w:literal $v_number:literal $m_number:literal),*] $v:ident $matches:ident $carries_in:ident $carries_out:ident,
        and: $and:literal $more:literal $(, mask: $mask:ident)?
    ) => {
        core::arch::asm!(
            // Moves the next carry in into the flag.
            "add.cc.u32 {0}, {0}, {0};",
            $(concat!(
                "{{ .reg .b32 u, s; ",
                $and, " u, {", $v_number, "}, {", $m_number, "}", $more, "; ",
                "addc.cc.u32 s, u, {", $v_number, "}; ",
                // s | (V ^ u)
                "lop3.b32 {", $v_number, "}, s, {", $v_number, "}, u, 0xf6; }}",
            ),)*
            // Moves the flag into the carries out.
            "addc.u32 {1}, {1}, {1};",
            inout(reg32) *$carries_in,
            inout(reg32) *$carries_out,
            $(inout(reg32) $v[$w], in(reg32) $matches[$w],)*
            $(mask = in(reg32) $mask,)?
            options(pure, nomem, nostack),
        )
    };
}

/// Implements [`LaneColumn`] for a number of words, given the list of words and operands that
/// [`column!`] takes.
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
                // SAFETY: arithmetic on registers. 0x80 is the AND of all three operands.
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

/// Implements [`LaneColumn`] for one word, two words and so on. Each entry is a number of words and
/// the word that it adds to the previous entries: `3 [2 6 7]` adds word 2, with V in operand 6 and
/// the match word in operand 7, and implements the step of 3 words.
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
