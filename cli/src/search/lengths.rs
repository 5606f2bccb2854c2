//! Names and lengths of the records of files, for the head of a SAM file. The head precedes the
//! hits, so files are read twice.

use super::arguments::Arguments;
use super::files::Files;
use crate::shared::sam::Reference;
use carrywave::io::sequence::{Format, InputPath, PartReader};
use carrywave::text::parts::Parts;
use std::path::Path;

/// Symbols per read.
const PART: usize = 1 << 20;

/// Returns the records of all files that can be read twice, which excludes pipes. Errors of a file
/// are reported by the search.
pub fn references(arguments: &Arguments, files: &Files<'_>) -> Vec<Reference> {
    let mut records: Vec<Reference> = Vec::new();
    let is_circular = arguments.borders.circular;
    let options = arguments.reading.in_parts().symbols(PART);
    for file in files.each().flatten() {
        let path = InputPath::new(Path::new(&file));
        if path.is_stdin() || !path.file.is_file() {
            continue;
        }
        let Ok(mut reader) = PartReader::open(&file, options) else { continue };
        if reader.format() == Format::Lines {
            continue;
        }
        // A record may span several parts.
        let mut last = None;
        let excerpt = reader.excerpt();
        while let Ok(Some(part)) = reader.next_part() {
            for record in &part.records {
                let len = excerpt.map_or(record.range.len() as u64, |excerpt| excerpt.record_len);
                match records.last_mut() {
                    Some(own) if last == Some(record.number) => own.len += if excerpt.is_some() { 0 } else { len },
                    _ => {
                        // Hits refer to the record by this name.
                        let name =
                            record.name.as_deref().map_or_else(|| file.to_string_lossy().into_owned(), Into::into);
                        records.push(Reference { name, len, is_circular });
                    }
                }
                last = Some(record.number);
            }
        }
    }
    records
}
