//! Comparison of the program with a GNU program that should print the same.

use super::program::{Folder, Ran, finish};
use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// A GNU program.
pub struct Peer {
    program: &'static str,
    /// Part of the output of `--version`.
    name: &'static str,
    locale: &'static str,
    is_there: OnceLock<bool>,
}

pub static DIFF: Peer = Peer::new("diff", "GNU diffutils", "C.UTF-8");
/// GNU grep with bytes as symbols, not characters.
pub static GREP: Peer = Peer::new("grep", "GNU grep", "C");

impl Peer {
    const fn new(program: &'static str, name: &'static str, locale: &'static str) -> Self {
        Self { program, name, locale, is_there: OnceLock::new() }
    }

    /// Returns true if the program is installed and is GNU's. Prints a note otherwise, once.
    pub fn is_there(&self) -> bool {
        *self.is_there.get_or_init(|| {
            let about = Command::new(self.program).arg("--version").output();
            let is_there = about.is_ok_and(|about| String::from_utf8_lossy(&about.stdout).contains(self.name));
            if !is_there {
                eprintln!("not compared: there is no {} here", self.name);
            }
            is_there
        })
    }

    /// Returns a call of the GNU program in a folder, or `None` if it is not installed.
    pub fn command(&self, folder: &Folder, arguments: &[impl AsRef<OsStr>]) -> Option<Command> {
        if !self.is_there() {
            return None;
        }
        let mut command = Command::new(self.program);
        command.current_dir(folder.path("")).args(arguments).stdin(Stdio::null()).env_remove("GREP_COLORS");
        self.set_place(&mut command);
        Some(command)
    }

    /// Returns a call of a `carrywave` command, in the same folder, locale and time zone.
    pub fn ours(&self, folder: &Folder, command: &str, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = folder.command(&[command]);
        command.args(arguments);
        self.set_place(&mut command);
        command
    }

    /// Sets the locale and the time zone.
    fn set_place(&self, command: &mut Command) {
        command.env("LC_ALL", self.locale).env("TZ", "Asia/Kolkata");
    }

    pub fn run(&self, folder: &Folder, arguments: &[&str]) -> Option<Ran> {
        self.command(folder, arguments).map(finish)
    }
}

/// Describes the difference between two runs: in the output, in the exit code, or in that only one
/// has a message. Returns `None` if they agree.
pub fn difference(expected: &Ran, found: &Ran) -> Option<String> {
    let is_same = expected.stdout == found.stdout
        && expected.code == found.code
        && expected.stderr.is_empty() == found.stderr.is_empty();
    let text = |ran: &Ran| format!("{}{}exit code {}", String::from_utf8_lossy(&ran.stdout), ran.stderr, ran.code);
    (!is_same).then(|| format!("--- GNU\n{}\n--- carrywave\n{}", text(expected), text(found)))
}
