//! Output files that are either complete or absent, and text that is safe to show on a terminal.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

mod bgzf;
#[cfg(unix)]
mod drafts;
pub use bgzf::Bgzf;
#[cfg(unix)]
pub use drafts::remove_drafts;

/// Upper bound on the length of a chain of symbolic links, as in Linux.
const LINKS: usize = 40;

/// A file to write completely or not at all.
///
/// The bytes go to a hidden draft beside the target. The draft takes the target's name once all
/// bytes are on disk, so a reader never sees half a file, and an error leaves the previous file in
/// place. The new file keeps the permissions of the file that it replaces and, as far as the system
/// allows, its owner and group; the draft has them from the first byte. Symbolic links are
/// followed, also dangling ones. A target that is not a regular file (a pipe, a terminal, a device)
/// is written directly. `/dev/stdout`, `/dev/stderr` and `/dev/fd/N` are written through the
/// descriptor that they stand for.
///
/// ```
/// use carrywave::io::output::OutputFile;
///
/// let folder = tempfile::tempdir()?;
/// let file = OutputFile::open(&folder.path().join("out.txt"))?;
/// assert_eq!((file.path().file_name(), file.descriptor()), (Some("out.txt".as_ref()), None));
/// assert!(!file.is_same(&OutputFile::open("/dev/null".as_ref())?));
/// file.write(|out| writeln!(out, "all of it, or nothing"))?;
/// assert_eq!(std::fs::read(folder.path().join("out.txt"))?, b"all of it, or nothing\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OutputFile {
    /// Path as the caller gave it.
    path: PathBuf,
    target: Target,
}

/// Type of the target at the output path.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// A descriptor of this process.
    Descriptor(u32),
    /// A target that a rename cannot replace.
    Direct(PathBuf),
    /// A regular file, or a path without a file; links are resolved.
    File(PathBuf),
}

impl OutputFile {
    /// Opens the file at `path` for output and checks, before there is any output, that it can be
    /// written: the folder exists, the permissions suffice, and the name is valid. See the
    /// [example](Self).
    ///
    /// # Errors
    /// [`Error::Io`] with `path` if it cannot be written.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |source| Error::Io { path: path.to_owned(), source };
        let target = target(path).map_err(failed)?;
        let writable = match &target {
            Target::Descriptor(number) => descriptor(*number).map(drop),
            Target::Direct(place) => may_write(place),
            // Creates a draft and removes it at once.
            Target::File(place) => Draft::beside(place).map(drop),
        };
        writable.map_err(failed)?;
        Ok(Self { path: path.to_owned(), target })
    }

    /// Returns the path that the caller gave. See the [example](Self).
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the descriptor that the path stands for, or `None` for a path to a file. See the
    /// [example](Self).
    pub fn descriptor(&self) -> Option<u32> {
        if let Target::Descriptor(number) = self.target { Some(number) } else { None }
    }

    /// Returns true if both would write to the same file. See the [example](Self).
    pub fn is_same(&self, other: &Self) -> bool {
        self.target == other.target
    }

    /// Writes the file through `write`. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Io`] with the path if it cannot be written or `write` fails.
    pub fn write(self, write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<()> {
        let mut stream = self.begin()?;
        write(&mut stream).map_err(|source| Error::Io { path: stream.path.clone(), source })?;
        stream.finish()
    }

    /// Begins to write. The file appears with [`OutputStream::finish`].
    ///
    /// ```
    /// use carrywave::io::output::OutputFile;
    /// use std::io::Write;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("out.txt");
    /// let mut stream = OutputFile::open(&path)?.begin()?;
    /// stream.write_all(b"one line\n")?;
    /// assert!(!path.exists());
    /// stream.finish()?;
    /// assert_eq!(std::fs::read(&path)?, b"one line\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`] with the path if it cannot be written.
    pub fn begin(self) -> Result<OutputStream> {
        let failed = |source| Error::Io { path: self.path.clone(), source };
        let (file, draft) = match self.target {
            Target::Descriptor(number) => (descriptor(number).map_err(failed)?, None),
            Target::Direct(place) => (OpenOptions::new().write(true).open(place).map_err(failed)?, None),
            Target::File(place) => {
                let (draft, file) = Draft::beside(&place).map_err(failed)?;
                (file, Some((draft, place)))
            }
        };
        Ok(OutputStream { path: self.path, file: BufWriter::with_capacity(1 << 16, file), draft })
    }
}

/// A file that is being written; without [`finish`](Self::finish) it does not appear. See the
/// [example](OutputFile::begin).
#[derive(Debug)]
pub struct OutputStream {
    /// Path as the caller gave it.
    path: PathBuf,
    file: BufWriter<File>,
    /// The draft, and the path that it gets.
    draft: Option<(Draft, PathBuf)>,
}

impl OutputStream {
    /// Completes the file. See the [example](OutputFile::begin).
    ///
    /// # Errors
    /// [`Error::Io`] with the path if it cannot be written; the previous file stays.
    pub fn finish(mut self) -> Result<()> {
        let failed = |source| Error::Io { path: self.path.clone(), source };
        self.file.flush().map_err(failed)?;
        if let Some((draft, place)) = &mut self.draft {
            self.file.get_ref().sync_all().map_err(failed)?;
            fs::rename(&draft.path, place).map_err(failed)?;
            draft.kept = true;
        }
        Ok(())
    }
}

impl Write for OutputStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn target(path: &Path) -> io::Result<Target> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let (Some(name), folder) = (path.file_name(), folder_of(&path)) else {
            return Err(if path.is_dir() { io::ErrorKind::IsADirectory } else { io::ErrorKind::InvalidFilename }.into());
        };
        // The folder without links; `/dev/fd` becomes a folder of this process.
        let folder = fs::canonicalize(folder).map_err(|fault| match fault.kind() {
            io::ErrorKind::NotFound => {
                io::Error::other(format!("the folder {} does not exist; create it first", folder.display()))
            }
            io::ErrorKind::NotADirectory => io::Error::other(format!("{} is not a folder", folder.display())),
            _ => fault,
        })?;
        if !folder.is_dir() {
            return Err(io::Error::other(format!("{} is not a folder", folder.display())));
        }
        let place = folder.join(name);
        if let Some(number) = descriptor_number(&place) {
            return Ok(Target::Descriptor(number));
        }
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_symlink() => path = folder.join(fs::read_link(&place)?),
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => return Ok(Target::Direct(place)),
            Ok(_) => {
                // A rename would replace even a write-protected file, so this checks for write
                // permission.
                OpenOptions::new().write(true).open(&place)?;
                return Ok(Target::File(place));
            }
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(Target::File(place)),
            Err(fault) => return Err(fault),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the descriptor that a path without links stands for, such as `/dev/fd/1` and
/// `/proc/self/fd/1`.
fn descriptor_number(place: &Path) -> Option<u32> {
    let folder = place.parent()?;
    let own = format!("/proc/{}/fd", std::process::id());
    let is_descriptor = ["/dev/fd", "/proc/self/fd", &own].iter().any(|of| folder == Path::new(of));
    is_descriptor.then(|| place.file_name()?.to_str()?.parse().ok()).flatten()
}

/// Returns a file that shares its position with a descriptor of this process.
#[cfg(unix)]
fn descriptor(number: u32) -> io::Result<File> {
    use std::os::fd::{AsFd, BorrowedFd};
    let shared = match number {
        1 => io::stdout().as_fd().try_clone_to_owned()?,
        2 => io::stderr().as_fd().try_clone_to_owned()?,
        number => {
            let number =
                i32::try_from(number).ok().filter(|number| *number >= 0).ok_or(io::ErrorKind::InvalidFilename)?;
            // SAFETY: the descriptor is only duplicated, and the system refuses that if it is not
            // open; a descriptor that the user names is the user's to use.
            unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned()?
        }
    };
    let mut file = File::from(shared);
    // Writes no bytes, but checks that writing is allowed.
    file.write_all(&[]).and_then(|()| file.write(&[]))?;
    Ok(file)
}

#[cfg(not(unix))]
fn descriptor(_: u32) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Checks that a target other than a regular file may be written. It does not open a pipe, because
/// the reader of the pipe would take the close for the end of the data.
#[cfg(unix)]
fn may_write(place: &Path) -> io::Result<()> {
    Ok(rustix::fs::access(place, rustix::fs::Access::WRITE_OK)?)
}

#[cfg(not(unix))]
fn may_write(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A temporary file that is removed unless it has been renamed.
#[derive(Debug)]
struct Draft {
    path: PathBuf,
    kept: bool,
    /// Entry for signals that end the process.
    #[cfg(unix)]
    _listed: drafts::Listed,
}

impl Draft {
    fn beside(place: &Path) -> io::Result<(Self, File)> {
        let Some(name) = place.file_name() else {
            return Err(io::ErrorKind::InvalidFilename.into());
        };
        let replaced = match fs::metadata(place) {
            Ok(found) => Some(found),
            // For example a name that is too long, which the draft's name is not.
            Err(fault) if fault.kind() != io::ErrorKind::NotFound => return Err(fault),
            Err(_) => None,
        };
        // Cuts the name, since with the additions it could exceed the file system's limit of 255
        // bytes.
        let name: String = name.to_string_lossy().chars().take(40).collect();
        // A random number, so that no program on this or another machine takes the same name.
        let number = RandomState::new().hash_one(0);
        let path = place.with_file_name(format!(".{name}.{number:016x}.tmp"));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if replaced.is_some() {
            // Private until it has the permissions of the replaced file.
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(unix)]
        let (file, listed) = drafts::create(&path, &options)?;
        #[cfg(not(unix))]
        let file = options.open(&path)?;
        let draft = Self {
            path,
            kept: false,
            #[cfg(unix)]
            _listed: listed,
        };
        if let Some(replaced) = replaced {
            take_over(&file, &replaced)?;
        }
        Ok((draft, file))
    }
}

/// Gives a file the owner, the group and the permissions of another file.
#[cfg(unix)]
fn take_over(file: &File, replaced: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let mut mode = replaced.mode() & 0o7777;
    if (own.uid(), own.gid()) != (replaced.uid(), replaced.gid()) {
        let given = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
        if given.is_err() && own.gid() != replaced.gid() && fchown(file, None, Some(replaced.gid())).is_err() {
            // The group could not be kept: the new group gets only the rights that everyone has.
            mode = mode & 0o707 | (mode & 0o7) << 3;
        }
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn take_over(file: &File, replaced: &fs::Metadata) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            // A failure here cannot be handled, and the first error matters more.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A text on one line, with escapes for line ends, tabs, and characters that a terminal acts on
/// (control characters, marks that change the direction of writing).
///
/// ```
/// assert_eq!(
///     carrywave::io::output::Visible("red \x1b[31m\u{202e}").to_string(),
///     r"red \u{1b}[31m\u{202e}"
/// );
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Visible<'t>(pub &'t str);

/// Returns true if a terminal shows a character instead of acting on it.
///
/// ```
/// assert_eq!(
///     ['ü', '\n', '\u{202e}'].map(carrywave::io::output::is_visible),
///     [true, false, false]
/// );
/// ```
pub fn is_visible(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns
}

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            c if is_visible(c) => write!(f, "{c}"),
            '\n' | '\r' | '\t' => write!(f, "{}", c.escape_default()),
            c => write!(f, "{}", c.escape_unicode()),
        })
    }
}

/// Upper bound on the characters of a user's text that a message repeats.
pub const SHORT: usize = 40;

/// The first [`SHORT`] characters of a text, on one line as in [`Visible`]; an ellipsis stands for
/// the rest.
///
/// ```
/// let pattern = "ACGT".repeat(100);
/// assert_eq!(
///     carrywave::io::output::Shortened(&pattern).to_string(),
///     format!("{}…", "ACGT".repeat(10))
/// );
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Shortened<'t>(pub &'t str);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(SHORT) {
            Some((end, _)) => write!(f, "{}…", Visible(&self.0[..end])),
            None => write!(f, "{}", Visible(self.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<()> {
        OutputFile::open(path)?.write(write)
    }

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
        write(&path, |out| out.write_all(b"old")).unwrap();
        let fault = write(&path, |out| {
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
        let caught = std::panic::catch_unwind(|| write(&path, |_| panic!("in the writer, on purpose")));
        assert!(caught.is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_missing_folder_is_an_error_with_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/out.txt");
        let fault = write(&path, |out| out.write_all(b"new")).unwrap_err();
        assert!(fault.to_string().contains("none/out.txt"), "{fault}");
        assert!(write(folder.path(), |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let link = folder.path().join("link");
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["file", "link"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_written_directly() {
        write(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::from(0o600), 0)
            .unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        write(&pipe, |out| out.write_all(b"through")).unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
        assert_eq!(names(folder.path()), ["pipe"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_nowhere_yet_are_followed_and_circles_are_errors() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("file", at("one")).unwrap();
        symlink("one", at("two")).unwrap();
        write(&at("two"), |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(at("file")).unwrap(), b"new");
        assert!(fs::symlink_metadata(at("one")).unwrap().is_symlink());
        symlink("round", at("about")).unwrap();
        symlink("about", at("round")).unwrap();
        let fault = OutputFile::open(&at("about")).unwrap_err();
        assert!(fault.to_string().contains("symbolic links"), "{fault}");
        assert!(OutputFile::open(&at("two")).unwrap().is_same(&OutputFile::open(&at("file")).unwrap()));
        assert!(!OutputFile::open(&at("two")).unwrap().is_same(&OutputFile::open(&at("other")).unwrap()));
    }

    #[cfg(unix)]
    #[test]
    fn a_draft_has_the_rights_of_what_it_replaces_from_the_start() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        for mode in [0o600, 0o644, 0o664, 0o640, 0o755] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            write(&path, |out| {
                let drafts = fs::read_dir(folder.path())?.filter_map(|entry| entry.ok()?.path().into());
                for draft in drafts.filter(|place: &PathBuf| place != &path) {
                    assert_eq!(fs::metadata(draft)?.permissions().mode() & 0o777, mode);
                }
                out.write_all(b"new")
            })
            .unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_written_is_known_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let opened = |name: &str| OutputFile::open(&folder.path().join(name));
        let long = "x".repeat(256);
        for name in [long.as_str(), "none/out", ".", "..", "/"] {
            assert!(matches!(opened(name), Err(Error::Io { .. })), "{name}");
        }
        assert!(opened(&"y".repeat(255)).is_ok());
        assert!(OutputFile::open(Path::new("/dev/fd/4000000000")).is_err());
        assert!(OutputFile::open(Path::new("/dev/fd/999")).is_err());
        assert!(OutputFile::open(Path::new("/proc/self/out")).is_err());
        assert!(names(folder.path()).is_empty());
    }
}
