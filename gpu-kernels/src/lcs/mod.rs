//! The longest common subsequence: the last column of its table, as a bit-vector.
//!
//! | module | what |
//! |---|---|
//! | [`wavefront`] | the fastest here: lanes follow one another, each a tile of columns behind the one below |
//! | [`lane_column`] | its inner step: one column in one lane |
//! | [`column_tiles`], [`row_planes`] | the strings as it reads them |
//! | [`block_step`] | as published by Kawanami and Fujimoto (2014): carries across blocks |
//! | [`carry`] | its addition of 1,024-bit numbers across a warp |
//! | [`match_vectors`] | the match vectors that it reads |
//! | [`ballots`] | how it and [`row_planes`] make words of symbols |
//! | [`split`] | where Hirschberg's recursion cuts the table |

pub mod ballots;
pub mod block_step;
pub mod carry;
pub mod column_tiles;
pub mod lane_column;
pub mod match_vectors;
pub mod row_planes;
pub mod split;
pub mod wavefront;
