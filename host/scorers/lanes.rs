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
        let columns = others.iter().map(Symbols::len).max().unwrap_or(0);
        let are_bytes = others.iter().all(|other| matches!(other, Symbols::Bytes(_)));
        Some(match columns.max(self.m as usize) {
            0..=FEW if !are_bytes => {
                let mut positions = [[0; LANES]; FEW];
                self.compare(others, &mut positions[..columns]);
                self.of_positions::<N, u32, FEW>(&positions[..columns], others)
            }
            0..=FEW => {
                let positions = self.looked_up::<u32, FEW>(&self.short, others);
                self.of_positions::<N, u32, FEW>(&positions[..columns], others)
            }
            17..=32 => {
                let positions = self.looked_up::<u32, 32>(&self.short, others);
                self.of_positions::<N, u32, 32>(&positions[..columns], others)
            }
            33..=WORD => {
                let positions = self.looked_up::<u64, WORD>(self.masks.of_bytes(), others);
                self.of_positions::<N, u64, WORD>(&positions[..columns], others)
            }
            _ => return None,
        })
    }

    /// Computes the numbers from the positions of the others' symbols, at most `COLUMNS`.
    fn of_positions<N: LaneNumber, W: Positions, const COLUMNS: usize>(
        &self,
        positions: &[[W; LANES]],
        others: &[Symbols<'_>; LANES],
    ) -> [N::Number; LANES] {
        let mut room = [[W::default(); LANES]; COLUMNS];
        numbers::<N, W>(self.m, positions, &mut room[..positions.len()], &others.map(|other| other.len() as u32))
    }

    /// Looks up the positions of the symbols of strings of at most `COLUMNS`. `of_bytes` has those
    /// of each byte.
    // Not compiled for the widest vectors: there, the compiler makes scattered stores of this loop,
    // which are slower.
    fn looked_up<W: Positions, const COLUMNS: usize>(
        &self,
        of_bytes: &[W; 256],
        others: &[Symbols<'_>; LANES],
    ) -> [[W; LANES]; COLUMNS] {
        let mut columns = [[W::default(); LANES]; COLUMNS];
        for (lane, other) in others.iter().enumerate() {
            let places = columns.iter_mut().map(|column| &mut column[lane]);
            match other {
                Symbols::Bytes(bytes) => {
                    places.zip(*bytes).for_each(|(place, &byte)| *place = of_bytes[usize::from(byte)]);
                }
                Symbols::Numbers(_) => {
                    let mut places = places;
                    self.masks.each(*other, |positions| {
                        if let Some(place) = places.next() {
                            *place = W::new(positions);
                        }
                    });
                }
            }
        }
        columns
    }

    /// Finds the positions of the symbols of strings, at most [`FEW`] as in this string: all
    /// symbols are compared with those of this string.
    fn compare(&self, others: &[Symbols<'_>; LANES], columns: &mut [[u32; LANES]]) {
        // After the end of a string, no symbol is equal.
        let mut symbols = [[self.absent; LANES]; FEW];
        for (lane, other) in others.iter().enumerate() {
            place(*other, symbols.iter_mut().map(|column| &mut column[lane]));
        }
        by_widest_vectors(
            #[inline(always)]
            || {
                for (first, own) in (0..self.m).step_by(4).zip(self.symbols.as_chunks::<4>().0) {
                    // After the end of this string, no bit is set.
                    let inside = !0 >> (u32::BITS - self.m);
                    let bits = [1, 2, 4, 8].map(|bit| bit << first & inside);
                    // All columns in the innermost loop: this becomes vector instructions.
                    for (positions, &symbol) in columns.as_flattened_mut().iter_mut().zip(symbols.as_flattened()) {
                        let bit = |at: usize| if symbol == own[at] { bits[at] } else { 0 };
                        *positions |= bit(0) | bit(1) | bit(2) | bit(3);
                    }
                }
            },
        );
    }
}

/// Computes numbers in the widest vectors.
fn numbers<N: LaneNumber, W: Positions>(
    m: u32,
    columns: &[[W; LANES]],
    room: &mut [[W; LANES]],
    lengths: &[u32; LANES],
) -> [N::Number; LANES] {
    by_widest_vectors(
        #[inline(always)]
        || N::numbers(m, columns, room, lengths),
    )
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
