//! Barcodes: the nearest barcode of each read, with ties and the distance to the second best, and
//! clusters of UMIs.
//!
//! A *barcode* is a short string of bases, from a list of up to millions, that a read contains at
//! a known place. A *UMI* (unique molecular identifier) is a random string beside it.
//!
//! ```
//! use carrywave::barcodes::{Barcodes, Place};
//!
//! let barcodes = Barcodes::new(["ACGTACGT", "TTGCATGC"]).errors(1).place(Place::At(2));
//! let nearest = barcodes.assign(&["ggACGTCGTtt", "ggGGGGGGGGG"])?;
//! let first = nearest[0].as_ref().unwrap();
//! assert_eq!((first.barcode, first.errors, first.start, first.end), (0, 1, 2, 9));
//! assert!(first.is_assigned() && nearest[1].is_none());
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! The errors of a barcode are the least edit distance between the whole barcode and a part of the
//! read that starts at the place. The end of the part is free, so a base that is lost from the
//! barcode or added to it costs one error and not two.
//!
//! | file | what |
//! |---|---|
//! | `job` | [`Barcodes`]: the list and the limits |
//! | `place` | [`Place`]: the positions where a barcode may start |
//! | `nearest` | [`Nearest`]: the result for a read |
//! | `prepared` | [`PreparedBarcodes`]: an index that is ready for many reads, and [`Worker`] |
//! | `exact` | barcodes by all their bases |
//! | `index` | barcodes in the order of their first and of the next bases |
//! | `variants` | all strings within some errors of the start of a window |
//! | `reach` | the errors of one barcode at one start |
//! | `packed` | bases in two bits each |
//! | `umi` | [`umi`]: clusters of UMIs by the directional method |
mod exact;
mod index;
mod job;
mod nearest;
mod packed;
mod place;
mod prepared;
mod reach;
#[cfg(test)]
mod tests;
pub mod umi;
mod variants;

pub use job::Barcodes;
pub use nearest::Nearest;
pub use place::Place;
pub use prepared::{PreparedBarcodes, Worker};
