//! Strips of tokens: numbers of any size as symbols, in the bit-vectors of
//! [`strip`](crate::lcs::cpu::strip).
//!
//! An alphabet may have a million symbols, but a strip has only 256 rows, so at most 256 symbols
//! occur in it. Each strip gives these its own codes, from 1 on; all others have code 0, which
//! matches no row:
//!
//! ```text
//! rows of a strip     7 950 7 12      codes of the strip   7: 1   950: 2   12: 3   all others: 0
//! columns             12 5 7 7 800    ->                   3 0 1 1 0
//! ```
//!
//! The codes are in an array with two bytes for each symbol of the alphabet. A strip sets at most
//! one code for each of its rows, and clears them at its end.
//!
//! **Cost** per strip and column: a look-up in that array, which for a million symbols is as large
//! as a second-level cache, and 25 instructions for 256 cells. If few columns match a row of the
//! strip or have a carry, only these columns take the 25 instructions: with 5,000 equally frequent
//! symbols, one column in 20 matches one of 256 rows.

use crate::lcs::cpu::strip::{MatchTable, advance, advance_few};
use crate::lcs::cpu::word_parallel::{STRIP_ROWS, STRIP_WORDS};

/// Maximum codes per strip, a power of two: one for each of its rows, and 0.
const CODES: usize = (2 * STRIP_ROWS).next_power_of_two();

/// Columns whose codes are looked up at a time: a multiple of 64, because the carries of 64 columns
/// are a word.
const COLUMNS: usize = 4096;

/// Maximum columns among 64 that match a row or have a carry for [`advance_few`], which takes about
/// twice the time of [`advance`] per column.
const FEW: u32 = 24;

/// The match table of a strip of W words.
type StripTable<const W: usize> = MatchTable<W, CODES>;

/// Takes strips of rows through columns.
#[derive(Debug)]
pub(super) struct Strips {
    /// The code of each symbol in the current strip.
    code: Vec<u16>,
    rows: Vec<u16>,
    columns: Vec<u16>,
}

impl Strips {
    /// Creates strips for tokens below `symbols`.
    pub fn new(symbols: usize) -> Self {
        Self { code: vec![0; symbols], rows: Vec::new(), columns: Vec::new() }
    }

    /// Takes all strips of some rows through some columns. `vector` has one bit per row, in whole
    /// words. `carries` has one bit per column: the carries into the first strip on entry, those
    /// out of the last strip on return. Calls `done` with the number of cells of each strip.
    pub fn tile(
        &mut self,
        rows: &[u32],
        vector: &mut [u64],
        columns: &[u32],
        carries: &mut [u64],
        done: &(dyn Fn(u64) + Sync),
    ) {
        for (rows, words) in rows.chunks(STRIP_ROWS).zip(vector.chunks_mut(STRIP_WORDS)) {
            match words.len() {
                1 => self.words::<1>(rows, words, columns, carries),
                2 => self.words::<2>(rows, words, columns, carries),
                3 => self.words::<3>(rows, words, columns, carries),
                _ => self.words::<STRIP_WORDS>(rows, words, columns, carries),
            }
            done((rows.len() as u64).saturating_mul(columns.len() as u64));
        }
    }

    fn words<const W: usize>(&mut self, rows: &[u32], words: &mut [u64], columns: &[u32], carries: &mut [u64]) {
        let Some(words) = words.first_chunk_mut::<W>() else { return };
        let table: StripTable<W> = self.table(rows);
        let mut group = [0; 64];
        for (columns, carries) in columns.chunks(64).zip(carries) {
            let group = &mut group[..columns.len()];
            // Bits of the columns that match, the first column's highest.
            let mut matching = 0;
            for (place, &column) in group.iter_mut().zip(columns) {
                *place = self.code.get(column as usize).copied().unwrap_or(0);
                matching = matching << 1 | u64::from(*place != 0);
            }
            matching <<= 64 - columns.len();
            if (matching | *carries).count_ones() <= FEW {
                advance_few(words, &table, group, matching, carries);
            } else {
                advance(words, &table, group, std::slice::from_mut(carries), |_| ());
            }
        }
        self.forget(rows);
    }

    /// Assigns codes to the rows of a strip, and fills their match table.
    #[inline(always)]
    fn table<const W: usize>(&mut self, rows: &[u32]) -> StripTable<W> {
        let mut codes = 1;
        self.rows.clear();
        for &row in rows {
            let Some(code) = self.code.get_mut(row as usize) else { continue };
            if *code == 0 {
                *code = codes;
                codes += 1;
            }
            self.rows.push(*code);
        }
        let mut table = MatchTable::new();
        table.fill(codes.into(), &self.rows);
        table
    }

    /// Clears the codes.
    fn forget(&mut self, rows: &[u32]) {
        for &row in rows {
            if let Some(code) = self.code.get_mut(row as usize) {
                *code = 0;
            }
        }
    }

    /// Takes a strip of W words through columns; `keep` gets its words after every column.
    #[inline(always)]
    pub fn strip<const W: usize>(
        &mut self,
        words: &mut [u64; W],
        rows: &[u32],
        columns: &[u32],
        carries: &mut [u64],
        mut keep: impl FnMut(&[u64; W]),
    ) {
        let table: StripTable<W> = self.table(rows);
        for (columns, carries) in columns.chunks(COLUMNS).zip(carries.chunks_mut(COLUMNS / 64)) {
            self.columns.clear();
            let code = &self.code;
            self.columns.extend(columns.iter().map(|&column| code.get(column as usize).copied().unwrap_or(0)));
            advance(words, &table, &self.columns, carries, &mut keep);
        }
        self.forget(rows);
    }
}
