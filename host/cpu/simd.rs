//! Which of the processor's vectors are used: all, unless `CARRYWAVE_SIMD` says less.
//!
//! For tests and comparisons on a processor that has more: `avx512`, `avx2` or `none`.

use once_cell::race::OnceNonZeroUsize;
use std::num::NonZeroUsize;

/// Bits of the widest vectors that may be used.
pub(crate) fn most_bits() -> usize {
    static MOST: OnceNonZeroUsize = OnceNonZeroUsize::new();
    let most = || match std::env::var("CARRYWAVE_SIMD").as_deref() {
        Ok("none") => 64,
        Ok("avx2") => 256,
        Ok("avx512" | "") | Err(_) => 512,
        Ok(other) => {
            log::warn!("CARRYWAVE_SIMD is avx512, avx2 or none, not {other}: all that there is");
            512
        }
    };
    MOST.get_or_init(|| NonZeroUsize::new(most()).unwrap_or(NonZeroUsize::MIN)).get()
}
