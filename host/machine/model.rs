//! The machine: its width, its latency, and its mode.

use crate::error::{Result, UsageFault};

/// Largest number of banks.
pub const MOST_WIDTH: u64 = 1 << 20;

/// Largest latency, in time units.
pub const MOST_LATENCY: u64 = 1 << 32;

/// Largest word, in bytes.
pub const MOST_WORD: u64 = 1 << 12;

/// The type of machine. See the [example](Machine).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// The Discrete Memory Machine: each bank is addressed separately, as in shared memory.
    Dmm,
    /// The Unified Memory Machine: all banks share one address, as in global memory.
    Umm,
}

impl Model {
    /// The values by their names on the command line.
    pub const NAMES: &'static [(&'static str, Self)] = &[("dmm", Self::Dmm), ("umm", Self::Umm)];
}

/// The order of warps. See the [example](Machine).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// As the paper counts: all threads are one SIMD machine, and finish an access before any
    /// starts the next. With p threads that each access another bank, in q warps, a turn takes
    /// q + l - 1 time units.
    Lockstep,
    /// As the machine's rules allow: each warp is a SIMD machine by itself. Its next access waits
    /// for its own last one and for its turn, and for other warps only at the kernel's barriers and
    /// meetings.
    Free,
}

impl Mode {
    /// The values by their names on the command line.
    pub const NAMES: &'static [(&'static str, Self)] = &[("lockstep", Self::Lockstep), ("free", Self::Free)];
}

named! {
    Model, "machine model";
    Mode, "mode";
}

/// A memory machine.
///
/// ```
/// use carrywave::kernels::measure::contiguous::{Contiguous, blocks};
/// use simt_std::simulator::{Options, Simulator, Spaces};
/// use carrywave::machine::{Machine, Model};
///
/// let mut gpu = Simulator::new(Options {
///     trace: Spaces { global: true, shared: false },
///     ..Options::default()
/// });
/// let a = gpu.alloc::<u32>(4096, "a");
/// gpu.launch_kernel(blocks(256), Contiguous { a: a.handle(), n: 4096, p: 256, write: 1 })?;
/// let trace = gpu.take_trace().expect("asked for above");
/// // Lemma 1: n/p turns of p/w warps, each turn with the latency once.
/// let count = Machine::new(Model::Umm, 32, 400).run(&trace)?;
/// assert_eq!(count.time, 4096 / 256 * (256 / 32 + 400 - 1));
/// println!("{count}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Machine {
    /// The type: DMM or UMM.
    pub model: Model,
    /// w: number of banks, and of threads of a warp. At least 1.
    pub width: u64,
    /// l: time units from the first stage of an access to its result, if the access has one stage.
    /// At least 1.
    pub latency: u64,
    /// The order of warps.
    pub mode: Mode,
    /// Number of bytes of a word. At least 1.
    pub word: u64,
}

impl Machine {
    /// Returns a machine in lockstep, with words of 4 bytes. See the [example](Self).
    pub fn new(model: Model, width: u64, latency: u64) -> Self {
        Self { model, width, latency, mode: Mode::Lockstep, word: 4 }
    }

    /// Checks the bounds of width, latency and word. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Range`] for a value out of bounds.
    pub fn check(&self) -> Result<()> {
        let bounds = [
            ("width", self.width, MOST_WIDTH),
            ("latency", self.latency, MOST_LATENCY),
            ("word", self.word, MOST_WORD),
        ];
        match bounds.iter().find(|(_, value, most)| !(1..=*most).contains(value)) {
            Some((name, value, most)) => {
                Err(UsageFault::Range.error(format!("the {name} of a memory machine must be 1 to {most}, not {value}")))
            }
            None => Ok(()),
        }
    }
}
