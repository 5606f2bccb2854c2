//! Occurrences one by one: in FASTA and FASTQ, and in lines where they are counted or printed as BED or JSON; and in a file as one
//! text.

use super::arguments::{Arguments, OutputFormat};
use super::output::{FileName, LONGEST, Occurrence, Out, whole_characters};
use super::symbols::{Parsed, of_bytes};
use super::{Given, Job, with_progress};
use crate::note;
use crate::text::tell_bytes;
use carrywave::io::sequence::{Format, Kind, PartReader};
use carrywave::search::{Found, Hit, Text};
use carrywave::text::characters::CodedParts;
use carrywave::{Error, Result};
use std::borrow::Cow;
use std::ffi::OsStr;

/// Bytes of a text that tell what it is.
const HEAD: u64 = 1 << 16;

/// What is printed of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Print {
    /// Only the count, at the end.
    Nothing,
    /// Records as FASTA or FASTQ.
    Records,
    /// Only what matches.
    Parts,
    Bed,
    Json,
}

impl Print {
    fn new(arguments: &Arguments) -> Self {
        match arguments.format {
            _ if arguments.prints_no_hits() => Self::Nothing,
            Some(OutputFormat::Json) => Self::Json,
            Some(OutputFormat::Bed) => Self::Bed,
            None if !arguments.only_matching && !arguments.byte_offset => Self::Bed,
            _ if arguments.only_matching => Self::Parts,
            _ => Self::Records,
        }
    }
}

fn occurrence<'f>(
    found: &'f Found,
    hit: &'f Hit,
    file: &'f FileName,
    lines: bool,
    patterns: &'f [Given],
) -> Occurrence<'f> {
    Occurrence {
        file: &file.shown,
        record: found.name(),
        line: lines.then(|| found.hit.record + 1),
        base: if lines { found.place() } else { 0 },
        hit,
        pattern: &patterns[found.hit.pattern].name,
    }
}

/// Searches a file, in parts, and prints what it finds as it is found: how many there are, of lines those that match.
pub fn search(job: &Job<'_>, parsed: Parsed, reader: PartReader, name: &FileName, out: &mut Out<'_>) -> Result<u64> {
    let &Job { arguments, given, .. } = job;
    let lines = reader.format() == Format::Lines;
    let print = Print::new(arguments);
    let most = arguments.most();
    let mut count = 0;
    let Parsed { patterns, characters } = parsed;
    with_progress(job, patterns, reader.bytes(), |search| {
        let mut hits = search.prepare()?.stream(CodedParts::new(reader, characters));
        // Of the record that is printed next.
        let mut of_record: Vec<Found> = Vec::new();
        let mut last = None;
        while let Some(found) = hits.next() {
            let found = found?;
            let next_record = last.replace(found.hit.record) != Some(found.hit.record);
            // grep counts lines.
            let counts = !lines || next_record;
            if counts && count == most {
                break;
            }
            count += u64::from(counts);
            if print == Print::Nothing && count == most {
                break;
            }
            // Where the symbols are characters their bytes are told.
            let shown = matches!(print, Print::Parts | Print::Bed | Print::Json);
            let found_at = || hits.parts().locate(found.hit.record, found.hit.start..found.hit.end, found.symbols());
            let bytes = if shown { found_at() } else { None };
            let range = bytes.as_ref().map_or(found.hit.start..found.hit.end, |bytes| bytes.range.clone());
            let hit = Hit { start: range.start, end: range.end, ..found.hit };
            let occurrence = occurrence(&found, &hit, name, lines, given);
            match print {
                Print::Nothing => {}
                Print::Records => {
                    if next_record {
                        out.record(&of_record)?;
                        of_record.clear();
                    }
                    of_record.push(found);
                    if hits.waits() {
                        out.record(&of_record)?;
                        of_record.clear();
                    }
                }
                Print::Parts => {
                    let (around, part) = found.around();
                    let part = &around[whole_characters(around, part)];
                    out.part(name, &occurrence, bytes.as_ref().map_or(part, |bytes| &bytes.bytes))?;
                }
                Print::Bed => out.bed(&occurrence)?,
                Print::Json => out.json(&occurrence, bytes.as_ref().map_or(found.symbols(), |bytes| &bytes.bytes))?,
            }
            if hits.waits() {
                out.flush()?;
            }
        }
        out.record(&of_record)
    })?;
    Ok(count)
}

/// The same with the file as one text.
pub fn search_whole(job: &Job<'_>, file: &OsStr, name: &FileName, out: &mut Out<'_>) -> Result<u64> {
    let &Job { arguments, given, .. } = job;
    let lines = arguments.format == Some(OutputFormat::Text) || arguments.byte_offset && arguments.format.is_none();
    if lines && !arguments.only_matching && !arguments.prints_no_hits() {
        return Err(Error::Usage("--whole has no lines to print: take -c, -o, --format bed or --format json".into()));
    }
    let patterns = of_bytes(arguments, given, Kind::Bytes)?;
    let text = Text::open(file)?;
    let head = text.part(0..text.len().min(HEAD))?;
    let compressed: [(&[u8], &str); 4] =
        [(b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\0", "xz"), (b"\x28\xb5\x2f\xfd", "zstd")];
    let program = compressed.iter().find(|(start, _)| head.starts_with(start));
    if let Some((_, program)) = program.filter(|_| !arguments.reading.no_decompress) {
        let how = "--whole searches compressed bytes as they are; decompress them first";
        note(&format!("{}: {how}: {program} -dc", name.shown));
    }
    if job.allows_errors() && !arguments.reading.asks_for_bytes() {
        tell_bytes(given.iter().map(|given| &given.symbols[..]), &[&head]);
    }
    let most = arguments.most();
    if arguments.prints_no_hits() {
        let count = with_progress(job, patterns, Some(text.len()), |search| search.count(&text))?;
        return Ok(count.min(most));
    }
    let mut hits = with_progress(job, patterns, Some(text.len()), |search| search.hits(&text))?;
    hits.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    for hit in &hits {
        let occurrence =
            Occurrence { file: &name.shown, record: None, line: None, base: 0, hit, pattern: &given[hit.pattern].name };
        match arguments.format {
            Some(OutputFormat::Json) => out.json(&occurrence, &text.part(hit.start..hit.end)?)?,
            Some(OutputFormat::Bed) => out.bed(&occurrence)?,
            _ if arguments.only_matching => out.part(name, &occurrence, &characters(&text, hit)?)?,
            _ => out.bed(&occurrence)?,
        }
    }
    Ok(hits.len() as u64)
}

/// What a hit in a file covers, with all of the characters at its ends.
fn characters<'t>(text: &'t Text<'_>, hit: &Hit) -> Result<Cow<'t, [u8]>> {
    let around = hit.start.saturating_sub(LONGEST)..hit.end.saturating_add(LONGEST).min(text.len());
    let (start, end) = (hit.start - around.start, hit.end - around.start);
    let bytes = text.part(around)?;
    let part = whole_characters(&bytes, start as usize..end as usize);
    Ok(bytes[part].to_vec().into())
}
