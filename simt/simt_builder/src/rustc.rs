//! The Rust compiler: which one, where it lies, and how it is called without the settings of cargo and its user.

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
    /// The compiler that cargo uses: `$RUSTC`, or else the `rustc` in the path.
    ///
    /// # Errors
    /// When it does not run.
    pub fn current() -> Result<Self, String> {
        let program = env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
        let ask = |arguments: &[&str]| run(command(&program).args(arguments)).map(|output| output.stdout);
        let verbose_version = ask(&["-vV"])?;
        let sysroot = PathBuf::from(ask(&["--print", "sysroot"])?.trim());
        Ok(Self { program, verbose_version, sysroot })
    }

    /// The version line: `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub fn version(&self) -> &str {
        self.verbose_version.lines().next().unwrap_or_default()
    }

    /// All that `rustc -vV` says.
    pub fn verbose_version(&self) -> &str {
        &self.verbose_version
    }

    /// The release alone: `1.95.0` or `1.97.0-nightly`.
    pub fn release(&self) -> &str {
        self.version().split_whitespace().nth(1).unwrap_or_default()
    }

    /// The directory of the toolchain.
    pub fn sysroot(&self) -> &Path {
        &self.sysroot
    }

    /// Whether rustc may duplicate a barrier by threading jumps in MIR: it leaves GPU targets alone from 1.97 on
    /// (rust#149637).
    pub(crate) fn threads_jumps(&self) -> bool {
        minor(self.release()).is_some_and(|minor| minor < 97)
    }

    /// A call of this compiler that may use unstable features.
    pub(crate) fn command(&self) -> Command {
        let mut command = command(&self.program);
        command.env("RUSTC_BOOTSTRAP", "1").arg("--color=never");
        command
    }
}

/// The `95` of `1.95.0-nightly`.
fn minor(release: &str) -> Option<u32> {
    release.strip_prefix("1.")?.split('.').next()?.parse().ok()
}

/// A command that does not see what cargo and its user's settings put into the environment.
fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os() {
        if changes_rustc(&name) {
            command.env_remove(name);
        }
    }
    command
}

/// Variables through which cargo, or a user's settings, reach rustc. What rustup needs to find the toolchain stays.
fn changes_rustc(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let prefixes = ["CARGO", "RUSTC", "RUSTFLAGS", "RUSTDOC", "RUST_LOG", "SOURCE_DATE_EPOCH"];
    name != "CARGO_HOME" && prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// `--remap-path-prefix`, so that file names in panic messages are the same everywhere.
pub(crate) fn remap(from: &Path, to: &str) -> OsString {
    let mut argument = OsString::from("--remap-path-prefix=");
    argument.push(from);
    argument.push("=");
    argument.push(to);
    argument
}

/// What a command that went well has written.
pub(crate) struct Output {
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command to its end; its standard error is the error.
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
