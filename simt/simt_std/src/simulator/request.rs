//! Requests of a thread to the scheduler, and the resulting states of a lane.

use super::access::Space;
use super::site::SourceLocation;
use crate::shuffle::Shuffle;
use std::fmt;

/// The end of a thread's coroutine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Returned,
    /// Its stack was used up.
    Overflow,
}

/// An access of memory: its address and its source line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub space: Space,
    pub address: u64,
    pub place: SourceLocation,
}

/// A collective operation of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collective {
    Sync,
    All,
    Any,
    Ballot,
    /// `wide`: of 64 bits, as below.
    MatchAny {
        wide: bool,
    },
    MatchAll {
        wide: bool,
    },
    /// `wide`: 64 bits, which take two instructions on the GPU.
    Shuffle {
        kind: Shuffle,
        operand: u32,
        width: u32,
        wide: bool,
    },
}

impl Collective {
    /// Returns the number of warp instructions on the GPU.
    pub(super) fn instructions(self) -> u64 {
        if let Collective::Shuffle { wide: true, .. } = self { 2 } else { 1 }
    }

    /// Returns true if two lanes are at the same instruction: operands may differ, except for a
    /// shuffle's type, width and size.
    pub(super) fn is_same_instruction(self, other: Self) -> bool {
        match (self, other) {
            (
                Collective::Shuffle { kind, width, wide, .. },
                Collective::Shuffle { kind: other_kind, width: other_width, wide: other_wide, .. },
            ) => (kind, width, wide) == (other_kind, other_width, other_wide),
            _ => self == other,
        }
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Collective::Sync => f.write_str("a sync_warp"),
            Collective::All => f.write_str("a vote (all)"),
            Collective::Any => f.write_str("a vote (any)"),
            Collective::Ballot => f.write_str("a ballot"),
            Collective::MatchAny { wide } => write!(f, "a match (any, {} bits)", if *wide { 64 } else { 32 }),
            Collective::MatchAll { wide } => write!(f, "a match (all, {} bits)", if *wide { 64 } else { 32 }),
            Collective::Shuffle { kind, width, wide, .. } => {
                let kind = match kind {
                    Shuffle::Up => "up",
                    Shuffle::Down => "down",
                    Shuffle::Idx => "idx",
                    Shuffle::Xor => "xor",
                };
                write!(f, "a shuffle ({kind}, width {width}, {} bits)", if *wide { 64 } else { 32 })
            }
        }
    }
}

/// An arrival at a named barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named {
    pub id: u32,
    /// Number of threads that the barrier waits for.
    pub threads: u32,
    /// True if the thread waits for the others.
    pub waits: bool,
    pub location: SourceLocation,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, threads, waits, .. } = self;
        let function = if *waits { "barrier_sync" } else { "barrier_arrive" };
        write!(f, "`{function}({id}, {threads})`")
    }
}

/// The reason why a thread suspends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Request {
    Barrier(SourceLocation),
    /// Waits for the whole grid.
    Grid(SourceLocation),
    /// Arrives at a named barrier of the block.
    Named(Named),
    Collective {
        operation: Collective,
        mask: u32,
        value: u64,
        location: SourceLocation,
    },
    /// The other lanes of the warp must run first: the thread's recorded accesses wait to be
    /// counted together with theirs.
    Full,
    /// Other threads must run first, because the thread may be spinning on its next access.
    Yield,
    /// The thread found a fault and ends.
    Fault,
}

/// The state of a thread.
pub(super) enum Lane {
    Ready(u64),
    Waiting(Request),
    Done,
}

impl Lane {
    pub(super) fn collective(&self) -> Option<(Collective, u32, u64, SourceLocation)> {
        match self {
            Lane::Waiting(Request::Collective { operation, mask, value, location }) => {
                Some((*operation, *mask, *value, *location))
            }
            _ => None,
        }
    }
}
