//! Memory kept from one launch to the next, on the device and on the host.

use crate::device::Device;
use crate::error::Result;
use simt_std::Word;

/// Returns the kept buffer if it can hold `len` elements, or else a new one.
pub(super) fn room<'k, D: Device, T: Word>(
    device: &D,
    kept: &'k mut Option<(D::Buffer<T>, usize)>,
    len: usize,
    name: &str,
) -> Result<&'k mut D::Buffer<T>> {
    kept_or_new(kept, len, || device.alloc(len, name))
}

/// Returns the kept pinned memory if it has `len` bytes, or else new memory.
pub(super) fn pinned_room<'k, D: Device>(
    device: &D,
    kept: &'k mut Option<(D::Pinned, usize)>,
    len: usize,
) -> Result<&'k mut D::Pinned> {
    kept_or_new(kept, len, || device.pinned(len))
}

fn kept_or_new<M>(
    kept: &mut Option<(M, usize)>,
    len: usize,
    make: impl FnOnce() -> simt_launch::Result<M>,
) -> Result<&mut M> {
    if kept.as_ref().is_none_or(|kept| kept.1 < len) {
        // Freed first, since both together may not fit.
        *kept = None;
    }
    match kept {
        Some(kept) => Ok(&mut kept.0),
        None => Ok(&mut kept.insert((make()?, len)).0),
    }
}
