//! The distances of many pairs of strings: from a list, of one string to many, of all to all.
//!
//! ```
//! use carrywave::pairs::{Cost, Pairs};
//!
//! let pairs = [("kitten", "sitting"), ("flaw", "lawn"), ("", "gap")];
//! assert_eq!(Pairs::new().listed(&pairs)?, [Some(3), Some(2), Some(3)]);
//! assert_eq!(Pairs::new().cost(Cost::Indel).maximum(3).listed(&pairs)?, [None, Some(2), Some(3)]);
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: [`Pairs`] |
//! | `cost` | what a distance counts: [`Cost`] |
//! | `near` | two strings that are near one another: [`Near`] |
//! | `strings` | strings of bytes, and of numbers: [`PairString`], [`Symbols`] |
//! | `kinds` | strings of any number of kinds of symbols on engines that compare bytes |
//! | `byte_codes` | codes of a byte for the symbols of some strings |
//! | `rows` | how many rows of a matrix are computed together |
//! | `nearest` | the nearest strings so far |
//! | `candidates` | the pairs that may be near, where that takes less than to compare all |
//! | `clusters` | groups of strings that are near one another: [`Cluster`] |
//! | `engine` | what the job asks of an engine |
//! | `cpu` | the processor's algorithms |
//! | `gpu` | those of GPUs and the simulator |

mod byte_codes;
mod candidates;
mod clusters;
mod comparison;
mod cost;
mod cpu;
mod engine;
#[doc(hidden)]
pub mod gpu;
mod kinds;
#[cfg(test)]
mod naive;
mod near;
mod nearest;
mod rows;
mod strings;

pub use clusters::{Cluster, Member};
pub use comparison::Pairs;
pub use cost::Cost;
pub use near::Near;
pub use strings::{PairString, Symbols};
