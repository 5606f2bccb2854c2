//! Runs other programs, and finds the project's directories.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the project's directory.
pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project").to_owned()
}

/// Returns a directory for files that the chores download and build, and makes it if necessary. It
/// is always below the project's own `target`, even if cargo's target directory differs, because
/// `build.rs` searches there for the library source.
pub fn scratch(name: &str) -> Result<PathBuf, String> {
    let path = project().join("target").join(name);
    fs::create_dir_all(&path).map_err(|error| format!("cannot create {}: {error}", path.display()))?;
    Ok(path)
}

/// Returns cargo's target directory.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| project().join("target"), PathBuf::from)
}

/// Copies a folder, without what cargo writes into it.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if entry.is_dir() {
            if name != "target" {
                copy(&entry, &to.join(&name))?;
            }
        } else if name != "Cargo.lock" {
            fs::copy(&entry, to.join(&name))?;
        }
    }
    Ok(())
}

/// Returns true if the program starts.
pub fn exists(program: impl AsRef<OsStr>, argument: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a command that should succeed and returns its standard output; the error has all of its
/// output.
pub fn capture(command: &mut Command) -> Result<String, String> {
    capture_both(command).map(|(stdout, _)| stdout)
}

/// Does the same as [`capture`], but also returns standard error, for programs that report there.
pub fn capture_both(command: &mut Command) -> Result<(String, String), String> {
    let name = command.get_program().display().to_string();
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("cannot run {name}: {error}"))?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok((stdout, stderr)) } else { Err(format!("{name} failed:\n{stdout}{stderr}")) }
}

/// Returns a cargo command in the project's directory, as if from a shell: without the variables
/// that cargo set for this program.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os() {
        let is_ours = |name: &str| ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|prefix| name.starts_with(prefix));
        if name.to_str().is_some_and(is_ours) {
            command.env_remove(name);
        }
    }
    command.current_dir(project());
    command
}

/// A feature of the program that most builds leave out, because it takes long to compile. All tests
/// in the release profile are built with it, since those that run at the same time share the
/// program.
pub const PARQUET: &str = "--features=carrywave-cli/parquet";

/// Returns a [`cargo`] command for tests in the release profile: without optimisation across the
/// units of a crate, it compiles in two thirds of the time, to code that is up to a seventh slower.
/// The profile's `lto = "off"` does the same, but cargo then shares no library between commands
/// that build other targets.
pub fn cargo_for_tests() -> Command {
    let mut command = cargo();
    command.env("CARGO_BUILD_RUSTFLAGS", "-Clto=no");
    command
}

/// Runs a command that should succeed, with its output on the terminal.
pub fn show(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().display().to_string();
    let status = command.stdin(Stdio::null()).status().map_err(|error| format!("cannot run {name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed: {status}")) }
}

/// Returns the first line that apt or pip marks as an error, or the whole output if there is none.
pub fn first_error(output: &str) -> String {
    let marked = |line: &&str| line.starts_with("E: ") || line.starts_with("ERROR: ");
    output.lines().find(marked).unwrap_or(output).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_marked_line_is_the_essence() {
        assert_eq!(
            first_error("apt-get failed:\nIgn:1 x\nE: Failed to fetch x\nE: Some files\n"),
            "E: Failed to fetch x"
        );
        assert_eq!(first_error("pip failed:\nWARNING: y\nERROR: Could not find\n"), "ERROR: Could not find");
        assert_eq!(first_error("nothing\nmarked"), "nothing\nmarked");
    }
}
