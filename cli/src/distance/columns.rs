//! `carrywave distance --column`: columns by their names, of a CSV or TSV file with a header, of
//! JSON lines, or of a Parquet file.

use super::column::{Column, unknown};
#[cfg(feature = "parquet")]
use super::parquet::of_parquet;
use crate::shared::notes::file_name;
use crate::shared::parts::{Part, during};
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::io::sequence::{Document, DocumentOptions, read_document};
use csv::{ByteRecord, ReaderBuilder};
use serde_json::{Map, Value};
use std::ffi::OsStr;

/// Reads the columns with these names; the records of their documents are the rows of the file. A
/// missing value is an empty string.
pub fn read_columns(file: &OsStr, names: &[&str]) -> Result<Vec<Document>> {
    let bytes = during(Part::Read, || read_document(file, DocumentOptions::default().lines(true)))?.symbols;
    if bytes.starts_with(b"PAR1") {
        let columns = during(Part::Read, || of_parquet(file, bytes, names))?;
        return columns.into_iter().map(Column::document).collect();
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let columns = during(Part::Read, || match text.trim_ascii_start().first() {
        Some(b'{') => of_json_lines(file, text, names),
        _ => of_table(file, text, names),
    })?;
    columns.into_iter().map(Column::document).collect()
}

/// Returns the error for a Parquet file, which this program was built not to read.
#[cfg(not(feature = "parquet"))]
fn of_parquet(file: &OsStr, _bytes: Vec<u8>, _names: &[&str]) -> Result<Vec<Column>> {
    let file = file_name(file);
    Err(UsageFault::Syntax.error(format!(
        "{file} is a Parquet file, which a program with the feature `parquet` reads; this one reads CSV, for example of \
         `duckdb -csv -c \"FROM '{file}'\"`"
    )))
}

/// Returns the error for a row, from its line.
fn wrong(file: &OsStr, line: u64, reason: impl std::fmt::Display) -> carrywave::Error {
    UsageFault::Syntax.error(format!("{}:{line}: {reason}", file_name(file)))
}

/// Returns the character between the fields of a header.
fn delimiter(header: &[u8]) -> u8 {
    let has = |delimiter| memchr::memchr(delimiter, header).is_some();
    if has(b'\t') {
        b'\t'
    } else if has(b';') && !has(b',') {
        b';'
    } else {
        b','
    }
}

fn of_table(file: &OsStr, text: &[u8], names: &[&str]) -> Result<Vec<Column>> {
    let header = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut reader = ReaderBuilder::new().delimiter(delimiter(header)).from_reader(text);
    let failed = |error: &csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        let reason = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("{len} fields, but the header has {expected_len}")
            }
            _ => error.to_string(),
        };
        wrong(file, line, reason)
    };
    let header = reader.byte_headers().map_err(|error| failed(&error))?.clone();
    let place = |name: &&str| {
        let place = header.iter().position(|field| field.trim_ascii() == name.as_bytes());
        place.ok_or_else(|| unknown(file, name, header.iter().map(String::from_utf8_lossy)))
    };
    let places: Vec<usize> = names.iter().map(place).collect::<Result<_>>()?;
    let mut columns: Vec<Column> = names.iter().map(|_| Column::EMPTY).collect();
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(|error| failed(&error))? {
        for (column, &place) in columns.iter_mut().zip(&places) {
            column.push(record.get(place).unwrap_or_default());
        }
    }
    Ok(columns)
}

fn of_json_lines(file: &OsStr, text: &[u8], names: &[&str]) -> Result<Vec<Column>> {
    let mut columns: Vec<Column> = names.iter().map(|_| Column::EMPTY).collect();
    let mut is_known = vec![false; names.len()];
    let mut last = Map::new();
    for (line, json) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        if json.trim_ascii().is_empty() {
            continue;
        }
        let object: Map<String, Value> = serde_json::from_slice(json)
            .map_err(|error| wrong(file, line, format!("not an object of JSON in one line: {error}")))?;
        for ((column, name), is_known) in columns.iter_mut().zip(names).zip(&mut is_known) {
            let value = object.get(*name);
            *is_known |= value.is_some();
            match value {
                None | Some(Value::Null) => column.push(b""),
                Some(Value::String(text)) => column.push(text.as_bytes()),
                Some(other) => column.push(other.to_string().as_bytes()),
            }
        }
        last = object;
    }
    match names.iter().zip(is_known).find(|(_, is_known)| !is_known) {
        Some((name, _)) => Err(unknown(file, name, last.keys())),
        None => Ok(columns),
    }
}
