//! The nearest part of a text for long patterns: windows of the text side by side, each an edit
//! distance table of the wavefront (`host/pairwise/wavefront`).
//!
//! ```text
//!              pattern ──▶                 A window is a table with the text's symbols as rows
//!          D = 0                           and the pattern as columns. In the first column D is
//! window 0     ┌──────────────┐            0: a part may begin anywhere. The last column has the
//!   2m before  │ strip 0      │            distance of the nearest part that ends in each row.
//!              │ strip 1      │ D
//!              └──────────────┘            A part with at most m errors has at most 2m symbols,
//! window 1     ┌──────────────┐            so a window begins 2m rows early, and no window waits
//!   2m before  │ strip 0      │            for another.
//!              │ strip 1      │ D
//! ```
//!
//! If the pattern's q-grams show the place of the nearest part, as on the CPU, only parts of
//! windows are computed.
//!
//! The strips with the number 0 of all windows are computed first, then those with the number 1. So
//! a strip waits for the one below it only at the start of a batch.

use super::algorithm::{DeviceAlgorithm, Job, Size};
use super::numbers::Numbers;
use crate::algorithm::{About, Limits};
use crate::best::end::BestEnd;
use crate::best::seeds::{Seeds, Votes};
use crate::device::{Device, Timings};
use crate::error::Result;
use crate::memory;
use crate::pairwise::differences::{Differences, FirstColumn};
use crate::pairwise::wavefront::{Distances, Wavefront};
use crate::text::Pattern;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

/// Its name, source, cost and limits.
pub const ABOUT: About = About::new(
    "wavefront",
    "windows of the text side by side, each an edit distance table in bit lanes; for long patterns",
    "this project, on the differences of Myers 1999; first column: Sellers 1980",
    "9 instructions per lane for 32 cells of DNA; 2m symbols before each window are computed again",
)
.limited(Limits { classes: false, ..Limits::NONE });

/// Upper bound on the symbols of a batch of windows: they and the rows of carries between strips,
/// m / 2 bytes for each strip of 19,456 symbols, are in memory at once.
const BATCH: usize = 1 << 29;

/// Number of windows of a batch, times m, for each multiprocessor: more windows have more symbols
/// before them, and fewer windows have strips that wait longer at the start.
const WINDOWS: usize = 48_000;

/// Cells in a second on an H200, of 132 multiprocessors.
const CELLS: f64 = 60e12;

/// Symbols in a second that the host codes and copies.
const COPIED: f64 = 4e9;

/// Rows of a strip.
const STRIP: u64 = 19_456;

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm { about: &ABOUT, seconds, best_end }
}

fn seconds(Size { m, n, records, multiprocessors, is_distinct }: Size) -> Option<f64> {
    let windows = n.div_ceil(window(n as usize, m as usize, multiprocessors) as u64).max(records);
    let rows = n.max(STRIP * records).saturating_add(windows.saturating_mul(2 * m));
    let speed = CELLS * f64::from(multiprocessors) / 132.0;
    // A column takes about 200 cycles; a lane follows the lane below it by 48 columns.
    let latency = (m + 31 * 48) as f64 * 200.0 / 1.7e9;
    is_distinct.then(|| latency.max(rows as f64 * m as f64 / speed) + n as f64 / COPIED)
}

/// Returns the symbols of a window without those before it.
fn window(n: usize, m: usize, multiprocessors: u32) -> usize {
    let windows = (WINDOWS.saturating_mul(multiprocessors as usize) / m.max(1)).max(1);
    n.min(BATCH).div_ceil(windows).max(m.saturating_mul(4)).max(1)
}

fn best_end<D: Device>(job: &Job<'_, D>) -> Result<BestEnd> {
    let n = job.records.iter().map(Range::len).sum();
    let size = window(n, job.pattern.len(), job.device.limits().multiprocessors);
    by_windows(job, size, BATCH)
}

/// Finds the best end by windows of `size` own symbols, at most `most` symbols at a time.
fn by_windows<D: Device>(job: &Job<'_, D>, size: usize, most: usize) -> Result<BestEnd> {
    let begun = Instant::now();
    let Some(Coded { pattern, text }) = coded(job.pattern, job.symbols)? else {
        let reason = "compares symbols for equality, but a position of the pattern stands for several symbols";
        return Err(job.about.unsupported(reason.into()));
    };
    let mut best = job.empty_part();
    let windows = windows(job.records, job.pattern.len(), size);
    if windows.is_empty() {
        return Ok(best);
    }
    // The progress callback may unwind here to end the job.
    let progress = |_| (job.progress)(0);
    let wavefront = Wavefront::<D, Distances>::new(&[&**job.device], &text, &pattern, &progress)?;
    job.add(Timings { upload: begun.elapsed(), ..Timings::default() });
    let parts = near_parts(job, &wavefront, windows)?;
    let mut rest = &parts[..];
    while !rest.is_empty() {
        let mut symbols = 0;
        let fit = rest.iter().take_while(|window| {
            symbols += window.rows.len();
            symbols <= most
        });
        let (batch, others) = rest.split_at(fit.count().max(1));
        rest = others;
        let begun = Instant::now();
        let rows: Vec<Range<usize>> = batch.iter().map(|window| window.rows.clone()).collect();
        let columns = wavefront.columns_of_windows(&rows, FirstColumn::Zero)?;
        let of_window = |(window, column): (&Window, _)| window.best(column);
        best = batch.par_iter().zip(&columns).map(of_window).min().map_or(best, |found| best.min(found));
        job.add(Timings { kernels: begun.elapsed(), ..Timings::default() });
        (job.progress)(batch.iter().map(|window| window.own as u64).sum());
    }
    // The empty part is the first of all with its distance.
    Ok(if best.distance as usize == job.pattern.len() { job.empty_part() } else { best })
}

/// Pattern and text as bytes that are equal where the symbols match.
struct Coded<'t> {
    pattern: Vec<u8>,
    text: Cow<'t, [u8]>,
}

/// Codes a pattern and a text; `None` if a symbol of a text stands for two symbols of the pattern.
fn coded<'t>(pattern: &Pattern, symbols: &'t [u8]) -> Result<Option<Coded<'t>>> {
    if let Some(pattern) = pattern.as_literal() {
        return Ok(Some(Coded { pattern, text: symbols.into() }));
    }
    let Some(numbers) = Numbers::new(pattern) else { return Ok(None) };
    memory::check::<u8>(symbols.len(), "a text in numbers")?;
    // Of 256 numbers the last is 0 as a byte; then every symbol of a text matches one.
    let text: Vec<u8> = symbols.par_iter().map(|&symbol| numbers.text[usize::from(symbol)] as u8).collect();
    let pattern = numbers.pattern.iter().map(|&number| number as u8).collect();
    Ok(Some(Coded { pattern, text: text.into() }))
}

/// Leaves out what cannot have the nearest part, as on the CPU: the window with the most of the
/// pattern's q-grams on some diagonals has a part there, whose distance bounds the least one. If a
/// part with at most that many errors has more q-grams than a random one, only such parts are left.
fn near_parts<D: Device>(
    job: &Job<'_, D>,
    wavefront: &Wavefront<'_, D, Distances>,
    windows: Vec<Window>,
) -> Result<Vec<Window>> {
    let begun = Instant::now();
    let Some(seeds) = Seeds::new(job.pattern) else { return Ok(windows) };
    let votes: Vec<Votes> = windows.par_iter().map(|window| seeds.votes(&job.symbols[window.rows.clone()])).collect();
    let most = |(window, votes): (&Window, &Votes)| {
        let (votes, part) = seeds.most(votes)?;
        Some((votes, window.part(part).rows))
    };
    let most = windows.iter().zip(&votes).filter_map(most).max_by_key(|&(votes, _)| votes);
    let Some((_, near)) = most.filter(|(_, near)| !near.is_empty()) else { return Ok(windows) };
    let counted = Instant::now();
    let columns = wavefront.columns_of_windows(&[near], FirstColumn::Zero)?;
    let bound = columns.first().map_or(u64::MAX, |column| column.first_least().0);
    let bound = u32::try_from(bound).unwrap_or(u32::MAX);
    job.add(Timings { upload: counted - begun, kernels: counted.elapsed(), ..Timings::default() });
    let mut parts = Vec::with_capacity(windows.len());
    for (window, votes) in windows.into_iter().zip(&votes) {
        match seeds.parts(votes, bound) {
            None => parts.push(window),
            Some(near) => {
                (job.progress)(window.own as u64);
                parts.extend(near.into_iter().filter(|part| !part.is_empty()).map(|part| window.part(part)));
            }
        }
    }
    Ok(parts)
}

/// A window of the text.
struct Window {
    record: usize,
    /// Start in the record.
    from: usize,
    /// Positions of its symbols in the text, with those before its own.
    rows: Range<usize>,
    /// Number of its own symbols.
    own: usize,
}

/// Divides records into windows of `size` own symbols, with 2m symbols before them.
fn windows(records: &[Range<usize>], m: usize, size: usize) -> Vec<Window> {
    let of_record = |(record, range): (usize, &Range<usize>)| {
        let range = range.clone();
        (0..range.len()).step_by(size).map(move |start| {
            let from = start.saturating_sub(2 * m);
            let end = (start + size).min(range.len());
            Window { record, from, rows: range.start + from..range.start + end, own: end - start }
        })
    };
    records.iter().enumerate().flat_map(of_record).collect()
}

impl Window {
    /// Returns a part of its rows. Its own symbols count as done.
    fn part(&self, part: Range<usize>) -> Self {
        let start = self.rows.start;
        Self { record: self.record, from: self.from + part.start, rows: start + part.start..start + part.end, own: 0 }
    }

    /// Returns the best end, from the last column of the window's table.
    fn best(&self, column: &Differences) -> BestEnd {
        let (distance, rows) = column.first_least();
        BestEnd { distance: distance as u32, record: self.record, end: (self.from + rows) as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::sellers;
    use simt_launch::Simt;
    use std::sync::{Arc, Mutex};

    /// Windows and batches of all sizes, with the nearest part on their borders.
    #[test]
    fn windows_have_the_best_end_of_the_text() {
        let mut random = fastrand::Rng::with_seed(6);
        let device = Arc::new(Simt::default());
        for case in 0..40 {
            let m = random.usize(1..90);
            let pattern: Vec<u8> = (0..m).map(|_| random.u8(..4)).collect();
            let mut symbols: Vec<u8> = (0..random.usize(1..900)).map(|_| random.u8(..4)).collect();
            let size = [1, 2, 3][case % 3] * m + random.usize(..40);
            for _ in 0..case % 4 {
                let mut near = pattern.clone();
                near.insert(m / 2, 9);
                let at = (size * random.usize(..4)).saturating_sub(random.usize(..=m)).min(symbols.len());
                symbols.splice(at..at, near);
            }
            let border = random.usize(..=symbols.len());
            let records = [0..border, border..symbols.len()];
            let pattern = Pattern::literal(&pattern);
            let of_record = |record: usize| {
                let (distance, end) = sellers::least(&symbols[records[record].clone()], &pattern);
                BestEnd { distance, record, end }
            };
            let expected = of_record(0).min(of_record(1));
            let timings = Mutex::default();
            let job = Job {
                device: &device,
                about: &ABOUT,
                width: 32,
                symbols: &symbols,
                records: &records,
                pattern: &pattern,
                resident: None,
                progress: &|_| (),
                timings: &timings,
            };
            for most in [1, 5 * m, 1 << 20] {
                let found = by_windows(&job, size, most).unwrap();
                assert_eq!(found, expected, "case {case}, m = {m}, {size}, {most}, {records:?}");
            }
        }
    }

    #[test]
    fn long_patterns_take_windows_and_short_ones_words() {
        let fastest = |m, records, is_distinct| {
            let size = Size { m, n: 500_000_000, records, multiprocessors: 132, is_distinct };
            DeviceAlgorithm::<Simt>::fastest(size).about.name
        };
        assert_eq!([100, 1000].map(|m| fastest(m, 1, true)), ["myers"; 2]);
        assert_eq!([20_000, 100_000].map(|m| fastest(m, 1, true)), ["wavefront"; 2]);
        assert_eq!(fastest(100_000, 1, false), "myers");
    }
}
