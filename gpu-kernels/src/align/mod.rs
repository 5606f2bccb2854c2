//! What the problems share that align two strings.
//!
//! | module | what |
//! |---|---|
//! | [`split`] | the row where Hirschberg's recursion cuts a table |

pub mod split;
