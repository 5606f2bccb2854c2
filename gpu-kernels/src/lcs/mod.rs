//! The longest common subsequence (LCS) of string A, of m symbols, and string B, of n symbols:
//! computes the last column of its table as a bit-vector.
//!
//! **The table.** L\[i\]\[j\] is the length of the LCS of A's first i and B's first j symbols; A's
//! symbols are the rows, B's the columns. From row to row a column grows by 0 or 1, so one bit per
//! row represents it: bit i of V is 0 if the length grows from row i to row i + 1 (Crochemore,
//! Iliopoulos, Pinzon and Reid 2001). M is the match vector of the column's symbol: bit i is 1 if
//! A's symbol i equals it. The next column is
//!
//! ```text
//! V' = (V + (V & M)) | (V & !M)     V before the first column: all ones
//!                                   + carries from row 0 upwards
//!
//! A = GATC, B = TGAC
//!
//! L          T  G  A  C       column    T      G      A      C      bits: row 0 first
//!         0  0  0  0  0       M       0010   1000   0100   0001
//! G       0  0  1  1  1       V'      1101   0111   0011   0010     3 zeros in the last V:
//! A       0  0  1  2  2                                             the LCS has 3 symbols, GAC
//! T       0  1  1  2  2
//! C       0  1  1  2  3
//! ```
//!
//! A word holds 32 rows, and computing V' takes two logic instructions and an addition per word.
//! The kernels differ in the addition, since a carry may run through all rows.
//! [`block_step`](crate::published::block_step) carries across all lanes of a warp at once; in
//! [`wavefront`], each lane is a step behind the lane that its carries come from.
//!
//! To find the subsequence itself, Hirschberg's recursion (1975) cuts the table into halves at a
//! column. [`split`](crate::align::split) finds the row of the cut from the last columns of both
//! halves.
//!
//! | module | content |
//! |---|---|
//! | [`wavefront`] | the fastest kernel here: each lane is a tile of columns behind the one below |
//! | [`lane_column`] | the inner step of the wavefront: one column in one lane |
//! | [`digits`] | the split of codes into digits, for large alphabets |
//! | [`column_tiles`], [`row_planes`] | preparation of the strings for the wavefront |

pub mod column_tiles;
pub mod digits;
pub mod lane_column;
pub mod row_planes;
pub mod wavefront;
