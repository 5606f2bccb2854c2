//! The `index` line of a patch: git object names of both contents. `git apply -3` finds the old
//! content by them.

use super::command::{answer, git};
use super::version::Version;
use std::ffi::OsStr;

/// Mode of a symbolic link.
const LINK: &str = "120000";

/// Digits of an abbreviated object name where no repository determines the unambiguous length.
const ABBREVIATED: usize = 7;

/// The two versions of a file that an `index` line names.
pub struct Index<'w> {
    versions: [Version<'w>; 2],
}

impl<'w> Index<'w> {
    pub fn new(versions: [Version<'w>; 2]) -> Self {
        Self { versions }
    }

    /// Returns the line; empty if the contents are equal, or if git cannot name one of them. With
    /// `is_full`, the names are not abbreviated.
    pub fn line(&self, is_full: bool) -> Vec<u8> {
        let [old, new] = self.versions;
        let [Some(from), Some(to)] = self.versions.map(object) else { return Vec::new() };
        // A side without a file gets as many zeros as the other side has digits.
        let digits = from.len().max(to.len());
        let [from, to] = [from, to].map(|object| if object == "." { "0".repeat(digits) } else { object });
        if from == to {
            return Vec::new();
        }
        let [from, to] = if is_full { [from, to] } else { abbreviated([from, to]) };
        let mode = old.mode.filter(|_| old.mode == new.mode).map_or(String::new(), |mode| format!(" {mode}"));
        format!("index {from}..{to}{mode}\n").into_bytes()
    }
}

/// Returns the git object name of a version: `.` if there is no file, `None` if git does not report
/// one.
fn object(version: Version<'_>) -> Option<String> {
    let Some(mode) = version.mode else { return Some(".".into()) };
    if !version.object.bytes().all(|digit| digit == b'0') {
        return Some(version.object.into());
    }
    // A file of the working tree. git may convert it, such as its line ends, but not the target of
    // a link.
    let path = version.path();
    let mut arguments = vec![OsStr::new("hash-object")];
    if mode == LINK {
        arguments.push(OsStr::new("--no-filters"));
    }
    arguments.extend([OsStr::new("--"), path.as_os_str()]);
    let output = git(&arguments).output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?;
    let name = name.trim_ascii();
    (output.status.success() && !name.is_empty()).then(|| name.into())
}

/// Abbreviates two object names to the shortest prefixes that are unambiguous in the repository and
/// have at least `core.abbrev` digits.
fn abbreviated([from, to]: [String; 2]) -> [String; 2] {
    // One call of git abbreviates both names. git treats the first name as a prefix, so that object
    // has to exist.
    let is_new = from.bytes().all(|digit| digit == b'0');
    let [known, other] = if is_new { [&to, &from] } else { [&from, &to] };
    let both = answer(&["rev-parse", "--short", &format!("--disambiguate={known}"), other]).unwrap_or_default();
    let both = String::from_utf8_lossy(&both);
    let lines: Vec<&str> = both.lines().collect();
    match lines[..] {
        [first, last]
            if known.starts_with(first) && other.starts_with(last) && !first.is_empty() && !last.is_empty() =>
        {
            let [from, to] = if is_new { [last, first] } else { [first, last] };
            [from.into(), to.into()]
        }
        _ => [from, to].map(short),
    }
}

/// Abbreviates one object name.
fn short(object: String) -> String {
    let short = answer(&["rev-parse", "--short", &object]).unwrap_or_default();
    let short = String::from_utf8_lossy(&short).trim_ascii().to_owned();
    if object.starts_with(&short) && !short.is_empty() {
        return short;
    }
    object.get(..ABBREVIATED).unwrap_or(&object).into()
}
