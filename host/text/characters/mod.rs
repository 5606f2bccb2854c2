//! Characters as symbols: in a text in UTF-8 each becomes one byte, its code, so that all that
//! compares bytes compares characters.
//!
//! | file | what |
//! |---|---|
//! | `codes` | `Characters`: a code for each character, made for some patterns |
//! | `table` | the table of codes |
//! | `kinds` | kinds of characters: those that no pattern tells apart |
//! | `set` | sets of characters, and what `-i` adds to them |
//! | `pattern` | [`CharacterPattern`]: a set of characters for each position |
//! | `coded` | `Coded`: a text in codes, and where each of its symbols is among the bytes |
//! | `places` | where symbols are among bytes |
//! | `utf8` | characters in UTF-8 as bytes have them |
//! | `parts` | `CodedParts`: a text that comes in parts |
//! | `shared_codes` | patterns with more kinds of characters than there are codes |
//! | `pair` | [`CharacterPair`], [`code_pair`]: two strings to be compared with one another |
//! | `groups` | `PatternGroup`: any number of patterns, in groups that have codes of their own |
//! | `text_pattern` | [`TextPattern`]: a pattern of characters or of bytes |
//! | `numbers` | [`numbers_of`]: strings of any number of kinds of characters |
//!
//! ASCII is its own code, so that a text in ASCII is searched as it is. All characters that no
//! pattern tells apart have one code: those that are in none of the patterns share a code that `.`
//! alone matches, or `[^a]`; and so do those of `[а-я]`, where no pattern has one of them by
//! itself. A byte that is no part of a character in UTF-8 is a symbol by itself, which the same
//! code stands for as for characters that are in no pattern.
//!
//! A [`Search`](crate::search::Search) and a [`Best`](crate::best::Best) take patterns of
//! characters, and code texts themselves.

mod coded;
mod codes;
mod groups;
mod kinds;
mod numbers;
mod pair;
mod parts;
mod pattern;
mod places;
mod set;
mod shared_codes;
mod table;
mod text_pattern;
mod utf8;

pub(crate) use coded::Coded;
pub(crate) use codes::Characters;
pub(crate) use groups::PatternGroup;
pub use numbers::numbers_of;
pub use pair::{CharacterPair, SHARED, code_pair, in_one_case};
pub(crate) use parts::{CodedParts, Located};
pub use pattern::CharacterPattern;
pub use table::CODES;
pub use text_pattern::TextPattern;
