//! The barcode of each read, as TSV and JSON.

use super::arguments::Format;
use crate::shared::json::write_json;
use crate::shared::table::{Field, first_word};
use carrywave::barcodes::Nearest;
use carrywave::text::parts::PartRecord;
use rayon::prelude::*;
use serde::Serialize;
use std::io::{self, Write};

/// Heading of TSV.
const HEADING: &str = "#Read\tBarcode\tErrors\tStart\tEnd\tTies\tSecond\tStatus";

/// Reads that a thread writes at a time.
const TASK: usize = 1 << 12;

/// Writes the barcode of each read in a format.
pub struct ReadWriter<'n> {
    format: Format,
    /// The names of the barcodes.
    names: &'n [String],
    /// True if what comes before the first read is written.
    has_heading: bool,
}

impl<'n> ReadWriter<'n> {
    pub fn new(format: Format, names: &'n [String]) -> Self {
        Self { format, names, has_heading: false }
    }

    /// Writes what comes before the first read, once.
    pub fn heading(&mut self, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let is_due = self.format == Format::Tsv && !self.has_heading;
        self.has_heading = true;
        if is_due { writeln!(out, "{HEADING}") } else { Ok(()) }
    }

    /// Writes the reads of a part of a file.
    pub fn write(
        &self,
        out: &mut (dyn Write + Send),
        file: &str,
        records: &[PartRecord],
        nearest: &[Option<Nearest>],
    ) -> io::Result<()> {
        let text = |(records, nearest): (&[PartRecord], &[Option<Nearest>])| {
            let mut text = Vec::with_capacity(records.len() * 64);
            for (record, nearest) in records.iter().zip(nearest) {
                self.row(&mut text, file, record, nearest.as_ref())?;
            }
            Ok(text)
        };
        let texts = records.par_chunks(TASK).zip(nearest.par_chunks(TASK)).map(text);
        texts.collect::<io::Result<Vec<Vec<u8>>>>()?.iter().try_for_each(|text| out.write_all(text))
    }

    fn row(&self, out: &mut Vec<u8>, file: &str, record: &PartRecord, nearest: Option<&Nearest>) -> io::Result<()> {
        let read = record.name.as_deref();
        let status = status(nearest);
        if self.format == Format::Json {
            let json = Json {
                file,
                read,
                barcode: nearest.map(|nearest| &self.names[nearest.barcode][..]),
                errors: nearest.map(|nearest| nearest.errors),
                start: nearest.map(|nearest| nearest.start),
                end: nearest.map(|nearest| nearest.end),
                ties: nearest.map(|nearest| nearest.ties),
                second: nearest.and_then(|nearest| nearest.second),
                status,
            };
            return write_json(out, &json);
        }
        add_field(out, first_word(read.unwrap_or_default()))?;
        match nearest {
            Some(nearest) => {
                out.push(b'\t');
                add_field(out, &self.names[nearest.barcode])?;
                let &Nearest { errors, start, end, ties, second, .. } = nearest;
                for number in [errors as usize, start, end, ties as usize] {
                    out.push(b'\t');
                    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
                }
                out.push(b'\t');
                match second {
                    Some(second) => out.extend_from_slice(itoa::Buffer::new().format(second).as_bytes()),
                    None => out.push(b'*'),
                }
            }
            None => out.extend_from_slice(b"\t*\t*\t*\t*\t*\t*"),
        }
        out.push(b'\t');
        out.extend_from_slice(status.as_bytes());
        out.push(b'\n');
        Ok(())
    }
}

/// Adds a name to a row. Names of plain letters are copied.
fn add_field(out: &mut Vec<u8>, name: &str) -> io::Result<()> {
    if name.bytes().all(|byte| byte.is_ascii_graphic()) {
        out.extend_from_slice(name.as_bytes());
        return Ok(());
    }
    write!(out, "{}", Field(name))
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
