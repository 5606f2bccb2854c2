//! The user's settings for `git diff`, from git's configuration and the environment.

use super::command::{answer, git};
use std::env::{var, var_os};
use std::ffi::OsStr;

/// First version of git that supports `diff.trustExitCode`.
const TRUSTS_EXIT_CODES: [u32; 2] = [2, 46];

/// POSIX regular expression for the names of the settings.
const KEYS: &str = r"^(core\.quotepath|diff\..*|color\.(ui|diff|pager))$";

/// The user's settings for `git diff`.
#[derive(Debug, Clone)]
pub struct Settings {
    /// True if names with bytes beyond ASCII are quoted: `core.quotePath`.
    pub(super) quotes_bytes: bool,
    /// Prefixes of the old and the new name.
    pub(super) prefixes: [Vec<u8>; 2],
    /// All settings, in the order read. The last one of a name counts.
    entries: Vec<Entry>,
}

/// A setting.
#[derive(Debug, Clone)]
struct Entry {
    /// Name, in lower case except for the part between the first and the last dot.
    key: String,
    /// Value, or `None` for a name alone, which stands for true.
    value: Option<Vec<u8>>,
}

impl Default for Settings {
    /// Returns the settings of a git without configuration.
    fn default() -> Self {
        Self { quotes_bytes: true, prefixes: [b"a/".to_vec(), b"b/".to_vec()], entries: Vec::new() }
    }
}

impl Settings {
    /// Reads the settings by a call of git.
    pub fn read() -> Self {
        Self::parse(&answer(&["config", "-z", "--get-regexp", KEYS]).unwrap_or_default())
    }

    /// Parses git's answer: for each setting a name, a line feed, a value and a zero byte.
    fn parse(answer: &[u8]) -> Self {
        let entry = |entry: &[u8]| {
            let end = memchr::memchr(b'\n', entry);
            let key = String::from_utf8_lossy(entry.get(..end.unwrap_or(entry.len())).unwrap_or_default()).into_owned();
            Entry { key, value: end.and_then(|end| entry.get(end + 1..)).map(<[u8]>::to_vec) }
        };
        let entries = answer.split(|&byte| byte == 0).filter(|entry| !entry.is_empty()).map(entry).collect();
        let mut settings = Self { entries, ..Self::default() };
        settings.quotes_bytes = settings.is_on("core.quotepath").unwrap_or(true);
        if settings.is_on("diff.noprefix") == Some(true) {
            settings.prefixes = [Vec::new(), Vec::new()];
        } else if settings.is_on("diff.mnemonicprefix") != Some(true) {
            // With mnemonic prefixes, git chooses by what it compares, which its words do not
            // contain.
            let prefix = |key: &str, default: &str| settings.get(key).flatten().unwrap_or(default.as_bytes()).to_vec();
            settings.prefixes = [prefix("diff.srcprefix", "a/"), prefix("diff.dstprefix", "b/")];
        }
        settings
    }

    /// Returns the value of a setting, or `None` if the setting does not exist.
    fn get(&self, key: &str) -> Option<Option<&[u8]>> {
        self.entries.iter().rev().find(|entry| entry.key == key).map(|entry| entry.value.as_deref())
    }

    /// Returns true if a setting is on, and `None` if it does not exist or is neither on nor off.
    fn is_on(&self, key: &str) -> Option<bool> {
        self.get(key).and_then(is_true)
    }

    /// Returns true if `--color=auto` means colours: on a terminal or into git's pager, unless the
    /// settings differ.
    pub fn colors(&self, is_terminal: bool) -> bool {
        let diff = self.entries.iter().rev().find(|entry| matches!(&*entry.key, "color.diff" | "diff.color"));
        let value = diff.map(|entry| entry.value.as_deref()).or_else(|| self.get("color.ui"));
        match value {
            Some(Some(b"always")) => return true,
            Some(Some(b"never")) => return false,
            Some(Some(b"auto")) | None => (),
            Some(value) if is_true(value) == Some(false) => return false,
            Some(_) => (),
        }
        let is_paged = is_true_here("GIT_PAGER_IN_USE") && self.is_on("color.pager") != Some(false);
        let is_dumb = var("TERM").is_ok_and(|term| term == "dumb") || var_os("TERM").is_none();
        let is_unwanted = var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        (is_terminal || is_paged) && !is_dumb && !is_unwanted
    }

    /// Returns the exit code that git expects for a file. It is 1 for a difference only if the user
    /// has set git to trust exit codes; otherwise git treats every code but 0 as a failure, and
    /// stops.
    pub fn exit_code(&self, name: &OsStr, is_different: bool) -> u8 {
        u8::from(is_different && self.trusts_exit_code(name) && git_knows_trust())
    }

    fn trusts_exit_code(&self, name: &OsStr) -> bool {
        let has_drivers = self.entries.iter().any(|entry| driver(entry).is_some());
        if has_drivers && let Some(driver) = self.driver_of(name) {
            return self.is_on(&format!("diff.{driver}.trustexitcode")) == Some(true);
        }
        if var_os("GIT_EXTERNAL_DIFF").is_some() {
            return is_true_here("GIT_EXTERNAL_DIFF_TRUST_EXIT_CODE");
        }
        self.is_on("diff.trustexitcode") == Some(true)
    }

    /// Returns the diff driver that the file's attributes name, if it has a command. git calls that
    /// command.
    fn driver_of(&self, name: &OsStr) -> Option<&str> {
        let arguments = ["check-attr", "-z", "diff", "--"].map(OsStr::new);
        let output = git(&[&arguments[..], &[name]].concat()).output().ok()?;
        let value = output.stdout.split(|&byte| byte == 0).nth(2)?;
        self.entries.iter().filter_map(driver).find(|driver| driver.as_bytes() == value)
    }
}

/// Returns the driver's name if the setting is a driver's command.
fn driver(entry: &Entry) -> Option<&str> {
    entry.key.strip_prefix("diff.")?.strip_suffix(".command")
}

/// Parses a boolean by git's rules; `None` if the value is neither true nor false.
fn is_true(value: Option<&[u8]>) -> Option<bool> {
    let Some(value) = value else { return Some(true) };
    match &value.to_ascii_lowercase()[..] {
        b"true" | b"yes" | b"on" => Some(true),
        b"false" | b"no" | b"off" | b"" => Some(false),
        number => std::str::from_utf8(number).ok()?.parse::<i64>().ok().map(|number| number != 0),
    }
}

/// Returns true if an environment variable is true by git's rules.
fn is_true_here(variable: &str) -> bool {
    var_os(variable).is_some_and(|value| is_true(Some(value.as_encoded_bytes())) == Some(true))
}

/// Returns true if the installed git supports the setting. An older git would stop at exit code 1.
fn git_knows_trust() -> bool {
    let Some(version) = answer(&["version"]) else { return false };
    let version = String::from_utf8_lossy(&version);
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse::<u32>().ok());
    let [major, minor] = [numbers.next(), numbers.next()].map(Option::unwrap_or_default);
    [major, minor] >= TRUSTS_EXIT_CODES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_git_s() {
        let settings = Settings::parse(b"core.quotepath\nfalse\0diff.srcprefix\nold/\0diff.x.y.command\nz\0");
        assert!(!settings.quotes_bytes);
        assert_eq!(settings.prefixes, [b"old/".to_vec(), b"b/".to_vec()]);
        assert_eq!(settings.entries.iter().find_map(driver), Some("x.y"));
        // A name without a value is true, and the last setting counts.
        let settings = Settings::parse(b"diff.noprefix\nfalse\0diff.srcprefix\nx\0diff.noprefix\0");
        assert_eq!(settings.prefixes, [b"".to_vec(), b"".to_vec()]);
        assert!(Settings::parse(b"color.ui\nnever\0color.diff\nalways\0").colors(false));
        assert!(!Settings::parse(b"color.ui\nalways\0diff.color\noff\0").colors(true));
        assert_eq!(
            ["yes", "0", "", "2", "x"].map(|value| is_true(Some(value.as_bytes()))),
            [Some(true), Some(false), Some(false), Some(true), None]
        );
    }
}
