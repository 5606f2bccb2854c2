//! Where the time of a device went.

use std::time::Duration;

/// Where the time of a device went; the rest is the host's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings {
    /// Kernels running.
    pub kernels: Duration,
    /// Copies between the host and the device.
    pub transfer: Duration,
    /// Cells that kernels computed.
    pub cells: u64,
}
