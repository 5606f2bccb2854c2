//! Many tables at once: bit t of a vector is a cell of table t.
//!
//! ```text
//!            columns in registers
//!           +---+---+---+---+---+             +---+---+---+ ...
//!   row 0   | > | > | > | > | > | vertical    |   |   |
//!           +---+---+---+---+---+ differences +---+---+
//!   row 1   | > | > | > | > | > | in memory   |   |    the next block of columns, which
//!           +---+---+---+---+---+      ->     +---+    takes up the vertical differences
//!   row 2   | > | > | > | > | > |             |        that this one leaves
//!           +---+---+---+---+---+             +
//!             horizontal differences, from row to row in registers
//! ```
//!
//! A cell of all tables is computed by a few logic instructions ([`Recurrence`]), as the bits are
//! independent. The distance of a table is a count of the horizontal differences in its last row,
//! with a number for each lane whose bits are vectors ([`Counter`]). A symbol is compared with 512
//! others
//!
//! - by a load, if all tables have the same row string ([`shared`]): a block of columns prepares a
//!   vector for each symbol and column, which serves all rows of all patterns ([`columns`]);
//! - by one instruction for each bit that distinguishes symbols ([`listed`]), if each table has
//!   strings of its own.
//!
//! Cost, with AVX-512: 5 (Levenshtein), 7 (OSA) or 2 (LCS) instructions for 512 cells, and a load
//! or an instruction a bit; a load and a store of the vertical differences for each row of a block.
//! All tables of a group take the time of the longest strings.
//!
//! With a maximum k, only the cells of alignments of at most k operations are computed (E. Ukkonen,
//! Algorithms for approximate string matching, 1985): with n - m = d, at most (k + d) / 2 to the
//! right of the diagonal and (k - d) / 2 below it. Above and to the left of them D is assumed to
//! increase, so that no distance becomes too small, and those up to k stay right. A block's last
//! row may then be above the strings' last row. From a block to the next one's last row D increases
//! by one a row, so that the distance is still a count of horizontal differences, in each block's
//! own last row.

mod by_recurrence;
mod columns;
mod listed;
mod of_bytes;
mod of_codes;
mod shared;
mod table;

pub(super) use columns::Symbol;
pub(super) use listed::listed;
pub(super) use shared::shared;
