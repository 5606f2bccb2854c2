//! Exact search of patterns of any length, whose words of match bits would not fit into registers.
//!
//! | module | what |
//! |---|---|
//! | [`kmp`] | the automaton of Knuth, Morris and Pratt, a part of the text a thread |
//! | [`witness`] | the array of witnesses of a pattern, in parallel |

pub mod kmp;
pub mod witness;
