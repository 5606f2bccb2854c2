//! Trimming of reads: removes adapters, primers and bases of low quality, and drops reads that are
//! then of no use.
//!
//! ```
//! use carrywave::text::Read;
//! use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings, Settings, Trimmer};
//!
//! let mut settings = Settings::default();
//! let defaults = AdapterSettings::default();
//! let adapter = Adapter::parse("AGATCGGAAGAGC", AdapterEnd::ThreePrime, &defaults)?;
//! settings.first.adapters.push(adapter);
//! let trimmer = Trimmer::new(settings)?;
//! let mut worker = trimmer.worker();
//! let (read, fate) = worker.trim(Read::new(b"read1", b"GATTACAGATTACAAGATCGGTAGAGCAC"));
//! assert_eq!(&read.symbols[..], b"GATTACAGATTACA");
//! assert!(fate.is_trimmed());
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! **The rules are those of cutadapt** (Martin 2011), so the results are its results: the notation
//! of adapters, the alignment that is chosen, the order of the steps, and the filters.
//!
//! - An adapter may hang over an end of the read. Its error rate is the errors in the alignment,
//!   divided by the adapter's symbols in it that are not N.
//! - A match is worth +1, a mismatch −1, an insertion or deletion −2. The leftmost alignment with
//!   an allowed error rate is taken; one that overlaps it and has a higher score replaces it.
//! - If several adapters match, the one with the highest score is removed; if scores are equal, the
//!   one with fewer errors, then the first.
//!
//! The steps have this order: bases removed from the ends, quality, adapters, poly-A, length, N at
//! the ends, headers, filters. For each adapter, a read costs a look at every few symbols, and a
//! pass of Shift-And at its ends. Only a read that has an exact piece of the adapter is aligned, in
//! O(m (m + k)) for an adapter of m symbols and k errors.
//!
//! | file | what |
//! |---|---|
//! | `adapter`, `notation` | [`Adapter`]: an adapter, and its notation |
//! | `tolerance` | [`AdapterSettings`] |
//! | `ends` | ends of an adapter and a read that an alignment may leave out |
//! | `finder` | the best match of one adapter in a read |
//! | `alignment` | the alignment of an adapter with a part of a read |
//! | `pieces`, `scan` | exact pieces of an adapter: where in a read an alignment is possible |
//! | `grams` | places of a read that may have a piece |
//! | `anchored` | the nearest of several anchored adapters |
//! | `best` | the best of all adapters |
//! | `found` | a match, and the part of the read that it removes |
//! | `cutter`, `action` | removal of adapters, repeated, from either strand |
//! | `quality`, `tails` | ends of low quality, poly-A tails, N at the ends |
//! | `headers`, `template` | changes of headers |
//! | `settings`, `filters` | [`Settings`] |
//! | `trimmer`, `pairs` | [`Trimmer`] and [`Worker`]: all steps, for reads and for pairs |
//! | `counts` | [`Counts`]: what was found and removed |
mod action;
mod adapter;
mod alignment;
mod anchored;
mod best;
mod counts;
mod cutter;
mod ends;
mod filters;
mod finder;
mod found;
mod grams;
mod headers;
mod notation;
mod pairs;
mod pieces;
mod quality;
mod scan;
mod settings;
mod tails;
mod template;
#[cfg(test)]
mod tests;
mod tolerance;
mod trimmer;

pub use action::Action;
pub use adapter::{Adapter, AdapterEnd, SingleAdapter};
pub use counts::{AdapterCounts, Counts, EndCounts, SideCounts};
pub use filters::{Filter, Filters, PairFilter};
pub use found::Found;
pub use headers::Headers;
pub use settings::{Settings, Steps};
pub use template::Template;
pub use tolerance::AdapterSettings;
pub use trimmer::{Fate, Trimmer, Worker};
