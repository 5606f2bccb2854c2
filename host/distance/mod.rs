//! Edit distance: the least number of insertions, deletions and substitutions that turn one string
//! into another, and a cheapest script.
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: [`Comparison`] |
//! | `problem` | its algorithms, and the computation of its tables: [`Global`], [`Algorithm`] |
//! | `items` | items of any type, such as large alphabets, lines and words: [`ItemAlgorithm`] |
//! | `mode` | the part of the second string: [`Mode`], [`Places`], [`Ends`], [`PlacedScript`] |
//! | `overlap` | the best overlap of two strings: [`Overlap`] |
//! | `rotation` | the nearest rotation of a circular string: [`Rotation`] |
//! | `places` | the ends and starts of such parts |
//! | `traced` | a script by the choice of edlib or of rapidfuzz |
//! | `thresholds` | the costs of the job on each engine; `auto` compares them |
//! | `cpu` | the processor's algorithms |
//! | `gpu` | the algorithms of GPUs and the simulator |
//!
//! The distances of many pairs are in [`pairs`](crate::pairs), the part of a text that is nearest
//! to a pattern is in [`best`](mod@crate::best).
mod comparison;
pub(crate) mod cpu;
pub(crate) mod gpu;
pub(crate) mod items;
mod mode;
mod overlap;
mod places;
mod problem;
mod rotation;
pub(crate) mod thresholds;
pub(crate) mod traced;

pub use crate::alignment::script::{EditScript, Placement};
pub use comparison::{Comparison, distance};
pub use items::{ItemAlgorithm, Items};
pub use mode::{Ends, Mode, PlacedScript, Places};
pub use overlap::Overlap;
pub use problem::{Algorithm, Global};
pub use rotation::Rotation;
