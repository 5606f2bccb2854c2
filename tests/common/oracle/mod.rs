//! Simple reference implementations for the engines. They share no code with the engines.
//!
//! | file | what |
//! |---|---|
//! | `exact` | the occurrences of a string without errors |
//! | `edits` | a table of edits by its recurrence, for any cell type |
//! | `sellers` | the ends of a search |
//! | `occurrences` | the hits of a search, by the definition |
//! | `lcs` | the table of longest common subsequences |

pub mod edits;
pub mod exact;
pub mod lcs;
pub mod occurrences;
pub mod sellers;
