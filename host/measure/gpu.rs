//! How fast a GPU is: how many instructions its threads run a second, and how many bytes of its memory it reads and copies.

use super::Measured;
use super::cpu::Effort;
use crate::device::{Device, Devices, Engine};
use crate::error::{Result, UsageFault};
use carrywave_kernels::measure::issue_rate::{CARRY_INSTRUCTIONS, CarryRate, INSTRUCTIONS, IssueRate};
use carrywave_kernels::measure::memory_rate::MemoryRate;
use simt_std::{Kernel, U32x4, global::Global};

/// Turns of the loops of the measuring kernels that take some milliseconds.
pub const TURNS: u32 = 4096;

/// Bytes of a word of the kernel that reads.
const WORD: usize = size_of::<U32x4>();

/// How fast a GPU is.
#[derive(Debug, Clone)]
pub struct GpuRates {
    /// Additions and logic operations of threads, on all pipes.
    pub all: Measured,
    /// Logic operations and additions with carry, on the one pipe that they share.
    pub logic: Measured,
    /// Bytes read from its memory.
    pub memory: Measured,
}

impl GpuRates {
    /// Those of an engine's first GPU, real or simulated.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for an engine that is no GPU, [`Error::DeviceMemory`](crate::Error::DeviceMemory) when there
    /// are not so many bytes, [`Error::Gpu`](crate::Error::Gpu) when the driver fails.
    pub fn measured(engine: &dyn Engine, effort: Effort) -> Result<Self> {
        match &Devices::of(engine) {
            Devices::Gpus(gpus) => gpus.first().map(|gpu| Self::of(&**gpu, effort)),
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => devices.first().map(|device| Self::of(&**device, effort)),
            Devices::Cpu(_) => None,
        }
        .unwrap_or_else(|| Err(UsageFault::Engine.error("the rates of a GPU are measured on a GPU")))
    }

    fn of(device: &impl Device, Effort { runs, bytes, turns }: Effort) -> Result<Self> {
        Ok(Self {
            all: all_pipes(device, turns, runs)?,
            logic: logic_pipe(device, turns, runs)?,
            memory: memory_read(device, Transfer { bytes, launches: 8, runs })?,
        })
    }
}

/// Instructions of threads a second on all pipes.
///
/// # Errors
/// [`Error::Gpu`](crate::Error::Gpu) when the driver fails.
pub fn all_pipes(device: &impl Device, turns: u32, runs: usize) -> Result<Measured> {
    rate(device, turns, runs, INSTRUCTIONS, |out| IssueRate { turns, seed: 5, out })
}

/// The same on the pipe of logic operations and additions with carry.
///
/// # Errors
/// As [`all_pipes`].
pub fn logic_pipe(device: &impl Device, turns: u32, runs: usize) -> Result<Measured> {
    rate(device, turns, runs, CARRY_INSTRUCTIONS, |out| CarryRate { turns, seed: 5, out })
}

/// Instructions a second of a measuring kernel with so many in a turn of a thread.
fn rate<K: Kernel>(
    device: &impl Device,
    turns: u32,
    runs: usize,
    instructions: u64,
    kernel: impl Fn(Global<u32>) -> K,
) -> Result<Measured> {
    // As many as a multiprocessor holds.
    let blocks = device.limits().multiprocessors * 8;
    let threads = u64::from(blocks) * u64::from(K::BLOCK_THREADS);
    let stream = device.stream()?;
    let out = device.alloc::<u32>(threads as usize, "out")?;
    Measured::of((threads * u64::from(turns) * instructions) as f64, runs, &mut || {
        // SAFETY: one word a thread, which stays until the stream was waited for.
        unsafe { device.launch(&stream, blocks, kernel(device.handle(&out)))? };
        Ok(device.wait(&stream)?)
    })
}

/// An array that is read or copied: its bytes, and how many launches a run has, so that they are no part of the time.
#[derive(Debug, Clone, Copy)]
pub struct Transfer {
    /// Bytes of the array.
    pub bytes: usize,
    /// Launches a run, at least one.
    pub launches: u32,
    /// Timings.
    pub runs: usize,
}

/// Bytes of memory read a second.
///
/// # Errors
/// As [`all_pipes`], and [`Error::DeviceMemory`](crate::Error::DeviceMemory) when there are not so many.
pub fn memory_read<D: Device>(device: &D, transfer: Transfer) -> Result<Measured> {
    // No word of zeros is written.
    moved(device, transfer, [1, 1], |stream, from, to, words| {
        let kernel = MemoryRate { from: device.handle(from), words: words as u64, copy: 0, to: device.handle(to) };
        // SAFETY: the array has so many words, none of all ones, and lives until the stream was waited for.
        Ok(unsafe { device.launch(stream, blocks(words), kernel) }?)
    })
}

/// Bytes read and bytes written a second, together, by a copy.
///
/// # Errors
/// As [`memory_read`].
pub fn memory_copied<D: Device>(device: &D, transfer: Transfer) -> Result<Measured> {
    moved(device, transfer, [2, usize::MAX], |stream, from, to, words| {
        let kernel = MemoryRate { from: device.handle(from), words: words as u64, copy: 1, to: device.handle(to) };
        // SAFETY: both arrays have so many words, and live until the stream was waited for.
        Ok(unsafe { device.launch(stream, blocks(words), kernel) }?)
    })
}

/// The same of the driver's own copy.
///
/// # Errors
/// As [`memory_read`].
pub fn memory_copied_by_driver<D: Device>(device: &D, transfer: Transfer) -> Result<Measured> {
    moved(device, transfer, [2, usize::MAX], |stream, from, to, words| Ok(device.copy(stream, from, to, words)?))
}

/// Times what moves each word so many times, to an array of at most so many words.
fn moved<D: Device>(
    device: &D,
    Transfer { bytes, launches, runs }: Transfer,
    [times, most]: [usize; 2],
    launch: impl Fn(&D::Stream, &D::Buffer<U32x4>, &mut D::Buffer<U32x4>, usize) -> Result<()>,
) -> Result<Measured> {
    let (words, launches) = ((bytes / WORD).max(1), launches.max(1));
    let stream = device.stream()?;
    let (mut from, mut to) = (device.alloc(words, "from")?, device.alloc(words.min(most), "to")?);
    device.zero(&stream, &mut from)?;
    Measured::of(f64::from(launches) * (times * words * WORD) as f64, runs, &mut || {
        for _ in 0..launches {
            launch(&stream, &from, &mut to, words)?;
        }
        Ok(device.wait(&stream)?)
    })
}

/// Blocks with a thread a word.
fn blocks(words: usize) -> u32 {
    words.div_ceil(MemoryRate::BLOCK_THREADS as usize) as u32
}

#[cfg(all(test, feature = "simt"))]
mod tests {
    use super::*;
    use crate::device::{Cpu, Simt};

    #[test]
    fn all_rates_are_numbers() {
        let effort = Effort { runs: 1, bytes: 1 << 14, turns: 1 };
        let rates = GpuRates::measured(&Simt::new(), effort).unwrap();
        let simt = simt_launch::Simt::default();
        let transfer = Transfer { bytes: 1 << 14, launches: 2, runs: 1 };
        let copied = [memory_copied(&simt, transfer).unwrap(), memory_copied_by_driver(&simt, transfer).unwrap()];
        for measured in [rates.all, rates.logic, rates.memory].iter().chain(&copied) {
            assert!(measured.per_second.is_finite() && measured.per_second > 0.0 && measured.seconds.len() == 1);
        }
        assert!(matches!(GpuRates::measured(&Cpu::new(), effort), Err(crate::Error::Usage { .. })));
    }
}
