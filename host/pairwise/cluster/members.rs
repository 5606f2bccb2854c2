//! The members that one comparison runs on.

use super::link::CarryLink;
use crate::device::{Devices, Engine, EngineKind};
use crate::error::{Result, UsageFault};
use std::fmt;
use std::sync::Arc;

/// Columns of a chunk unless said: 8 KiB of carries of an LCS table, and some milliseconds of a GPU.
const CHUNK: usize = 1 << 16;

/// Columns that chunks are multiples of.
const CHUNK_UNIT: usize = 128;

/// Members at most.
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
    /// All in this process.
    Here(Vec<Devices>),
    /// This process is one of them.
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
    /// Engines of this process, each a member, as in the [example](Self): CPUs, GPUs and the simulator in any order. Their carries go through the
    /// host's memory.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Range`] for none, or more than 4,096.
    pub fn new(engines: &[&dyn Engine]) -> Result<Self> {
        check_size(engines.len())?;
        Ok(Self::with_members(Members::Here(engines.iter().map(|engine| Devices::from_engine(*engine)).collect())))
    }

    /// This process as one of several members, with an engine of its own. All of them call the same jobs with the same strings, in the
    /// same order, and all get the results, as in the [example](CarryLink).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Range`] for more than 4,096 members.
    pub fn linked(link: Arc<dyn CarryLink>, engine: &dyn Engine) -> Result<Self> {
        check_size(link.size())?;
        Ok(Self::with_members(Members::Linked(link, Devices::from_engine(engine))))
    }

    fn with_members(members: Members) -> Self {
        Self { members, shares: None, chunk: CHUNK, whole: None }
    }

    /// How the rows are dealt out, a number for each member, instead of by their measured speeds. A member of share 0 gets no rows but
    /// those that are left over.
    ///
    /// ```
    /// use carrywave::cluster::Cluster;
    /// use carrywave::device::Cpu;
    /// use carrywave::lcs::Comparison;
    ///
    /// // The first member takes two thirds of the rows.
    /// let cluster = Cluster::new(&[&Cpu::new(), &Cpu::new()])?.shares(&[2.0, 1.0])?.chunk(1 << 12);
    /// assert_eq!((cluster.size(), cluster.rank()), (2, 0));
    /// assert_eq!(Comparison::new().across(&cluster).length(b"ABCBDAB", b"BDCABA")?, 4);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage): [`UsageFault::Mismatch`] where these are not as many numbers as members, [`UsageFault::Range`] where one is
    /// negative, or none above 0.
    pub fn shares(self, shares: &[f64]) -> Result<Self> {
        let right = shares.iter().all(|share| share.is_finite() && *share >= 0.0) && shares.iter().any(|&s| s > 0.0);
        if shares.len() != self.size() || !right {
            let reason = format!("{} members take as many shares of at least 0, not {shares:?}", self.size());
            let fault = if shares.len() == self.size() { UsageFault::Range } else { UsageFault::Mismatch };
            return Err(fault.error(reason));
        }
        Ok(Self { shares: Some(shares.to_vec()), ..self })
    }

    /// Sets the columns of a chunk, the same for all members: rounded up to a multiple of 128. With few, members wait less for one another; with
    /// many there are fewer messages. As in the [example](Self::shares).
    pub fn chunk(self, columns: usize) -> Self {
        Self { chunk: columns.clamp(1, 1 << 30).next_multiple_of(CHUNK_UNIT), ..self }
    }

    /// Deals out parts of at most `cells` cells whole: for tests.
    #[doc(hidden)]
    pub fn whole(self, cells: u64) -> Self {
        Self { whole: Some(cells), ..self }
    }

    /// The engines of this process's members.
    pub(crate) fn engines(&self) -> Vec<EngineKind> {
        match &self.members {
            Members::Here(devices) => devices.iter().map(Devices::kind).collect(),
            Members::Linked(_, devices) => vec![devices.kind()],
        }
    }

    /// Which member this process is, from 0; 0 where it is all of them. As in the [example](Self::shares).
    pub fn rank(&self) -> usize {
        match &self.members {
            Members::Here(_) => 0,
            Members::Linked(link, _) => link.rank(),
        }
    }

    /// The number of members, as in the [example](Self::shares).
    pub fn size(&self) -> usize {
        match &self.members {
            Members::Here(devices) => devices.len(),
            Members::Linked(link, _) => link.size(),
        }
    }
}

fn check_size(members: usize) -> Result<()> {
    if !(1..=MAX_MEMBERS).contains(&members) {
        return Err(UsageFault::Range.error(format!("a cluster has 1 to {MAX_MEMBERS} members, not {members}")));
    }
    Ok(())
}
