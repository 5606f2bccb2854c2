//! The vector instruction set for searches that process 64 symbols of several segments at a time.

use crate::algorithm::About;
#[cfg(target_arch = "x86_64")]
use crate::cpu::segment_isa::SegmentIsa as _;
use crate::error::Result;

/// The widest supported vector instructions.
#[derive(Debug, Clone, Copy)]
pub(super) enum Simd {
    #[cfg(target_arch = "x86_64")]
    Avx512(crate::cpu::segment_isa::Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(crate::cpu::segment_isa::Avx2),
}

impl Simd {
    /// Returns the widest vectors of this processor, or `None` if it has none of these.
    pub fn widest() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return crate::cpu::segment_isa::Avx512::detect()
            .map(Self::Avx512)
            .or_else(|| crate::cpu::segment_isa::Avx2::detect().map(Self::Avx2));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Returns the widest vectors of this processor.
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) if the processor has none, for an algorithm that
    /// requires them.
    pub fn required(about: &About) -> Result<Self> {
        let reason = "needs a processor with AVX-512 or AVX2";
        Self::widest().ok_or_else(|| about.unsupported(reason.into()))
    }
}
