//! A text: in memory, or in a file that may be larger than memory.

use crate::error::{Error, InputFault, Result, UsageFault};
use crate::{memory, threads};
use rayon::prelude::*;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of bytes that a thread takes at a time. A single thread copies from the page cache at
/// less than a fifth of a GPU's input rate.
const PIECE: usize = 1 << 19;

/// A text: bytes in memory or in a file, as a whole or by records.
///
/// Jobs take any type that converts into a text: bytes, a vector, a string, or a text. Line ends
/// are ordinary symbols.
///
/// ```
/// use carrywave::search::Search;
/// use carrywave::text::{Pattern, Text};
///
/// let search = Search::new(Pattern::literal(b"carrywave")).errors(1);
/// assert_eq!(search.hits(b"carry\nwave")?.len(), 1);
/// // Two records: the search skips the symbols between them, and no hit extends over both.
/// let lines = Text::with_records(b"carry\nwave", &[0..5, 6..10])?;
/// assert_eq!(search.hits(&lines)?.len(), 0);
/// assert_eq!((lines.len(), lines.records()), (10, Some(&[0..5, 6..10][..])));
/// // A file is read in parts.
/// let file = Text::open("data/humanMito.fa")?;
/// assert!(!file.is_empty() && file.in_memory().is_none());
/// assert_eq!(*file.part(0..10)?, *b">humanMito");
/// let mut last = [0; 4];
/// file.read(file.len() - 4, &mut last)?;
/// assert_eq!(last, *b"ATG\n");
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Text<'t> {
    storage: Storage<'t>,
    records: Option<&'t [Range<usize>]>,
}

#[derive(Debug, Clone)]
enum Storage<'t> {
    Memory(&'t [u8]),
    Owned(Arc<Vec<u8>>),
    File(Arc<OpenFile>),
}

#[derive(Debug)]
struct OpenFile {
    path: PathBuf,
    file: AtFile,
    len: u64,
}

/// A file that several threads read at different positions.
#[cfg(unix)]
type AtFile = File;
/// A file on systems with a single position per file: threads take turns.
#[cfg(not(unix))]
type AtFile = std::sync::Mutex<File>;

#[cfg(unix)]
fn read_at(file: &AtFile, to: &mut [u8], from: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, to, from)
}

#[cfg(not(unix))]
fn read_at(file: &AtFile, to: &mut [u8], from: u64) -> io::Result<()> {
    let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    file.seek(SeekFrom::Start(from))?;
    file.read_exact(to)
}

impl<'t> From<&'t [u8]> for Text<'t> {
    fn from(symbols: &'t [u8]) -> Self {
        Self { storage: Storage::Memory(symbols), records: None }
    }
}

impl<'t, const N: usize> From<&'t [u8; N]> for Text<'t> {
    fn from(symbols: &'t [u8; N]) -> Self {
        symbols.as_slice().into()
    }
}

impl<'t> From<&'t Vec<u8>> for Text<'t> {
    fn from(symbols: &'t Vec<u8>) -> Self {
        symbols.as_slice().into()
    }
}

impl<'t> From<&'t str> for Text<'t> {
    fn from(text: &'t str) -> Self {
        text.as_bytes().into()
    }
}

impl<'t> From<&'t String> for Text<'t> {
    fn from(text: &'t String) -> Self {
        text.as_bytes().into()
    }
}

impl From<Vec<u8>> for Text<'_> {
    fn from(symbols: Vec<u8>) -> Self {
        Self { storage: Storage::Owned(Arc::new(symbols)), records: None }
    }
}

impl<'t> From<&Text<'t>> for Text<'t> {
    fn from(text: &Text<'t>) -> Self {
        text.clone()
    }
}

impl<'t> Text<'t> {
    /// Creates a text of records: ranges of the bytes, in order and without overlaps. Jobs take
    /// each record on its own, and skip the bytes between records. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Position`] for records that are out of order, overlap or
    /// are not within the bytes.
    pub fn with_records(symbols: &'t [u8], records: &'t [Range<usize>]) -> Result<Self> {
        check_records(records, symbols.len())?;
        Ok(Self { storage: Storage::Memory(symbols), records: Some(records) })
    }

    /// Returns the records, if the text has any. As in the [example](Self).
    pub fn records(&self) -> Option<&'t [Range<usize>]> {
        self.records
    }
}

impl Text<'_> {
    /// Opens the file at `path`, whose bytes are the symbols. Jobs read the file in parts. An input
    /// without a length (a pipe, or `-`, which is standard input) is read into memory at once. As
    /// in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read, [`Error::Input`] for a directory.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let mut symbols = Vec::new();
        if path == Path::new("-") {
            let path = Path::new("standard input");
            io::stdin().read_to_end(&mut symbols).map_err(|source| fault(path, source))?;
            return Ok(symbols.into());
        }
        let mut open = || {
            let mut file = File::open(path)?;
            let about = file.metadata()?;
            if about.is_dir() {
                return Ok(None);
            }
            // An input without an end to seek, such as a pipe, has no length.
            let len = if about.is_file() { about.len() } else { file.seek(SeekFrom::End(0)).unwrap_or(0) };
            if len == 0 {
                file.read_to_end(&mut symbols)?;
            }
            Ok(Some((file, len)))
        };
        let Some((file, len)) = open().map_err(|source| fault(path, source))? else {
            let reason = "this is a folder; give a file in it".into();
            return Err(Error::Input { path: path.into(), fault: InputFault::Directory, reason });
        };
        if len == 0 {
            return Ok(symbols.into());
        }
        #[cfg_attr(unix, expect(clippy::useless_conversion))]
        let open = OpenFile { path: path.into(), file: file.into(), len };
        Ok(Self { storage: Storage::File(Arc::new(open)), records: None })
    }

    /// Returns the number of symbols; for a file, the number when it was opened. As in the
    /// [example](Self).
    pub fn len(&self) -> u64 {
        match &self.storage {
            Storage::Memory(symbols) => symbols.len() as u64,
            Storage::Owned(symbols) => symbols.len() as u64,
            Storage::File(open) => open.len,
        }
    }

    /// Returns true if the text has no symbol. As in the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the symbols, if they are in memory. As in the [example](Self).
    pub fn in_memory(&self) -> Option<&[u8]> {
        match &self.storage {
            Storage::Memory(symbols) => Some(symbols),
            Storage::Owned(symbols) => Some(symbols),
            Storage::File(_) => None,
        }
    }

    /// Copies the symbols from position `from` on, by all threads of the current rayon pool. As in
    /// the [example](Self).
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read or has shrunk, [`Error::Usage`] with
    /// [`UsageFault::Position`] for symbols outside the text.
    pub fn read(&self, from: u64, to: &mut [u8]) -> Result<()> {
        if from.checked_add(to.len() as u64).is_none_or(|end| end > self.len()) {
            let (len, all) = (to.len(), self.len());
            return Err(UsageFault::Position
                .error(format!("a text of {all} symbols does not have {len} symbols from position {from} on")));
        }
        if to.len() <= PIECE {
            return self.read_piece(from, to);
        }
        let pieces = to.par_chunks_mut(PIECE).enumerate();
        threads::run(|| pieces.try_for_each(|(i, piece)| self.read_piece(from + (i * PIECE) as u64, piece)))
    }

    fn read_piece(&self, from: u64, to: &mut [u8]) -> Result<()> {
        match &self.storage {
            Storage::Memory(symbols) => to.copy_from_slice(&symbols[from as usize..][..to.len()]),
            Storage::Owned(symbols) => to.copy_from_slice(&symbols[from as usize..][..to.len()]),
            Storage::File(open) => read_at(&open.file, to, from).map_err(|source| fault(&open.path, source))?,
        }
        Ok(())
    }

    /// Returns the symbols of a range, as in the [example](Self).
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn part(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>> {
        if let Some(symbols) = self.in_memory()
            && let Some(part) = symbols.get(range.start as usize..range.end as usize)
        {
            return Ok(part.into());
        }
        let len = range.end.saturating_sub(range.start).min(self.len()) as usize;
        memory::check::<u8>(len, "a part of the text")?;
        let mut part = vec![0; len];
        self.read(range.start, &mut part)?;
        Ok(part.into())
    }
}

fn fault(path: &Path, source: io::Error) -> Error {
    let source = match source.kind() {
        io::ErrorKind::UnexpectedEof => {
            io::Error::new(source.kind(), "the file shrank while it was read; try again when the file is complete")
        }
        _ => source,
    };
    Error::Io { path: path.into(), source }
}

/// Checks that records are within the text, in order, and do not overlap.
fn check_records(records: &[Range<usize>], length: usize) -> Result<()> {
    let mut last = 0;
    for (number, record) in records.iter().enumerate() {
        if record.start < last || record.end < record.start || record.end > length {
            return Err(UsageFault::Position.error(format!(
                "record {number} is {record:?}, but records must be in order, disjoint, and within the {length} symbols"
            )));
        }
        last = record.end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_at_any_place_and_may_shrink() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        let symbols: Vec<u8> = (0..2 * PIECE + 777).map(|i| (i * 31 / 7) as u8).collect();
        std::fs::write(&path, &symbols).unwrap();
        let text = Text::open(&path).unwrap();
        assert_eq!((text.len(), text.is_empty(), text.in_memory()), (symbols.len() as u64, false, None));
        for (from, len) in [(0, symbols.len()), (5, PIECE), (5, PIECE + 1), (symbols.len() - 3, 3), (7, 0)] {
            let mut to = vec![0; len];
            text.read(from as u64, &mut to).unwrap();
            assert!(to == symbols[from..][..len], "{len} from {from} on");
        }
        assert_eq!(text.part(9..99).unwrap(), &symbols[9..99]);
        let memory = Text::from(&symbols[..]);
        assert_eq!(memory.part(9..99).unwrap(), &symbols[9..99]);
        for text in [&text, &memory] {
            for (from, len) in [(text.len(), 1), (u64::MAX, 2), (0, symbols.len() + 1)] {
                assert!(matches!(text.read(from, &mut vec![0; len]), Err(Error::Usage { .. })), "{len} from {from} on");
            }
        }
        File::options().write(true).open(&path).unwrap().set_len(PIECE as u64 + 9).unwrap();
        let shorter = text.read(0, &mut vec![0; symbols.len()]);
        assert!(matches!(&shorter, Err(Error::Io { source, .. }) if source.to_string().contains("shrank")));
    }

    #[test]
    fn what_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Text::open(folder.path()), Err(Error::Input { .. })));
        assert!(matches!(Text::open(folder.path().join("absent")), Err(Error::Io { .. })));
        let path = folder.path().join("empty");
        std::fs::write(&path, "").unwrap();
        assert!(Text::open(path).unwrap().is_empty());
    }
}
