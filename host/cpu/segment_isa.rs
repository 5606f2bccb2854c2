//! A text 64 symbols at a time: each word of a vector is 64 consecutive symbols of its own segment.
//!
//! The vectors are those of [`vector`](super::vector). The operations added here need more of
//! AVX-512, so they have tokens of their own, which only [`SegmentIsa::detect`] makes.

use super::class_test::ClassTest;
use super::vector::{self, Isa as _, Vector};
#[cfg(target_arch = "x86_64")]
use super::vector::{Words4, Words8};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Symbols per word.
pub(crate) const WORD: usize = 64;
/// Words of the widest vector.
pub(crate) const MAX_LANES: usize = 8;

/// An instruction set that this processor has.
pub(crate) trait SegmentIsa: Copy + Send + Sync + 'static {
    /// Instruction set of the vectors alone.
    type Base: vector::Isa<Vector = Self::Vector>;
    /// Vectors of the instruction set.
    type Vector: Vector<Isa = Self::Base>;
    /// Words per vector.
    const LANES: usize = Self::Vector::WORDS;

    /// Returns the token, if the processor has the instructions.
    fn detect() -> Option<Self>;

    /// Returns the token that makes vectors.
    fn base(self) -> Self::Base;

    /// Runs `work`, compiled for these instructions with all that is inlined into it.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    /// Finds the symbols of the lanes' words that are in a class, for the vector's lanes: bit b of
    /// `words[l]` is 1 if symbol b of `text[l]` is.
    fn members(self, test: &ClassTest, text: &[&[u8; WORD]; MAX_LANES], words: &mut [u64; MAX_LANES]);

    /// Finds the positions where each of P texts has its symbol: bit b of `words[l]` stands for
    /// position 64 l + b. Each text has as many words of symbols as a vector. If there is no such
    /// position, returns false and leaves `words` unchanged.
    fn agree<const P: usize>(self, symbols: &[u8; P], texts: &[&[u8]; P], words: &mut [u64; MAX_LANES]) -> bool;

    /// Moves every word of `vector` up by one bit; the highest bit of the word of `before` comes
    /// in.
    fn after(self, vector: Self::Vector, before: Self::Vector) -> Self::Vector;
}

#[cfg(target_arch = "x86_64")]
macro_rules! isa {
    ($isa:ident, $doc:literal, $members:ident, $agree:ident, $after:ident, $($feature:tt),+) => {
        #[doc = concat!("Proof that the processor has ", $doc, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) struct $isa(vector::$isa);

        impl SegmentIsa for $isa {
            type Base = vector::$isa;
            type Vector = <vector::$isa as vector::Isa>::Vector;

            fn detect() -> Option<Self> {
                let base = vector::$isa::detect()?;
                (true $(&& is_x86_feature_detected!($feature))+).then_some(Self(base))
            }

            #[inline(always)]
            fn base(self) -> vector::$isa {
                self.0
            }

            #[inline(always)]
            fn run<R>(self, work: impl FnOnce() -> R) -> R {
                $(#[target_feature(enable = $feature)])+
                fn compiled<R>(work: impl FnOnce() -> R) -> R {
                    work()
                }
                // SAFETY: the token proves support.
                unsafe { compiled(work) }
            }

            #[inline(always)]
            fn members(self, test: &ClassTest, text: &[&[u8; WORD]; MAX_LANES], words: &mut [u64; MAX_LANES]) {
                // SAFETY: the token proves support.
                unsafe { $members(test, text, words) }
            }

            #[inline(always)]
            fn agree<const P: usize>(self, symbols: &[u8; P], texts: &[&[u8]; P], words: &mut [u64; MAX_LANES]) -> bool {
                let Some(texts) = all(texts) else { return false };
                // SAFETY: the token proves support.
                unsafe { $agree(symbols, &texts, words) }
            }

            #[inline(always)]
            fn after(self, vector: Self::Vector, before: Self::Vector) -> Self::Vector {
                // SAFETY: the token proves support.
                unsafe { $after(vector, before) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
isa!(Avx512, "AVX-512 F, BW and VBMI2", members_512, agree_512, after_512, "avx512f", "avx512bw", "avx512vbmi2");
#[cfg(target_arch = "x86_64")]
isa!(Avx2, "AVX2", members_256, agree_256, after_256, "avx2");

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn members_512(test: &ClassTest, text: &[&[u8; WORD]; MAX_LANES], words: &mut [u64; MAX_LANES]) {
    // SAFETY: the array has 64 bytes, and the load needs no alignment.
    let load = |text: &[u8; WORD]| unsafe { _mm512_loadu_si512(text.as_ptr().cast()) };
    match *test {
        ClassTest::Bits { kept, value } => {
            let kept = _mm512_set1_epi8(kept.cast_signed());
            let value = _mm512_set1_epi8(value.cast_signed());
            for (word, text) in words.iter_mut().zip(text) {
                *word = _mm512_testn_epi8_mask(_mm512_xor_si512(load(text), value), kept);
            }
        }
        ClassTest::Table { low, high } => {
            // SAFETY: the array has 16 bytes, and the load needs no alignment.
            let table = |table: &[u8; 16]| unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast())) };
            let low = table(&low);
            let high = table(&high);
            let bits = table(&BIT);
            for (word, text) in words.iter_mut().zip(text) {
                let text = load(text);
                // A shuffle takes the lowest four bits as an index, and gives 0 where the highest
                // bit is set.
                let low = _mm512_shuffle_epi8(low, text);
                let high = _mm512_shuffle_epi8(high, _mm512_xor_si512(text, _mm512_set1_epi8(-128)));
                let index = _mm512_and_si512(_mm512_srli_epi16(text, 4), _mm512_set1_epi8(7));
                *word = _mm512_test_epi8_mask(_mm512_or_si512(low, high), _mm512_shuffle_epi8(bits, index));
            }
        }
    }
}

/// Returns the highest bit of each byte that `member` computes.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn joined(member: impl Fn(__m256i) -> __m256i, text: &[u8; WORD]) -> u64 {
    // SAFETY: the array has two halves of 32 bytes, and the load needs no alignment.
    let load = |half: usize| unsafe { _mm256_loadu_si256(text.as_ptr().cast::<__m256i>().add(half)) };
    let half = |half| {
        let bits = _mm256_movemask_epi8(member(load(half)));
        // LLVM would move this to where the two kinds of tests meet again, and extract the 32 truth
        // values there one by one, which takes about 20 times as long. Miri does not support
        // assembly.
        #[cfg(not(miri))]
        let bits = {
            let mut kept = bits;
            // SAFETY: the assembly does nothing.
            unsafe { core::arch::asm!("/* {0:e} */", inout(reg) kept, options(pure, nomem, nostack, preserves_flags)) };
            kept
        };
        u64::from(bits.cast_unsigned())
    };
    half(0) | half(1) << 32
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn members_256(test: &ClassTest, text: &[&[u8; WORD]; MAX_LANES], words: &mut [u64; MAX_LANES]) {
    let lanes = words.iter_mut().zip(text).take(Words4::WORDS);
    match *test {
        ClassTest::Bits { kept, value } => {
            let kept = _mm256_set1_epi8(kept.cast_signed());
            let value = _mm256_set1_epi8(value.cast_signed());
            for (word, text) in lanes {
                *word = joined(|text| _mm256_cmpeq_epi8(_mm256_and_si256(text, kept), value), text);
            }
        }
        ClassTest::Table { low, high } => {
            // SAFETY: the array has 16 bytes, and the load needs no alignment.
            let table =
                |table: &[u8; 16]| unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())) };
            let low = table(&low);
            let high = table(&high);
            let bits = table(&BIT);
            for (word, text) in lanes {
                let member = |text| {
                    let low = _mm256_shuffle_epi8(low, text);
                    let high = _mm256_shuffle_epi8(high, _mm256_xor_si256(text, _mm256_set1_epi8(-128)));
                    let index = _mm256_and_si256(_mm256_srli_epi16(text, 4), _mm256_set1_epi8(7));
                    let bit = _mm256_shuffle_epi8(bits, index);
                    _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_or_si256(low, high), bit), bit)
                };
                *word = joined(member, text);
            }
        }
    }
}

/// Returns texts as arrays; `None` if a text is shorter.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn all<'t, const P: usize, const N: usize>(texts: &[&'t [u8]; P]) -> Option<[&'t [u8; N]; P]> {
    let mut arrays = [&[0; N]; P];
    for (array, text) in arrays.iter_mut().zip(texts) {
        *array = text.first_chunk()?;
    }
    Some(arrays)
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn agree_512<const P: usize>(
    symbols: &[u8; P],
    texts: &[&[u8; MAX_LANES * WORD]; P],
    words: &mut [u64; MAX_LANES],
) -> bool {
    // 0 where each text has its symbol.
    let differences = |word: usize| {
        let mut all = _mm512_setzero_si512();
        for (symbol, text) in symbols.iter().zip(texts) {
            // SAFETY: 64 of the 512 bytes, from the word's first on; the load needs no alignment.
            let text = unsafe { _mm512_loadu_si512(text.as_ptr().add(word * WORD).cast()) };
            all = _mm512_or_si512(all, _mm512_xor_si512(text, _mm512_set1_epi8(symbol.cast_signed())));
        }
        all
    };
    let mut least = differences(0);
    for word in 1..MAX_LANES {
        least = _mm512_min_epu8(least, differences(word));
    }
    if _mm512_testn_epi8_mask(least, least) == 0 {
        return false;
    }
    for (i, word) in words.iter_mut().enumerate() {
        let differences = differences(i);
        *word = _mm512_testn_epi8_mask(differences, differences);
    }
    true
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn agree_256<const P: usize>(
    symbols: &[u8; P],
    texts: &[&[u8; Words4::WORDS * WORD]; P],
    words: &mut [u64; MAX_LANES],
) -> bool {
    // All bits of a byte are 1 where each text has its symbol.
    let agree = |half: usize| {
        let mut all = _mm256_set1_epi8(-1);
        for (symbol, text) in symbols.iter().zip(texts) {
            // SAFETY: 32 of the 256 bytes, from half a word's first on; the load needs no
            // alignment.
            let text = unsafe { _mm256_loadu_si256(text.as_ptr().add(half * WORD / 2).cast()) };
            all = _mm256_and_si256(all, _mm256_cmpeq_epi8(text, _mm256_set1_epi8(symbol.cast_signed())));
        }
        all
    };
    let mut any = agree(0);
    for half in 1..2 * Words4::WORDS {
        any = _mm256_or_si256(any, agree(half));
    }
    if _mm256_testz_si256(any, any) == 1 {
        return false;
    }
    let half = |half: usize| u64::from(_mm256_movemask_epi8(agree(half)).cast_unsigned());
    for (i, word) in words.iter_mut().enumerate().take(Words4::WORDS) {
        *word = half(2 * i) | half(2 * i + 1) << 32;
    }
    true
}

/// 1 << h, for h < 8.
#[cfg(target_arch = "x86_64")]
const BIT: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
fn after_512(vector: Words8, before: Words8) -> Words8 {
    Words8(_mm512_shldi_epi64::<1>(vector.0, before.0))
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn after_256(vector: Words4, before: Words4) -> Words4 {
    Words4(_mm256_or_si256(_mm256_add_epi64(vector.0, vector.0), _mm256_srli_epi64(before.0, 63)))
}

/// Instructions on single words only, for tests.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plain;

#[cfg(test)]
impl SegmentIsa for Plain {
    type Base = vector::Plain;
    type Vector = vector::Word;

    fn detect() -> Option<Self> {
        Some(Self)
    }

    fn base(self) -> vector::Plain {
        vector::Plain
    }

    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    fn members(self, test: &ClassTest, text: &[&[u8; WORD]; MAX_LANES], words: &mut [u64; MAX_LANES]) {
        let bits = text[0].iter().enumerate().map(|(b, &symbol)| u64::from(test.passes(symbol)) << b);
        words[0] = bits.fold(0, |word, bit| word | bit);
    }

    fn agree<const P: usize>(self, symbols: &[u8; P], texts: &[&[u8]; P], words: &mut [u64; MAX_LANES]) -> bool {
        let agree = |b: usize| symbols.iter().zip(texts).all(|(symbol, text)| text[b] == *symbol);
        let bits = (0..WORD).map(|b| u64::from(agree(b)) << b).fold(0, |word, bit| word | bit);
        words[0] = if bits == 0 { words[0] } else { bits };
        bits != 0
    }

    fn after(self, vector: vector::Word, before: vector::Word) -> vector::Word {
        vector::Word(vector.0 << 1 | before.0 >> 63)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Class;

    /// Compares every operation with single words.
    fn check<I: SegmentIsa>() {
        let Some(isa) = I::detect() else { return };
        let lanes = I::LANES;
        let mut random = fastrand::Rng::with_seed(1);
        let stored = |vector: I::Vector| {
            let mut result = [0; MAX_LANES];
            vector.store(&mut result);
            result[..lanes].to_vec()
        };
        // Miri is a thousand times slower.
        for _ in 0..if cfg!(miri) { 2 } else { 100 } {
            let [a, b]: [[u64; MAX_LANES]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| random.u64(..)));
            let each = |f: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
                a.iter().zip(&b).map(|(&a, &b)| f(a, b)).take(lanes).collect()
            };
            let (x, y) = (I::Vector::load(isa.base(), &a), I::Vector::load(isa.base(), &b));
            assert_eq!(stored(isa.after(x, y)), each(&|a, b| a << 1 | b >> 63));

            let text: [[u8; WORD]; MAX_LANES] = std::array::from_fn(|_| std::array::from_fn(|_| random.u8(..)));
            // Few symbols, so that three texts agree now and then; and many symbols.
            for symbols in [2, 3, 255] {
                let texts: [Vec<u8>; 3] =
                    std::array::from_fn(|_| (0..lanes * WORD + 5).map(|_| random.u8(..symbols)).collect());
                let wanted: [u8; 3] = std::array::from_fn(|_| random.u8(..symbols));
                let mut words = [77; MAX_LANES];
                let any = isa.run(|| isa.agree(&wanted, &texts.each_ref().map(|text| &text[..]), &mut words));
                let agree = |at: usize| wanted.iter().zip(&texts).all(|(symbol, text)| text[at] == *symbol);
                assert_eq!(any, (0..lanes * WORD).any(agree));
                assert!(any || words == [77; MAX_LANES]);
                let bit = |at: usize| words[at / WORD] >> (at % WORD) & 1 == 1;
                assert!(!any || (0..lanes * WORD).all(|at| bit(at) == agree(at)));
            }
            let class = Class::from_symbols((0..random.usize(1..200)).map(|_| random.u8(..)));
            for class in [class, Class::from_symbol(text[lanes - 1][WORD - 1]), Class::ANY, Class::default()] {
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
