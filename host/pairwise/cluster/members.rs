//! The members that one comparison runs on.

use super::link::CarryLink;
use crate::device::{Devices, Engine, EngineKind};
use crate::error::{Result, UsageFault};
use std::fmt;
use std::sync::Arc;

/// Default number of columns of a chunk: 8 KiB of carries of an LCS table, and some milliseconds of
/// a GPU.
const CHUNK: usize = 1 << 16;

/// Chunks are multiples of this number of columns.
const CHUNK_UNIT: usize = 128;

/// Upper bound on the number of members.
const MAX_MEMBERS: usize = 1 << 12;

/// The members that one comparison runs on.
///
/// ```
/// use carrywave::cluster::Cluster;
/// use carrywave::device::{Cpu, Simt};
/// use carrywave::lcs::Comparison;
///
/// let two = Cluster::new(&[&Cpu::new(), &Simt::new()])?;
/// assert_eq!(Comparison::new().across(&two).length(b"ABCBDAB", b"BDCABA")?, 4);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
pub struct Cluster {
    pub(super) members: Members,
    pub(super) shares: Option<Vec<f64>>,
    pub(super) chunk: usize,
    pub(super) whole: Option<u64>,
}

#[derive(Clone)]
pub(super) enum Members {
    /// All members are in this process.
    Here(Vec<Devices>),
    /// This process is one of the members.
    Linked(Arc<dyn CarryLink>, Devices),
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster")
            .field("rank", &self.rank())
            .field("size", &self.size())
            .field("shares", &self.shares)
            .field("chunk", &self.chunk)
            .finish_non_exhaustive()
    }
}

impl Cluster {
    /// Returns a cluster of engines of this process, each a member, as in the [example](Self):
    /// CPUs, GPUs and the simulator in any order. Their carries go through the host's memory.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Range`] for no engine, or more than
    /// 4,096.
    pub fn new(engines: &[&dyn Engine]) -> Result<Self> {
        check_size(engines.len())?;
        Ok(Self::with_members(Members::Here(engines.iter().map(|engine| Devices::from_engine(*engine)).collect())))
    }

    /// Makes this process one of several members, with an engine of its own. All members must call
    /// the same jobs with the same strings, in the same order, and all get the results, as in the
    /// [example](CarryLink).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Range`] for more than 4,096
    /// members.
    pub fn linked(link: Arc<dyn CarryLink>, engine: &dyn Engine) -> Result<Self> {
        check_size(link.size())?;
        Ok(Self::with_members(Members::Linked(link, Devices::from_engine(engine))))
    }

    fn with_members(members: Members) -> Self {
        Self { members, shares: None, chunk: CHUNK, whole: None }
    }

    /// Sets the share of the rows for each member, instead of the measured speeds. A member with
    /// share 0 only gets rows that are left over.
    ///
    /// ```
    /// use carrywave::cluster::Cluster;
    /// use carrywave::device::Cpu;
    /// use carrywave::lcs::Comparison;
    ///
    /// // The first member takes two thirds of the rows.
    /// let cluster =
    ///     Cluster::new(&[&Cpu::new(), &Cpu::new()])?.shares(&[2.0, 1.0])?.chunk(1 << 12);
    /// assert_eq!((cluster.size(), cluster.rank()), (2, 0));
    /// assert_eq!(Comparison::new().across(&cluster).length(b"ABCBDAB", b"BDCABA")?, 4);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage): [`UsageFault::Mismatch`] if the number of shares
    /// differs from the number of members, [`UsageFault::Range`] if one is negative, or all are 0.
    pub fn shares(self, shares: &[f64]) -> Result<Self> {
        let right = shares.iter().all(|share| share.is_finite() && *share >= 0.0) && shares.iter().any(|&s| s > 0.0);
        if shares.len() != self.size() || !right {
            let reason =
                format!("{} members need one share each, all at least 0 and one above 0, not {shares:?}", self.size());
            let fault = if shares.len() == self.size() { UsageFault::Range } else { UsageFault::Mismatch };
            return Err(fault.error(reason));
        }
        Ok(Self { shares: Some(shares.to_vec()), ..self })
    }

    /// Sets the number of columns of a chunk, the same for all members; it is rounded up to a
    /// multiple of 128. Short chunks reduce the waiting between members, and long chunks reduce the
    /// number of messages. As in the [example](Self::shares).
    pub fn chunk(self, columns: usize) -> Self {
        Self { chunk: columns.clamp(1, 1 << 30).next_multiple_of(CHUNK_UNIT), ..self }
    }

    /// Assigns parts of at most `cells` cells to single members: for tests.
    #[doc(hidden)]
    pub fn whole(self, cells: u64) -> Self {
        Self { whole: Some(cells), ..self }
    }

    /// Returns the engines of this process's members.
    pub(crate) fn engines(&self) -> Vec<EngineKind> {
        match &self.members {
            Members::Here(devices) => devices.iter().map(Devices::kind).collect(),
            Members::Linked(_, devices) => vec![devices.kind()],
        }
    }

    /// Returns the number of the member that this process is, 0-based; 0 if it is all of them. As
    /// in the [example](Self::shares).
    pub fn rank(&self) -> usize {
        match &self.members {
            Members::Here(_) => 0,
            Members::Linked(link, _) => link.rank(),
        }
    }

    /// Returns the number of members, as in the [example](Self::shares).
    pub fn size(&self) -> usize {
        match &self.members {
            Members::Here(devices) => devices.len(),
            Members::Linked(link, _) => link.size(),
        }
    }
}

fn check_size(members: usize) -> Result<()> {
    if !(1..=MAX_MEMBERS).contains(&members) {
        return Err(UsageFault::Range.error(format!("a cluster must have 1 to {MAX_MEMBERS} members, not {members}")));
    }
    Ok(())
}
