//! Reads a record, or a part of it, by the indexes beside its file.
//!
//! An index may be older than its file, or belong to another one. So it only says where to look:
//! the header line before the record, the ends of the lines, and the record's end must be there.
//! Otherwise a warning is logged, and the caller reads the whole file.

use super::beside;
use super::fai::Row;
use super::gzi::Gzi;
use super::window::Window;
use crate::io::sequence::changes::RegularFile;
use crate::io::sequence::chosen::Chosen;
use crate::io::sequence::region::{By, Request};
use crate::io::sequence::source::{Input, Source};
use crate::io::sequence::unpack::Compression;
use crate::io::sequence::unpack::bgzf::{HEADER, block_len};
use crate::{Result, memory};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;

/// Upper bound on the length of a row of an index, and on a header line, in bytes.
const LONGEST: u64 = 1 << 16;

/// Reads the requested record of an input, if there is an index beside its file that has the record
/// and fits the file. Otherwise returns `None`. O(index + part), for BGZF O(index + blocks of the
/// record).
///
/// # Errors
/// [`Error::Input`](crate::Error::Input) if the record does not have the requested positions.
pub(in super::super) fn find(input: &Input, path: &Path, request: &Request<'_>) -> Result<Option<Chosen>> {
    // Only a whole header line has blanks, and an index has none.
    let has_blank = request.text.contains(char::is_whitespace);
    let Some(file) = input.file.as_ref().filter(|_| !has_blank) else { return Ok(None) };
    let checked = match Checked::new(file, path, request) {
        Ok(Some(checked)) => checked,
        Ok(None) => return Ok(None),
        Err(misfit) => return Ok(misfit.warn(path)),
    };
    match checked.read(request, &input.source)? {
        Ok(chosen) => Ok(Some(chosen)),
        Err(misfit) => Ok(misfit.warn(path)),
    }
}

/// Result of using an index.
type Fitting<T> = std::result::Result<T, Misfit>;

/// Why an index is not used.
struct Misfit {
    /// Ending of the index.
    ending: &'static str,
    reason: String,
}

impl Misfit {
    fn new(ending: &'static str, reason: impl Into<String>) -> Self {
        Self { ending, reason: reason.into() }
    }

    /// Logs a warning.
    fn warn<T>(self, path: &Path) -> Option<T> {
        let Self { ending, reason } = self;
        let index = beside(path, ending);
        log::warn!(
            "{} is not used, because {reason}; the whole file is read (`carrywave index` makes a new index)",
            index.display()
        );
        None
    }
}

impl From<io::Error> for Misfit {
    fn from(fault: io::Error) -> Self {
        Self::new("fai", fault.to_string())
    }
}

/// A record whose index row fits the file.
struct Checked {
    row: Row,
    by: By,
    /// Header without its mark and its line end.
    header: Vec<u8>,
    line_end: &'static [u8],
    window: Window,
}

impl Checked {
    /// Looks up the request and checks the row. Returns `None` if there is no index, or it does not
    /// have the record.
    fn new(file: &RegularFile, path: &Path, request: &Request<'_>) -> Fitting<Option<Self>> {
        let Some(fai) = open_index(file, path, "fai")? else { return Ok(None) };
        let Some(Looked { row, by }) = look_up(fai, request)? else { return Ok(None) };
        let Some(mut window) = window(file, path)? else { return Ok(None) };
        let misfit = |reason: &str| Misfit::new("fai", reason);
        let outside = || misfit("the record would lie outside the file");
        let line_end = row.line_end().ok_or_else(|| misfit("its line lengths are impossible"))?;
        let header = header_before(&mut window, row.offset)?;
        let header = header.ok_or_else(|| misfit("there is no header line before the record"))?;
        let name = header.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()).unwrap_or_default();
        if name != row.name {
            return Err(misfit("the record has another name there"));
        }
        if row.len > row.bases {
            let end = row.offset_of(row.bases - 1).ok_or_else(outside)?;
            let around = window.read(end, 1 + line_end.len() as u64)?;
            if around.first().is_none_or(|&symbol| symbol <= b' ') || around[1..] != *line_end {
                return Err(misfit("the lines have another length"));
            }
        }
        let last = row.offset_of(row.len - 1).ok_or_else(outside)?;
        if !is_end(&window.read(last, LONGEST)?) {
            return Err(misfit("the record ends elsewhere"));
        }
        Ok(Some(Self { row, by, header, line_end, window }))
    }

    /// Reads the requested part.
    fn read(self, request: &Request<'_>, source: &Source) -> Result<Fitting<Chosen>> {
        let Self { row, by, header, line_end, mut window } = self;
        let mut chosen = Chosen { header, line: 1, ..Chosen::default() };
        chosen.locate(request, by, row.len, source)?;
        let start = chosen.excerpt.map_or(0, |excerpt| excerpt.start);
        let range = start..request.window(by).end.min(row.len);
        Ok(symbols(&row, range, line_end, &mut window).map(|symbols| Chosen { symbols, ..chosen }))
    }
}

/// Opens an index; `None` if there is none.
fn open_index(file: &RegularFile, path: &Path, ending: &'static str) -> Fitting<Option<File>> {
    let failed = |fault: io::Error| Misfit::new(ending, fault.to_string());
    let index = beside(path, ending);
    let about = match index.metadata() {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(None),
        about => about.map_err(failed)?,
    };
    if !about.is_file() {
        return Err(Misfit::new(ending, "it is not a file"));
    }
    if let (Ok(index), Some(file)) = (about.modified(), file.modified())
        && index < file
    {
        return Err(Misfit::new(ending, "it is older than the file"));
    }
    File::open(index).map(Some).map_err(failed)
}

/// A row that fits a request, and the criterion.
struct Looked {
    row: Row,
    by: By,
}

/// Returns the row that fits a request best, or `None` if no row does, or if it cannot be used: for
/// a record without symbols, and for FASTQ.
fn look_up(fai: File, request: &Request<'_>) -> Fitting<Option<Looked>> {
    let mut fai = BufReader::new(fai);
    let mut found: Option<Looked> = None;
    let mut is_one = true;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if fai.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let row =
            Row::parse(&line).ok_or_else(|| Misfit::new("fai", format!("line {number} is not a row of an index")))?;
        let name = String::from_utf8_lossy(&row.name);
        // Rows may be missing, so a record's number is unknown.
        let by = request.fits(&name, &name, 0).filter(|by| matches!(by, By::Name | By::RegionOfName));
        let Some(by) = by.filter(|by| found.as_ref().is_none_or(|found| *by <= found.by)) else { continue };
        is_one = found.as_ref().is_none_or(|found| by < found.by);
        found = Some(Looked { row, by });
    }
    if !is_one {
        return Err(Misfit::new("fai", "several rows have this name"));
    }
    Ok(found.filter(|found| found.row.len > 0 && found.row.qualities.is_none()))
}

/// Returns a window on the file; `None` if it is compressed and cannot be read at an offset.
fn window(file: &RegularFile, path: &Path) -> Fitting<Option<Window>> {
    let mut start = [0; HEADER];
    let read = file.read_full_at(&mut start, 0)?;
    if Compression::detect(&start[..read]).is_none() {
        return Ok(Some(Window::plain(file.clone())));
    }
    if block_len(&start).is_none() {
        return Ok(None);
    }
    let Some(gzi) = open_index(file, path, "gzi")? else {
        return Err(Misfit::new("fai", "a compressed file also needs a .gzi index"));
    };
    let mut bytes = Vec::new();
    let failed = |reason: String| Misfit::new("gzi", reason);
    let len = gzi.metadata().map_err(|fault| failed(fault.to_string()))?.len();
    let len = usize::try_from(len).map_err(|fault| failed(fault.to_string()))?;
    memory::reserve(&mut bytes, len, "an index").map_err(|error| failed(error.to_string()))?;
    gzi.take(len as u64).read_to_end(&mut bytes).map_err(|fault| failed(fault.to_string()))?;
    let gzi = Gzi::parse(&bytes).ok_or_else(|| failed("it is not a list of blocks".into()))?;
    Ok(Some(Window::bgzf(file.clone(), gzi)))
}

/// Returns the header that ends before an offset, without its mark and its line end.
fn header_before(window: &mut Window, offset: u64) -> io::Result<Option<Vec<u8>>> {
    let start = offset.saturating_sub(LONGEST);
    let before = window.read(start, offset - start)?;
    let Some(line) = before.strip_suffix(b"\n").filter(|_| before.len() as u64 == offset - start) else {
        return Ok(None);
    };
    let line = match memchr::memrchr(b'\n', line) {
        Some(end) => &line[end + 1..],
        None if start == 0 => line,
        None => return Ok(None),
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Ok(line.strip_prefix(b">").filter(|header| !header.contains(&b'\r')).map(<[u8]>::to_vec))
}

/// Returns true if a record ends after the first of these bytes: the next line that is not blank is
/// a header, or the file ends.
fn is_end(bytes: &[u8]) -> bool {
    let Some((symbol, behind)) = bytes.split_first() else { return false };
    let blanks = behind.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let (blank, rest) = behind.split_at(blanks);
    let ends_file = rest.is_empty() && (bytes.len() as u64) < LONGEST;
    *symbol > b' ' && (ends_file || rest.starts_with(b">") && blank.ends_with(b"\n"))
}

/// Reads a range of a record's symbols, and checks every line end in it.
fn symbols(row: &Row, range: Range<u64>, line_end: &[u8], window: &mut Window) -> Fitting<Vec<u8>> {
    let misfit = || Misfit::new("fai", "the lines have another length");
    let start = row.offset_of(range.start).ok_or_else(misfit)?;
    let end = row.offset_of(range.end - 1).and_then(|last| last.checked_add(1)).ok_or_else(misfit)?;
    let bytes = window.read(start, end - start)?;
    let failed = |error: crate::Error| Misfit::new("fai", error.to_string());
    let mut symbols = Vec::new();
    let len = usize::try_from(range.end - range.start).map_err(|_| misfit())?;
    memory::reserve(&mut symbols, len.min(bytes.len()), "the symbols of a record").map_err(failed)?;
    let mut rest = &bytes[..];
    let mut column = range.start % row.bases;
    while symbols.len() < len {
        let count = (row.bases - column).min((len - symbols.len()) as u64) as usize;
        let (line, behind) = rest.split_at_checked(count).ok_or_else(misfit)?;
        let is_symbols = line.iter().fold(u8::MAX, |least, &byte| least.min(byte)) > b' ';
        if !is_symbols || column == 0 && matches!(line[0], b'>' | b';') {
            return Err(misfit());
        }
        symbols.extend_from_slice(line);
        column = 0;
        rest = if symbols.len() < len { behind.strip_prefix(line_end).ok_or_else(misfit)? } else { behind };
    }
    Ok(symbols)
}
