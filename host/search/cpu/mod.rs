//! Search on the processor: one algorithm a file, and the engine that hands parts of the text to them on all cores. m is the pattern's
//! length, n the text's, k the errors allowed.
//!
//! | file | what |
//! |---|---|
//! | `row` | what there is to know of an algorithm, and how it gets patterns ready |
//! | `query` | a pattern as algorithms take it |
//! | `engine` | the algorithms of some patterns, and texts in parts |
//! | `pieces` | a text in pieces for all cores |
//! | `segment` | segments of a text side by side in vectors |
//! | `simd` | the vectors there are |
//! | `exact_pieces` | k + 1 disjoint pieces of a pattern |

mod engine;
mod exact_pieces;
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
    pub mod partition;
    pub mod guides;
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
