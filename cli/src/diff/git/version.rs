//! One of the two versions of a file, as git describes it to an external diff program.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A version of a file.
#[derive(Clone, Copy)]
pub struct Version<'w> {
    /// Name of the file in the repository.
    pub name: &'w OsStr,
    /// Path of the file that holds the content.
    pub file: &'w OsStr,
    /// Object name in hexadecimal digits; zeros if git has not computed it, as for a file of the
    /// working tree.
    pub object: &'w str,
    /// Mode as an octal number; `None` if there is no file on this side.
    pub mode: Option<&'w str>,
}

impl<'w> Version<'w> {
    /// Parses git's words for one side. Returns `None` if they do not have git's form.
    pub fn parse(name: &'w OsStr, [file, object, mode]: [&'w OsString; 3]) -> Option<Self> {
        let object = object.to_str()?;
        let mode = mode.to_str()?;
        let is_object =
            object == "." || matches!(object.len(), 40 | 64) && object.bytes().all(|b| b.is_ascii_hexdigit());
        let is_mode = mode == "." || mode.len() == 6 && mode.bytes().all(|b| matches!(b, b'0'..=b'7'));
        (is_object && is_mode).then_some(Self { name, file, object, mode: (mode != ".").then_some(mode) })
    }

    /// Returns the empty version of a file that does not exist.
    pub fn absent(self) -> Self {
        Self { file: OsStr::new("/dev/null"), object: ".", mode: None, ..self }
    }

    /// Returns the file type without permissions: regular file, symbolic link or submodule.
    pub fn kind(self) -> Option<&'w str> {
        self.mode?.get(..3)
    }

    /// Returns the path of the content. A file called `-` is not standard input.
    pub fn path(self) -> PathBuf {
        if self.file == "-" { Path::new("./-").into() } else { self.file.into() }
    }
}
