//! Exact search for one pattern of any length: all occurrences without errors, including
//! overlapping ones.
//!
//! | module | content |
//! |---|---|
//! | [`needle`] | the text and the pattern, and their comparison |
//! | [`sieve`] | a filter over all positions, which leaves few candidates |
//! | [`brute_force_filtered`] | compares the pattern at the candidates of the sieve, one by one |
//! | [`duel`] | reduces the candidates of the sieve by duels before comparing |
//! | [`witness`] | the witnesses of a pattern, computed by the whole device |
//! | [`tournament`] | the duels of a warp |
//! | [`breaks`] | for periodic patterns: the positions where the text stops repeating |
//! | [`periodic`] | for periodic patterns: the occurrences before these positions |
//! | [`kmp`] | the automaton of Knuth, Morris and Pratt, with a part of the text per thread |
//! | [`winners`] | for long patterns: further duels of the winners of tiles, and verification |

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
