//! Checked allocation of host memory, where a size grows with the input: a failure is an error, not
//! the end of the program.

mod block_size;

use crate::{Error, Result};
pub use block_size::BlockSize;
use std::cell::Cell;

/// Minimum size of an allocation that is checked, in bytes: a smaller one only fails if memory is
/// exhausted anyway.
const MIN_CHECKED_BYTES: usize = 1 << 20;

thread_local! {
    static CHECKING: Cell<bool> = const { Cell::new(false) };
}

/// Returns true while this thread only checks whether memory can be allocated, and handles a
/// failure. For a program whose allocator ends it when memory is exhausted.
///
/// ```
/// assert!(!carrywave::memory::is_checking());
/// ```
pub fn is_checking() -> bool {
    CHECKING.get()
}

/// Checks that memory for `len` elements of `what` can be allocated.
pub(crate) fn check<T>(len: usize, what: &str) -> Result<()> {
    let bytes = len.saturating_mul(size_of::<T>());
    if bytes < MIN_CHECKED_BYTES {
        return Ok(());
    }
    CHECKING.set(true);
    let there = Vec::<T>::new().try_reserve_exact(len).is_ok();
    CHECKING.set(false);
    if there { Ok(()) } else { Err(Error::Memory { what: what.into(), bytes: bytes as u64 }) }
}

/// Returns a vector of `len` equal elements.
///
/// # Errors
/// [`Error::Memory`], as [`check`] does.
pub(crate) fn filled<T: Clone>(len: usize, element: T, what: &str) -> Result<Vec<T>> {
    check::<T>(len, what)?;
    Ok(vec![element; len])
}

/// Makes room in a vector for `more` elements: doubles its capacity, or if that fails, makes room
/// for just these.
#[inline(always)]
pub(crate) fn reserve<T>(vector: &mut Vec<T>, more: usize, what: &str) -> Result<()> {
    if vector.capacity() - vector.len() >= more { Ok(()) } else { grow(vector, more, what) }
}

#[cold]
fn grow<T>(vector: &mut Vec<T>, more: usize, what: &str) -> Result<()> {
    CHECKING.set(true);
    let there = vector.try_reserve(more).or_else(|_| vector.try_reserve_exact(more)).is_ok();
    CHECKING.set(false);
    let bytes = vector.len().saturating_add(more).saturating_mul(size_of::<T>());
    if there { Ok(()) } else { Err(Error::Memory { what: what.into(), bytes: bytes as u64 }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_an_error() {
        assert!(check::<u8>(100, "a hundred bytes").is_ok());
        assert!(check::<u64>(1 << 20, "8 MiB").is_ok());
        for len in [1 << 58, usize::MAX] {
            let message = check::<u64>(len, "the hits").unwrap_err().to_string();
            assert!(message.contains("the hits") && message.contains("MiB"), "{message}");
        }
        let mut vector = vec![1, 2, 3];
        reserve(&mut vector, 1000, "numbers").unwrap();
        assert!(vector.capacity() >= 1003);
        assert!(matches!(reserve(&mut vector, usize::MAX, "numbers"), Err(Error::Memory { .. })));
        assert_eq!((vector, is_checking()), (vec![1, 2, 3], false));
    }
}
