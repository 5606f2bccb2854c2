//! `--whole`: hits in a file as one text.

use super::arguments::{Arguments, OutputFormat};
use super::output::{AlignedPart, FileName, LONGEST, Occurrence, Out, Printed, refuse_lines, whole_characters};
use super::ready::longest;
use super::session::Session;
use super::symbols::byte_patterns;
use crate::shared::aligned_hit::shown_symbols;
use crate::shared::notes::{note, note_bytes};
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::io::sequence::Kind;
use carrywave::search::{Aligner, Hit};
use carrywave::text::{Alphabet, Text};
use std::borrow::Cow;
use std::ffi::OsStr;

/// Bytes at the start of a text that are inspected to detect its format.
const HEAD: u64 = 1 << 16;

/// Magic bytes of compressed files, and the programs that decompress them.
const COMPRESSED: [(&[u8], &str); 4] =
    [(b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\0", "xz"), (b"\x28\xb5\x2f\xfd", "zstd")];

/// Searches a file as one text and prints the hits. Returns the number of hits.
pub fn search_whole(session: &Session<'_>, file: &OsStr, name: &FileName, out: &mut Out<'_>) -> Result<u64> {
    let arguments = session.arguments;
    check(arguments, name)?;
    let patterns = byte_patterns(arguments, session.patterns, Kind::Bytes)?;
    let text = Text::open(file)?;
    note_head(session, &text, name)?;
    let longest = longest(&patterns);
    if arguments.prints_no_hits() {
        let count = || session.search(patterns, Alphabet::Bytes)?.count(&text);
        let count = session.with_bar(longest, Some(text.len()), count)?;
        return Ok(count.min(arguments.most()));
    }
    let printed = Printed::new(arguments);
    let mut aligner = None;
    let mut hits = session.with_bar(longest, Some(text.len()), || {
        let search = session.search(patterns, Alphabet::Bytes)?;
        aligner = printed.is_aligned(arguments).then(|| search.aligner()).transpose()?;
        search.hits(&text)
    })?;
    hits.truncate(usize::try_from(arguments.most()).unwrap_or(usize::MAX));
    let printer = Printer { session, printed, aligner, text: &text, name };
    hits.iter().try_for_each(|hit| printer.print(hit, out))?;
    Ok(hits.len() as u64)
}

/// Refuses options for lines and for records.
fn check(arguments: &Arguments, name: &FileName) -> Result<()> {
    let lines = arguments.format == Some(OutputFormat::Text) || arguments.byte_offset && arguments.format.is_none();
    if lines && !arguments.only_matching && !arguments.prints_no_hits() {
        return Err(
            UsageFault::Combination.error("--whole has no lines to print; use -c, -o, --format bed or --format json")
        );
    }
    match arguments.format.filter(|format| format.needs_records()) {
        Some(format) => Err(UsageFault::Combination.error(refuse_lines(format, name))),
        None => Ok(()),
    }
}

/// Prints a note if the start of the text is compressed or has multi-byte characters.
fn note_head(session: &Session<'_>, text: &Text<'_>, name: &FileName) -> Result<()> {
    let reading = &session.arguments.reading;
    let head = text.part(0..text.len().min(HEAD))?;
    let program = COMPRESSED.iter().find(|(start, _)| head.starts_with(start));
    if let Some((_, program)) = program.filter(|_| !reading.no_decompress) {
        let how = "this file is compressed, and --whole searches the compressed bytes; decompress it first";
        note(&format!("{}: {how}: {program} -dc", name.shown));
    }
    if session.allows_errors() && !reading.asks_for_bytes() {
        note_bytes(session.patterns.iter().map(|given| &given.symbols[..]), &[&head]);
    }
    Ok(())
}

/// Prints the hits in a text.
struct Printer<'p> {
    session: &'p Session<'p>,
    printed: Printed,
    /// The aligner, or `None` if no alignments are printed.
    aligner: Option<Aligner>,
    text: &'p Text<'p>,
    name: &'p FileName,
}

impl Printer<'_> {
    fn print(&self, hit: &Hit, out: &mut Out<'_>) -> Result<()> {
        let given = &self.session.patterns[hit.pattern];
        let are_classes = self.session.arguments.classes;
        let symbols = match &self.aligner {
            Some(aligner) => shown_symbols(aligner, hit, &given.symbols, are_classes),
            None => Cow::Borrowed(&given.symbols[..]),
        };
        let occurrence = Occurrence {
            file: &self.name.shown,
            record: None,
            line: None,
            base: 0,
            hit,
            pattern: &given.name,
            symbols: &symbols,
            qualities: given.qualities.as_deref(),
            nucleotides: false,
        };
        match (self.printed, &self.aligner) {
            (Printed::Hits(format), Some(aligner)) => {
                let part = self.text.part(hit.start..hit.end)?;
                let alignment = aligner.align(hit, &part)?;
                let aligned = AlignedPart { part: &part, alignment: &alignment, record_len: None };
                out.aligned(format, &occurrence, &aligned)
            }
            (Printed::Hits(_), None) => out.bed(&occurrence, None),
            _ => out.part(self.name, &occurrence, &whole_characters_of(self.text, hit)?),
        }
    }
}

/// Returns the part of the text that a hit covers, extended to whole characters.
fn whole_characters_of<'t>(text: &'t Text<'_>, hit: &Hit) -> Result<Cow<'t, [u8]>> {
    let around = hit.start.saturating_sub(LONGEST)..hit.end.saturating_add(LONGEST).min(text.len());
    let start = hit.start - around.start;
    let end = hit.end - around.start;
    let bytes = text.part(around)?;
    let part = whole_characters(&bytes, start as usize..end as usize);
    Ok(bytes[part].to_vec().into())
}
