//! A row of the table of algorithms: a way to compute last columns of LCS tables on devices.

use crate::error::Result;
use crate::job::Progress;
use crate::pairwise::columns::Columns;
use crate::pairwise::rows::DeviceRow;

/// Takes two strings to devices, at least one.
type Open<D> = for<'d> fn(&[&'d D], [&'d [u8]; 2], Progress<'d>) -> Result<Box<dyn Columns + 'd>>;

/// A way to compute last columns of LCS tables on devices.
pub type DeviceAlgorithm<D> = DeviceRow<Open<D>>;
