//! A text, or a chunk of one, in a device's memory.

use crate::device::Device;
use crate::error::{Result, UsageFault};
use crate::memory;
use carrywave_kernels::search::lane_runs;
use carrywave_kernels::search::shift_or::TILE;
use simt_std::{U32x4, Word};
use std::sync::Arc;

/// Granularity of reads, in symbols: launches read texts in memory up to a multiple of this.
pub const ROUND: u64 = TILE;

/// A text, or a chunk of one, in a device's memory, with its own stream.
pub struct DeviceText<D: Device> {
    pub(super) device: Arc<D>,
    pub(super) stream: D::Stream,
    pub(super) text: D::Buffer<U32x4>,
    /// Capacity in symbols: the length of the text, or of the longest chunk if several chunks use
    /// this memory.
    pub(super) room: u64,
}

impl<D: Device> DeviceText<D> {
    /// Copies a text of at least one symbol to a device.
    ///
    /// # Errors
    /// [`Error::DeviceMemory`](crate::Error::DeviceMemory) if the text does not fit; other errors
    /// if the device fails.
    pub fn new(device: Arc<D>, text: &[u8]) -> Result<Arc<Self>> {
        let n = text.len() as u64;
        if n == 0 {
            return Err(UsageFault::Empty.error("a text on a device needs at least one symbol"));
        }
        memory::check::<u8>(text.len(), "a text on its way to a device")?;
        let mut words = vec![U32x4::default(); (n.next_multiple_of(ROUND) / 16) as usize];
        bytemuck::cast_slice_mut(&mut words)[..text.len()].copy_from_slice(text);
        let mut on_device = Self::with_room(device, n)?;
        on_device.device.upload(&on_device.stream, &mut on_device.text, &words)?;
        Ok(Arc::new(on_device))
    }

    /// Allocates memory for a text of `room` symbols.
    pub(super) fn with_room(device: Arc<D>, room: u64) -> Result<Self> {
        let text = device.alloc((room.next_multiple_of(ROUND) / 16) as usize, "text")?;
        Ok(Self { stream: device.stream()?, device, text, room })
    }

    /// Copies words to the device.
    pub(super) fn upload<T: Word>(&self, words: &[T], name: &str) -> Result<D::Buffer<T>> {
        Ok(self.device.alloc_from(&self.stream, words, name)?)
    }

    /// Returns the run of a lane and the halo before it, in symbols, for a search of the symbols
    /// from `from` to n by at most `lanes` lanes per multiprocessor. Each run needs the `before`
    /// symbols before it.
    pub(super) fn lane_run(&self, n: u64, from: u64, before: u32, lanes: u64) -> (u64, u64) {
        let halo = u64::from(before).next_multiple_of(lane_runs::ROUND);
        let most = u64::from(self.device.limits().multiprocessors) * lanes;
        let run = (n - from).div_ceil(most).max(2 * halo).next_multiple_of(lane_runs::ROUND);
        (run, halo)
    }
}
