//! Kernels that all alignment problems share.
//!
//! | module | what |
//! |---|---|
//! | [`split`] | the row where Hirschberg's recursion cuts a table |

pub mod split;
