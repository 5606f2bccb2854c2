//! Guides that are ready for many texts.

use super::site::{Rows, Site};
use crate::error::Result;
use crate::search::{Searcher, Source};

/// Guides that are ready for many texts ([`Guides::prepare`](super::Guides::prepare)).
///
/// ```
/// use carrywave::guides::{Guides, Pam};
///
/// let mut guides = Guides::new(["ACGTACGTACGTACGTACGT"], Pam::named("NGG")?).prepare()?;
/// let texts = ["ttACGTACGTACGTACGTACGTAGG", "CCAACGTACGTACGTACGTACGTtt"];
/// guides.expect(texts.iter().map(|text| text.len() as u64).sum());
/// for text in texts {
///     assert_eq!(guides.sites(text)?.len(), 1);
/// }
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug)]
pub struct PreparedGuides<'p> {
    pub(super) searcher: Searcher<'p>,
    pub(super) rows: Rows,
}

impl PreparedGuides<'_> {
    /// Announces that the next texts have about this number of symbols in total, as
    /// [`Searcher::expect`] does. As in the [example](Self).
    pub fn expect(&mut self, symbols: u64) {
        self.searcher.expect(symbols);
    }

    /// Returns the sites in a text, as [`Guides::sites`](super::Guides::sites) does. As in the
    /// [example](Self).
    ///
    /// # Errors
    /// As [`Searcher::hits`].
    pub fn sites<'t>(&mut self, text: impl Into<Source<'t>>) -> Result<Vec<Site>> {
        let source = text.into();
        let hits = self.searcher.hits(source.clone())?;
        self.rows.sites(source.text(), &hits)
    }
}
