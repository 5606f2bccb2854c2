//! Sites of CRISPR guides.

use crate::engines;
use crate::errors::raised;
use crate::search::{Given, ResidentText, not_ascii, patterns_of};
use crate::searched::Searched;
use crate::signals::check_signals;
use crate::strings::Held;
use crate::work::{Size, run, run_apart};
use carrywave::guides::{Guides, Pam, Site, Variants};
use carrywave::io::sequence::{PartOptions, PartReader};
use carrywave::search::Source;
use carrywave::text::parts::{Part, PartRecord, Parts};
use carrywave::text::{Strand, Text};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// Record, start, end, strand (1 or -1), guide, mismatches, bases in DNA bulges and in RNA bulges.
type Numbers = (usize, u64, u64, i8, usize, u32, u32, u32);

/// The rows of the guide and of the site, and the CFD and MIT scores.
type Rows = (String, String, Option<f64>, Option<f64>);

/// A site, with the alternative alleles that it covers.
type Fields = (Numbers, Rows, Vec<String>);

/// A text in memory, in one part.
struct Once(Option<Part>);

impl Parts for Once {
    fn next_part(&mut self) -> carrywave::Result<Option<Part>> {
        Ok(self.0.take())
    }
}

impl Once {
    /// Makes a part of records with names.
    fn new(texts: &Searched<'_>, names: &[String]) -> PyResult<Self> {
        let (symbols, records) = texts.joined();
        let whole = 0..symbols.len();
        let records = records.unwrap_or_else(|| vec![whole]);
        if records.len() != names.len() {
            return Err(PyValueError::new_err(format!(
                "variants are found by the names of the texts: give `names`, one for each of the {} texts, not {}",
                records.len(),
                names.len()
            )));
        }
        let record = |(number, (range, name)): (usize, (_, &String))| PartRecord {
            number: number as u64,
            name: Some(name.as_str().into()),
            range,
            before: 0,
            place: 0,
            is_whole: true,
            fastq: None,
        };
        let records = records.into_iter().zip(names).enumerate().map(record).collect();
        Ok(Self(Some(Part { symbols: symbols.into_owned(), records })))
    }
}

/// Number of names in a note.
const NAMED: usize = 5;

/// Says which variants were not searched, if any.
fn notes(variants: &Variants, limited: u64) -> Vec<String> {
    let mut notes = Vec::new();
    let unused: Vec<&str> = variants.unused().collect();
    if !unused.is_empty() {
        let names = unused[..unused.len().min(NAMED)].join(", ");
        let more = if unused.len() > NAMED { ", ..." } else { "" };
        notes.push(format!("no text has these names of the variants' records: {names}{more}"));
    }
    if limited > 0 {
        notes.push(format!(
            "{limited} variants can be combined with later ones in more than 1024 ways; those with the fewest \
             variants are searched"
        ));
    }
    notes
}

fn fields(site: Site) -> Fields {
    let strand = if site.strand == Strand::Forward { 1 } else { -1 };
    let [cfd, mit] = [site.cfd(), site.mit()];
    let Site { record, start, end, guide, mismatches, dna_bulges, rna_bulges, .. } = site;
    let numbers = (record, start, end, strand, guide, mismatches, dna_bulges, rna_bulges);
    (numbers, (site.guide_row, site.dna_row, cfd, mit), site.variants)
}

/// Returns the sites of guides in a text, or in texts that are records, and notes for warnings.
#[pyfunction]
#[pyo3(signature = (guides, text, pam, *, pam_side, mismatches, dna_bulges, rna_bulges, edits, alignments, variants, names, text_codes, engine, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn guides(
    guides: &Bound<'_, PyAny>,
    text: &Bound<'_, PyAny>,
    pam: &str,
    pam_side: Option<&str>,
    mismatches: u32,
    dna_bulges: u32,
    rna_bulges: u32,
    edits: Option<u32>,
    alignments: &str,
    variants: Option<PathBuf>,
    names: Vec<String>,
    text_codes: &str,
    engine: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<Fields>, Vec<String>)> {
    let py = text.py();
    let mut all = Vec::new();
    for guide in patterns_of(guides)? {
        all.push(Given::from_object(&guide)?.bytes().to_vec());
        check_signals(py, all.len())?;
    }
    let pam = Pam::named(pam).map_err(raised)?;
    let pam = match pam_side {
        Some(side) => pam.on_side(side.parse().map_err(raised)?),
        None => pam,
    };
    let engine = engines::engine(engine)?;
    let count = all.len() as u64;
    let job = Guides::new(all, pam)
        .mismatches(mismatches)
        .dna_bulges(dna_bulges)
        .rna_bulges(rna_bulges)
        .alignments(alignments.parse().map_err(raised)?)
        .text_codes(text_codes.parse().map_err(raised)?);
    let job = match edits {
        Some(most) => job.edits(most),
        None => job,
    };
    let variants = variants.map(|path| {
        run_apart(py, move || Variants::read(&path, PartReader::open(&path, PartOptions::default().lines(true))?))
    });
    let variants = variants.transpose()?.map(Arc::new);
    let mut limited = 0;
    let work = |symbols: u64| Size::from(symbols.saturating_mul(2 * count)).and_items(count as usize);
    let sites = if let Ok(resident) = text.cast::<ResidentText>() {
        if variants.is_some() {
            return Err(PyValueError::new_err("variants are searched in a text in the host's memory"));
        }
        let text = resident.get().text();
        let size = work(text.text().len()).and(u64::MAX);
        run(py, size, progress, |progress| job.clone().on_progress(progress).sites(Source::from(text)))?
    } else {
        let held;
        let one = Given::one(text)?;
        let texts = match &one {
            Some(Given::Text(text)) if !text.is_ascii() => return Err(not_ascii()),
            Some(given) => Searched::One(given.bytes()),
            None => {
                held = Held::from_object(text)?;
                Searched::Ascii(held.bytes(py)?.ok_or_else(not_ascii)?.0)
            }
        };
        let job = match &engine {
            Some(engine) => job.on(&**engine),
            None => job,
        };
        if let Some(variants) = &variants {
            let parts = Once::new(&texts, &names)?;
            let symbols = parts.0.as_ref().map_or(0, |part| part.symbols.len());
            let (sites, skipped) = run(py, work(symbols as u64).on(engine.as_ref()), progress, |progress| {
                let guides = job.clone().on_progress(progress).prepare()?;
                let mut sites = guides.stream_with_variants(parts, variants.clone());
                Ok((sites.by_ref().collect::<carrywave::Result<Vec<_>>>()?, sites.limited()))
            })?;
            limited = skipped;
            sites
        } else {
            let (symbols, records) = texts.joined();
            let text = || match &records {
                Some(records) => Text::with_records(&symbols, records),
                None => Ok(Text::from(&*symbols)),
            };
            let size = work(symbols.len() as u64).on(engine.as_ref());
            run(py, size, progress, |progress| job.clone().on_progress(progress).sites(Source::from(text()?)))?
        }
    };
    let notes = variants.map_or_else(Vec::new, |variants| notes(&variants, limited));
    Ok((sites.into_iter().map(fields).collect(), notes))
}
