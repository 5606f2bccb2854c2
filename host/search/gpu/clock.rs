//! The times of a search on devices.

use crate::device::Timings;
use std::time::Instant;

/// Takes the times of kernels and of copies, if they are asked for.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// `None` if no times are taken.
    timings: Option<Timings>,
    /// When the last kernels ended.
    ended: Option<Instant>,
}

impl Clock {
    /// One that takes times.
    pub fn running() -> Self {
        Self { timings: Some(Timings::default()), ended: None }
    }

    /// The time now; `None` if no times are taken.
    pub fn now(&self) -> Option<Instant> {
        self.timings.map(|_| Instant::now())
    }

    /// Adds the time of kernels that were launched then and have ended; of kernels that ran at once it counts once.
    pub fn add_kernels(&mut self, launched: Option<Instant>) {
        if let (Some(timings), Some(launched)) = (&mut self.timings, launched) {
            let now = Instant::now();
            let from = self.ended.map_or(launched, |ended| ended.max(launched));
            timings.kernels += now.saturating_duration_since(from);
            self.ended = Some(now);
        }
    }

    /// Adds the time of a copy that began then and has ended.
    pub fn add_transfer(&mut self, begun: Option<Instant>) {
        if let (Some(timings), Some(begun)) = (&mut self.timings, begun) {
            timings.transfer += begun.elapsed();
        }
    }

    /// The times since the last call.
    pub fn take(&mut self) -> Timings {
        self.timings.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
