//! Lays out the columns of many tables for the [`wavefront`](crate::lcs::wavefront), cut into
//! tiles. The lanes of a warp, each a tile behind the lane below, then read neighbouring memory.
//!
//! The kernel arranges each table's symbols in the order of the wavefront's columns, so that all
//! reads go forward, and splits them into [`digits`](crate::lcs::digits). Eight digits, one byte
//! each, are a *group*: one word of 64 bits, with the first column in the lowest byte. The first
//! groups of all tiles are contiguous, then the second groups of all tiles, and so on. The groups
//! of digit 1 follow the groups of digit 0:
//!
//! ```text
//! a tile of 32 columns is 4 groups of 8          group 0:  tile 0  tile 1  tile 2  …  spare
//!                                                group 1:  tile 0  tile 1  tile 2  …  spare
//! lane l reads group g of tile t - l:            group 2:  tile 0  tile 1  tile 2  …  spare
//! 32 neighbours, 256 bytes                       group 3:  tile 0  tile 1  tile 2  …  spare
//! ```
//!
//! **Cost.** Every symbol is read once per digit, and every digit is written once, eight in a word.

use crate::lcs::digits::{Code, Digits};
use simt_std::prelude::*;

/// Upper bound on the columns of a tile: a tile's carries go from lane to lane in one word of 32
/// bits.
pub const TILE: u32 = 32;

/// Columns of a group: eight digits of one byte each, which a lane reads at once.
pub const GROUP: u32 = 8;

/// Threads of a block.
const THREADS: u32 = 256;

/// 64-bit words per entry of [`tables`](ColumnTiles#structfield.tables).
pub const FIELDS: usize = 4;

/// Returns the number of tiles of a table of n columns, in tiles of `tile` columns, plus a spare
/// tile for reads ahead. It is also the distance in words between groups g and g + 1 of a tile.
#[inline(always)]
pub fn stride(n: u64, tile: u32) -> u64 {
    n.div_ceil(tile as u64) + 1
}

/// Returns the groups (64-bit words) per digit of a table of n columns, in tiles of `tile` columns,
/// including the spare tile.
pub fn groups(n: u64, tile: u32) -> u64 {
    stride(n, tile) * u64::from(tile / GROUP)
}

/// Lays out the columns of all tables. Launch: `parts` blocks per table.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ColumnTiles<C: Code> {
    /// The symbols of both strings as codes.
    pub symbols: Global<C>,
    /// [`FIELDS`] numbers per table:
    ///
    /// 0. position of the first column in `symbols`;
    /// 1. step from one column to the next, 1 or -1;
    /// 2. n;
    /// 3. start of the table's groups in `groups`, in words.
    pub tables: Global<u64>,
    /// Blocks per table, at least 1.
    pub parts: u32,
    /// Columns per tile: a multiple of [`GROUP`], at most [`TILE`].
    pub tile: u32,
    /// Digits per code.
    pub digits: u32,
    /// Bits per digit.
    pub digit_bits: u32,
    /// Out: [`groups`] words per table and digit. Digits past the end are 0.
    pub groups: Global<u64>,
}

#[kernel(threads = THREADS, instances = [column_tiles: (u8), column_tiles_of_tokens: (u32)])]
fn column_tiles<C: Code>(self: ColumnTiles<C>) {
    // Divisors must be at least 1: a possible division by 0 would compile to a call of the panic
    // handler.
    let parts = self.parts.max(1);
    let (table, part) = (thread::block_idx_x() / parts, thread::block_idx_x() % parts);
    let fields = self.tables.skip(table as usize * FIELDS);
    let (first, step, n, start) = (fields.read(0), fields.read(1), fields.read(2), fields.read(3));
    let columns = self.tile.max(1);
    let stride = stride(n, columns).max(1);
    let groups = self.groups.skip(start as usize);
    let threads = u64::from(parts * THREADS);
    let all = stride * u64::from(columns / GROUP);
    let digits = Digits { count: self.digits, bits: self.digit_bits };
    let mut i = u64::from(part * THREADS + thread::thread_idx_x());
    while i < all {
        let (group, tile) = (i / stride, i % stride);
        let column = tile * u64::from(columns) + group * u64::from(GROUP);
        for digit in 0..self.digits {
            let mut packed = 0;
            for k in 0..u64::from(GROUP) {
                if column + k < n {
                    let position = first.wrapping_add((column + k).wrapping_mul(step));
                    let code = self.symbols.read(position as usize).number();
                    packed |= u64::from(digits.digit(code, digit)) << (8 * k);
                }
            }
            groups.write((u64::from(digit) * all + i) as usize, packed);
        }
        i += threads;
    }
}
