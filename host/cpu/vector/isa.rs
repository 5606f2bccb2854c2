//! Traits of instruction sets and of their vectors.

/// An instruction set that this processor has.
pub(crate) trait Isa: Copy + Send + Sync + 'static {
    /// Vectors of the instruction set.
    type Vector: Vector<Isa = Self>;

    /// Returns the token, if the processor has the instructions.
    fn detect() -> Option<Self>;

    /// Runs `work`, compiled for these instructions with all that is inlined into it.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// Words side by side; the first is the lowest.
pub(crate) trait Vector: Copy + Send {
    type Isa: Isa<Vector = Self>;
    const WORDS: usize;

    fn splat(isa: Self::Isa, word: u64) -> Self;
    /// Loads the first [`WORDS`](Self::WORDS) words of a slice, which has at least that many.
    fn load(isa: Self::Isa, words: &[u64]) -> Self;
    /// Stores into the first [`WORDS`](Self::WORDS) words of a slice, which has at least that many.
    fn store(self, words: &mut [u64]);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
    /// Computes `self & !(a ^ b)`: self's bits at positions where the others agree. Takes one
    /// instruction if there are instructions of three operands.
    fn and_equal(self, a: Self, b: Self) -> Self {
        self.and_not(a.xor(b))
    }
    /// `self | !(a | b)`.
    fn or_nor(self, a: Self, b: Self) -> Self;
    /// Moves the bits of each word down by `shift` < 64.
    fn shift_right(self, shift: u32) -> Self;
    /// Moves the bits of each word up by `shift` < 64.
    fn shift_left(self, shift: u32) -> Self;
    /// Returns bit `plane` of 64 bytes, the first byte's in bit 0.
    fn plane(isa: Self::Isa, bytes: &[u8; 64], plane: u32) -> u64;
    /// Computes a number for each bit of a vector: `planes[q]`, with at most 32 planes, holds bit q
    /// of all numbers. `numbers` must have room for all.
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
    /// Returns, in each word, the 64 bits from bit `shift` < 64 on of self (low) and `high`.
    fn funnel(self, high: Self, shift: u32) -> Self;
    /// Moves all bits of the vector, as one number, down by one; the lowest bit of `above` becomes
    /// the highest.
    fn shift_down(self, above: u64) -> Self;
    /// Adds the words, without carries from word to word.
    fn add(self, other: Self) -> Self;
    /// Doubles each word, without carries from word to word.
    fn doubled(self) -> Self;
    /// Returns the highest bit of each word, as its lowest.
    fn top_bits(self) -> Self;
    /// Moves the words down by one; the lowest word of `above` becomes the highest.
    fn words_down(self, above: Self) -> Self;
    /// Returns the lowest word.
    fn first(self) -> u64;
    /// Returns true if all bits are 0.
    fn is_zero(self) -> bool;
}

/// Transposes 8 × 8 bits: bit i of byte j becomes bit j of byte i. Hacker's Delight (Warren, 2nd
/// edition), section 7-3.
#[inline(always)]
fn transpose(mut x: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
        let swap = (x ^ x >> shift) & mask;
        x ^= swap ^ swap << shift;
    }
    x
}
