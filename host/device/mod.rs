//! What computes: devices, and where their time goes.
#[cfg(feature = "gpu")]
pub mod gpu;

pub use simt_launch::device::{Device, Limits};
use std::time::Duration;

/// Where the time of a device went, as in the paper's table 1: the rest is the CPU's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spent {
    /// Kernels running.
    pub kernels: Duration,
    /// Copies between the host and the device.
    pub transfer: Duration,
    /// Cells that kernels computed.
    pub cells: u64,
}

/// Whether there is an NVIDIA GPU to run on.
pub fn gpu_present() -> bool {
    #[cfg(feature = "gpu")]
    return gpu::count().is_ok();
    #[cfg(not(feature = "gpu"))]
    return false;
}
