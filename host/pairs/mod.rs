//! The distances of many pairs of strings: of listed pairs, of one string to many, or of all to
//! all.
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
//! | `problem` | the tables of algorithms: [`Algorithm`] |
//! | `comparison` | the job: [`Pairs`], and the engine that runs it |
//! | `cost` | the operations that a distance counts: [`Cost`] |
//! | `limit` | bounds on the distances of interest |
//! | `near` | two strings that are near one another: [`Near`] |
//! | `strings` | strings of bytes, and of numbers: [`PairString`], [`Symbols`], [`Characters`] |
//! | `affixes` | common prefixes and suffixes of strings |
//! | `ids`, `word_masks` | numbers for the symbols of a string, and their positions |
//! | `kinds` | strings of any number of different symbols on engines that compare bytes |
//! | `symbol_groups` | all pairs of two lists, in groups of rows with few different symbols |
//! | `symbol_codes` | codes of one or two bytes for the symbols of some strings |
//! | `pair_codes` | one-byte codes for the symbols of one pair |
//! | `rows` | sizes of the blocks of rows that are computed together |
//! | `matrix` | all distances of two lists, by rows or in parts |
//! | `nearest` | the nearest strings of a list |
//! | `within` | the pairs of a list, or of two lists, that are near one another |
//! | `items` | sequences of items of any type |
//! | `distinct` | the distinct strings of a list |
//! | `cluster` | strings that are near one another: [`Cluster`], [`Member`] |
//! | `clusters` | clusters by single linkage |
//! | `stars` | clusters around centres |
//! | `host_columns` | two columns of strings in the host's memory |
//! | `resident` | columns in a GPU's memory: [`ResidentColumn`], [`ResidentDistances`] |
//! | `columns` | the distances of two columns, side by side |
//! | `position_number` | numbers that depend on symbols at equal or nearby positions |
//! | `engine` | the interface between the job and the engines |
//! | `or_cpu` | a device, with the CPU as a fallback if its memory is too small |
//! | `thresholds` | the costs of all pairs on each engine; `auto` compares them |
//! | `used` | records the algorithms that ran |
//! | `cpu` | the processor's algorithms |
//! | `gpu` | algorithms for GPUs and the simulator |

pub(crate) mod affixes;
mod cluster;
mod clusters;
mod columns;
mod comparison;
mod cost;
pub(crate) mod cpu;
mod distinct;
mod engine;
pub(crate) mod gpu;
pub(crate) mod host_columns;
pub(crate) mod ids;
mod items;
mod kinds;
mod limit;
mod matrix;
#[cfg(test)]
mod naive;
mod near;
mod nearest;
mod or_cpu;
pub(crate) mod pair_codes;
pub(crate) mod position_number;
mod problem;
mod resident;
mod rows;
mod stars;
mod strings;
mod symbol_codes;
mod symbol_groups;
pub(crate) mod thresholds;
mod used;
mod within;
pub(crate) mod word_masks;

pub use cluster::{Cluster, Member};
pub use comparison::Pairs;
pub use cost::Cost;
pub use gpu::{ColumnAt, OffsetsAt};
pub use near::Near;
pub use problem::{Algorithm, ManyPairs};
pub use resident::{ResidentColumn, ResidentDistances};
pub use strings::{Characters, PairString, Symbols};
