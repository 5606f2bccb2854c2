//! Copies of memory that another thread may write while it is read: buffers of Python and of Arrow.
//! No thread can change the copy after the library has checked it. Atomic reads make the copy, so a
//! simultaneous write is well defined: each byte is the old one or the new one.

use carrywave::internal::threads;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Returns an empty vector with room for `len` elements; raises MemoryError if there is no memory.
pub fn room<T>(len: usize) -> PyResult<Vec<T>> {
    let mut vector = Vec::new();
    let failed = |_| {
        let bytes = len.saturating_mul(size_of::<T>());
        PyMemoryError::new_err(format!("no memory for {bytes} bytes"))
    };
    vector.try_reserve_exact(len).map_err(failed)?;
    Ok(vector)
}

/// Copies `len` bytes: on this thread if they are few, else on all threads.
///
/// # Safety
/// `start` points to `len` readable bytes, unless `len` is 0. They stay allocated during the call.
pub unsafe fn copied(py: Python<'_>, start: *const u8, len: usize) -> PyResult<Vec<u8>> {
    let mut copy = room(len)?;
    if len <= OF_THREAD {
        // SAFETY: the caller's bytes.
        unsafe { append(&mut copy, start, len) };
        return Ok(copy);
    }
    ask_for_huge_pages(&mut copy);
    // SAFETY: by the caller's contract; an atomic byte has the size of a byte.
    let source = unsafe { std::slice::from_raw_parts(start.cast::<AtomicU8>(), len) };
    let places = &mut copy.spare_capacity_mut()[..len];
    for (places, source) in places.chunks_mut(PART).zip(source.chunks(PART)) {
        threads::run(|| {
            let parts = places.par_chunks_mut(OF_THREAD).zip(source.par_chunks(OF_THREAD));
            parts.for_each(|(places, source)| fill(places, source));
        });
        if len > PART {
            py.check_signals()?;
        }
    }
    // SAFETY: `len` bytes were written.
    unsafe { copy.set_len(len) };
    Ok(copy)
}

/// Minimum size of copies that are faster with huge pages.
#[cfg(target_os = "linux")]
const HUGE: usize = 4 << 20;

/// Asks the system for huge pages: getting many small pages takes longer than copying them.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(vector: &mut Vec<u8>) {
    use rustix::mm::{Advice, madvise};
    let page = rustix::param::page_size();
    let room = vector.spare_capacity_mut();
    let skipped = room.as_ptr().align_offset(page).min(room.len());
    let len = (room.len() - skipped) / page * page;
    if len >= HUGE {
        // SAFETY: only the vector owns the memory of these pages, and the advice does not change
        // it. Without huge pages the call fails, which does not matter.
        let _ = unsafe { madvise(room[skipped..].as_mut_ptr().cast(), len, Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: &mut Vec<u8>) {}

/// Number of bytes to copy between two checks for signals.
const PART: usize = 1 << 28;
/// Number of bytes that a thread copies at a time: a huge page.
const OF_THREAD: usize = 2 << 20;

/// Appends a copy of `len` bytes to a vector that has room for them.
///
/// # Safety
/// As [`copied`].
pub unsafe fn append(copy: &mut Vec<u8>, start: *const u8, len: usize) {
    if len == 0 {
        return;
    }
    copy.reserve(len);
    // SAFETY: by the caller's contract; an atomic byte has the size of a byte.
    let source = unsafe { std::slice::from_raw_parts(start.cast::<AtomicU8>(), len) };
    let old = copy.len();
    fill(&mut copy.spare_capacity_mut()[..len], source);
    // SAFETY: `len` bytes were written.
    unsafe { copy.set_len(old + len) };
}

/// Copies as many bytes as `to` has.
///
/// # Safety
/// As [`copied`].
pub unsafe fn read_into(start: *const u8, to: &mut [u8]) {
    if to.is_empty() {
        return;
    }
    // SAFETY: by the caller's contract; an atomic byte has the size of a byte.
    let source = unsafe { std::slice::from_raw_parts(start.cast::<AtomicU8>(), to.len()) };
    // SAFETY: `fill` only writes initialised bytes.
    let places = unsafe { &mut *(ptr::from_mut(to) as *mut [MaybeUninit<u8>]) };
    fill(places, source);
}

/// Copies bytes to the same number of elements, eight at a time where possible.
fn fill(places: &mut [MaybeUninit<u8>], source: &[AtomicU8]) {
    // SAFETY: any eight bytes are a valid atomic word if they are aligned.
    let (head, words, tail) = unsafe { source.align_to::<AtomicU64>() };
    let (of_head, rest) = places.split_at_mut(head.len());
    let (of_words, of_tail) = rest.split_at_mut(size_of_val(words));
    let single = |(place, byte): (&mut MaybeUninit<u8>, &AtomicU8)| _ = place.write(byte.load(Ordering::Relaxed));
    of_head.iter_mut().zip(head).for_each(single);
    for (place, word) in of_words.as_chunks_mut::<8>().0.iter_mut().zip(words) {
        *place = word.load(Ordering::Relaxed).to_ne_bytes().map(MaybeUninit::new);
    }
    of_tail.iter_mut().zip(tail).for_each(single);
}
