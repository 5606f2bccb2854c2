//! Sites of CRISPR guides.

use crate::engines;
use crate::errors::raised;
use crate::search::{Given, ResidentText, not_ascii, patterns_of};
use crate::searched::Searched;
use crate::signals::check_signals;
use crate::strings::Held;
use crate::work::{Size, run};
use carrywave::guides::{Guides, Pam, Site};
use carrywave::search::Source;
use carrywave::text::{Strand, Text};
use pyo3::prelude::*;

/// Record, start, end, strand (1 or -1), guide, mismatches, bases in DNA bulges and in RNA bulges.
type Numbers = (usize, u64, u64, i8, usize, u32, u32, u32);

/// The rows of the guide and of the site, and the CFD and MIT scores.
type Rows = (String, String, Option<f64>, Option<f64>);

fn fields(site: Site) -> (Numbers, Rows) {
    let strand = if site.strand == Strand::Forward { 1 } else { -1 };
    let [cfd, mit] = [site.cfd(), site.mit()];
    let Site { record, start, end, guide, mismatches, dna_bulges, rna_bulges, .. } = site;
    let numbers = (record, start, end, strand, guide, mismatches, dna_bulges, rna_bulges);
    (numbers, (site.guide_row, site.dna_row, cfd, mit))
}

/// Returns the sites of guides in a text, or in texts that are records.
#[pyfunction]
#[pyo3(signature = (guides, text, pam, *, pam_side, mismatches, dna_bulges, rna_bulges, edits, text_codes, engine, progress))]
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
    text_codes: &str,
    engine: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<(Numbers, Rows)>> {
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
        .text_codes(text_codes.parse().map_err(raised)?);
    let job = match edits {
        Some(most) => job.edits(most),
        None => job,
    };
    let work = |symbols: u64| Size::from(symbols.saturating_mul(2 * count)).and_items(count as usize);
    let sites = if let Ok(resident) = text.cast::<ResidentText>() {
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
        let (symbols, records) = texts.joined();
        let text = || match &records {
            Some(records) => Text::with_records(&symbols, records),
            None => Ok(Text::from(&*symbols)),
        };
        let size = work(symbols.len() as u64).on(engine.as_ref());
        run(py, size, progress, |progress| {
            let job = job.clone().on_progress(progress);
            let job = match &engine {
                Some(engine) => job.on(&**engine),
                None => job,
            };
            job.sites(Source::from(text()?))
        })?
    };
    Ok(sites.into_iter().map(fields).collect())
}
