//! Search on the CPU: one algorithm per file, and the engine that runs them on parts of the text on
//! all cores. m is the pattern's length, n the text's, k the largest number of errors.
//!
//! | file | what |
//! |---|---|
//! | `row` | the table entry of an algorithm, and the interface to its patterns |
//! | `query` | a pattern as algorithms take it |
//! | `engine` | patterns with their algorithms, and texts in parts |
//! | `pieces` | splits a text into pieces for all cores |
//! | `segment` | segments of a text side by side in vectors |
//! | `simd` | the available vector instructions |
//! | `frame` | the form of patterns with fixed positions, and a text's bit planes for it |
//! | `guide_lanes` | distances of guides from the symbols beside many sites |
//! | `exact_pieces` | k + 1 disjoint pieces of a pattern |

mod engine;
mod exact_pieces;
mod frame;
mod guide_lanes;
mod pieces;
mod query;
mod row;
mod segment;
mod simd;

pub use engine::CpuEnds;
pub use query::Query;
#[cfg(test)]
pub(crate) use row::by;
pub use row::{CompareRecords, CpuAlgorithm, FindMany, FindOne, Group, Offer, RecordMatch, Rows, Takes, fastest};

cpu_algorithms! {
    CpuAlgorithm;
    pub mod guides;
    pub mod partition;
    pub mod seeds;
    pub mod segments;
    pub mod mismatches;
    pub mod kmp;
    pub mod filter;
    pub mod literal;
    pub mod myers;
    pub mod wu_manber;
    pub mod shift_or;
    pub mod sellers;
    pub mod whole_records;
}
