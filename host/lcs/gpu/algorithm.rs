//! A row of the table of algorithms: a way to compute an LCS table on devices.

use crate::algorithm::About;
use crate::device::Device;
use crate::error::Result;
use crate::pairwise::columns::Columns;
use crate::pairwise::problem::Progress;

/// Takes two strings to devices, at least one.
type Open<D> = for<'d> fn(&[&'d D], [&'d [u8]; 2], Progress<'d>) -> Result<Box<dyn Columns + 'd>>;

/// A way to compute last columns of LCS tables on devices.
pub struct DeviceAlgorithm<D: Device> {
    /// Its name, source, cost and limits.
    pub about: &'static About,
    /// Takes two strings to devices, at least one.
    pub open: Open<D>,
    /// Returns whether a part of m × n symbols is faster on a GPU than on the CPU's threads, at a level of the recursion with `level` cells.
    pub is_faster: fn(m: u64, n: u64, level: u64, threads: usize) -> bool,
}
