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
    /// `self & !(a ^ b)`: of self's bits those in which the others are equal. One instruction where there are any of three operands.
    fn and_equal(self, a: Self, b: Self) -> Self {
        self.and_not(a.xor(b))
    }
    /// `self | !(a | b)`.
    fn or_nor(self, a: Self, b: Self) -> Self;
    /// In each word the bits from `shift` < 64 on, moved down.
    fn shift_right(self, shift: u32) -> Self;
    /// In each word the bits moved up by `shift` < 64.
    fn shift_left(self, shift: u32) -> Self;
    /// Bit `plane` of 64 bytes, the first byte's in bit 0.
    fn plane(isa: Self::Isa, bytes: &[u8; 64], plane: u32) -> u64;
    /// A number for each bit of a vector: vector q, of at most 32, has bit q of them all. `numbers` has room for all.
    #[inline(always)]
    fn numbers(planes: &[Self], numbers: &mut [u32]) {
        let mut words = [[0; 8]; 32];
        for (words, plane) in words.iter_mut().zip(planes) {
            plane.store(words);
        }
        let numbers = numbers[..64 * Self::WORDS].as_chunks_mut::<8>().0;
        for (byte, numbers) in numbers.iter_mut().enumerate() {
            *numbers = [0; 8];
            for (part, words) in words[..planes.len().min(32)].chunks(8).enumerate() {
                let bits = (0..).zip(words);
                let bits =
                    bits.fold(0, |bits, (q, words)| bits | (words[byte / 8] >> (8 * (byte % 8)) & 0xff) << (8 * q));
                for (number, bits) in numbers.iter_mut().zip(transpose(bits).to_le_bytes()) {
                    *number |= u32::from(bits) << (8 * part);
                }
            }
        }
    }
    /// In each word the bits from `shift` < 64 on of self (low) and `high`.
    fn funnel(self, high: Self, shift: u32) -> Self;
    /// All bits of the vector, as one number, move down by one; the lowest of `above` becomes the highest.
    fn shift_down(self, above: u64) -> Self;
    /// The words' sums, without what they carry.
    fn add(self, other: Self) -> Self;
    /// Each word twice, without what it carries.
    fn doubled(self) -> Self;
    /// The highest bit of each word, as its lowest.
    fn top_bits(self) -> Self;
    /// The words move down by one; the lowest of `above` becomes the highest.
    fn words_down(self, above: Self) -> Self;
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
    fn and_equal(self, a: Self, b: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { and_equal(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn or_nor(self, a: Self, b: Self) -> Self {
        // The truth table's bit 4 self + 2 a + b.
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_ternarylogic_epi64::<0b1111_0001>(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn shift_right(self, shift: u32) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed())) })
    }

    #[inline(always)]
    fn shift_left(self, shift: u32) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed())) })
    }

    #[inline(always)]
    fn plane(_: Avx512, bytes: &[u8; 64], plane: u32) -> u64 {
        // SAFETY: the token; AVX-512 has AVX2.
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
            // SAFETY: a vector is a token; there is room for 16 numbers, and no alignment is asked for.
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
    fn add(self, other: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn doubled(self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_slli_epi64(self.0, 1) })
    }

    #[inline(always)]
    fn top_bits(self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_srli_epi64(self.0, 63) })
    }

    #[inline(always)]
    fn words_down(self, above: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm512_alignr_epi64(above.0, self.0, 1) })
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

/// [`Vector::and_equal`]. LLVM knows what the intrinsic does, joins the XORs of several of them, and needs one instruction more for a cell.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
fn and_equal(x: __m512i, a: __m512i, b: __m512i) -> __m512i {
    let mut x = x;
    // Of the eight inputs, x's bit being the highest, 100 and 111.
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

/// Bit i of byte j becomes bit j of byte i: Hacker's Delight (Warren, 2nd edition), section 7-3.
#[inline(always)]
fn transpose(mut x: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
        let swap = (x ^ x >> shift) & mask;
        x ^= swap ^ swap << shift;
    }
    x
}

/// [`Vector::plane`] by comparing no more than signs: the bit is moved to the top of its byte.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn plane_by_avx2(bytes: &[u8; 64], plane: u32) -> u64 {
    let to_top = _mm_cvtsi32_si128(7 - plane.cast_signed());
    let half = |at: usize| {
        // SAFETY: 32 of the 64 bytes from `at`, 0 or 32, on; no alignment is asked for.
        let bytes = unsafe { _mm256_loadu_si256(bytes[at..at + 32].as_ptr().cast()) };
        u64::from(_mm256_movemask_epi8(_mm256_sll_epi64(bytes, to_top)).cast_unsigned())
    };
    half(0) | half(32) << 32
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
    fn or_nor(self, a: Self, b: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe {
            let neither = _mm256_xor_si256(_mm256_or_si256(a.0, b.0), _mm256_set1_epi64x(-1));
            _mm256_or_si256(self.0, neither)
        })
    }

    #[inline(always)]
    fn shift_right(self, shift: u32) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed())) })
    }

    #[inline(always)]
    fn shift_left(self, shift: u32) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(shift.cast_signed())) })
    }

    #[inline(always)]
    fn plane(_: Avx2, bytes: &[u8; 64], plane: u32) -> u64 {
        // SAFETY: the token.
        unsafe { plane_by_avx2(bytes, plane) }
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
    fn add(self, other: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm256_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn doubled(self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm256_slli_epi64(self.0, 1) })
    }

    #[inline(always)]
    fn top_bits(self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe { _mm256_srli_epi64(self.0, 63) })
    }

    #[inline(always)]
    fn words_down(self, above: Self) -> Self {
        // SAFETY: a vector is a token.
        Self(unsafe {
            // Words 1, 2, 3 of self, and word 0 of `above` (32-bit halves 6 and 7).
            let next = _mm256_permute4x64_epi64(self.0, 0b00_11_10_01);
            _mm256_blend_epi32(next, _mm256_permute4x64_epi64(above.0, 0), 0b1100_0000)
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

/// No instructions but words'.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plain;

impl Isa for Plain {
    type Vector = Word;

    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// One word.
#[derive(Clone, Copy)]
pub(crate) struct Word(pub(super) u64);

impl Vector for Word {
    type Isa = Plain;
    const WORDS: usize = 1;

    #[inline(always)]
    fn splat(_: Plain, word: u64) -> Self {
        Self(word)
    }

    #[inline(always)]
    fn load(_: Plain, words: &[u64]) -> Self {
        Self(words[0])
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[0] = self.0;
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn or_nor(self, a: Self, b: Self) -> Self {
        Self(self.0 | !(a.0 | b.0))
    }

    fn shift_right(self, shift: u32) -> Self {
        Self(self.0 >> shift)
    }

    fn shift_left(self, shift: u32) -> Self {
        Self(self.0 << shift)
    }

    fn plane(_: Plain, bytes: &[u8; 64], plane: u32) -> u64 {
        bytes.iter().enumerate().map(|(i, byte)| u64::from(byte >> plane & 1) << i).sum()
    }

    #[inline(always)]
    fn funnel(self, high: Self, shift: u32) -> Self {
        Self(self.0 >> shift | high.0 << 1 << (63 - shift))
    }

    #[inline(always)]
    fn shift_down(self, above: u64) -> Self {
        Self(self.0 >> 1 | above << 63)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn doubled(self) -> Self {
        Self(self.0 << 1)
    }

    #[inline(always)]
    fn top_bits(self) -> Self {
        Self(self.0 >> 63)
    }

    #[inline(always)]
    fn words_down(self, above: Self) -> Self {
        above
    }

    #[inline(always)]
    fn first(self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0 == 0
    }
}

/// The vectors whose bits are lanes: the widest of the processor, chosen when the program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// 512 lanes and logic of three operands.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// 256 lanes.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// 64 lanes, for tests: short strings already make several strips.
    #[cfg(test)]
    Plain(Plain),
}

impl Lanes {
    /// The widest that the processor has.
    pub(crate) fn widest() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return Avx512::detect().map(Self::Avx512).or_else(|| Avx2::detect().map(Self::Avx2));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// All that the processor has.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let all = [
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Self::Avx512),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Self::Avx2),
            Plain::detect().map(Self::Plain),
        ];
        all.into_iter().flatten().collect()
    }

    /// Words of 64 lanes.
    pub(crate) fn words(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => 8,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => 4,
            #[cfg(test)]
            Self::Plain(_) => 1,
        }
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
        // Miri is a thousand times slower.
        for _ in 0..if cfg!(miri) { 2 } else { 100 } {
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
            let c: Vec<u64> = (0..words).map(|_| random.u64(..)).collect();
            let z = I::Vector::load(isa, &c);
            let third = |f: &dyn Fn(u64, u64, u64) -> u64| -> Vec<u64> {
                a.iter().zip(&b).zip(&c).map(|((&a, &b), &c)| f(a, b, c)).collect()
            };
            assert_eq!(stored(x.and_equal(y, z)), third(&|a, b, c| a & !(b ^ c)));
            assert_eq!(stored(x.or_nor(y, x.xor(y))), each(&|a, b| a | !(b | a ^ b)));
            let (c, z) = (&b[0], x.or_nor(I::Vector::splat(isa, b[0]), y));
            let expected: Vec<u64> = a.iter().zip(&b).map(|(a, b)| a | !(c | b)).collect();
            assert_eq!(stored(z), expected);
            let bytes: [u8; 64] = std::array::from_fn(|_| random.u8(..));
            for q in 0..8 {
                let expected = bytes.iter().rev().fold(0, |word, byte| word << 1 | u64::from(byte >> q & 1));
                assert_eq!(I::Vector::plane(isa, &bytes, q), expected);
            }
            for count in [1, 7, 8, 9, 20] {
                let planes: Vec<Vec<u64>> = (0..count).map(|_| (0..words).map(|_| random.u64(..)).collect()).collect();
                let loaded: Vec<I::Vector> = planes.iter().map(|plane| I::Vector::load(isa, plane)).collect();
                let mut numbers = vec![7; 64 * words];
                I::Vector::numbers(&loaded, &mut numbers);
                for (lane, &number) in numbers.iter().enumerate() {
                    let bit = |plane: &Vec<u64>| (plane[lane / 64] >> (lane % 64) & 1) as u32;
                    assert_eq!(number, planes.iter().rev().fold(0, |number, plane| number << 1 | bit(plane)));
                }
            }
            for shift in 0..64 {
                assert_eq!(stored(x.shift_right(shift)), each(&|a, _| a >> shift));
                assert_eq!(stored(x.shift_left(shift)), each(&|a, _| a << shift));
                let wide = |a: u64, b: u64| ((u128::from(b) << 64 | u128::from(a)) >> shift) as u64;
                assert_eq!(stored(x.funnel(y, shift)), each(&wide), "shift {shift}");
            }
            let above = random.u64(..);
            let bit = |i: usize| if i < 64 * words { a[i / 64] >> (i % 64) & 1 } else { above & 1 };
            let moved: Vec<u64> = (0..words).map(|w| (0..64).map(|i| bit(64 * w + i + 1) << i).sum()).collect();
            assert_eq!(stored(x.shift_down(above)), moved);
            assert_eq!(stored(x.add(y)), each(&|a, b| a.wrapping_add(b)));
            assert_eq!(stored(x.doubled()), each(&|a, _| a << 1));
            assert_eq!(stored(x.top_bits()), each(&|a, _| a >> 63));
            assert_eq!(stored(x.words_down(y)), [&a[1..], &b[..1]].concat());
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
