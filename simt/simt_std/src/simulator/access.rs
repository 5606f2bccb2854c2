//! Kinds of memory, and kinds of access.

use crate::ordering::{Order, Scope};
use std::fmt;

/// A kind of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// The device's, seen by all blocks.
    Global,
    /// A block's own.
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

/// A way of touching memory.
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
    /// The access: a load leaves the value, a store does not look at it.
    pub access: Access,
    /// The order of the thread's other accesses.
    pub order: Order,
    /// The threads whose operations it is atomic with and ordered against.
    pub scope: Scope,
}
