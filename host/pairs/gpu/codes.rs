//! The symbols of two lists as codes: row numbers of the kernel's table of equal symbols.

use crate::pairs::cost::Cost;
use carrywave_kernels::distance::all_pairs::{FOURS, HALVES, NO_ROW, PADDING_HALVES, SINGLES};
use rayon::prelude::*;

/// Upper bound on the rows of a table that is read four columns at a time: more rows would share
/// banks.
const MAX_FOURS: usize = 8;

/// Upper bound on the rows of a table with a row for each symbol. It is read without conflicts up
/// to 32 rows. With more, two or three random symbols of a warp share a bank, and beyond this bound
/// two loads of halves take less time.
const MAX_SINGLES: usize = 82;

/// Number of strings that a thread reads at a time.
const STRINGS: usize = 1024;

/// Returns the bytes that occur in some strings.
pub(super) fn present<S: Sync>(strings: &[S], bytes: impl Fn(&S) -> &[u8] + Sync) -> [bool; 256] {
    let of_part = |part: &[S]| {
        let mut present = [false; 256];
        for string in part {
            for &symbol in bytes(string) {
                present[usize::from(symbol)] = true;
            }
        }
        present
    };
    let both = |mut one: [bool; 256], other: [bool; 256]| {
        one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
        one
    };
    strings.par_chunks(STRINGS).map(of_part).reduce(|| [false; 256], both)
}

/// The codes of two lists.
pub(super) struct Codes {
    /// Form of the table.
    pub(super) table: u32,
    /// Number of its rows.
    pub(super) table_rows: u32,
    /// The code of each byte in strings that are rows.
    pub(super) rows: [u16; 256],
    /// The code of each byte in strings that are columns.
    pub(super) columns: [u16; 256],
    /// Code that pads rows' strings in front.
    pub(super) row_padding: u32,
    /// Code that pads columns' strings in front.
    pub(super) column_padding: u32,
}

impl Codes {
    /// Returns the codes of two lists with these bytes. `table` overrides the form.
    pub(super) fn new(rows: &[bool; 256], columns: &[bool; 256], cost: Cost, table: Option<u32>) -> Self {
        let common = (0..256).filter(|&symbol| rows[symbol] && columns[symbol]).count();
        // One more row for symbols that no column has, and one for padding.
        let all = common + 2;
        let table = table.unwrap_or(if all <= MAX_FOURS {
            FOURS
        } else if all <= MAX_SINGLES {
            SINGLES
        } else {
            HALVES
        });
        let code = |i: usize| if table == HALVES { i & 15 | i >> 4 << 8 } else { i } as u16;
        let mut codes = Self {
            table,
            table_rows: all as u32,
            rows: [0; 256],
            columns: [NO_ROW as u16; 256],
            row_padding: if table == HALVES { PADDING_HALVES } else { common as u32 + 1 },
            column_padding: NO_ROW,
        };
        if cost != Cost::Indel {
            codes.column_padding = codes.row_padding;
        }
        let mut next = 0;
        for symbol in 0..256 {
            if rows[symbol] && columns[symbol] {
                codes.rows[symbol] = code(next);
                codes.columns[symbol] = code(next);
                next += 1;
            } else if rows[symbol] {
                // A code is left, since not all 256 bytes are in both lists.
                codes.rows[symbol] = code(common);
            }
        }
        codes
    }
}
