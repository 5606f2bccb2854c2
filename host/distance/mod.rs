//! Edit distance: the fewest insertions, deletions and substitutions that make one string of another.
//!
//! | file | what |
//! |---|---|
//! | `best` | the infix mode as a job: which part of a text is nearest to a pattern |
//! | `best_end` | what that job asks of an engine |
//! | `pairs` | many pairs as a job: from a list, one to many, all to all |
//! | [`cpu`] | the processor's algorithms: a cut-off by Ukkonen in Myers' blocks, q-grams, Myers, Sellers |
//! | [`global`] | the distance of two whole strings |
//! | [`gpu`] | those of GPUs and the simulator: Nakano's for the memory machine models |
mod best;
#[doc(hidden)]
pub mod best_end;
mod best_group;
#[doc(hidden)]
pub mod cpu;
#[doc(hidden)]
pub mod global;
#[doc(hidden)]
pub mod gpu;
#[doc(hidden)]
pub mod pairs;

pub use crate::alignment::script::{EditScript, Placement};
pub use crate::text::Equality;
pub use best::{Algorithm as BestAlgorithm, Best, BestMatch, Infix, best};
pub use best_group::best_group;
pub use global::{Algorithm, Comparison, Global, Mode, Places, Report, distance};
pub use pairs::clusters::{Cluster, Member};
pub use pairs::{Cost, Near, PairString, Pairs, Symbols};
