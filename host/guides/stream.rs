//! The sites in a text that comes in parts, as they are found.

use super::prepared::PreparedGuides;
use super::site::{Rows, Site};
use crate::error::Result;
use crate::search::{Found, Hits};
use crate::text::parts::Parts;
use rayon::prelude::*;
use std::collections::VecDeque;

/// Number of hits that are aligned at a time.
const TOGETHER: usize = 1 << 13;

/// The sites of guides in a text that comes in parts, ordered by record and position. Memory as for
/// [`Hits`], and about 300 bytes for each of 2^13 sites.
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
    hits: Hits<'p, P>,
    rows: Rows,
    /// Sites that are found, and not returned yet.
    ready: VecDeque<Site>,
}

impl<'p> PreparedGuides<'p> {
    /// Returns the sites in a text that comes in parts, as they are found. As in the
    /// [example](Sites).
    pub fn stream<P: Parts>(self, parts: P) -> Sites<'p, P> {
        Sites { hits: self.searcher.stream(parts), rows: self.rows, ready: VecDeque::new() }
    }
}

impl<'p, P: Parts> Sites<'p, P> {
    /// Returns true if more of the text must be read for the next site: a good time to pass on the
    /// results so far. As in the [example](Self).
    pub fn waits(&self) -> bool {
        self.ready.is_empty() && self.hits.waits()
    }

    /// Returns the guides, for another text; remaining sites are dropped. As in the
    /// [example](Self).
    pub fn into_guides(self) -> PreparedGuides<'p> {
        PreparedGuides { searcher: self.hits.into_searcher(), rows: self.rows }
    }

    /// Aligns the next hits.
    fn fill(&mut self) -> Result<()> {
        let mut found: Vec<Found> = Vec::new();
        while let Some(next) = self.hits.next() {
            found.push(next?);
            if found.len() == TOGETHER || self.hits.waits() {
                break;
            }
        }
        let site = |found: &Found| self.rows.site(&found.hit, found.symbols(), found.name());
        self.ready = found.par_iter().with_min_len(TOGETHER / 128).map(site).collect::<Result<_>>()?;
        Ok(())
    }
}

impl<P: Parts> Iterator for Sites<'_, P> {
    type Item = Result<Site>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty()
            && let Err(error) = self.fill()
        {
            return Some(Err(error));
        }
        self.ready.pop_front().map(Ok)
    }
}
