//! The unrestricted distance of Damerau and Levenshtein, in linear space: C. Zhao and S. Sahni,
//! String correction using the Damerau-Levenshtein distance, 2019.

use super::damerau_lanes::DamerauLanes;
use super::lanes::by_lanes;
use super::parameters::Parameters;
use super::scorer::{DistanceToOne, DistancesToOne, Growth, Measure, Scorer};
use crate::pairs::Symbols;
use crate::pairs::affixes::trimmed;
use crate::pairs::ids::Ids;
use std::sync::Arc;

pub(super) const SCORER: Scorer = Scorer {
    name: "damerau",
    about: "also exchanges of neighbours, which may be edited again (Zhao and Sahni 2019)",
    growth: Growth::Cells,
    measure: Measure::Distance {
        two: distance,
        maximum: |m, n, _| m.max(n) as u64,
        prepare: Some(|text, _| {
            let lanes = DamerauLanes::new(text.symbols());
            let text = Arc::new(text);
            let of_many = text.clone();
            DistanceToOne {
                distance: Box::new(move |other, most| distance(text.symbols(), other, &Parameters::DEFAULT, most)),
                many: lanes.map(|lanes| -> DistancesToOne {
                    Box::new(move |others, distances| many(of_many.symbols(), &lanes, others, distances))
                }),
            }
        }),
    },
    of_pairs: None,
};

/// Computes the distances of many strings to one.
fn many(string: Symbols<'_>, lanes: &DamerauLanes, others: &[Symbols<'_>], distances: &mut [u32]) {
    let mut columns = Vec::new();
    let together = |others: &_| lanes.distances(others, &mut columns);
    let alone = |other: Symbols<'_>| distance(string, other, &Parameters::DEFAULT, u64::MAX) as u32;
    by_lanes(others, distances, together, alone);
}

fn distance(a: Symbols<'_>, b: Symbols<'_>, _: &Parameters, most: u64) -> u64 {
    let least = a.len().abs_diff(b.len()) as u64;
    if least > most {
        return least;
    }
    let [a, b] = trimmed(a, b);
    if a.is_empty() || b.is_empty() {
        return a.len().max(b.len()) as u64;
    }
    let (rows, columns, kinds) = match (a, b) {
        (Symbols::Bytes(a), Symbols::Bytes(b)) => {
            let widened = |bytes: &[u8]| bytes.iter().map(|&byte| byte.into()).collect();
            (widened(a), widened(b), 256)
        }
        _ => {
            let (ids, rows) = Ids::new(a);
            (rows, ids.of(b), ids.count)
        }
    };
    // Half of the memory, and faster, for all strings that can be compared in a lifetime.
    match i32::try_from(rows.len().saturating_add(columns.len()).saturating_add(2)) {
        Ok(_) => table::<i32>(&rows, &columns, kinds) as u64,
        Err(_) => table::<i64>(&rows, &columns, kinds) as u64,
    }
}

/// A cell of the table.
trait Cell: Copy + Ord + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> {
    fn from_len(len: usize) -> Self;
    fn value(self) -> i64;
}

impl Cell for i32 {
    fn from_len(len: usize) -> Self {
        len as i32
    }

    fn value(self) -> i64 {
        self.into()
    }
}

impl Cell for i64 {
    fn from_len(len: usize) -> Self {
        len as i64
    }

    fn value(self) -> i64 {
        self
    }
}

/// A column's cells: in the current row, and in rows that an exchange starts from.
#[derive(Clone, Copy)]
struct Column<C> {
    /// The cell of the row above, and then of this row.
    cell: C,
    /// The cell two rows above.
    before: C,
    /// The cell two columns to the left, above the row that last had this column's symbol.
    start: C,
}

/// Computes the distance by the rows of the table. Both strings have symbols.
fn table<C: Cell>(rows: &[u32], columns: &[u32], kinds: usize) -> i64 {
    let of = C::from_len;
    let (one, far) = (of(1), of(rows.len().max(columns.len()) + 1));
    // Column 0 is before the first symbol.
    let mut cells: Vec<Column<C>> =
        (0..=columns.len()).map(|number| Column { cell: of(number), before: far, start: far }).collect();
    // For each symbol, the last row that had it, from 1; 0 for none.
    let mut last_rows = vec![0u32; kinds];
    for (row, &symbol) in (1..).zip(rows) {
        crate::threads::check();
        // The last column with this row's symbol, from 1; 0 for none.
        let mut last_column = 0;
        let mut start_of_row = far;
        let Column { cell: mut diagonal, before: mut before_left, .. } = cells[0];
        // The cells of the row above in the two columns to the left.
        let mut two_left = far;
        cells[0] = Column { cell: of(row), before: diagonal, start: far };
        let mut left = of(row);
        for (column, (&other, place)) in (1..).zip(columns.iter().zip(&mut cells[1..])) {
            let up = place.cell;
            let is_equal = symbol == other;
            let replaced = if is_equal { diagonal } else { diagonal + one };
            let mut best = replaced.min(left + one).min(up + one);
            if is_equal {
                last_column = column;
                place.start = two_left;
                start_of_row = before_left;
            } else {
                let last_row = last_rows[other as usize] as usize;
                if last_column > 0 && column - last_column == 1 {
                    if last_row > 0 {
                        best = best.min(place.start + of(row - last_row));
                    }
                } else if last_row > 0 && row - last_row == 1 && last_column > 0 {
                    best = best.min(start_of_row + of(column - last_column));
                }
            }
            two_left = diagonal;
            before_left = place.before;
            place.before = up;
            place.cell = best;
            diagonal = up;
            left = best;
        }
        last_rows[symbol as usize] = row as u32;
    }
    cells[columns.len()].cell.value()
}
