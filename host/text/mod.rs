//! Texts and patterns, the inputs of all problems.
//!
//! | file | what |
//! |---|---|
//! | `pattern` | a pattern: a set of symbols for each position |
//! | `class` | a set of bytes: [`Class`] |
//! | `alphabet` | the meaning of a pattern's symbols: bytes, nucleotides, amino acids |
//! | `classes` | patterns with classes such as `[a-z]` |
//! | [`characters`] | characters in UTF-8 as symbols |
//! | `equality`(mod@equality) | the relation of symbols that count as equal |
//! | `fixed` | positions of a pattern that must match |
//! | [`parts`] | a text that comes in parts |
//! | `period`(mod@period) | the period of a string, and witnesses against other shifts |
//! | `read` | a read of a sequencer, with its qualities: [`Read`] |
//! | `source` | [`Text`]: bytes in memory, or in a file that may be larger than memory |
//! | `strand` | the reverse complement, and an estimate of the strand that is similar |
//! | [`numbered`] | items of any type as numbers |
//! | `units` | a text as lines, words, characters or grapheme clusters: [`Units`] |
pub(crate) mod alphabet;
pub mod characters;
mod class;
mod classes;
pub(crate) mod equality;
mod fixed;
pub mod numbered;
pub mod parts;
pub(crate) mod pattern;
pub(crate) mod period;
mod read;
mod source;
pub(crate) mod strand;
mod units;

pub use alphabet::{Alphabet, SymbolRules, TextCodes, complement};
pub use class::Class;
pub use equality::Equality;
pub use pattern::{DistinctClasses, MatchWords, Pattern};
pub use period::{period, witnesses};
pub use read::Read;
pub use source::Text;
pub use strand::{Strand, StrandEstimate, estimate_strand, reverse_complement};
pub use units::{Unit, Units};
