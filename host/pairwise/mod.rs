//! Computations that longest common subsequences and edit distances share: columns of tables,
//! Hirschberg's recursion, bands, the wavefront on devices, and the members of one comparison.
//!
//! | file | what |
//! |---|---|
//! | `differences` | the last column of an edit distance table, two bits a row |
//! | `problem` | the traits that LCS and distance implement for the shared comparison |
//! | `comparison` | a comparison of two strings: its engine, its algorithm, and answers from cuts |
//! | `attempt` | the attempt to answer a comparison by the CPU's algorithms of whole strings |
//! | `opening` | opens a GPU, unless the attempt answers before |
//! | `rows` | the entries of their tables of algorithms |
//! | `cuts` | the requests that Hirschberg's recursion makes to an engine: where to cut tables |
//! | `columns` | last columns of LCS tables, one bit a row: engines for them, cuts of two of them |
//! | `banded` | the distance and script of similar strings, in bands on a device |
//! | [`cluster`] | one comparison on several members: engines, or processes of several hosts |
//! | `hirschberg` | the recursion, one implementation for every engine |
//! | `wavefront` | cuts and last columns on devices, of LCS tables and of edit distance tables |
//! | `similar` | the distance of similar strings and their script, without most of the table |
//! | `furthest` | furthest-reaching paths: a shortest script of few insertions and deletions |
//! | `pieces` | finds the strings of a list that may be near another one |
//! | `hashed` | strings of bytes and of numbers, for hashes |
//! | `piece_ends` | where strings are cut into these pieces |
//! | `antidiagonals` | a table by its antidiagonals, as vectors |
//! | `rotations` | scores of a string with all rotations of another one |
//! | `recurrence` | LCS lengths by their definition, as a reference |
pub(crate) mod antidiagonals;
pub(crate) mod attempt;
mod banded;
pub mod cluster;
pub mod columns;
pub mod comparison;
pub mod cuts;
pub mod differences;
pub(crate) mod furthest;
pub(crate) mod hashed;
pub(crate) mod hirschberg;
mod opening;
mod piece_ends;
pub(crate) mod pieces;
pub(crate) mod problem;
pub(crate) mod recurrence;
pub(crate) mod rotations;
pub mod rows;
pub mod similar;
pub mod wavefront;
