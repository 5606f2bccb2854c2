//! Dumb and obvious answers that the engines are checked against. They share no code with them.
//!
//! | file | what |
//! |---|---|
//! | `edits` | a table of edits by its recurrence, whatever a cell is |
//! | `sellers` | the ends of a search |
//! | `occurrences` | the hits of a search, from the definition |
//! | `lcs` | the table of longest common subsequences |

pub mod edits;
pub mod lcs;
pub mod occurrences;
pub mod sellers;
