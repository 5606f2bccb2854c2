//! A run of a machine: the launches of a trace, one after the other.

use super::count::{Count, Counter};
use super::model::{Machine, Mode};
use super::program::Program;
use super::{free, lockstep};
use crate::error::{Error, Result, UsageFault};
use simt_std::simulator::Trace;

impl Machine {
    /// Counts the time units of all launches of a trace, by source line. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Range`] for a width, latency or word of 0 or out of
    /// bounds, and with [`UsageFault::TooLarge`] for an incomplete trace.
    pub fn run(&self, trace: &Trace) -> Result<Count> {
        self.run_sampled(trace, 0)
    }

    /// Counts as [`run`](Self::run) does, and keeps up to `samples` warp accesses of each line,
    /// chosen at random. See the [example](Self).
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
}

/// Returns the error for an incomplete trace.
pub(super) fn too_large() -> Error {
    let most = simt_std::simulator::MAX_EVENTS;
    UsageFault::TooLarge.error(format!(
        "more memory accesses or threads than the simulator records ({most} accesses); use smaller sizes"
    ))
}
