//! The edit distance of two whole strings, and a cheapest script.
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: [`Comparison`], [`Algorithm`], [`Report`] |
//! | `items` | the job for sequences of items of any kind |
//! | `mode` | which part of the second string is meant: [`Mode`], [`Places`] |
//! | `places` | where such parts end and begin |
//! | `within` | the distance if it is at most a maximum |
//! | `tokens` | of sequences of numbers, as characters of large alphabets, lines and words are |
//! | `token_places` | `places` for such sequences |
//! | `traced` | a script by the choice of edlib or of rapidfuzz |
//! | [`thresholds`] | which engine takes which size |
//! | [`cpu`] | the processor's algorithms |
//! | [`gpu`] | those of GPUs and the simulator |
mod comparison;
pub mod cpu;
pub mod gpu;
mod items;
mod mode;
mod places;
pub mod thresholds;
mod token_places;
pub(in crate::distance) mod tokens;
mod traced;
mod within;

pub use comparison::{Algorithm, Comparison, Global, Report, distance};
pub use mode::{Mode, Places};
pub use traced::{Choice, Step, Steps, traced};
