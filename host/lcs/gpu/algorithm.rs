//! A row of the table of algorithms: an algorithm that computes last columns of LCS tables on
//! devices.

use crate::error::Result;
use crate::job::Progress;
use crate::pairwise::columns::Columns;
use crate::pairwise::rows::DeviceRow;

/// Copies two strings to one or more devices.
type Open<D> = for<'d> fn(&[&'d D], [&'d [u8]; 2], Progress<'d>) -> Result<Box<dyn Columns + 'd>>;

/// An algorithm that computes last columns of LCS tables on devices.
pub type DeviceAlgorithm<D> = DeviceRow<Open<D>>;
