//! Occurrences one by one: in FASTA and FASTQ, and in lines where they are counted or printed as BED or JSON.

use super::output::{AlignedPart, FileName, Occurrence, Out, Printed, whole_characters};
use super::ready::Ready;
use super::session::Session;
use crate::shared::aligned_hit::shown_symbols;
use carrywave::Result;
use carrywave::io::sequence::{Format, Kind, PartReader};
use carrywave::search::{Aligner, Found, Hit, MergedHit, MergedHits};
use carrywave::text::characters::Located;

/// Searches a file, in parts, and prints what it finds as it is found. Returns the number of occurrences, and of files of lines that of lines that match.
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
    let nucleotides = kind == Kind::Nucleotide || arguments.reading.alphabet(kind).has_complement();
    let printed = Printed::new(arguments);
    let most = arguments.most();
    let mut count = 0;
    session.with_bar(ready.longest(), reader.bytes(), || {
        let searchers = ready.take()?;
        let mut hits = MergedHits::new(&ready.groups, searchers, reader);
        let aligners = &ready.aligners;
        let mut printer = Printer { session, aligners, name, out, printed, lines, nucleotides, of_record: Vec::new() };
        let mut last = None;
        while let Some(hit) = hits.next() {
            let mut hit = hit?;
            let is_next_record = last.replace(hit.found.hit.record) != Some(hit.found.hit.record);
            // grep counts lines.
            let counts = !lines || is_next_record;
            if counts && count == most {
                break;
            }
            count += u64::from(counts);
            if printed == Printed::Nothing && count == most {
                break;
            }
            // Where the symbols are characters their bytes are told.
            let shown = matches!(printed, Printed::Parts | Printed::Hits(_));
            let bytes = if shown { hits.locate(&mut hit) } else { None };
            printer.print(hit, bytes, is_next_record)?;
            if hits.waits() {
                printer.flush()?;
            }
        }
        printer.records()?;
        ready.give_back(hits.into_searchers());
        Ok(())
    })?;
    Ok(count)
}

/// Prints the occurrences in a file.
struct Printer<'p, 'o> {
    session: &'p Session<'p>,
    /// One for each group of patterns if alignments are printed, else none.
    aligners: &'p [Aligner],
    name: &'p FileName,
    out: &'p mut Out<'o>,
    printed: Printed,
    /// True for a file of lines.
    lines: bool,
    nucleotides: bool,
    /// The occurrences in the record that is printed next, if records are printed.
    of_record: Vec<Found>,
}

impl Printer<'_, '_> {
    /// Prints an occurrence, which covers these bytes if symbols are characters.
    fn print(&mut self, merged: MergedHit, bytes: Option<Located>, is_next_record: bool) -> Result<()> {
        match self.printed {
            Printed::Nothing => return Ok(()),
            Printed::Records => {
                if is_next_record {
                    self.records()?;
                }
                self.of_record.push(merged.found);
                return Ok(());
            }
            Printed::Parts | Printed::Hits(_) => {}
        }
        let MergedHit { found, group, pattern, .. } = &merged;
        let range = bytes.as_ref().map_or(found.hit.start..found.hit.end, |bytes| bytes.range.clone());
        let hit = Hit { start: range.start, end: range.end, pattern: *pattern, ..found.hit };
        let given = &self.session.patterns[hit.pattern];
        let occurrence = Occurrence {
            file: &self.name.shown,
            record: found.name(),
            line: self.lines.then(|| found.hit.record + 1),
            base: if self.lines { found.place() } else { 0 },
            hit: &hit,
            pattern: &given.name,
            symbols: &given.symbols,
            qualities: given.qualities.as_deref(),
            nucleotides: self.nucleotides,
        };
        let Printed::Hits(format) = self.printed else {
            let (around, part) = found.around();
            let part = &around[whole_characters(around, part)];
            return self.out.part(self.name, &occurrence, bytes.as_ref().map_or(part, |bytes| &bytes.bytes));
        };
        let Some(aligner) = self.aligners.get(*group) else { return self.out.bed(&occurrence, None) };
        let symbols = shown_symbols(aligner, &found.hit, &given.symbols, self.session.arguments.classes);
        let aligned = AlignedPart {
            part: bytes.as_ref().map_or(found.symbols(), |bytes| &bytes.bytes),
            alignment: &aligner.align(&found.hit, found.symbols())?,
            record_len: found.record().map(|record| record.len() as u64),
        };
        self.out.aligned(format, &Occurrence { symbols: &symbols, ..occurrence }, &aligned)
    }

    /// Prints the record whose occurrences are known.
    fn records(&mut self) -> Result<()> {
        self.out.record(&self.of_record)?;
        self.of_record.clear();
        Ok(())
    }

    /// Prints all that is known, before more of the text is read.
    fn flush(&mut self) -> Result<()> {
        self.records()?;
        self.out.flush()
    }
}
