//! Memory that another thread may write while it is read: buffers of Python and of Arrow. The library gets a copy, so that what it checked stays
//! as it is. The copy is made by atomic reads, which a write at the same time leaves defined: each byte is an old one or a new one.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// An empty vector with room for so many elements; MemoryError where there is none.
pub fn room<T>(len: usize) -> PyResult<Vec<T>> {
    let mut vector = Vec::new();
    let failed = |_| {
        let bytes = len.saturating_mul(size_of::<T>());
        PyMemoryError::new_err(format!("no memory for {bytes} bytes"))
    };
    vector.try_reserve_exact(len).map_err(failed)?;
    Ok(vector)
}

/// A copy of so many bytes.
///
/// # Safety
/// `start` points to so many bytes that can be read, unless `len` is 0. They stay allocated during the call.
pub unsafe fn copied(start: *const u8, len: usize) -> PyResult<Vec<u8>> {
    let mut copy = room(len)?;
    // SAFETY: the caller's.
    unsafe { append(&mut copy, start, len) };
    Ok(copy)
}

/// Adds a copy of so many bytes to a vector.
///
/// # Safety
/// As [`copied`].
pub unsafe fn append(copy: &mut Vec<u8>, start: *const u8, len: usize) {
    if len == 0 {
        return;
    }
    let head = start.align_offset(size_of::<u64>()).min(len);
    let (words, tail) = ((len - head) / size_of::<u64>(), (len - head) % size_of::<u64>());
    // SAFETY: `head`, the words and `tail` are the bytes of the caller, and atomics have the size of what they hold; the words are aligned.
    let (head, words, tail) = unsafe {
        (
            std::slice::from_raw_parts(start.cast::<AtomicU8>(), head),
            std::slice::from_raw_parts(start.add(head).cast::<AtomicU64>(), words),
            std::slice::from_raw_parts(start.add(len - tail).cast::<AtomicU8>(), tail),
        )
    };
    copy.extend(head.iter().map(|byte| byte.load(Ordering::Relaxed)));
    let old = copy.len();
    copy.resize(old + size_of_val(words), 0);
    for (place, word) in copy[old..].as_chunks_mut::<8>().0.iter_mut().zip(words) {
        *place = word.load(Ordering::Relaxed).to_ne_bytes();
    }
    copy.extend(tail.iter().map(|byte| byte.load(Ordering::Relaxed)));
}
