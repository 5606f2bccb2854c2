//! The bases of the genome around the variants, collected while the genome passes.

use super::allele::Allele;
use super::place::{Key, Place};
use super::set::{RecordVariants, Variants};
use crate::error::{Error, InputFault, Result};
use crate::guides::site::{Rows, Site};
use crate::text::parts::{Part, PartRecord};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The windows of a text: all positions that a site with a variant may cover.
#[derive(Debug)]
pub(in crate::guides) struct Windows {
    pub variants: Arc<Variants>,
    /// Number of bases of the longest site.
    pub reach: u64,
    /// The records with variants that have begun, in order.
    pub records: VecDeque<RecordWindows>,
    /// The fewest edits of the sites of the reference in windows, by number of the record.
    pub reference: HashMap<(usize, Key), u32>,
}

/// The windows of a record.
#[derive(Debug)]
pub(in crate::guides) struct RecordWindows {
    /// Number of the record in the text.
    pub number: usize,
    /// Index in the variants.
    pub variants: usize,
    windows: Vec<Window>,
    /// Number of the record's bases so far.
    len: u64,
}

/// A stretch of the reference.
#[derive(Debug)]
struct Window {
    range: Range<u64>,
    bases: Vec<u8>,
}

impl Windows {
    pub fn new(variants: Arc<Variants>, reach: u64) -> Self {
        Self { variants, reach, records: VecDeque::new(), reference: HashMap::new() }
    }

    /// Takes the windows' bases from a part.
    pub fn read(&mut self, part: &Part) -> Result<()> {
        for record in &part.records {
            let number = record.number as usize;
            if record.before == 0 {
                self.begin(record, number);
            }
            let Some(open) = self.records.back_mut().filter(|open| open.number == number) else { continue };
            open.extend(&part.symbols[record.range.clone()]);
            if record.is_whole {
                open.check(&self.variants)?;
            }
        }
        Ok(())
    }

    /// Begins the windows of a record that has variants.
    fn begin(&mut self, record: &PartRecord, number: usize) {
        let Some(name) = record.name.as_deref() else { return };
        let Some(&index) = self.variants.numbers.get(name) else { return };
        let own = &self.variants.records[index];
        own.is_used.store(true, Ordering::Relaxed);
        if !own.alleles.is_empty() {
            let windows = windows(own, self.reach);
            self.records.push_back(RecordWindows { number, variants: index, windows, len: 0 });
        }
    }

    /// Takes note of a site of the reference, if it is in a window.
    pub fn note(&mut self, site: &Site, rows: &Rows) {
        let at = self.records.partition_point(|own| own.number < site.record);
        let Some(own) = self.records.get(at).filter(|own| own.number == site.record) else { return };
        if own.bases(site.start..site.end).is_some() {
            let key = Key { guide: site.guide, strand: site.strand, place: Place::of(rows.outer(site)) };
            let fewest = self.reference.entry((site.record, key)).or_insert(u32::MAX);
            *fewest = site.edits().min(*fewest);
        }
    }
}

/// Returns the windows around the alleles of a record, ordered, apart from one another.
fn windows(own: &RecordVariants, reach: u64) -> Vec<Window> {
    let mut windows: Vec<Window> = Vec::new();
    // A site of the reference that ends where one with a variant does is in the window too.
    let around = reach.saturating_mul(2);
    for allele in &own.alleles {
        let replaced = allele.replaced();
        let start = allele.position.min(replaced.start.saturating_sub(around));
        let end = replaced.end.saturating_add(around).max(allele.position + allele.reference.len() as u64);
        match windows.last_mut() {
            Some(last) if start <= last.range.end => {
                last.range.start = last.range.start.min(start);
                last.range.end = last.range.end.max(end);
            }
            _ => windows.push(Window { range: start..end, bases: Vec::new() }),
        }
    }
    windows
}

impl RecordWindows {
    /// Number of the record's bases.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if the record has the bases that an allele replaces.
    pub(super) fn has(&self, allele: &Allele) -> bool {
        allele.position + allele.reference.len() as u64 <= self.len
    }

    /// Takes the next symbols of the record.
    fn extend(&mut self, symbols: &[u8]) {
        let before = self.len;
        self.len += symbols.len() as u64;
        let first = self.windows.partition_point(|window| window.range.end <= before);
        for window in &mut self.windows[first..] {
            if window.range.start >= self.len {
                break;
            }
            let from = window.range.start.max(before) - before;
            let to = window.range.end.min(self.len) - before;
            window.bases.extend_from_slice(&symbols[from as usize..to as usize]);
        }
    }

    /// Returns the bases in a range; `None` if they are not all in a window.
    pub fn bases(&self, range: Range<u64>) -> Option<&[u8]> {
        let at = self.windows.partition_point(|window| window.range.start <= range.start);
        let window = self.windows.get(at.checked_sub(1)?)?;
        let from = (range.start - window.range.start) as usize;
        window.bases.get(from..)?.get(..(range.end.checked_sub(range.start)?) as usize)
    }

    /// Checks that the reference has what the variants replace.
    fn check(&self, variants: &Variants) -> Result<()> {
        let own = &variants.records[self.variants];
        for allele in &own.alleles {
            let end = allele.position + allele.reference.len() as u64;
            let found = self.bases(allele.position..end);
            if found.is_some_and(|found| found.iter().zip(&allele.reference).all(|(&a, &b)| is_same(a, b))) {
                continue;
            }
            let Allele { line, pos, .. } = *allele;
            if found.is_none() && variants.record_len.is_some_and(|len| pos - 1 + allele.reference.len() as u64 <= len)
            {
                continue;
            }
            let shown = |bases: &[u8]| String::from_utf8_lossy(bases).into_owned();
            let difference = match found {
                Some(found) => format!("REF is `{}`, but the genome has `{}`", shown(&allele.reference), shown(found)),
                None => {
                    let len = variants.record_len.unwrap_or(self.len);
                    format!("it ends after the record, which has {len} bases")
                }
            };
            let reason = format!(
                "line {line}: position {pos} of {}: {difference}; the variants must be of the same assembly",
                own.name
            );
            return Err(Error::Input { path: variants.path.clone(), fault: InputFault::Variants, reason });
        }
        Ok(())
    }
}

/// Returns true if a base of the genome may be a base of REF: without case, U is T, and a code of
/// several bases is any base.
fn is_same(genome: u8, reference: u8) -> bool {
    let base = |base: u8| match base.to_ascii_uppercase() {
        b'U' => b'T',
        base => base,
    };
    let [genome, reference] = [genome, reference].map(base);
    genome == reference || reference == b'N' || (!b"ACGT".contains(&genome) && genome.is_ascii_alphabetic())
}
