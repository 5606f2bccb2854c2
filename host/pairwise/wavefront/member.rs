//! A device's part of a batch: streams, and buffers that grow with what is asked of them.

use super::strings::CodeBuffer;
use crate::device::Device;
use crate::error::{Error, Result};
use simt_std::Word;
use simt_std::global::Global;

/// A buffer that grows.
pub(super) struct GrowingBuffer<D: Device, T: Word> {
    name: &'static str,
    pub(super) buffer: Option<D::Buffer<T>>,
    pub(super) len: usize,
}

impl<D: Device, T: Word> GrowingBuffer<D, T> {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, buffer: None, len: 0 }
    }

    /// The buffer, with room for `len` elements at least; and whether it is new.
    pub(super) fn take(&mut self, device: &D, len: usize) -> Result<(&mut D::Buffer<T>, bool)> {
        let new = self.len < len || self.buffer.is_none();
        if new {
            // The old one goes first: both may not fit.
            self.buffer = None;
            self.len = 0;
            self.buffer = Some(device.alloc(len.max(1), self.name)?);
            self.len = len;
        }
        match &mut self.buffer {
            Some(buffer) => Ok((buffer, new)),
            None => Err(Error::Usage(format!("no room for {}", self.name))),
        }
    }

    pub(super) fn handle(&self, device: &D) -> Global<T> {
        self.buffer.as_ref().map_or(Global::at(0), |b| device.handle(b))
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.len * size_of::<T>()) as u64
    }

    pub(super) fn clear(&mut self) {
        (self.buffer, self.len) = (None, 0);
    }
}

/// A row of carries that another device sends.
pub(super) struct Awaited {
    /// Where it starts in the carries of the device that reads it.
    pub(super) start: u64,
    /// Its words.
    pub(super) tiles: u64,
    /// Its tag.
    pub(super) tag: u32,
}

/// A device's part of it.
pub(super) struct Member<D: Device> {
    pub(super) stream: D::Stream,
    /// For asking how far the launch in `stream` is.
    pub(super) asking: D::Stream,
    /// Both strings as codes, or parts of them.
    pub(super) strings: CodeBuffer<D>,
    pub(super) fields: GrowingBuffer<D, u64>,
    pub(super) groups: GrowingBuffer<D, u64>,
    pub(super) rows: GrowingBuffer<D, u32>,
    pub(super) v: GrowingBuffer<D, u32>,
    /// The columns in the order of the rows, where V is not.
    pub(super) ordered: GrowingBuffer<D, u32>,
    pub(super) carries: GrowingBuffer<D, u64>,
    pub(super) found: GrowingBuffer<D, u64>,
    pub(super) progress: D::Buffer<u32>,
    /// Of the last launch.
    pub(super) awaited: Vec<Awaited>,
}

impl<D: Device> Member<D> {
    /// Bytes of the buffers that grow, but for those of strings that stay.
    pub(super) fn held(&self, resident: bool) -> u64 {
        let strings = if resident { 0 } else { self.strings.bytes() };
        let words = self.fields.bytes() + self.groups.bytes() + self.carries.bytes() + self.found.bytes();
        strings + words + self.rows.bytes() + self.v.bytes() + self.ordered.bytes()
    }

    /// Makes room for so many bytes more: what was left by batches of another shape goes.
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
