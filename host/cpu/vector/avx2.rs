//! Vectors of AVX2.

use super::isa::{Isa, Survey, Vector, padded};
use super::token::token;
use core::arch::x86_64::*;

token!(Avx2, Words4, "avx2");

/// Four words, 256 bits.
#[derive(Clone, Copy)]
pub(crate) struct Words4(pub(in crate::cpu) __m256i);

impl Vector for Words4 {
    type Isa = Avx2;
    const WORDS: usize = 4;

    #[inline(always)]
    fn splat(_: Avx2, word: u64) -> Self {
        // SAFETY: the token proves support.
        Self(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Avx2, words: &[u64]) -> Self {
        let words = &words[..Self::WORDS];
        // SAFETY: the token proves support; the slice has four words, and the load or store needs
        // no alignment.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..Self::WORDS];
        // SAFETY: the vector proves support; the slice has four words, and the load or store needs
        // no alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        bytemuck::cast_mut::<_, [u64; 4]>(&mut self.0)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn shift_right(self, shift: u32) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed())) })
    }

    #[inline(always)]
    fn shift_left(self, shift: u32) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed())) })
    }

    #[inline(always)]
    fn planes<const P: usize>(_: Avx2, symbols: &[u8], bits: [u32; P]) -> [u64; P] {
        // SAFETY: the token proves support.
        unsafe { planes(&padded(symbols, 0), bits) }
    }

    #[inline(always)]
    fn survey(_: Avx2, strings: &[&[u8]], known: [u8; 4]) -> Survey {
        // SAFETY: the token proves support.
        unsafe { survey(strings, known) }
    }

    #[inline(always)]
    fn funnel(self, high: Self, shift: u32) -> Self {
        // SAFETY: the vector proves support. A shift by 64 gives 0.
        Self(unsafe {
            let low = _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed()));
            let high = _mm256_sll_epi64(high.0, _mm_cvtsi32_si128((64 - shift).cast_signed()));
            _mm256_or_si256(low, high)
        })
    }

    #[inline(always)]
    fn shift_down(self, above: u64) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe {
            // Words 1, 2, 3, and `above` (32-bit halves 6 and 7).
            let next = _mm256_permute4x64_epi64(self.0, 0b00_11_10_01);
            let next = _mm256_blend_epi32(next, _mm256_set1_epi64x(above.cast_signed()), 0b1100_0000);
            _mm256_or_si256(_mm256_srli_epi64(self.0, 1), _mm256_slli_epi64(next, 63))
        })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm256_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn doubled(self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm256_slli_epi64(self.0, 1) })
    }

    #[inline(always)]
    fn top_bits(self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm256_srli_epi64(self.0, 63) })
    }

    #[inline(always)]
    fn words_down(self, above: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe {
            // Words 1, 2, 3 of self, and word 0 of `above` (32-bit halves 6 and 7).
            let next = _mm256_permute4x64_epi64(self.0, 0b00_11_10_01);
            _mm256_blend_epi32(next, _mm256_permute4x64_epi64(above.0, 0), 0b1100_0000)
        })
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: the vector proves support.
        unsafe { _mm_cvtsi128_si64(_mm256_castsi256_si128(self.0)) }.cast_unsigned()
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: the vector proves support.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }
}

/// Implements [`Vector::planes`] by sign bits: moves each bit to the top of its byte.
#[inline]
#[target_feature(enable = "avx2")]
fn planes<const P: usize>(symbols: &[u8; 64], bits: [u32; P]) -> [u64; P] {
    // SAFETY: the array has 64 bytes; the loads need no alignment.
    let (low, high) =
        unsafe { (_mm256_loadu_si256(symbols.as_ptr().cast()), _mm256_loadu_si256(symbols[32..].as_ptr().cast())) };
    let mut planes = [0; P];
    // A loop, since the compiler may not inline the function of an array's `map`.
    for (plane, bit) in planes.iter_mut().zip(bits) {
        let to_top = _mm_cvtsi32_si128(7 - bit.cast_signed());
        let low = _mm256_movemask_epi8(_mm256_sll_epi64(low, to_top)).cast_unsigned();
        let high = _mm256_movemask_epi8(_mm256_sll_epi64(high, to_top)).cast_unsigned();
        *plane = u64::from(low) | u64::from(high) << 32;
    }
    planes
}

/// Implements [`Vector::survey`].
#[inline]
#[target_feature(enable = "avx2")]
fn survey(strings: &[&[u8]], known: [u8; 4]) -> Survey {
    let [first, a, b, c] = known.map(|symbol| _mm256_set1_epi8(symbol.cast_signed()));
    let mut varying = _mm256_setzero_si256();
    let mut all_known = _mm256_set1_epi8(-1);
    for string in strings {
        for part in string.chunks(32) {
            let symbols: [u8; 32] = padded(part, known[0]);
            // SAFETY: the array has 32 bytes; the load needs no alignment.
            let symbols = unsafe { _mm256_loadu_si256(symbols.as_ptr().cast()) };
            varying = _mm256_or_si256(varying, _mm256_xor_si256(symbols, first));
            let [x, y, z, w] = [first, a, b, c].map(|known| _mm256_cmpeq_epi8(symbols, known));
            let is_known = _mm256_or_si256(_mm256_or_si256(x, y), _mm256_or_si256(z, w));
            all_known = _mm256_and_si256(all_known, is_known);
        }
    }
    let mut bytes = [0u8; 32];
    // SAFETY: the array has 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), varying) };
    Survey { varying: bytes.into_iter().fold(0, |all, byte| all | byte), others: _mm256_movemask_epi8(all_known) != -1 }
}
