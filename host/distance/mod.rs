//! Edit distance: the fewest insertions, deletions and substitutions that make one string of another.
//!
//! | file | what |
//! |---|---|
//! | `best` | the infix mode as a job: which part of a text is nearest to a pattern |
//! | `best_end` | what that job asks of an engine |
//! | [`cpu`] | the processor's algorithms: a cut-off by Ukkonen in Myers' blocks, q-grams, Myers, Sellers |
//! | [`gpu`] | those of GPUs and the simulator: Nakano's for the memory machine models |
mod best;
#[doc(hidden)]
pub mod best_end;
#[doc(hidden)]
pub mod cpu;
#[doc(hidden)]
pub mod gpu;

pub use best::{Algorithm, Best, BestMatch, Infix, best};
