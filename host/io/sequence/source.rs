//! Where bytes come from: a file, standard input or any reader, decompressed; and what is wrong with them, in words.

use super::shrink::Watched;
use super::unpack::{Compression, Method, unpacked};
use crate::error::InputFault;
use crate::threads;
use crate::{Error, Result, memory};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// Bytes at the start of a file that tell its format; the first lines of a FASTQ file fit, but for the longest reads.
pub(super) const HEAD: usize = 1 << 16;
/// Layers of compression at most.
const LAYERS: usize = 4;
/// Bytes behind what a parser complains of in which a reading error is looked for.
const BEHIND: u64 = 1 << 20;

/// What messages call an input.
#[derive(Debug, Clone)]
pub(super) struct Source {
    path: PathBuf,
    /// The file's name without its folder.
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

    /// Refuses text that is not in UTF-8, by the mark that it starts with.
    pub fn refuse_utf_16(&self, head: &[u8]) -> Result<()> {
        if !is_utf_16(head) {
            return Ok(());
        }
        let how = "this is text in UTF-16, which is not read; convert it first: iconv -f UTF-16 -t UTF-8 FILE";
        Err(self.wrong(InputFault::Encoding, how))
    }

    /// A reading error, with what to do about it if it is a compressed file's. The file was compressed by each of `methods`, the last
    /// one outermost.
    fn explain(&self, fault: io::Error, methods: &[Method]) -> Error {
        let Some(&method) = methods.first() else { return self.io(fault) };
        let is_xz = methods.contains(&Method::Xz);
        let method = methods[1..].iter().fold(method.to_string(), |inner, outer| format!("{inner} in {outer}"));
        let damaged = match fault.kind() {
            io::ErrorKind::UnexpectedEof => {
                let reason = "data ends early, as after an interrupted download; fetch the file again";
                return self.wrong(InputFault::CutShort, format!("the {method} {reason}"));
            }
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => true,
            // As the decoder of xz calls some of it.
            io::ErrorKind::Other => is_xz,
            _ => false,
        };
        if !damaged {
            return self.io(fault);
        }
        self.wrong(InputFault::Damaged, format!("the {method} data is damaged ({fault}); fetch the file again"))
    }
}

/// Whether a file is text in UTF-16: it starts with that byte order mark, and has a NUL, as each character of ASCII there has.
pub(super) fn is_utf_16(head: &[u8]) -> bool {
    (head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff")) && head.contains(&0)
}

/// An input that is open.
pub(super) struct Input {
    pub source: Source,
    pub read: Box<dyn Read + Send>,
    /// Whether it may make a reader wait, as a pipe does.
    pub waits: bool,
    /// Bytes of a file.
    pub len: Option<u64>,
}

/// Opens the file at `path`, `-` being standard input.
pub(super) fn open(path: &Path) -> Result<Input> {
    if path == Path::new("-") {
        let source = Source::new("standard input", "stdin");
        return Ok(Input { source, read: Watched::stdin(), waits: stdin_waits(), len: None });
    }
    let name = path.file_name().unwrap_or(path.as_os_str());
    let source = Source::new(path, &name.to_string_lossy());
    let file = File::open(path).map_err(|fault| source.io(fault))?;
    let about = file.metadata().map_err(|fault| source.io(fault))?;
    if about.is_dir() {
        return Err(source.wrong(InputFault::Directory, "this is a directory; give a file in it"));
    }
    let len = about.is_file().then_some(about.len());
    Ok(Input { source, read: Watched::file(file, len), waits: len.is_none(), len })
}

/// Reads the bytes of the file at `path` as they are.
///
/// ```
/// assert!(carrywave::io::sequence::read_bytes("data/humanMito.fa")?.starts_with(b">"));
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`] when it cannot be read or becomes shorter while it is read, [`Error::Input`] for a folder, and [`Error::Memory`] when it
/// does not fit.
pub fn read_bytes(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let Input { source, mut read, len, .. } = open(path.as_ref())?;
    let mut bytes = Vec::new();
    reserve_all(&mut bytes, len.unwrap_or(0))?;
    read.read_to_end(&mut bytes).map_err(|fault| source.io(fault))?;
    Ok(bytes)
}

/// Makes room for the bytes of a file that are left, and for one more, so that the end is found without more memory.
fn reserve_all(bytes: &mut Vec<u8>, left: u64) -> Result<()> {
    let room = usize::try_from(left).unwrap_or(usize::MAX).saturating_add(1);
    memory::reserve(bytes, room, "the bytes of a file")
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

/// The bytes of an input, decompressed.
pub(super) struct Bytes {
    pub source: Source,
    /// How many, if that is known.
    pub len: Option<u64>,
    /// The compressions of the file, the outermost last.
    methods: Vec<Method>,
    inner: Box<dyn Read + Send>,
}

impl Bytes {
    /// Decompresses an input that is compressed by its first bytes, up to [`LAYERS`] times; not with `keep_compressed`.
    pub fn new(input: Input, keep_compressed: bool) -> Result<Self> {
        let Input { source, read: mut inner, len, .. } = input;
        let mut methods = Vec::new();
        loop {
            let start =
                Compression::start(&mut inner, !methods.is_empty()).map_err(|fault| source.explain(fault, &methods))?;
            let compression = Compression::detect(&start).filter(|_| !keep_compressed);
            let whole = Cursor::new(start).chain(inner);
            match compression {
                None => inner = Box::new(whole),
                Some(Compression::Read(_)) if methods.len() == LAYERS => {
                    let reason = format!("this is compressed more than {LAYERS} times; decompress it first");
                    return Err(source.wrong(InputFault::Compressed, reason));
                }
                Some(Compression::Read(method)) => {
                    inner = unpacked(method, whole);
                    methods.insert(0, method);
                    continue;
                }
                Some(Compression::Refused { name, command }) => {
                    let reason = format!(
                        "this is compressed with {name}, which is not read, as gzip, bzip2, xz and zstd are; decompress it first ({command} FILE)"
                    );
                    return Err(source.wrong(InputFault::Compressed, reason));
                }
            }
            let len = len.filter(|_| methods.is_empty());
            return Ok(Self { source, len, methods, inner });
        }
    }

    /// The next bytes, fewer than there is room for if no more are ready; 0 at the end.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match self.inner.read(buffer) {
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                read => return read.map_err(|fault| self.source.explain(fault, &self.methods)),
            }
        }
    }

    /// All bytes that are left.
    pub fn read_all(&mut self, to: &mut Vec<u8>) -> Result<()> {
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

    /// Bytes from the start: until there are `enough`, but no more than [`HEAD`], and than a file had when it was opened.
    pub fn head(&mut self, enough: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>> {
        // A file that says 0 may have any number, as those of the system do.
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

    /// What a parser's complaint comes from: of a compressed file that may be damage, which is only found behind it.
    pub fn cause(&mut self, complaint: Error) -> Error {
        if self.methods.is_empty() || !matches!(complaint, Error::Input { .. }) {
            return complaint;
        }
        let read = io::copy(&mut self.inner.by_ref().take(BEHIND), &mut io::sink());
        read.map_or_else(|fault| self.source.explain(fault, &self.methods), |_| complaint)
    }
}
