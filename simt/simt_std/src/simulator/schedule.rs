//! Schedules: the same launches in many orders, each from a number, the *seed*.
//!
//! What a launch leaves open is the order of its blocks, of the warps of a block, and of the lanes of a warp between two
//! meetings. Without a seed the simulator takes them by number; a seed draws the order by dice or by [priorities](Schedule):
//!
//! ```text
//! no seed    block 0: warp 0, warp 1   block 1: warp 0, warp 1   block 0: …
//! seed 17    block 1: warp 1           block 0: warp 1, warp 0   block 1: warp 0 …
//! ```

use super::fault::Fault;
use super::{Options, Simulator};
use std::fmt;

/// How a seed chooses the order of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Schedule {
    /// Every fourth seed (0, 4, 8, …) as [`Dice`](Self::Dice), the others as [`Priorities`](Self::Priorities) with as many change points
    /// as the seed draws.
    #[default]
    Mixed,
    /// Dice choose the next thread again and again: many short turns.
    Dice,
    /// Threads or blocks have random priorities, and the one with the highest runs, until at a random step it gets the lowest: few
    /// long turns, for what happens only while a thread stands still. (PCT: Burckhardt and others, 2010.)
    Priorities {
        /// Change points: steps at which the running thread or block gets the lowest priority. A fault that needs
        /// `changes` + 1 turns is found soonest.
        changes: u32,
    },
}

/// The order of threads in a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    /// The next by number.
    InOrder,
    Dice,
    /// By priorities, with this number of change points; with `None` the seed draws it.
    Priorities(Option<u32>),
}

impl Options {
    pub(super) fn course(&self) -> Course {
        match (self.seed, self.schedule) {
            (None, _) => Course::InOrder,
            (_, Schedule::Priorities { changes }) => Course::Priorities(Some(changes)),
            (Some(seed), Schedule::Mixed) if seed % 4 != 0 => Course::Priorities(None),
            (_, Schedule::Mixed | Schedule::Dice) => Course::Dice,
        }
    }
}

/// Random choices from a seed; without one, the first of everything.
#[derive(Debug)]
pub(super) struct Dice {
    state: Option<u64>,
}

impl Dice {
    pub fn new(seed: Option<u64>) -> Self {
        Self { state: seed }
    }

    /// Whether there is a seed.
    pub fn choose(&self) -> bool {
        self.state.is_some()
    }

    /// A number below `n`, which is at least 1 (SplitMix64).
    pub fn below(&mut self, n: usize) -> usize {
        let Some(state) = &mut self.state else { return 0 };
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = *state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * n as u128) >> 64) as usize
    }

    /// Once in `n` times; never without a seed.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.choose() && self.below(n) == 0
    }

    /// Puts items in another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        if self.choose() {
            for i in (1..items.len()).rev() {
                items.swap(i, self.below(i + 1));
            }
        }
    }
}

/// What [`schedules`] found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ScheduleError<R> {
    /// A launch failed; the fault names the seed.
    Fault(Fault),
    /// Under this seed the result is another than without a seed.
    Differs {
        /// The seed.
        seed: u64,
        /// The result without a seed.
        expected: R,
        /// The result under it.
        got: R,
    },
}

impl<R> fmt::Display for ScheduleError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Differs { seed, .. } => {
                write!(f, "the result depends on the schedule: with seed {seed} it is another than without a seed")
            }
        }
    }
}

impl<R: fmt::Debug> std::error::Error for ScheduleError<R> {}

/// Runs `job` on a new simulator without a seed, then under the seeds 0 to `count` - 1, and compares what it returns.
///
/// ```
/// use simt_std::simulator::{Fault, Grid, Options, ScheduleError, Simulator, schedules};
/// use simt_std::{atomic, thread};
///
/// // Which block comes last is left open, so this differs.
/// let last = |gpu: &mut Simulator| -> Result<Vec<u32>, Fault> {
///     let out = gpu.alloc::<u32>(1, "out");
///     let handle = out.handle();
///     gpu.launch("last", Grid::linear(4, 1), move || atomic::store(handle, 0, thread::block_idx_x()))?;
///     gpu.download(&out, 1)
/// };
/// let Err(ScheduleError::Differs { seed, .. }) = schedules(100, Options::default(), last) else { panic!() };
/// // The same course once more, to look at.
/// let mut gpu = Simulator::new(Options { seed: Some(seed), ..Options::default() });
/// assert_ne!(last(&mut gpu)?, [3]);
/// # Ok::<(), Fault>(())
/// ```
///
/// # Errors
/// The first seed at which a launch fails or the result is another than without a seed.
pub fn schedules<R: PartialEq>(
    count: u64,
    options: Options,
    job: impl Fn(&mut Simulator) -> Result<R, Fault>,
) -> Result<R, ScheduleError<R>> {
    let run = |seed| job(&mut Simulator::new(Options { seed, ..options })).map_err(ScheduleError::Fault);
    let expected = run(None)?;
    for seed in 0..count {
        let got = run(Some(seed))?;
        if got != expected {
            return Err(ScheduleError::Differs { seed, expected, got });
        }
    }
    Ok(expected)
}
