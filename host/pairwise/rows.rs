//! The entries of the tables of algorithms that LCS and distance share.

use super::similar::{Answer, Request};
use crate::algorithm::About;
use crate::job::Progress;

/// An algorithm of the CPU. `C` computes the last column of a table.
#[derive(Debug)]
pub struct CpuRow<C> {
    /// Its name, source, cost and limits.
    pub about: About,
    /// Function of the algorithm.
    pub computes: Computes<C>,
}

/// Function of an algorithm of the CPU.
#[derive(Debug, Clone, Copy)]
pub enum Computes<C> {
    /// Computes the last column of any table.
    Columns(C),
    /// Computes the distance of two whole strings, or their script. It may give up; then columns
    /// are computed.
    Whole(Whole),
}

/// Compares two whole strings. The last argument is called with the number of cells done since its
/// last call.
pub type Whole = fn(&[u8], &[u8], &Request, Progress<'_>) -> Answer;

impl<C: Copy> CpuRow<C> {
    /// Returns the function for last columns; `None` for an algorithm of whole strings.
    pub fn columns(&self) -> Option<C> {
        match self.computes {
            Computes::Columns(columns) => Some(columns),
            Computes::Whole(_) => None,
        }
    }

    /// Returns the function for whole strings; `None` for an algorithm of columns.
    pub fn whole(&self) -> Option<Whole> {
        match self.computes {
            Computes::Columns(_) => None,
            Computes::Whole(whole) => Some(whole),
        }
    }
}

/// An algorithm of devices. `O` opens two strings on at least one device.
pub struct DeviceRow<O> {
    /// Its name, source, cost and limits.
    pub about: &'static About,
    /// Opens two strings on devices.
    pub open: O,
    /// Returns true if a part of m × n symbols is faster on a GPU than on the CPU's threads, at a
    /// level of the recursion with `level` cells.
    pub is_faster: fn(m: u64, n: u64, level: u64, threads: usize) -> bool,
    /// Lower bound on the error rate at which its bands are faster than the CPU's; `None` for an
    /// algorithm of full tables.
    pub bands: Option<f64>,
}
