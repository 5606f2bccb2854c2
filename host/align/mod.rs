//! Alignments, whatever the problem: runs of matches and CIGAR strings, columns of tables, Hirschberg's recursion, and the infix
//! alignment of a pattern in a text.
//!
//! | file | what |
//! |---|---|
//! | [`runs`] | an alignment as runs of matches; CIGAR, JSON, `verify` |
//! | [`column`](mod@column) | the last column of an LCS table, one bit a row |
//! | [`columns`] | what Hirschberg's recursion asks of an engine |
//! | `hirschberg` | the recursion, written once for every engine |
//! | `traceback` | from a filled table back to the matches |
//! | [`infix`] | the least edit distance of a pattern to parts of a text |
pub mod column;
pub mod columns;
pub(crate) mod hirschberg;
pub mod infix;
pub mod runs;
pub(crate) mod traceback;
