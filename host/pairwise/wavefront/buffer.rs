//! Buffers on a device that grow on demand.

use crate::device::Device;
use crate::error::Result;
use simt_std::Word;
use simt_std::global::Global;

/// A buffer that grows.
pub(super) struct GrowingBuffer<D: Device, T: Word> {
    name: &'static str,
    pub(super) buffer: Option<D::Buffer<T>>,
    len: usize,
}

impl<D: Device, T: Word> GrowingBuffer<D, T> {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, buffer: None, len: 0 }
    }

    /// Returns true if `len` elements need a new buffer.
    fn is_short(&self, len: usize) -> bool {
        self.len < len || self.buffer.is_none()
    }

    /// Returns the buffer, with room for at least `len` elements. `stream`: the stream that uses
    /// it, which is waited for before a shorter buffer is freed.
    pub(super) fn take(&mut self, device: &D, stream: &D::Stream, len: usize) -> Result<&mut D::Buffer<T>> {
        if self.is_short(len) && self.buffer.is_some() {
            device.wait(stream)?;
            // Freed first, since both buffers together may not fit.
            self.clear();
        }
        match &mut self.buffer {
            Some(buffer) => Ok(buffer),
            none => {
                let new = device.alloc(len.max(1), self.name)?;
                self.len = len;
                Ok(none.insert(new))
            }
        }
    }

    /// Returns the buffer; a new one is zeroed.
    pub(super) fn take_zeroed(&mut self, device: &D, stream: &D::Stream, len: usize) -> Result<&mut D::Buffer<T>> {
        let is_new = self.is_short(len);
        let buffer = self.take(device, stream, len)?;
        if is_new {
            device.zero(stream, buffer)?;
            device.wait(stream)?;
        }
        Ok(buffer)
    }

    pub(super) fn handle(&self, device: &D) -> Global<T> {
        self.buffer.as_ref().map_or(Global::at(0), |b| device.handle(b))
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.len * size_of::<T>()) as u64
    }

    pub(super) fn clear(&mut self) {
        self.buffer = None;
        self.len = 0;
    }
}
