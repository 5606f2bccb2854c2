//! The machine: its width, its latency, and its mode.

use crate::error::{Result, UsageFault};
use simt_std::simulator::Space;

/// Largest number of banks.
pub const MOST_WIDTH: u64 = 1 << 20;

/// Largest latency, in time units.
pub const MOST_LATENCY: u64 = 1 << 32;

/// Largest number of DMMs of a hierarchical memory machine.
pub const MOST_DMMS: u64 = 1 << 20;

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
    /// The hierarchical memory machine: several DMMs for the shared memory of blocks, and one UMM
    /// for global memory.
    Hmm,
}

impl Model {
    /// Returns the machine, a DMM or a UMM, whose rule counts the stages of accesses to a memory.
    pub(super) fn rule(self, memory: Space) -> Self {
        match (self, memory) {
            (Self::Hmm, Space::Shared) => Self::Dmm,
            (Self::Hmm, Space::Global) => Self::Umm,
            (model, _) => model,
        }
    }

    /// The values by their names on the command line.
    pub const NAMES: &'static [(&'static str, Self)] = &[("dmm", Self::Dmm), ("umm", Self::Umm), ("hmm", Self::Hmm)];
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
    /// The type: DMM, UMM or HMM.
    pub model: Model,
    /// w: number of banks, and of threads of a warp. At least 1.
    pub width: u64,
    /// l: time units from the first stage of an access to its result, if the access has one stage.
    /// At least 1.
    pub latency: u64,
    /// d: number of DMMs of an HMM, at least 1. The other machines do not use it.
    pub dmms: u64,
    /// Latency of the shared memory of an HMM, at least 1, as `latency` is that of its global
    /// memory. The other machines do not use it.
    pub shared_latency: u64,
    /// The order of warps. An HMM has lockstep only.
    pub mode: Mode,
    /// Number of bytes of a word. At least 1.
    pub word: u64,
}

impl Machine {
    /// Returns a machine in lockstep, with words of 4 bytes; an HMM with one DMM of latency 1. See
    /// the [example](Self).
    pub fn new(model: Model, width: u64, latency: u64) -> Self {
        Self { model, width, latency, dmms: 1, shared_latency: 1, mode: Mode::Lockstep, word: 4 }
    }

    /// Checks the bounds of all numbers. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Range`] for a value out of bounds,
    /// and with [`UsageFault::Combination`] for an HMM that is not in lockstep.
    pub fn check(&self) -> Result<()> {
        let bounds = [
            ("width", self.width, MOST_WIDTH),
            ("latency", self.latency, MOST_LATENCY),
            ("shared latency", self.shared_latency, MOST_LATENCY),
            ("number of DMMs", self.dmms, MOST_DMMS),
            ("word", self.word, MOST_WORD),
        ];
        match bounds.iter().find(|(_, value, most)| !(1..=*most).contains(value)) {
            Some((name, value, most)) => {
                Err(UsageFault::Range.error(format!("the {name} of a memory machine must be 1 to {most}, not {value}")))
            }
            None if self.model == Model::Hmm && self.mode == Mode::Free => Err(UsageFault::Combination
                .error("a hierarchical memory machine runs in lockstep only; choose the mode lockstep")),
            None => Ok(()),
        }
    }
}
