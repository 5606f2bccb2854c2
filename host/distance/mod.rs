//! Edit distance: the fewest insertions, deletions and substitutions that make one string of another, and a cheapest script.
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: [`Comparison`] |
//! | `problem` | its algorithms, and what computes its tables: [`Global`], [`Algorithm`] |
//! | `items` | of sequences of items of any kind, as characters of large alphabets, lines and words are: [`ItemAlgorithm`] |
//! | `mode` | which part of the second string is meant: [`Mode`], [`Places`], [`Ends`], [`PlacedScript`] |
//! | `places` | where such parts end and begin |
//! | `traced` | a script by the choice of edlib or of rapidfuzz |
//! | `thresholds` | which engine takes which size |
//! | `cpu` | the processor's algorithms |
//! | `gpu` | those of GPUs and the simulator |
//!
//! The distances of many pairs are in [`pairs`](crate::pairs), the part of a text that is nearest to a pattern is in
//! [`best`](mod@crate::best).
mod comparison;
pub(crate) mod cpu;
pub(crate) mod gpu;
pub(crate) mod items;
mod mode;
mod places;
mod problem;
mod thresholds;
pub(crate) mod traced;

pub use crate::alignment::script::{EditScript, Placement};
pub use comparison::{Comparison, distance};
pub use items::{ItemAlgorithm, Items};
pub use mode::{Ends, Mode, PlacedScript, Places};
pub use problem::{Algorithm, Global};
