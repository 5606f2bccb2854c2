//! The list of barcodes, with their names.

use crate::shared::notes::file_name;
use carrywave::error::InputFault;
use carrywave::io::output::Shortened;
use carrywave::io::sequence::{Document, DocumentOptions, read_document};
use carrywave::{Error, Result};
use std::ops::Range;
use std::path::Path;

/// The barcodes of a file.
pub struct List {
    document: Document,
    /// Range of each barcode in the symbols of the document.
    ranges: Vec<Range<usize>>,
    /// The name of each barcode, or its bases as in the file.
    pub names: Vec<String>,
    /// Number of each barcode's record.
    records: Vec<usize>,
}

impl List {
    /// Reads the barcodes of a file. Lines and records without symbols are skipped.
    pub fn read(path: &Path) -> Result<Self> {
        let document = read_document(path, DocumentOptions::default())?;
        let mut list = Self { document, ranges: Vec::new(), names: Vec::new(), records: Vec::new() };
        for (number, record) in list.document.records.iter().enumerate() {
            let line = &list.document.symbols[record.clone()];
            let (bases, field) = match memchr::memchr(b'\t', line) {
                Some(tab) => (&line[..tab], line[tab + 1..].split(|&symbol| symbol == b'\t').next()),
                None => (line, None),
            };
            let bases = bases.trim_ascii_end();
            let name = list.document.name(number).map(str::as_bytes).or(field.map(<[u8]>::trim_ascii));
            let name = name.filter(|name| !name.is_empty());
            if bases.is_empty() && name.is_none() {
                continue;
            }
            list.names.push(String::from_utf8_lossy(name.unwrap_or(bases)).into_owned());
            list.ranges.push(record.start..record.start + bases.len());
            list.records.push(number);
        }
        if list.names.is_empty() {
            let reason = "this file has no barcode; give one per line, or FASTA records".into();
            return Err(Error::Input { path: path.into(), fault: InputFault::NoPattern, reason });
        }
        Ok(list)
    }

    /// Returns the bases of each barcode.
    pub fn bases(&self) -> impl Iterator<Item = &[u8]> {
        self.ranges.iter().map(|range| &self.document.symbols[range.clone()])
    }

    /// Adds the file and the line to an error about a barcode.
    pub fn located(&self, path: &Path, error: Error) -> Error {
        match error {
            Error::Pattern { number, fault, reason } if number < self.names.len() => {
                let line = self.document.line(self.records[number]);
                let file = file_name(path.as_os_str());
                fault.error(format!("{file}:{line}: barcode {} {reason}", Shortened(&self.names[number])))
            }
            error => error,
        }
    }
}
