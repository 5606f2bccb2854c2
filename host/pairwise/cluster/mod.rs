//! One comparison on several members: engines of one process, or processes of several hosts.
//!
//! ```text
//!               columns, in chunks
//!             +-----+-----+-----+--
//!   member 0  |  0  |  1  |  2  |         Each member has a band of the table's rows, in proportion to its speed. What a band needs of the
//!             +--↓--+--↓--+--↓--+--       one above it are the carries of that one's last row: a bit a column, two of an edit distance. They are
//!   member 1  |  1  |  2  |  3  |         handed down chunk by chunk (`CarryLink`), so that members work at the same time, each a chunk
//!             +--↓--+--↓--+--↓--+--       behind the one above it; the numbers are those of the times.
//!   member 2  |  2  |  3  |  4  |
//!             +-----+-----+-----+--
//! ```
//!
//! A member's bits of the last column stay with it. The value of the table is the sum of what these rise. For a cut of Hirschberg's
//! recursion, the right half's table is filled backwards, from the last band up, and each member tells the best row among its own. Large parts
//! of the recursion are cut by all members together, one after the other; what is left is dealt out whole.
//!
//! All members run the same program on the same strings and take the same decisions, so that nobody is in charge. That the strings
//! are the same is checked first.
//!
//! | file | what |
//! |---|---|
//! | [`link`](CarryLink) | how carries travel: host memory; other ways implement it |
//! | `mpi` | by MPI, with the feature `mpi` |
//! | [`border`](Border) | the carries into and out of a band |
//! | `deal` | who computes what |
//! | `run` | what a member does |

mod border;
mod deal;
mod link;
#[cfg(feature = "mpi")]
mod mpi;
mod run;

pub use border::Border;
#[cfg(test)]
pub(in crate::pairwise) use border::Neighbours;
pub use link::{CarryLink, HostMemory};
#[cfg(feature = "mpi")]
pub use mpi::Mpi;
pub(crate) use run::{Job, Spread, Stats};

use super::column::{Column, Direction};
use super::columns::{Cuts, Part};
use super::differences::Differences;
use crate::device::{Devices, Engine};
use crate::error::{Error, Result};
use std::fmt;
use std::sync::Arc;

/// Columns of a chunk unless said: 8 KiB of carries of an LCS table, and some milliseconds of a GPU.
const CHUNK: usize = 1 << 16;

/// Columns that chunks are multiples of.
const CHUNK_UNIT: usize = 128;

/// Members at most.
const MOST: usize = 1 << 12;

/// The members that one comparison runs on.
///
/// ```
/// use carrywave::cluster::Cluster;
/// use carrywave::device::{Cpu, Simt};
/// use carrywave::lcs::Comparison;
///
/// let two = Cluster::of(&[&Cpu::new(), &Simt::new()])?;
/// assert_eq!(Comparison::new().across(&two).length(b"ABCBDAB", b"BDCABA")?, 4);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
pub struct Cluster {
    members: Members,
    shares: Option<Vec<f64>>,
    chunk: usize,
    whole: Option<u64>,
}

#[derive(Clone)]
enum Members {
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
    /// Engines of this process, each a member: CPUs, GPUs and the simulator in any order. Their carries go through the host's memory.
    ///
    /// # Errors
    /// [`Error::Usage`] for none, or more than 4,096.
    pub fn of(engines: &[&dyn Engine]) -> Result<Self> {
        check_size(engines.len())?;
        Ok(Self::new(Members::Here(engines.iter().map(|engine| Devices::of(*engine)).collect())))
    }

    /// This process as one of several members, with an engine of its own. All of them call the same jobs with the same strings, in the same order,
    /// and all get the results.
    ///
    /// # Errors
    /// [`Error::Usage`] for more than 4,096 members.
    pub fn linked(link: Arc<dyn CarryLink>, engine: &dyn Engine) -> Result<Self> {
        check_size(link.size())?;
        Ok(Self::new(Members::Linked(link, Devices::of(engine))))
    }

    fn new(members: Members) -> Self {
        Self { members, shares: None, chunk: CHUNK, whole: None }
    }

    /// How the rows are dealt out, a number for each member, instead of by their measured speeds. A member of share 0 gets no rows but those that are
    /// left over.
    ///
    /// # Errors
    /// [`Error::Usage`] where these are not as many numbers as members, or one is negative, or none above 0.
    pub fn shares(self, shares: &[f64]) -> Result<Self> {
        let right = shares.iter().all(|share| share.is_finite() && *share >= 0.0) && shares.iter().any(|&s| s > 0.0);
        if shares.len() != self.size() || !right {
            let reason = format!("{} members take as many shares of at least 0, not {shares:?}", self.size());
            return Err(Error::Usage(reason));
        }
        Ok(Self { shares: Some(shares.to_vec()), ..self })
    }

    /// Columns of a chunk, the same for all members: rounded up to a multiple of 128. Few, and members wait less for one another; many,
    /// and there are fewer messages.
    pub fn chunk(self, columns: usize) -> Self {
        Self { chunk: columns.clamp(1, 1 << 30).next_multiple_of(CHUNK_UNIT), ..self }
    }

    /// Parts of so many cells are not cut by all members any more but dealt out whole: for tests.
    #[doc(hidden)]
    pub fn whole(self, cells: u64) -> Self {
        Self { whole: Some(cells), ..self }
    }

    /// Which member this process is, from 0; 0 where it is all of them.
    pub fn rank(&self) -> usize {
        match &self.members {
            Members::Here(_) => 0,
            Members::Linked(link, _) => link.rank(),
        }
    }

    /// How many members there are.
    pub fn size(&self) -> usize {
        match &self.members {
            Members::Here(devices) => devices.len(),
            Members::Linked(link, _) => link.size(),
        }
    }
}

fn check_size(members: usize) -> Result<()> {
    if !(1..=MOST).contains(&members) {
        return Err(Error::Usage(format!("a cluster has 1 to {MOST} members, not {members}")));
    }
    Ok(())
}

/// An engine that holds two strings and takes bands of the rows of their tables through the columns.
pub trait Bands: Cuts {
    /// The last column of a band.
    type Column: Steps;

    /// Rows that a band which is not the table's last has a multiple of, in a table of about so many rows of this engine and so many columns.
    fn unit(&self, rows: u64, columns: u64) -> u64;

    /// Rows that it takes through the columns at once, in such a table: of more it takes the first ones to the last column before it begins with
    /// others, and the band below waits for these.
    fn at_once(&self, _rows: u64, _columns: u64) -> u64 {
        u64::MAX
    }

    /// The last column of a band of rows. Row 0 of the band is the last row of the band above it, whose carries come from the border; those of the
    /// band's last row go there.
    ///
    /// # Errors
    /// [`Error::Usage`] for parts that are not in the strings, [`Error::Member`] when another member has failed; others when the engine's
    /// device fails.
    fn band(&self, rows: &Part, columns: &Part, direction: Direction, border: &mut Border<'_>) -> Result<Self::Column>;
}

/// A column's differences from row to row.
pub trait Steps: Send + Sync {
    /// 1 where greater values are better, -1 where smaller ones are.
    const BETTER: i64;

    /// The difference from row i to row i + 1.
    fn step(&self, i: usize) -> i64;

    /// The difference from the first row to the last.
    fn rise(&self) -> i64;
}

impl Steps for Column {
    const BETTER: i64 = 1;

    fn step(&self, i: usize) -> i64 {
        Column::step(self, i).into()
    }

    fn rise(&self) -> i64 {
        self.last() as i64
    }
}

impl Steps for Differences {
    const BETTER: i64 = -1;

    fn step(&self, i: usize) -> i64 {
        Differences::step(self, i)
    }

    fn rise(&self) -> i64 {
        Differences::rise(self, 0..self.rows())
    }
}
