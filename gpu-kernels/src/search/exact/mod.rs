//! Exact search of patterns of any length, whose words of match bits would not fit into registers.
//!
//! | module | what |
//! |---|---|
//! | [`witness`] | the array of witnesses of a pattern, in parallel |

pub mod witness;
