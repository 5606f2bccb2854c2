//! The sites of guides, as TSV, BED, JSON and counts.

use super::arguments::{Arguments, Format};
use crate::shared::json::write_json;
use crate::shared::table::{Field, first_word};
use carrywave::guides::Site;
use carrywave::io::output::Visible;
use serde::Serialize;
use std::io::{self, Write};

/// Heading of TSV: Cas-OFFinder's columns.
const HEADING: &str = "#Bulge type\tcrRNA\tDNA\tChromosome\tPosition\tDirection\tMismatches\tBulge Size";

/// Heading of the variants.
const VARIANTS: &str = "\tVariants";

/// Heading of the scores.
const SCORES: &str = "\tCFD\tMIT";

/// Writes sites in a format.
pub struct SiteWriter<'o> {
    pub format: Format,
    /// True if scores are added.
    scores: bool,
    /// True if variants are named.
    variants: bool,
    /// The names of the guides.
    pub names: &'o [String],
    pub out: &'o mut (dyn Write + Send),
    /// True if what comes before the first site is written.
    has_heading: bool,
}

impl<'o> SiteWriter<'o> {
    pub fn new(arguments: &Arguments, names: &'o [String], out: &'o mut (dyn Write + Send)) -> Self {
        let Arguments { format, scores, .. } = *arguments;
        Self { format, scores, variants: arguments.variants.is_some(), names, out, has_heading: false }
    }

    /// Writes what comes before the first site, once.
    pub fn heading(&mut self) -> io::Result<()> {
        let is_due = self.format == Format::Tsv && !self.has_heading;
        self.has_heading = true;
        let scores = if self.scores { SCORES } else { "" };
        let variants = if self.variants { VARIANTS } else { "" };
        if is_due { writeln!(self.out, "{HEADING}{scores}{variants}") } else { Ok(()) }
    }

    /// Writes a site in a file.
    pub fn site(&mut self, file: &str, site: &Site) -> io::Result<()> {
        let name = &self.names[site.guide];
        let record = site.name.as_deref();
        let target = Field(record.map_or(file, first_word));
        let Site { start, end, mismatches, dna_bulges, rna_bulges, .. } = site;
        let sign = site.strand.sign();
        match self.format {
            Format::Tsv => {
                let Site { guide_row, dna_row, .. } = site;
                let bulge = bulge_type(site);
                let size = dna_bulges + rna_bulges;
                write!(self.out, "{bulge}\t{guide_row}\t{dna_row}\t{target}\t{start}\t{sign}\t{mismatches}\t{size}")?;
                if self.scores {
                    write!(self.out, "\t{}\t{}", score(site.cfd(), 6), score(site.mit(), 4))?;
                }
                self.end_row(site)
            }
            Format::Bed => {
                let edits = site.edits();
                write!(self.out, "{target}\t{start}\t{end}\t{}\t{edits}\t{sign}", Field(name))?;
                self.end_row(site)
            }
            Format::Json => {
                let json = Json {
                    file,
                    record,
                    start: *start,
                    end: *end,
                    strand: sign,
                    guide: name,
                    mismatches: *mismatches,
                    dna_bulges: *dna_bulges,
                    rna_bulges: *rna_bulges,
                    guide_row: &site.guide_row,
                    dna_row: &site.dna_row,
                    cfd: self.scores.then(|| site.cfd()).flatten(),
                    mit: self.scores.then(|| site.mit()).flatten(),
                    variants: self.variants.then_some(&site.variants),
                };
                write_json(self.out, &json)
            }
        }
    }

    /// Ends the row of a site, with its variants if they are requested.
    fn end_row(&mut self, site: &Site) -> io::Result<()> {
        if self.variants { writeln!(self.out, "\t{}", Field(&site.variants.join(","))) } else { writeln!(self.out) }
    }
}

/// Fields of a JSON line, in order.
#[derive(Serialize)]
struct Json<'s> {
    file: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<&'s str>,
    start: u64,
    end: u64,
    strand: char,
    guide: &'s str,
    mismatches: u32,
    dna_bulges: u32,
    rna_bulges: u32,
    guide_row: &'s str,
    dna_row: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cfd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mit: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variants: Option<&'s Vec<String>>,
}

/// Returns a score with this number of decimals; empty for none.
fn score(score: Option<f64>, decimals: usize) -> String {
    score.map_or_else(String::new, |score| format!("{score:.decimals$}"))
}

/// Returns Cas-OFFinder's type of the bulges.
fn bulge_type(site: &Site) -> &'static str {
    match (site.dna_bulges, site.rna_bulges) {
        (0, 0) => "X",
        (_, 0) => "DNA",
        (0, _) => "RNA",
        (_, _) => "DNA+RNA",
    }
}

/// The number of sites of each guide, by the number of edits.
pub struct Counts {
    /// Number of columns: one more than the limit on edits.
    columns: usize,
    by_guide: Vec<Vec<u64>>,
    /// The sums of the scores of each guide's sites with mismatches, if they are requested.
    scores: Option<Vec<Sums>>,
}

/// Sums of CFD and of MIT scores.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    cfd: f64,
    mit: f64,
}

impl Counts {
    /// Counts the sites of `guides` guides with up to `edits` edits, and adds their scores.
    pub fn new(guides: usize, edits: u32, scores: bool) -> Self {
        let columns = edits as usize + 1;
        let scores = scores.then(|| vec![Sums::default(); guides]);
        Self { columns, by_guide: vec![vec![0; columns]; guides], scores }
    }

    pub fn add(&mut self, site: &Site) {
        if let Some(count) = self.by_guide[site.guide].get_mut(site.edits() as usize) {
            *count += 1;
        }
        if let Some(scores) = self.scores.as_mut().filter(|_| site.edits() > 0) {
            let sums = &mut scores[site.guide];
            sums.cfd += site.cfd().unwrap_or(0.0);
            sums.mit += site.mit().unwrap_or(0.0);
        }
    }

    /// Writes a row for each guide: its name, the number of sites with 0, 1, … edits, and of all;
    /// with scores the guide's specificity, by CFD 0 to 1, by MIT 0 to 100.
    pub fn write(&self, names: &[String], out: &mut (dyn Write + Send)) -> io::Result<()> {
        write!(out, "#Guide")?;
        (0..self.columns).try_for_each(|edits| write!(out, "\t{edits}"))?;
        writeln!(out, "\tTotal{}", if self.scores.is_some() { SCORES } else { "" })?;
        for (guide, (name, counts)) in names.iter().zip(&self.by_guide).enumerate() {
            write!(out, "{}", Visible(name))?;
            counts.iter().try_for_each(|count| write!(out, "\t{count}"))?;
            write!(out, "\t{}", counts.iter().sum::<u64>())?;
            if let Some(Sums { cfd, mit }) = self.scores.as_ref().map(|scores| scores[guide]) {
                write!(out, "\t{:.6}\t{:.4}", 1.0 / (1.0 + cfd), 100.0 / (1.0 + mit / 100.0))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
