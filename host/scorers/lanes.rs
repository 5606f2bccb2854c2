//! One string with several others at a time, in vectors. A word has a bit for each position of the
//! string, and each other string has a lane.

use crate::cpu::vector::by_widest_vectors;
use crate::pairs::Symbols;
use crate::pairs::word_masks::{WORD, WordMasks};
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl};

/// Number of strings that are compared at a time.
pub(super) const LANES: usize = 16;

/// Positions of a string, as bits.
pub(super) trait Positions:
    Copy
    + Default
    + PartialEq
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
{
    fn new(positions: u64) -> Self;

    /// Returns the lowest position alone.
    fn lowest(self) -> Self;

    fn count(self) -> u32;

    /// Adds two words as numbers.
    fn plus(self, other: Self) -> Self;
}

macro_rules! positions {
    ($($word:ty),+) => {
        $(impl Positions for $word {
            #[inline(always)]
            fn new(positions: u64) -> Self {
                positions as $word
            }

            #[inline(always)]
            fn lowest(self) -> Self {
                self & self.wrapping_neg()
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
        })+
    };
}

positions!(u32, u64);

/// A number of a string and each of several others.
pub(super) trait LaneNumber {
    type Number;

    /// Computes the numbers of a string of `m` symbols and others of the given lengths, at most as
    /// many as a word has bits. `columns` has, for each position in the others, the positions of
    /// their symbols in the string; none after the end of a string. `room` is memory of the same
    /// length. Must be `#[inline(always)]`.
    fn numbers<W: Positions>(
        m: u32,
        columns: &[[W; LANES]],
        room: &mut [[W; LANES]],
        lengths: &[u32; LANES],
    ) -> [Self::Number; LANES];
}

/// The positions of each symbol in a string of at most 64 symbols.
pub(super) struct LaneString {
    /// Number of symbols.
    m: u32,
    masks: WordMasks,
    /// Those of bytes, for strings of at most 32 symbols.
    short: [u32; 256],
    /// The symbols of a string of at most [`FEW`].
    symbols: [u32; FEW],
    /// A number that is none of these symbols.
    absent: u32,
}

/// Number of symbols that are compared one with another in less time than a table takes.
const FEW: usize = 16;

impl LaneString {
    /// Returns the positions of a string's symbols; `None` if it has none, or too many.
    pub(super) fn new(string: Symbols<'_>) -> Option<Self> {
        let m = string.len();
        (1..=WORD).contains(&m).then(|| {
            let masks = WordMasks::new(string);
            let mut symbols = [0; FEW];
            place(string, symbols.iter_mut());
            let absent = (0..=FEW as u32).find(|number| !symbols.contains(number)).unwrap_or(0);
            Self { m: m as u32, short: masks.of_bytes().map(u32::new), masks, symbols, absent }
        })
    }

    pub(super) fn masks(&self) -> &WordMasks {
        &self.masks
    }

    /// Computes the numbers of the string and others; `None` if any is too long.
    pub(super) fn numbers<N: LaneNumber>(&self, others: &[Symbols<'_>; LANES]) -> Option<[N::Number; LANES]> {
        let longest = others.iter().map(|other| other.len()).max().unwrap_or(0).max(self.m as usize);
        let are_bytes = others.iter().all(|other| matches!(other, Symbols::Bytes(_)));
        Some(match longest {
            0..=8 if !are_bytes => self.by_comparing::<N, 8>(others),
            9..=FEW if !are_bytes => self.by_comparing::<N, FEW>(others),
            0..=16 => self.in_lanes::<N, u32, 16>(&self.short, others),
            17..=32 => self.in_lanes::<N, u32, 32>(&self.short, others),
            33..=WORD => self.in_lanes::<N, u64, WORD>(self.masks.of_bytes(), others),
            _ => return None,
        })
    }

    /// Computes the numbers of strings of at most `COLUMNS` symbols. `of_bytes` has the positions
    /// of each byte.
    fn in_lanes<N: LaneNumber, W: Positions, const COLUMNS: usize>(
        &self,
        of_bytes: &[W; 256],
        others: &[Symbols<'_>; LANES],
    ) -> [N::Number; LANES] {
        let longest = others.iter().map(Symbols::len).max().unwrap_or(0).min(COLUMNS);
        let [mut columns, mut room] = [[[W::default(); LANES]; COLUMNS]; 2];
        let (columns, room) = (&mut columns[..longest], &mut room[..longest]);
        // Outside the function for the widest vectors: there, the compiler makes scattered stores
        // of this loop, which are slower.
        for (lane, other) in others.iter().enumerate() {
            match other {
                Symbols::Bytes(bytes) => {
                    for (column, &byte) in columns.iter_mut().zip(*bytes) {
                        column[lane] = of_bytes[usize::from(byte)];
                    }
                }
                Symbols::Numbers(_) => {
                    let mut places = columns.iter_mut();
                    self.masks.each(*other, |positions| {
                        if let Some(column) = places.next() {
                            column[lane] = W::new(positions);
                        }
                    });
                }
            }
        }
        let lengths = others.map(|other| other.len() as u32);
        by_widest_vectors(
            #[inline(always)]
            || N::numbers(self.m, columns, room, &lengths),
        )
    }
    /// Computes the numbers of strings of at most `COLUMNS` symbols, as this string, which has at
    /// most [`FEW`]. All symbols are compared with those of this string.
    fn by_comparing<N: LaneNumber, const COLUMNS: usize>(&self, others: &[Symbols<'_>; LANES]) -> [N::Number; LANES] {
        let longest = others.iter().map(Symbols::len).max().unwrap_or(0).min(COLUMNS);
        // After the end of a string, no symbol is equal.
        let mut symbols = [[self.absent; LANES]; COLUMNS];
        for (lane, other) in others.iter().enumerate() {
            place(*other, symbols.iter_mut().map(|column| &mut column[lane]));
        }
        let lengths = others.map(|other| other.len() as u32);
        by_widest_vectors(
            #[inline(always)]
            || {
                let [mut columns, mut room] = [[[0u32; LANES]; COLUMNS]; 2];
                // All columns in the innermost loop: this becomes vector instructions.
                let symbols = symbols[..longest].as_flattened();
                for (bit, &own) in (0..self.m).zip(&self.symbols) {
                    let bit = 1 << bit;
                    for (positions, &symbol) in columns[..longest].as_flattened_mut().iter_mut().zip(symbols) {
                        *positions |= if symbol == own { bit } else { 0 };
                    }
                }
                N::numbers(self.m, &columns[..longest], &mut room[..longest], &lengths)
            },
        )
    }
}

/// Writes the symbols of a string to some places.
#[inline(always)]
fn place<'p>(string: Symbols<'_>, places: impl Iterator<Item = &'p mut u32>) {
    match string {
        Symbols::Bytes(bytes) => places.zip(bytes).for_each(|(place, &byte)| *place = byte.into()),
        Symbols::Numbers(numbers) => places.zip(numbers).for_each(|(place, &number)| *place = number),
    }
}

/// Writes the results of some strings, `L` at a time by `together`, which returns `None` for
/// strings that it does not take. The others are compared by `alone`.
pub(super) fn by_lanes<'s, const L: usize, T: Copy>(
    strings: &[Symbols<'s>],
    results: &mut [T],
    mut together: impl FnMut(&[Symbols<'s>; L]) -> Option<[T; L]>,
    alone: impl Fn(Symbols<'s>) -> T,
) {
    for (strings, results) in strings.chunks(L).zip(results.chunks_mut(L)) {
        match strings.try_into().ok().and_then(&mut together) {
            Some(all) => results.copy_from_slice(&all),
            None => results.iter_mut().zip(strings).for_each(|(result, string)| *result = alone(*string)),
        }
    }
}
