//! The choice of the sites with variants that are reported.

use super::place::Key;
use crate::guides::alignments::Alignments;
use crate::guides::site::Site;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The alignments of a site with the same alleles.
#[derive(Debug)]
struct Candidate {
    /// Indices of the alleles that the site covers, ascending.
    alleles: Vec<usize>,
    /// The best alignment, or all.
    sites: Vec<Site>,
}

impl Candidate {
    /// Returns the fewest edits.
    fn edits(&self) -> u32 {
        self.sites.iter().map(Site::edits).min().unwrap_or(u32::MAX)
    }
}

/// The sites of a record so far, for each set of alleles.
#[derive(Debug)]
pub(super) struct Selection {
    alignments: Alignments,
    all: HashMap<Key, Vec<Candidate>>,
}

impl Selection {
    pub fn new(alignments: Alignments) -> Self {
        Self { alignments, all: HashMap::new() }
    }

    /// Adds an alignment of a site, unless it is known, or if only the best is wanted, unless a
    /// better one with the same alleles is known.
    pub fn add(&mut self, key: Key, alleles: Vec<usize>, site: Site) {
        let all = self.all.entry(key).or_default();
        let rank = |site: &Site| {
            let bulges = site.dna_bulges + site.rna_bulges;
            (site.edits(), bulges, Reverse(site.dna_bulges), site.start, site.end)
        };
        let Some(known) = all.iter_mut().find(|known| known.alleles == alleles) else {
            return all.push(Candidate { alleles, sites: vec![site] });
        };
        match self.alignments {
            Alignments::All if known.sites.contains(&site) => {}
            Alignments::All => known.sites.push(site),
            Alignments::Best if rank(&site) < rank(&known.sites[0]) => known.sites[0] = site,
            Alignments::Best => {}
        }
    }

    /// Returns the sites that have fewer edits than the same site with some of their alleles, and
    /// than that of the reference, ordered by position. `reference` returns the fewest edits of a
    /// site of the reference.
    pub fn finish(self, reference: impl Fn(&Key) -> Option<u32>) -> Vec<Site> {
        let mut sites = Vec::new();
        for (key, all) in self.all {
            let known = reference(&key);
            let is_better = |own: &Candidate| {
                let edits = own.edits();
                let is_needless = |other: &Candidate| {
                    let is_part = other.alleles.len() < own.alleles.len()
                        && other.alleles.iter().all(|allele| own.alleles.binary_search(allele).is_ok());
                    is_part && other.edits() <= edits
                };
                known.is_none_or(|known| edits < known) && !all.iter().any(is_needless)
            };
            let kept: Vec<bool> = all.iter().map(is_better).collect();
            sites.extend(all.into_iter().zip(kept).filter(|(_, kept)| *kept).flat_map(|(own, _)| own.sites));
        }
        let numbers = |site: &Site| (site.start, site.end, site.guide, site.strand, site.edits());
        let texts =
            |a: &Site, b: &Site| (&a.variants, &a.guide_row, &a.dna_row).cmp(&(&b.variants, &b.guide_row, &b.dna_row));
        sites.sort_by(|a, b| numbers(a).cmp(&numbers(b)).then_with(|| texts(a, b)));
        sites
    }
}
