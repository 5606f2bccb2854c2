//! Errors of the host and the devices.

use simt_std::simulator::Fault;

/// An error that a device reports instead of panicking.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No NVIDIA GPU can be used here.
    #[error("no GPU: {0}")]
    NoGpu(String),
    /// The device has too little free memory.
    #[error("out of device memory: {} MiB are needed, but {} MiB are free", needed.div_ceil(1 << 20), free >> 20)]
    DeviceMemory {
        /// Requested bytes.
        needed: u64,
        /// Free bytes on the device.
        free: u64,
    },
    /// The host has too little memory for a copy from the device.
    #[error("out of memory: cannot allocate {} MiB for results from a device", bytes.div_ceil(1 << 20))]
    HostMemory {
        /// Requested bytes.
        bytes: u64,
    },
    /// No loaded module has the kernel, or a module cannot be loaded.
    #[error("{0}")]
    Module(String),
    /// A launch that the device cannot do.
    #[error("{0}")]
    Launch(String),
    /// The driver refused or failed a call.
    #[error("GPU: {call} failed: {reason}")]
    Gpu {
        /// The action that failed.
        call: String,
        /// The driver's error message.
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
