//! Opens a file for its records: all of them, or the one that the path or an option chooses.

use super::Format;
use super::choice::{Found, choose};
use super::index::find;
use super::path::InputPath;
use super::region::Request;
use super::source::{Bytes, Input, open};
use super::two_bit::TwoBit;
use crate::Result;
use crate::error::UsageFault;
use std::path::Path;

/// Choices of a reader.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'w> {
    /// The record that an option chooses.
    pub record: Option<&'w str>,
    /// True if the file is read as text, whatever its format.
    pub is_text: bool,
    /// True if a compressed file stays compressed.
    pub keep_compressed: bool,
}

/// Opens the file at `path` (`-` is standard input). If a record is chosen, the input has only this
/// record, or the chosen part of it.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) if the file cannot be read;
/// [`Error::Usage`](crate::Error::Usage) if a record is chosen of a file that is read as text, or
/// twice; and [`Error::Input`](crate::Error::Input) if no record or several records qualify, or the
/// file is damaged.
pub(super) fn open_records(path: &Path, wanted: Wanted<'_>) -> Result<Input> {
    let InputPath { file, record } = InputPath::new(path);
    if let (Some(_), true) = (record, wanted.is_text) {
        return Err(UsageFault::Combination.error(format!(
            "{}: a file that is read as text has no records; leave out the record, or read the file as FASTA or FASTQ",
            path.display()
        )));
    }
    if let (Some(_), Some(_)) = (record, wanted.record) {
        return Err(UsageFault::Combination
            .error(format!("{}: the file name chooses a record already; choose it once", path.display())));
    }
    let input = open(file)?;
    if wanted.is_text {
        return Ok(input);
    }
    let request = record.or(wanted.record).map(Request::new);
    if let Some(two_bit) = TwoBit::open(&input)? {
        return match request {
            Some(request) => two_bit.choose(&request),
            None => two_bit.into_input(),
        };
    }
    let Some(request) = request else { return Ok(input) };
    if !wanted.keep_compressed
        && let Some(chosen) = find(&input, file, &request)?
    {
        return chosen.into_input(input.source, Format::Fasta);
    }
    let bytes = Bytes::new(input, wanted.keep_compressed)?;
    let source = bytes.source.clone();
    let Found { format, chosen } = choose(bytes, Some(request))?;
    chosen.into_input(source, format)
}
