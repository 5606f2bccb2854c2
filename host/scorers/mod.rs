//! Scores of two strings: distances other than [`distance`](crate::distance), and ratios from 0 to
//! 100, as fuzzy matching of names and records uses them.
//!
//! ```
//! use carrywave::scorers::{Kind, Parameters, named};
//!
//! let scorer = named("token-sort-ratio")?;
//! let best = scorer.prepare(&"wave carry", &Parameters::default())?;
//! assert_eq!(best.score(Kind::Similarity, &"carry  wave", None)?.value(), 100.0);
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! Names, definitions and rounding are those of the Python package rapidfuzz, so scores are equal
//! to the last bit.
//!
//! | file | what |
//! |---|---|
//! | `scorer` | a scorer, and a prepared string: [`Scorer`], [`Prepared`] |
//! | `kind` | kinds of scores, and a score: [`Kind`], [`Score`] |
//! | `table` | all scorers: [`SCORERS`], [`named`] |
//! | `levenshtein`, `indel`, `lcs`, `hamming` | distances in whole numbers |
//! | `osa`, `damerau`, `prefix`, `postfix` | distances in whole numbers |
//! | `jaro`, `jaro_winkler` | similarities from 0 to 1 |
//! | `lanes`, `pair_lanes` | one string and several others at a time |
//! | `damerau_lanes`, `jaro_lanes` | the same, for two scorers |
//! | `ratio`, `partial_ratio`, `weighted_ratio` | similarities from 0 to 100 |
//! | `token_ratios`, `partial_token_ratios` | similarities of words, from 0 to 100 |
//! | `default_process` | text without upper case and punctuation |
//! | `parameters` | parameters of scorers: [`Parameters`], [`Weights`] |
//! | `of_pairs`, `by_pairs`, `values` | scores from the distances of many pairs |
//! | `of_columns` | scores of columns in the memory of a GPU |
//! | `common` | the LCS length of two strings of any symbols |
//! | `edit_distance` | the edit distance of two strings of any symbols |
//! | `word_characters` | letters and digits |
//! | `words` | the words of a string |
//! | `text` | strings that scorers keep |

mod by_pairs;
mod common;
mod damerau;
mod damerau_lanes;
mod default_process;
mod edit_distance;
mod hamming;
mod indel;
mod jaro;
mod jaro_lanes;
mod jaro_winkler;
mod kind;
mod lanes;
mod lcs;
mod levenshtein;
#[cfg(test)]
mod naive;
mod of_columns;
mod of_pairs;
mod osa;
mod pair_lanes;
mod parameters;
mod partial_ratio;
mod partial_token_ratios;
mod postfix;
mod prefix;
mod ratio;
mod scorer;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod token_ratios;
mod values;
mod weighted_ratio;
mod word_characters;
mod words;

pub use default_process::default_process;
pub use kind::{Kind, Score};
pub use parameters::{Parameters, Weights};
pub use partial_ratio::{PartialAlignment, partial_ratio_alignment};
pub use scorer::{Prepared, Scorer};
pub use table::{SCORERS, named};
pub use text::ProcessedText;
pub use words::sorted_words;
