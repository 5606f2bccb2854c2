//! The order, the scope and the kind of an atomic operation.

/// What an atomic operation says about the other accesses of its thread; the names are those of
/// `core::sync::atomic::Ordering`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// Nothing (PTX `.relaxed`).
    Relaxed,
    /// What comes after it in the program is done after it (PTX `.acquire`): for a read.
    Acquire,
    /// What comes before it in the program is done before it (PTX `.release`): for a write.
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
