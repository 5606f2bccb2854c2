//! Where patterns occur in a text, exactly or with up to k errors: this project's own kernels.
//!
//! **Problem.** A pattern of m symbols and a text of n. At which positions of the text does an occurrence end? An error
//! is an insertion, a deletion or a substitution. Positions count from 0; an end is the position of the occurrence's
//! last symbol.
//!
//! **Automaton.** All kernels but [`myers`] run the automaton of Shift-Or (Baeza-Yates and Gonnet 1992), with errors
//! that of Wu and Manber (1992), whose states are bits. Bit i of the word R of level d is **0** if the pattern's first
//! i + 1 symbols match the end of the text read so far, with at most d errors. With M the mismatch word of the next
//! symbol (bit i is 1 if it does not match the pattern's symbol i):
//!
//! ```text
//! R0' = (R0 << 1) | M
//! Rd' = ((Rd << 1) | M) & Rd-1 & (Rd-1 << 1) & (Rd-1' << 1)        d = 1 to k; Rd-1' is level d - 1 with this symbol
//!        match            insert. substitution  deletion
//!
//! pattern aba, text a b a b, k = 0       symbol         a     b     a     b
//! bits from 0 on: M[a] = 010             R0      111   011   101   010   101
//!                 M[b] = 101                                         ↑ bit 2 is 0: an occurrence ends at position 2
//! ```
//!
//! So a symbol of the text costs a few instructions for each word and level, whatever is in the text, and lanes differ
//! only in what they read.
//!
//! | module | what |
//! |---|---|
//! | [`shift_or`] | exact search, at the speed of memory: m up to 64 |
//! | [`wu_manber`] | up to k = 4 errors, m up to 64 |
//! | [`packed`] | several patterns in one pass, side by side in the words of a lane: 128 symbols in all, up to k = 3 errors |
//! | [`pieces`] | the same behind a filter that looks for parts of the patterns without errors |
//! | [`mismatches`] | mismatches only, many patterns of up to 32 symbols in one pass, fixed symbols among them |
//! | [`myers`] | any m and k, by the differences of a column of the table instead of the automaton |
//! | [`lane_runs`] | how [`wu_manber`], [`packed`] and [`myers`] read the text and write results: a long run of the text for each lane |
//! | [`match_table`] | the mismatch words in shared memory, without bank conflicts |
//! | [`words`] | a shift of a pattern's bits in several words |
//! | [`output`] | what all of them write |
//! | [`exact`] | exact search for patterns of any length: by duels, and by brute force with a filter |
//!
//! The kernels of five papers for the same problem are in [`published`](crate::published).

pub mod exact;
pub mod lane_runs;
pub mod match_table;
pub mod mismatches;
pub mod myers;
pub mod output;
pub mod packed;
pub mod pieces;
pub mod shift_or;
pub mod words;
pub mod wu_manber;
