//! The errors of one barcode at one start of a read: Landau and Vishkin's table of the furthest
//! base of the barcode that each diagonal reaches with each number of errors (Ukkonen 1985;
//! Landau and Vishkin 1989).
//!
//! Base i of the barcode is beside base i + d of the read on diagonal d. The end in the read is
//! free, so the barcode has the errors with which any diagonal reaches its last base.

use super::packed::{PackedBarcode, Window, code};

/// Greatest number of errors that a search for barcodes allows.
pub const MOST_ERRORS: usize = 15;

/// Diagonals of a table with [`MOST_ERRORS`], and one at each side.
const WIDEST: usize = 2 * MOST_ERRORS + 3;

/// Less than any row: one error more is still none.
const NONE: i32 = -2;

/// Rows that the diagonals reach. `WIDTH` is at least 3 more than twice the limit of errors.
struct Table<const WIDTH: usize> {
    /// Rows by diagonal. Diagonal 0 is at `WIDTH / 2`.
    rows: [i32; WIDTH],
}

impl<const WIDTH: usize> Table<WIDTH> {
    const MIDDLE: usize = WIDTH / 2;

    /// Fills the table until a diagonal reaches row `len`. Returns the errors; `None` if they are
    /// more than `limit`. `extend` returns the row of the first difference from a row on, on a
    /// diagonal. O(limit²) calls.
    #[inline(always)]
    fn fill(&mut self, len: i32, limit: usize, extend: impl Fn(i32, i32) -> i32) -> Option<u32> {
        self.rows = [NONE; WIDTH];
        self.rows[Self::MIDDLE] = extend(0, 0);
        if self.rows[Self::MIDDLE] >= len {
            return Some(0);
        }
        for errors in 1..=limit.min(Self::MIDDLE - 1) {
            let mut is_done = false;
            let mut before = self.rows[Self::MIDDLE - errors - 1];
            for at in Self::MIDDLE - errors..=Self::MIDDLE + errors {
                let own = self.rows[at];
                // A substitution, a base that the read alone has, a base that the barcode alone has.
                let row = (own + 1).max(before).max(self.rows[at + 1] + 1).min(len);
                before = own;
                if row >= 0 {
                    self.rows[at] = extend(row, at as i32 - Self::MIDDLE as i32);
                    is_done |= self.rows[at] >= len;
                }
            }
            if is_done {
                return Some(errors as u32);
            }
        }
        None
    }
}

/// Returns the edit distance between a packed barcode and the nearest part of the read that starts
/// with the window; `None` if it is more than `limit`.
#[inline(always)]
pub fn packed_edits(barcode: PackedBarcode, window: Window, limit: usize) -> Option<u32> {
    let extend = |row: i32, diagonal: i32| {
        let differences = window.differences(barcode, diagonal) >> (2 * row);
        row + (differences.trailing_zeros() / 2) as i32
    };
    let len = barcode.len() as i32;
    match limit {
        0 => (extend(0, 0) >= len).then_some(0),
        1 => Table::<5> { rows: [NONE; 5] }.fill(len, limit, extend),
        2 => Table::<7> { rows: [NONE; 7] }.fill(len, limit, extend),
        3 => Table::<9> { rows: [NONE; 9] }.fill(len, limit, extend),
        _ => Table::<WIDEST> { rows: [NONE; WIDEST] }.fill(len, limit, extend),
    }
}

/// Returns the mismatches of a packed barcode at the start of the window; `None` if they are more
/// than `limit`.
#[inline(always)]
pub fn packed_mismatches(barcode: PackedBarcode, window: Window, limit: usize) -> Option<u32> {
    // The bit behind the last base is counted too.
    let mismatches = window.differences(barcode, 0).count_ones() - 1;
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
    let extend = |mut row: i32, diagonal: i32| {
        let is_equal = |row: i32| {
            let base = read.get((row + diagonal) as usize);
            row < len && base.is_some_and(|&base| code(base) == Some(barcode[row as usize]))
        };
        while is_equal(row) {
            row += 1;
        }
        row
    };
    let mut table = Table::<WIDEST> { rows: [NONE; WIDEST] };
    let errors = table.fill(len, limit, extend)?;
    // A part that ends behind the read's end counts bases that are not there as substituted; as
    // many errors delete them.
    let room = read.len() as i32 - len;
    let lengths = (0..=errors as i32).flat_map(|change| [-change, change]);
    let is_end =
        |change: &i32| *change <= room && table.rows[(Table::<WIDEST>::MIDDLE as i32 + change) as usize] >= len;
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
