//! Runs a job under many schedules and compares the results.

use super::fault::Fault;
use super::gpu::Simulator;
use super::options::Options;
use std::fmt;

/// The error of [`schedules`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ScheduleError<R> {
    /// A launch failed; the fault names the seed.
    Fault(Fault),
    /// The result under this seed differs from the result without a seed.
    Differs {
        /// The seed.
        seed: u64,
        /// The result without a seed.
        expected: R,
        /// The result under this seed.
        got: R,
    },
}

impl<R> fmt::Display for ScheduleError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Differs { seed, .. } => {
                write!(
                    f,
                    "the result depends on the schedule: with seed {seed} it is another than without a seed. Possible causes: \
                     atomic operations whose order matters, a sum of floats, or a compare-exchange of a value that was changed \
                     and changed back (ABA)"
                )
            }
        }
    }
}

impl<R: fmt::Debug> std::error::Error for ScheduleError<R> {}

/// Runs `job` on a new simulator without a seed, then under the seeds 0 to `count` - 1, and
/// compares the results.
///
/// ```
/// use simt_std::simulator::{Fault, Grid, Options, ScheduleError, Simulator, schedules};
/// use simt_std::{atomic, thread};
///
/// // Which block comes last is left open, so this differs.
/// let last = |gpu: &mut Simulator| -> Result<Vec<u32>, Fault> {
///     let out = gpu.alloc::<u32>(1, "out");
///     let handle = out.handle();
///     gpu.launch("last", Grid::linear(4, 1), move || {
///         atomic::store(handle, 0, thread::block_idx_x())
///     })?;
///     gpu.download(&out, 1)
/// };
/// let Err(ScheduleError::Differs { seed, .. }) = schedules(100, Options::default(), last) else {
///     panic!()
/// };
/// // The same course once more, to look at.
/// let mut gpu = Simulator::new(Options { seed: Some(seed), ..Options::default() });
/// assert_ne!(last(&mut gpu)?, [3]);
/// # Ok::<(), Fault>(())
/// ```
///
/// # Errors
/// The first seed at which a launch fails or the result differs from that without a seed.
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
