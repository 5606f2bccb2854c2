//! The sites in a text that comes in parts, as they are found.

use super::alignments::Alignments;
use super::prepared::PreparedGuides;
use super::site::{Rows, Site};
use super::variants::Variants;
use super::variants::search::{Searched, next_record};
use super::variants::windows::Windows;
use super::watched::{Watched, locked};
use crate::error::Result;
use crate::search::{Context, Found, Hits, Searcher};
use crate::text::parts::Parts;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// Number of hits that are aligned at a time, each for its best alignment or for all.
const TOGETHER: usize = 1 << 13;
const TOGETHER_ALL: usize = 1 << 8;

/// The sites of guides in a text that comes in parts, ordered by record and position. Memory as for
/// [`Hits`], and about 300 bytes for each of 2^13 sites, or for all alignments of 2^8 sites.
///
/// With [`Variants`], the sites that they make follow after those of the text, in the same order.
/// Memory: also the bases of the text that are up to two sites from a variant, and the sites in one
/// record that the variants make.
///
/// ```
/// use carrywave::guides::{Guides, Pam};
/// use carrywave::io::sequence::{PartOptions, PartReader};
///
/// let fasta = &b">chr1\nttACGTACGTACG\nTACGTACGTAGG\n"[..];
/// let reader = PartReader::from_reader("a genome", fasta, PartOptions::default())?;
/// let guides = Guides::new(["ACGTACGTACGTACGTACGT"], Pam::named("NGG")?).prepare()?;
/// let mut sites = guides.stream(reader);
/// while let Some(site) = sites.next() {
///     let site = site?;
///     assert_eq!((site.name.as_deref(), site.start), (Some("chr1"), 2));
///     if sites.waits() {
///         println!("reads on");
///     }
/// }
/// assert_eq!(sites.into_guides().sites("acgt")?.len(), 0);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "an iterator does nothing until it is asked for its items"]
pub struct Sites<'p, P> {
    work: Work<'p, P>,
    rows: Rows,
    /// Sites that are found, and not returned yet.
    ready: VecDeque<Site>,
    /// The text around variants.
    windows: Option<Arc<Mutex<Windows>>>,
    /// Number of alleles that begin more combinations than are searched.
    limited: u64,
}

/// The text that is searched, or the haplotypes.
#[derive(Debug)]
enum Work<'p, P> {
    /// The text.
    Text(Hits<'p, Watched<P>>),
    /// The haplotypes around its variants.
    Haplotypes(Searcher<'p>),
    /// A step from the first to the second.
    Between,
}

impl<'p> PreparedGuides<'p> {
    /// Returns the sites in a text that comes in parts, as they are found. As in the
    /// [example](Sites).
    pub fn stream<P: Parts>(self, parts: P) -> Sites<'p, P> {
        self.stream_in(parts, None)
    }

    /// Returns the sites in a text that comes in parts, and those in its haplotypes with variants.
    /// The variants belong to the records with the same names.
    ///
    /// A site that covers alternative alleles is returned if it has fewer edits than the same site
    /// without some or all of them, or if there is no such site. Two sites are the same if they are
    /// on one strand and the outermost bases of their PAMs are at one place. Start and end are
    /// positions in the text; inserted bases are between two positions.
    ///
    /// Alleles that one site may cover are combined. With phased genotypes, only the haplotypes of
    /// the samples are searched; where a sample has a heterozygous genotype that is not phased, and
    /// without genotypes, all combinations are. At most 1024 combinations begin with one allele,
    /// those with the fewest alleles ([`Sites::limited`]).
    ///
    /// As in the [example](Variants). The errors of the items are also
    /// [`Error::Input`](crate::Error::Input) with
    /// [`Variants`](crate::error::InputFault::Variants) for a variant that replaces other bases
    /// than those of the text, or bases beyond a record's end.
    pub fn stream_with_variants<P: Parts>(self, parts: P, variants: Arc<Variants>) -> Sites<'p, P> {
        let windows = Windows::new(variants, self.rows.longest);
        self.stream_in(parts, Some(Arc::new(Mutex::new(windows))))
    }

    fn stream_in<P: Parts>(self, parts: P, windows: Option<Arc<Mutex<Windows>>>) -> Sites<'p, P> {
        let hits = self.searcher.stream(Watched { parts, windows: windows.clone() });
        Sites { work: Work::Text(hits), rows: self.rows, ready: VecDeque::new(), windows, limited: 0 }
    }
}

impl<'p, P: Parts> Sites<'p, P> {
    /// Returns true if more of the text must be read for the next site: a good time to pass on the
    /// results so far. As in the [example](Self).
    pub fn waits(&self) -> bool {
        self.ready.is_empty() && matches!(&self.work, Work::Text(hits) if hits.waits())
    }

    /// Returns the guides, for another text; remaining sites are dropped. As in the
    /// [example](Self).
    pub fn into_guides(self) -> PreparedGuides<'p> {
        let searcher = match self.work {
            Work::Text(hits) => hits.into_searcher(),
            Work::Haplotypes(searcher) => searcher,
            Work::Between => unreachable!("a step ends before it returns"),
        };
        PreparedGuides { searcher, rows: self.rows }
    }

    /// Returns the number of alternative alleles so far that begin more combinations than are
    /// searched. As in the [example](Variants).
    pub fn limited(&self) -> u64 {
        self.limited
    }

    /// Finds the next sites. There are none at the end.
    fn fill(&mut self) -> Result<()> {
        if let Work::Text(hits) = &mut self.work {
            let mut found: Vec<Found> = Vec::new();
            let together = if self.rows.alignments == Alignments::All { TOGETHER_ALL } else { TOGETHER };
            while let Some(next) = hits.next() {
                found.push(next?);
                if found.len() == together || hits.waits() {
                    break;
                }
            }
            let rows = &self.rows;
            let sites = |found: &Found| {
                let Context { bytes, hit, .. } = found.context();
                rows.sites_of(&found.hit, bytes, hit, found.name())
            };
            let all = found.par_iter().with_min_len(together / 128).map(sites);
            self.ready = all.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        }
        let Some(windows) = &self.windows else { return Ok(()) };
        let mut windows = locked(windows);
        self.ready.iter().for_each(|site| windows.note(site, &self.rows));
        while self.ready.is_empty() {
            self.work = match std::mem::replace(&mut self.work, Work::Between) {
                Work::Text(hits) => Work::Haplotypes(hits.into_searcher()),
                work => work,
            };
            let Work::Haplotypes(searcher) = &mut self.work else { break };
            let Some(Searched { sites, limited }) = next_record(searcher, &self.rows, &mut windows)? else { break };
            self.limited += limited;
            self.ready = sites.into();
        }
        Ok(())
    }
}

impl<P: Parts> Iterator for Sites<'_, P> {
    type Item = Result<Site>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty()
            && let Err(error) = self.fill()
        {
            // An error ends the iteration.
            self.windows = None;
            return Some(Err(error));
        }
        self.ready.pop_front().map(Ok)
    }
}
