//! Individual hits: in FASTA and FASTQ records, and in lines that are printed as BED or JSON, or
//! counted in a pipe or in a file whose lines may be long.

use super::borders::Anchored;
use super::output::{AlignedPart, FileName, Occurrence, Out, Printed, whole_characters};
use super::ready::Ready;
use super::session::Session;
use crate::shared::aligned_hit::shown_symbols;
use crate::shared::parts::Measured;
use carrywave::Result;
use carrywave::io::sequence::{Excerpt, Format, Kind, PartReader};
use carrywave::search::{Aligner, Found};
use carrywave::text::Alphabet;

/// Searches a file in parts, and prints hits as they are found. Returns the number of hits, or in a
/// file of lines the number of matching lines.
pub fn search(
    session: &Session<'_>,
    ready: &mut Ready<'_>,
    reader: PartReader,
    name: &FileName,
    out: &mut Out<'_>,
) -> Result<u64> {
    let arguments = session.arguments;
    let lines = reader.format() == Format::Lines;
    let kind = reader.kind();
    let alphabet = arguments.reading.alphabet(kind);
    let nucleotides = kind == Kind::Nucleotide || alphabet.has_complement();
    let printed = Printed::new(arguments);
    let most = arguments.most();
    let excerpt = reader.excerpt();
    let mut count = 0;
    session.with_bar(ready.longest, reader.bytes(), || {
        let mut searcher = ready.take()?;
        searcher.expect(reader.bytes().unwrap_or(0));
        let mut hits = searcher.stream(Measured(reader));
        let aligner = ready.aligner.as_ref();
        let of_record = Vec::new();
        let mut printer =
            Printer { session, aligner, name, out, printed, excerpt, lines, alphabet, nucleotides, of_record };
        let mut last = None;
        while let Some(found) = hits.next() {
            let found = found?;
            let is_next_record = last.replace(found.hit.record) != Some(found.hit.record);
            // As in grep, lines are counted rather than hits.
            let counts = !lines || is_next_record;
            if counts && count == most {
                break;
            }
            count += u64::from(counts);
            if printed == Printed::Nothing && count == most {
                break;
            }
            printer.print(found, is_next_record)?;
            if hits.waits() {
                printer.flush()?;
            }
        }
        printer.records()?;
        ready.give_back(hits.into_searcher());
        Ok(())
    })?;
    Ok(count)
}

/// Prints the hits in a file.
struct Printer<'p, 'o> {
    session: &'p Session<'p>,
    /// The aligner, or `None` if no alignments are printed.
    aligner: Option<&'p Aligner>,
    name: &'p FileName,
    out: &'p mut Out<'o>,
    printed: Printed,
    /// The part of the only record, if a region was chosen.
    excerpt: Option<Excerpt>,
    /// True for a file of lines.
    lines: bool,
    alphabet: Alphabet,
    nucleotides: bool,
    /// Hits in the next record to print, if records are printed.
    of_record: Vec<Found>,
}

impl Printer<'_, '_> {
    fn print(&mut self, found: Found, is_next_record: bool) -> Result<()> {
        match self.printed {
            Printed::Nothing => return Ok(()),
            Printed::Records => {
                if is_next_record {
                    self.records()?;
                }
                self.of_record.push(found);
                return Ok(());
            }
            Printed::Parts | Printed::Hits(_) => {}
        }
        let given = &self.session.patterns[found.hit.pattern];
        let given_symbols = Anchored::new(&given.symbols, self.alphabet).symbols;
        let occurrence = Occurrence {
            file: &self.name.shown,
            record: found.name(),
            line: self.lines.then(|| found.hit.record + 1),
            base: if self.lines { found.place() } else { self.excerpt.map_or(0, |excerpt| excerpt.start) },
            hit: &found.hit,
            pattern: &given.name,
            symbols: given_symbols,
            qualities: given.qualities.as_deref(),
            nucleotides: self.nucleotides,
        };
        let Printed::Hits(format) = self.printed else {
            let context = found.context();
            let shown = whole_characters(context.bytes, context.hit);
            return self.out.part(self.name, &occurrence, &context.bytes[shown]);
        };
        let Some(aligner) = self.aligner else { return self.out.bed(&occurrence, None) };
        let symbols = shown_symbols(aligner, &found.hit, given_symbols, self.session.arguments.classes);
        let aligned = AlignedPart {
            part: found.symbols(),
            alignment: &aligner.align(&found.hit, found.symbols())?,
            record_len: match self.excerpt {
                Some(excerpt) => Some(excerpt.record_len),
                None => found.record().map(|record| record.len() as u64),
            },
        };
        self.out.aligned(format, &Occurrence { symbols: &symbols, ..occurrence }, &aligned)
    }

    /// Prints the record whose hits are complete.
    fn records(&mut self) -> Result<()> {
        self.out.record_of(&self.of_record)?;
        self.of_record.clear();
        Ok(())
    }

    /// Prints everything found so far, before more text is read.
    fn flush(&mut self) -> Result<()> {
        self.records()?;
        self.out.flush()
    }
}
