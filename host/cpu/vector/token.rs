//! Tokens of x86-64 instruction sets. A token proves that the processor has the instructions and
//! that `CARRYWAVE_SIMD` allows them.

use once_cell::race::OnceNonZeroUsize;
use std::num::NonZeroUsize;

/// Declares the token of an instruction set with this type of vectors.
macro_rules! token {
    ($isa:ident, $vector:ident, $($feature:tt),+) => {
        #[doc = concat!("Proof that the processor has", $(" ", $feature),+, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) struct $isa(());

        impl Isa for $isa {
            type Vector = $vector;

            fn detect() -> Option<Self> {
                let allowed = 64 * $vector::WORDS <= $crate::cpu::vector::token::most_bits();
                (allowed $(&& is_x86_feature_detected!($feature))+).then_some(Self(()))
            }

            #[inline(always)]
            fn run<R>(self, work: impl FnOnce() -> R) -> R {
                #[target_feature($(enable = $feature),+)]
                fn compiled<R>(work: impl FnOnce() -> R) -> R {
                    work()
                }
                // SAFETY: the token proves support.
                unsafe { compiled(work) }
            }
        }
    };
}

pub(super) use token;

/// Returns the maximum width of vectors, in bits.
pub(crate) fn most_bits() -> usize {
    static MAX_BITS: OnceNonZeroUsize = OnceNonZeroUsize::new();
    let most = || match std::env::var("CARRYWAVE_SIMD").as_deref() {
        Ok("none") => 64,
        Ok("avx2") => 256,
        Ok("avx512" | "") | Err(_) => 512,
        Ok(other) => {
            log::warn!("CARRYWAVE_SIMD must be avx512, avx2 or none, not {other}; the best supported level is used");
            512
        }
    };
    MAX_BITS.get_or_init(|| NonZeroUsize::new(most()).unwrap_or(NonZeroUsize::MIN)).get()
}
