//! Calls of git.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Returns a call of git that queries something. Its messages are dropped.
pub fn git(arguments: &[&OsStr]) -> Command {
    let mut command = Command::new("git");
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Runs git and returns its output, or `None` if git is missing or fails.
pub fn answer(arguments: &[&str]) -> Option<Vec<u8>> {
    let output = git(&arguments.iter().map(OsStr::new).collect::<Vec<_>>()).output().ok()?;
    output.status.success().then_some(output.stdout)
}
