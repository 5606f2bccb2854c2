//! The trait of wavefronts, of LCS tables and of edit distance tables: their kernels, and the
//! arguments of these.

use super::form::Form;
use super::launch::{FindCuts, Launch, PrepareColumns, PrepareRows, PutInOrder};
use super::strip::Strip;
use crate::device::Device;
use crate::error::Result;
use crate::pairwise::cuts::Cut;
use std::fmt::Debug;

/// The kernels that compute last columns of tables, and those that prepare their strings.
///
/// Lanes of all kernels have words of 32 rows, a warp is a strip of 32 lanes, and strips hand on a
/// word a tile; see [`Wavefront`](super::Wavefront).
pub trait Kernels: Copy + Debug + Eq + Send + Sync + 'static {
    /// The last column of a table.
    type Column: Send;

    /// Bits of a row in a column, each in a bit-vector of its own.
    const VECTORS: usize;

    /// Whether the lanes' bits are in another order than the rows, and a kernel puts them in order.
    const REORDERS: bool;

    /// Warps of a block at most.
    const WARPS: u32;

    /// Bytes of an element of the prepared columns.
    const ELEMENT: u64;

    /// Numbers of a strip's entry.
    const FIELDS: usize;

    /// Columns whose carries a strip hands on in one word: a tile.
    const TILE: u32;

    /// What comes into or out of a row's tiles, as a strip has it in the low half of a word a tile,
    /// from packed bits as a `Border` has them.
    fn to_tiles(row: &[u64]) -> Vec<u32>;

    /// The inverse, for `columns` columns.
    fn from_tiles(tiles: &[u32], columns: usize) -> Vec<u64>;

    /// A strip's entry.
    fn fields(strip: &Strip) -> Vec<u64>;

    /// The forms that there are kernels for, where every warp has a scheduler to itself or not, for
    /// σ symbols.
    fn forms(is_alone: bool, symbols: u32) -> Vec<Form>;

    /// All forms, for any alphabet.
    fn all_forms() -> Vec<Form>;

    /// Planes of the symbols' codes that the kernels for σ symbols take.
    fn planes(symbols: u32) -> u32;

    /// Delay of a lane behind the lane below it, in columns.
    fn behind(words: u32) -> u64;

    /// Bytes of shared memory of a warp; none if there is no kernel of this form for σ symbols.
    fn table_bytes(form: Form, symbols: u32) -> Option<u32>;

    /// Clock cycles of a strip for a column, with `warps` warps on a scheduler: measured on an
    /// H200, see docs/performance.md.
    fn cycles(form: Form, symbols: u32, warps: f64, is_alone: bool) -> f64;

    /// Elements of the prepared columns of a table of n columns, at most a byte a digit of a column
    /// and those of a tile more.
    fn elements(n: u64, form: Form, symbols: u32) -> u64;

    /// Prepares the columns of tables.
    ///
    /// # Safety
    /// As [`Device::launch`]: `columns` describes symbols and places that are there.
    unsafe fn prepare_columns<D: Device>(device: &D, stream: &D::Stream, columns: PrepareColumns) -> Result<()>;

    /// Makes the planes of tables' rows.
    ///
    /// # Safety
    /// As [`Device::launch`]: `rows` describes symbols and places that are there.
    unsafe fn prepare_rows<D: Device>(device: &D, stream: &D::Stream, rows: PrepareRows) -> Result<()>;

    /// Starts the kernel of a launch.
    ///
    /// # Safety
    /// As [`Device::launch`]: the launch describes buffers that are there.
    unsafe fn start<D: Device>(launch: &Launch, device: &D, stream: &D::Stream) -> Result<()>;

    /// Puts the bits of columns into the order of the rows, where [`REORDERS`](Self::REORDERS) says
    /// that they are not.
    ///
    /// # Safety
    /// As [`Device::launch`]: `order` describes buffers that are there.
    unsafe fn put_in_order<D: Device>(device: &D, stream: &D::Stream, order: PutInOrder) -> Result<()>;

    /// Finds the cuts of pairs of columns.
    ///
    /// # Safety
    /// As [`Device::launch`]: `split` describes columns that are there.
    unsafe fn split<D: Device>(device: &D, stream: &D::Stream, split: FindCuts) -> Result<()>;

    /// The column of m rows and n columns from its vectors, in the order of the rows.
    fn column(vectors: Vec<Vec<u64>>, m: usize, n: u64) -> Self::Column;

    /// The cut of two columns.
    fn cut(forward: &Self::Column, backward: &Self::Column) -> Cut;

    /// The value of a column's last row.
    fn value(column: &Self::Column) -> u64;

    /// The value of the whole table of n columns from what both columns of its cut gain.
    fn total(gain: u64, n: u64) -> u64;
}

/// Bits of the codes of σ symbols: at least 1.
pub fn bits(symbols: u32) -> u32 {
    (u32::BITS - symbols.saturating_sub(1).leading_zeros()).max(1)
}
