//! The texts that a search reads: in memory, in files, and in parts as they arrive.
//!
//! | file | what |
//! |---|---|
//! | `coded` | a search for patterns that share codes, with hits in positions of the text |
//! | `whole` | such a search in texts in memory and in files |
//! | `slices` | a text in memory, one slice at a time |
//! | `words` | whole words of lines |
//! | `stream` | [`Hits`]: hits of a text in parts, as they are found |
//! | `parts` | the hits of a single search in such a text |
//! | `found` | [`Found`]: a hit with its record |

pub(super) mod coded;
pub(super) mod found;
mod parts;
mod slices;
pub(super) mod stream;
mod whole;
mod words;
