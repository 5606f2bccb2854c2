//! All records of a two-bit file, as FASTA: a header line and one line of bases for each.

use super::directory::Directory;
use super::layout::Layout;
use crate::Error;
use std::io::{self, Read};

/// Number of bases to read at a time: whole bytes.
const STEP: u64 = 1 << 20;

/// Reader of the text.
pub(super) struct TextReader {
    directory: Directory,
    /// Number of the next record.
    next: usize,
    current: Option<Current>,
    buffer: Vec<u8>,
    /// Number of bytes of the buffer that have been returned.
    returned: usize,
}

/// The record that is being read.
struct Current {
    layout: Layout,
    /// Number of its bases that have been read.
    done: u64,
}

impl TextReader {
    pub fn new(directory: Directory) -> Self {
        Self { directory, next: 0, current: None, buffer: Vec::new(), returned: 0 }
    }

    /// Fills the buffer; it stays empty at the end.
    fn fill(&mut self) -> Result<(), Error> {
        let Directory { file, source, order, records } = &self.directory;
        self.buffer.clear();
        self.returned = 0;
        match &mut self.current {
            Some(Current { layout, done }) => {
                let end = layout.len.min(*done + STEP);
                layout.read_bases(file, source, *done..end, &mut self.buffer)?;
                *done = end;
                if end == layout.len {
                    self.buffer.push(b'\n');
                    self.current = None;
                }
            }
            None => {
                let Some(record) = records.get(self.next) else { return Ok(()) };
                self.next += 1;
                let layout = Layout::read(file, source, *order, record.offset)?;
                self.current = Some(Current { layout, done: 0 });
                self.buffer.push(b'>');
                self.buffer.extend_from_slice(&record.name);
                self.buffer.push(b'\n');
            }
        }
        Ok(())
    }
}

impl Read for TextReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.returned == self.buffer.len() && !buffer.is_empty() {
            self.fill().map_err(|error| match error {
                Error::Io { source, .. } => source,
                Error::Input { reason, .. } => io::Error::new(io::ErrorKind::InvalidData, reason),
                error => io::Error::other(error.to_string()),
            })?;
        }
        let mut ready = &self.buffer[self.returned..];
        let count = ready.read(buffer)?;
        self.returned += count;
        Ok(count)
    }
}
