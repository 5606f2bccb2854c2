//! The Rust compiler: its version, its directory, and calls without the settings of cargo and its
//! user.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Rust compiler.
#[derive(Debug)]
pub struct Rustc {
    program: PathBuf,
    verbose_version: String,
    sysroot: PathBuf,
}

impl Rustc {
    /// Finds the compiler that cargo uses: `$RUSTC`, or else the `rustc` in the path.
    ///
    /// # Errors
    /// If it does not run.
    pub fn current() -> Result<Self, String> {
        let program = env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
        let ask = |arguments: &[&str]| run(command(&program).args(arguments)).map(|output| output.stdout);
        let verbose_version = ask(&["-vV"])?;
        let sysroot = PathBuf::from(ask(&["--print", "sysroot"])?.trim());
        Ok(Self { program, verbose_version, sysroot })
    }

    /// Returns the version line: `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub fn version(&self) -> &str {
        self.verbose_version.lines().next().unwrap_or_default()
    }

    /// Returns the output of `rustc -vV`.
    pub fn verbose_version(&self) -> &str {
        &self.verbose_version
    }

    /// Returns only the release: `1.95.0` or `1.97.0-nightly`.
    pub fn release(&self) -> &str {
        self.version().split_whitespace().nth(1).unwrap_or_default()
    }

    /// Returns the directory of the toolchain.
    pub fn sysroot(&self) -> &Path {
        &self.sysroot
    }

    /// Returns true if rustc may duplicate a barrier by threading jumps in MIR. From 1.97 on, it
    /// does not do so for GPU targets (rust#149637).
    pub(crate) fn threads_jumps(&self) -> bool {
        minor(self.release()).is_some_and(|minor| minor < 97)
    }

    /// Returns a call of this compiler that may use unstable features.
    pub(crate) fn command(&self) -> Command {
        let mut command = command(&self.program);
        command.env("RUSTC_BOOTSTRAP", "1");
        command
    }
}

/// Returns the minor version, such as the `95` of `1.95.0-nightly`.
fn minor(release: &str) -> Option<u32> {
    release.strip_prefix("1.")?.split('.').next()?.parse().ok()
}

/// Returns a command without the environment variables of cargo and of its user's settings.
fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os() {
        if changes_rustc(&name) {
            command.env_remove(name);
        }
    }
    command
}

/// Returns true for variables that cargo or a user sets to change rustc's behaviour. The variables
/// that rustup needs to find the toolchain are not among them.
fn changes_rustc(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let prefixes = ["CARGO", "RUSTC", "RUSTFLAGS", "RUSTDOC", "RUST_LOG", "SOURCE_DATE_EPOCH"];
    name != "CARGO_HOME" && prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns a `--remap-path-prefix` argument, so that file names in panic messages are the same
/// everywhere.
pub(crate) fn remap(from: &Path, to: &str) -> OsString {
    let mut argument = OsString::from("--remap-path-prefix=");
    argument.push(from);
    argument.push("=");
    argument.push(to);
    argument
}

/// The output of a successful command.
pub(crate) struct Output {
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command to its end; the error is its standard error.
pub(crate) fn run(command: &mut Command) -> Result<Output, String> {
    let program = command.get_program().to_owned();
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    if output.status.success() {
        return Ok(Output { stdout, stderr });
    }
    Err(if stderr.is_empty() { format!("{} failed: {}", program.display(), output.status) } else { stderr })
}

#[cfg(test)]
mod tests {
    use super::minor;

    #[test]
    fn minor_versions_are_read_from_releases() {
        assert_eq!(minor("1.95.0"), Some(95));
        assert_eq!(minor("1.97.0-nightly"), Some(97));
        assert_eq!(minor("2.0.0"), None);
    }
}
