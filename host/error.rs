//! What can go wrong, each with what to do about it.

mod faults;

pub use faults::{InputFault, UsageFault};
use std::io;
use std::path::PathBuf;

/// Everything the library reports instead of panicking.
///
/// ```
/// use carrywave::device::Cpu;
/// use carrywave::error::{Error, UsageFault};
///
/// match Cpu::with_threads(0) {
///     Err(Error::Usage { fault: UsageFault::Range, reason }) => println!("choose another number: {reason}"),
///     Err(error) => println!("{error}"),
///     Ok(_) => unreachable!("0 threads are refused"),
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {}", path.display(), system_words(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file was read but is not what it was taken for.
    #[error("{}: {reason}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// The kind of fault, for advice of one's own.
        fault: InputFault,
        /// What is wrong with it and what to do.
        reason: String,
    },
    /// An argument that is out of range or does not fit the rest of the request.
    #[error("{reason}")]
    Usage {
        /// The kind of fault, for a program to act on.
        fault: UsageFault,
        /// What is wrong and what to do.
        reason: String,
    },
    /// One of several patterns cannot be searched for.
    #[error("pattern {} {reason}", number + 1)]
    Pattern {
        /// The pattern's number, from 0.
        number: usize,
        /// The kind of fault, for a program to act on.
        fault: UsageFault,
        /// What is wrong with it.
        reason: String,
    },
    /// A name that there is not.
    #[error("unknown {what} `{name}`: one of {}", known.join(", "))]
    UnknownName {
        /// What it was to be the name of.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// An algorithm or an engine that cannot do what it was asked for.
    #[error("{algorithm} {reason}")]
    Unsupported {
        /// Its name.
        algorithm: String,
        /// What it cannot do.
        reason: String,
    },
    /// The system does not start threads.
    #[error("threads cannot be started: {0}")]
    Threads(String),
    /// No NVIDIA GPU can be used here.
    #[error("no GPU: {0}; the CPU needs none")]
    NoGpu(String),
    /// The strings need more memory than the device has free.
    #[error(
        "this needs {} MiB of device memory and {} MiB are free; the CPU may have more",
        needed.div_ceil(1 << 20),
        free >> 20
    )]
    DeviceMemory {
        /// Bytes that would be allocated.
        needed: u64,
        /// Bytes free on the device.
        free: u64,
    },
    /// The host's memory is too small.
    #[error("out of memory: {} MiB for {what} cannot be had", bytes.div_ceil(1 << 20))]
    Memory {
        /// What would be kept.
        what: String,
        /// Bytes that it takes.
        bytes: u64,
    },
    /// The GPU driver refused or failed a call.
    #[error("GPU: {call} failed: {reason}")]
    Gpu {
        /// What was being done.
        call: String,
        /// What the driver said.
        reason: String,
    },
    /// The caller's own function ended the job: it returned this error, or unwound when it was told of progress.
    #[error("ended by its caller")]
    Interrupted,
    /// The simulator found a fault in a kernel.
    #[error("simulator: {0}")]
    Simulator(String),
    /// A member of a [cluster](crate::cluster) failed, and with it the comparison.
    #[error("rank {rank}: {reason}")]
    Member {
        /// Which one, from 0.
        rank: usize,
        /// What it said, or that nothing was heard of it.
        reason: String,
    },
    /// A result failed its own check: a bug in carrywave.
    #[error("a result failed verification, which is a bug in carrywave: {0}")]
    Verification(String),
}

impl UsageFault {
    /// Returns the error for an argument that is wrong in this way.
    ///
    /// ```
    /// use carrywave::error::{Error, UsageFault};
    ///
    /// let error = UsageFault::Range.error("give at least 1 thread, not 0");
    /// assert_eq!(error.to_string(), "give at least 1 thread, not 0");
    /// assert!(matches!(error, Error::Usage { fault: UsageFault::Range, .. }));
    /// ```
    pub fn error(self, reason: impl Into<String>) -> Error {
        Error::Usage { fault: self, reason: reason.into() }
    }
}

/// Returns the system's words for a failure, without the number that [`io::Error`] adds.
///
/// ```
/// let fault = std::fs::read("none").unwrap_err();
/// assert_eq!(carrywave::error::system_words(&fault), "No such file or directory");
/// ```
pub fn system_words(fault: &io::Error) -> String {
    without_number(&fault.to_string()).to_owned()
}

/// Removes the number of the system's error from the end of a message: " (os error 2)".
///
/// ```
/// assert_eq!(carrywave::error::without_number("it is not there (os error 2)"), "it is not there");
/// ```
pub fn without_number(message: &str) -> &str {
    let words = message.strip_suffix(')').and_then(|start| start.rsplit_once(" (os error "));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    words.filter(|(_, number)| is_number(number)).map_or(message, |(words, _)| words)
}

/// A result with carrywave's [`Error`]. See the [example](Error).
pub type Result<T> = std::result::Result<T, Error>;

impl From<simt_launch::Error> for Error {
    fn from(error: simt_launch::Error) -> Self {
        use simt_launch::Error as Device;
        match error {
            Device::NoGpu(reason) => Self::NoGpu(reason),
            Device::DeviceMemory { needed, free } => Self::DeviceMemory { needed, free },
            Device::HostMemory { bytes } => Self::Memory { what: "what comes from a GPU".into(), bytes },
            Device::Gpu { call, reason } => Self::Gpu { call, reason },
            Device::Simulator(fault) => Self::Simulator(fault.to_string()),
            other => Self::Gpu { call: "loading the kernels".into(), reason: other.to_string() },
        }
    }
}
