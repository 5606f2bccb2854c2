//! The formats that a difference is printed in.
//!
//! | file | what |
//! |---|---|
//! | `layout` | what all formats have in common: headers, context, colours |
//! | `palette` | the colours: [`Palette`] |
//! | `hunks` | changes that are printed together, with lines around them |
//! | `heading` | the line that a hunk's head shows: the function that it is in |
//! | `normal`, `unified`, `context`, `scripts`, `side_by_side` | the formats of POSIX and GNU diff |
//! | `templates` | formats that the caller spells: [`Templates`] |
//! | `marked` | deletions and insertions marked within the text, as `git diff --word-diff` does |
//! | `stat` | how many lines of each file differ, as `git diff --stat` does |
//! | `document` | the same for programs, as JSON |

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
