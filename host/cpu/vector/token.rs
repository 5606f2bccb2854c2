//! The tokens of instruction sets of x86-64.

/// Declares the token of an instruction set, which has these vectors.
macro_rules! token {
    ($isa:ident, $vector:ident, $feature:tt) => {
        #[doc = concat!("Proof that the processor has ", $feature, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) struct $isa(());

        impl Isa for $isa {
            type Vector = $vector;

            fn detect() -> Option<Self> {
                let allowed = 64 * $vector::WORDS <= crate::cpu::simd::most_bits();
                (allowed && is_x86_feature_detected!($feature)).then_some(Self(()))
            }

            #[inline(always)]
            fn run<R>(self, work: impl FnOnce() -> R) -> R {
                #[target_feature(enable = $feature)]
                fn compiled<R>(work: impl FnOnce() -> R) -> R {
                    work()
                }
                // SAFETY: the token.
                unsafe { compiled(work) }
            }
        }
    };
}

pub(super) use token;
