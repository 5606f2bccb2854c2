//! git's call of an external diff program: `path old-file old-hex old-mode new-file new-hex
//! new-mode`. For a renamed file, git appends the new name and its lines about the rename.
//!
//! | file | what |
//! |---|---|
//! | `call` | finds git's words among the program's arguments |
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

/// Number of bytes that git searches for a zero byte at the start of a file. A file with a zero
/// byte is binary.
pub const HEAD: usize = 8000;

/// Maximum number of bytes of a function line that git prints after a hunk's position.
pub const HEADING: usize = 80;

/// True if git shows the line in a hunk head: it begins with an ASCII letter, `_` or `$`.
pub fn is_function(line: &[u8]) -> bool {
    line.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || b"_$".contains(&byte))
}
