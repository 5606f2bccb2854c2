//! The files to search: those given and, with -r, the files below folders.

use super::arguments::FileArguments;
use crate::shared::notes::is_stdin;
use carrywave::Result;
use carrywave::error::{UsageFault, without_number};
use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, WalkBuilder};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The files to search, in the order given. The files of a folder are in the order of their names.
pub struct Files<'a> {
    arguments: &'a FileArguments,
    given: Vec<OsString>,
    /// Patterns of `--include` and `--exclude`.
    names: Names,
    folders: Names,
}

/// Patterns of file names.
#[derive(Clone, Default)]
struct Names {
    include: Vec<GlobMatcher>,
    exclude: Vec<GlobMatcher>,
}

impl Names {
    fn new(include: &[String], exclude: &[String]) -> Result<Self> {
        let all = |globs: &[String]| globs.iter().map(|glob| matcher(glob)).collect::<Result<Vec<_>>>();
        Ok(Self { include: all(include)?, exclude: all(exclude)? })
    }

    /// Returns true if a file with this name is searched. As in grep, a pattern matches the whole
    /// name or the part after one of its slashes.
    fn take(&self, path: &Path) -> bool {
        if self.include.is_empty() && self.exclude.is_empty() {
            return true;
        }
        let parts: Vec<_> = path.components().collect();
        let ends = || (0..parts.len()).map(|from| parts[from..].iter().collect::<PathBuf>());
        let fits = |globs: &[GlobMatcher]| ends().any(|end| globs.iter().any(|glob| glob.is_match(&end)));
        (self.include.is_empty() || fits(&self.include)) && !fits(&self.exclude)
    }
}

/// Compiles a pattern as grep reads it: `*` also matches slashes, and braces are literal.
fn matcher(glob: &str) -> Result<GlobMatcher> {
    let escaped = glob.replace('{', "[{]").replace('}', "[}]");
    let built = GlobBuilder::new(&escaped).backslash_escape(true).build();
    let built = built.map_err(|fault| {
        UsageFault::Syntax.error(format!("'{glob}' is not a valid file name pattern: {}", fault.kind()))
    })?;
    Ok(built.compile_matcher())
}

impl<'a> Files<'a> {
    pub fn new(arguments: &'a FileArguments, given: &[OsString]) -> Result<Self> {
        if given.iter().filter(|file| is_stdin(file)).count() > 1 {
            return Err(UsageFault::Combination.error("standard input (`-`) can be searched only once; remove one `-`"));
        }
        let names = Names::new(&arguments.include, &arguments.exclude)?;
        let folders = Names::new(&[], &arguments.exclude_dir)?;
        let mut files = Self { arguments, given: given.to_vec(), names, folders };
        if given.is_empty() && !arguments.is_recursive() {
            files.given.push("-".into());
        }
        Ok(files)
    }

    /// Returns true if lines begin with the file name by default.
    pub fn have_names(&self) -> bool {
        match &self.given[..] {
            [] => true,
            [only] => self.arguments.is_recursive() && Path::new(only).is_dir(),
            _ => true,
        }
    }

    /// Iterates over all files. An item is an error message if a file or folder cannot be read.
    pub fn each(&self) -> impl Iterator<Item = std::result::Result<OsString, String>> + '_ {
        let here = (self.given.is_empty()).then(|| self.below(Path::new("."), true));
        let given = self.given.iter().flat_map(|file| self.expanded(file));
        here.into_iter().flatten().chain(given)
    }

    /// Returns a given file, or the files below a folder.
    fn expanded(&self, file: &OsStr) -> Box<dyn Iterator<Item = std::result::Result<OsString, String>> + '_> {
        let path = Path::new(file);
        if file == "-" {
            return Box::new(std::iter::once(Ok(file.to_owned())));
        }
        if self.arguments.is_recursive() && path.is_dir() {
            return if self.folders.take(path) {
                Box::new(self.below(path, false))
            } else {
                Box::new(std::iter::empty())
            };
        }
        // A folder passes, since grep reports folders whatever their names.
        let is_taken = path.is_dir() || self.names.take(path);
        Box::new(is_taken.then(|| Ok(file.to_owned())).into_iter())
    }

    /// Iterates over the files below a folder. Their paths omit the folder if it is the implied
    /// current one.
    fn below(
        &self,
        folder: &Path,
        is_here: bool,
    ) -> impl Iterator<Item = std::result::Result<OsString, String>> + use<> {
        let all = !self.arguments.no_ignore;
        let mut walk = WalkBuilder::new(folder);
        walk.hidden(!self.arguments.hidden).follow_links(self.arguments.dereference_recursive);
        walk.parents(all).ignore(all).git_ignore(all).git_global(all).git_exclude(all);
        if all {
            walk.add_custom_ignore_filename(".rgignore");
        }
        walk.sort_by_file_name(OsStr::cmp);
        let folders = self.folders.clone();
        let is_folder = |entry: &DirEntry| entry.file_type().is_some_and(|kind| kind.is_dir());
        walk.filter_entry(move |entry| entry.depth() == 0 || !is_folder(entry) || folders.take(entry.path()));
        let names = self.names.clone();
        walk.build().filter_map(move |entry| match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                let path = entry.path();
                let path = if is_here { path.strip_prefix(".").unwrap_or(path) } else { path };
                (is_file && names.take(path)).then(|| Ok(path.as_os_str().to_owned()))
            }
            Err(fault) => Some(Err(without_number(&fault.to_string()).to_owned())),
        })
    }
}
