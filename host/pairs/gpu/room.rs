//! Device memory kept from one launch to the next.

use crate::device::Device;
use crate::error::Result;
use simt_std::Word;

/// Returns the kept buffer if it can hold `len` elements, or else a new one.
pub(super) fn room<'k, D: Device, T: Word>(
    device: &D,
    kept: &'k mut Option<(D::Buffer<T>, usize)>,
    len: usize,
    name: &str,
) -> Result<&'k D::Buffer<T>> {
    if kept.as_ref().is_none_or(|kept| kept.1 < len) {
        // Freed first, since both buffers together may not fit.
        *kept = None;
    }
    match kept {
        Some(kept) => Ok(&kept.0),
        None => Ok(&kept.insert((device.alloc(len, name)?, len)).0),
    }
}
