//! Errors of the library. Each message says what to do.

mod faults;

pub use faults::{InputFault, UsageFault};
use std::io;
use std::path::PathBuf;

/// All errors that the library reports instead of panicking.
///
/// ```
/// use carrywave::device::Cpu;
/// use carrywave::error::{Error, UsageFault};
///
/// match Cpu::with_threads(0) {
///     Err(Error::Usage { fault: UsageFault::Range, reason }) => {
///         println!("choose another number: {reason}")
///     }
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
        /// The system's error.
        source: io::Error,
    },
    /// A file was read, but its contents are not what was expected.
    #[error("{}: {reason}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// The kind of fault, for a program that gives advice of its own.
        fault: InputFault,
        /// Description of the fault, and what to do.
        reason: String,
    },
    /// An argument that is out of range or does not fit the rest of the request.
    #[error("{reason}")]
    Usage {
        /// The kind of fault, for a program to act on.
        fault: UsageFault,
        /// Description of the fault, and what to do.
        reason: String,
    },
    /// One of several patterns cannot be searched for.
    #[error("pattern {} {reason}", number + 1)]
    Pattern {
        /// The pattern's number, from 0.
        number: usize,
        /// The kind of fault, for a program to act on.
        fault: UsageFault,
        /// Description of the fault.
        reason: String,
    },
    /// An unknown name.
    #[error("unknown {what} `{name}`; choose one of {}", known.join(", "))]
    UnknownName {
        /// The kind of thing that has such names, for example an algorithm.
        what: &'static str,
        /// The unknown name.
        name: String,
        /// The names that exist.
        known: Vec<&'static str>,
    },
    /// An algorithm or an engine cannot do what is requested.
    #[error("{algorithm} {reason}")]
    Unsupported {
        /// Name of the algorithm or engine.
        algorithm: String,
        /// The limitation, as the end of a sentence that begins with the name.
        reason: String,
    },
    /// The system does not start threads.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// No NVIDIA GPU can be used here.
    #[error("no GPU: {0}; use the CPU instead")]
    NoGpu(String),
    /// The strings need more memory than the device has free.
    #[error(
        "out of device memory: {} MiB are needed, but {} MiB are free; the CPU may have more memory",
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
    #[error("out of memory: cannot allocate {} MiB for {what}", bytes.div_ceil(1 << 20))]
    Memory {
        /// Description of the data.
        what: String,
        /// Size of the data, in bytes.
        bytes: u64,
    },
    /// The GPU driver refused or failed a call.
    #[error("GPU: {call} failed: {reason}")]
    Gpu {
        /// The call that failed.
        call: String,
        /// The driver's message.
        reason: String,
    },
    /// The caller's own function ended the job: it returned this error, or unwound during a
    /// progress callback.
    #[error("interrupted by the caller")]
    Interrupted,
    /// The simulator found a fault in a kernel.
    #[error("simulator: {0}")]
    Simulator(String),
    /// A member of a [cluster](crate::cluster) failed, and with it the comparison.
    #[error("rank {rank}: {reason}")]
    Member {
        /// The member's rank, from 0.
        rank: usize,
        /// The member's message, or that it did not answer.
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

/// Returns the system's message for a failure, without the number that [`io::Error`] adds.
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
            Device::HostMemory { bytes } => Self::Memory { what: "results from the GPU".into(), bytes },
            Device::Gpu { call, reason } => Self::Gpu { call, reason },
            Device::Simulator(fault) => Self::Simulator(fault.to_string()),
            other => Self::Gpu { call: "loading the kernels".into(), reason: other.to_string() },
        }
    }
}
