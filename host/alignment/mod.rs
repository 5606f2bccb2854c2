//! Alignments as results, independent of the problem: runs of matches, CIGAR strings and edit
//! scripts.
//!
//! | file | what |
//! |---|---|
//! | `run` | a run of matches |
//! | `runs` | an alignment as runs of matches; JSON, `verify` |
//! | `operation` | an alignment's operations; CIGAR strings |
//! | `script` | a cheapest edit script: runs of matches, and substitutions and gaps between them |
//! | `placed` | a script with its gaps as far to the right, or to the left, as possible |
//! | `traceback` | from a filled table back to the matches |
pub(crate) mod operation;
mod placed;
mod run;
pub(crate) mod runs;
pub(crate) mod script;
pub(crate) mod traceback;

pub use operation::Operation;
pub use run::Run;
pub use runs::Alignment;
