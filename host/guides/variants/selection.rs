//! The choice of the sites with variants that are reported.

use super::place::Key;
use crate::guides::site::Site;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A site, and the indices of the alleles that it covers, ascending.
#[derive(Debug)]
struct Candidate {
    alleles: Vec<usize>,
    site: Site,
}

/// The best sites of a record so far, for each set of alleles.
#[derive(Debug, Default)]
pub(super) struct Selection {
    best: HashMap<Key, Vec<Candidate>>,
}

impl Selection {
    /// Adds a site, unless it is no better than another one with the same alleles.
    pub fn add(&mut self, key: Key, alleles: Vec<usize>, site: Site) {
        let all = self.best.entry(key).or_default();
        let rank = |site: &Site| {
            let bulges = site.dna_bulges + site.rna_bulges;
            (site.edits(), bulges, Reverse(site.dna_bulges), site.start, site.end)
        };
        match all.iter_mut().find(|other| other.alleles == alleles) {
            Some(other) if rank(&site) < rank(&other.site) => other.site = site,
            Some(_) => {}
            None => all.push(Candidate { alleles, site }),
        }
    }

    /// Returns the sites that have fewer edits than the same site with some of their alleles, and
    /// than that of the reference, ordered by position. `reference` returns the fewest edits of a
    /// site of the reference.
    pub fn finish(self, reference: impl Fn(&Key) -> Option<u32>) -> Vec<Site> {
        let mut sites = Vec::new();
        for (key, all) in self.best {
            let known = reference(&key);
            let is_better = |own: &Candidate| {
                let edits = own.site.edits();
                let fewer = |other: &Candidate| {
                    let is_part = other.alleles.len() < own.alleles.len()
                        && other.alleles.iter().all(|allele| own.alleles.binary_search(allele).is_ok());
                    is_part && other.site.edits() <= edits
                };
                known.is_none_or(|known| edits < known) && !all.iter().any(fewer)
            };
            let kept: Vec<bool> = all.iter().map(is_better).collect();
            sites.extend(all.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(own, _)| own.site));
        }
        let order = |a: &Site, b: &Site| {
            (a.start, a.end, a.guide, a.strand, &a.variants).cmp(&(b.start, b.end, b.guide, b.strand, &b.variants))
        };
        sites.sort_by(order);
        sites
    }
}
