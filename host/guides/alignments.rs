//! The choice of a site's alignments.

/// The alignments of a site that are reported.
///
/// ```
/// use carrywave::guides::{Alignments, Guides, Pam};
///
/// let guides = Guides::new(["ACCGTACGTTGCAATGCATT"], Pam::named("NGG")?).dna_bulges(1);
/// let site = "ACCCGTACGTTGCAATGCATTAGG";
/// let rows = |choice| -> carrywave::Result<Vec<String>> {
///     let sites = guides.clone().mismatches(0).alignments(choice).sites(site)?;
///     Ok(sites.into_iter().map(|site| site.guide_row).collect())
/// };
/// assert_eq!(rows(Alignments::Best)?, ["A-CCGTACGTTGCAATGCATTNGG"]);
/// let all = ["A-CCGTACGTTGCAATGCATTNGG", "AC-CGTACGTTGCAATGCATTNGG", "ACC-GTACGTTGCAATGCATTNGG"];
/// assert_eq!(rows(Alignments::All)?, all);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Alignments {
    /// The best: the fewest edits, then the fewest bulges, then the longest site.
    #[default]
    Best,
    /// All within the limits: every placement of bulges, as Cas-OFFinder reports them. A DNA bulge
    /// is never beside an RNA bulge, which together stand for a mismatch, unless the best alignment
    /// has them; nor at the end of the site that is far from the PAM. If there are more than 1000,
    /// those with more edits are left out.
    All,
}

impl Alignments {
    /// The values by their names on the command line.
    pub const NAMES: [(&str, Alignments); 2] = [("best", Alignments::Best), ("all", Alignments::All)];
}

named! {
    Alignments, "choice of alignments";
}
