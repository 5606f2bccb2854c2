//! The time that a device spent on kernels and copies.

use std::time::Duration;

/// The time of a device; the rest of a job's time is the host's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings {
    /// Kernels running.
    pub kernels: Duration,
    /// Copies between the host and the device.
    pub transfer: Duration,
    /// Cells that kernels computed.
    pub cells: u64,
}
