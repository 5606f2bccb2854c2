//! The texts that a search goes through: in memory, in files, and in parts as they come.
//!
//! | file | what |
//! |---|---|
//! | `coded` | a search for patterns in codes that they share, with hits in positions of the text |
//! | `whole` | such a search in texts in memory and in files |
//! | `slices` | a text in memory, a slice at a time |
//! | `words` | whole words of lines |
//! | `stream` | [`Hits`]: hits of a text in parts, as they are found |
//! | `parts` | those of one search |
//! | `found` | [`Found`]: a hit with its record |

pub(super) mod coded;
pub(super) mod found;
mod parts;
mod slices;
pub(super) mod stream;
mod whole;
mod words;
