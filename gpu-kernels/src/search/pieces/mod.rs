//! Search with up to three errors at nearly memory throughput if the patterns' symbols are rare
//! enough: a filter for pieces of the patterns (Wu and Manber 1992, section 4), and the automaton
//! for the parts of the text that pass it.
//!
//! **Idea.** Cut a pattern into k + 1 pieces. Each of k errors is in one piece, so an occurrence
//! with k errors contains at least one piece without an error (the pigeonhole principle). So it is
//! enough to search for pieces without errors, and to run the automaton of
//! [`packed`](crate::search::packed) on the text near them. Two kernels, one after the other, do
//! this:
//!
//! ```text
//! pattern, k = 1     |--- piece 0 ---|--- piece 1 ---|
//!
//! text               . . . . . . . [piece 1] . . . . . . . . . . . . . . . . . . .
//! grams              0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! blocks             0 0 1 1 0 0 0 0
//!
//! grams     one bit per 16 symbols
//! blocks    64 symbols each: where an occurrence with this piece may end
//! ```
//!
//! [`grams`] searches for strings of 4 or 8 symbols of the pieces. [`blocks`] runs the automaton on
//! the blocks where an occurrence may end. Both process *tiles* of 2,048 symbols.

pub mod blocks;
pub mod grams;
mod tiles;

pub use tiles::{BLOCK, TILE};
