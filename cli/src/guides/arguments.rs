//! The options of `carrywave guides`.

use crate::shared::engine::EngineArguments;
use crate::shared::help::{EXIT_STATUS, INPUT, MATCHING, OUTPUT, TEMPLATE, few, one_of, section};
use carrywave::Result;
use carrywave::guides::{Alignments, NUCLEASES, Pam, PamSide};
use carrywave::text::TextCodes;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  carrywave guides guides.txt genome.fa.gz > sites.tsv         up to 4 mismatches, PAM NGG
  carrywave guides -m 3 --dna-bulges 1 --rna-bulges 1 guides.fa genome.fa
  carrywave guides --pam Cas12a -e GTGATAAGTGGAATGCCATG genome.fa
  carrywave guides --pam NRG --count guides.txt genome.fa      number of sites of each guide
  carrywave guides --variants known.vcf.gz guides.txt genome.fa
  carrywave guides --format bed guides.txt chr1.fa chr2.fa";

const SHORT: &str = "All options, and the nucleases: carrywave guides --help";

const LONG: &str = "\
Guides:
  GUIDES has one guide a line, or FASTA records, 5' to 3', in IUPAC codes and without the PAM.
  `-` is standard input.

Genome:
  FILE:RECORD searches one record, and FILE:RECORD:1001-2000 a part of it, 1-based with both ends;
  printed positions are those of the whole record. An index beside the file is used (FILE.fai).

Sites:
  A site is a match of the PAM on either strand, with the best alignment of the guide beside it:
  with the fewest edits, then the fewest bulges, then the longest. Each is reported once.
  A DNA bulge is a base that the site alone has, an RNA bulge one that the guide alone has.
  --alignments all reports every placement of bulges, as Cas-OFFinder does, up to 1000 for a site.
  Case is ignored. An N of the genome matches an N of the PAM only, except with --text-codes.

Variants:
  --variants adds substitutions, insertions and deletions to the records with their names. A site
  is reported with the variants that it needs: those that give it fewer edits than it has without.
  Variants that one site may cover are combined: as the haplotypes of the samples, if all genotypes
  there are phased (0|1), else in all ways, up to 1024 for each variant and those after it.
  The last column (in JSON a list) has CHROM:POS:REF>ALT of the variants, joined by commas; it is
  empty for a site of the genome itself. Sites with variants follow at the end of each file.

Output:
  tsv has Cas-OFFinder's columns: type of the bulge (X for none, DNA, RNA, or DNA+RNA), guide and
  PAM, site with mismatches in lower case, record, start, strand, mismatches, bases in bulges.
  --scores adds CFD (0 to 1) and MIT (0 to 100), for guides of 20 bases with a PAM of 3 after them;
  a site with bulges has none. With -c it adds 1 / (1 + sum of CFD), and 100 / (1 + sum of MIT / 100),
  over the sites with mismatches and no bulge.
  bed has record, start, end, name of the guide, edits, strand. Positions are 0-based, on the
  forward strand, and the PAM is part of the site.";

/// Finds the sites of CRISPR guides in a genome, with mismatches and bulges.
#[derive(Debug, Args)]
#[command(override_usage = "\
carrywave guides [OPTIONS] GUIDES GENOME...
       carrywave guides [OPTIONS] -e GUIDE... GENOME...")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = SHORT)]
#[command(after_long_help = format!("{LONG}\n\n{}\n\n{EXIT_STATUS}", nucleases()))]
pub struct Arguments {
    /// File of guides (not with -e), and files of the genome: FASTA, plain or compressed, or 2bit.
    #[arg(value_name = "GUIDES GENOME", num_args = 0..)]
    pub words: Vec<OsString>,

    /// Guide; may be repeated.
    #[arg(short = 'e', long = "guide", value_name = "GUIDE", help_heading = INPUT)]
    pub guides: Vec<String>,

    /// Also find the sites that the variants of a VCF file make.
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub variants: Option<PathBuf>,

    /// PAM: a nuclease, such as Cas12a, or IUPAC codes, such as NGG.
    #[arg(long, default_value = "NGG", value_parser = one_of::<PamName>(NUCLEASES.map(|own| own.name)))]
    #[arg(hide_possible_values = true, help_heading = MATCHING)]
    pam: PamName,

    /// Side of the PAM, as the guide is read: before or after [default: the nuclease's, or after].
    #[arg(long, value_name = "SIDE", value_parser = one_of::<PamSide>(PamSide::NAMES.map(|(name, _)| name)))]
    #[arg(hide_possible_values = true, help_heading = MATCHING)]
    pam_side: Option<PamSide>,

    /// Mismatches allowed in the guide.
    #[arg(short, long, value_name = "N", default_value_t = 4, help_heading = MATCHING)]
    pub mismatches: u32,

    /// Bases allowed in DNA bulges, which the site alone has.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = MATCHING)]
    pub dna_bulges: u32,

    /// Bases allowed in RNA bulges, which the guide alone has.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = MATCHING)]
    pub rna_bulges: u32,

    /// Mismatches and bases in bulges allowed together [default: the largest of the three limits].
    #[arg(long, value_name = "N", help_heading = MATCHING)]
    pub edits: Option<u32>,

    /// A code of the genome, such as N, matches a base of the guide: self, if that covers all of
    /// the code (N matches N); overlap, if they share a base; or never.
    #[arg(long, value_name = "RULE", default_value = "self", hide_possible_values = true, help_heading = MATCHING)]
    #[arg(value_parser = one_of::<TextCodes>(["self", "overlap", "never"]), hide_short_help = true)]
    pub text_codes: TextCodes,

    /// Report the best alignment of a site, or all placements of its bulges.
    #[arg(long, value_name = "CHOICE", default_value = "best", hide_possible_values = true, help_heading = OUTPUT)]
    #[arg(value_parser = one_of::<Alignments>(Alignments::NAMES.map(|(name, _)| name)), conflicts_with = "count")]
    pub alignments: Alignments,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t = Format::Tsv, help_heading = OUTPUT)]
    pub format: Format,

    /// Print only the number of sites of each guide, by the number of edits.
    #[arg(short, long, conflicts_with = "format", help_heading = OUTPUT)]
    pub count: bool,

    /// Add the CFD and MIT scores of each site, and with -c each guide's specificity by both.
    #[arg(long, help_heading = OUTPUT)]
    pub scores: bool,

    /// Write to FILE, which appears when it is complete [default: standard output].
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub engine: EngineArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Cas-OFFinder's columns, with a heading.
    Tsv,
    /// Record, start, end, guide, edits, strand; positions 0-based, half-open.
    Bed,
    /// One JSON object for each site.
    Json,
}

/// A value of `--pam`.
#[derive(Debug, Clone)]
struct PamName(Pam);

impl std::str::FromStr for PamName {
    type Err = carrywave::Error;

    fn from_str(name: &str) -> Result<Self> {
        Pam::named(name).map(Self)
    }
}

impl Arguments {
    /// Returns the PAM.
    pub fn pam(&self) -> Pam {
        let pam = self.pam.0.clone();
        match self.pam_side {
            Some(side) => pam.on_side(side),
            None => pam,
        }
    }
}

/// Returns the section with the nucleases and their PAM.
fn nucleases() -> String {
    let row =
        |own: &carrywave::guides::Nuclease| (format!("{:<12}", own.name), format!("{} {} the site", own.pam, own.side));
    section("Nucleases", NUCLEASES.iter().map(row))
}
