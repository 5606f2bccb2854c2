//! A column of a file with named columns.

use crate::shared::notes::file_name;
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::io::sequence::Document;
use std::ffi::OsStr;

/// Number of columns that an error lists.
const LISTED: usize = 20;

/// The values of a column: the symbols of a document, a record for each row.
pub struct Column {
    symbols: Vec<u8>,
    ends: Vec<usize>,
}

impl Column {
    pub const EMPTY: Self = Self { symbols: Vec::new(), ends: Vec::new() };

    pub fn push(&mut self, value: &[u8]) {
        self.symbols.extend_from_slice(value);
        self.ends.push(self.symbols.len());
    }

    pub fn document(self) -> Result<Document> {
        let mut document = Document::lines(Vec::new())?;
        let mut start = 0;
        document.records = self.ends.iter().map(|&end| std::mem::replace(&mut start, end)..end).collect();
        document.symbols = self.symbols;
        Ok(document)
    }
}

/// Returns the error for a column that a file does not have.
pub fn unknown(file: &OsStr, name: &str, columns: impl Iterator<Item = impl AsRef<str>>) -> carrywave::Error {
    let mut all: Vec<String> = columns.map(|column| column.as_ref().to_owned()).collect();
    let more = if all.len() > LISTED { ", …" } else { "" };
    all.truncate(LISTED);
    let known = all.join(", ");
    UsageFault::Syntax.error(format!("{} has no column '{name}'; its columns are {known}{more}", file_name(file)))
}
