//! The order, the scope and the kind of an atomic operation.

/// The order between an atomic operation and the other accesses of its thread; the names are those of
/// `core::sync::atomic::Ordering`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// No order (PTX `.relaxed`).
    Relaxed,
    /// Later accesses in the program are done after it (PTX `.acquire`): for a read.
    Acquire,
    /// Earlier accesses in the program are done before it (PTX `.release`): for a write.
    Release,
    /// Both (PTX `.acq_rel`): for an operation that reads and writes.
    AcqRel,
}

/// Among which threads an atomic operation or a fence works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// The threads of this block (PTX `.cta`, CUDA C++ `cuda::thread_scope_block`).
    Block,
    /// All threads on this GPU (PTX `.gpu`, CUDA C++ `cuda::thread_scope_device`).
    Device,
    /// All threads of all GPUs and of the host (PTX `.sys`, CUDA C++ `cuda::thread_scope_system`).
    System,
}

/// An atomic read-modify-write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rmw {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
}
