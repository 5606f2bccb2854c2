//! CRISPR guides: the sites of a genome where a nuclease with a guide may cut, with mismatches and
//! bulges.
//!
//! A *guide* has about 20 bases. Beside a site there is a *PAM* (protospacer adjacent motif), a few
//! bases that the nuclease requires: NGG after the site for SpCas9, TTTV before it for Cas12a. The
//! PAM must match. In the guide there may be *mismatches*; a *DNA bulge* is a base that the site
//! alone has, an *RNA bulge* is a base that the guide alone has.
//!
//! ```
//! use carrywave::guides::{Guides, Pam};
//!
//! let guides = Guides::new(["GACGCATAAAGATGAGACGC"], Pam::named("SpCas9")?);
//! let sites = guides.mismatches(2).dna_bulges(1).sites(b"ttGACGCATATAAGATGAGtCGCTGGtt")?;
//! assert_eq!((sites[0].start, sites[0].end, sites[0].edits()), (2, 26, 2));
//! assert_eq!(sites[0].guide_row, "GACGCATA-AAGATGAGACGCNGG");
//! assert_eq!(sites[0].dna_row, "GACGCATATAAGATGAGtCGCTGG");
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! Each site is reported once: for each match of the PAM on each strand, the best alignment of the
//! guide beside it. The best has the fewest edits, then the fewest bulges, then the longest site.
//! [`Alignments::All`] reports every placement of bulges instead.
//!
//! | file | what |
//! |---|---|
//! | `pam` | [`Pam`]: the motif, and the side of the guide where it is |
//! | `find` | [`Guides`]: the job |
//! | `prepared` | [`PreparedGuides`]: guides that are ready for many texts |
//! | `site` | [`Site`]: a site with its alignment |
//! | `alignments` | [`Alignments`]: the best alignment of a site, or all |
//! | `placements` | all alignments of a site |
//! | `score` | the scores of a site: CFD and MIT |
//! | `stream` | [`Sites`]: the sites in a text that comes in parts |
//! | `watched` | what is kept of a text in parts while it passes |
//! | `variants` | [`Variants`]: the variants of a VCF file, and the sites that they make |
mod alignments;
mod find;
mod pam;
mod placements;
mod prepared;
mod score;
mod site;
mod stream;
mod variants;
mod watched;

pub use alignments::Alignments;
pub use find::Guides;
pub use pam::{NUCLEASES, Nuclease, Pam, PamSide};
pub use prepared::PreparedGuides;
pub use site::Site;
pub use stream::Sites;
pub use variants::Variants;
