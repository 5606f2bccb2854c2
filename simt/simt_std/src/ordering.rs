//! The orders, the scopes and the operations of atomics.

/// The order of an atomic operation relative to the other accesses of its thread. The names are
/// those of `core::sync::atomic::Ordering`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// No order (PTX `.relaxed`).
    Relaxed,
    /// Accesses later in the program happen after it (PTX `.acquire`): for a read.
    Acquire,
    /// Accesses earlier in the program happen before it (PTX `.release`): for a write.
    Release,
    /// Acquire and release (PTX `.acq_rel`): for an operation that reads and writes.
    AcqRel,
    /// Acquire and release, and besides one order of all such operations and fences that all
    /// threads agree on (PTX `fence.sc` before the operation): for any operation. It is the
    /// slowest.
    SeqCst,
}

/// The set of threads that an atomic operation or a fence synchronises.
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
