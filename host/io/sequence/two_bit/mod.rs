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
//! | `directory` | the header, and the names and offsets of the records |
//! | `layout` | a record's lengths and blocks |
//! | `bases` | the bases of a range |
//! | `text` | all records, as FASTA |
//! | `faults` | errors |

mod bases;
mod directory;
mod faults;
mod layout;
pub(super) mod signature;
#[cfg(test)]
mod tests;
mod text;

use super::Format;
use super::chosen::Chosen;
use super::region::Request;
use super::selection::Selection;
use super::source::{Input, Known};
use crate::Result;
use directory::Directory;
use faults::damaged;
use layout::Layout;
use text::TextReader;

/// A two-bit file.
pub(super) struct TwoBit(Directory);

impl TwoBit {
    /// Opens an input if it is a two-bit file. O(records).
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if it cannot be read; [`Error::Input`](crate::Error::Input)
    /// if it has another version, is truncated or damaged.
    pub fn open(input: &Input) -> Result<Option<Self>> {
        Ok(Directory::open(input)?.map(Self))
    }

    /// Returns all records as FASTA. Reads the lengths of all records: O(records + blocks).
    pub fn into_input(self) -> Result<Input> {
        let Directory { file, source, order, records } = &self.0;
        let mut len = 0u64;
        let mut stored = 0u64;
        for record in records {
            let layout = Layout::read(file, source, *order, record.offset)?;
            len = len.saturating_add(record.name.len() as u64 + layout.len + 3);
            // Bounds the time: otherwise each of many records could be most of the file.
            stored = stored.saturating_add(layout.stored_len(record.offset));
            if stored > file.len() {
                return Err(damaged(source, "records overlap"));
            }
        }
        let source = source.clone();
        let known = Known { format: Format::Fasta, line: 1, len, excerpt: None };
        Ok(Input { source, read: Box::new(TextReader::new(self.0)), waits: false, file: None, known: Some(known) })
    }

    /// Returns the requested record, or a part of it, as an input of its own. O(records + blocks +
    /// bases).
    ///
    /// # Errors
    /// [`Error::Input`](crate::Error::Input) if no record or several records qualify.
    pub fn choose(&self, request: &Request<'_>) -> Result<Input> {
        let Directory { file, source, order, records } = &self.0;
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
