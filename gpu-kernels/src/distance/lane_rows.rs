//! Stores the rows of many tables as bit planes in the order of the
//! [`wavefront`](crate::distance::wavefront)'s lanes, and reorders a column's differences from that
//! order into the order of the rows.
//!
//! A lane of R words has 32 R rows. Bit b of word r is row b R + r:
//!
//! ```text
//! R = 3        rows of a lane     0  1  2 |  3  4  5 |  6  7  8 | …
//!              word               0  1  2    0  1  2    0  1  2
//!
//! word 0 of a plane: bit 0 is row 0, bit 1 row 3, bit 2 row 6 …
//! word 1:            bit 0 is row 1, bit 1 row 4 …
//! ```
//!
//! **Cost.** A thread makes a word of a plane from 32 symbols, or a word of 32 rows from 32 words.
//! Neighbouring threads read neighbouring memory.

use simt_std::prelude::*;

/// 64-bit words per entry of [`LaneRows::tables`].
pub const FIELDS: usize = 5;

/// 64-bit words per entry of [`InOrder::tables`].
pub const ORDER_FIELDS: usize = 3;

/// Makes the planes of all tables. Launch: `parts` blocks per table.
#[kernel(threads = 256)]
pub fn lane_rows(
    /// The symbols of both strings as codes, one byte each.
    symbols: Global<u8>,
    /// [`FIELDS`] numbers per table:
    ///
    /// 0. position of the first row in `symbols`;
    /// 1. step from one row to the next, 1 or -1;
    /// 2. m;
    /// 3. start of the table's rows in each plane, in words;
    /// 4. number of words from there, a multiple of 32 R.
    tables: Global<u64>,
    /// Blocks per table, at least 1.
    parts: u32,
    /// R, the words per lane, at least 1.
    lane_words: u32,
    /// Number of planes, 1 to 8.
    planes: u32,
    /// Words per plane, for all tables together.
    plane_words: u64,
    /// Out: the planes, one after the other. Bits past a table's last row are 0.
    words: Global<u32>,
) {
    // A divisor must be at least 1: a possible division by 0 would compile to a call of the panic
    // handler.
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

/// Reorders the bits of columns into the order of the rows. Launch: `parts` blocks per table.
#[kernel(threads = 256)]
pub fn in_order(
    /// [`ORDER_FIELDS`] numbers per table: 0. m; 1. start of its bits in each half of both arrays,
    /// in words; 2. number of words from there, a multiple of 32 R.
    tables: Global<u64>,
    /// Blocks per table, at least 1.
    parts: u32,
    /// R, the words per lane, at least 1.
    lane_words: u32,
    /// Words per half of both arrays. The first half is Pv of all tables, the second half Mv.
    plane_words: u64,
    /// The columns in the order of the wavefront.
    lanes: Global<u32>,
    /// Out: the columns, with row 32 w + i in bit i of word w. Bits past the last row are 0.
    columns: Global<u32>,
) {
    // A divisor must be at least 1: a possible division by 0 would compile to a call of the panic
    // handler.
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
