//! The distance of two similar strings, exactly, without most of the table: edit distance, or the
//! indel distance, which gives the LCS.
//!
//! 1. `seeds` and `guide`: parts of B that occur exactly once in A guide the alignment, and parts
//!    that do not occur give a lower bound on its cost.
//! 2. `bounds`: lower bounds on the cost of the rest of an alignment, from any column on.
//! 3. `band`: the cheapest alignment in a band of rows around the guide, in blocks of columns
//!    (`block`; its inner loop is `strip`).
//! 4. `search`: widens the band until the bounds prove that it has the cheapest alignment.
//! 5. `way_back`: the script, traced from the end back.
//!
//! ```text
//!          columns
//!       +--+
//!       |  |--+           A block's rows are a rectangle. A path leaves the rows only from cells
//!       |  |  |--+        of their edges: from the last row down, or from rows that the next
//!       +--|  |  |--+     block no longer has to the right.
//!          +--|  |  |
//!             +--|  |
//!                +--+
//! ```
//!
//! **Why the result is exact.** Let d be the cost of the cheapest path that stays in the rows.
//! Every other path leaves them, for the first time from a cell of an edge. Up to there it stays in
//! the rows, so it costs at least the computed value of that cell; and the rest costs at least its
//! bound. If the sum is at least d for all cells of the edges, no path is cheaper than d. If it is
//! below d somewhere, the rows become wider there by the difference, and the band is computed
//! again.
//!
//! The scheme is that of A*PA2 (R. Groot Koerkamp, A*PA2: up to 19x faster exact global alignment,
//! WABI 2024), and of Ukkonen's bands (1985) before it: blocks of 256 columns, Myers' words on
//! anti-diagonals, columns between blocks kept for tracing back. The bound is different. A seed of
//! 13 symbols that does not occur shows one error, but at high error rates many seeds have two. The
//! cheapest alignment of a part of 2,048 columns with free ends counts all errors except some at
//! its ends. So a band of a few hundred rows suffices for a million symbols, at 1 % and at 5 % of
//! errors.

mod band;
mod block;
mod bounds;
mod costs;
mod guide;
mod packing;
mod search;
mod seeds;
mod strip;
mod way_back;

pub use costs::Costs;
#[cfg(test)]
pub(crate) use costs::script_cost;
pub use search::{Answer, Request, similar};
pub(crate) use way_back::{KnownColumn, Path, way_back};
