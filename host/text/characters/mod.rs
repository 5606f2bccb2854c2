//! Characters as symbols: each character of a UTF-8 text becomes one byte, its code, so that code
//! that compares bytes compares characters.
//!
//! | file | what |
//! |---|---|
//! | `codes` | `Characters`: a code for each character, made for some patterns |
//! | `table` | the table of codes |
//! | `kinds` | kinds of characters: characters that no pattern distinguishes |
//! | `set` | sets of characters, and the characters that `-i` adds to them |
//! | `pattern` | [`CharacterPattern`]: a set of characters for each position |
//! | `coded` | `Coded`: a text in codes, and the position of each of its symbols among the bytes |
//! | `places` | positions of symbols among bytes |
//! | `utf8` | characters in UTF-8 texts, also in texts that are not valid everywhere |
//! | `parts` | `CodedParts`: a text that comes in parts |
//! | `shared_codes` | patterns with more kinds of characters than there are codes |
//! | `pair` | [`CharacterPair`], [`code_pair`]: two strings to compare with one another |
//! | `groups` | `PatternGroup`: any number of patterns, in groups that have codes of their own |
//! | `text_pattern` | [`TextPattern`]: a pattern of characters or of bytes |
//! | `numbers` | [`numbers_of`]: strings with any number of different characters |
//!
//! ASCII is its own code, so a text in ASCII is searched as it is. Characters that no pattern
//! distinguishes share a code. Those in none of the patterns share a code that only `.` or a class
//! such as `[^a]` matches; those of `[а-я]` share a code if no pattern has one of them by itself. A
//! byte outside any UTF-8 character is a symbol of its own, with the code of the characters in no
//! pattern.
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
