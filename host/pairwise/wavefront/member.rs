//! A device's part of a batch: streams and buffers.

use super::buffer::GrowingBuffer;
use super::strings::{CodeBuffer, Encoded};
use crate::device::Device;
use crate::error::Result;

/// A row of carries that another device sends.
pub(super) struct Awaited {
    /// Its start in the carries of the device that reads it.
    pub(super) start: u64,
    /// Its words.
    pub(super) tiles: u64,
    /// Its tag.
    pub(super) tag: u32,
}

/// A device's part of a batch.
pub(super) struct Member<D: Device> {
    pub(super) stream: D::Stream,
    /// For asking how far the launch in `stream` is.
    pub(super) asking: D::Stream,
    /// Both strings as codes, or parts of them.
    pub(super) strings: CodeBuffer<D>,
    /// Entries of tables and of strips.
    pub(super) fields: GrowingBuffer<D, u64>,
    /// Prepared columns.
    pub(super) groups: GrowingBuffer<D, u64>,
    /// Planes of rows.
    pub(super) rows: GrowingBuffer<D, u32>,
    /// The bit-vectors of the strips' columns.
    pub(super) v: GrowingBuffer<D, u32>,
    /// The columns in the order of the rows, where V is not.
    pub(super) ordered: GrowingBuffer<D, u32>,
    /// Rows of carries between strips, a word a tile.
    pub(super) carries: GrowingBuffer<D, u64>,
    /// Cuts.
    pub(super) found: GrowingBuffer<D, u64>,
    /// Strips that were started, and tiles that are done.
    pub(super) progress: D::Buffer<u32>,
    /// The rows of carries that the last launch waits for.
    pub(super) awaited: Vec<Awaited>,
}

/// A launch whose progress is set to this starts no further strip: it looks as if more were claimed
/// than exist.
pub const NO_MORE_STRIPS: [u32; 2] = [u32::MAX / 2, 0];

impl<D: Device> Member<D> {
    /// A device that holds some codes.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn new(device: &D, codes: &Encoded) -> Result<Self> {
        let stream = device.stream()?;
        let mut strings = CodeBuffer::new();
        strings.upload(device, &stream, codes, 0)?;
        Ok(Self {
            stream,
            asking: device.stream()?,
            strings,
            fields: GrowingBuffer::new("strips"),
            groups: GrowingBuffer::new("columns"),
            rows: GrowingBuffer::new("row planes"),
            v: GrowingBuffer::new("V"),
            ordered: GrowingBuffer::new("columns in order"),
            carries: GrowingBuffer::new("carries"),
            found: GrowingBuffer::new("cuts"),
            progress: device.alloc(NO_MORE_STRIPS.len(), "progress")?,
            awaited: Vec::new(),
        })
    }

    /// Bytes of the buffers that grow, but for those of strings that stay.
    pub(super) fn held(&self, resident: bool) -> u64 {
        let strings = if resident { 0 } else { self.strings.bytes() };
        let words = self.fields.bytes() + self.groups.bytes() + self.carries.bytes() + self.found.bytes();
        strings + words + self.rows.bytes() + self.v.bytes() + self.ordered.bytes()
    }

    /// Makes room for `needed` bytes more: buffers from batches of another shape go.
    pub(super) fn make_room(&mut self, resident: bool, needed: u64, budget: u64) {
        if self.held(resident).saturating_add(needed) <= budget {
            return;
        }
        if !resident {
            self.strings.clear();
        }
        for room in [&mut self.fields, &mut self.groups, &mut self.carries, &mut self.found] {
            room.clear();
        }
        for room in [&mut self.rows, &mut self.v, &mut self.ordered] {
            room.clear();
        }
    }
}
