//! The job: guides, their PAM, and limits on mismatches and bulges.

use super::alignments::Alignments;
use super::pam::{Pam, PamSide};
use super::placements::Limits;
use super::prepared::PreparedGuides;
use super::site::{Rows, Site};
use crate::device::Engine;
use crate::error::{Error, Result};
use crate::job::{Progress, Recorder};
use crate::search::{Algorithm, Ends, Search, Source};
use crate::text::{Alphabet, Pattern, SymbolRules, TextCodes};
use std::fmt;

/// Default limit on mismatches.
const MISMATCHES: u32 = 4;

/// A search for the sites of guides, on both strands.
///
/// ```
/// use carrywave::device::Cpu;
/// use carrywave::guides::{Guides, Pam, PamSide};
/// use carrywave::job::Recorder;
/// use carrywave::search::Algorithm;
/// use carrywave::text::{Strand, TextCodes};
///
/// let recorder = Recorder::new();
/// let guides = Guides::new(["ACGTACGTACGTACGTACGT"], Pam::new("TTTV", PamSide::Before)?)
///     .mismatches(3)
///     .rna_bulges(1)
///     .edits(3)
///     .text_codes(TextCodes::Never)
///     .on(&Cpu::new())
///     .algorithm(Algorithm::named("sellers")?)
///     .on_progress(&|_symbols| ())
///     .recorder(&recorder);
/// assert_eq!(guides.most_edits(), 3);
/// let sites = guides.sites("ggACGTACGTACGACGTACGTCAAA")?;
/// assert_eq!((sites[0].strand, sites[0].rna_bulges), (Strand::Reverse, 1));
/// assert_eq!(guides.prepare()?.sites("acgt")?.len(), 0);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a search does nothing until it is given a text"]
pub struct Guides<'p> {
    /// The guides as given, in upper case, without the PAM.
    guides: Vec<Vec<u8>>,
    pam: Pam,
    mismatches: u32,
    dna_bulges: u32,
    rna_bulges: u32,
    /// Limit on the sum; `None` for the default.
    edits: Option<u32>,
    text_codes: TextCodes,
    alignments: Alignments,
    /// The engine, algorithm, progress and recorder; without patterns.
    search: Search<'p>,
}

impl fmt::Debug for Guides<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Guides");
        shown.field("guides", &self.guides.len()).field("pam", &self.pam).field("mismatches", &self.mismatches);
        shown.field("dna_bulges", &self.dna_bulges).field("rna_bulges", &self.rna_bulges);
        shown.field("edits", &self.most_edits()).finish_non_exhaustive()
    }
}

impl<'p> Guides<'p> {
    /// Makes a search for guides in IUPAC codes, 5' to 3', without their PAM. A guide that includes
    /// the PAM's own codes, such as NGG at its end, is taken without them. The default allows 4
    /// mismatches and no bulge. As in the [example](Self).
    pub fn new(guides: impl IntoIterator<Item = impl AsRef<[u8]>>, pam: Pam) -> Self {
        let guides = guides.into_iter().map(|guide| {
            let guide = guide.as_ref().to_ascii_uppercase();
            pam.removed(&guide).to_vec()
        });
        Self {
            guides: guides.collect(),
            pam,
            mismatches: MISMATCHES,
            dna_bulges: 0,
            rna_bulges: 0,
            edits: None,
            text_codes: TextCodes::Inside,
            alignments: Alignments::Best,
            search: Search::many(None::<Pattern>).both_strands(true).ends(Ends::All),
        }
    }

    /// Sets the largest number of mismatches. As in the [example](Self).
    pub fn mismatches(self, most: u32) -> Self {
        Self { mismatches: most, ..self }
    }

    /// Sets the largest number of bases in DNA bulges: bases of the site that the guide lacks. As
    /// in the [example](Self).
    pub fn dna_bulges(self, most: u32) -> Self {
        Self { dna_bulges: most, ..self }
    }

    /// Sets the largest number of bases in RNA bulges: bases of the guide that the site lacks. As
    /// in the [example](Self).
    pub fn rna_bulges(self, most: u32) -> Self {
        Self { rna_bulges: most, ..self }
    }

    /// Sets the largest number of edits: mismatches and bases in bulges together. The default is
    /// the largest of the three limits. As in the [example](Self).
    pub fn edits(self, most: u32) -> Self {
        Self { edits: Some(most), ..self }
    }

    /// Sets which bases a code of the text, such as N, matches. As in the [example](Self).
    pub fn text_codes(self, rule: TextCodes) -> Self {
        Self { text_codes: rule, ..self }
    }

    /// Sets which alignments of a site are reported, each as a [`Site`]. As in the
    /// [example](Alignments).
    pub fn alignments(self, choice: Alignments) -> Self {
        Self { alignments: choice, ..self }
    }

    /// Sets the engine, as [`Search::on`] does. As in the [example](Self).
    pub fn on(self, engine: &dyn Engine) -> Self {
        Self { search: self.search.on(engine), ..self }
    }

    /// Selects an algorithm of [`search`](mod@crate::search), as [`Search::algorithm`] does. As in
    /// the [example](Self).
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { search: self.search.algorithm(algorithm), ..self }
    }

    /// Sets a callback for progress: the number of symbols searched since its last call, summed
    /// over guides and strands. As in the [example](Self).
    pub fn on_progress(self, progress: Progress<'p>) -> Self {
        Self { search: self.search.on_progress(progress), ..self }
    }

    /// Sets the recorder that receives the report of each search. As in the [example](Self).
    pub fn recorder(self, recorder: &'p Recorder) -> Self {
        Self { search: self.search.recorder(recorder), ..self }
    }

    /// Returns the limit on the sum of mismatches and bases in bulges. As in the [example](Self).
    pub fn most_edits(&self) -> u32 {
        self.edits.unwrap_or(self.mismatches.max(self.dna_bulges).max(self.rna_bulges))
    }

    /// Returns the number of bases of the longest site.
    fn longest(&self) -> u64 {
        let guide = self.guides.iter().map(Vec::len).max().unwrap_or(0) + self.pam.codes().len();
        guide as u64 + u64::from(self.dna_bulges.min(self.most_edits()))
    }

    /// Returns the guides with their PAM, and the aligner of the search.
    fn rows(&self, search: &Search<'_>) -> Result<Rows> {
        let guides: Vec<Vec<u8>> = self.guides.iter().map(|guide| self.pam.beside(guide)).collect();
        let longest = self.longest();
        let pam = self.pam.codes().len();
        let Self { mismatches, dna_bulges, rna_bulges, alignments, .. } = *self;
        let limits = Limits { mismatches, dna_bulges, rna_bulges, edits: self.most_edits() };
        let is_turned = self.is_turned();
        Ok(Rows { guides, pam, longest, is_turned, aligner: search.aligner()?, alignments, limits })
    }

    /// Returns true if the search is for the reverse complements, so that the PAM is at the end of
    /// each pattern. [`Ends::All`] then finds one occurrence for each PAM.
    fn is_turned(&self) -> bool {
        self.pam.side() == PamSide::Before
    }

    /// Returns the search for the guides with their PAM.
    fn search(&self) -> Result<Search<'p>> {
        let rules = SymbolRules::new(Alphabet::Iupac).text_codes(self.text_codes);
        let pam = Pattern::parse_with(self.pam.codes().as_bytes(), &rules)?;
        let pattern = |(number, guide): (usize, &Vec<u8>)| -> Result<Pattern> {
            let guide = Pattern::parse_with(guide, &rules).map_err(|error| match error {
                Error::Usage { fault, reason } => Error::Pattern { number, fault, reason },
                error => error,
            })?;
            let (first, last) = match self.pam.side() {
                PamSide::Before => (&pam, &guide),
                PamSide::After => (&guide, &pam),
            };
            let start = if self.is_turned() { 0 } else { guide.len() };
            let pattern = Pattern::new([first.classes(), last.classes()].concat());
            let pattern = pattern.with_fixed(start..start + pam.len())?;
            Ok(if self.is_turned() { pattern.reverse_complement() } else { pattern })
        };
        let patterns = self.guides.iter().enumerate().map(pattern).collect::<Result<Vec<_>>>()?;
        // Other alignments of a site may be longer than the hit.
        let beside = if self.alignments == Alignments::All { self.longest() } else { 0 };
        let search = self.search.clone().for_patterns(patterns).errors(self.most_edits()).beside(beside);
        Ok(search.substitutions(self.mismatches).insertions(self.dna_bulges).deletions(self.rna_bulges))
    }

    /// Returns the sites in a text, ordered by record and position. The text is anything that
    /// [`Search::hits`] takes. As in the [example](Self).
    ///
    /// # Errors
    /// As [`Search::hits`]; [`Error::Pattern`] with
    /// [`Syntax`](crate::error::UsageFault::Syntax) for a guide with a letter that is no IUPAC
    /// code, with the guide's number.
    pub fn sites<'t>(&self, text: impl Into<Source<'t>>) -> Result<Vec<Site>> {
        let source = text.into();
        let search = self.search()?;
        let hits = search.hits(source.clone())?;
        self.rows(&search)?.sites(source.text(), &hits)
    }

    /// Prepares the search for many texts. As in the [example](Self).
    ///
    /// # Errors
    /// As [`sites`](Self::sites), except for the errors of texts.
    pub fn prepare(&self) -> Result<PreparedGuides<'p>> {
        let search = self.search()?;
        Ok(PreparedGuides { searcher: search.prepare()?, rows: self.rows(&search)? })
    }
}
