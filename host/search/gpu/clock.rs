//! The clock of a search on devices.

use crate::device::Timings;
use std::time::Instant;

/// Measures the times of kernels and copies, if it is running.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// `None` if times are not measured.
    timings: Option<Timings>,
    /// The time when the last kernels ended.
    ended: Option<Instant>,
}

impl Clock {
    /// Returns a running clock.
    pub fn running() -> Self {
        Self { timings: Some(Timings::default()), ended: None }
    }

    /// Returns the current time; `None` if times are not measured.
    pub fn now(&self) -> Option<Instant> {
        self.timings.map(|_| Instant::now())
    }

    /// Adds the time from `launched` to now, when the kernels have ended. Kernels that overlap
    /// count once.
    pub fn add_kernels(&mut self, launched: Option<Instant>) {
        if let (Some(timings), Some(launched)) = (&mut self.timings, launched) {
            let now = Instant::now();
            let from = self.ended.map_or(launched, |ended| ended.max(launched));
            timings.kernels += now.saturating_duration_since(from);
            self.ended = Some(now);
        }
    }

    /// Adds the time from `begun` to now, when the results have been copied to the host.
    pub fn add_download(&mut self, begun: Option<Instant>) {
        if let (Some(timings), Some(begun)) = (&mut self.timings, begun) {
            timings.download += begun.elapsed();
        }
    }

    /// Returns the times since the last call.
    pub fn take(&mut self) -> Timings {
        self.timings.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
