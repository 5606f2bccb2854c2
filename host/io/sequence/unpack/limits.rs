//! Limits of the memory of a decompressor.

use crate::memory;

/// Buffer size of a decompressor, in bytes.
pub(super) const BUFFER: usize = 1 << 16;

/// Upper bound on the compressed size of a member that is decompressed as a whole, in bytes.
pub(super) const MOST_PACKED: usize = 1 << 24;

/// Upper bound on the size before compression of members that are decompressed as a whole, in
/// bytes.
pub(super) const MOST: usize = 1 << 26;

/// Returns the upper bound on the window of a decompressor, which a file's header declares: 2 GiB,
/// or less if memory is short.
pub(super) fn most_memory() -> u64 {
    let there = |bits: &u32| memory::check::<u8>(1 << bits, "a decompressor").is_ok();
    1 << (20..=31).rev().find(there).unwrap_or(20)
}
