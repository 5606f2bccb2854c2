//! The `index` line of a patch: names of both contents as objects of git. `git apply -3` uses them to find the old content.

use super::command::{answer, git};
use super::version::Version;
use std::ffi::OsStr;

/// Mode of a symbolic link.
const LINK: &str = "120000";

/// Digits of an object's name where no repository says how many tell it from all others.
const ABBREVIATED: usize = 7;

/// Both contents, and the modes of the files.
pub struct Index<'w> {
    versions: [Version<'w>; 2],
}

impl<'w> Index<'w> {
    pub fn new(versions: [Version<'w>; 2]) -> Self {
        Self { versions }
    }

    /// The line; nothing if the contents are equal, or if git cannot name one of them. `is_full` asks for whole names.
    pub fn line(&self, is_full: bool) -> Vec<u8> {
        let [old, new] = self.versions;
        let [Some(from), Some(to)] = self.versions.map(object) else { return Vec::new() };
        // A side without a file has as many zeros as the other side has digits.
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

/// Name of a version as an object of git; `.` if there is no file, `None` if git does not say.
fn object(version: Version<'_>) -> Option<String> {
    let Some(mode) = version.mode else { return Some(".".into()) };
    if !version.object.bytes().all(|digit| digit == b'0') {
        return Some(version.object.into());
    }
    // A file of the working tree. git may convert it, as at the ends of lines, but for the target of a link.
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

/// The shortest beginnings of objects' names that tell them from all others in the repository, of at least `core.abbrev` digits.
fn abbreviated([from, to]: [String; 2]) -> [String; 2] {
    // One call of git abbreviates both. It takes the first name for the beginning of one, so that object has to exist.
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

/// The shortest beginning of one object's name.
fn short(object: String) -> String {
    let short = answer(&["rev-parse", "--short", &object]).unwrap_or_default();
    let short = String::from_utf8_lossy(&short).trim_ascii().to_owned();
    if object.starts_with(&short) && !short.is_empty() {
        return short;
    }
    object.get(..ABBREVIATED).unwrap_or(&object).into()
}
