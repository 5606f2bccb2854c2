//! Dumb and obvious answers that the engines are checked against. They share no code with them.
//!
//! | file | what |
//! |---|---|
//! | `exact` | the occurrences of a string without errors |
//! | `edits` | a table of edits by its recurrence, whatever a cell is |
//! | `sellers` | the ends of a search |
//! | `occurrences` | the hits of a search, from the definition |
//! | `lcs` | the table of longest common subsequences |

pub mod edits;
pub mod exact;
pub mod lcs;
pub mod occurrences;
pub mod sellers;
