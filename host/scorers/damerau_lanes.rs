//! Damerau's distances of one string to several others at a time, in vectors: each other string has
//! a lane.

use crate::cpu::vector::by_widest_vectors;
use crate::pairs::Symbols;
use crate::pairs::word_masks::{WORD, WordMasks};

/// Number of strings that are compared at a time.
pub(super) const LANES: usize = 32;
/// Maximum number of symbols of a string.
const SYMBOLS: usize = 1 << 12;
/// Greater than all distances.
const FAR: i16 = 1 << 13;
/// The code of symbols that the string does not have.
const OTHER: i16 = -1;
/// The number of a row or column that does not exist, and that is not next to one that does.
const NONE: i16 = -2;

type Lanes = [i16; LANES];

/// A column of all tables.
#[derive(Clone, Copy)]
pub(super) struct Column {
    symbol: Lanes,
    /// D in the current row.
    cell: Lanes,
    /// D in the row above.
    above: Lanes,
    /// The last row with this column's symbol.
    last_row: Lanes,
    /// D in the row above that row, two columns to the left.
    start: Lanes,
}

/// A string whose distances are computed.
pub(super) struct DamerauLanes {
    codes: Vec<i16>,
    /// For strings of at most 64 symbols, whose codes are the first positions of the symbols. Those
    /// of longer strings are bytes.
    masks: Option<WordMasks>,
}

impl DamerauLanes {
    /// Returns the string; `None` if it is too long.
    pub(super) fn new(string: Symbols<'_>) -> Option<Self> {
        if string.len() > SYMBOLS {
            return None;
        }
        let masks = (string.len() <= WORD).then(|| WordMasks::new(string));
        let mut lanes = Self { codes: Vec::new(), masks };
        lanes.codes = string.to_numbers().into_iter().map(|symbol| lanes.code(symbol)).collect();
        Some(lanes)
    }

    /// Returns the code of a symbol; that of a symbol without one equals none.
    fn code(&self, symbol: u32) -> i16 {
        match &self.masks {
            Some(masks) => match masks.of(symbol) {
                0 => OTHER,
                positions => positions.trailing_zeros() as i16,
            },
            None => u8::try_from(symbol).map_or(OTHER, i16::from),
        }
    }

    /// Computes the distances of strings; `None` if any is too long, or if there may be equal
    /// symbols without codes. `columns` is memory for the comparison.
    pub(super) fn distances(&self, others: &[Symbols<'_>; LANES], columns: &mut Vec<Column>) -> Option<[u32; LANES]> {
        let longest = others.iter().map(Symbols::len).max().unwrap_or(0);
        let is_coded = self.masks.is_some() || others.iter().all(|other| matches!(other, Symbols::Bytes(_)));
        (longest <= SYMBOLS && is_coded).then(|| {
            crate::threads::check();
            self.fill(others, longest, columns);
            by_widest_vectors(
                #[inline(always)]
                || rows(&self.codes, columns),
            );
            std::array::from_fn(|lane| columns[others[lane].len()].cell[lane] as u32)
        })
    }

    /// Makes the columns of some strings, with row 0 of the tables.
    fn fill(&self, others: &[Symbols<'_>; LANES], longest: usize, columns: &mut Vec<Column>) {
        columns.clear();
        columns.extend((0..=longest as i16).map(|number| Column {
            symbol: [NONE; LANES],
            cell: [number; LANES],
            above: [FAR; LANES],
            last_row: [NONE; LANES],
            start: [FAR; LANES],
        }));
        for (lane, other) in others.iter().enumerate() {
            let columns = columns[1..].iter_mut();
            match other {
                Symbols::Bytes(bytes) => {
                    columns.zip(*bytes).for_each(|(column, &byte)| column.symbol[lane] = self.code(byte.into()));
                }
                Symbols::Numbers(numbers) => {
                    columns.zip(*numbers).for_each(|(column, &number)| column.symbol[lane] = self.code(number));
                }
            }
        }
    }
}

/// Computes the tables, row by row, as [`damerau`](super::damerau) does.
#[inline(always)]
fn rows(string: &[i16], columns: &mut [Column]) {
    let Some((first, columns)) = columns.split_first_mut() else { return };
    for (row, &symbol) in (1..).zip(string) {
        let mut diagonal = first.cell;
        let mut above_left = first.above;
        first.above = first.cell;
        first.cell = [row; LANES];
        let mut left = first.cell;
        // D of the row above, two columns to the left.
        let mut two_left = [FAR; LANES];
        // The last column with this row's symbol, and D two rows above, in the column before it.
        let mut last_column = [NONE; LANES];
        let mut start = [FAR; LANES];
        for (number, column) in (1..).zip(&mut *columns) {
            for lane in 0..LANES {
                let up = column.cell[lane];
                let equal = mask(column.symbol[lane] == symbol);
                let rows = row - column.last_row[lane];
                let columns = number - last_column[lane];
                // An exchange of two symbols, with insertions or deletions between them.
                let by_rows = select(!equal & mask(columns == 1), column.start[lane] + rows, FAR);
                let by_columns = select(!equal & mask(rows == 1), start[lane] + columns, FAR);
                let by_edit = (diagonal[lane] + 1 + equal).min(left[lane] + 1).min(up + 1);
                let best = by_edit.min(by_rows).min(by_columns);
                last_column[lane] = select(equal, number, last_column[lane]);
                start[lane] = select(equal, above_left[lane], start[lane]);
                column.start[lane] = select(equal, two_left[lane], column.start[lane]);
                column.last_row[lane] = select(equal, row, column.last_row[lane]);
                two_left[lane] = diagonal[lane];
                above_left[lane] = column.above[lane];
                column.above[lane] = up;
                column.cell[lane] = best;
                diagonal[lane] = up;
                left[lane] = best;
            }
        }
    }
}

/// Returns a mask of ones if the condition is true, and of zeros if not: the compiler makes no
/// vectors of branches.
#[inline(always)]
fn mask(condition: bool) -> i16 {
    -i16::from(condition)
}

/// Returns `a` where the mask has ones, and `b` where it has zeros.
#[inline(always)]
fn select(mask: i16, a: i16, b: i16) -> i16 {
    (a & mask) | (b & !mask)
}
