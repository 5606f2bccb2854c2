//! The longest common subsequence (LCS) of string A, of m symbols, and string B, of n: the last column of its table, as
//! a bit-vector.
//!
//! **The table.** L\[i\]\[j\] is the length of the LCS of A's first i and B's first j symbols; A's symbols are the
//! rows, B's the columns. From row to row a column grows by 0 or 1, so a bit a row holds it: bit i of V is 0 where the
//! length grows from row i to row i + 1 (Crochemore, Iliopoulos, Pinzon and Reid 2001). With M the match vector of the
//! column's symbol, whose bit i is 1 where A's symbol i is that symbol, the next column is
//!
//! ```text
//! V' = (V + (V & M)) | (V & !M)                 V before the first column: all ones; + carries from row 0 upwards
//!
//! A = GATC, B = TGAC
//!
//! L          T  G  A  C       column    T      G      A      C      bits: row 0 first
//!         0  0  0  0  0       M       0010   1000   0100   0001
//! G       0  0  1  1  1       V'      1101   0111   0011   0010     3 zeros in the last V: the LCS has 3 symbols, GAC
//! A       0  0  1  2  2
//! T       0  1  1  2  2
//! C       0  1  1  2  3
//! ```
//!
//! A word holds 32 rows, and all of V is two logic instructions and an addition a word. The addition is what the
//! kernels differ in, since a carry may run through all rows: across the lanes of a warp at once ([`block_step`](crate::published::block_step)), or
//! from one lane to the next, which is a step behind ([`wavefront`]).
//!
//! For the subsequence itself Hirschberg's recursion (1975) cuts the table into halves at a column. [`split`](crate::align::split) finds the
//! row of the cut from the last columns of both halves.
//!
//! | module | what |
//! |---|---|
//! | [`wavefront`] | the fastest kernel here: each lane works a tile of columns behind the lane below it |
//! | [`lane_column`] | its inner step: one column in one lane |
//! | [`digits`] | codes cut into digits, by which it takes large alphabets |
//! | [`column_tiles`], [`row_planes`] | the strings, made ready for it |

pub mod column_tiles;
pub mod digits;
pub mod lane_column;
pub mod row_planes;
pub mod wavefront;
