//! A band of rows of an edit distance table. Its horizontal differences come from the band above
//! and go to the band below. It is computed by the same strips as
//! [`bit_parallel`](super::bit_parallel), a chunk of columns at a time.
//!
//! A band works as in an LCS table, with two bits per column and two bits per row. Lanes take whole
//! vectors of rows; words take the rest, which only a table's last band has. If the last word is
//! not full, the outgoing differences are not those of the last row.

use super::bit_parallel;
use super::coded::Coded;
use super::columns::CpuColumns;
#[cfg(target_arch = "x86_64")]
use super::lane_cell::EditCell;
use super::strip::Steps;
use super::word_parallel;
use crate::cpu::codes::Codes;
use crate::cpu::myers::Block;
#[cfg(target_arch = "x86_64")]
use crate::cpu::{
    lane_parallel::{self, Tiling, in_pairs, of_pairs},
    vector::Lanes,
};
use crate::distance::thresholds::DISTANCE_COSTS;
use crate::error::Result;
use crate::pairwise::cluster::{Bands, Border, CpuMember};
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::{Part, check};
use crate::pairwise::differences::Differences;

/// Row granularity: every band but the last has a multiple of this many rows, one for each lane of
/// the widest vector.
const UNIT: u64 = 512;

impl Bands for CpuMember<CpuColumns<'_>> {
    type Column = Differences;

    fn unit(&self, _rows: u64, _columns: u64) -> u64 {
        UNIT
    }

    fn full_rows(&self, _rows: u64, _columns: u64) -> u64 {
        self.rows_at_full_speed()
    }

    fn seconds(&self, rows: u64, columns: u64) -> f64 {
        DISTANCE_COSTS.cpu_seconds_of_cells(rows as f64 * columns as f64, self.threads())
    }

    fn band(&self, rows: &Part, columns: &Part, direction: Direction, border: &mut Border<'_>) -> Result<Differences> {
        check(rows, columns, None, self.columns.strings.map(<[u8]>::len))?;
        let text = |part: &Part| &self.columns.strings[part.side as usize][part.range.clone()];
        let Codes { rows, cols, symbols } = Codes::new(text(rows), text(columns), direction == Direction::Backward);
        let m = rows.len();
        let n = cols.len() as u64;
        let mut band = DistanceBand::new(rows, symbols);
        for chunk in border.chunks() {
            let mut row = border.take()?;
            self.cpu.run(|| band.chunk(&cols[chunk], &mut row, self.columns.progress));
            border.give(row)?;
        }
        let [plus, minus] = band.vectors;
        Ok(Differences::from_words(plus, minus, m, n))
    }
}

/// Encodes rows; their columns come later.
fn part(rows: &[u8], symbols: usize) -> Codes {
    Codes { rows: rows.to_vec(), cols: Vec::new(), symbols }
}

/// A band, and its state between chunks of columns.
struct DistanceBand {
    /// Rows that lanes compute.
    whole: Coded,
    /// The remaining rows, of a table's last band.
    rest: Coded,
    /// Bits of the rows where D increases by 1 from the row above, and of those where it decreases.
    vectors: [Vec<u64>; 2],
}

impl DistanceBand {
    fn new(rows: Vec<u8>, symbols: usize) -> Self {
        let vectors = [!0, 0].map(|word| vec![word; rows.len().div_ceil(64)]);
        let (whole, rest) = rows.split_at(rows.len() - rows.len() % UNIT as usize);
        let of = |rows| Coded::of_codes(part(rows, symbols));
        Self { whole: of(whole), rest: of(rest), vectors }
    }

    /// Takes the band through the next columns. On entry, `row` has the differences above the band;
    /// on return, those of its last row: one bit per column that is set if D increases by 1, then
    /// one bit per column that is set if it decreases.
    fn chunk(&mut self, cols: &[u8], row: &mut [u64], progress: &(dyn Fn(u64) + Sync)) {
        let [plus, minus] = &mut self.vectors;
        let upper = self.whole.codes.rows.len() / 64;
        if upper > 0 {
            whole(&mut self.whole, cols, [&mut plus[..upper], &mut minus[..upper]], row, progress);
        }
        if !self.rest.codes.rows.is_empty() {
            words(&self.rest, cols, [&mut plus[upper..], &mut minus[upper..]], row, progress);
        }
    }
}

fn threads(rows: &[u8], cols: &[u8]) -> usize {
    let cells = (rows.len() as u64).saturating_mul(cols.len() as u64);
    bit_parallel::threads(cells)
}

type Vectors<'v> = [&'v mut [u64]; 2];

#[cfg(target_arch = "x86_64")]
fn whole(strings: &mut Coded, cols: &[u8], vectors: Vectors<'_>, row: &mut [u64], progress: &(dyn Fn(u64) + Sync)) {
    let threads = threads(&strings.codes.rows, cols);
    strings.codes.cols = cols.to_vec();
    let codes = &strings.codes;
    let (m, n) = (codes.rows.len(), codes.cols.len());
    let by_words = word_parallel::Tiling::of_size(m, n, threads).cycles(m, n);
    match Tiling::faster_than::<2, EditCell>(codes, threads, by_words) {
        Some(tiling) if codes.rows.len().is_multiple_of(Lanes::widest().map_or(1, Tiling::unit)) => {
            let (above_plus, above_minus) = row.split_at_mut(row.len() / 2);
            // Lanes take the complement: bits that are set where D does not increase, also in
            // columns that do not exist.
            let mut border: Vec<_> = in_pairs(above_plus)
                .zip(in_pairs(above_minus))
                .map(|(plus, minus)| [[!plus[0], minus[0]], [!plus[1], minus[1]]])
                .collect();
            let [plus, minus] = vectors;
            let [next_plus, next_minus] = lane_parallel::column_and_carries::<2, EditCell>(
                codes,
                tiling,
                Some([plus, minus]),
                Some(&mut border),
                progress,
            );
            plus.copy_from_slice(&next_plus);
            minus.copy_from_slice(&next_minus);
            for (k, above) in [above_plus, above_minus].into_iter().enumerate() {
                let flip = if k == 0 { !0 } else { 0 };
                let out = border.iter().flat_map(|[first, second]| of_pairs([first[k] ^ flip, second[k] ^ flip]));
                above.iter_mut().zip(out).for_each(|(word, out)| *word = out);
            }
        }
        _ => words(strings, cols, vectors, row, progress),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn whole(strings: &mut Coded, cols: &[u8], vectors: Vectors<'_>, row: &mut [u64], progress: &(dyn Fn(u64) + Sync)) {
    words(strings, cols, vectors, row, progress);
}

/// Computes rows by 64-bit words.
fn words(strings: &Coded, cols: &[u8], vectors: Vectors<'_>, row: &mut [u64], progress: &(dyn Fn(u64) + Sync)) {
    let rows = &strings.codes.rows;
    let tiling = word_parallel::Tiling::of_size(rows.len(), cols.len(), threads(rows, cols));
    let [plus, minus] = vectors;
    let mut column: Vec<Block> = plus.iter().zip(&*minus).map(|(&plus, &minus)| Block::of_words(plus, minus)).collect();
    let (above_plus, above_minus) = row.split_at_mut(row.len() / 2);
    let mut steps: Vec<Steps> =
        above_plus.iter().zip(&*above_minus).map(|(&plus, &minus)| Steps { plus, minus }).collect();
    word_parallel::advance_columns(strings, cols, tiling, &mut column, &mut steps, progress);
    for ((plus, minus), block) in plus.iter_mut().zip(minus).zip(column) {
        (*plus, *minus) = block.words();
    }
    for ((plus, minus), out) in above_plus.iter_mut().zip(above_minus).zip(steps) {
        (*plus, *minus) = (out.plus, out.minus);
    }
}
