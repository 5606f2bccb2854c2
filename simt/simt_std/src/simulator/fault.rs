//! What the simulator can find wrong, and how it reads.

use super::access::{Access, Space};
use std::fmt;
use std::panic::Location;

/// Where a thread is in its launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thread {
    /// The block's index in x, y, z.
    pub block: [u32; 3],
    /// The thread's index in its block, in x, y, z.
    pub thread: [u32; 3],
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [bx, by, bz] = self.block;
        let [tx, ty, tz] = self.thread;
        write!(f, "block ({bx}, {by}, {bz}), thread ({tx}, {ty}, {tz})")
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// An access outside every allocation.
    OutOfBounds {
        /// The memory.
        space: Space,
        /// The allocation it lies behind or in front of, and where, as far as that is known.
        place: String,
    },
    /// An address that is not a multiple of the access's size.
    Misaligned {
        /// The memory.
        space: Space,
        /// The byte address.
        address: u64,
        /// The size in bytes.
        size: u32,
    },
    /// A read of memory that nothing wrote.
    Uninitialised {
        /// The memory.
        space: Space,
        /// Which element.
        place: String,
    },
    /// Two accesses of one word by different threads, one of them a write, that nothing orders: no barrier, no release and
    /// acquire. Two atomic operations race only where the scope of one of them does not reach the other's block.
    Race {
        /// The memory.
        space: Space,
        /// Which element.
        place: String,
        /// The later access.
        access: Access,
        /// The earlier access.
        earlier: Access,
        /// The thread of the earlier access; boxed, or every result would be larger.
        earlier_thread: Box<Thread>,
        /// The source line of the earlier access.
        earlier_location: &'static Location<'static>,
    },
    /// A barrier that not every thread of the block reaches.
    DivergentBarrier {
        /// What the other thread does.
        other: String,
    },
    /// A collective used against its rules.
    Collective {
        /// Which rule.
        reason: String,
    },
    /// Threads that wait for one another for ever.
    Deadlock {
        /// Who waits where.
        waiting: String,
    },
    /// A thread has used up its stack, by large local arrays or deep recursion. The line is that of the thread's last access or
    /// meeting before, or of the launch if there was none.
    StackOverflow {
        /// Bytes of stack of a thread.
        bytes: usize,
    },
    /// An element was read by [`read_only`](crate::global::Global::read_only) and written in the same launch. On a GPU the read may
    /// give the value from before the launch, or any other.
    ReadOnly {
        /// Which element.
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
    /// The kernel panicked.
    Panic {
        /// With these words.
        message: String,
    },
    /// The launch was ended from outside ([`interrupt`](super::interrupt)).
    Interrupted,
    /// A launch or a copy that the machine cannot do.
    Launch {
        /// Why.
        reason: String,
    },
}

/// A fault in a kernel: what, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What was found.
    pub kind: FaultKind,
    /// The kernel's name.
    pub kernel: Box<str>,
    /// The thread that made it, where it is one thread's.
    pub thread: Option<Thread>,
    /// The source line, where it is known.
    pub location: Option<&'static Location<'static>>,
    /// The seed of the schedule, if it had one: [`Options::seed`](super::Options::seed).
    pub seed: Option<u64>,
}

impl Fault {
    pub(super) fn on_host(what: &str, kind: FaultKind) -> Self {
        Self { kernel: what.into(), ..Self::in_launch(kind, None, None) }
    }

    /// A fault of a launch, which adds its name and its seed.
    pub(super) fn in_launch(
        kind: FaultKind,
        thread: Option<Thread>,
        location: Option<&'static Location<'static>>,
    ) -> Self {
        Self { kind, kernel: "".into(), thread, location, seed: None }
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
            FaultKind::Misaligned { space, address, size } => {
                write!(f, "misaligned {space} access: address {address:#x} is no multiple of {size}")
            }
            FaultKind::Uninitialised { space, place } => write!(f, "read of uninitialised {space} memory: {place}"),
            FaultKind::Race { space, place, access, earlier, earlier_thread, earlier_location } => {
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
                })
            }
            FaultKind::DivergentBarrier { other } => write!(f, "divergent barrier: {other}"),
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
            FaultKind::Panic { message } => write!(f, "panic: {message}"),
            FaultKind::Interrupted => f.write_str("interrupted"),
            FaultKind::Launch { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for Fault {}
