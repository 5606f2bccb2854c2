//! The time that a device spent on kernels and copies.

use std::time::Duration;

/// Time that a device spends on a job; the rest of the job's time is the host's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings {
    /// Time that kernels run.
    pub kernels: Duration,
    /// Time of copies between the host and the device.
    pub transfer: Duration,
    /// Number of cells that kernels compute.
    pub cells: u64,
}
