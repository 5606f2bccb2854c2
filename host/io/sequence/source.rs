//! Sources of bytes (a file, standard input or any reader), decompressed, and the errors they
//! cause.

use super::Format;
use super::changes::{RegularFile, stdin};
use super::excerpt::Excerpt;
use super::two_bit::signature::is_two_bit;
use super::unpack::{Compression, Method, unpacked};
use crate::error::InputFault;
use crate::threads;
use crate::{Error, Result, memory};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// Number of bytes at the start of a file that determine its format. The first lines of a FASTQ
/// file fit, except for the longest reads.
pub(super) const HEAD: usize = 1 << 16;
/// Upper bound on the layers of compression.
const LAYERS: usize = 4;
/// Size in bytes of the shortest file that several threads read or decompress.
const LONG: u64 = 1 << 20;
/// Size in bytes of the pieces of a file that several threads read.
const PIECE: usize = 1 << 19;
/// Upper bound on the threads that decompress a file of several members.
const THREADS: usize = 16;
/// Bytes after a parse error to read in search of a read error.
const BEHIND: u64 = 1 << 20;

/// Name of an input in messages.
#[derive(Debug, Clone)]
pub(super) struct Source {
    path: PathBuf,
    /// Name of the file without its folder.
    pub name: String,
}

impl Source {
    pub fn new(path: impl Into<PathBuf>, name: &str) -> Self {
        Self { path: path.into(), name: name.into() }
    }

    pub fn wrong(&self, fault: InputFault, reason: impl Into<String>) -> Error {
        Error::Input { path: self.path.clone(), fault, reason: reason.into() }
    }

    pub fn io(&self, source: io::Error) -> Error {
        Error::Io { path: self.path.clone(), source }
    }

    /// Returns an error for text in UTF-16, detected by its byte order mark.
    pub fn refuse_utf_16(&self, head: &[u8]) -> Result<()> {
        if !is_utf_16(head) {
            return Ok(());
        }
        let how = "UTF-16 text is not supported; convert it first: iconv -f UTF-16 -t UTF-8 FILE";
        Err(self.wrong(InputFault::Encoding, how))
    }

    /// Returns an error for a two-bit file that cannot be read by seeking.
    pub fn refuse_two_bit(&self, head: &[u8]) -> Result<()> {
        if !is_two_bit(head) {
            return Ok(());
        }
        let how = "a two-bit file is read by seeking; give it as a file that is neither compressed nor a pipe";
        Err(self.wrong(InputFault::NoFormat, how))
    }

    /// Turns a read error into an [`Error`], with advice if the file is compressed. `methods` are
    /// the compressions of the file, the outermost last.
    fn explain(&self, fault: io::Error, methods: &[Method]) -> Error {
        let Some(&method) = methods.first() else { return self.io(fault) };
        let is_xz = methods.contains(&Method::Xz);
        let method = methods[1..].iter().fold(method.to_string(), |inner, outer| format!("{inner} in {outer}"));
        let damaged = match fault.kind() {
            io::ErrorKind::UnexpectedEof => {
                let reason = "data ends early, possibly after an interrupted download; fetch the file again";
                return self.wrong(InputFault::CutShort, format!("the {method} {reason}"));
            }
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => true,
            // The xz decoder reports some damage as `Other`.
            io::ErrorKind::Other => is_xz,
            _ => false,
        };
        if !damaged {
            return self.io(fault);
        }
        self.wrong(InputFault::Damaged, format!("the {method} data is damaged ({fault}); fetch the file again"))
    }
}

/// Returns true if a file is text in UTF-16: it starts with that byte order mark and contains a
/// NUL, as every ASCII character does there.
pub(super) fn is_utf_16(head: &[u8]) -> bool {
    (head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff")) && head.contains(&0)
}

/// An open input.
pub(super) struct Input {
    pub source: Source,
    pub read: Box<dyn Read + Send>,
    /// True if reading may wait for more data, as from a pipe.
    pub waits: bool,
    /// The file, if it is a regular file that was opened by its path.
    pub file: Option<RegularFile>,
    /// Properties of an input that was made of records of a file, or `None` for a file as it is.
    pub known: Option<Known>,
}

/// Properties of an input that was made of records of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub format: Format,
    /// Number of the first line in the file, 1-based.
    pub line: u64,
    /// Number of bytes.
    pub len: u64,
    /// The part of its only record that it has, if a region was chosen.
    pub excerpt: Option<Excerpt>,
}

/// Opens the file at `path` (`-` is standard input).
pub(super) fn open(path: &Path) -> Result<Input> {
    if path == Path::new("-") {
        let source = Source::new("standard input", "stdin");
        return Ok(Input { source, read: stdin(), waits: stdin_waits(), file: None, known: None });
    }
    let name = path.file_name().unwrap_or(path.as_os_str());
    let source = Source::new(path, &name.to_string_lossy());
    let file = File::open(path).map_err(|fault| source.io(fault))?;
    let about = file.metadata().map_err(|fault| source.io(fault))?;
    if about.is_dir() {
        return Err(source.wrong(InputFault::Directory, "this is a folder; give a file in it"));
    }
    if !about.is_file() {
        return Ok(Input { source, read: Box::new(file), waits: true, file: None, known: None });
    }
    let file = RegularFile::new(file, &about);
    Ok(Input { source, read: file.reader(), waits: false, file: Some(file), known: None })
}

/// Reads the bytes of the file at `path`, without decompression. If they are many, all threads of
/// the current rayon pool read.
///
/// ```
/// assert!(carrywave::io::sequence::read_bytes("data/humanMito.fa")?.starts_with(b">"));
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`] if it cannot be read or shrinks while it is read, [`Error::Input`] for a folder,
/// and [`Error::Memory`] if it does not fit into memory.
pub fn read_bytes(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let Input { source, mut read, file, .. } = open(path.as_ref())?;
    let mut bytes = Vec::new();
    if let Some(file) = file.as_ref().filter(|file| file.len() >= LONG) {
        read_rest(file, &source, &mut bytes)?;
        return Ok(bytes);
    }
    reserve_all(&mut bytes, file.map_or(0, |file| file.len()))?;
    read.read_to_end(&mut bytes).map_err(|fault| source.io(fault))?;
    Ok(bytes)
}

/// Reserves memory for the remaining bytes of a file and one more, so that finding the end needs no
/// more memory.
fn reserve_all(bytes: &mut Vec<u8>, left: u64) -> Result<()> {
    let room = usize::try_from(left).unwrap_or(usize::MAX).saturating_add(1);
    memory::reserve(bytes, room, "the bytes of a file")
}

/// Reads the bytes of a file from position `bytes.len()` on, by all threads of the current rayon
/// pool.
fn read_rest(file: &RegularFile, source: &Source, bytes: &mut Vec<u8>) -> Result<()> {
    const WHAT: &str = "the bytes of a file";
    let place = bytes.len();
    let len = usize::try_from(file.len()).unwrap_or(usize::MAX).max(place);
    // The system zeroes the pages when the threads write to them.
    let mut all = memory::filled(len.saturating_add(1), 0, WHAT)?;
    all[..place].copy_from_slice(bytes);
    let stop = threads::stop();
    let mut filled = place;
    let read = |(number, piece): (usize, &mut [u8])| {
        stop.check();
        file.read_full_at(piece, (place + number * PIECE) as u64)
    };
    let pieces = all[place..len].par_chunks_mut(PIECE).enumerate();
    let counts: io::Result<Vec<usize>> = threads::run(|| pieces.map(read).collect());
    for count in counts.map_err(|fault| source.io(fault))? {
        filled += count;
        if count < PIECE {
            break;
        }
    }
    // The file may have grown.
    loop {
        if filled == all.len() {
            memory::reserve(&mut all, PIECE, WHAT)?;
            all.resize(filled + PIECE, 0);
        }
        match file.read_full_at(&mut all[filled..], filled as u64).map_err(|fault| source.io(fault))? {
            0 => break,
            count => filled += count,
        }
    }
    all.truncate(filled);
    *bytes = all;
    file.check_end(filled as u64).map_err(|fault| source.io(fault))
}

#[cfg(unix)]
fn stdin_waits() -> bool {
    use rustix::fs::{FileType, fstat};
    !fstat(io::stdin()).is_ok_and(|about| FileType::from_raw_mode(about.st_mode) == FileType::RegularFile)
}

#[cfg(not(unix))]
fn stdin_waits() -> bool {
    true
}

/// Decompressed bytes of an input.
pub(super) struct Bytes {
    pub source: Source,
    /// Number of bytes, if known.
    pub len: Option<u64>,
    /// Number of bytes of the file, compressed or not.
    pub file_len: Option<u64>,
    /// The file, if its bytes are not compressed.
    pub file: Option<RegularFile>,
    /// Properties of an input that was made of records of a file.
    pub known: Option<Known>,
    /// Number of bytes that have been read.
    pub place: u64,
    /// Compressions of the file, the outermost last.
    methods: Vec<Method>,
    inner: Box<dyn Read + Send>,
}

impl Bytes {
    /// Opens the bytes of an input. Unless `keep_compressed` is set, decompresses it as its first
    /// bytes say, up to [`LAYERS`] times.
    pub fn new(input: Input, keep_compressed: bool) -> Result<Self> {
        let Input { source, read: mut inner, file, known, .. } = input;
        let is_long = file.as_ref().is_some_and(|file| file.len() >= LONG);
        let threads = if is_long { rayon::current_num_threads() } else { 1 };
        let threads = if threads > 1 { threads.min(THREADS) } else { 0 };
        let mut methods = Vec::new();
        loop {
            let start =
                Compression::start(&mut inner, !methods.is_empty()).map_err(|fault| source.explain(fault, &methods))?;
            let compression = Compression::detect(&start).filter(|_| !keep_compressed);
            let whole = Cursor::new(start).chain(inner);
            match compression {
                None => inner = Box::new(whole),
                Some(Compression::Read(_)) if methods.len() == LAYERS => {
                    let reason = format!("the file is compressed more than {LAYERS} times; decompress it first");
                    return Err(source.wrong(InputFault::Compressed, reason));
                }
                Some(Compression::Read(method)) => {
                    inner = unpacked(method, whole, if methods.is_empty() { threads } else { 0 });
                    methods.insert(0, method);
                    continue;
                }
                Some(Compression::Refused { name, command }) => {
                    let reason = format!(
                        "compressed with {name}, which is not supported (gzip, bzip2, xz and zstd are); decompress it \
                         first: {command} FILE"
                    );
                    return Err(source.wrong(InputFault::Compressed, reason));
                }
            }
            let file_len = file.as_ref().map(RegularFile::len);
            let file = file.filter(|_| methods.is_empty());
            let len = known.map(|known| known.len).or_else(|| file.as_ref().map(RegularFile::len));
            return Ok(Self { source, len, file_len, file, known, place: 0, methods, inner });
        }
    }

    /// Reads the next bytes, fewer than `buffer` holds if no more are ready; 0 at the end.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match self.inner.read(buffer) {
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                Ok(count) => {
                    self.place += count as u64;
                    return Ok(count);
                }
                Err(fault) => return Err(self.source.explain(fault, &self.methods)),
            }
        }
    }

    /// Reads bytes until the buffer is full or the input ends, from position `filled` of the buffer
    /// on.
    pub fn read_full(&mut self, buffer: &mut [u8], filled: &mut usize) -> Result<()> {
        while *filled < buffer.len() {
            match self.read(&mut buffer[*filled..])? {
                0 => break,
                count => *filled += count,
            }
        }
        Ok(())
    }

    /// Reads all remaining bytes. `to` has those before.
    pub fn read_all(&mut self, to: &mut Vec<u8>) -> Result<()> {
        if let Some(file) = self.file.as_ref().filter(|file| file.len() >= LONG) {
            return read_rest(file, &self.source, to);
        }
        let left = self.len.map_or(0, |len| len.saturating_sub(to.len() as u64));
        reserve_all(to, left)?;
        loop {
            threads::check();
            match self.inner.by_ref().take(1 << 24).read_to_end(to) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(fault) => return Err(self.source.explain(fault, &self.methods)),
            }
        }
    }

    /// Goes on at an offset, if the bytes are those of a file.
    pub fn go_on_at(&mut self, place: u64) -> Result<()> {
        if let Some(file) = &self.file {
            self.inner = file.reader_from(place).map_err(|fault| self.source.io(fault))?;
            self.place = place;
        }
        Ok(())
    }

    /// Reads bytes from the start until they are `enough`, at most [`HEAD`] and at most the file's
    /// length when it was opened.
    pub fn head(&mut self, enough: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>> {
        // A file of length 0 may have any number of bytes, as some system files do.
        let all = self.len.filter(|&len| len > 0).map_or(HEAD, |len| len.min(HEAD as u64) as usize);
        let mut head = vec![0; all];
        let mut len = 0;
        while len < all && !enough(&head[..len]) {
            match self.read(&mut head[len..])? {
                0 => break,
                count => len += count,
            }
        }
        head.truncate(len);
        Ok(head)
    }

    /// Returns the cause of a parse error. In a compressed file this may be damage, which the
    /// decompressor only reports further on.
    pub fn cause(&mut self, complaint: Error) -> Error {
        if self.methods.is_empty() || !matches!(complaint, Error::Input { .. }) {
            return complaint;
        }
        let read = io::copy(&mut self.inner.by_ref().take(BEHIND), &mut io::sink());
        read.map_or_else(|fault| self.source.explain(fault, &self.methods), |_| complaint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn many_threads_read_the_bytes_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for len in [LONG as usize - 1, LONG as usize, 3 * PIECE + 7] {
            let expected: Vec<u8> = (0..len).map(|place| (place * 31 / 7) as u8).collect();
            std::fs::write(&path, &expected).unwrap();
            assert!(read_bytes(&path).unwrap() == expected);
            let mut bytes = Bytes::new(open(&path).unwrap(), true).unwrap();
            let mut all = bytes.head(|_| false).unwrap();
            bytes.read_all(&mut all).unwrap();
            assert!(all == expected);
        }
    }

    #[test]
    fn many_threads_notice_a_file_that_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let len = 2 * LONG;
        let read = |change: &dyn Fn(&File)| {
            std::fs::write(&path, vec![b'x'; len as usize]).unwrap();
            let Input { source, file, .. } = open(&path).unwrap();
            change(&File::options().write(true).open(&path).unwrap());
            let mut bytes = vec![b'x'; 3];
            read_rest(&file.unwrap(), &source, &mut bytes)
                .map(|()| bytes.len() as u64)
                .map_err(|error| error.to_string())
        };
        assert_eq!(read(&|_| ()), Ok(len));
        assert_eq!(read(&|file| file.set_len(len + LONG).unwrap()), Ok(len + LONG));
        for shorter in [0, 2, PIECE as u64 + 9, len - 1] {
            let fault = read(&|file| file.set_len(shorter).unwrap()).unwrap_err();
            assert!(fault.contains("shrank"), "{fault}");
        }
        let fault = read(&|file| file.set_modified(SystemTime::UNIX_EPOCH).unwrap()).unwrap_err();
        assert!(fault.contains("changed"), "{fault}");
    }
}
