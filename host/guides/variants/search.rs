//! The search of the haplotypes of a record.

use super::allele::Allele;
use super::haplotype::Haplotype;
use super::paths::Reach;
use super::place::Key;
use super::selection::Selection;
use super::windows::{RecordWindows, Windows};
use crate::error::Result;
use crate::guides::site::{Rows, Site};
use crate::search::Searcher;
use crate::text::Text;
use std::borrow::Cow;
use std::ops::Range;

/// Number of bases of haplotypes that are searched at a time, approximately.
const TOGETHER: usize = 16 << 20;

/// Haplotypes that are searched together.
#[derive(Debug, Default)]
struct Batch {
    text: Vec<u8>,
    records: Vec<Range<usize>>,
    /// Each with the index of its first allele.
    haplotypes: Vec<(usize, Haplotype)>,
}

/// The sites with variants in a record.
#[derive(Debug)]
pub(in crate::guides) struct Searched {
    pub sites: Vec<Site>,
    /// Number of alleles that begin more combinations than are searched.
    pub limited: u64,
}

/// The search of a record.
struct RecordSearch<'s, 'p> {
    searcher: &'s mut Searcher<'p>,
    rows: &'s Rows,
    own: &'s RecordWindows,
    name: &'s str,
    alleles: &'s [Allele],
    selection: Selection,
}

/// Searches the haplotypes of the next record of the windows. Returns `None` if there is none.
pub(in crate::guides) fn next_record(
    searcher: &mut Searcher<'_>,
    rows: &Rows,
    windows: &mut Windows,
) -> Result<Option<Searched>> {
    let Some(own) = windows.records.pop_front() else { return Ok(None) };
    let variants = &windows.variants.records[own.variants];
    // A part of a record may not have all alleles.
    let mut alleles = Cow::from(&variants.alleles);
    if !alleles.iter().all(|allele| own.has(allele)) {
        alleles.to_mut().retain(|allele| own.has(allele));
    }
    let alleles = &alleles[..];
    let reach = Reach::new(alleles, windows.reach);
    let selection = Selection::new(rows.alignments);
    let mut search = RecordSearch { searcher, rows, own: &own, name: &variants.name, alleles, selection };
    let (mut batch, mut limited) = (Batch::default(), 0);
    for first in 0..alleles.len() {
        let paths = reach.paths(first);
        limited += u64::from(paths.is_limited);
        for path in &paths.all {
            let start = batch.text.len();
            match Haplotype::new(path, alleles, &own, &mut batch.text) {
                Some(haplotype) => {
                    batch.records.push(start..batch.text.len());
                    batch.haplotypes.push((first, haplotype));
                }
                None => batch.text.truncate(start),
            }
            if batch.text.len() >= TOGETHER {
                search.add(&std::mem::take(&mut batch))?;
            }
        }
    }
    search.add(&batch)?;
    let sites = search.selection.finish(|key| windows.reference.get(&(own.number, *key)).copied());
    Ok(Some(Searched { sites, limited }))
}

impl RecordSearch<'_, '_> {
    /// Adds the sites in a batch.
    fn add(&mut self, batch: &Batch) -> Result<()> {
        if batch.records.is_empty() {
            return Ok(());
        }
        for hit in self.searcher.hits(Text::with_records(&batch.text, &batch.records)?)? {
            let record = &batch.text[batch.records[hit.record].clone()];
            let range = hit.start as usize..hit.end as usize;
            for found in self.rows.sites_of(&hit, record, range, Some(self.name))? {
                self.add_site(found, &batch.haplotypes[hit.record]);
            }
        }
        Ok(())
    }

    /// Adds a site in a haplotype, given with its first allele, if it is the first that the site
    /// covers.
    fn add_site(&mut self, found: Site, (first, haplotype): &(usize, Haplotype)) {
        let covered = haplotype.covered(&(found.start..found.end));
        if covered.first() != Some(first) {
            return;
        }
        let outer = self.rows.outer(&found);
        let key = Key { guide: found.guide, strand: found.strand, place: haplotype.place(outer) };
        let shown = |&allele: &usize| self.alleles[allele].shown(self.name);
        let site = Site {
            record: self.own.number,
            start: haplotype.place(found.start).start(),
            end: haplotype.place(found.end - 1).end,
            variants: covered.iter().map(shown).collect(),
            ..found
        };
        self.selection.add(key, covered, site);
    }
}
