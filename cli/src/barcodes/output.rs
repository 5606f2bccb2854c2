//! The barcode of each read, as TSV and JSON.

use super::arguments::Format;
use crate::shared::json::write_json;
use crate::shared::table::{Field, first_word};
use carrywave::barcodes::Nearest;
use serde::Serialize;
use std::io::{self, Write};

/// Heading of TSV.
const HEADING: &str = "#Read\tBarcode\tErrors\tStart\tEnd\tTies\tSecond\tStatus";

/// Writes the heading of a format.
pub fn write_heading(format: Format, out: &mut (dyn Write + Send)) -> io::Result<()> {
    match format {
        Format::Tsv => writeln!(out, "{HEADING}"),
        Format::Json => Ok(()),
    }
}

/// Adds the line of a read.
pub fn add_row(out: &mut Vec<u8>, read: &[u8], nearest: Option<&Nearest>, names: &[String]) -> io::Result<()> {
    add_read(out, read)?;
    match nearest {
        Some(nearest) => {
            out.push(b'\t');
            add_field(out, &names[nearest.barcode])?;
            let &Nearest { errors, start, end, ties, second, .. } = nearest;
            for number in [errors as usize, start, end, ties as usize] {
                out.push(b'\t');
                add_number(out, number);
            }
            out.push(b'\t');
            match second {
                Some(second) => add_number(out, second as usize),
                None => out.push(b'*'),
            }
        }
        None => out.extend_from_slice(b"\t*\t*\t*\t*\t*\t*"),
    }
    out.push(b'\t');
    out.extend_from_slice(status(nearest).as_bytes());
    out.push(b'\n');
    Ok(())
}

/// Adds a read as a line of JSON.
pub fn add_json(
    out: &mut Vec<u8>,
    file: &str,
    read: &[u8],
    nearest: Option<&Nearest>,
    names: &[String],
) -> io::Result<()> {
    let read = String::from_utf8_lossy(read);
    let json = Json {
        file,
        read: read.split_whitespace().next(),
        barcode: nearest.map(|nearest| &names[nearest.barcode][..]),
        errors: nearest.map(|nearest| nearest.errors),
        start: nearest.map(|nearest| nearest.start),
        end: nearest.map(|nearest| nearest.end),
        ties: nearest.map(|nearest| nearest.ties),
        second: nearest.and_then(|nearest| nearest.second),
        status: status(nearest),
    };
    write_json(out, &json)
}

/// Adds the first word of a read's header. A word of plain letters is copied.
fn add_read(out: &mut Vec<u8>, header: &[u8]) -> io::Result<()> {
    let word = &header[..memchr::memchr(b' ', header).unwrap_or(header.len())];
    if !word.is_empty() && is_plain(word) {
        out.extend_from_slice(word);
        return Ok(());
    }
    write!(out, "{}", Field(first_word(&String::from_utf8_lossy(header))))
}

/// Adds a name to a row. Names of plain letters are copied.
fn add_field(out: &mut Vec<u8>, name: &str) -> io::Result<()> {
    if is_plain(name.as_bytes()) {
        out.extend_from_slice(name.as_bytes());
        return Ok(());
    }
    write!(out, "{}", Field(name))
}

/// Returns true if all bytes are visible ASCII characters. It looks at all, several at a time.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |is_plain, byte| is_plain & byte.is_ascii_graphic())
}

fn add_number(out: &mut Vec<u8>, number: usize) {
    match number {
        0..10 => out.push(b'0' + number as u8),
        _ => out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}

/// A read, as JSON.
#[derive(Serialize)]
struct Json<'j> {
    file: &'j str,
    read: Option<&'j str>,
    barcode: Option<&'j str>,
    errors: Option<u32>,
    start: Option<usize>,
    end: Option<usize>,
    ties: Option<u32>,
    second: Option<u32>,
    status: &'static str,
}

fn status(nearest: Option<&Nearest>) -> &'static str {
    match nearest {
        Some(nearest) if nearest.is_assigned() => "assigned",
        Some(_) => "ambiguous",
        None => "none",
    }
}
