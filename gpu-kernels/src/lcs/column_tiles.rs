//! The columns of many tables, cut into tiles for the wavefront: each table's symbols in the order in which its table
//! is filled, aligned, and so that the lanes of a warp, each a tile behind the next, read side by side.
//!
//! ```text
//! a tile of 32 columns is 4 groups of 8          group 0:  tile 0  tile 1  tile 2  …
//!                                                group 1:  tile 0  tile 1  tile 2  …
//! lane l reads group g of tile t - l:            group 2:  tile 0  tile 1  tile 2  …
//! 32 neighbours, 256 bytes                       group 3:  tile 0  tile 1  tile 2  …
//! ```

use simt_std::prelude::*;

/// Columns of a tile, at most: those whose carries travel from lane to lane together, in one word.
pub const TILE: u32 = 32;

/// Columns of a group: what a lane reads at once.
pub const GROUP: u32 = 8;

/// Words of an entry of [`ColumnTiles::tables`].
pub const FIELDS: usize = 4;

/// Groups from one group number to the next, for n columns in tiles of `tile`: a tile more than there are, so that
/// reading ahead stays inside.
#[inline(always)]
pub fn stride(n: u64, tile: u32) -> u64 {
    n.div_ceil(tile as u64) + 1
}

/// Groups of a table, for n columns in tiles of `tile`.
pub fn groups(n: u64, tile: u32) -> u64 {
    stride(n, tile) * u64::from(tile / GROUP)
}

/// Cuts the columns of all tables. Launch: `parts` blocks a table.
#[kernel(threads = 256)]
pub fn column_tiles(
    /// The symbols of both strings as codes.
    symbols: Global<u8>,
    /// Of each table: the position of its first column, the step from one column to the next (1 or -1), n, and where its
    /// groups start.
    tables: Global<u64>,
    /// Blocks a table.
    parts: u32,
    /// Columns of a tile: a multiple of [`GROUP`], at most [`TILE`].
    tile: u32,
    /// Out: [`groups`] a table; symbols past the end are 0.
    groups: Global<u64>,
) {
    // Divisors of at least 1: a division by 0 would be a call of the panic handler.
    let parts = parts.max(1);
    let (table, part) = (thread::block_idx_x() / parts, thread::block_idx_x() % parts);
    let fields = tables.skip(table as usize * FIELDS);
    let (first, step, n, start) = (fields.read(0), fields.read(1), fields.read(2), fields.read(3));
    let columns = tile.max(1);
    let stride = stride(n, columns).max(1);
    let groups = groups.skip(start as usize);
    let threads = u64::from(parts * Self::BLOCK_THREADS);
    let mut i = u64::from(part * Self::BLOCK_THREADS + thread::thread_idx_x());
    while i < stride * u64::from(columns / GROUP) {
        let (group, tile) = (i / stride, i % stride);
        let column = tile * u64::from(columns) + group * u64::from(GROUP);
        let mut packed = 0;
        for k in 0..u64::from(GROUP) {
            if column + k < n {
                let position = first.wrapping_add((column + k).wrapping_mul(step));
                packed |= u64::from(symbols.read(position as usize)) << (8 * k);
            }
        }
        groups.write(i as usize, packed);
        i += threads;
    }
}
