//! The start of a two-bit file: its header, and the names and offsets of its records.

use super::faults::{cut_short, damaged};
use super::signature::Order;
use crate::error::InputFault;
use crate::io::sequence::changes::RegularFile;
use crate::io::sequence::source::{Input, Source};
use crate::{Result, memory};
use std::sync::Arc;

/// Length of the header in bytes.
const HEADER: usize = 16;

/// A file with the list of its records.
pub(super) struct Directory {
    pub file: RegularFile,
    pub source: Source,
    pub order: Order,
    pub records: Vec<Record>,
}

/// A record of the list.
pub(super) struct Record {
    pub name: Arc<[u8]>,
    /// Offset of the record in the file.
    pub offset: u64,
}

impl Directory {
    /// Reads the list of an input, if it is a two-bit file. O(records).
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
        let directory = Self { file: file.clone(), source: source.clone(), order, records: Vec::new() };
        directory.with_index(count, if version == 0 { 4 } else { 8 }).map(Some)
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
