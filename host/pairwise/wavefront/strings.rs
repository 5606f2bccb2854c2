//! The two strings of a comparison as codes: on the host, and on a device.

use super::buffer::GrowingBuffer;
use super::codes::Codes;
use super::launch::CodesOnDevice;
use crate::device::Device;
use crate::error::Result;
use std::ops::Range;

/// Two strings on the host, A and B.
pub enum Strings<'d> {
    /// Bytes: those that occur in both strings get small codes.
    Bytes([&'d [u8]; 2], Box<Codes>),
    /// Numbers below σ, which serve as codes directly.
    Tokens([&'d [u32]; 2], u32),
}

impl Strings<'_> {
    /// Returns σ, the size of the alphabet: codes are less.
    pub fn symbols(&self) -> u32 {
        match self {
            Self::Bytes(_, codes) => codes.symbols,
            Self::Tokens(_, symbols) => *symbols,
        }
    }

    /// Returns the numbers of symbols of A and of B.
    pub fn lengths(&self) -> [usize; 2] {
        match self {
            Self::Bytes(strings, _) => strings.map(<[u8]>::len),
            Self::Tokens(strings, _) => strings.map(<[u32]>::len),
        }
    }

    /// Returns the bytes of a code on a device.
    pub fn code_bytes(&self) -> u64 {
        match self {
            Self::Bytes(..) => 1,
            Self::Tokens(..) => 4,
        }
    }

    /// Returns an empty list of codes, with memory for `count` codes.
    pub fn no_codes(&self, count: usize) -> Encoded {
        match self {
            Self::Bytes(..) => Encoded::Bytes(Vec::with_capacity(count)),
            Self::Tokens(..) => Encoded::Words(Vec::with_capacity(count)),
        }
    }

    /// Appends a part of a string (0: A, 1: B) in codes.
    pub fn encode(&self, side: usize, range: Range<usize>, out: &mut Encoded) {
        match (self, out) {
            (Self::Bytes(strings, codes), Encoded::Bytes(out)) => codes.encode(side, &strings[side][range], out),
            (Self::Tokens(strings, _), Encoded::Words(out)) => out.extend_from_slice(&strings[side][range]),
            _ => debug_assert!(false, "codes of another kind of string"),
        }
    }
}

/// Codes to upload to a device.
pub enum Encoded {
    /// One byte each.
    Bytes(Vec<u8>),
    /// Four bytes each.
    Words(Vec<u32>),
}

impl Encoded {
    /// Appends `count` codes 0.
    pub fn pad(&mut self, count: usize) {
        match self {
            Self::Bytes(codes) => codes.resize(codes.len() + count, 0),
            Self::Words(codes) => codes.resize(codes.len() + count, 0),
        }
    }

    /// Returns the number of codes.
    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(codes) => codes.len(),
            Self::Words(codes) => codes.len(),
        }
    }
}

/// Codes on a device, for strings of either type.
pub(super) struct CodeBuffer<D: Device> {
    bytes: GrowingBuffer<D, u8>,
    words: GrowingBuffer<D, u32>,
    /// True if `words` is in use, false if `bytes` is.
    is_words: bool,
}

impl<D: Device> CodeBuffer<D> {
    pub(super) fn new() -> Self {
        Self { bytes: GrowingBuffer::new("strings"), words: GrowingBuffer::new("strings"), is_words: false }
    }

    /// Uploads codes, and reserves room for at least `room`.
    pub(super) fn upload(&mut self, device: &D, stream: &D::Stream, codes: &Encoded, room: usize) -> Result<()> {
        let room = room.max(codes.len());
        self.is_words = matches!(codes, Encoded::Words(_));
        match codes {
            Encoded::Bytes(codes) => device.upload(stream, self.bytes.take(device, stream, room)?, codes)?,
            Encoded::Words(codes) => device.upload(stream, self.words.take(device, stream, room)?, codes)?,
        }
        Ok(())
    }

    pub(super) fn handle(&self, device: &D) -> CodesOnDevice {
        if self.is_words {
            CodesOnDevice::Words(self.words.handle(device))
        } else {
            CodesOnDevice::Bytes(self.bytes.handle(device))
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes.bytes() + self.words.bytes()
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.words.clear();
    }
}
