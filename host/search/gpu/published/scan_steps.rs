//! Shift-Or and Wu-Manber as inclusive scans over the whole text, with a launch for each step of
//! the scan, as Mitani, Ino and Hagihara (2017) print them: algorithms 1 and 2.

use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use crate::search::gpu::match_table::mismatches;
use crate::search::gpu::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Request, Writes};
use crate::search::gpu::size::Size;
use crate::search::gpu::text::DeviceText;
use carrywave_kernels::published::scan::{ShiftOrSum, WuManberSum};
use carrywave_kernels::published::scan_steps::{
    ACCEPTING, Join, Kept, ScanEnds, Segments, Step, Summands, Sums, blocks,
};
use simt_std::{Kernel, global::Global};
use std::marker::PhantomData;

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "scan-steps",
    "Shift-Or and Wu-Manber as inclusive scans over the text, a launch for each step, as published",
    "Mitani, Ino, Hagihara 2017, algorithms 1 and 2",
    "(k + 1) (⌈log₂ m⌉ + 2) launches; each reads and writes 24 or 48 bytes per symbol",
)
.limited(LIMITS);

/// The limits of both scans over the whole text.
pub(super) const LIMITS: Limits =
    Limits { symbols: Some(ACCEPTING as u64 + 1), errors: Some(ACCEPTING), ..Limits::NONE };

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    entry(&ABOUT, |text, request| Ok(Prepared::alone(Scan::new(Form::Steps, text, request)?)))
}

/// Returns the entry of a scan over the whole text.
pub(super) const fn entry<D: Device>(
    about: &'static About,
    prepare: fn(&DeviceText<D>, &Request<'_>) -> Result<Prepared<D>>,
) -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about,
        fits: Size::is_one,
        writes: Writes::Bytes,
        tuning: &[],
        check: |_, _| Ok(()),
        cost: |_| None,
        prepare,
    }
}

/// The form of a scan over the whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A launch for each step.
    Steps,
    /// A launch for all segments, and one to join them.
    Segments,
}

/// A pattern on a device, and the sums of all positions.
pub(super) struct Scan<D: Device> {
    form: Form,
    m: u32,
    table: D::Buffer<u32>,
    /// The sums before a launch, and those after it, by turns.
    sums: [D::Buffer<u64>; 2],
    room: u64,
}

impl<D: Device> Scan<D> {
    pub fn new(form: Form, text: &DeviceText<D>, request: &Request<'_>) -> Result<Self> {
        let words = text.room as usize * if request.k > 0 { 2 } else { 1 };
        let sums = || text.device.alloc(words, "a sum a position");
        let table = text.upload(&mismatches(&request.patterns[0], ACCEPTING), "match words")?;
        Ok(Self { form, m: request.m(), table, sums: [sums()?, sums()?], room: text.room })
    }

    fn sums(&self, device: &D, number: usize) -> Sums {
        Sums { words: device.handle(&self.sums[number]), room: self.room }
    }

    /// Scans the summands in buffer `number`, and returns the number of the buffer with the sums.
    ///
    /// # Safety
    /// As for [`Launcher::launch`].
    unsafe fn scan<S: Kept>(&self, launch: &Launch<'_, D>, mut number: usize) -> Result<usize>
    where
        Step<S>: Kernel,
        Segments<S>: Kernel,
        Join<S>: Kernel,
    {
        let (text, n) = (launch.text, launch.n);
        let device = &*text.device;
        if self.form == Form::Segments {
            let (sums, scanned) = (self.sums(device, number), self.sums(device, 1 - number));
            let segments = Segments::<S> { sums, n, scanned, kind: PhantomData };
            let join = Join::<S> { scanned, n, joined: sums, kind: PhantomData };
            // SAFETY: both buffers have room for all positions.
            unsafe {
                device.launch(&text.stream, blocks(n), segments)?;
                device.launch(&text.stream, blocks(n), join)?;
            }
            return Ok(number);
        }
        let mut distance = 1;
        while distance < self.m {
            let (sums, longer) = (self.sums(device, number), self.sums(device, 1 - number));
            let step = Step::<S> { sums, n, distance, longer, kind: PhantomData };
            // SAFETY: as above.
            unsafe { device.launch(&text.stream, blocks(n), step)? };
            (number, distance) = (1 - number, 2 * distance);
        }
        Ok(number)
    }
}

impl<D: Device> Launcher<D> for Scan<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let (text, n) = (launch.text, launch.n);
        let device = &*text.device;
        let mut number = 0;
        let mut below = Global::at(0);
        for level in 0..=launch.k {
            // The states of the level below stay in the other buffer until the first step.
            number = if level == 0 { 0 } else { 1 - number };
            let summands = Summands {
                text: Global::at(device.handle(&text.text).address()),
                n,
                m: self.m,
                level,
                table: device.handle(&self.table),
                below,
                sums: self.sums(device, number),
            };
            // SAFETY: as for `Launcher::launch`; the table has 256 words for each 32 bits, and both
            // buffers have room for all positions: two words each if there are errors.
            number = unsafe {
                device.launch(&text.stream, blocks(n), summands)?;
                match level {
                    0 => self.scan::<ShiftOrSum<u64>>(launch, number)?,
                    _ => self.scan::<WuManberSum<u64>>(launch, number)?,
                }
            };
            below = self.sums(device, number).states(level);
        }
        let ends = ScanEnds { states: below, first: launch.from, n, bytes: launch.bytes };
        // SAFETY: as above.
        Ok(unsafe { device.launch(&text.stream, blocks(n), ends) }?)
    }
}
