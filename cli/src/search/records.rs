//! Occurrences one by one: in FASTA and FASTQ, and in lines where they are counted or printed as BED or JSON; and in a file as one
//! text.

use super::arguments::{Arguments, OutputFormat};
use super::output::{FileName, LONGEST, Occurrence, Out, whole_characters};
use super::ready::{Ready, search_for};
use super::symbols::of_bytes;
use super::{Given, Job, longest, with_progress};
use crate::aligned::shown;
use crate::note;
use crate::text::tell_bytes;
use carrywave::io::sequence::{Format, Kind, PartReader};
use carrywave::search::{Aligner, Found, Hit, MergedHits, Text};
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
    /// Occurrences.
    Hits(OutputFormat),
}

impl Print {
    fn new(arguments: &Arguments) -> Self {
        match arguments.format {
            _ if arguments.prints_no_hits() => Self::Nothing,
            Some(format) if format.tells_occurrences() => Self::Hits(format),
            None if !arguments.only_matching && !arguments.byte_offset => Self::Hits(OutputFormat::Bed),
            _ if arguments.only_matching => Self::Parts,
            _ => Self::Records,
        }
    }

    /// Whether alignments are printed.
    fn is_aligned(self, arguments: &Arguments) -> bool {
        match self {
            Self::Hits(format) => format != OutputFormat::Bed || arguments.cigar,
            Self::Nothing | Self::Records | Self::Parts => false,
        }
    }
}

/// Whether alignments are printed.
pub fn is_aligned(arguments: &Arguments) -> bool {
    Print::new(arguments).is_aligned(arguments)
}

/// That a format is about records, and a file has none.
pub fn refuse_lines(format: OutputFormat, name: &FileName) -> String {
    let option = if format == OutputFormat::Sam { "sam" } else { "paf" };
    format!(
        "{}: --format {option} is about the records of FASTA and FASTQ; of other files take bed, json or align",
        name.shown
    )
}

/// Returns an occurrence for output: `hit` has places in bytes and the number of the pattern among all.
fn occurrence<'f>(
    found: &'f Found,
    hit: &'f Hit,
    file: &'f FileName,
    lines: bool,
    nucleotides: bool,
    patterns: &'f [Given],
) -> Occurrence<'f> {
    let pattern = &patterns[hit.pattern];
    Occurrence {
        file: &file.shown,
        record: found.name(),
        line: lines.then(|| found.hit.record + 1),
        base: if lines { found.place() } else { 0 },
        hit,
        pattern: &pattern.name,
        symbols: &pattern.symbols,
        qualities: pattern.qualities.as_deref(),
        nucleotides,
    }
}

/// Searches a file, in parts, and prints what it finds as it is found: how many there are, of lines those that match.
pub fn search(
    job: &Job<'_>,
    ready: &mut Ready<'_>,
    reader: PartReader,
    name: &FileName,
    out: &mut Out<'_>,
) -> Result<u64> {
    let &Job { arguments, given, .. } = job;
    let lines = reader.format() == Format::Lines;
    let kind = reader.kind();
    let nucleotides = kind == Kind::Nucleotide || arguments.reading.alphabet(kind).has_complement();
    let print = Print::new(arguments);
    let most = arguments.most();
    let mut count = 0;
    with_progress(job, ready.longest(), reader.bytes(), || {
        let searchers = ready.take()?;
        let mut hits = MergedHits::new(&ready.groups, searchers, reader);
        // Of the record that is printed next.
        let mut of_record: Vec<Found> = Vec::new();
        let mut last = None;
        while let Some(found) = hits.next() {
            let mut merged = found?;
            let found = &merged.found;
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
            let shown = matches!(print, Print::Parts | Print::Hits(_));
            let bytes = if shown { hits.locate(&mut merged) } else { None };
            let (found, group) = (&merged.found, merged.group);
            let range = bytes.as_ref().map_or(found.hit.start..found.hit.end, |bytes| bytes.range.clone());
            let hit = Hit { start: range.start, end: range.end, pattern: merged.pattern, ..found.hit };
            let occurrence = occurrence(found, &hit, name, lines, nucleotides, given);
            match print {
                Print::Nothing => {}
                Print::Records => {
                    if next_record {
                        out.record(&of_record)?;
                        of_record.clear();
                    }
                    of_record.push(merged.found);
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
                Print::Hits(format) => match ready.aligners.get(group) {
                    Some(aligner) => {
                        let alignment = aligner.align(&found.hit, found.symbols())?;
                        let record = found.record().map(|record| record.len() as u64);
                        let symbols = symbols(arguments, aligner, &found.hit, occurrence.symbols);
                        let part = bytes.as_ref().map_or(found.symbols(), |bytes| &bytes.bytes);
                        out.aligned(
                            format,
                            &Occurrence { symbols: &symbols, ..occurrence },
                            (part, &alignment),
                            record,
                        )?;
                    }
                    None => out.bed(&occurrence, None)?,
                },
            }
            if hits.waits() {
                out.flush()?;
            }
        }
        out.record(&of_record)?;
        ready.give_back(hits.into_searchers());
        Ok(())
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
    if let Some(format) = arguments.format.filter(|format| format.needs_records()) {
        return Err(Error::Usage(refuse_lines(format, name)));
    }
    let patterns = of_bytes(arguments, given, Kind::Bytes)?;
    let all: Vec<usize> = (0..given.len()).collect();
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
        let count =
            with_progress(job, longest(&patterns), Some(text.len()), || search_for(job, patterns, &all)?.count(&text))?;
        return Ok(count.min(most));
    }
    let print = Print::new(arguments);
    let (mut hits, aligner) = with_progress(job, longest(&patterns), Some(text.len()), || {
        let search = search_for(job, patterns, &all)?;
        let aligner = print.is_aligned(arguments).then(|| search.aligner()).transpose()?;
        Ok((search.hits(&text)?, aligner))
    })?;
    hits.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    for hit in &hits {
        let Given { name: pattern, symbols: own, qualities, .. } = &given[hit.pattern];
        let shown = aligner.as_ref().map_or(Cow::Borrowed(&own[..]), |aligner| symbols(arguments, aligner, hit, own));
        let occurrence = Occurrence {
            file: &name.shown,
            record: None,
            line: None,
            base: 0,
            hit,
            pattern,
            symbols: &shown,
            qualities: qualities.as_deref(),
            nucleotides: false,
        };
        match (print, &aligner) {
            (Print::Hits(format), Some(aligner)) => {
                let part = text.part(hit.start..hit.end)?;
                out.aligned(format, &occurrence, (&part, &aligner.align(hit, &part)?), None)?;
            }
            (Print::Hits(_), None) => out.bed(&occurrence, None)?,
            _ => out.part(name, &occurrence, &characters(&text, hit)?)?,
        }
    }
    Ok(hits.len() as u64)
}

/// The symbols of a hit's pattern that are shown, one for each position.
fn symbols<'g>(arguments: &Arguments, aligner: &Aligner, hit: &Hit, given: &'g [u8]) -> Cow<'g, [u8]> {
    let classes = aligner.pattern(hit.pattern).filter(|_| arguments.classes);
    classes.map_or(Cow::Borrowed(given), |pattern| shown(pattern).into())
}

/// What a hit in a file covers, with all of the characters at its ends.
fn characters<'t>(text: &'t Text<'_>, hit: &Hit) -> Result<Cow<'t, [u8]>> {
    let around = hit.start.saturating_sub(LONGEST)..hit.end.saturating_add(LONGEST).min(text.len());
    let (start, end) = (hit.start - around.start, hit.end - around.start);
    let bytes = text.part(around)?;
    let part = whole_characters(&bytes, start as usize..end as usize);
    Ok(bytes[part].to_vec().into())
}
