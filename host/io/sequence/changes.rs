//! Detects regular files that change while they are read: missing or mixed bytes give an error.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::SystemTime;

/// Length in bytes of the longest file that may change while it is read: few reads take it whole.
const SHORT: u64 = 1 << 16;

/// State of a file that changes when somebody writes to it.
#[derive(Debug, Clone, Copy)]
struct State {
    /// Length in bytes.
    len: u64,
    /// Time of the last change, if known.
    modified: Option<SystemTime>,
}

impl State {
    fn new(about: &Metadata) -> Self {
        Self { len: about.len(), modified: about.modified().ok() }
    }

    /// Returns an error if a file has shrunk, or has changed without growing. `self` is its state
    /// when it was opened, `read` the number of bytes up to its end, and `now` returns its current
    /// state, if the system knows it.
    fn check_end(self, read: u64, now: impl FnOnce() -> Option<Self>) -> io::Result<()> {
        let len = self.len;
        if len <= SHORT && read >= len {
            return Ok(());
        }
        let Some(now) = now() else { return Ok(()) };
        // Some system files return fewer bytes than their length, and their length does not change.
        if read < len && now.len < len {
            return Err(io::Error::other(format!(
                "the file shrank while it was read: {read} of {len} bytes could be read; try again when the file is complete"
            )));
        }
        if read >= len && now.len == len && now.modified != self.modified {
            let reason = "the file changed while it was read; try again when the file is complete";
            return Err(io::Error::other(reason));
        }
        Ok(())
    }
}

/// A regular file, which several threads can read.
#[derive(Debug, Clone)]
pub(super) struct RegularFile {
    file: Arc<File>,
    opened: State,
}

impl RegularFile {
    pub fn new(file: File, about: &Metadata) -> Self {
        Self { file: Arc::new(file), opened: State::new(about) }
    }

    /// Returns the length in bytes when the file was opened.
    pub fn len(&self) -> u64 {
        self.opened.len
    }

    /// Returns the time of the last change before the file was opened, if known.
    pub fn modified(&self) -> Option<SystemTime> {
        self.opened.modified
    }

    /// Returns a reader of the file from its start. At its end it returns an error if the file has
    /// changed.
    pub fn reader(&self) -> Box<dyn Read + Send> {
        self.watched(0)
    }

    /// Returns a [`reader`](Self::reader) from an offset on. Other readers must not be used any
    /// more.
    pub fn reader_from(&self, place: u64) -> io::Result<Box<dyn Read + Send>> {
        (&*self.file).seek(SeekFrom::Start(place))?;
        Ok(self.watched(place))
    }

    fn watched(&self, place: u64) -> Box<dyn Read + Send> {
        let state = |file: &Arc<File>| file.metadata().ok().map(|about| State::new(&about));
        Box::new(Watched { inner: Arc::clone(&self.file), opened: self.opened, place, state })
    }

    /// Reads bytes at an offset. Returns their number; 0 at the end.
    pub fn read_at(&self, buffer: &mut [u8], place: u64) -> io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(&*self.file, buffer, place);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, place);
    }

    /// Reads bytes at an offset until the buffer is full or the file ends. Returns their number.
    pub fn read_full_at(&self, buffer: &mut [u8], place: u64) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read_at(&mut buffer[filled..], place + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(filled)
    }

    /// Returns an error if the file has changed. `read` is the number of bytes up to its end.
    pub fn check_end(&self, read: u64) -> io::Result<()> {
        self.opened.check_end(read, || self.file.metadata().ok().map(|about| State::new(&about)))
    }
}

/// A file that is checked for changes at its end.
struct Watched<R> {
    inner: R,
    opened: State,
    /// Position in the file, in bytes.
    place: u64,
    /// Returns the current state, if the system knows it.
    state: fn(&R) -> Option<State>,
}

/// Returns standard input, which may be a file.
#[cfg(unix)]
pub(super) fn stdin() -> Box<dyn Read + Send> {
    use rustix::fs::{FileType, fstat, tell};
    let state = |stdin: &io::Stdin| {
        let about = fstat(stdin).ok()?;
        let is_file = FileType::from_raw_mode(about.st_mode) == FileType::RegularFile;
        let len = u64::try_from(about.st_size).ok().filter(|_| is_file)?;
        Some(State { len, modified: None })
    };
    let stdin = io::stdin();
    match (state(&stdin), tell(&stdin)) {
        (Some(opened), Ok(place)) => Box::new(Watched { inner: stdin, opened, place, state }),
        _ => Box::new(stdin),
    }
}

/// Returns standard input.
#[cfg(not(unix))]
pub(super) fn stdin() -> Box<dyn Read + Send> {
    Box::new(io::stdin())
}

impl<R> Watched<R> {
    fn check_end(&self) -> io::Result<()> {
        self.opened.check_end(self.place, || (self.state)(&self.inner))
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.place = self.place.saturating_add(count as u64);
        if count == 0 && !buffer.is_empty() {
            self.check_end()?;
        }
        Ok(count)
    }

    /// Reads into memory that is not zeroed first.
    fn read_to_end(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let count = self.inner.read_to_end(bytes)?;
        self.place = self.place.saturating_add(count as u64);
        self.check_end()?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_that_becomes_shorter_is_an_error_and_one_that_grows_is_read() {
        let read = |at_once: bool, change: &dyn Fn(&File)| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(&[b'x'; 1000]).unwrap();
            let opened = File::open(file.path()).unwrap();
            let about = opened.metadata().unwrap();
            let mut watched = RegularFile::new(opened, &about).reader();
            let mut bytes = vec![0; 300];
            watched.read_exact(&mut bytes).unwrap();
            change(file.as_file());
            let read =
                if at_once { watched.read_to_end(&mut bytes) } else { watched.take(5000).read_to_end(&mut bytes) };
            read.map(|_| bytes.len())
        };
        for at_once in [false, true] {
            assert_eq!(read(at_once, &|_| ()).unwrap(), 1000);
            assert_eq!(read(at_once, &|file| file.set_len(2000).unwrap()).unwrap(), 2000);
            for len in [0, 200, 300, 999] {
                let fault = read(at_once, &|file| file.set_len(len).unwrap()).unwrap_err();
                assert!(fault.to_string().contains("the file shrank while it was read"), "{fault}");
            }
        }
    }

    #[test]
    fn a_file_that_is_written_to_is_an_error() {
        let len = 2 * SHORT;
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(len).unwrap();
        let open = || RegularFile::new(File::open(file.path()).unwrap(), &file.path().metadata().unwrap());
        let read = |file: &RegularFile| file.reader().read_to_end(&mut Vec::new());
        let opened = open();
        assert_eq!((read(&opened).unwrap() as u64, opened.check_end(len).is_ok()), (len, true));
        let opened = open();
        file.as_file().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        for fault in [read(&opened).unwrap_err(), opened.check_end(len).unwrap_err()] {
            assert!(fault.to_string().contains("the file changed while it was read"), "{fault}");
        }
        let opened = open();
        file.as_file().set_len(len + 1).unwrap();
        assert_eq!((read(&opened).unwrap() as u64, opened.check_end(len + 1).is_ok()), (len + 1, true));
    }
}
