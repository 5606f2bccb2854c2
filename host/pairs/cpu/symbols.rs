//! The symbols of a group of strings as bit planes: vector (j, q) has bit q of symbol j of every
//! string, one string a lane.
//!
//! Symbols need no codes: only the bits of a byte that distinguish the occurring symbols have
//! planes, two for the letters A, C, G and T.

use crate::cpu::vector::{Isa, Vector};

/// The bytes that occur.
#[derive(Debug, Clone)]
pub(super) struct Alphabet {
    occurs: [bool; 256],
}

impl Alphabet {
    pub(super) fn new() -> Self {
        Self { occurs: [false; 256] }
    }

    pub(super) fn add(&mut self, string: &[u8]) {
        for &symbol in string {
            self.occurs[usize::from(symbol)] = true;
        }
    }

    pub(super) fn symbols(&self) -> impl Iterator<Item = u8> {
        (0..=255).filter(|&symbol| self.occurs[usize::from(symbol)])
    }

    /// Returns the fewest bits that distinguish any two of the symbols, at least one.
    pub(super) fn bits(&self) -> Vec<u32> {
        let symbols: Vec<u8> = self.symbols().collect();
        let distinguishes = |mask: u8| {
            let mut seen = [0u128; 2];
            symbols.iter().all(|symbol| {
                let half = &mut seen[usize::from(symbol >> 7 & mask >> 7)];
                let bit = 1 << (symbol & mask & 127);
                let new = *half & bit == 0;
                *half |= bit;
                new
            })
        };
        let least = usize::BITS - symbols.len().saturating_sub(1).leading_zeros();
        let masks = (least.max(1)..=8).flat_map(|count| (1..=255u8).filter(move |mask| mask.count_ones() == count));
        bits_of(masks.into_iter().find(|&mask| distinguishes(mask)).unwrap_or(255))
    }
}

fn bits_of(mask: u8) -> Vec<u32> {
    (0..8).filter(|&bit| mask >> bit & 1 == 1).collect()
}

/// Least total number of symbols that justifies a pass over all of them to find the fewest bits.
const MIN_COUNTED_SYMBOLS: usize = 1 << 19;

/// Returns bits that distinguish the symbols of some strings: the fewest if the strings are short,
/// or long enough for a pass over them to pay off.
pub(super) fn bits<I: Isa>(isa: I, strings: &[&[u8]]) -> Vec<u32> {
    let mut alphabet = Alphabet::new();
    if strings.iter().map(|string| string.len()).sum::<usize>() > MIN_COUNTED_SYMBOLS {
        strings.iter().for_each(|string| alphabet.add(string));
        return alphabet.bits();
    }
    // The longest string may contain all symbols.
    alphabet.add(strings.iter().max_by_key(|string| string.len()).unwrap_or(&&b""[..]));
    let known = alphabet.clone();
    let mut symbols = known.symbols();
    let Some(first) = symbols.next() else { return vec![0] };
    let [a, b, c] = std::array::from_fn(|_| symbols.next().unwrap_or(first));
    let few = symbols.next().is_none();
    let survey = isa.run(
        #[inline(always)]
        || I::Vector::survey(isa, strings, [first, a, b, c]),
    );
    if few && !survey.others { alphabet.bits() } else { bits_of(survey.varying.max(1)) }
}

/// Planes of at most one string per lane. Beyond its end a string has arbitrary symbols.
///
/// 64 symbols of a string become a word for each bit, and 64 vectors of such words, of all strings,
/// are transposed by operations on whole vectors: about six for a vector of 512 symbols' bits, and
/// six before that for each bit of 64 symbols.
pub(super) struct Planes<'s, I: Isa> {
    isa: I,
    strings: Vec<&'s [u8]>,
    bits: Vec<u32>,
    planes: Vec<I::Vector>,
    longest: usize,
}

impl<'s, I: Isa> Planes<'s, I> {
    pub(super) fn new(isa: I, strings: Vec<&'s [u8]>, bits: &[u32]) -> Self {
        let longest = strings.iter().map(|string| string.len()).max().unwrap_or(0);
        Self { isa, strings, bits: bits.to_vec(), planes: Vec::new(), longest }
    }

    /// Returns the number of symbols of the longest string.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Returns the planes of at least `symbols` symbols, or of all.
    #[inline(always)]
    pub(super) fn up_to(&mut self, symbols: usize) -> &[I::Vector] {
        let symbols = symbols.min(self.longest);
        if self.planes.len() < symbols * self.bits.len() {
            self.extend(symbols);
        }
        &self.planes
    }

    /// Fills the planes of at least `symbols` symbols. Compiled once for all tables.
    #[inline(never)]
    fn extend(&mut self, symbols: usize) {
        let isa = self.isa;
        isa.run(
            #[inline(always)]
            || {
                let mut filled = self.planes.len() / self.bits.len();
                while filled < symbols {
                    let end = (filled + 64).min(self.longest);
                    self.planes.resize(end * self.bits.len(), I::Vector::splat(isa, 0));
                    fill(isa, &self.strings, &self.bits, filled, &mut self.planes[filled * self.bits.len()..]);
                    filled = end;
                }
            },
        );
    }
}

/// Fills the planes of symbols `start`.. of all strings, at most 64.
#[inline(always)]
fn fill<I: Isa>(isa: I, strings: &[&[u8]], bits: &[u32], start: usize, planes: &mut [I::Vector]) {
    let mut rows = [[[0; 8]; 64]; 8];
    // One loop for each even number of bits.
    let bit = |q: usize| bits.get(q).copied().unwrap_or(0);
    match bits.len() {
        ..=2 => words::<I, 2>(isa, strings, std::array::from_fn(bit), start, &mut rows),
        3..=4 => words::<I, 4>(isa, strings, std::array::from_fn(bit), start, &mut rows),
        5..=6 => words::<I, 6>(isa, strings, std::array::from_fn(bit), start, &mut rows),
        _ => words::<I, 8>(isa, strings, std::array::from_fn(bit), start, &mut rows),
    }
    let mut tile = [I::Vector::splat(isa, 0); 64];
    for (q, rows) in rows.iter().enumerate().take(bits.len()) {
        for (tile, row) in tile.iter_mut().zip(rows) {
            *tile = Vector::load(isa, row);
        }
        transpose(isa, &mut tile);
        for (column, tile) in planes.chunks_exact_mut(bits.len()).zip(tile) {
            column[q] = tile;
        }
    }
}

/// Computes the words of each string, of 64 symbols from `start` on: row `[q][lane % 64]` has, in
/// word `lane / 64`, bit `bits[q]` of the symbols of a lane's string.
#[inline(always)]
fn words<I: Isa, const P: usize>(
    isa: I,
    strings: &[&[u8]],
    bits: [u32; P],
    start: usize,
    rows: &mut [[[u64; 8]; 64]; 8],
) {
    for row in 0..strings.len().min(64) {
        for (word, string) in strings[row..].iter().step_by(64).enumerate() {
            let planes = I::Vector::planes(isa, string.get(start..).unwrap_or_default(), bits);
            for (rows, plane) in rows.iter_mut().zip(planes) {
                rows[row][word] = plane;
            }
        }
    }
}

/// Transposes: bit j of vector i's word w becomes bit i of vector j's word w; see
/// `cpu::planes::transpose`.
#[inline(always)]
fn transpose<I: Isa>(isa: I, tile: &mut [I::Vector; 64]) {
    swap::<I, 32>(isa, tile, 0x0000_0000_ffff_ffff);
    swap::<I, 16>(isa, tile, 0x0000_ffff_0000_ffff);
    swap::<I, 8>(isa, tile, 0x00ff_00ff_00ff_00ff);
    swap::<I, 4>(isa, tile, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<I, 2>(isa, tile, 0x3333_3333_3333_3333);
    swap::<I, 1>(isa, tile, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn swap<I: Isa, const SIZE: usize>(isa: I, tile: &mut [I::Vector; 64], low: u64) {
    let low: I::Vector = Vector::splat(isa, low);
    for pair in tile.chunks_exact_mut(2 * SIZE) {
        let (first, second) = pair.split_at_mut(SIZE);
        for (a, b) in first.iter_mut().zip(second) {
            let swap = a.shift_right(SIZE as u32).xor(*b).and(low);
            *a = a.xor(swap.shift_left(SIZE as u32));
            *b = b.xor(swap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::vector::Plain;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::vector::{Avx2, Avx512};

    #[test]
    fn bits_that_tell_symbols_apart() {
        let bits = |symbols: &[u8]| {
            let mut alphabet = Alphabet::new();
            alphabet.add(symbols);
            assert!(alphabet.symbols().all(|symbol| symbols.contains(&symbol)));
            alphabet.bits()
        };
        assert_eq!(bits(b""), [0]);
        assert_eq!(bits(b"A"), [0]);
        assert_eq!(bits(b"GATTACA"), [1, 2]);
        assert_eq!(bits(b"abcdefghijklmnopqrstuvwxyz").len(), 5);
        assert_eq!(bits(b"aA"), [5]);
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(bits(&all).len(), 8);
    }

    fn check<I: Isa>() {
        let Some(isa) = I::detect() else { return };
        let (lanes, mut random) = (64 * I::Vector::WORDS, fastrand::Rng::with_seed(1));
        for count in [1, lanes - 1, lanes] {
            let strings: Vec<Vec<u8>> =
                (0..count).map(|_| (0..random.usize(..200)).map(|_| random.u8(..)).collect()).collect();
            let strings: Vec<&[u8]> = strings.iter().map(|string| &string[..]).collect();
            for bits in [&[0, 1, 2, 3, 4, 5, 6, 7][..], &[6], &[1, 4]] {
                let mut planes = Planes::new(isa, strings.clone(), bits);
                planes.up_to(70);
                let planes = planes.up_to(usize::MAX);
                let mut stored = [0; 8];
                for (lane, string) in strings.iter().enumerate() {
                    for (j, &symbol) in string.iter().enumerate() {
                        for (q, &bit) in bits.iter().enumerate() {
                            planes[j * bits.len() + q].store(&mut stored);
                            assert_eq!(stored[lane / 64] >> (lane % 64) & 1, u64::from(symbol >> bit & 1));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn planes_by_single_bits() {
        check::<Plain>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx2>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx512>();
    }
}
