//! The sites of guides, as TSV, BED, JSON and counts.

use super::arguments::Format;
use crate::shared::json::write_json;
use crate::shared::table::{Field, first_word};
use carrywave::guides::Site;
use carrywave::io::output::Visible;
use serde::Serialize;
use std::io::{self, Write};

/// Heading of TSV: Cas-OFFinder's columns.
const HEADING: &str = "#Bulge type\tcrRNA\tDNA\tChromosome\tPosition\tDirection\tMismatches\tBulge Size";

/// Writes sites in a format.
pub struct SiteWriter<'o> {
    pub format: Format,
    /// The names of the guides.
    pub names: &'o [String],
    pub out: &'o mut (dyn Write + Send),
    /// True if what comes before the first site is written.
    has_heading: bool,
}

impl<'o> SiteWriter<'o> {
    pub fn new(format: Format, names: &'o [String], out: &'o mut (dyn Write + Send)) -> Self {
        Self { format, names, out, has_heading: false }
    }

    /// Writes what comes before the first site, once.
    pub fn heading(&mut self) -> io::Result<()> {
        let is_due = self.format == Format::Tsv && !self.has_heading;
        self.has_heading = true;
        if is_due { writeln!(self.out, "{HEADING}") } else { Ok(()) }
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
                writeln!(self.out, "{bulge}\t{guide_row}\t{dna_row}\t{target}\t{start}\t{sign}\t{mismatches}\t{size}")
            }
            Format::Bed => {
                let edits = site.edits();
                writeln!(self.out, "{target}\t{start}\t{end}\t{}\t{edits}\t{sign}", Field(name))
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
                };
                write_json(self.out, &json)
            }
        }
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
}

impl Counts {
    /// Counts the sites of `guides` guides with up to `edits` edits.
    pub fn new(guides: usize, edits: u32) -> Self {
        let columns = edits as usize + 1;
        Self { columns, by_guide: vec![vec![0; columns]; guides] }
    }

    pub fn add(&mut self, site: &Site) {
        if let Some(count) = self.by_guide[site.guide].get_mut(site.edits() as usize) {
            *count += 1;
        }
    }

    /// Writes a row for each guide: its name, the number of sites with 0, 1, … edits, and of all.
    pub fn write(&self, names: &[String], out: &mut (dyn Write + Send)) -> io::Result<()> {
        write!(out, "#Guide")?;
        (0..self.columns).try_for_each(|edits| write!(out, "\t{edits}"))?;
        writeln!(out, "\tTotal")?;
        for (name, counts) in names.iter().zip(&self.by_guide) {
            write!(out, "{}", Visible(name))?;
            counts.iter().try_for_each(|count| write!(out, "\t{count}"))?;
            writeln!(out, "\t{}", counts.iter().sum::<u64>())?;
        }
        Ok(())
    }
}
