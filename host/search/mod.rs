//! Search: where does a pattern occur in a text, with at most k errors?
//!
//! An error is an insertion, a deletion or a substitution of a symbol.
//!
//! ```
//! use carrywave::search::Search;
//! use carrywave::text::Pattern;
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
//! | `find` | [`Search`]: the job, as its user tells it |
//! | `settings` | the settings of a search |
//! | `algorithm` | [`Algorithm`]: the algorithms by name |
//! | `engines` | the engine that has the patterns |
//! | `prepared` | a search with its engine |
//! | `searcher` | [`Searcher`]: a search that is ready for one text after the other |
//! | `coded_search` | a search for patterns in codes that they share, with hits in positions of the text |
//! | `texts` | such a search in texts in memory and in files |
//! | `words` | whole words of lines |
//! | `stream` | [`Hits`]: hits of a text in parts, as they are found |
//! | `part_hits` | those of one search |
//! | `found` | [`Found`]: a hit with its record |
//! | `resident` | [`ResidentText`]: a text that stays on a GPU |
//! | `hit` | [`Hit`] |
//! | `align` | [`Aligner`]: where the errors of a hit are |
//! | `bounds` | which errors a search allows |
//! | `chains` | ends that are decided together |
//! | `checked` | ends within limits by kind |
//! | `groups` | hits of ends that come some at a time |
//! | `occurrence` | [`Ends`]: which occurrences are hits |
//! | `searched` | a pattern with its strands and limits |
//! | `choice` | chooses among the occurrences of a pattern |
//! | `records` | ends in each of many records |
//! | `slices` | a text in memory, a slice at a time |
//! | `lines` | [`LineHits`]: hits in the lines of a text |
//! | `tuning` | [`Tuning`]: of the published algorithms |
//! | `ends` | what a search asks of an engine |
//! | `cpu` | the processor's algorithms |
//! | `gpu` | those of GPUs and the simulator |
mod algorithm;
mod align;
mod bounds;
mod chains;
mod checked;
mod choice;
mod coded_search;
pub(crate) mod cpu;
pub(crate) mod ends;
mod engines;
mod find;
mod found;
pub(crate) mod gpu;
mod groups;
mod hit;
mod lines;
mod occurrence;
mod part_hits;
mod prepared;
mod records;
mod resident;
mod searched;
mod searcher;
mod settings;
mod slices;
mod stream;
mod texts;
mod tuning;
mod words;

pub use crate::infix::alignment::PatternAlignment;
pub use algorithm::{Algorithm, Occurrences};
pub use align::Aligner;
pub use find::Search;
pub use found::{Context, Found};
pub use hit::Hit;
pub use lines::{HitLine, LineHits};
pub use occurrence::Ends;
pub use resident::{ResidentText, Source};
pub use searcher::Searcher;
pub use stream::Hits;
pub use tuning::Tuning;
