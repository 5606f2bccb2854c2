//! Search with up to three errors, at nearly the speed of memory where the patterns' symbols are rare enough: a filter for
//! pieces of the patterns (Wu and Manber 1992, section 4), and the automaton where it lets something through.
//!
//! **Idea.** Cut a pattern into k + 1 pieces. Each of k errors is in one piece, so an occurrence with k errors has one
//! piece as it is (the pigeonhole principle). So it is enough to look for pieces without errors, and to let the automaton
//! of [`packed`](crate::search::packed) look at the text near them. Two kernels, one after the other:
//!
//! ```text
//! pattern, k = 1     |--- piece 0 ---|--- piece 1 ---|
//!
//! text               . . . . . . . [piece 1] . . . . . . . . . . . . . . . . . . .
//! grams              0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0      a bit for 16 symbols
//! blocks             0 0 1 1 0 0 0 0            64 symbols each: where an occurrence with this piece may end
//! ```
//!
//! [`grams`] looks for strings of 4 or 8 symbols of the pieces; [`blocks`] runs the automaton through the blocks in which an
//! occurrence may end. Both work on *tiles* of 2,048 symbols.

pub mod blocks;
pub mod grams;
mod tiles;

pub use tiles::{BLOCK, TILE};
