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

pub(super) mod context;
pub(super) mod document;
pub(super) mod heading;
pub(super) mod hunks;
pub(super) mod layout;
pub(super) mod marked;
pub(super) mod normal;
pub(super) mod palette;
pub(super) mod scripts;
pub(super) mod side_by_side;
pub(super) mod stat;
pub(super) mod templates;
pub(super) mod unified;
