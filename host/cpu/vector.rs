//! SIMD vectors of 64-bit words, found at run time.
//!
//! Whoever makes a vector shows a token of its instruction set, and only [`Isa::detect`] makes tokens. So a vector is
//! itself the proof that its instructions exist, and operations on it are safe. LLVM joins AND, OR and XOR to
//! instructions of three operands where there are any.

#[cfg(target_arch = "x86_64")]
use super::simd;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// An instruction set that this processor has.
pub(crate) trait Isa: Copy + Send + Sync + 'static {
    /// Its vectors.
    type Vector: Vector<Isa = Self>;

    /// The token, if the processor has the instructions.
    fn detect() -> Option<Self>;

    /// Runs `work`, compiled for these instructions with all that is inlined into it.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// Words side by side; the first is the lowest.
pub(crate) trait Vector: Copy + Send {
    type Isa: Isa<Vector = Self>;
    const WORDS: usize;

    fn splat(isa: Self::Isa, word: u64) -> Self;
    /// The first words of a slice that has at least so many.
    fn load(isa: Self::Isa, words: &[u64]) -> Self;
    /// The first words of a slice that has at least so many.
    fn store(self, words: &mut [u64]);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
    /// In each word the bits from `shift` < 64 on of self (low) and `high`.
    fn funnel(self, high: Self, shift: u32) -> Self;
    /// All bits of the vector, as one number, move down by one; the lowest of `above` becomes the highest.
    fn shift_down(self, above: u64) -> Self;
    /// The lowest word.
    fn first(self) -> u64;
    /// Whether all bits are 0.
    fn is_zero(self) -> bool;
}

#[cfg(target_arch = "x86_64")]
macro_rules! isa {
    ($isa:ident, $vector:ident, $feature:tt) => {
        #[doc = concat!("Proof that the processor has ", $feature, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) struct $isa(());

        impl Isa for $isa {
            type Vector = $vector;

            fn detect() -> Option<Self> {
                let allowed = 64 * $vector::WORDS <= simd::most_bits();
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

#[cfg(target_arch = "x86_64")]
isa!(Avx512, Words8, "avx512f");
#[cfg(target_arch = "x86_64")]
isa!(Avx2, Words4, "avx2");

/// Eight words, 512 bits.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Words8(pub(super) __m512i);

#[cfg(target_arch = "x86_64")]
impl Vector for Words8 {
    type Isa = Avx512;
    const WORDS: usize = 8;

    #[inline(always)]
    fn splat(_: Avx512, word: u64) -> Self {
        // SAFETY: the token.
        Self(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Avx512, words: &[u64]) -> Self {
        let words = &words[..Self::WORDS];
        // SAFETY: the token; the slice has eight words, and no alignment is asked for.
        Self(unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..Self::WORDS];
        // SAFETY: a vector is a token; the slice has eight words, and no alignment is asked for.
        unsafe { _mm512_storeu_epi64(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }

    #[inline(always)]
    fn funnel(self, high: Self, shift: u32) -> Self {
        // SAFETY: a vector is a token. A shift by 64 gives 0.
        Self(unsafe {
            let low = _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed()));
            let high = _mm512_sll_epi64(high.0, _mm_cvtsi32_si128((64 - shift).cast_signed()));
            _mm512_or_si512(low, high)
        })
    }

    #[inline(always)]
    fn shift_down(self, above: u64) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe {
            let next = _mm512_alignr_epi64(_mm512_set1_epi64(above.cast_signed()), self.0, 1);
            _mm512_or_si512(_mm512_srli_epi64(self.0, 1), _mm512_slli_epi64(next, 63))
        })
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: a vector is a token.
        unsafe { _mm_cvtsi128_si64(_mm512_castsi512_si128(self.0)) }.cast_unsigned()
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: a vector is a token.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
    }
}

/// Four words, 256 bits.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Words4(pub(super) __m256i);

#[cfg(target_arch = "x86_64")]
impl Vector for Words4 {
    type Isa = Avx2;
    const WORDS: usize = 4;

    #[inline(always)]
    fn splat(_: Avx2, word: u64) -> Self {
        // SAFETY: the token.
        Self(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Avx2, words: &[u64]) -> Self {
        let words = &words[..Self::WORDS];
        // SAFETY: the token; the slice has four words, and no alignment is asked for.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..Self::WORDS];
        // SAFETY: a vector is a token; the slice has four words, and no alignment is asked for.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn funnel(self, high: Self, shift: u32) -> Self {
        // SAFETY: a vector is a token. A shift by 64 gives 0.
        Self(unsafe {
            let low = _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed()));
            let high = _mm256_sll_epi64(high.0, _mm_cvtsi32_si128((64 - shift).cast_signed()));
            _mm256_or_si256(low, high)
        })
    }

    #[inline(always)]
    fn shift_down(self, above: u64) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe {
            // Words 1, 2, 3, and `above` (32-bit halves 6 and 7).
            let next = _mm256_permute4x64_epi64(self.0, 0b00_11_10_01);
            let next = _mm256_blend_epi32(next, _mm256_set1_epi64x(above.cast_signed()), 0b1100_0000);
            _mm256_or_si256(_mm256_srli_epi64(self.0, 1), _mm256_slli_epi64(next, 63))
        })
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: a vector is a token.
        unsafe { _mm_cvtsi128_si64(_mm256_castsi256_si128(self.0)) }.cast_unsigned()
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: a vector is a token.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }
}

/// No instructions but words', for tests.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plain;

#[cfg(test)]
impl Isa for Plain {
    type Vector = Word;

    fn detect() -> Option<Self> {
        Some(Self)
    }

    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// One word, for tests.
#[cfg(test)]
#[derive(Clone, Copy)]
pub(crate) struct Word(pub(super) u64);

#[cfg(test)]
impl Vector for Word {
    type Isa = Plain;
    const WORDS: usize = 1;

    fn splat(_: Plain, word: u64) -> Self {
        Self(word)
    }

    fn load(_: Plain, words: &[u64]) -> Self {
        Self(words[0])
    }

    fn store(self, words: &mut [u64]) {
        words[0] = self.0;
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn funnel(self, high: Self, shift: u32) -> Self {
        Self(self.0 >> shift | high.0 << 1 << (63 - shift))
    }

    fn shift_down(self, above: u64) -> Self {
        Self(self.0 >> 1 | above << 63)
    }

    fn first(self) -> u64 {
        self.0
    }

    fn is_zero(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation against the same on bits.
    fn check<I: Isa>() {
        let Some(isa) = I::detect() else { return };
        let words = I::Vector::WORDS;
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..100 {
            let [a, b]: [Vec<u64>; 2] = std::array::from_fn(|_| (0..words).map(|_| random.u64(..)).collect());
            let stored = |vector: I::Vector| {
                let mut result = vec![0; words];
                vector.store(&mut result);
                result
            };
            let each = |f: &dyn Fn(u64, u64) -> u64| -> Vec<u64> { a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect() };
            let (x, y) = (I::Vector::load(isa, &a), I::Vector::load(isa, &b));
            assert_eq!(stored(x), a);
            assert_eq!(stored(x.and(y)), each(&|a, b| a & b));
            assert_eq!(stored(x.or(y)), each(&|a, b| a | b));
            assert_eq!(stored(x.xor(y)), each(&|a, b| a ^ b));
            assert_eq!(stored(x.and_not(y)), each(&|a, b| a & !b));
            for shift in 0..64 {
                let wide = |a: u64, b: u64| ((u128::from(b) << 64 | u128::from(a)) >> shift) as u64;
                assert_eq!(stored(x.funnel(y, shift)), each(&wide), "shift {shift}");
            }
            let above = random.u64(..);
            let bit = |i: usize| if i < 64 * words { a[i / 64] >> (i % 64) & 1 } else { above & 1 };
            let moved: Vec<u64> = (0..words).map(|w| (0..64).map(|i| bit(64 * w + i + 1) << i).sum()).collect();
            assert_eq!(stored(x.shift_down(above)), moved);
            assert_eq!(x.first(), a[0]);
            assert!(!x.is_zero() && I::Vector::splat(isa, 0).is_zero());
            assert_eq!(stored(I::Vector::splat(isa, above)), vec![above; words]);
        }
    }

    #[test]
    fn operations_by_single_words_and_bits() {
        check::<Plain>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx2>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx512>();
    }
}
