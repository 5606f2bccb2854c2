//! Waiting for a long launch while its progress is reported.

use std::time::{Duration, Instant};

/// Time between two checks whether the launch is done: the end is noticed so much later at most.
const CHECK: Duration = Duration::from_micros(500);

/// Time between two reads of the progress, which disturb the device.
pub(crate) const ASK: Duration = Duration::from_millis(50);

/// A wait for a launch.
pub(crate) struct Watch {
    asked: Instant,
}

impl Watch {
    /// Begins a wait.
    pub(crate) fn new() -> Self {
        Self { asked: Instant::now() }
    }

    /// Sleeps until the next check. Returns true if the progress is to be read, too.
    pub(crate) fn sleep(&mut self) -> bool {
        std::thread::sleep(CHECK);
        let is_due = self.asked.elapsed() >= ASK;
        if is_due {
            self.asked = Instant::now();
        }
        is_due
    }
}
