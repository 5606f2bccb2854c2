//! Exact search for one pattern of any length: all occurrences without errors, overlapping ones too.
//!
//! | module | what |
//! |---|---|
//! | [`needle`] | the text and the pattern, and how they are compared |
//! | [`sieve`] | the first look at every position, which leaves few of them |
//! | [`brute_force_filtered`] | what is left is compared with the pattern, one position after the other |
//! | [`duel`] | what is left is thinned out by duels first |
//! | [`witness`] | the witnesses of a pattern, by all of the device |
//! | [`tournament`] | the duels of a warp |
//! | [`breaks`], [`periodic`] | for patterns that repeat: where the text stops repeating, and what begins before that |
//! | [`kmp`] | the automaton of Knuth, Morris and Pratt, a part of the text a thread |
//! | [`winners`] | for long patterns, what duels leave of all tiles, thinned out further and verified |

pub mod breaks;
pub mod brute_force_filtered;
pub mod duel;
pub mod kmp;
pub mod needle;
pub mod periodic;
pub mod sieve;
pub mod tournament;
pub mod winners;
pub mod witness;
