//! Vectors of AVX-512.

use super::avx2::plane_by_avx2;
use super::isa::{Isa, Vector};
use super::token::token;
use core::arch::x86_64::*;

token!(Avx512, Words8, "avx512f");

/// Eight words, 512 bits.
#[derive(Clone, Copy)]
pub(crate) struct Words8(pub(in crate::cpu) __m512i);

impl Vector for Words8 {
    type Isa = Avx512;
    const WORDS: usize = 8;

    #[inline(always)]
    fn splat(_: Avx512, word: u64) -> Self {
        // SAFETY: the token proves support.
        Self(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Avx512, words: &[u64]) -> Self {
        let words = &words[..Self::WORDS];
        // SAFETY: the token proves support; the slice has eight words, and the load or store needs
        // no alignment.
        Self(unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..Self::WORDS];
        // SAFETY: the vector proves support; the slice has eight words, and the load or store needs
        // no alignment.
        unsafe { _mm512_storeu_epi64(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }

    #[inline(always)]
    fn and_equal(self, a: Self, b: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { and_equal(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn or_nor(self, a: Self, b: Self) -> Self {
        // The bits of the truth table have the index 4 self + 2 a + b.
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_ternarylogic_epi64::<0b1111_0001>(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn shift_right(self, shift: u32) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed())) })
    }

    #[inline(always)]
    fn shift_left(self, shift: u32) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed())) })
    }

    #[inline(always)]
    fn plane(_: Avx512, bytes: &[u8; 64], plane: u32) -> u64 {
        // SAFETY: the token proves support, and AVX-512 includes AVX2.
        unsafe { plane_by_avx2(bytes, plane) }
    }

    #[inline(always)]
    fn numbers(planes: &[Self], numbers: &mut [u32]) {
        let mut words = [[0; 8]; 32];
        for (words, plane) in words.iter_mut().zip(planes) {
            plane.store(words);
        }
        let words = &words[..planes.len().min(32)];
        for (part, numbers) in numbers[..512].as_chunks_mut::<16>().0.iter_mut().enumerate() {
            // SAFETY: the vector proves support; there is room for 16 numbers, and the load or
            // store needs no alignment.
            unsafe {
                let mut sum = _mm512_setzero_si512();
                for (q, words) in (0..).zip(words) {
                    let lanes = (words[part / 4] >> (16 * (part % 4))) as u16;
                    sum = _mm512_mask_or_epi32(sum, lanes, sum, _mm512_set1_epi32(1 << q));
                }
                _mm512_storeu_epi32(numbers.as_mut_ptr().cast(), sum);
            }
        }
    }

    #[inline(always)]
    fn funnel(self, high: Self, shift: u32) -> Self {
        // SAFETY: the vector proves support. A shift by 64 gives 0.
        Self(unsafe {
            let low = _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed()));
            let high = _mm512_sll_epi64(high.0, _mm_cvtsi32_si128((64 - shift).cast_signed()));
            _mm512_or_si512(low, high)
        })
    }

    #[inline(always)]
    fn shift_down(self, above: u64) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe {
            let next = _mm512_alignr_epi64(_mm512_set1_epi64(above.cast_signed()), self.0, 1);
            _mm512_or_si512(_mm512_srli_epi64(self.0, 1), _mm512_slli_epi64(next, 63))
        })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn doubled(self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_slli_epi64(self.0, 1) })
    }

    #[inline(always)]
    fn top_bits(self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_srli_epi64(self.0, 63) })
    }

    #[inline(always)]
    fn words_down(self, above: Self) -> Self {
        // SAFETY: the vector proves support.
        Self(unsafe { _mm512_alignr_epi64(above.0, self.0, 1) })
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: the vector proves support.
        unsafe { _mm_cvtsi128_si64(_mm512_castsi512_si128(self.0)) }.cast_unsigned()
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: the vector proves support.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
    }
}

/// Implements [`Vector::and_equal`] in assembly. LLVM knows the effect of the intrinsic, joins the
/// XORs of several of them, and then needs one instruction more per cell.
#[inline]
#[target_feature(enable = "avx512f")]
fn and_equal(x: __m512i, a: __m512i, b: __m512i) -> __m512i {
    let mut x = x;
    // The truth table is 1 for the inputs 100 and 111, where x is the highest bit.
    // SAFETY: reads and writes its operands alone.
    unsafe {
        core::arch::asm!(
            "vpternlogq {x}, {a}, {b}, 0x90",
            x = inout(zmm_reg) x,
            a = in(zmm_reg) a,
            b = in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    x
}
