//! The output formats of a difference.
//!
//! | file | what |
//! |---|---|
//! | `layout` | options and parts that all formats share: headers, context, colours |
//! | `palette` | the colours: [`Palette`] |
//! | `hunks` | changes printed together, with lines around them |
//! | `heading` | the line in a hunk's head: the function around the hunk |
//! | `normal`, `unified`, `context`, `scripts`, `side_by_side` | formats of POSIX and GNU diff |
//! | `templates` | formats that the caller defines: [`Templates`] |
//! | `marked` | deletions and insertions marked within the text, as `git diff --word-diff` does |
//! | `stat` | numbers of lines that differ in each file, as `git diff --stat` prints them |
//! | `document` | a difference as JSON, for programs |

mod context;
pub(super) mod document;
mod heading;
mod hunks;
pub(super) mod layout;
mod marked;
mod normal;
pub(super) mod palette;
mod scripts;
mod side_by_side;
pub(super) mod stat;
pub(super) mod templates;
mod unified;
