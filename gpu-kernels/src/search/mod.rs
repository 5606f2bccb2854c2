//! The occurrences of patterns in a text, exact or with up to k errors: this project's own kernels.
//!
//! | module | what |
//! |---|---|
//! | [`shift_or`] | exact search, at the speed of memory |
//! | [`wu_manber`] | up to k = 4 errors, m up to 64 |
//! | [`packed`] | many patterns in one pass, side by side in the words of a lane |
//! | [`myers`] | any m and k |
//! | [`lane_runs`] | how the last three read the text: a long run of it for each lane |
//! | [`match_table`] | the pattern's match words in shared memory, without bank conflicts |
//! | [`words`] | a pattern's bits in several words |
//! | [`output`] | what all write |
//! | [`published`] | the same problem, as papers have it |

pub mod lane_runs;
pub mod match_table;
pub mod myers;
pub mod output;
pub mod packed;
pub mod published;
pub mod shift_or;
pub mod words;
pub mod wu_manber;
