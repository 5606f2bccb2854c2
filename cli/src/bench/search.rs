//! The jobs that look for a pattern in a text: exact and approximate search, and the best match.
//!
//! The pattern is planted, with as many errors as are allowed, so that it is known where it has to be found; and a shorter text is searched by
//! the plain algorithm too. On a GPU a search is timed twice: from a text in memory, and on one that is there already.

use super::job::{Done, Unit, grouped};
use super::site::{Ran, Site, differing};
use carrywave::Result;
use carrywave::best::{Algorithm as BestAlgorithm, Best};
use carrywave::device::Cpu;
use carrywave::distance::Comparison;
use carrywave::internal::measure::inputs::{fill, with_errors};
use carrywave::search::{Algorithm, Ends, ResidentText, Search};
use carrywave::text::Pattern;
use rayon::prelude::*;

/// Symbols of the pattern that is searched for.
const SYMBOLS: usize = 24;

/// Places where it is planted.
const PLACES: usize = 100;

/// Symbols that are filled together.
const PART: usize = 1 << 20;

/// Random DNA, made on all threads.
fn text_of_dna(len: usize, seed: u64) -> Vec<u8> {
    let mut text = vec![0; len];
    text.par_chunks_mut(PART).enumerate().for_each(|(part, symbols)| {
        fill(symbols, 4, seed << 32 | part as u64);
        symbols.iter_mut().for_each(|symbol| *symbol = b"ACGT"[usize::from(*symbol & 3)]);
    });
    text
}

/// Symbols of the text that is searched.
fn symbols(site: &Site<'_>) -> usize {
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

fn search(site: &Site<'_>, k: u32) -> Result<Option<Done>> {
    let n = symbols(site);
    let mut text = text_of_dna(n, 1);
    let pattern = text_of_dna(SYMBOLS, 2);
    let step = (n / PLACES).max(2 * SYMBOLS);
    let places: Vec<usize> = (step / 2..n - SYMBOLS).step_by(step).collect();
    for (number, &place) in places.iter().enumerate() {
        let planted = &mut text[place..][..SYMBOLS];
        planted.copy_from_slice(&pattern);
        // Substitutions, by a base that is another one; none to as many as are allowed.
        for error in 0..number % (k as usize + 1) {
            let symbol = &mut planted[3 + 7 * error];
            *symbol = if *symbol == b'A' { b'C' } else { b'A' };
        }
    }
    let any = || Search::new(Pattern::literal(&pattern)).errors(k);
    // Of all ends no start has to be found.
    let ends = || any().ends(Ends::All);
    let resident = if site.is_device() { Some(ResidentText::new(site.engine, &text)?) } else { None };
    let on_engine = ends().on(site.engine);
    let mut times = site.time(&mut || Ok(Ran { answer: on_engine.count(&text)?, device: None }))?;
    let mut faults = times.faults();
    if let Some(resident) = &resident {
        let there = ends();
        let own = site.time(&mut || Ok(Ran { answer: there.count(resident)?, device: None }))?;
        faults.extend(differing("hits in the text that is on the GPU", own.answer(), times.answer()));
        times.device = Some(own.seconds);
    }
    let hits = any().on(site.engine).hits(&text)?;
    for (number, &place) in places.iter().enumerate() {
        let errors = (number % (k as usize + 1)) as u32;
        let found = hits
            .iter()
            .any(|hit| hit.errors <= errors && hit.start < (place + SYMBOLS) as u64 && place as u64 <= hit.end);
        if !found {
            faults.push(format!("the pattern at {place} is not found"));
        }
    }
    // One that was planted is in it.
    let short = &text[..(step + SYMBOLS).min(n).min(site.pick(1 << 20, 1 << 20, 1 << 14, 1 << 12))];
    let plain = any().on(&Cpu::new()).algorithm(Algorithm::named("sellers")?).hits(short)?;
    faults.extend(differing("hits in a shorter text", any().on(site.engine).hits(short)?.len(), plain.len()));
    Ok(Some(Done {
        size: format!("{} in {}", grouped(SYMBOLS), grouped(n)),
        algorithm: None,
        work: n as f64,
        device_work: n as f64,
        unit: Unit::GigabytesPerSecond,
        times,
        ceiling: Some(site.limits.reading()),
        faults,
    }))
}

/// Errors in 1,000 symbols of the pattern whose best match is asked for.
const PER_MILLE: u32 = 50;

pub fn best(site: &Site<'_>) -> Result<Option<Done>> {
    let m = site.pick(1000, 64, 100, 40);
    let n = site.pick(1 << 25, 1 << 26, 1 << 15, 1 << 10);
    let text = text_of_dna(n, 3);
    let original = &text[n / 3..][..m];
    // Its errors are of other letters than the text's, so that none of them changes nothing.
    let pattern = with_errors(original, PER_MILLE);
    let planted = Comparison::new().distance(&pattern, original)?;
    let job = Best::new(Pattern::literal(&pattern)).on(site.engine);
    let mut found = None;
    let times = site.time(&mut || {
        let best = job.find(&text)?;
        found = Some(best);
        Ok(Ran { answer: best.distance.into(), device: None })
    })?;
    let mut faults = times.faults();
    if times.answer() > planted {
        faults.push(format!("the best match has {} errors, and the planted one {planted}", times.answer()));
    }
    let part = found.and_then(|best| text.get(best.start as usize..best.end as usize));
    let again = Comparison::new().distance(&pattern, part.unwrap_or_default())?;
    faults.extend(differing("the distance of the part that was found", again, times.answer()));
    // A text without the original.
    let short = &text[..site.pick(1 << 14, 1 << 14, 1 << 12, 1 << 8)];
    let plain = Best::new(Pattern::literal(&pattern)).on(&Cpu::new()).algorithm(BestAlgorithm::named("sellers")?);
    faults.extend(differing("the distance in a shorter text", job.find(short)?.distance, plain.find(short)?.distance));
    Ok(Some(Done {
        size: format!("{} in {}", grouped(pattern.len()), grouped(n)),
        algorithm: None,
        work: n as f64,
        device_work: 0.0,
        unit: Unit::GigabytesPerSecond,
        times,
        // Kernels compute all cells, by instructions that nobody has counted.
        ceiling: (!site.is_device()).then(|| site.limits.reading()),
        faults,
    }))
}
