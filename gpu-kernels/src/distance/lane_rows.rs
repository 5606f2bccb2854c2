//! The rows of many tables as bit planes in the order of the [`wavefront`](crate::distance::wavefront)'s lanes; and a column's
//! differences from that order into that of the rows.
//!
//! A lane of R words has 32 R rows, and bit b of word r is row b R + r:
//!
//! ```text
//! R = 3        rows of a lane     0  1  2 |  3  4  5 |  6  7  8 | …        word 0 of a plane: bit 0 is row 0, bit 1 row 3, bit 2 row 6 …
//!              word               0  1  2    0  1  2    0  1  2            word 1:            bit 0 is row 1, bit 1 row 4 …
//! ```
//!
//! **Cost.** A thread makes a word of a plane from 32 symbols, or a word of 32 rows from 32 words; neighbouring threads read
//! neighbours.

use simt_std::prelude::*;

/// 64-bit words of an entry of [`LaneRows::tables`].
pub const FIELDS: usize = 5;

/// 64-bit words of an entry of [`InOrder::tables`].
pub const ORDER_FIELDS: usize = 3;

/// Makes the planes of all tables. Launch: `parts` blocks for each table.
#[kernel(threads = 256)]
pub fn lane_rows(
    /// The symbols of both strings as codes, a byte each.
    symbols: Global<u8>,
    /// [`FIELDS`] numbers a table:
    ///
    /// 0. the position of its first row in `symbols`;
    /// 1. the step from one row to the next, 1 or -1;
    /// 2. m;
    /// 3. the word of each plane where its rows start;
    /// 4. how many words they have there: a multiple of 32 R.
    tables: Global<u64>,
    /// Blocks that share a table's rows, at least 1.
    parts: u32,
    /// R, at least 1.
    lane_words: u32,
    /// How many planes, 1 to 8.
    planes: u32,
    /// Words of a plane, for all tables together.
    plane_words: u64,
    /// Out: the planes, one after the other. Bits of rows past a table's last are 0.
    words: Global<u32>,
) {
    // At least 1: a division by 0 would be a call of the panic handler.
    let (parts, r) = (parts.max(1), u64::from(lane_words.max(1)));
    let (table, part) = (thread::block_idx_x() / parts, thread::block_idx_x() % parts);
    let fields = tables.skip(table as usize * FIELDS);
    let (first, step, m, start, count) =
        (fields.read(0), fields.read(1), fields.read(2), fields.read(3), fields.read(4));
    let threads = u64::from(parts * Self::BLOCK_THREADS);
    let mut word = u64::from(part * Self::BLOCK_THREADS + thread::thread_idx_x());
    while word < count {
        let top = word / r * 32 * r + word % r;
        let mut own = [0u32; 8];
        for bit in 0..32 {
            let row = top + bit * r;
            if row < m {
                let code = u32::from(symbols.read(first.wrapping_add(row.wrapping_mul(step)) as usize));
                unroll!(plane in [0 1 2 3 4 5 6 7] {
                    own[plane as usize] |= (code >> plane & 1) << bit;
                });
            }
        }
        unroll!(plane in [0 1 2 3 4 5 6 7] {
            if plane < planes {
                words.write((u64::from(plane) * plane_words + start + word) as usize, own[plane as usize]);
            }
        });
        word += threads;
    }
}

/// Puts the bits of columns into the order of the rows. Launch: `parts` blocks for each table.
#[kernel(threads = 256)]
pub fn in_order(
    /// [`ORDER_FIELDS`] numbers a table: 0. m; 1. the word where its bits start, in each half of both arrays; 2. how many words they have
    /// there, a multiple of 32 R.
    tables: Global<u64>,
    /// Blocks that share a table's rows, at least 1.
    parts: u32,
    /// R, at least 1.
    lane_words: u32,
    /// Words of a half: Pv of all tables together, and after it Mv.
    plane_words: u64,
    /// The columns as the wavefront leaves them.
    lanes: Global<u32>,
    /// Out: the columns, row 32 w + i in bit i of word w. Bits of rows past the last are 0.
    columns: Global<u32>,
) {
    // At least 1: a division by 0 would be a call of the panic handler.
    let (parts, r) = (parts.max(1), u64::from(lane_words.max(1)));
    let (table, part) = (thread::block_idx_x() / parts, thread::block_idx_x() % parts);
    let fields = tables.skip(table as usize * ORDER_FIELDS);
    let (m, start, count) = (fields.read(0), fields.read(1), fields.read(2));
    let threads = u64::from(parts * Self::BLOCK_THREADS);
    let mut word = u64::from(part * Self::BLOCK_THREADS + thread::thread_idx_x());
    while word < count {
        let (mut plus, mut minus) = (0, 0);
        for i in 0..32 {
            let row = word * 32 + i;
            if row < m {
                let (lane, within) = (row / (32 * r), row % (32 * r));
                let (bit, index) = (within / r, start + lane * r + within % r);
                plus |= (lanes.read(index as usize) >> bit & 1) << i;
                minus |= (lanes.read((plane_words + index) as usize) >> bit & 1) << i;
            }
        }
        columns.write((start + word) as usize, plus);
        columns.write((plane_words + start + word) as usize, minus);
        word += threads;
    }
}
