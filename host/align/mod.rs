//! Alignments, whatever the problem: runs of matches and CIGAR strings, columns of tables, Hirschberg's recursion, and the infix
//! alignment of a pattern in a text.
//!
//! | file | what |
//! |---|---|
//! | [`runs`] | an alignment as runs of matches; CIGAR, JSON, `verify` |
//! | [`script`] | a cheapest edit script: runs of matches, and substitutions and gaps between them |
//! | `placed` | a script's gaps as far to the right, or to the left, as they can be |
//! | [`column`](mod@column) | the last column of an LCS table, one bit a row |
//! | [`differences`] | the last column of an edit distance table, two bits a row |
//! | `comparison` | a comparison of two strings: the engine, the algorithm, an answer from cuts |
//! | [`columns`] | what Hirschberg's recursion asks of an engine |
//! | `banded` | the same of similar strings, in bands on a device |
//! | [`cluster`] | one comparison on several members: engines of one process, or processes of several hosts |
//! | `hirschberg` | the recursion, written once for every engine |
//! | [`wavefront`] | cuts and last columns on devices, of LCS tables and of edit distance tables |
//! | [`similar`] | the distance of similar strings and their script, without most of the table |
//! | `traceback` | from a filled table back to the matches |
//! | `furthest` | furthest-reaching paths: a shortest script of insertions and deletions where these are few |
//! | `pieces` | which strings of a list may be near another one |
//! | [`infix`] | the least edit distance of a pattern to parts of a text |
mod banded;
pub mod cluster;
pub mod column;
pub mod columns;
pub mod comparison;
pub mod differences;
pub(crate) mod furthest;
pub(crate) mod hirschberg;
pub mod infix;
pub(crate) mod pieces;
mod placed;
pub(crate) mod recurrence;
pub mod runs;
pub mod script;
pub mod similar;
pub(crate) mod traceback;
pub mod wavefront;
