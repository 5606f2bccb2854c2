//! The columns of many tables, laid out for the [`wavefront`](crate::lcs::wavefront): cut into tiles, so that the lanes
//! of a warp, each a tile behind the next, read neighbouring memory.
//!
//! Each table's symbols are put into the order in which its columns are computed, so that nothing reads backwards any
//! more, and cut into [`digits`](crate::lcs::digits). Eight digits, a byte each, are a *group*: one word of 64 bits, the
//! first column's in the lowest byte. The first groups of all tiles lie side by side, then the second groups of all
//! tiles, and so on; after the groups of digit 0 come those of digit 1:
//!
//! ```text
//! a tile of 32 columns is 4 groups of 8          group 0:  tile 0  tile 1  tile 2  …  spare
//!                                                group 1:  tile 0  tile 1  tile 2  …  spare
//! lane l reads group g of tile t - l:            group 2:  tile 0  tile 1  tile 2  …  spare
//! 32 neighbours, 256 bytes                       group 3:  tile 0  tile 1  tile 2  …  spare
//! ```
//!
//! **Cost.** Every symbol is read once for each of its digits, and each digit written once, eight in a word.

use crate::lcs::digits::{Code, Digits};
use simt_std::prelude::*;

/// Columns of a tile at most: the carries of a tile go from lane to lane in one word of 32 bits.
pub const TILE: u32 = 32;

/// Columns of a group: eight digits of a byte each, which a lane reads at once.
pub const GROUP: u32 = 8;

/// Threads of a block.
const THREADS: u32 = 256;

/// 64-bit words of an entry of [`tables`](ColumnTiles#structfield.tables).
pub const FIELDS: usize = 4;

/// How many tiles a table of n columns has, with tiles of `tile` columns, and a spare one that may be read ahead of
/// need: so many words lie between a tile's group g and its group g + 1.
#[inline(always)]
pub fn stride(n: u64, tile: u32) -> u64 {
    n.div_ceil(tile as u64) + 1
}

/// Groups, that is 64-bit words, of a table of n columns of one digit each, in tiles of `tile` columns, the spare tile's
/// included.
pub fn groups(n: u64, tile: u32) -> u64 {
    stride(n, tile) * u64::from(tile / GROUP)
}

/// Lays out the columns of all tables. Launch: `parts` blocks for each table.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ColumnTiles<C: Code> {
    /// The symbols of both strings as codes.
    pub symbols: Global<C>,
    /// [`FIELDS`] numbers a table:
    ///
    /// 0. the position of its first column in `symbols`;
    /// 1. the step from one column to the next, 1 or -1;
    /// 2. n;
    /// 3. the word where its groups start in `groups`.
    pub tables: Global<u64>,
    /// Blocks that share a table's columns, at least 1.
    pub parts: u32,
    /// Columns of a tile: a multiple of [`GROUP`], at most [`TILE`].
    pub tile: u32,
    /// Digits of a code.
    pub digits: u32,
    /// Bits of a digit.
    pub digit_bits: u32,
    /// Out: [`groups`] words for each digit of a table; digits past the end are 0.
    pub groups: Global<u64>,
}

#[kernel(threads = THREADS, instances = [column_tiles: (u8), column_tiles_of_tokens: (u32)])]
fn column_tiles<C: Code>(self: ColumnTiles<C>) {
    // Divisors of at least 1: a division by 0 would be a call of the panic handler.
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
