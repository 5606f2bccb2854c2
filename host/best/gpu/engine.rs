//! The engine: one record of the text at a time, by the kernels of an algorithm.

use super::nakano::{Launch, codes};
use crate::algorithm::About;
use crate::best::end::{BestEnd, BestEnds};
use crate::device::{Device, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::text::Pattern;
use carrywave_kernels::published::nakano::umm_n::NONE;
use carrywave_kernels::published::nakano::{FOUND, MAX_SYMBOLS, Strings};
use simt_std::WARP;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// An algorithm that finds the nearest part of a text on a device.
pub struct DeviceAlgorithm<D: Device> {
    /// Its name, source, cost and limits.
    pub about: &'static About,
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

/// An engine that compares on a device, a record at a time.
pub struct DeviceBest<'p, D: Device> {
    device: Arc<D>,
    algorithm: &'static DeviceAlgorithm<D>,
    progress: &'p (dyn Fn(u64) + Sync),
    width: u32,
    timings: Mutex<Timings>,
}

impl<'p, D: Device> DeviceBest<'p, D> {
    /// Returns an engine on a device. `progress` gets the number of symbols done since its last
    /// call.
    pub fn new(device: Arc<D>, algorithm: &'static DeviceAlgorithm<D>, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { device, algorithm, progress, width: WARP, timings: Mutex::default() }
    }

    /// Sets the number of banks of the memory, at least 1, instead of a GPU's 32: lemma 3's matrix
    /// has rows of a multiple of w words.
    #[must_use]
    pub fn of_width(self, width: u32) -> Self {
        Self { width: width.max(1), ..self }
    }

    /// Returns the times of kernels and of copies so far.
    pub fn timings(&self) -> Timings {
        *self.timings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unsupported(&self, reason: String) -> Error {
        self.algorithm.about.unsupported(reason)
    }

    /// Finds the least distance and the first end with it, in a text with symbols `y`.
    fn one(&self, stream: &D::Stream, x: &D::Buffer<u32>, m: u32, y: &[u32]) -> Result<(u32, u64)> {
        let device = &*self.device;
        if u64::from(m) + y.len() as u64 > MAX_SYMBOLS {
            return Err(self.unsupported(format!("supports up to {MAX_SYMBOLS} symbols of pattern and text together")));
        }
        let n = y.len() as u32;
        let words = (self.algorithm.words)(m, n, self.width);
        let flags = (self.algorithm.flags)(m);
        let needed = 4 * (words + u64::from(n) + flags as u64 + FOUND as u64);
        let free = device.free_memory()?;
        if needed > free {
            return Err(Error::DeviceMemory { needed, free });
        }
        let begun = Instant::now();
        let mut text = device.alloc::<u32>(y.len(), "Y")?;
        device.upload(stream, &mut text, y)?;
        let matrix = device.alloc::<u32>(words as usize, "matrix")?;
        let mut marks = device.alloc::<u32>(flags, "flags")?;
        device.upload(stream, &mut marks, &vec![NONE; flags])?;
        let found = device.alloc::<u32>(FOUND, "found")?;
        // The arrays are freed after the stream has been waited for, below.
        let launch = Launch {
            device,
            stream,
            strings: Strings { x: device.handle(x), y: device.handle(&text), m, n },
            width: self.width,
            matrix: device.handle(&matrix),
            flags: device.handle(&marks),
            found: device.handle(&found),
        };
        let begun_kernels = Instant::now();
        // SAFETY: m is not 0, and m + n is within the bound; the arrays have the lengths that the
        // algorithm requires.
        let launched = unsafe { (self.algorithm.launch)(launch) };
        let done = device.wait(stream).map_err(Error::from);
        launched.and(done)?;
        let ended = Instant::now();
        let found = device.download(stream, &found, FOUND)?;
        let mut timings = self.timings.lock().unwrap_or_else(PoisonError::into_inner);
        timings.kernels += ended - begun_kernels;
        timings.upload += begun_kernels - begun;
        timings.download += ended.elapsed();
        match found[..] {
            [distance, end] => Ok((distance, end.into())),
            _ => Err(Error::Verification("another number of words than asked for".into())),
        }
    }
}

impl<D: Device> BestEnds for DeviceBest<'_, D> {
    fn best_end(&self, symbols: &[u8], records: &[Range<usize>], pattern: &Pattern) -> Result<BestEnd> {
        let (x, table) = codes(pattern).ok_or_else(|| {
            let reason = "compares symbols for equality, but a position of the pattern stands for several symbols";
            self.unsupported(reason.into())
        })?;
        let device = &*self.device;
        let stream = device.stream()?;
        let mut pattern = device.alloc::<u32>(x.len(), "X")?;
        device.upload(&stream, &mut pattern, &x)?;
        let mut best: Option<BestEnd> = None;
        for (record, range) in records.iter().enumerate() {
            let y: Vec<u32> = symbols[range.clone()].iter().map(|&symbol| table[usize::from(symbol)]).collect();
            let (distance, end) = self.one(&stream, &pattern, x.len() as u32, &y)?;
            let found = BestEnd { distance, record, end };
            best = Some(best.map_or(found, |best| best.min(found)));
            (self.progress)(y.len() as u64);
        }
        best.ok_or_else(|| {
            UsageFault::Empty.error("there is no record to search; give a text with at least one record")
        })
    }
}
