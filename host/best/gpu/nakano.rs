//! Parts that Nakano's four algorithms (2012) share: the memory of a matrix, and the loop over the
//! records of a text. `docs/papers/nakano-2012.md` compares the algorithms with the paper.

use super::algorithm::Job;
use super::numbers::Numbers;
use crate::best::end::BestEnd;
use crate::device::{Device, Timings};
use crate::error::{Error, Result};
use carrywave_kernels::published::nakano::umm_n::NONE;
use carrywave_kernels::published::nakano::{FOUND, MAX_SYMBOLS, Strings};
use simt_std::global::Global;
use std::time::Instant;

/// Name of the paper in the tables of algorithms.
pub(super) const PAPER: &str = "Nakano 2012";

/// An algorithm's matrix, and its kernels.
pub struct Matrix<D: Device> {
    /// Returns the words of the matrix for m and n symbols on a memory of w banks.
    pub words: fn(u32, u32, u32) -> u64,
    /// Returns the number of flags for m symbols.
    pub flags: fn(u32) -> usize,
    /// Launches the kernels on the stream.
    ///
    /// # Safety
    /// All arrays have the lengths in [`Launch`], and live until the stream has been waited for.
    pub launch: unsafe fn(Launch<'_, D>) -> Result<()>,
}

/// The arguments of a launch.
pub struct Launch<'l, D: Device> {
    /// The device.
    pub device: &'l D,
    /// Stream for the launches.
    pub stream: &'l D::Stream,
    /// Pattern and text as numbers, m and n symbols, m not 0.
    pub strings: Strings,
    /// Number w of the memory's banks: 32 on a GPU, as many as lanes of a warp, and any number from
    /// 1 on for a memory machine.
    pub width: u32,
    /// The matrix, of [`Matrix::words`] words.
    pub matrix: Global<u32>,
    /// [`Matrix::flags`] flags, each `NONE` before the launch.
    pub flags: Global<u32>,
    /// Output: the least distance and its first end.
    pub found: Global<u32>,
}

/// Finds the end of the nearest part, one record at a time.
pub(super) fn best_end<D: Device>(job: &Job<'_, D>, matrix: &Matrix<D>) -> Result<BestEnd> {
    let numbers = Numbers::new(job.pattern).ok_or_else(|| {
        let reason = "compares symbols for equality, but a position of the pattern stands for several symbols";
        job.about.unsupported(reason.into())
    })?;
    let device = &**job.device;
    let stream = device.stream()?;
    let mut pattern = device.alloc::<u32>(numbers.pattern.len(), "X")?;
    device.upload(&stream, &mut pattern, &numbers.pattern)?;
    let mut best = job.empty_part();
    for (record, range) in job.records.iter().enumerate() {
        let text = &job.symbols[range.clone()];
        let y: Vec<u32> = text.iter().map(|&symbol| numbers.text[usize::from(symbol)]).collect();
        let (distance, end) = of_record(job, matrix, &stream, &pattern, &y)?;
        best = best.min(BestEnd { distance, record, end });
        (job.progress)(y.len() as u64);
    }
    Ok(best)
}

/// Finds the least distance and the first end with it, in a text with symbols `y`.
fn of_record<D: Device>(
    job: &Job<'_, D>,
    matrix: &Matrix<D>,
    stream: &D::Stream,
    x: &D::Buffer<u32>,
    y: &[u32],
) -> Result<(u32, u64)> {
    let device = &**job.device;
    let m = job.pattern.len() as u32;
    if u64::from(m) + y.len() as u64 > MAX_SYMBOLS {
        let reason = format!("supports up to {MAX_SYMBOLS} symbols of pattern and text together");
        return Err(job.about.unsupported(reason));
    }
    let n = y.len() as u32;
    let words = (matrix.words)(m, n, job.width);
    let flags = (matrix.flags)(m);
    let needed = 4 * (words + u64::from(n) + flags as u64 + FOUND as u64);
    let free = device.free_memory()?;
    if needed > free {
        return Err(Error::DeviceMemory { needed, free });
    }
    let begun = Instant::now();
    let mut text = device.alloc::<u32>(y.len(), "Y")?;
    device.upload(stream, &mut text, y)?;
    let cells = device.alloc::<u32>(words as usize, "matrix")?;
    let mut marks = device.alloc::<u32>(flags, "flags")?;
    device.upload(stream, &mut marks, &vec![NONE; flags])?;
    let found = device.alloc::<u32>(FOUND, "found")?;
    // The arrays are freed after the stream has been waited for, below.
    let launch = Launch {
        device,
        stream,
        strings: Strings { x: device.handle(x), y: device.handle(&text), m, n },
        width: job.width,
        matrix: device.handle(&cells),
        flags: device.handle(&marks),
        found: device.handle(&found),
    };
    let begun_kernels = Instant::now();
    // SAFETY: m is not 0, and m + n is within the bound; the arrays have the lengths that the
    // algorithm requires.
    let launched = unsafe { (matrix.launch)(launch) };
    let done = device.wait(stream).map_err(Error::from);
    launched.and(done)?;
    let ended = Instant::now();
    let found = device.download(stream, &found, FOUND)?;
    job.add(Timings {
        kernels: ended - begun_kernels,
        upload: begun_kernels - begun,
        download: ended.elapsed(),
        ..Timings::default()
    });
    match found[..] {
        [distance, end] => Ok((distance, end.into())),
        _ => Err(Error::Verification("another number of words than asked for".into())),
    }
}
