//! Kernels that all alignment problems share.
//!
//! | module | what |
//! |---|---|
//! | [`split`] | the row where Hirschberg's recursion cuts a table |
//! | [`staircase`] | the differences where two tables meet whose strips all end together |

pub mod split;
pub mod staircase;
