//! Two-bit files of UCSC: DNA in two bits a base, with lists of unknown and of masked bases.
//!
//! ```text
//! header    signature 1A412743, version (0 or 1), number of records, 0
//! index     for each record: length of its name (1 byte), name, offset (version 1: 8 bytes)
//! record    bases n, number of N blocks, their starts, their lengths, number of masked blocks,
//!           their starts, their lengths, 0, and n / 4 bytes of bases, the first in the high bits
//! ```
//!
//! Other numbers have 4 bytes, in the byte order of the signature. Each number is checked against
//! the length of the file before memory is reserved for what it counts.
//!
//! | file | what |
//! |---|---|
//! | `signature` | the first bytes, and the byte order |
//! | `layout` | a record's lengths and blocks |
//! | `bases` | the bases of a range |
//! | `text` | all records, as FASTA |

mod bases;
mod layout;
pub(super) mod signature;
#[cfg(test)]
mod tests;
mod text;

use super::Format;
use super::changes::RegularFile;
use super::excerpt::Chosen;
use super::region::Request;
use super::selection::Selection;
use super::source::{Input, Known, Source};
use crate::error::InputFault;
use crate::{Result, memory};
use layout::Layout;
use signature::Order;
use std::sync::Arc;
use text::TextReader;

/// Length of the header in bytes.
const HEADER: usize = 16;

/// A two-bit file.
pub(super) struct TwoBit {
    file: RegularFile,
    source: Source,
    order: Order,
    records: Vec<Record>,
}

/// A row of the file's index.
struct Record {
    name: Arc<[u8]>,
    /// Offset of the record in the file.
    offset: u64,
}

impl TwoBit {
    /// Opens an input if it is a two-bit file. Reads its index: O(records).
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if it cannot be read; [`Error::Input`](crate::Error::Input)
    /// if it has another version, is truncated or damaged.
    pub fn open(input: &Input) -> Result<Option<Self>> {
        let Some(file) = &input.file else { return Ok(None) };
        let source = &input.source;
        let mut header = [0; HEADER];
        let read = file.read_full_at(&mut header, 0).map_err(|fault| source.io(fault))?;
        let Some(order) = Order::detect(&header[..read]) else { return Ok(None) };
        let number = |at| order.u32(&header[..read], at).ok_or_else(|| cut_short(source));
        let version = number(4)?;
        if version > 1 {
            let reason = format!("a two-bit file of version {version}; versions 0 and 1 can be read");
            return Err(source.wrong(InputFault::NoFormat, reason));
        }
        let count = number(8)?;
        number(12)?;
        let two_bit = Self { file: file.clone(), source: source.clone(), order, records: Vec::new() };
        two_bit.with_index(count, if version == 0 { 4 } else { 8 }).map(Some)
    }

    /// Reads the index, whose offsets have `offset_len` bytes.
    fn with_index(mut self, count: u32, offset_len: usize) -> Result<Self> {
        // Each row has at least the length of its name and its offset.
        let least = u64::from(count) * (1 + offset_len as u64);
        if least > self.file.len().saturating_sub(HEADER as u64) {
            return Err(cut_short(&self.source));
        }
        memory::reserve(&mut self.records, count as usize, "the records of a two-bit file")?;
        let mut window = Window { file: &self.file, source: &self.source, at: HEADER as u64, bytes: Vec::new() };
        for _ in 0..count {
            let name_len = usize::from(window.take(1)?[0]);
            let row = window.take(name_len + offset_len)?;
            let (name, offset) = row.split_at(name_len);
            if name.iter().any(|byte| byte.is_ascii_control()) {
                return Err(damaged(&self.source, "the name of a record has control characters"));
            }
            let offset = match offset_len {
                8 => self.order.u64(offset, 0),
                _ => self.order.u32(offset, 0).map(u64::from),
            };
            let offset = offset.ok_or_else(|| cut_short(&self.source))?;
            self.records.push(Record { name: name.into(), offset });
        }
        Ok(self)
    }

    /// Returns all records as FASTA. Reads the lengths of all records: O(records + blocks).
    pub fn into_input(self) -> Result<Input> {
        let mut len = 0u64;
        let mut stored = 0u64;
        for record in &self.records {
            let layout = Layout::read(&self.file, &self.source, self.order, record.offset)?;
            len = len.saturating_add(record.name.len() as u64 + layout.len + 3);
            // Bounds the time: otherwise each of many records could be most of the file.
            stored = stored.saturating_add(layout.stored_len(record.offset));
            if stored > self.file.len() {
                return Err(damaged(&self.source, "records overlap"));
            }
        }
        let source = self.source.clone();
        let known = Known { format: Format::Fasta, line: 1, len, excerpt: None };
        Ok(Input { source, read: Box::new(TextReader::new(self)), waits: false, file: None, known: Some(known) })
    }

    /// Returns the requested record, or a part of it, as an input of its own. O(records + blocks +
    /// bases).
    ///
    /// # Errors
    /// [`Error::Input`](crate::Error::Input) if no record or several records qualify.
    pub fn choose(&self, request: &Request<'_>) -> Result<Input> {
        let Self { file, source, order, records } = self;
        let mut selection = Selection::new(Some(*request));
        for record in records {
            selection.consider(&record.name)?;
        }
        let selected = selection.selected(source)?;
        let record = &records[selected.number as usize - 1];
        let layout = Layout::read(file, source, *order, record.offset)?;
        let mut chosen = Chosen { header: record.name.to_vec(), line: 1, ..Chosen::default() };
        chosen.locate(request, selected.by, layout.len, source)?;
        let start = chosen.excerpt.map_or(0, |excerpt| excerpt.start);
        let range = start..request.window(selected.by).end.min(layout.len);
        layout.read_bases(file, source, range, &mut chosen.symbols)?;
        chosen.into_input(source.clone(), Format::Fasta)
    }
}

/// Bytes of a file in order, a few at a time.
struct Window<'f> {
    file: &'f RegularFile,
    source: &'f Source,
    /// Offset of the bytes behind those read ahead.
    at: u64,
    /// Bytes that have been read ahead, the next one last.
    bytes: Vec<u8>,
}

impl Window<'_> {
    /// Number of bytes to read at a time.
    const STEP: usize = 1 << 16;

    /// Returns the next `len` bytes.
    fn take(&mut self, len: usize) -> Result<Vec<u8>> {
        if self.bytes.len() < len {
            let mut next = vec![0; Self::STEP];
            let read = self.file.read_full_at(&mut next, self.at).map_err(|fault| self.source.io(fault))?;
            next.truncate(read);
            next.reverse();
            next.extend_from_slice(&self.bytes);
            self.bytes = next;
            self.at += read as u64;
        }
        let Some(rest) = self.bytes.len().checked_sub(len) else { return Err(cut_short(self.source)) };
        let mut taken = self.bytes.split_off(rest);
        taken.reverse();
        Ok(taken)
    }
}

fn cut_short(source: &Source) -> crate::Error {
    source.wrong(InputFault::CutShort, "the two-bit file ends early; fetch it again")
}

fn damaged(source: &Source, what: &str) -> crate::Error {
    source.wrong(InputFault::Damaged, format!("the two-bit file is damaged ({what}); fetch it again"))
}
