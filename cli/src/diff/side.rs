//! One side of a comparison: a file's metadata and its text.

use super::header::header;
use crate::shared::parts::{Part, during};
use carrywave::io::sequence::read_bytes;
use carrywave::{Error, Result};
use std::fs::Metadata;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Identity of a file: its device number and its inode number.
pub type Identity = (u64, u64);

/// One side of a comparison: a file, a folder or standard input.
pub struct Side {
    pub path: PathBuf,
    /// Name to print.
    pub name: Vec<u8>,
    /// Label that replaces name and time in the header.
    pub label: Option<Vec<u8>>,
    /// Metadata, or `None` if the file does not exist and counts as empty.
    pub about: Option<About>,
}

/// Metadata of a file.
pub struct About {
    /// Metadata of the system, or `None` for standard input without metadata.
    metadata: Option<Metadata>,
    is_stdin: bool,
    time: SystemTime,
}

impl Side {
    /// Reads the metadata of a file, or of standard input for `-`. A link stands for its target if
    /// links are followed, otherwise for itself.
    pub fn new(path: &Path, follows_links: bool) -> Result<Self> {
        let about = if path.as_os_str() == "-" {
            let metadata = std::fs::metadata("/dev/stdin").ok();
            // As POSIX requires, the time of standard input is that of the run, even if it is a
            // file.
            About { metadata, is_stdin: true, time: SystemTime::now() }
        } else {
            let metadata = if follows_links { std::fs::metadata(path) } else { std::fs::symlink_metadata(path) };
            let metadata = metadata.map_err(|source| Error::Io { path: path.into(), source })?;
            let time = metadata.modified().unwrap_or(UNIX_EPOCH);
            About { metadata: Some(metadata), is_stdin: false, time }
        };
        Ok(Self { about: Some(about), ..Self::absent(path) })
    }

    /// Returns the side of a file that does not exist.
    pub fn absent(path: &Path) -> Self {
        Self { path: path.into(), name: path.as_os_str().as_encoded_bytes().to_vec(), label: None, about: None }
    }

    pub fn is_absent(&self) -> bool {
        self.about.is_none()
    }

    pub fn is_stdin(&self) -> bool {
        self.about.as_ref().is_some_and(|about| about.is_stdin)
    }

    fn metadata(&self) -> Option<&Metadata> {
        self.about.as_ref()?.metadata.as_ref()
    }

    /// Returns the identity, or `None` if the system has none.
    pub fn identity(&self) -> Option<Identity> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            self.metadata().map(|about| (about.dev(), about.ino()))
        }
        #[cfg(not(unix))]
        None
    }

    pub fn is_folder(&self) -> bool {
        self.metadata().is_some_and(Metadata::is_dir)
    }

    pub fn is_link(&self) -> bool {
        self.metadata().is_some_and(Metadata::is_symlink)
    }

    /// True for a regular file, a link or an absent file. Within folders, devices and the like are
    /// not compared.
    pub fn is_comparable(&self) -> bool {
        self.metadata().is_none_or(|about| about.is_file() || about.is_symlink())
    }

    /// True for an empty file without any permissions: patching programs leave such a file in place
    /// of a missing one.
    pub fn is_deletion_placeholder(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            self.metadata()
                .is_some_and(|about| about.is_file() && about.len() == 0 && about.permissions().mode() & 0o777 == 0)
        }
        #[cfg(not(unix))]
        false
    }

    pub fn read(&self) -> Result<Vec<u8>> {
        let fault = |source| Error::Io { path: self.path.clone(), source };
        match &self.about {
            None => Ok(Vec::new()),
            Some(about) if about.is_stdin => {
                let mut text = Vec::new();
                io::stdin().lock().read_to_end(&mut text).map_err(fault)?;
                Ok(text)
            }
            Some(_) => during(Part::Read, || read_bytes(&self.path)),
        }
    }

    /// Returns the size of a regular file in bytes, and 0 for anything else.
    pub fn bytes(&self) -> u64 {
        self.metadata().filter(|about| about.is_file()).map_or(0, Metadata::len)
    }

    /// Returns the type of the file, for messages.
    pub fn kind(&self) -> &'static str {
        let Some(about) = self.metadata() else { return "regular empty file" };
        if about.is_dir() {
            "directory"
        } else if about.is_symlink() {
            "symbolic link"
        } else if about.is_file() {
            if about.len() == 0 { "regular empty file" } else { "regular file" }
        } else {
            special(about)
        }
    }

    pub fn header(&self) -> Vec<u8> {
        match &self.label {
            Some(label) => label.clone(),
            None => header(&self.name, self.about.as_ref().map_or(UNIX_EPOCH, |about| about.time)),
        }
    }

    /// Returns the name for messages.
    pub fn title(&self) -> &[u8] {
        self.label.as_deref().unwrap_or(&self.name)
    }

    /// Returns the name for JSON and for the file table.
    pub fn shown(&self) -> String {
        String::from_utf8_lossy(self.title()).into_owned()
    }
}

/// True if both sides are the same file or folder.
pub fn is_same_file(a: &Side, b: &Side) -> bool {
    a.identity().is_some() && a.identity() == b.identity() || a.is_stdin() && b.is_stdin()
}

/// Returns the type of a file that is neither regular nor a folder, for messages.
fn special(about: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = about.file_type();
        if kind.is_fifo() {
            return "fifo";
        } else if kind.is_socket() {
            return "socket";
        } else if kind.is_char_device() {
            return "character special file";
        } else if kind.is_block_device() {
            return "block special file";
        }
    }
    let _ = about;
    "weird file"
}
