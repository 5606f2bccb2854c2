//! This project's own search kernels: they find the occurrences of patterns in a text, exactly or
//! with up to k errors.
//!
//! **Problem.** Given a pattern of m symbols and a text of n symbols, find the positions of the
//! text at which an occurrence ends. An error is an insertion, a deletion or a substitution.
//! Positions are 0-based. An end is the position of the occurrence's last symbol.
//!
//! **Automaton.** All kernels but [`myers`] run the automaton of Shift-Or (Baeza-Yates and Gonnet
//! 1992), or with errors that of Wu and Manber (1992). Its states are bits. Bit i of the word R of
//! level d is **0** if the pattern's first i + 1 symbols match the end of the text read so far with
//! at most d errors. M is the mismatch word of the next symbol (bit i is 1 if it does not match the
//! pattern's symbol i):
//!
//! ```text
//! R0' = (R0 << 1) | M
//! Rd' = ((Rd << 1) | M) & Rd-1 & (Rd-1 << 1) & (Rd-1' << 1)     d = 1 to k; Rd-1' is level d - 1
//!        match            insert. substitution  deletion        with this symbol
//!
//! pattern aba, text a b a b, k = 0       symbol         a     b     a     b
//! bits from 0 on: M[a] = 010             R0      111   011   101   010   101
//!                 M[b] = 101                                         ↑
//!                                          bit 2 is 0: an occurrence ends at position 2
//! ```
//!
//! So a symbol of the text takes a few instructions per word and level, whatever the text contains,
//! and lanes differ only in the data they read.
//!
//! - [`shift_or`]: exact search, at the speed of memory: m up to 64.
//! - [`wu_manber`]: up to k = 4 errors, m up to 64.
//! - [`packed`]: several patterns in one pass, side by side in the words of a lane: up to 128
//!   symbols in total, up to k = 3 errors.
//! - [`pieces`]: as [`packed`], behind a filter that searches for parts of the patterns without
//!   errors.
//! - [`mismatches`]: mismatches only, many patterns of up to 32 symbols in one pass; some symbols
//!   may be fixed.
//! - [`guides`]: insertions and deletions too, many patterns in one pass; the symbols at one end
//!   are fixed.
//! - [`planes`]: the text as bit planes, and where fixed symbols match.
//! - [`myers`]: any m and k, by the differences of a column of the table instead of the automaton.
//! - [`lane_runs`]: input and output of [`wu_manber`], [`packed`] and [`myers`]: each lane has a
//!   long run of the text.
//! - [`match_table`]: the mismatch words in shared memory, without bank conflicts.
//! - [`words`]: a shift of a pattern's bits in several words.
//! - [`output`]: the results that all of them write.
//! - [`exact`]: exact search for patterns of any length: by duels, and by brute force with a
//!   filter.
//!
//! [`published`](crate::published) has the kernels of five papers for the same problem.

pub mod exact;
pub mod guides;
pub mod lane_runs;
pub mod match_table;
pub mod mismatches;
pub mod myers;
pub mod output;
pub mod packed;
pub mod pieces;
pub mod planes;
pub mod shift_or;
pub mod words;
pub mod wu_manber;
