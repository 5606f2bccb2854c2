//! Search: where does a pattern occur in a text, with at most k errors?
//!
//! An error is an insertion, a deletion or a substitution of a symbol.
//!
//! ```
//! use carrywave::search::{Pattern, Search};
//!
//! let search = Search::new(Pattern::literal(b"carrywave")).errors(2);
//! let hits = search.hits(b"a carry wave, a carrywaves, a carry")?;
//! assert_eq!(hits.len(), 2);
//! assert_eq!((hits[0].start, hits[0].end, hits[0].errors), (2, 12, 1));
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `choice` | which occurrences are hits |
//! | `find` | the job: [`Search`], [`Algorithm`], [`Ends`] |
//! | `hit` | [`Hit`], [`Strand`] |
//! | [`alphabet`] | what a pattern's symbols stand for |
//! | [`pattern`] | a class of symbols for each position |
//! | `records` | ends in each of many records |
//! | `text` | [`Text`]: in memory, or in a file |
//! | `tuning` | [`Tuning`]: of the published algorithms |
//!
//! The algorithms are in [`engine::cpu::search`](crate::engine::cpu::search).
pub mod alphabet;
pub(crate) mod choice;
mod find;
mod hit;
pub mod pattern;
pub(crate) mod records;
mod text;
mod tuning;

pub use alphabet::{Alphabet, SymbolRules, TextCodes};
pub use find::{Algorithm, Ends, Search};
pub use hit::{Hit, Strand};
pub use pattern::{Class, Pattern};
pub use text::Text;
pub use tuning::Tuning;
