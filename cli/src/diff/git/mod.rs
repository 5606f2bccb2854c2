//! git's call of an external diff program: `path old-file old-hex old-mode new-file new-hex new-mode`. For a renamed file the new name follows, and
//! the lines that git writes about the renaming.
//!
//! | file | what |
//! |---|---|
//! | `call` | which of the program's arguments are git's words |
//! | `version`, `patch` | both versions of a file, and the heads of its patches |
//! | `command` | calls of git |
//! | `objects` | the `index` line: object names, abbreviated as git abbreviates them |
//! | `settings` | the user's settings for `git diff`, and the exit code that git expects |

mod call;
mod command;
mod objects;
mod patch;
mod settings;
mod version;

pub use call::guarded;
pub use patch::{Change, Patch, ended};
pub use settings::Settings;

/// Number of bytes at the start of a file that git searches for a zero byte. A file with one is binary.
pub const HEAD: usize = 8000;

/// Bytes of a function's line that git prints at most after the position of a hunk.
pub const HEADING: usize = 80;

/// True if a hunk's head shows a line by git's rule: it begins with a letter of ASCII, `_` or `$`.
pub fn is_function(line: &[u8]) -> bool {
    line.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || b"_$".contains(&byte))
}
