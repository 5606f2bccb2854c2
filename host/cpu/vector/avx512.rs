//! Vectors of AVX-512.

use super::isa::{Isa, Survey, Vector};
use super::token::token;
use core::arch::x86_64::*;

token!(Avx512, Words8, "avx512f", "avx512bw");

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
    fn words_mut(&mut self) -> &mut [u64] {
        bytemuck::cast_mut::<_, [u64; 8]>(&mut self.0)
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
    fn planes<const P: usize>(_: Avx512, symbols: &[u8], bits: [u32; P]) -> [u64; P] {
        // SAFETY: the token proves support.
        unsafe {
            let symbols = padded(symbols, 0);
            let mut planes = [0; P];
            // A loop, since the compiler may not inline the function of an array's `map`.
            for (plane, bit) in planes.iter_mut().zip(bits) {
                *plane = _mm512_test_epi8_mask(symbols, _mm512_set1_epi8(1 << bit));
            }
            planes
        }
    }

    #[inline(always)]
    fn survey(_: Avx512, strings: &[&[u8]], known: [u8; 4]) -> Survey {
        // SAFETY: the token proves support.
        unsafe { survey(strings, known) }
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

/// Returns the first 64 symbols, and `fill` beyond their end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn padded(symbols: &[u8], fill: u8) -> __m512i {
    let all = _mm512_set1_epi8(fill.cast_signed());
    let within = if symbols.len() < 64 { (1 << symbols.len()) - 1 } else { !0 };
    // SAFETY: reads only the symbols whose bit in the mask is 1, which exist.
    unsafe { _mm512_mask_loadu_epi8(all, within, symbols.as_ptr().cast()) }
}

/// Implements [`Vector::survey`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn survey(strings: &[&[u8]], known: [u8; 4]) -> Survey {
    let [first, a, b, c] = known.map(|symbol| _mm512_set1_epi8(symbol.cast_signed()));
    let mut varying = _mm512_setzero_si512();
    let mut others = 0;
    for string in strings {
        for part in string.chunks(64) {
            let symbols = padded(part, known[0]);
            varying = _mm512_or_si512(varying, _mm512_xor_si512(symbols, first));
            let unknown = _mm512_cmpneq_epi8_mask(symbols, first);
            let unknown = _mm512_mask_cmpneq_epi8_mask(unknown, symbols, a);
            let unknown = _mm512_mask_cmpneq_epi8_mask(unknown, symbols, b);
            others |= _mm512_mask_cmpneq_epi8_mask(unknown, symbols, c);
        }
    }
    let varying = _mm512_reduce_or_epi64(varying).to_le_bytes();
    Survey { varying: varying.into_iter().fold(0, |all, byte| all | byte), others: others != 0 }
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
