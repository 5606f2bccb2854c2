//! Fetches the objects of a list into the processor's cache before they are used. They are anywhere
//! in memory, so a thread would wait for each.

use pyo3::ffi::PyObject;

/// Number of objects between the one that is used and the one that is fetched.
pub const AHEAD: usize = 16;

/// Fetches the beginning of an object into the cache. The address may be any.
#[inline]
pub fn fetch(object: *mut PyObject) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let first = object.cast::<i8>();
        // SAFETY: this instruction reads nothing that the program can see, from any address.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(first);
            _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(64));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = object;
}
