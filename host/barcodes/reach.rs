//! The errors of one barcode at one start of a read: Landau and Vishkin's table of the furthest
//! base of the barcode that each diagonal reaches with each number of errors (Ukkonen 1985;
//! Landau and Vishkin 1989).
//!
//! On diagonal d, base i of the barcode is beside base i + d of the read. The search adds one error
//! at a time and ends when any diagonal reaches the barcode's last base, as the end in the read is
//! free.

use super::packed::{PackedBarcode, Window, code};

/// Greatest number of errors that a search for barcodes allows.
pub const MOST_ERRORS: usize = 15;

/// Diagonals of a table with [`MOST_ERRORS`], and one at each side.
pub const WIDEST: usize = width(MOST_ERRORS);

/// Returns the diagonals of a table with some errors, and one at each side.
pub const fn width(errors: usize) -> usize {
    2 * errors + 3
}

/// Less than any row: one error more is still none.
const NONE: i32 = -2;

/// A table whose last row is reached. `WIDTH` is the [`width`] of the limit of errors, or
/// [`WIDEST`].
struct Table<const WIDTH: usize> {
    /// The row that each diagonal reaches. Diagonal 0 is at `WIDTH / 2`.
    rows: [i32; WIDTH],
    errors: u32,
}

impl<const WIDTH: usize> Table<WIDTH> {
    const MIDDLE: usize = WIDTH / 2;

    /// Fills a table until a diagonal reaches row `len`; `None` if that takes more than `limit`
    /// errors. `extend` returns the row of the first difference from a row on, on the diagonal at
    /// an index. O(limit²) calls.
    #[inline(always)]
    fn fill(len: i32, limit: usize, extend: impl Fn(i32, usize) -> i32) -> Option<Self> {
        let mut rows = [NONE; WIDTH];
        rows[Self::MIDDLE] = extend(0, Self::MIDDLE);
        if rows[Self::MIDDLE] >= len {
            return Some(Self { rows, errors: 0 });
        }
        // A constant number of rounds, for the compiler to unroll.
        let rounds = if WIDTH == WIDEST { limit.min(MOST_ERRORS) } else { Self::MIDDLE - 1 };
        for errors in 1..=rounds {
            let mut furthest = NONE;
            let mut before = rows[Self::MIDDLE - errors - 1];
            for at in Self::MIDDLE - errors..=Self::MIDDLE + errors {
                let own = rows[at];
                // A substitution, a base of the read alone, a base of the barcode alone.
                let row = (own + 1).max(before).max(rows[at + 1] + 1).min(len);
                before = own;
                // A diagonal of fewer errors than it needs has no row.
                if row >= 0 {
                    rows[at] = extend(row, at);
                    furthest = furthest.max(rows[at]);
                }
            }
            if furthest >= len {
                return Some(Self { rows, errors: errors as u32 });
            }
        }
        None
    }
}

/// The window of a read on each diagonal of a table. Diagonal 0 is at `WIDTH / 2`.
pub struct Diagonals<const WIDTH: usize>([Window; WIDTH]);

impl<const WIDTH: usize> Diagonals<WIDTH> {
    /// Shifts a window.
    pub fn new(window: Window) -> Self {
        Self(std::array::from_fn(|at| window.shifted(at as i32 - (WIDTH / 2) as i32)))
    }

    /// Returns the edit distance between a packed barcode and the nearest part of the read that
    /// starts with the window; `None` if it is more than `limit`.
    #[inline(always)]
    pub fn edits(&self, barcode: PackedBarcode, limit: usize) -> Option<u32> {
        let middle = WIDTH / 2;
        let mut differences = [0; WIDTH];
        let rounds = if WIDTH == WIDEST { limit.min(MOST_ERRORS) } else { middle - 1 };
        let used = middle - rounds..middle + rounds + 1;
        for (differences, window) in differences[used.clone()].iter_mut().zip(&self.0[used]) {
            *differences = window.differences(barcode);
        }
        let extend = |row: i32, at: usize| row + ((differences[at] >> (2 * row)).trailing_zeros() / 2) as i32;
        Table::<WIDTH>::fill(barcode.len() as i32, limit, extend).map(|table| table.errors)
    }
}

/// Returns the mismatches of a packed barcode at the start of the window; `None` if they are more
/// than `limit`.
#[inline(always)]
pub fn packed_mismatches(barcode: PackedBarcode, window: Window, limit: usize) -> Option<u32> {
    // The bit behind the last base is counted too.
    let mismatches = window.differences(barcode).count_ones() - 1;
    (mismatches as usize <= limit).then_some(mismatches)
}

/// Errors of a barcode of any length, and the end of its part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub errors: u32,
    /// Bases of the read's part.
    pub len: usize,
}

/// Returns the edit distance between the codes of a barcode and the nearest start of `read`, with
/// the length of that start; `None` if it is more than `limit`. Of several, the length nearest to
/// the barcode's, then the shorter.
pub fn edits(barcode: &[u8], read: &[u8], limit: usize) -> Option<Span> {
    let len = barcode.len() as i32;
    let middle = (WIDEST / 2) as i32;
    let extend = |mut row: i32, at: usize| {
        let is_equal = |row: i32| {
            let base = read.get((row + at as i32 - middle) as usize);
            row < len && base.is_some_and(|&base| code(base) == Some(barcode[row as usize]))
        };
        while is_equal(row) {
            row += 1;
        }
        row
    };
    let Table { rows, errors } = Table::<WIDEST>::fill(len, limit, extend)?;
    // A part that ends behind the read's end counts bases that are not there as substituted; as
    // many errors delete them.
    let room = read.len() as i32 - len;
    let lengths = (0..=errors as i32).flat_map(|change| [-change, change]);
    let is_end = |change: &i32| *change <= room && rows[(middle + change) as usize] >= len;
    let change = lengths.into_iter().find(is_end)?;
    Some(Span { errors, len: (len + change) as usize })
}

/// Returns the mismatches between the codes of a barcode and the start of `read`; `None` if they
/// are more than `limit`, or if the read is shorter.
pub fn mismatches(barcode: &[u8], read: &[u8], limit: usize) -> Option<Span> {
    let read = read.get(..barcode.len())?;
    let errors = barcode.iter().zip(read).filter(|&(&own, &base)| code(base) != Some(own)).count();
    (errors <= limit).then_some(Span { errors: errors as u32, len: barcode.len() })
}
