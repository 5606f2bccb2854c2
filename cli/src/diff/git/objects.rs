//! The `index` line of a patch: names of both contents as objects of git. `git apply -3` uses them to find the old content.

use super::{Version, git};
use std::ffi::OsStr;
use std::process::Child;

/// Mode of a symbolic link.
const LINK: &str = "120000";

/// Digits of an object's name where no repository says how many tell it from all others.
const ABBREVIATED: usize = 7;

/// Both contents, and the modes of the files.
pub(super) struct Index<'w> {
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
fn abbreviated(objects: [String; 2]) -> [String; 2] {
    let start = |object: &String| git(&["rev-parse", "--short", object].map(OsStr::new)).spawn().ok();
    // Both at the same time.
    let [old, new] = objects.each_ref().map(start);
    let [from, to] = objects;
    [finished(old, from), finished(new, to)]
}

fn finished(child: Option<Child>, object: String) -> String {
    let output = child.and_then(|child| child.wait_with_output().ok()).filter(|output| output.status.success());
    let short = output.and_then(|output| String::from_utf8(output.stdout).ok());
    let short =
        short.map(|short| short.trim_ascii().to_owned()).filter(|short| object.starts_with(short) && !short.is_empty());
    short.unwrap_or_else(|| object.get(..ABBREVIATED).unwrap_or(&object).into())
}
