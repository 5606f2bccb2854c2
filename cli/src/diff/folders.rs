//! The entries of two folders, side by side in the order of their names.

use carrywave::{Error, Result};
use globset::{GlobBuilder, GlobMatcher};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Patterns of names that are left out.
pub struct Excluded(Vec<GlobMatcher>);

impl Excluded {
    /// Those that are given, and those of files, one a line.
    pub fn new(globs: &[String], files: &[PathBuf]) -> Result<Self> {
        let mut all: Vec<String> = globs.to_vec();
        for file in files {
            let text = std::fs::read_to_string(file).map_err(|source| Error::Io { path: file.clone(), source })?;
            all.extend(text.lines().map(str::to_owned));
        }
        let matcher = |glob: &String| {
            // Braces stand for themselves.
            let escaped = glob.replace('{', "[{]").replace('}', "[}]");
            let built = GlobBuilder::new(&escaped).backslash_escape(true).build();
            let fault =
                |fault: globset::Error| Error::Usage(format!("'{glob}' is no pattern of file names: {}", fault.kind()));
            built.map(|glob| glob.compile_matcher()).map_err(fault)
        };
        Ok(Self(all.iter().map(matcher).collect::<Result<_>>()?))
    }

    fn has(&self, name: &OsStr) -> bool {
        self.0.iter().any(|glob| glob.is_match(Path::new(name)))
    }
}

/// The names in both folders, in order, and in which of them they are. A folder that is not there has none.
pub fn entries(folders: [Option<&Path>; 2], excluded: &Excluded) -> Result<Vec<(OsString, [bool; 2])>> {
    let mut names: BTreeMap<OsString, [bool; 2]> = BTreeMap::new();
    for (side, folder) in folders.into_iter().enumerate() {
        let Some(folder) = folder else { continue };
        let fault = |source| Error::Io { path: folder.into(), source };
        for entry in std::fs::read_dir(folder).map_err(fault)? {
            let name = entry.map_err(fault)?.file_name();
            if !excluded.has(&name)
                && let Some(is_there) = names.entry(name).or_default().get_mut(side)
            {
                *is_there = true;
            }
        }
    }
    Ok(names.into_iter().collect())
}
