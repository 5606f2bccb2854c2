//! Search: where does a pattern occur in a text, with at most k errors?
//!
//! | file | what |
//! |---|---|
//! | [`alphabet`] | what a pattern's symbols stand for |
//! | [`pattern`] | a class of symbols for each position |
pub mod alphabet;
pub mod pattern;

pub use alphabet::Alphabet;
pub use pattern::{Class, Pattern};
