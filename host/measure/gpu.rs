//! The rates of a GPU: instructions per second of its threads, and bytes per second of its memory,
//! read and copied.

use super::Measured;
use super::cpu::Effort;
use crate::device::{Device, Devices, Engine};
use crate::error::{Result, UsageFault};
use carrywave_kernels::measure::issue_rate::{CARRY_INSTRUCTIONS, CarryRate, INSTRUCTIONS, IssueRate};
use carrywave_kernels::measure::memory_rate::MemoryRate;
use simt_std::{Kernel, U32x4, global::Global};

/// Number of iterations of the measuring kernels' loops that takes a few milliseconds.
pub const TURNS: u32 = 4096;

/// Number of bytes of a word of the reading kernel.
const WORD: usize = size_of::<U32x4>();

/// The rates of a GPU.
#[derive(Debug, Clone)]
pub struct GpuRates {
    /// Additions and logic operations of threads per second, on all pipes.
    pub all: Measured,
    /// Logic operations and additions with carry per second, on the pipe that they share.
    pub logic: Measured,
    /// Bytes per second read from its memory.
    pub memory: Measured,
}

impl GpuRates {
    /// Measures an engine's first GPU, real or simulated.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for an engine that is no GPU,
    /// [`Error::DeviceMemory`](crate::Error::DeviceMemory) if `bytes` do not fit,
    /// [`Error::Gpu`](crate::Error::Gpu) if the driver fails.
    pub fn measured(engine: &dyn Engine, effort: Effort) -> Result<Self> {
        match &Devices::from_engine(engine) {
            Devices::Gpus(gpus) => gpus.first().map(|gpu| Self::measure_device(&**gpu, effort)),
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => devices.first().map(|device| Self::measure_device(&**device, effort)),
            Devices::Cpu(_) => None,
        }
        .unwrap_or_else(|| Err(UsageFault::Engine.error("GPU rates can only be measured on a GPU")))
    }

    fn measure_device(device: &impl Device, Effort { runs, bytes, turns }: Effort) -> Result<Self> {
        Ok(Self {
            all: all_pipes(device, turns, runs)?,
            logic: logic_pipe(device, turns, runs)?,
            memory: memory_read(device, Transfer { bytes, launches: 8, runs })?,
        })
    }
}

/// Measures the instructions of threads per second on all pipes.
///
/// # Errors
/// [`Error::Gpu`](crate::Error::Gpu) if the driver fails.
pub fn all_pipes(device: &impl Device, turns: u32, runs: usize) -> Result<Measured> {
    rate(device, turns, runs, INSTRUCTIONS, |out| IssueRate { iterations: turns, seed: 5, out })
}

/// Measures the instructions of threads per second on the pipe of logic operations and additions
/// with carry.
///
/// # Errors
/// As [`all_pipes`].
pub fn logic_pipe(device: &impl Device, turns: u32, runs: usize) -> Result<Measured> {
    rate(device, turns, runs, CARRY_INSTRUCTIONS, |out| CarryRate { iterations: turns, seed: 5, out })
}

/// Measures the instructions per second of a kernel with `instructions` of them per iteration and
/// thread.
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
    Measured::time_runs((threads * u64::from(turns) * instructions) as f64, runs, &mut || {
        // SAFETY: one word per thread, and the buffer lives until the stream is waited for.
        unsafe { device.launch(&stream, blocks, kernel(device.handle(&out)))? };
        Ok(device.wait(&stream)?)
    })
}

/// An array that is read or copied. Each run has several launches, so that their overhead does not
/// count.
#[derive(Debug, Clone, Copy)]
pub struct Transfer {
    /// Number of bytes of the array.
    pub bytes: usize,
    /// Number of launches per run, at least one.
    pub launches: u32,
    /// Number of timed runs.
    pub runs: usize,
}

/// Measures the bytes of memory read per second.
///
/// # Errors
/// As [`all_pipes`], and [`Error::DeviceMemory`](crate::Error::DeviceMemory) if the array does not
/// fit.
pub fn memory_read<D: Device>(device: &D, transfer: Transfer) -> Result<Measured> {
    // The kernel does not write words of zeros.
    moved(device, transfer, [1, 1], |stream, from, to, words| {
        let kernel = MemoryRate { from: device.handle(from), words: words as u64, copy: 0, to: device.handle(to) };
        // SAFETY: the array has this many words, none of all ones, and lives until the stream is
        // waited for.
        Ok(unsafe { device.launch(stream, blocks(words), kernel) }?)
    })
}

/// Measures the bytes read plus the bytes written per second by a copying kernel.
///
/// # Errors
/// As [`memory_read`].
pub fn memory_copied<D: Device>(device: &D, transfer: Transfer) -> Result<Measured> {
    moved(device, transfer, [2, usize::MAX], |stream, from, to, words| {
        let kernel = MemoryRate { from: device.handle(from), words: words as u64, copy: 1, to: device.handle(to) };
        // SAFETY: both arrays have this many words, and live until the stream is waited for.
        Ok(unsafe { device.launch(stream, blocks(words), kernel) }?)
    })
}

/// Measures the bytes read plus the bytes written per second by the driver's own copy.
///
/// # Errors
/// As [`memory_read`].
pub fn memory_copied_by_driver<D: Device>(device: &D, transfer: Transfer) -> Result<Measured> {
    moved(device, transfer, [2, usize::MAX], |stream, from, to, words| Ok(device.copy(stream, from, to, words)?))
}

/// Times `launch`, which moves each word `times` times, into an array of at most `most` words.
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
    Measured::time_runs(f64::from(launches) * (times * words * WORD) as f64, runs, &mut || {
        for _ in 0..launches {
            launch(&stream, &from, &mut to, words)?;
        }
        Ok(device.wait(&stream)?)
    })
}

/// Returns the number of blocks for one thread per word.
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
