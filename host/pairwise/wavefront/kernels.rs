//! The traits of wavefronts, of LCS tables, of edit distance tables and of overlap tables: their
//! kernels and kernel arguments.

use super::form::Form;
use super::launch::{FindCuts, FindSteps, Launch, PrepareColumns, PrepareRows, PutInOrder};
use super::strip::Strip;
use crate::device::Device;
use crate::error::Result;
use crate::pairwise::cuts::Cut;
use std::fmt::Debug;

/// The kernels that compute last columns of tables, and those that prepare their strings.
///
/// In all kernels, lanes have words of 32 rows, a warp is a strip of 32 lanes, and strips hand on
/// one word a tile; see [`Wavefront`](super::Wavefront).
pub trait Kernels: Copy + Debug + Eq + Send + Sync + 'static {
    /// Last column of a table.
    type Column: Send;

    /// Number of bits of a row in a column, each in a bit-vector of its own.
    const VECTORS: usize;

    /// True if the order of the lanes' bits differs from that of the rows, so that a kernel must
    /// reorder them.
    const REORDERS: bool;

    /// Upper bound on the warps of a block.
    const WARPS: u32;

    /// Number of fields of a strip's entry.
    const FIELDS: usize;

    /// Number of columns whose carries a strip hands on in one word: a tile.
    const TILE: u32;

    /// Converts the carries of a row from packed bits, the format of a `Border`, to one word a
    /// tile, the format of a strip (in the low half of its word). The row is a bit-vector for each
    /// bit of a column. A tile has a part of each, the lowest in the low bits, with the first
    /// column in its highest bit.
    fn to_tiles(row: &[u64]) -> Vec<u32> {
        let words = row.len() / Self::VECTORS;
        let tiles = 0..words * (u64::BITS / Self::TILE) as usize;
        tiles
            .map(|tile| (0..Self::VECTORS).fold(0, |all, vector| all | part_of_tile::<Self>(row, tile, vector)))
            .collect()
    }

    /// Converts back, for `columns` columns.
    fn from_tiles(tiles: &[u32], columns: usize) -> Vec<u64> {
        let words = columns.div_ceil(64);
        let mut row = vec![0; Self::VECTORS * words];
        for (at, tile) in tiles.iter().enumerate() {
            let first = at * Self::TILE as usize;
            for vector in 0..Self::VECTORS {
                let bits = tile >> (vector as u32 * Self::TILE) << (u32::BITS - Self::TILE);
                if let Some(word) = row[vector * words..][..words].get_mut(first / 64) {
                    *word |= u64::from(bits.reverse_bits()) << (first % 64);
                }
            }
        }
        row
    }

    /// Returns a strip's entry.
    fn fields(strip: &Strip) -> Vec<u64>;

    /// Returns the forms of the available kernels for σ symbols. `is_alone` says that every warp
    /// has a scheduler to itself.
    fn forms(is_alone: bool, symbols: u32) -> Vec<Form>;

    /// Returns all forms, for any alphabet.
    fn all_forms() -> Vec<Form>;

    /// Returns the number of planes of the symbols' codes in the kernels for σ symbols.
    fn planes(symbols: u32) -> u32;

    /// Returns the size of an element of the prepared columns, in bytes: 4 or 8.
    fn element(form: Form) -> u64;

    /// Returns the delay of a lane behind the lane below it, in columns.
    fn behind(form: Form) -> u64;

    /// Returns the bytes of shared memory of a warp; `None` if there is no kernel of this form for
    /// σ symbols.
    fn table_bytes(form: Form, symbols: u32) -> Option<u32>;

    /// Returns the clock cycles of a strip for a column, with `warps` warps on a scheduler:
    /// measured on an H200, see docs/performance.md.
    fn cycles(form: Form, symbols: u32, warps: f64, is_alone: bool) -> f64;

    /// Returns the number of elements of the prepared columns of a table of n columns: at most a
    /// byte for each digit of a column, plus those of one tile.
    fn elements(n: u64, form: Form, symbols: u32) -> u64;

    /// Prepares the columns of tables.
    ///
    /// # Safety
    /// As for [`Device::launch`]: `columns` must describe valid symbols and positions.
    unsafe fn prepare_columns<D: Device>(device: &D, stream: &D::Stream, columns: PrepareColumns) -> Result<()>;

    /// Computes the planes of tables' rows.
    ///
    /// # Safety
    /// As for [`Device::launch`]: `rows` must describe valid symbols and positions.
    unsafe fn prepare_rows<D: Device>(device: &D, stream: &D::Stream, rows: PrepareRows) -> Result<()>;

    /// Starts the kernel of a launch.
    ///
    /// # Safety
    /// As for [`Device::launch`]: the launch must describe valid buffers.
    unsafe fn start<D: Device>(launch: &Launch, device: &D, stream: &D::Stream) -> Result<()>;

    /// Puts the bits of columns into the order of the rows, if [`REORDERS`](Self::REORDERS) is
    /// true.
    ///
    /// # Safety
    /// As for [`Device::launch`]: `order` must describe valid buffers.
    unsafe fn put_in_order<D: Device>(device: &D, stream: &D::Stream, order: PutInOrder) -> Result<()>;

    /// Returns the column of m rows and n columns from its vectors, in the order of the rows.
    fn column(vectors: Vec<Vec<u64>>, m: usize, n: u64) -> Self::Column;
}

/// Returns the bits that a vector of carries has in a tile, in their place.
fn part_of_tile<K: Kernels>(row: &[u64], tile: usize, vector: usize) -> u32 {
    let first = tile * K::TILE as usize;
    let word = row[vector * (row.len() / K::VECTORS) + first / 64] >> (first % 64);
    (word as u32).reverse_bits() >> (u32::BITS - K::TILE) << (vector as u32 * K::TILE)
}

/// The kernels of tables that Hirschberg's recursion cuts.
pub trait CutKernels: Kernels {
    /// Finds the cuts of pairs of columns.
    ///
    /// # Safety
    /// As for [`Device::launch`]: `split` must describe valid columns.
    unsafe fn split<D: Device>(device: &D, stream: &D::Stream, split: FindCuts) -> Result<()>;

    /// Gathers the steps of a staircase.
    ///
    /// # Safety
    /// As for [`Device::launch`]: `steps` must describe valid columns and rows of carries.
    unsafe fn find_steps<D: Device>(device: &D, stream: &D::Stream, steps: FindSteps) -> Result<()>;

    /// Returns the value of a table, given that with `symbols` more rows and columns, all of one
    /// symbol.
    fn without_common_end(value: u64, symbols: u64) -> u64;

    /// Returns the cut of two columns.
    fn cut(forward: &Self::Column, backward: &Self::Column) -> Cut;

    /// Returns the value of a column's last row.
    fn value(column: &Self::Column) -> u64;

    /// Returns the value of the whole table of n columns, given the gain of both columns of its
    /// cut.
    fn total(gain: u64, n: u64) -> u64;
}

/// Returns the forms of kernels whose instances have (words, planes) as their parameters.
pub fn forms_of(instances: &[(usize, usize)]) -> Vec<Form> {
    instances.iter().map(|&(words, _)| Form::of_words(words as u32)).collect()
}

/// Returns the forms of those of these kernels that have a number of planes.
pub fn forms_with_planes(instances: &[(usize, usize)], planes: u32) -> Vec<Form> {
    let has_planes = instances.iter().filter(|(_, own)| *own as u32 == planes);
    has_planes.map(|&(words, _)| Form::of_words(words as u32)).collect()
}

/// Returns the fewest planes of these kernels that are enough for σ symbols; unused planes are 0.
pub fn enough_planes(instances: &[(usize, usize)], symbols: u32) -> u32 {
    let least = bits(symbols);
    let planes = instances.iter().map(|&(_, planes)| planes as u32);
    planes.filter(|&planes| planes >= least).min().unwrap_or(least)
}

/// Returns the number of bits of the codes of σ symbols: at least 1.
pub fn bits(symbols: u32) -> u32 {
    (u32::BITS - symbols.saturating_sub(1).leading_zeros()).max(1)
}
