//! Jaro's similarities of one string to several others at a time, in vectors. A word has a bit for
//! each position of the string, and each other string has a lane.

use crate::cpu::vector::by_widest_vectors;
use crate::pairs::Symbols;
use crate::pairs::word_masks::{WORD, WordMasks};
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl};

/// Number of strings that are compared at a time.
pub(super) const LANES: usize = 16;

/// Maximum distance of the positions of a common symbol, for strings of at least two symbols.
#[inline]
pub(super) fn window(m: usize, n: usize) -> usize {
    (m.max(n) / 2).saturating_sub(1)
}

/// Returns the similarity of strings of these lengths, from their number of common symbols, and of
/// those in the same order; each transposition counts as one that is not.
#[inline(always)]
pub(super) fn value([m, n]: [f64; 2], common: f64, in_order: f64) -> f64 {
    (common / m + common / n + in_order / common) / 3.0
}

/// Positions of a string, as bits.
trait Positions:
    Copy
    + Default
    + PartialEq
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
{
    /// Maximum number of symbols of the strings.
    const SYMBOLS: usize;

    fn new(positions: u64) -> Self;

    /// Returns the lowest position alone.
    fn lowest(self) -> Self;

    fn count(self) -> u32;
}

macro_rules! positions {
    ($($word:ty),+) => {
        $(impl Positions for $word {
            const SYMBOLS: usize = <$word>::BITS as usize;

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
        })+
    };
}

positions!(u32, u64);

/// The positions of each symbol in a string of at most 64 symbols.
pub(super) struct JaroLanes {
    /// Number of symbols.
    m: usize,
    masks: WordMasks,
    /// Those of bytes, for strings of at most 32 symbols.
    short: [u32; 256],
}

impl JaroLanes {
    /// Returns the positions of a string's symbols; `None` if it has none, or too many.
    pub(super) fn new(string: Symbols<'_>) -> Option<Self> {
        let m = string.len();
        (1..=WORD).contains(&m).then(|| {
            let masks = WordMasks::new(string);
            Self { m, short: masks.of_bytes().map(u32::new), masks }
        })
    }

    pub(super) fn masks(&self) -> &WordMasks {
        &self.masks
    }

    /// Computes the similarities of strings; `None` if any is too long.
    pub(super) fn similarities(&self, others: &[&[u8]; LANES], room: &mut Room) -> Option<[f64; LANES]> {
        let longest = others.iter().map(|other| other.len()).max().unwrap_or(0).max(self.m);
        if longest <= u32::SYMBOLS {
            return Some(by_widest_vectors(
                #[inline(always)]
                || in_lanes(self.m, &self.short, others, &mut room.short),
            ));
        }
        (longest <= u64::SYMBOLS).then(|| {
            room.long.resize(u64::SYMBOLS, Column::default());
            by_widest_vectors(
                #[inline(always)]
                || in_lanes(self.m, self.masks.of_bytes(), others, &mut room.long),
            )
        })
    }
}

/// Memory for a comparison.
#[derive(Default)]
pub(super) struct Room {
    short: [Column<u32>; u32::SYMBOLS],
    long: Vec<Column<u64>>,
}

/// A symbol of each of the other strings.
#[derive(Clone, Copy, Default)]
struct Column<W> {
    /// Positions of the symbol in the string.
    equal: [W; LANES],
    /// The position that it has in common with the string, if any.
    common: [W; LANES],
}

/// Computes the similarities of strings of at most as many symbols as there are columns.
#[inline(always)]
fn in_lanes<W: Positions>(
    m: usize,
    masks: &[W; 256],
    others: &[&[u8]; LANES],
    columns: &mut [Column<W>],
) -> [f64; LANES] {
    let none = W::default();
    let longest = others.iter().map(|other| other.len()).max().unwrap_or(0);
    let columns = &mut columns[..longest];
    columns.iter_mut().for_each(|column| column.equal = [none; LANES]);
    let mut window = [0; LANES];
    let mut near = [none; LANES];
    for (lane, other) in others.iter().enumerate() {
        for (column, &byte) in columns.iter_mut().zip(*other) {
            column.equal[lane] = masks[usize::from(byte)];
        }
        let own = self::window(m, other.len()) as u32;
        window[lane] = own;
        near[lane] = W::new(!0 >> (63 - own.min(63)));
    }
    let mut of_string = [none; LANES];
    for (at, column) in (0..).zip(&mut *columns) {
        for lane in 0..LANES {
            let own = (column.equal[lane] & near[lane] & !of_string[lane]).lowest();
            column.common[lane] = own;
            of_string[lane] = of_string[lane] | own;
            near[lane] = near[lane] << 1 | W::new(u64::from(at < window[lane]));
        }
    }
    // Symbols in common whose position is not the next of those in common.
    let mut moved = [0u32; LANES];
    let mut left = of_string;
    for column in &*columns {
        for lane in 0..LANES {
            let next = left[lane].lowest();
            let is_common = column.common[lane] != none;
            moved[lane] += u32::from(is_common & (column.equal[lane] & next == none));
            left[lane] = if is_common { left[lane] ^ next } else { left[lane] };
        }
    }
    let lengths = others.map(|other| other.len() as u32);
    let mut similarities = [0.0; LANES];
    for lane in 0..LANES {
        let common = of_string[lane].count();
        let [n, common, in_order] = [lengths[lane], common, common - moved[lane] / 2].map(f64::from);
        let similarity = value([m as f64, n], common, in_order);
        similarities[lane] = if common == 0.0 { 0.0 } else { similarity };
    }
    similarities
}
