//! Stores the columns of many tables as bit planes for the
//! [`wavefront`](crate::distance::wavefront), cut into tiles of 16 columns. The lanes of a warp,
//! each some tiles behind the lane below, then read nearby memory.
//!
//! The kernel arranges each table's symbols in the order of the wavefront's columns. A word holds
//! 16 columns of two planes, the first column in the highest bit of each half. The first words of
//! all tiles are contiguous, then the second words of all tiles, and so on:
//!
//! ```text
//! codes of a tile   2 0 1 3 …     word 0 of the tile   plane 1 = 1 0 0 1 … | plane 0 = 0 0 1 1 …
//!                                 word 1               plane 3             | plane 2
//! ```
//!
//! **Cost.** A thread makes a tile, and reads every symbol once, as a byte.

use crate::distance::wavefront::TILE;
use simt_std::prelude::*;

/// 64-bit words per entry of [`TextTiles::tables`].
pub const FIELDS: usize = 4;

/// Returns the 32-bit words of a table of n columns with `planes` planes, including a spare tile,
/// which is read for columns that do not exist.
pub fn words(n: u64, planes: u32) -> u64 {
    (n.div_ceil(TILE.into()) + 1) * u64::from(planes.div_ceil(2))
}

/// Lays out the columns of all tables. Launch: `parts` blocks per table.
#[kernel(threads = 256)]
pub fn text_tiles(
    /// The symbols of both strings as codes, one byte each.
    symbols: Global<u8>,
    /// [`FIELDS`] numbers per table:
    ///
    /// 0. position of the first column in `symbols`;
    /// 1. step from one column to the next, 1 or -1;
    /// 2. n;
    /// 3. start of the table's tiles in `tiles`, in words.
    tables: Global<u64>,
    /// Blocks per table, at least 1.
    parts: u32,
    /// Number of planes, 1 to 8.
    planes: u32,
    /// Out: [`words`] per table. Symbols past the end are 0.
    tiles: Global<u32>,
) {
    // A divisor must be at least 1: a possible division by 0 would compile to a call of the panic
    // handler.
    let parts = parts.max(1);
    let (table, part) = (thread::block_idx_x() / parts, thread::block_idx_x() % parts);
    let fields = tables.skip(table as usize * FIELDS);
    let (first, step, n, start) = (fields.read(0), fields.read(1), fields.read(2), fields.read(3));
    let stride = n.div_ceil(TILE.into()) + 1;
    let tiles = tiles.skip(start as usize);
    let threads = u64::from(parts * Self::BLOCK_THREADS);
    let mut tile = u64::from(part * Self::BLOCK_THREADS + thread::thread_idx_x());
    while tile < stride {
        let mut words = [0u32; 4];
        for k in 0..u64::from(TILE) {
            let column = tile * u64::from(TILE) + k;
            let mut code = 0;
            if column < n {
                code = u32::from(symbols.read(first.wrapping_add(column.wrapping_mul(step)) as usize));
            }
            unroll!(word in [0 1 2 3] {
                let two = code >> (2 * word);
                words[word as usize] = words[word as usize] << 1 | two & 1 | (two >> 1 & 1) << TILE;
            });
        }
        unroll!(word in [0 1 2 3] {
            if 2 * word < planes {
                tiles.write((tile + u64::from(word) * stride) as usize, words[word as usize]);
            }
        });
        tile += threads;
    }
}
