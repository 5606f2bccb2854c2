//! The faults that the simulator can find, and their texts.

use super::access::{Access, Space};
use std::fmt;
use std::panic::Location;

/// The position of a thread in its launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thread {
    /// Index of the block in x, y, z.
    pub block: [u32; 3],
    /// Index of the thread in its block, in x, y, z.
    pub thread: [u32; 3],
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [bx, by, bz] = self.block;
        let [tx, ty, tz] = self.thread;
        write!(f, "block ({bx}, {by}, {bz}), thread ({tx}, {ty}, {tz})")
    }
}

/// The type of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// An access outside every allocation.
    OutOfBounds {
        /// The memory space.
        space: Space,
        /// The nearest allocation and the position relative to it, if known.
        place: String,
    },
    /// An access of an allocation that has been freed.
    Freed {
        /// The element.
        place: String,
    },
    /// An address that is not a multiple of the access's size.
    Misaligned {
        /// The memory space.
        space: Space,
        /// The element at the address.
        place: String,
        /// The byte address.
        address: u64,
        /// Size of the access in bytes.
        size: u32,
    },
    /// A read of memory that no access has written.
    Uninitialised {
        /// The memory space.
        space: Space,
        /// The element.
        place: String,
    },
    /// An element of an output that the last launch has not written
    /// ([`check_written`](super::Simulator::check_written)).
    Unwritten {
        /// The element.
        place: String,
        /// The last launch, or `None` if there was none.
        last_launch: Option<Box<str>>,
    },
    /// Two accesses of one word by different threads, at least one of them a write, without an
    /// order between them: no barrier, and no release with an acquire. Two atomic operations race
    /// only if the scope of one does not include the other's block.
    Race {
        /// The memory space.
        space: Space,
        /// The element.
        place: String,
        /// The later access.
        access: Access,
        /// The earlier access.
        earlier: Access,
        /// The thread of the earlier access. It is boxed to keep results small.
        earlier_thread: Box<Thread>,
        /// The source line of the earlier access.
        earlier_location: &'static Location<'static>,
        /// True if both are plain writes, and the later one writes the value that memory has.
        same_value: bool,
    },
    /// An access of shared memory that an asynchronous copy writes, before its thread has waited
    /// for the copy ([`wait_prior`](crate::pipeline::wait_prior)).
    BeforeWait {
        /// The element.
        place: String,
        /// The access.
        access: Access,
        /// The thread that has started the copy.
        copy_thread: Box<Thread>,
        /// The source line of the copy.
        copy_location: &'static Location<'static>,
    },
    /// A barrier that some threads of the block do not reach.
    DivergentBarrier {
        /// The other thread's activity.
        other: String,
    },
    /// A collective used against its rules.
    Collective {
        /// The broken rule.
        reason: String,
    },
    /// Threads that wait for each other for ever.
    Deadlock {
        /// The waiting threads and their source lines.
        waiting: String,
    },
    /// A thread has used up its stack, by large local arrays or deep recursion. The source line is
    /// that of the thread's last access or synchronisation, or that of the launch if there was
    /// none.
    StackOverflow {
        /// Size of a thread's stack in bytes.
        bytes: usize,
    },
    /// An element that is read by [`read_only`](crate::global::Global::read_only) and written in
    /// the same launch. On a GPU, the read may return the value from before the launch, or any
    /// other.
    ReadOnly {
        /// The element.
        place: String,
        /// The later access; a read by `read_only` is a read.
        access: Access,
        /// The earlier access.
        earlier: Access,
        /// The thread of the earlier access.
        earlier_thread: Box<Thread>,
        /// The source line of the earlier access.
        earlier_location: &'static Location<'static>,
    },
    /// Accesses of one element by commands of two streams, at least one of them a write, without an
    /// order between them: no event, and no wait of the host. It is boxed to keep results small.
    Streams(Box<StreamAccess>),
    /// An allocation that the host freed while a launch might use it.
    FreedInUse {
        /// The allocation.
        buffer: Box<str>,
        /// The launch's kernel, in backquotes.
        launch: Box<str>,
        /// Number of the launch's stream.
        stream: u32,
    },
    /// The kernel panicked.
    Panic {
        /// Message of the panic.
        message: String,
    },
    /// The launch was interrupted from outside ([`interrupt`](super::interrupt)).
    Interrupted,
    /// A launch or a copy that the simulated GPU cannot do.
    Launch {
        /// The reason.
        reason: String,
    },
}

/// Two accesses of one element without an order: [`FaultKind::Streams`]. Streams are numbered from
/// 0, in the order in which the host made them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamAccess {
    /// The element.
    pub place: String,
    /// The later access.
    pub access: Access,
    /// Number of its stream, or `None` without a stream.
    pub stream: Option<u32>,
    /// The earlier access.
    pub earlier: Access,
    /// The earlier command: the kernel or the function, in backquotes.
    pub earlier_command: String,
    /// Number of its stream.
    pub earlier_stream: u32,
    /// The source line of the earlier access, or `None` if unknown.
    pub earlier_location: Option<&'static Location<'static>>,
}

impl fmt::Display for StreamAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, access, stream, earlier, earlier_command, earlier_stream, earlier_location } = self;
        write!(f, "no order between two streams on {place}: this {access}")?;
        if let Some(stream) = stream {
            write!(f, " in stream {stream}")?;
        }
        write!(f, " and the {earlier} by {earlier_command} in stream {earlier_stream}")?;
        if let Some(at) = earlier_location {
            write!(f, " at {}:{}", at.file(), at.line())?;
        }
        match stream {
            Some(stream) => write!(
                f,
                ". Record an event in stream {earlier_stream} after {earlier_command} and let stream {stream} wait for \
                 it (`record`, `wait_for`), or let the host wait for stream {earlier_stream} (`wait`)"
            ),
            None => write!(f, ". Let the host wait for stream {earlier_stream} before (`wait`)"),
        }
    }
}

/// A fault in a kernel, with its source line and thread. Its `Debug` text is the message, because
/// `unwrap` and a `main` that returns it show that text.
#[derive(Clone, PartialEq, Eq)]
pub struct Fault {
    /// Type of the fault.
    pub kind: FaultKind,
    /// Name of the kernel.
    pub kernel: Box<str>,
    /// The thread at fault, or `None` if the fault is not that of a single thread.
    pub thread: Option<Thread>,
    /// The source line, or `None` if unknown.
    pub location: Option<&'static Location<'static>>,
    /// Seed of the schedule ([`Options::seed`](super::Options::seed)), or `None` if it has none.
    pub seed: Option<u64>,
}

impl Fault {
    pub(super) fn on_host(what: &str, kind: FaultKind) -> Self {
        Self { kernel: what.into(), ..Self::in_launch(kind, None, None) }
    }

    /// Makes a fault of a launch; the launch adds its name and its seed.
    pub(super) fn in_launch(
        kind: FaultKind,
        thread: Option<Thread>,
        location: Option<&'static Location<'static>>,
    ) -> Self {
        Self { kind, kernel: "".into(), thread, location, seed: None }
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {}", self.kernel)?;
        if let Some(thread) = self.thread {
            write!(f, ", {thread}")?;
        }
        if let Some(location) = self.location {
            write!(f, ", {}:{}", location.file(), location.line())?;
        }
        if let Some(seed) = self.seed {
            write!(f, ", with seed {seed}")?;
        }
        f.write_str(": ")?;
        match &self.kind {
            FaultKind::OutOfBounds { space, place } => write!(f, "{space} access out of bounds: {place}"),
            FaultKind::Freed { place } => write!(
                f,
                "access of freed memory: {place} has been freed; on a GPU, another allocation may have the memory now"
            ),
            FaultKind::Misaligned { space, place, address, size } => write!(
                f,
                "misaligned {space} access: {place} has address {address:#x}, no multiple of the {size} bytes of the access"
            ),
            FaultKind::Uninitialised { space, place } => write!(f, "read of uninitialised {space} memory: {place}"),
            FaultKind::Unwritten { place, last_launch: None } => write!(f, "unwritten: {place}: nothing was launched"),
            FaultKind::Unwritten { place, last_launch: Some(launch) } => write!(
                f,
                "unwritten: {place}: no thread of the last launch, {launch}, has written it. Check the number of blocks, the \
                 order of x and y, and the condition for threads beyond the end"
            ),
            FaultKind::Race { space, place, access, earlier, earlier_thread, earlier_location, same_value } => {
                let (file, line) = (earlier_location.file(), earlier_location.line());
                write!(
                    f,
                    "race in {space} memory on {place}: this {access} and the {earlier} by {earlier_thread} at {file}:{line} "
                )?;
                let same_block = self.thread.is_some_and(|thread| thread.block == earlier_thread.block);
                f.write_str(match (access, earlier) {
                    (Access::Atomic, Access::Atomic) => "are of two blocks, and the scope of one is its block",
                    _ if same_block => "have no barrier between them",
                    _ => "are of two blocks, and no release and acquire orders them",
                })?;
                f.write_str(match (access, earlier) {
                    (Access::Write, Access::Write) if *same_value => {
                        ". If all threads write the same value, use `atomic::store`"
                    }
                    (Access::Read, Access::Atomic) | (Access::Atomic, Access::Read) => {
                        ". `atomic::load` reads without a race"
                    }
                    (Access::Write, Access::Atomic) | (Access::Atomic, Access::Write) => {
                        ". `atomic::store` writes without a race"
                    }
                    _ => "",
                })
            }
            FaultKind::DivergentBarrier { other } => write!(
                f,
                "divergent barrier: {other}. Every thread of a block must come to the same barrier: move it out of the branch \
                 or the loop, and let no thread return before it"
            ),
            FaultKind::BeforeWait { place, access, copy_thread, copy_location } => write!(
                f,
                "{access} before the wait: the copy of {copy_thread} at {}:{} to {place} may not have arrived. \
                 `pipeline::wait_prior` waits for the copies of the thread that calls it; a barrier after it lets other \
                 threads go on",
                copy_location.file(),
                copy_location.line()
            ),
            FaultKind::Collective { reason } => write!(f, "collective: {reason}"),
            FaultKind::Deadlock { waiting } => write!(f, "deadlock: {waiting}"),
            FaultKind::StackOverflow { bytes } => write!(
                f,
                "stack overflow: a thread has {} KiB for its local variables and calls; this is where it last accessed memory \
                 or met others, or else the launch. Use smaller local arrays or less recursion",
                bytes / 1024
            ),
            FaultKind::ReadOnly { place, access, earlier, earlier_thread, earlier_location } => {
                let (file, line) = (earlier_location.file(), earlier_location.line());
                let what = |access: &Access| if *access == Access::Read { "read by read_only" } else { access.name() };
                write!(
                    f,
                    "{place} is read by `read_only` and written in one launch: this {} and the {} by {earlier_thread} at \
                     {file}:{line}. Use `read`",
                    what(access),
                    what(earlier)
                )
            }
            FaultKind::Streams(access) => access.fmt(f),
            FaultKind::FreedInUse { buffer, launch, stream } => write!(
                f,
                "{buffer} was freed while {launch} in stream {stream} may use it: the host has not waited for the launch. \
                 Keep the buffer until the host has waited for stream {stream} (`wait`, `download`)"
            ),
            FaultKind::Panic { message } => write!(f, "panic: {message}"),
            FaultKind::Interrupted => f.write_str("interrupted"),
            FaultKind::Launch { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for Fault {}
