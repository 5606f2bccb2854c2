//! The nearest part by words of 32 rows, one run of the text per lane: the kernel of the search
//! [`myers`](crate::search::gpu::myers), with a number of errors that falls to the least of all
//! lanes.

use super::algorithm::{DeviceAlgorithm, Job, Size};
use super::batches::Batches;
use crate::algorithm::{About, Limits};
use crate::best::end::BestEnd;
use crate::device::{Device, Timings};
use crate::error::Result;
use crate::infix::End;
use crate::search::gpu::{DeviceText, Resident, myers};
use std::time::Instant;

/// Its name, source, cost and limits.
pub const ABOUT: About = About::new(
    "myers",
    "bit-vectors in words of 32 rows, one run of the text per lane; k falls with every better part",
    "Myers 1999, Hyyrö 2003",
    "⌈m / 32⌉ word steps for each of the n symbols and, for each lane, 2m more",
)
.limited(Limits { symbols: myers::ABOUT.limits.symbols, ..Limits::NONE });

/// Upper bound on the symbols of a batch: positions fit 32 bits.
const MOST: u64 = 1 << 30;

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm { about: &ABOUT, seconds, best_end }
}

fn seconds(Size { m, n, records, multiprocessors, .. }: Size) -> Option<f64> {
    // Records are m symbols apart.
    let n = n.saturating_add(m.saturating_mul(records.saturating_sub(1)));
    (m <= ABOUT.limits.symbols.unwrap_or(u64::MAX)).then(|| {
        let batches = n.div_ceil(MOST).max(1);
        batches as f64 * myers::seconds(m, n / batches, multiprocessors)
    })
}

fn best_end<D: Device>(job: &Job<'_, D>) -> Result<BestEnd> {
    if let Some(best) = job.resident.map(|text| on_device(job, text)).transpose()?.flatten() {
        return Ok(best);
    }
    let mut best = job.empty_part();
    // The text, and the differences between strips: up to 3/8 of a byte for each symbol.
    let room = (job.device.free_memory()? / 3 * 2).min(MOST);
    let mut batches = Batches::new(job.symbols, job.records, job.pattern, room as usize);
    while let Some(batch) = batches.take()? {
        // The progress callback may unwind here to end the job.
        (job.progress)(0);
        if let Some(k) = best.distance.checked_sub(1) {
            let begun = Instant::now();
            let text = DeviceText::new(job.device.clone(), &batch.symbols)?;
            let copied = Instant::now();
            if let Some(End { end, errors }) = text.least(job.pattern, k)? {
                best = batch.place(end, errors);
            }
            job.add(Timings { upload: copied - begun, kernels: copied.elapsed(), ..Timings::default() });
        }
        (job.progress)(batch.own);
    }
    Ok(best)
}

/// Finds the best end in a text that is on the device; `None` if it may be that of a part that
/// crosses a border of a record.
fn on_device<D: Device>(job: &Job<'_, D>, text: &Resident<D>) -> Result<Option<BestEnd>> {
    let m = job.pattern.len() as u64;
    if !text.has_context(2 * m) {
        return Ok(None);
    }
    let begun = Instant::now();
    let found = text.least(job.pattern, job.pattern.len() as u32 - 1)?;
    job.add(Timings { kernels: begun.elapsed(), ..Timings::default() });
    let best = match found {
        // Without borders there would be no nearer part either.
        None => Some(job.empty_part()),
        Some(End { end, errors }) => {
            let record = job.records.partition_point(|record| (record.start as u64) < end).saturating_sub(1);
            let range = &job.records[record];
            let first = range.start as u64;
            // A part with these errors has at most m + errors symbols.
            let is_inside = end <= range.end as u64 && (first == 0 || end >= first + m + u64::from(errors));
            is_inside.then(|| BestEnd { distance: errors, record, end: end - first })
        }
    };
    if best.is_some() {
        (job.progress)(job.records.iter().map(|record| record.len() as u64).sum());
    }
    Ok(best)
}
