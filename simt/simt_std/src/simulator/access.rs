//! Memory spaces and types of access.

use crate::ordering::{Order, Scope};
use std::fmt;

/// A memory space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Global memory of the device, which all blocks can access.
    Global,
    /// Shared memory of one block.
    Shared,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Space::Global => "global",
            Space::Shared => "shared",
        })
    }
}

/// A type of memory access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic operation.
    Atomic,
}

impl Access {
    pub(super) fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::Atomic => "atomic",
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An atomic operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Atomic {
    /// Type of access: a load leaves the value unchanged, a store ignores the old value.
    pub access: Access,
    /// Order relative to the thread's other accesses.
    pub order: Order,
    /// Threads with whose operations it is atomic and ordered.
    pub scope: Scope,
}
