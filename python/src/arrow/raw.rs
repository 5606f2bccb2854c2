//! Columns of strings that are copied only once, to where they are compared.

use super::Arrays;
use super::abi::Array;
use super::read::{Layout, Parts, wrong};
use crate::shared::read_into;
use carrywave::internal::ColumnBytes;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// A column of strings in the memory of another library.
pub struct RawColumn {
    chunks: Vec<RawChunk>,
    /// The place of each string in the bytes of all chunks, and the end of the last one.
    pub offsets: Vec<u64>,
    /// True for each null; empty if there are none.
    pub missing: Vec<bool>,
    pub is_text: Option<bool>,
    /// The pieces of text that were copied and are not ASCII.
    beyond_ascii: Mutex<Vec<Piece>>,
}

/// A place in the bytes of all chunks.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
}

/// The bytes of an array's strings.
struct RawChunk {
    /// Place of its first byte in the bytes of all chunks.
    start: usize,
    len: usize,
    bytes: *const u8,
    /// Keeps the bytes.
    _array: Array,
}

// SAFETY: the bytes are only read, as atomics; by the interface, they stay until the array is
// dropped, which may happen on any thread.
unsafe impl Send for RawChunk {}
// SAFETY: as above.
unsafe impl Sync for RawChunk {}

impl RawColumn {
    /// Reads the offsets of arrays that [have](Arrays::has_offsets) some.
    pub fn new(py: Python<'_>, mut arrays: Arrays) -> PyResult<Self> {
        let size = if let Layout::Offsets(size) = arrays.of.layout { size } else { 0 };
        let is_text = arrays.of.content.is_text();
        let mut column =
            Self { chunks: Vec::new(), offsets: vec![0], missing: Vec::new(), is_text, beyond_ascii: Mutex::default() };
        while let Some(array) = arrays.next()? {
            column.add(py, array, size)?;
            py.check_signals()?;
        }
        Ok(column)
    }

    fn add(&mut self, py: Python<'_>, array: Array, size: usize) -> PyResult<()> {
        let parts = Parts::new(py, &array)?;
        let rows = self.offsets.len() - 1;
        if parts.len == 0 {
            return Ok(());
        }
        let start = self.offsets[rows];
        let first = parts.add_ends(size, start, &mut self.offsets)?;
        let len = (self.offsets[self.offsets.len() - 1] - start) as usize;
        let bytes = if len == 0 { std::ptr::null() } else { parts.buffer(2)? };
        if len > 0 && bytes.is_null() {
            return Err(wrong("the buffer of the strings is missing"));
        }
        let valid = parts.validity()?;
        if valid.is_some() || !self.missing.is_empty() {
            self.missing.resize(rows, false);
            match valid {
                Some(valid) => self.missing.extend(valid.into_iter().map(|valid| !valid)),
                None => self.missing.resize(rows + parts.len, false),
            }
        }
        self.chunks.push(RawChunk { start: start as usize, len, bytes: bytes.wrapping_add(first), _array: array });
        Ok(())
    }

    /// Returns the number of strings.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the rows with strings that have other characters than ASCII, among those that were
    /// copied, in order.
    pub fn rows_beyond_ascii(&self) -> Vec<usize> {
        let mut pieces = self.beyond_ascii.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.sort_unstable_by_key(|piece| piece.start);
        let mut parts: Vec<Range<usize>> = Vec::new();
        for piece in pieces.iter() {
            let first = self.offsets.partition_point(|&offset| offset as usize <= piece.start).saturating_sub(1);
            let end = self.offsets.partition_point(|&offset| (offset as usize) < piece.end).min(self.len());
            let next = parts.last().map_or(0, |part| part.end);
            parts.push(first.max(next)..end.max(next));
        }
        let beyond = |rows: Range<usize>| {
            let start = self.offsets[rows.start] as usize;
            let bytes = self.bytes(rows.clone());
            let string = move |row: usize| [row, row + 1].map(|row| self.offsets[row] as usize - start);
            rows.filter(move |&row| {
                let [start, end] = string(row);
                !bytes[start..end].is_ascii()
            })
        };
        parts.into_par_iter().flat_map_iter(beyond).collect()
    }

    /// Copies the strings of some rows, one after another.
    pub fn bytes(&self, rows: Range<usize>) -> Vec<u8> {
        let [start, end] = [rows.start, rows.end].map(|row| self.offsets[row] as usize);
        let mut bytes = vec![0; end - start];
        self.read(start, &mut bytes);
        bytes
    }

    fn read(&self, mut start: usize, mut to: &mut [u8]) {
        let mut number = self.chunks.partition_point(|chunk| chunk.start + chunk.len <= start);
        while !to.is_empty() {
            let chunk = &self.chunks[number];
            let before = start - chunk.start;
            let len = to.len().min(chunk.len - before);
            let (own, rest) = to.split_at_mut(len);
            // SAFETY: by the interface, the array has these bytes, and keeps them.
            unsafe { read_into(chunk.bytes.wrapping_add(before), own) };
            (start, to, number) = (start + len, rest, number + 1);
        }
    }
}

impl ColumnBytes for RawColumn {
    fn copy(&self, start: usize, to: &mut [u8]) {
        self.read(start, to);
        if self.is_text == Some(true) && !to.is_ascii() {
            let piece = Piece { start, end: start + to.len() };
            self.beyond_ascii.lock().unwrap_or_else(PoisonError::into_inner).push(piece);
        }
    }
}
