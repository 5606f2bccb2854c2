//! The time that a device spent on kernels and copies.

use std::ops::{AddAssign, Sub};
use std::time::Duration;

/// Time that a device spends on a job; the rest of the job's time is the host's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings {
    /// Time of waiting for the device to open.
    pub open: Duration,
    /// Time that kernels run.
    pub kernels: Duration,
    /// Time of preparing inputs for the device, and of copying them there.
    pub upload: Duration,
    /// Time of copying results to the host.
    pub download: Duration,
    /// Number of cells that kernels compute.
    pub cells: u64,
}

impl AddAssign for Timings {
    fn add_assign(&mut self, more: Self) {
        self.open = self.open.saturating_add(more.open);
        self.kernels = self.kernels.saturating_add(more.kernels);
        self.upload = self.upload.saturating_add(more.upload);
        self.download = self.download.saturating_add(more.download);
        self.cells = self.cells.saturating_add(more.cells);
    }
}

impl Sub for Timings {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self {
            open: self.open.saturating_sub(before.open),
            kernels: self.kernels.saturating_sub(before.kernels),
            upload: self.upload.saturating_sub(before.upload),
            download: self.download.saturating_sub(before.download),
            cells: self.cells.saturating_sub(before.cells),
        }
    }
}
