//! Formats all sources.

use crate::outcome::Outcome;
use crate::shell;
use std::process::Command;

/// Formats all sources in git, or checks that they are formatted. `cargo fmt` follows `mod` lines,
/// and misses those inside macros.
pub fn sources(check: bool) -> Outcome {
    let listed = shell::capture(Command::new("git").current_dir(shell::project()).args(["ls-files", "*.rs"]))?;
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.current_dir(shell::project()).args(["--edition", "2024"]);
    if check {
        rustfmt.arg("--check");
    }
    shell::show(rustfmt.args(listed.lines()))?;
    Ok("all sources are formatted".to_owned())
}
