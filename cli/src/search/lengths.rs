//! The names and lengths of the records of files, which the head of a SAM file has: it comes before the hits, so the files are read for it
//! first.

use super::arguments::Arguments;
use super::files::Files;
use carrywave::io::sequence::{Format, PartReader};
use carrywave::text::parts::Parts;
use std::path::Path;

/// Symbols that are read at a time.
const PART: usize = 1 << 20;

/// Those of all files that can be read twice, which a pipe cannot. What is wrong with a file is told when it is searched.
pub fn record_lengths(arguments: &Arguments, files: &Files<'_>) -> Vec<(String, u64)> {
    let mut records: Vec<(String, u64)> = Vec::new();
    let options = arguments.reading.in_parts().symbols(PART);
    for file in files.each().flatten().filter(|file| file != "-" && Path::new(file).is_file()) {
        let Ok(mut reader) = PartReader::open(&file, options) else { continue };
        if reader.format() == Format::Lines {
            continue;
        }
        // A record may be in several parts.
        let mut last = None;
        while let Ok(Some(part)) = reader.next_part() {
            for record in &part.records {
                let symbols = record.range.len() as u64;
                match records.last_mut() {
                    Some((_, len)) if last == Some(record.number) => *len += symbols,
                    _ => {
                        // As hits are told.
                        let name =
                            record.name.as_deref().map_or_else(|| file.to_string_lossy().into_owned(), Into::into);
                        records.push((name, symbols));
                    }
                }
                last = Some(record.number);
            }
        }
    }
    records
}
