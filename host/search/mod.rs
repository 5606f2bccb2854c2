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
//! | `find` | [`Search`]: the job, as its user tells it |
//! | `settings` | the settings of a search |
//! | `algorithm` | [`Algorithm`]: the algorithms by name |
//! | `engines` | the engine that has the patterns |
//! | `prepared` | a search with its engine |
//! | `searcher` | [`Searcher`]: a search that is ready for one text after the other |
//! | `stream` | [`Hits`]: hits of a text in parts, as they are found |
//! | `merged` | [`MergedHits`]: hits of several searches in one text, merged |
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
//! | `whole` | whole records: all of a record, or line, is the pattern |
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
#[doc(hidden)]
pub mod cpu;
#[doc(hidden)]
pub mod ends;
mod engines;
mod find;
#[doc(hidden)]
pub mod gpu;
mod groups;
mod hit;
mod lines;
mod merged;
mod occurrence;
mod prepared;
mod records;
mod resident;
mod searched;
mod searcher;
mod settings;
mod slices;
mod stream;
mod tuning;
mod whole;

pub use crate::alignment::runs::{Alignment, Operation, Run};
pub use crate::infix::alignment::PatternAlignment;
pub use crate::text::{Alphabet, Class, Pattern, Strand, SymbolRules, Text, TextCodes};
pub use algorithm::{Algorithm, Occurrences};
pub use align::Aligner;
pub use find::Search;
pub use hit::Hit;
pub use lines::{HitLine, LineHits};
pub use merged::{MergedHit, MergedHits, merge};
pub use occurrence::Ends;
pub use resident::{ResidentText, Source};
pub use searcher::Searcher;
pub use stream::{Found, Hits};
pub use tuning::Tuning;
