//! SIMD vectors of 64-bit words, chosen at run time.
//!
//! Making a vector takes a token of its instruction set, and only [`Isa::detect`] makes tokens. So
//! a vector is itself the proof that its instructions exist, and operations on it are safe. LLVM
//! joins AND, OR and XOR to instructions of three operands where the processor has any.
//!
//! | file | what |
//! |---|---|
//! | `isa` | traits of instruction sets and of their vectors: [`Isa`], [`Vector`] |
//! | `token` | the tokens of instruction sets |
//! | `avx512`, `avx2`, `plain` | one instruction set each |
//! | `lanes` | the widest vectors of the processor: [`Lanes`] |

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod isa;
mod lanes;
mod plain;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod token;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::{Avx2, Words4};
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::{Avx512, Words8};
pub(crate) use isa::{Isa, Vector};
pub(crate) use lanes::{Lanes, with_isa};
pub(crate) use plain::Plain;
#[cfg(test)]
pub(crate) use plain::Word;

/// Runs `work`, compiled for vectors of 32 bytes if the processor has them. `work` must be inlined:
/// `#[inline(always)] || ...`.
#[inline(always)]
pub(crate) fn by_vectors<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Avx2::detect() {
        return avx2.run(work);
    }
    work()
}

/// Runs `work`, compiled for the widest vectors of the processor. `work` must be inlined:
/// `#[inline(always)] || ...`.
#[inline(always)]
pub(crate) fn by_widest_vectors<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = Avx512::detect() {
        return avx512.run(work);
    }
    by_vectors(work)
}
