//! A band of rows of an LCS table. Its carries come from the band above and go to the band below.
//! It is computed by the same strips as [`bit_parallel`](super::bit_parallel), a chunk of columns
//! at a time.
//!
//! ```text
//!     chunk 0   chunk 1           one bit per column comes in above and goes out below
//!   +---↓-----+---↓-----+--
//!   | lanes   |         |      V, one bit per row, is kept from chunk to chunk. Lanes take whole
//!   | words   |         |      vectors of rows, so that no row below the last one takes part in
//!   +---↓-----+---↓-----+--    the carries; words take the rest
//! ```

use super::columns::CpuColumns;
use super::word_parallel;
use crate::cpu::codes::Codes;
#[cfg(target_arch = "x86_64")]
use crate::cpu::{
    lane_parallel::{self, Tiling, in_pairs, of_pairs},
    lcs_cell::LcsCell,
    vector::Lanes,
};
use crate::error::Result;
use crate::lcs::thresholds::LENGTH_COSTS;
use crate::pairwise::cluster::{Bands, Border, CpuMember};
use crate::pairwise::columns::{Direction, LcsColumn};
use crate::pairwise::cuts::{Part, check};

/// Row granularity: every band but the last has a multiple of this many rows, one for each lane of
/// the widest vector.
const UNIT: u64 = 512;

/// Cells below which passing work to other threads costs more than it saves.
const PARALLEL_CELLS: u64 = 1 << 23;

impl Bands for CpuMember<CpuColumns<'_>> {
    type Column = LcsColumn;

    fn unit(&self, _rows: u64, _columns: u64) -> u64 {
        UNIT
    }

    fn full_rows(&self, _rows: u64, _columns: u64) -> u64 {
        self.rows_at_full_speed()
    }

    fn seconds(&self, rows: u64, columns: u64) -> f64 {
        LENGTH_COSTS.cpu_seconds_of_cells(rows as f64 * columns as f64, self.threads())
    }

    fn band(&self, rows: &Part, columns: &Part, direction: Direction, border: &mut Border<'_>) -> Result<LcsColumn> {
        check(rows, columns, None, self.columns.strings.map(<[u8]>::len))?;
        let text = |part: &Part| &self.columns.strings[part.side as usize][part.range.clone()];
        let Codes { rows, cols, symbols } = Codes::new(text(rows), text(columns), direction == Direction::Backward);
        let m = rows.len();
        let mut band = LcsBand::new(rows, symbols);
        for chunk in border.chunks() {
            let mut row = border.take()?;
            self.cpu.run(|| band.chunk(cols[chunk].to_vec(), &mut row, self.columns.progress));
            border.give(row)?;
        }
        Ok(LcsColumn::from_words(band.vector, m))
    }
}

/// A band, and its state between chunks of columns.
struct LcsBand {
    /// Rows that lanes compute.
    whole: Codes,
    /// The remaining rows.
    rest: Codes,
    vector: Vec<u64>,
}

impl LcsBand {
    fn new(mut rows: Vec<u8>, symbols: usize) -> Self {
        let vector = vec![!0; rows.len().div_ceil(64)];
        let rest = rows.split_off(rows.len() - rows.len() % UNIT as usize);
        let of = |rows| Codes { rows, cols: Vec::new(), symbols };
        Self { whole: of(rows), rest: of(rest), vector }
    }

    /// Takes the band through the next columns. `row` has one bit per column: the carries in on
    /// entry, the carries out on return.
    fn chunk(&mut self, cols: Vec<u8>, row: &mut [u64], progress: &(dyn Fn(u64) + Sync)) {
        let (upper, lower) = self.vector.split_at_mut(self.whole.rows.len() / 64);
        self.whole.cols = cols;
        if !self.whole.rows.is_empty() {
            whole(&self.whole, upper, row, progress);
        }
        self.rest.cols = std::mem::take(&mut self.whole.cols);
        if !self.rest.rows.is_empty() {
            words(&self.rest, lower, row, progress);
        }
    }
}

fn threads(codes: &Codes) -> usize {
    let cells = (codes.rows.len() as u64).saturating_mul(codes.cols.len() as u64);
    if cells < PARALLEL_CELLS { 1 } else { rayon::current_num_threads() }
}

#[cfg(target_arch = "x86_64")]
fn whole(codes: &Codes, vector: &mut [u64], row: &mut [u64], progress: &(dyn Fn(u64) + Sync)) {
    let m = codes.rows.len();
    let n = codes.cols.len();
    let threads = threads(codes);
    let by_words = word_parallel::Tiling::of_size(m, n, threads).cycles(m, n);
    match Tiling::faster_than::<1, LcsCell>(codes, threads, by_words) {
        Some(tiling) if m.is_multiple_of(Lanes::widest().map_or(1, Tiling::unit)) => {
            let mut border: Vec<_> = in_pairs(row).map(|[first, second]| [[first], [second]]).collect();
            let [column] = lane_parallel::column_and_carries::<1, LcsCell>(
                codes,
                tiling,
                Some([vector]),
                Some(&mut border),
                progress,
            );
            vector.copy_from_slice(&column);
            let out = border.iter().flat_map(|&[[first], [second]]| of_pairs([first, second]));
            row.iter_mut().zip(out).for_each(|(word, out)| *word = out);
        }
        _ => words(codes, vector, row, progress),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn whole(codes: &Codes, vector: &mut [u64], row: &mut [u64], progress: &(dyn Fn(u64) + Sync)) {
    words(codes, vector, row, progress);
}

/// Computes rows by 64-bit words, which have the first column's carry in the highest bit.
fn words(codes: &Codes, vector: &mut [u64], row: &mut [u64], progress: &(dyn Fn(u64) + Sync)) {
    let tiling = word_parallel::Tiling::of_size(codes.rows.len(), codes.cols.len(), threads(codes));
    row.iter_mut().for_each(|word| *word = word.reverse_bits());
    word_parallel::advance_columns(codes, tiling, vector, row, progress);
    row.iter_mut().for_each(|word| *word = word.reverse_bits());
}
