//! An entry of the table of algorithms that compare pairs of strings on a device.

use super::device_pairs::{Block, DevicePairs};
use crate::algorithm::About;
use crate::device::Device;
use crate::error::Result;
use crate::pairs::cost::Cost;

/// Computes the distances of listed pairs, in order.
type Listed<D> = fn(&DevicePairs<'_, D>, &[[&[u8]; 2]], Cost) -> Result<Vec<u32>>;

/// Computes the distances of all strings of two lists, in blocks of the matrix.
type All<D> = fn(&DevicePairs<'_, D>, &[&[u8]], &[&[u8]], Cost, &mut dyn FnMut(Block<'_>) -> Result<()>) -> Result<()>;

/// An algorithm that compares pairs of strings on a device.
pub struct DeviceAlgorithm<D: Device> {
    /// Its name, source, cost and limits.
    pub about: &'static About,
    /// Compares listed pairs; `None` if it only takes whole lists.
    pub(super) listed: Option<Listed<D>>,
    /// Compares all strings of two lists.
    pub(super) all: All<D>,
}
