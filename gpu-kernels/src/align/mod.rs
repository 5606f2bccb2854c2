//! Kernels that all alignment problems share.
//!
//! | module | what |
//! |---|---|
//! | [`split`] | the row where Hirschberg's recursion cuts a table |
//! | [`staircase`] | the differences of two tables where they meet, for tables whose strips end together |

pub mod split;
pub mod staircase;
