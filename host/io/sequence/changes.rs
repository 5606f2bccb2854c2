//! Detects regular files that shrink while they are read: missing bytes give an error, not a
//! shorter text.

use std::fs::File;
use std::io::{self, Read};

/// A file whose length is checked again at its end.
pub(super) struct Watched<R> {
    inner: R,
    /// Length of the file when it was opened, in bytes.
    len: u64,
    /// Position in the file, in bytes.
    place: u64,
    /// Returns the current length in bytes, if the system knows it.
    size: fn(&R) -> Option<u64>,
}

impl Watched<File> {
    /// Wraps a file of `len` bytes; a file of unknown length is not watched.
    pub fn file(file: File, len: Option<u64>) -> Box<dyn Read + Send> {
        match len {
            Some(len) => {
                let size = |file: &File| file.metadata().ok().map(|about| about.len());
                Box::new(Self { inner: file, len, place: 0, size })
            }
            None => Box::new(file),
        }
    }
}

impl Watched<io::Stdin> {
    /// Returns standard input, which may be a file.
    #[cfg(unix)]
    pub fn stdin() -> Box<dyn Read + Send> {
        use rustix::fs::{FileType, fstat, tell};
        let size = |stdin: &io::Stdin| {
            let about = fstat(stdin).ok()?;
            let is_file = FileType::from_raw_mode(about.st_mode) == FileType::RegularFile;
            is_file.then(|| u64::try_from(about.st_size).ok()).flatten()
        };
        let stdin = io::stdin();
        match (size(&stdin), tell(&stdin)) {
            (Some(len), Ok(place)) => Box::new(Self { inner: stdin, len, place, size }),
            _ => Box::new(stdin),
        }
    }

    /// Returns standard input.
    #[cfg(not(unix))]
    pub fn stdin() -> Box<dyn Read + Send> {
        Box::new(io::stdin())
    }
}

impl<R> Watched<R> {
    /// Returns an error at the end of a file that has shrunk.
    fn check_end(&self) -> io::Result<()> {
        let read = self.place;
        let len = self.len;
        // Some system files return fewer bytes than their length, and their length does not change.
        if read < len && (self.size)(&self.inner).is_some_and(|size| size < len) {
            return Err(io::Error::other(format!(
                "the file shrank while it was read: {read} of {len} bytes could be read; try again when the file is complete"
            )));
        }
        Ok(())
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
            let mut watched = Watched::file(File::open(file.path()).unwrap(), Some(1000));
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
}
