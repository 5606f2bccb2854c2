//! Nakano's memory machines: what the memory accesses of a kernel cost on a machine of any width and latency.
//!
//! K. Nakano, "Efficient Implementations of the Approximate String Matching on the Memory Machine Models" (2012),
//! section II. The simulator runs a kernel and records what every thread accesses
//! ([`Trace`]); a [`Machine`] counts the time units that this takes. Nothing but
//! memory accesses takes time.
//!
//! ```text
//!  threads  T0 T1 T2 T3 │ T4 T5 T6 T7 │ …      warps of w threads, dispatched in turn
//!              ╲  │  │  ╱
//!  stages    ──▶ ▢▢▢▢▢ … ▢ ──▶                 a pipeline: one stage enters a time unit, l units later it is done
//!              ╱  │  │  ╲
//!  banks       0  1  2  3                      word a is in bank a mod w and in address group a div w
//! ```
//!
//! A warp access takes so many stages: on a DMM ([`Model::Dmm`]) the most different addresses that any bank is asked for, on a
//! UMM ([`Model::Umm`]) the different address groups. k stages are done in k + l - 1 time units. A thread has one request on the
//! way. How far warps run ahead of one another is the [`Mode`].
//!
//! What the model leaves open, and what is done here:
//! - Words are of 4 bytes unless [`Machine::word`] says otherwise. An access of more bytes asks for all its words at once, one
//!   of fewer for the word that they are in. Atomic operations cost what writes do.
//! - Every allocation, and each block's shared memory, begins in bank 0, as the paper's arrays do.
//! - Threads of several blocks are numbered through, and all of a launch's blocks are on the machine at once. A launch
//!   begins when the one before has ended.
//! - Threads of a warp that are not at the same instruction do not access together: the ones farthest behind go first
//!   (fewer barriers and meetings of the warp passed, then fewer jumps back in the source since, then the lower line).
//! - How often a thread looks for something that another one has yet to write is the simulator's, not the machine's.
//!
//! | file | what |
//! |---|---|
//! | `program` | a launch's threads as the machine sees them: what each asks for next |
//! | `lockstep`, `free` | the two modes |
//! | `stages` | how many stages a warp access takes |
//! | `count` | what comes out |
//! | [`closed`] | lemmas 1 and 2 |
//! | [`kernels`] | what can be run |
//! | [`report`] | one run, as a table by source line |
//! | [`page`] | the same as a page with pictures of the warp accesses |
//! | [`sweep`] | the time units for many sizes |
//! | [`fit`] | and how much there is in them of each term of a theorem |
//! | `plot` | a curve of it |

pub mod closed;
mod count;
pub mod fit;
mod free;
pub mod kernels;
mod lockstep;
pub mod page;
#[cfg(feature = "plot")]
pub mod plot;
mod program;
pub mod report;
mod stages;
pub mod sweep;

pub use count::{Count, LineCount, WarpAccess};

use crate::error::{Error, Result};
use count::Counter;
use program::Program;
use simt_std::simulator::Trace;

/// Banks of a machine at most.
pub const MOST_WIDTH: u64 = 1 << 20;

/// Time units of latency at most.
pub const MOST_LATENCY: u64 = 1 << 32;

/// Bytes of a word at most.
pub const MOST_WORD: u64 = 1 << 12;

/// Which machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// The Discrete Memory Machine: each bank has its own address, as in shared memory.
    Dmm,
    /// The Unified Memory Machine: all banks have one address, as in global memory.
    Umm,
}

impl Model {
    /// Names on the command line.
    pub const NAMES: &'static [(&'static str, Self)] = &[("dmm", Self::Dmm), ("umm", Self::Umm)];
}

/// How far warps run ahead of one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// As the paper counts: all threads are one SIMD machine, and finish an access before any begins the next. With p
    /// threads that access each another bank and q warps, a turn takes q + l - 1 time units.
    Lockstep,
    /// As the rules of the machine allow: each warp is a SIMD machine by itself, its next access waits for its own last one
    /// and for its turn, and for others only at barriers and meetings that the kernel has.
    Free,
}

impl Mode {
    /// Names on the command line.
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
/// let mut gpu = Simulator::new(Options { trace: Spaces { global: true, shared: false }, ..Options::default() });
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
    /// DMM or UMM.
    pub model: Model,
    /// w: banks, and threads of a warp. At least 1.
    pub width: u64,
    /// l: time units from the first stage of an access to its result, if that is the last. At least 1.
    pub latency: u64,
    /// How far warps run ahead.
    pub mode: Mode,
    /// Bytes of a word. At least 1.
    pub word: u64,
}

impl Machine {
    /// A machine in lockstep, with words of 4 bytes.
    pub fn new(model: Model, width: u64, latency: u64) -> Self {
        Self { model, width, latency, mode: Mode::Lockstep, word: 4 }
    }

    /// The time units that all launches of a trace take, and where they go.
    ///
    /// # Errors
    /// [`Error::Usage`] for a width, latency or word of 0 or beyond bounds, and for a trace that did not hold everything.
    pub fn run(&self, trace: &Trace) -> Result<Count> {
        self.run_sampled(trace, 0)
    }

    /// As [`run`](Self::run), with up to so many warp accesses of each line to look at, spread over all there are.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_sampled(&self, trace: &Trace, samples: usize) -> Result<Count> {
        self.check()?;
        if trace.is_full() {
            return Err(too_large());
        }
        let mut counter = Counter::new(self, trace, samples);
        for number in 0..trace.launches().len() {
            let program = Program::new(trace, number);
            counter.launch = number;
            match self.mode {
                Mode::Lockstep => lockstep::run(self, program, &mut counter),
                Mode::Free => free::run(self, program, &mut counter),
            }
        }
        Ok(counter.finish())
    }

    /// Whether there is such a machine.
    ///
    /// # Errors
    /// [`Error::Usage`] when there is not.
    pub fn check(&self) -> Result<()> {
        let bounds = [
            ("width", self.width, MOST_WIDTH),
            ("latency", self.latency, MOST_LATENCY),
            ("word", self.word, MOST_WORD),
        ];
        match bounds.iter().find(|(_, value, most)| !(1..=*most).contains(value)) {
            Some((name, value, most)) => Err(Error::Usage(format!(
                "a memory machine's {name} is 1 to {most}, not {value}; give it a {name} in between"
            ))),
            None => Ok(()),
        }
    }
}

/// What is said of a trace that has no room for everything.
pub(crate) fn too_large() -> Error {
    let most = simt_std::simulator::MOST_EVENTS;
    Error::Usage(format!(
        "these are more memory accesses or threads than the simulator records ({most} accesses); take smaller sizes"
    ))
}
