//! Output files that are either whole or not there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, Result};

/// Writes the file at `path` through `write`, all of it or nothing.
///
/// The bytes go to a hidden file beside the target, which takes the target's name once they are
/// all on disk: a reader never sees half a file, and on an error what was there before stays.
/// A target that is no regular file (a pipe, a terminal, anything in `/dev`) is written directly,
/// and a symbolic link is followed, not replaced.
///
/// # Errors
/// [`Error::Io`] with `path` when it, or its folder, cannot be written or `write` fails.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let outcome = match target(path) {
        Ok(Target::Direct) => OpenOptions::new().write(true).open(path).and_then(|file| write_through(&file, write)),
        Ok(Target::File { path, permissions }) => replace(&path, permissions, write),
        Err(fault) => Err(fault),
    };
    outcome.map_err(|source| Error::Io { path: path.to_owned(), source })
}

/// What stands at the output path.
enum Target {
    /// Something that cannot be replaced by a rename.
    Direct,
    /// A regular file, or nothing yet.
    File {
        /// The path with symbolic links followed.
        path: PathBuf,
        /// Those of the file that is replaced.
        permissions: Option<fs::Permissions>,
    },
}

fn target(path: &Path) -> io::Result<Target> {
    // Behind /dev/stdout may be a regular file that the shell opened, perhaps to append to.
    if path.starts_with("/dev") || path.starts_with("/proc") {
        return Ok(Target::Direct);
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Ok(Target::Direct),
        Ok(found) => {
            // A rename would also replace a file that is write-protected.
            OpenOptions::new().write(true).open(path)?;
            Ok(Target::File { path: fs::canonicalize(path)?, permissions: Some(found.permissions()) })
        }
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            Ok(Target::File { path: path.to_owned(), permissions: None })
        }
        Err(fault) => Err(fault),
    }
}

fn replace(
    path: &Path,
    permissions: Option<fs::Permissions>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let (mut draft, file) = Draft::beside(path)?;
    write_through(&file, write)?;
    file.sync_all()?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    fs::rename(&draft.path, path)?;
    draft.kept = true;
    Ok(())
}

fn write_through(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut buffered = BufWriter::with_capacity(1 << 16, file);
    write(&mut buffered)?;
    buffered.flush()
}

/// A temporary file that goes away unless it was renamed.
struct Draft {
    path: PathBuf,
    kept: bool,
}

impl Draft {
    fn beside(path: &Path) -> io::Result<(Self, File)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let Some(name) = path.file_name() else {
            return Err(io::ErrorKind::InvalidFilename.into());
        };
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            // The name is cut: with the additions it could pass the file system's limit of 255 bytes.
            let name: String = name.to_string_lossy().chars().take(40).collect();
            let draft = path.with_file_name(format!(".{name}.{}.{number}.tmp", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&draft) {
                Ok(file) => {
                    let kept = false;
                    return Ok((Self { path: draft, kept }, file));
                }
                Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(fault) => return Err(fault),
            }
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            // Nothing can be done about a failure here, and the first error matters more.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        write_atomically(&path, |out| out.write_all(b"old")).unwrap();
        let fault = write_atomically(&path, |out| {
            out.write_all(&[b'x'; 1 << 20])?;
            Err(io::Error::other("disk on fire"))
        });
        assert!(fault.unwrap_err().to_string().contains("disk on fire"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["out.txt"]);
    }

    #[test]
    fn a_panic_leaves_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let caught = std::panic::catch_unwind(|| write_atomically(&path, |_| panic!("in the writer, on purpose")));
        assert!(caught.is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_missing_folder_is_an_error_with_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/out.txt");
        let fault = write_atomically(&path, |out| out.write_all(b"new")).unwrap_err();
        assert!(fault.to_string().contains("none/out.txt"), "{fault}");
        assert!(write_atomically(folder.path(), |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let link = folder.path().join("link");
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["file", "link"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_directly() {
        write_atomically(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
    }
}
