//! SIMD vectors of 64-bit words, each of them 64 consecutive symbols of a segment of its own.
//!
//! As in [`vector`](super::vector), whoever makes a vector shows a token of its instruction set, and only
//! [`Isa::detect`] makes tokens, so operations on vectors are safe. LLVM joins AND and OR to instructions of three
//! operands where there are any.

use super::class_test::ClassTest;
#[cfg(target_arch = "x86_64")]
use super::simd;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Symbols of a word.
pub(crate) const WORD: usize = 64;
/// Words of the widest vector.
pub(crate) const MAX_LANES: usize = 8;

/// An instruction set that this processor has.
pub(crate) trait Isa: Copy + Send + Sync + 'static {
    /// Its vectors.
    type Vector: SegmentVector<Isa = Self>;

    /// The token, if the processor has the instructions.
    fn detect() -> Option<Self>;

    /// Runs `work`, compiled for these instructions with all that is inlined into it.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    /// Which symbols of the lanes' words are in a class: bit b of `words[l]` for symbol b of `text[l]`, for the vector's
    /// lanes.
    fn members(self, test: &ClassTest, text: &[&[u8; WORD]; MAX_LANES], words: &mut [u64; MAX_LANES]);
}

/// Words side by side, one a lane.
pub(crate) trait SegmentVector: Copy + Send {
    type Isa: Isa<Vector = Self>;
    const LANES: usize;

    fn splat(isa: Self::Isa, word: u64) -> Self;
    fn load(isa: Self::Isa, words: &[u64; MAX_LANES]) -> Self;
    fn store(self, words: &mut [u64; MAX_LANES]);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Every word moves up by one bit; the highest of `before`'s comes in.
    fn after(self, before: Self) -> Self;
    /// Whether all bits are 0.
    fn is_zero(self) -> bool;
}

#[cfg(target_arch = "x86_64")]
macro_rules! isa {
    ($isa:ident, $vector:ident, $doc:literal, $members:ident, $($feature:tt),+) => {
        #[doc = concat!("Proof that the processor has ", $doc, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) struct $isa(());

        impl Isa for $isa {
            type Vector = $vector;

            fn detect() -> Option<Self> {
                let allowed = 64 * $vector::LANES <= simd::most_bits();
                (allowed $(&& is_x86_feature_detected!($feature))+).then_some(Self(()))
            }

            #[inline(always)]
            fn run<R>(self, work: impl FnOnce() -> R) -> R {
                $(#[target_feature(enable = $feature)])+
                fn compiled<R>(work: impl FnOnce() -> R) -> R {
                    work()
                }
                // SAFETY: the token.
                unsafe { compiled(work) }
            }

            #[inline(always)]
            fn members(self, test: &ClassTest, text: &[&[u8; WORD]; MAX_LANES], words: &mut [u64; MAX_LANES]) {
                // SAFETY: the token.
                unsafe { $members(test, text, words) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
isa!(Avx512, Words8, "AVX-512 F, BW and VBMI2", members_512, "avx512f", "avx512bw", "avx512vbmi2");
#[cfg(target_arch = "x86_64")]
isa!(Avx2, Words4, "AVX2", members_256, "avx2");

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn members_512(test: &ClassTest, text: &[&[u8; WORD]; MAX_LANES], words: &mut [u64; MAX_LANES]) {
    // SAFETY: an array has 64 bytes, and no alignment is asked for.
    let load = |text: &[u8; WORD]| unsafe { _mm512_loadu_si512(text.as_ptr().cast()) };
    match *test {
        ClassTest::Bits { kept, value } => {
            let (kept, value) = (_mm512_set1_epi8(kept.cast_signed()), _mm512_set1_epi8(value.cast_signed()));
            for (word, text) in words.iter_mut().zip(text) {
                *word = _mm512_testn_epi8_mask(_mm512_xor_si512(load(text), value), kept);
            }
        }
        ClassTest::Table { low, high } => {
            // SAFETY: an array has 16 bytes, and no alignment is asked for.
            let table = |table: &[u8; 16]| unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast())) };
            let (low, high, bits) = (table(&low), table(&high), table(&BIT));
            for (word, text) in words.iter_mut().zip(text) {
                let text = load(text);
                // A shuffle takes the lowest four bits for an index, and gives 0 where the highest is set.
                let low = _mm512_shuffle_epi8(low, text);
                let high = _mm512_shuffle_epi8(high, _mm512_xor_si512(text, _mm512_set1_epi8(-128)));
                let index = _mm512_and_si512(_mm512_srli_epi16(text, 4), _mm512_set1_epi8(7));
                *word = _mm512_test_epi8_mask(_mm512_or_si512(low, high), _mm512_shuffle_epi8(bits, index));
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn members_256(test: &ClassTest, text: &[&[u8; WORD]; MAX_LANES], words: &mut [u64; MAX_LANES]) {
    // SAFETY: an array has two halves of 32 bytes, and no alignment is asked for.
    let load =
        |text: &[u8; WORD], half: usize| unsafe { _mm256_loadu_si256(text.as_ptr().cast::<__m256i>().add(half)) };
    let joined = |member: &dyn Fn(__m256i) -> __m256i, text: &[u8; WORD]| {
        let half = |half| u64::from(_mm256_movemask_epi8(member(load(text, half))).cast_unsigned());
        half(0) | half(1) << 32
    };
    let lanes = words.iter_mut().zip(text).take(Words4::LANES);
    match *test {
        ClassTest::Bits { kept, value } => {
            let (kept, value) = (_mm256_set1_epi8(kept.cast_signed()), _mm256_set1_epi8(value.cast_signed()));
            for (word, text) in lanes {
                *word = joined(&|text| _mm256_cmpeq_epi8(_mm256_and_si256(text, kept), value), text);
            }
        }
        ClassTest::Table { low, high } => {
            // SAFETY: an array has 16 bytes, and no alignment is asked for.
            let table =
                |table: &[u8; 16]| unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())) };
            let (low, high, bits) = (table(&low), table(&high), table(&BIT));
            for (word, text) in lanes {
                let member = |text| {
                    let low = _mm256_shuffle_epi8(low, text);
                    let high = _mm256_shuffle_epi8(high, _mm256_xor_si256(text, _mm256_set1_epi8(-128)));
                    let index = _mm256_and_si256(_mm256_srli_epi16(text, 4), _mm256_set1_epi8(7));
                    let bit = _mm256_shuffle_epi8(bits, index);
                    _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_or_si256(low, high), bit), bit)
                };
                *word = joined(&member, text);
            }
        }
    }
}

/// 1 << h, for h < 8.
#[cfg(target_arch = "x86_64")]
const BIT: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// Eight words, 512 bits.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Words8(__m512i);

#[cfg(target_arch = "x86_64")]
impl SegmentVector for Words8 {
    type Isa = Avx512;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(_: Avx512, word: u64) -> Self {
        // SAFETY: the token.
        Self(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Avx512, words: &[u64; MAX_LANES]) -> Self {
        // SAFETY: the token; an array has eight words, and no alignment is asked for.
        Self(unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; MAX_LANES]) {
        // SAFETY: a vector is a token; an array has eight words, and no alignment is asked for.
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
    fn after(self, before: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_shldi_epi64::<1>(self.0, before.0) })
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
pub(crate) struct Words4(__m256i);

#[cfg(target_arch = "x86_64")]
impl SegmentVector for Words4 {
    type Isa = Avx2;
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(_: Avx2, word: u64) -> Self {
        // SAFETY: the token.
        Self(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Avx2, words: &[u64; MAX_LANES]) -> Self {
        // SAFETY: the token; an array has more than four words, and no alignment is asked for.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; MAX_LANES]) {
        // SAFETY: a vector is a token; an array has more than four words, and no alignment is asked for.
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
    fn after(self, before: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm256_or_si256(_mm256_add_epi64(self.0, self.0), _mm256_srli_epi64(before.0, 63)) })
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

    fn members(self, test: &ClassTest, text: &[&[u8; WORD]; MAX_LANES], words: &mut [u64; MAX_LANES]) {
        let bits = text[0].iter().enumerate().map(|(b, &symbol)| u64::from(test.passes(symbol)) << b);
        words[0] = bits.fold(0, |word, bit| word | bit);
    }
}

/// One word, for tests.
#[cfg(test)]
#[derive(Clone, Copy)]
pub(crate) struct Word(u64);

#[cfg(test)]
impl SegmentVector for Word {
    type Isa = Plain;
    const LANES: usize = 1;

    fn splat(_: Plain, word: u64) -> Self {
        Self(word)
    }

    fn load(_: Plain, words: &[u64; MAX_LANES]) -> Self {
        Self(words[0])
    }

    fn store(self, words: &mut [u64; MAX_LANES]) {
        words[0] = self.0;
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn after(self, before: Self) -> Self {
        Self(self.0 << 1 | before.0 >> 63)
    }

    fn is_zero(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Class;

    /// Every operation against the same on words.
    fn check<I: Isa>() {
        let Some(isa) = I::detect() else { return };
        let lanes = I::Vector::LANES;
        let mut random = fastrand::Rng::with_seed(1);
        let stored = |vector: I::Vector| {
            let mut result = [0; MAX_LANES];
            vector.store(&mut result);
            result[..lanes].to_vec()
        };
        for _ in 0..100 {
            let [a, b]: [[u64; MAX_LANES]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| random.u64(..)));
            let each = |f: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
                a.iter().zip(&b).map(|(&a, &b)| f(a, b)).take(lanes).collect()
            };
            let (x, y) = (I::Vector::load(isa, &a), I::Vector::load(isa, &b));
            assert_eq!(stored(x.and(y)), each(&|a, b| a & b));
            assert_eq!(stored(x.or(y)), each(&|a, b| a | b));
            assert_eq!(stored(x.after(y)), each(&|a, b| a << 1 | b >> 63));
            assert_eq!(stored(I::Vector::splat(isa, a[0])), vec![a[0]; lanes]);
            assert!(!x.is_zero() && I::Vector::splat(isa, 0).is_zero());

            let text: [[u8; WORD]; MAX_LANES] = std::array::from_fn(|_| std::array::from_fn(|_| random.u8(..)));
            let class = Class::of_all((0..random.usize(1..200)).map(|_| random.u8(..)));
            for class in [class, Class::of(text[lanes - 1][WORD - 1]), Class::ANY, Class::default()] {
                let mut words = [0; MAX_LANES];
                isa.run(|| isa.members(&ClassTest::new(&class), &text.each_ref(), &mut words));
                for (l, text) in text.iter().enumerate().take(lanes) {
                    for (b, &symbol) in text.iter().enumerate() {
                        assert_eq!(words[l] >> b & 1 == 1, class.contains(symbol), "{symbol} in {class:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn operations_by_single_words() {
        check::<Plain>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx2>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx512>();
    }
}
