//! The jobs that look for a pattern in a text: exact and approximate search, and the best match.
//!
//! The pattern is planted with at most the allowed number of errors, so the expected positions are
//! known. The plain algorithm checks the result on a shorter text. On a GPU, a search is timed
//! twice: on a text in host memory, and on a resident text.

use super::job::{Done, Unit, grouped};
use super::site::{Site, mismatch};
use super::strings::base;
use carrywave::Result;
use carrywave::best::{Algorithm as BestAlgorithm, Best};
use carrywave::device::Cpu;
use carrywave::distance::Comparison;
use carrywave::internal::measure::inputs::{fill, with_errors};
use carrywave::job::Recorder;
use carrywave::search::{Algorithm, Ends, ResidentText, Search};
use carrywave::text::Pattern;
use rayon::prelude::*;

/// Symbols of the pattern.
const SYMBOLS: usize = 24;

/// Number of positions where the pattern is planted.
const PLACES: usize = 100;

/// Symbols per parallel task that fills the text.
const PART: usize = 1 << 20;

/// Returns random DNA, generated on all threads.
fn text_of_dna(len: usize, seed: u64) -> Vec<u8> {
    let mut text = vec![0; len];
    text.par_chunks_mut(PART).enumerate().for_each(|(part, symbols)| {
        fill(symbols, 4, seed << 32 | part as u64);
        symbols.iter_mut().for_each(|symbol| *symbol = base(*symbol));
    });
    text
}

/// Returns the number of symbols of the searched text.
pub fn symbols(site: &Site<'_>) -> usize {
    let cpu = if site.speed > 4.0 { 1 << 29 } else { 1 << 27 };
    site.pick(cpu, 1 << 31, 1 << 17, 1 << 12)
}

pub fn exact(site: &Site<'_>) -> Result<Option<Done>> {
    search(site, 0)
}

pub fn one_error(site: &Site<'_>) -> Result<Option<Done>> {
    search(site, 1)
}

pub fn three_errors(site: &Site<'_>) -> Result<Option<Done>> {
    search(site, 3)
}

/// A text with a pattern planted in it.
pub struct Planted {
    pub text: Vec<u8>,
    pub pattern: Vec<u8>,
    /// Positions of the pattern, and their distance.
    places: Vec<usize>,
    step: usize,
}

/// Returns a text of n symbols with a pattern planted with at most `k` substitutions.
pub fn planted(n: usize, k: u32) -> Planted {
    let mut text = text_of_dna(n, 1);
    let pattern = text_of_dna(SYMBOLS, 2);
    let step = (n / PLACES).max(2 * SYMBOLS);
    let places: Vec<usize> = (step / 2..n - SYMBOLS).step_by(step).collect();
    for (number, &place) in places.iter().enumerate() {
        let planted = &mut text[place..][..SYMBOLS];
        planted.copy_from_slice(&pattern);
        // Substitutes bases by different ones: 0 to `k` substitutions per planted pattern.
        for error in 0..number % (k as usize + 1) {
            let symbol = &mut planted[3 + 7 * error];
            *symbol = if *symbol == b'A' { b'C' } else { b'A' };
        }
    }
    Planted { text, pattern, places, step }
}

fn search(site: &Site<'_>, k: u32) -> Result<Option<Done>> {
    let n = symbols(site);
    let Planted { text, pattern, places, step } = planted(n, k);
    let any = || Search::new(Pattern::literal(&pattern)).errors(k);
    // `Ends::All` counts ends alone, so no start has to be computed.
    let ends = || any().ends(Ends::All);
    let resident = if site.is_device() { Some(ResidentText::new(site.engine, &text)?) } else { None };
    let recorder = Recorder::new();
    let on_engine = ends().on(site.engine).recorder(&recorder);
    let mut times = site.time(&recorder, &mut || on_engine.count(&text))?;
    let mut faults = times.faults();
    if let Some(resident) = &resident {
        let there = ends();
        let own = site.time(&Recorder::new(), &mut || there.count(resident))?;
        faults.extend(mismatch("number of hits in the resident text", own.answer(), times.answer()));
        times.device = Some(own.seconds);
    }
    let hits = any().on(site.engine).hits(&text)?;
    for (number, &place) in places.iter().enumerate() {
        let errors = (number % (k as usize + 1)) as u32;
        let found = hits
            .iter()
            .any(|hit| hit.errors <= errors && hit.start < (place + SYMBOLS) as u64 && place as u64 <= hit.end);
        if !found {
            faults.push(format!("the pattern planted at position {place} was not found"));
        }
    }
    // The shorter text contains at least one planted pattern.
    let short = &text[..(step + SYMBOLS).min(n).min(site.pick(1 << 20, 1 << 20, 1 << 14, 1 << 12))];
    let plain = any().on(&Cpu::new()).algorithm(Algorithm::named("sellers")?).hits(short)?;
    faults.extend(mismatch("number of hits in a shorter text", any().on(site.engine).hits(short)?.len(), plain.len()));
    Ok(Some(Done {
        size: format!("{} in {}", grouped(SYMBOLS), grouped(n)),
        work: n as f64,
        device_work: n as f64,
        unit: Unit::GigabytesPerSecond,
        times,
        ceiling: Some(site.limits.reading()),
        faults,
    }))
}

/// Errors per 1,000 symbols of the pattern for the best match.
const PER_MILLE: u32 = 50;

pub fn best(site: &Site<'_>) -> Result<Option<Done>> {
    let m = site.pick(1000, 64, 100, 40);
    let n = site.pick(1 << 25, 1 << 26, 1 << 15, 1 << 10);
    let text = text_of_dna(n, 3);
    let original = &text[n / 3..][..m];
    // Substituted and inserted symbols do not occur in the text, so each of them is an error.
    let pattern = with_errors(original, PER_MILLE);
    let planted = Comparison::new().distance(&pattern, original)?;
    let recorder = Recorder::new();
    let job = Best::new(Pattern::literal(&pattern)).on(site.engine).recorder(&recorder);
    let mut found = None;
    let times = site.time(&recorder, &mut || {
        let best = job.find(&text)?;
        found = Some(best);
        Ok(best.distance.into())
    })?;
    let mut faults = times.faults();
    if times.answer() > planted {
        faults.push(format!("the best match has {} errors, but the planted one has {planted}", times.answer()));
    }
    let part = found.and_then(|best| text.get(best.start as usize..best.end as usize));
    let again = Comparison::new().distance(&pattern, part.unwrap_or_default())?;
    faults.extend(mismatch("distance of the reported part", again, times.answer()));
    // The shorter text does not contain the original.
    let short = &text[..site.pick(1 << 14, 1 << 14, 1 << 12, 1 << 8)];
    let plain = Best::new(Pattern::literal(&pattern)).on(&Cpu::new()).algorithm(BestAlgorithm::named("sellers")?);
    faults.extend(mismatch("least distance in a shorter text", job.find(short)?.distance, plain.find(short)?.distance));
    Ok(Some(Done {
        size: format!("{} in {}", grouped(pattern.len()), grouped(n)),
        work: n as f64,
        device_work: 0.0,
        unit: Unit::GigabytesPerSecond,
        times,
        // Kernels compute all cells, and their instructions per cell have not been counted.
        ceiling: (!site.is_device()).then(|| site.limits.reading()),
        faults,
    }))
}
