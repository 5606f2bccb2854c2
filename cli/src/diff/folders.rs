//! The entries of two folders, paired in the order of their names.

use super::arguments::FileArguments;
use super::glob::Glob;
use carrywave::io::sequence::read_bytes;
use carrywave::{Error, Result};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Name patterns of files to skip.
#[derive(Clone)]
pub struct Excluded(Vec<Glob>);

impl Excluded {
    /// Reads the patterns from the options, and from files with one pattern per line.
    pub fn new(files: &FileArguments) -> Result<Self> {
        let mut globs = Vec::new();
        for (patterns, any_case) in [(&files.exclude, false), (&files.exclude_any_case, true)] {
            globs.extend(patterns.iter().map(|pattern| Glob::new(pattern.as_encoded_bytes(), any_case)));
        }
        for (lists, any_case) in [(&files.exclude_from, false), (&files.exclude_from_any_case, true)] {
            for list in lists {
                let text = text_of(list)?;
                let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
                globs.extend(lines.filter(|line| !line.is_empty()).map(|line| Glob::new(line, any_case)));
            }
        }
        Ok(Self(globs))
    }

    fn has(&self, name: &OsStr) -> bool {
        self.0.iter().any(|glob| glob.matches(name.as_encoded_bytes()))
    }
}

/// Reads a file; `-` is standard input.
fn text_of(path: &Path) -> Result<Vec<u8>> {
    if path.as_os_str() != "-" {
        return read_bytes(path);
    }
    let mut text = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut text);
    read.map_err(|source| Error::Io { path: path.into(), source })?;
    Ok(text)
}

/// The rule for comparing names.
#[derive(Clone, Copy)]
pub struct Names {
    /// True if ASCII letters match in both cases.
    pub any_case: bool,
}

impl Names {
    pub fn compare(self, one: &OsStr, other: &OsStr) -> Ordering {
        let one = one.as_encoded_bytes();
        let other = other.as_encoded_bytes();
        if self.any_case {
            one.iter().map(u8::to_ascii_lowercase).cmp(other.iter().map(u8::to_ascii_lowercase))
        } else {
            one.cmp(other)
        }
    }
}

/// Name of an entry in each folder. At least one of the folders has it.
pub type Entry = [Option<OsString>; 2];

/// Returns the paired entries of both folders in order, beginning with the name `start`. An absent
/// folder has no entries.
pub fn entries(
    folders: [Option<&Path>; 2],
    excluded: &Excluded,
    names: Names,
    start: Option<&OsStr>,
) -> Result<Vec<Entry>> {
    let [a, b] = folders.map(|folder| list(folder, excluded, names, start));
    let mut a = VecDeque::from(a?);
    let mut b = VecDeque::from(b?);
    let mut entries = Vec::with_capacity(a.len().max(b.len()));
    loop {
        let order = match (a.front(), b.front()) {
            (None, None) => return Ok(entries),
            (None, _) => Ordering::Greater,
            (_, None) => Ordering::Less,
            (Some(one), Some(other)) => names.compare(one, other),
        };
        if order.is_eq() {
            pair_same_names(&mut a, &mut b, names);
        }
        let one = if order.is_le() { a.pop_front() } else { None };
        let other = if order.is_ge() { b.pop_front() } else { None };
        entries.push([one, other]);
    }
}

/// If the first names differ only in case, and the other folder has an exact match among the names
/// that follow, moves that match to the front.
fn pair_same_names(a: &mut VecDeque<OsString>, b: &mut VecDeque<OsString>, names: Names) {
    let (Some(one), Some(other)) = (a.front().cloned(), b.front().cloned()) else { return };
    let (list, wanted) = match one.cmp(&other) {
        Ordering::Equal => return,
        Ordering::Less => (a, other),
        Ordering::Greater => (b, one),
    };
    let like = list.iter().take_while(|name| names.compare(name, &wanted).is_eq());
    if let Some(at) = like.into_iter().position(|name| *name == wanted)
        && let Some(name) = list.remove(at)
    {
        list.push_front(name);
    }
}

/// Lists the names in a folder, in order.
fn list(folder: Option<&Path>, excluded: &Excluded, names: Names, start: Option<&OsStr>) -> Result<Vec<OsString>> {
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let fault = |source| Error::Io { path: folder.into(), source };
    let mut list = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fault)? {
        let name = entry.map_err(fault)?.file_name();
        if !excluded.has(&name) && start.is_none_or(|start| names.compare(&name, start).is_ge()) {
            list.push(name);
        }
    }
    list.sort_by(|one, other| names.compare(one, other).then_with(|| one.cmp(other)));
    Ok(list)
}

/// Returns the path of a name in a folder. With `any_case`, a name that differs only in case also
/// matches.
pub fn inside(folder: &Path, name: &OsStr, names: Names) -> PathBuf {
    let exact = folder.join(name);
    if !names.any_case || exact.symlink_metadata().is_ok() {
        return exact;
    }
    let like = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    like.filter(|other| names.compare(other, name).is_eq()).min().map_or(exact, |other| folder.join(other))
}
