//! Builds the parts of a text from its records as they arrive.

use super::Format;
use super::copier::Copier;
use super::kind::{Guess, Sample};
use super::parse::Visitor;
use crate::text::parts::{Fastq, Part, PartRecord};
use crate::{Result, memory};
use std::collections::VecDeque;
use std::sync::Arc;

/// Symbols of a part per allowed record: names and positions take memory too.
const SYMBOLS_PER_RECORD: usize = 64;
/// Number of records that any part may have.
const RECORDS: usize = 64;

/// Upper bounds on the size of a part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    symbols: usize,
    records: usize,
    /// True if a part grows until its last record is whole.
    whole_records: bool,
    /// Symbols of a record that are repeated in the next part.
    repeated: usize,
}

impl Limits {
    pub fn new(symbols: usize, whole_records: bool) -> Self {
        let symbols = symbols.max(1);
        Self { symbols, records: RECORDS.max(symbols / SYMBOLS_PER_RECORD), whole_records, repeated: 0 }
    }

    /// Sets the number of symbols that a part repeats from the part before; at most half a part.
    pub fn repeated(self, repeated: usize) -> Self {
        Self { repeated: repeated.min(self.symbols / 2), ..self }
    }

    fn is_full(&self, part: &Part) -> bool {
        part.symbols.len() >= self.symbols || part.records.len() >= self.records
    }

    /// Returns true if two parts may be joined.
    pub fn fit(&self, a: &Part, b: &Part) -> bool {
        a.symbols.len() + b.symbols.len() <= self.symbols && a.records.len() + b.records.len() <= self.records
    }
}

/// Appends the next part. O(`next`).
pub(super) fn join(part: &mut Part, next: Part) -> Result<()> {
    // The symbols before the first record repeat those of this part.
    let repeated = next.records.first().map_or(0, |first| first.range.start);
    let new = &next.symbols[repeated..];
    memory::reserve(&mut part.symbols, new.len(), "a part of a text")?;
    memory::reserve(&mut part.records, next.records.len(), "the records of a part")?;
    let start = part.symbols.len();
    part.symbols.extend_from_slice(new);
    for mut record in next.records {
        record.range = start + record.range.start - repeated..start + record.range.end - repeated;
        match part.records.last_mut() {
            Some(last) if last.number == record.number => {
                (last.range.end, last.is_whole, last.fastq) = (record.range.end, record.is_whole, record.fastq);
            }
            _ => part.records.push(record),
        }
    }
    Ok(())
}

/// Returns the header up to the first blank.
fn name(header: &[u8]) -> Result<Option<Arc<str>>> {
    // An invalid byte becomes three bytes of U+FFFD, in two copies.
    memory::check::<u8>(header.len().saturating_mul(6), "the name of a record")?;
    Ok(String::from_utf8_lossy(header).split_whitespace().next().map(Arc::from))
}

/// Builds parts.
///
/// A record that fits into one part is never split: the part is completed without it, and the
/// record begins the next part.
pub(super) struct Builder {
    /// Size limits of its parts.
    pub limits: Limits,
    /// Part that is being built; its last record may continue.
    part: Part,
    ready: VecDeque<Part>,
    /// Buffer for the symbols of the next part.
    spare: Vec<u8>,
    /// Number of records so far.
    count: u64,
    sample: Sample,
    /// Header and qualities of the current FASTQ record, if they are kept.
    fastq: Option<Fastq>,
    copier: Copier,
}

impl Builder {
    /// Returns a builder; `keeps_fastq` keeps the headers and qualities of FASTQ records.
    pub fn new(limits: Limits, format: Format, keeps_fastq: bool, copier: Copier) -> Self {
        let fastq = (keeps_fastq && format == Format::Fastq).then(Fastq::default);
        let part = Part::default();
        let spare = Vec::new();
        Self { limits, part, ready: VecDeque::new(), spare, count: 0, sample: Sample::new(format), fastq, copier }
    }

    /// Takes a buffer to use for the symbols of the next part.
    pub fn recycle(&mut self, symbols: Vec<u8>) {
        self.spare = symbols;
        self.spare.clear();
    }

    /// Guesses the kind of the records' symbols from the first ones so far, including those of
    /// unfinished parts.
    pub fn guess(&self) -> Guess {
        self.sample.guess()
    }

    /// Returns the next completed part.
    pub fn ready(&mut self) -> Option<Part> {
        self.ready.pop_front()
    }

    /// Completes a part with the records that are whole, at the end or if no more bytes arrive for
    /// the moment.
    pub fn hand_on(&mut self) -> Result<()> {
        match self.part.records.last() {
            Some(last) if last.is_whole => self.next(Vec::new()),
            Some(_) if self.part.records.len() > 1 => self.hand_on_but_last()?,
            _ => {}
        }
        Ok(())
    }

    /// Completes the part, and begins a new one with these records.
    fn next(&mut self, records: Vec<PartRecord>) {
        let next = Part { symbols: std::mem::take(&mut self.spare), records };
        self.ready.push_back(std::mem::replace(&mut self.part, next));
    }

    fn hand_on_but_last(&mut self) -> Result<()> {
        let Some(mut last) = self.part.records.pop() else { return Ok(()) };
        let own = &self.part.symbols[last.range.start..];
        memory::reserve(&mut self.spare, own.len(), "a part of a text")?;
        self.copier.append(&mut self.spare, own);
        self.part.symbols.truncate(last.range.start);
        last.range = 0..self.spare.len();
        self.next(vec![last]);
        Ok(())
    }

    /// Completes a part with what may leave, so that the last record can continue.
    fn make_room(&mut self) -> Result<()> {
        match &self.part.records[..] {
            [only] => {
                let before = only.before + only.range.len() as u64;
                let repeated = self.limits.repeated.min(only.range.len());
                memory::reserve(&mut self.spare, repeated, "a part of a text")?;
                self.spare.extend_from_slice(&self.part.symbols[only.range.end - repeated..only.range.end]);
                let next = PartRecord { range: repeated..repeated, before, ..only.clone() };
                self.next(vec![next]);
                Ok(())
            }
            _ => self.hand_on_but_last(),
        }
    }

    fn add(&mut self, symbols: &[u8]) -> Result<()> {
        memory::reserve(&mut self.part.symbols, symbols.len(), "a part of a text")?;
        self.copier.append(&mut self.part.symbols, symbols);
        Ok(())
    }
}

impl Visitor for Builder {
    fn begin(&mut self, header: &[u8], place: u64) -> Result<()> {
        memory::reserve(&mut self.part.records, 1, "the records of a part")?;
        let name = if header.is_empty() { None } else { name(header)? };
        let start = self.part.symbols.len();
        let number = self.count;
        let range = start..start;
        self.part.records.push(PartRecord { number, name, range, before: 0, place, is_whole: false, fastq: None });
        if let Some(fastq) = &mut self.fastq {
            memory::check::<u8>(header.len(), "the header of a record")?;
            *fastq = Fastq { header: header.to_vec(), quality: Vec::new() };
        }
        self.count += 1;
        self.sample.begin();
        Ok(())
    }

    fn symbols(&mut self, symbols: &[u8]) -> Result<()> {
        self.sample.add(symbols);
        let mut rest = symbols;
        loop {
            let room = self.limits.symbols.saturating_sub(self.part.symbols.len());
            let room = if self.limits.whole_records { rest.len() } else { room.min(rest.len()) };
            let (now, later) = rest.split_at(room);
            self.add(now)?;
            if let Some(record) = self.part.records.last_mut() {
                record.range.end = self.part.symbols.len();
            }
            if later.is_empty() {
                return Ok(());
            }
            self.make_room()?;
            rest = later;
        }
    }

    fn quality(&mut self, quality: &[u8]) -> Result<()> {
        if let Some(fastq) = &mut self.fastq {
            memory::reserve(&mut fastq.quality, quality.len(), "the qualities of a record")?;
            fastq.quality.extend_from_slice(quality);
        }
        Ok(())
    }

    fn end(&mut self, line_end: &[u8]) -> Result<()> {
        self.add(line_end)?;
        if let Some(record) = self.part.records.last_mut() {
            record.is_whole = true;
            record.fastq = self.fastq.as_mut().map(std::mem::take).map(Arc::new);
        }
        if self.limits.is_full(&self.part) { self.hand_on() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_given_back_is_used_again() {
        let mut builder = Builder::new(Limits::new(4, false), Format::Fasta, false, Copier::default());
        builder.begin(b"one", 0).unwrap();
        builder.symbols(b"ACGTAC").unwrap();
        let mut first = builder.ready().unwrap().symbols;
        first.reserve(1000);
        builder.recycle(first);
        builder.symbols(b"GTTTGGA").unwrap();
        let (second, third) = (builder.ready().unwrap(), builder.ready().unwrap());
        assert_eq!((&second.symbols[..], &third.symbols[..]), (&b"ACGT"[..], &b"TTGG"[..]));
        assert!(third.symbols.capacity() > 1000);
    }
}
