//! What can go wrong between the host and a device.

use simt_std::simulator::Fault;

/// Everything a device reports instead of panicking.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No NVIDIA GPU can be used here.
    #[error("no GPU: {0}")]
    NoGpu(String),
    /// The device has too little memory free.
    #[error("{} MiB of device memory are needed and {} MiB are free", needed.div_ceil(1 << 20), free >> 20)]
    DeviceMemory {
        /// Bytes that were asked for.
        needed: u64,
        /// Bytes free on the device.
        free: u64,
    },
    /// The host has too little memory for what is copied from the device.
    #[error("out of memory: {} MiB for what comes from a device cannot be had", bytes.div_ceil(1 << 20))]
    HostMemory {
        /// Bytes that were asked for.
        bytes: u64,
    },
    /// A kernel is in none of the modules that were loaded, or a module cannot be loaded.
    #[error("{0}")]
    Module(String),
    /// The driver refused or failed a call.
    #[error("GPU: {call} failed: {reason}")]
    Gpu {
        /// What was being done.
        call: String,
        /// What the driver said.
        reason: String,
    },
    /// The simulator found a fault in a kernel.
    #[error("simulator: {0}")]
    Simulator(#[from] Box<Fault>),
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Simulator(Box::new(fault))
    }
}

/// A result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
