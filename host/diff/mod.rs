//! The difference of two texts: the lines, words or characters that only one of them has.
//!
//! The result is a shortest edit script: no other script of insertions and deletions of lines
//! (words, characters) turns A into B in fewer steps. Among several shortest scripts, a readable
//! one is chosen: a change moves to where it joins another change, or to where the indentation says
//! that a block begins.
//!
//! ```
//! use carrywave::diff::{Comparison, Layout};
//!
//! let diff = Comparison::new().compare(b"one\ntwo\nthree\n", b"one\n2\nthree\nfour\n")?;
//! let mut text = Vec::new();
//! diff.write_unified(&mut text, &Layout::default())?;
//! assert_eq!(text, b"@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The methods for the other formats take the same arguments:
//!
//! ```
//! use carrywave::diff::{Comparison, Layout};
//!
//! let (diff, layout) =
//!     (Comparison::new().compare(b"one\ntwo\n", b"one\n2\n")?, Layout::default());
//! let [mut normal, mut ed, mut forward, mut rcs, mut context, mut columns, mut marked] =
//!     [const { Vec::new() }; 7];
//! diff.write_normal(&mut normal, &layout)?;
//! assert_eq!(normal, b"2c2\n< two\n---\n> 2\n");
//! diff.write_ed(&mut ed, &layout)?;
//! assert_eq!(ed, b"2c\n2\n.\n");
//! diff.write_forward_ed(&mut forward, &layout)?;
//! assert_eq!(forward, b"c2\n2\n.\n");
//! diff.write_rcs(&mut rcs, &layout)?;
//! assert_eq!(rcs, b"d2 1\na2 1\n2\n");
//! diff.write_context(&mut context, &layout)?;
//! diff.write_side_by_side(&mut columns, &layout)?;
//! diff.write_marked(&mut marked, &layout)?;
//! assert!(
//!     context.starts_with(b"***************\n")
//!         && columns.starts_with(b"one")
//!         && marked.ends_with(b"\n")
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `comparison` | the job: [`Comparison`], and the options for what to ignore |
//! | `changes` | the result: [`Diff`] and its [`Change`]s |
//! | `line_test` | a test of lines that the caller supplies: [`LineTest`] |
//! | `compared_units` | the units to compare, and their numbers |
//! | `keys` | the comparison key of a line if white space or case is ignored |
//! | `problem` | the problem and its algorithms: [`Matches`], [`Algorithm`] |
//! | `cpu` | algorithms with own rules: GNU diff's choice of script, fixed points (patience) |
//! | `positions` | the positions of changes that could be at several |
//! | `formats` | the output formats |

mod changes;
mod compared_units;
mod comparison;
mod cpu;
mod formats;
mod keys;
mod line_test;
mod positions;
mod problem;

pub use changes::{Change, Diff, UnitCounts};
pub use comparison::Comparison;
pub use formats::document::{ChangeDocument, Document, HunkDocument};
pub use formats::layout::{Columns, Layout, Tabs};
pub use formats::palette::Palette;
pub use formats::stat::{Counts, write_stat};
pub use formats::templates::Templates;
pub use keys::WhiteSpace;
pub use line_test::LineTest;
pub use problem::{Algorithm, Matches};
