//! A device's part of a batch: streams and buffers.

use super::buffer::GrowingBuffer;
use super::strings::{CodeBuffer, Encoded};
use crate::device::Device;
use crate::error::Result;

/// A row of carries that another device sends.
pub(super) struct Awaited {
    /// Start in the carries of the device that reads it.
    pub(super) start: u64,
    /// Number of words.
    pub(super) tiles: u64,
    /// Tag of the words.
    pub(super) tag: u32,
}

/// A device's part of a batch.
pub(super) struct Member<D: Device> {
    pub(super) stream: D::Stream,
    /// Stream for reading the progress of the launch in `stream`.
    pub(super) asking: D::Stream,
    /// Both strings as codes, or parts of them.
    pub(super) strings: CodeBuffer<D>,
    /// Entries of tables and of strips.
    pub(super) fields: GrowingBuffer<D, u64>,
    /// Prepared columns.
    pub(super) groups: GrowingBuffer<D, u64>,
    /// Planes of rows.
    pub(super) rows: GrowingBuffer<D, u32>,
    /// Bit-vectors of the strips' columns.
    pub(super) v: GrowingBuffer<D, u32>,
    /// Columns in the order of the rows, if V has another order.
    pub(super) ordered: GrowingBuffer<D, u32>,
    /// Rows of carries between strips, a word a tile.
    pub(super) carries: GrowingBuffer<D, u64>,
    /// Cuts.
    pub(super) found: GrowingBuffer<D, u64>,
    /// Steps of the staircase where two tables meet.
    pub(super) steps: GrowingBuffer<D, u32>,
    /// Number of strips started, and of tiles done.
    pub(super) progress: D::Buffer<u32>,
    /// Rows of carries that the last launch waits for.
    pub(super) awaited: Vec<Awaited>,
}

/// Progress value that stops a launch from starting further strips, as if more were claimed than
/// exist.
pub const NO_MORE_STRIPS: [u32; 2] = [u32::MAX / 2, 0];

impl<D: Device> Member<D> {
    /// Prepares a device for some codes.
    ///
    /// # Errors
    /// Errors of the device.
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
            steps: GrowingBuffer::new("steps"),
            progress: device.alloc(NO_MORE_STRIPS.len(), "progress")?,
            awaited: Vec::new(),
        })
    }

    /// Returns the bytes of the growing buffers, except for resident strings.
    pub(super) fn held(&self, resident: bool) -> u64 {
        let strings = if resident { 0 } else { self.strings.bytes() };
        let words = self.fields.bytes() + self.groups.bytes() + self.carries.bytes() + self.found.bytes();
        strings + words + self.rows.bytes() + self.v.bytes() + self.ordered.bytes() + self.steps.bytes()
    }

    /// Makes room for `needed` more bytes: frees buffers from batches of another shape.
    ///
    /// # Errors
    /// Errors of the device.
    pub(super) fn make_room(&mut self, device: &D, resident: bool, needed: u64, budget: u64) -> Result<()> {
        if self.held(resident).saturating_add(needed) > budget {
            self.clear(device, resident)?;
        }
        Ok(())
    }

    /// Waits for the stream, and frees the growing buffers, except for resident strings.
    ///
    /// # Errors
    /// Errors of the device.
    pub(super) fn clear(&mut self, device: &D, resident: bool) -> Result<()> {
        device.wait(&self.stream)?;
        if !resident {
            self.strings.clear();
        }
        for room in [&mut self.fields, &mut self.groups, &mut self.carries, &mut self.found] {
            room.clear();
        }
        for room in [&mut self.rows, &mut self.v, &mut self.ordered, &mut self.steps] {
            room.clear();
        }
        Ok(())
    }
}
