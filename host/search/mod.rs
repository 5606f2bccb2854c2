//! Approximate search: finds where a pattern occurs in a text with at most k errors.
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
//! | `find` | [`Search`]: the job, as the user describes it |
//! | `settings` | the settings of a search |
//! | `algorithm` | [`Algorithm`]: the algorithms by name |
//! | `engines` | the engine that holds the patterns |
//! | `prepared` | a search with its engine |
//! | `searcher` | [`Searcher`]: a search that is ready for many texts |
//! | `texts` | the texts that are searched: in memory, in files, in parts: [`Hits`], [`Found`] |
//! | `hits` | from the ends that an engine finds to hits: [`Hit`], [`Ends`], [`LineHits`] |
//! | `resident` | [`ResidentText`]: a text that stays on a GPU |
//! | `align` | [`Aligner`]: the positions and kinds of a hit's errors |
//! | `borders` | hits at the ends of records: [`Anchor`], [`Overhang`] |
//! | `bounds` | the errors that a search allows |
//! | `circular` | records that are circular |
//! | `checked` | checks ends against limits on insertions, deletions and substitutions |
//! | `tuning` | [`Tuning`]: options of the published algorithms |
//! | `ends` | the interface between a search and an engine |
//! | `cpu` | the CPU's algorithms |
//! | `gpu` | the algorithms of GPUs and of the simulator |
mod algorithm;
mod align;
mod borders;
mod bounds;
mod checked;
mod circular;
pub(crate) mod cpu;
pub(crate) mod ends;
mod engines;
mod find;
pub(crate) mod gpu;
mod hits;
mod prepared;
mod resident;
mod searcher;
mod settings;
mod texts;
mod tuning;
mod upgraded;

pub use crate::infix::alignment::PatternAlignment;
pub use algorithm::{Algorithm, Occurrences};
pub use align::Aligner;
pub use borders::anchor::Anchor;
pub use borders::overhang::Overhang;
pub use find::Search;
pub use hits::hit::{Beyond, Ends, Hit};
pub use hits::lines::{HitLine, LineHits};
pub(crate) use resident::Kept;
pub use resident::{ResidentText, Source};
pub use searcher::Searcher;
pub use texts::found::{Context, Found};
pub use texts::stream::Hits;
pub use tuning::{Tuning, TuningOption};
