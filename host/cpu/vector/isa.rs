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
    /// Returns the vector's words.
    fn words_mut(&mut self) -> &mut [u64];
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
    /// Moves the bits of each word down by `shift` < 64.
    fn shift_right(self, shift: u32) -> Self;
    /// Moves the bits of each word up by `shift` < 64.
    fn shift_left(self, shift: u32) -> Self;
    /// Returns a word for each of some bits, with that bit of each of the first 64 symbols, the
    /// first symbol's in bit 0. The bits beyond the end are arbitrary.
    fn planes<const P: usize>(isa: Self::Isa, symbols: &[u8], bits: [u32; P]) -> [u64; P];
    /// Finds out how the symbols of some strings differ from known ones.
    fn survey(isa: Self::Isa, strings: &[&[u8]], known: [u8; 4]) -> Survey;
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

/// How some symbols differ from four known ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Survey {
    /// A bit is 1 if it is different in some symbol and in the first known one.
    pub varying: u8,
    /// True if there are unknown symbols.
    pub others: bool,
}

/// Returns the first `N` symbols, at most 64, and `fill` beyond their end.
#[inline(always)]
pub(super) fn padded<const N: usize>(symbols: &[u8], fill: u8) -> [u8; N] {
    if let Some(symbols) = symbols.first_chunk() {
        return *symbols;
    }
    let mut padded = [fill; N];
    // Two copies of a fixed size, which overlap, are faster than one of any size.
    match symbols.len() {
        32.. => copy_ends::<32>(symbols, &mut padded),
        16.. => copy_ends::<16>(symbols, &mut padded),
        8.. => copy_ends::<8>(symbols, &mut padded),
        4.. => copy_ends::<4>(symbols, &mut padded),
        _ => padded.iter_mut().zip(symbols).for_each(|(to, symbol)| *to = *symbol),
    }
    padded
}

/// Copies the first and the last `N` symbols of at most 2 `N`.
#[inline(always)]
fn copy_ends<const N: usize>(symbols: &[u8], to: &mut [u8]) {
    let last = symbols.len() - N;
    to[..N].copy_from_slice(&symbols[..N]);
    to[last..last + N].copy_from_slice(&symbols[last..]);
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
