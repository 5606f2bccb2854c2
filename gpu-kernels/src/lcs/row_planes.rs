//! Stores the rows of many tables as bit planes: bit i of plane p is bit p of the code of row i.
//! The [`wavefront`](crate::lcs::wavefront) makes its match words from these planes.
//!
//! ```text
//! codes    2 0 1 3     plane 0 = 0 0 1 1     rows whose code is 2: !plane 0 & plane 1 = 1 0 0 0
//!                      plane 1 = 1 0 0 1     row 0 first
//! ```
//!
//! There are ⌈log2 σ⌉ planes, instead of σ match vectors. A strip makes the match words of its own
//! rows when it starts.
//!
//! **Threads.** A warp takes 1,024 rows at a time and, plane by plane, transposes 32 squares of
//! 32 × 32 bits ([`transpose`](crate::collectives::transpose)): it reads 32 neighbouring symbols at
//! once, and writes 32 neighbouring words.
//!
//! **Cost.** Every symbol is read, and one bit written, once per plane.

use crate::collectives::transpose::transposed;
use crate::lcs::digits::Code;
use simt_std::prelude::*;

/// Threads of a block.
const THREADS: u32 = 256;

/// 64-bit words per entry of [`RowPlanes::tables`].
pub const FIELDS: usize = 5;

/// Rows that a warp takes at a time: 32 lanes of 32 bits.
const ROWS: u64 = 1024;

/// Makes the planes of all tables. Launch: `parts` blocks per table.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct RowPlanes<C: Code> {
    /// The symbols of both strings as codes.
    pub symbols: Global<C>,
    /// [`FIELDS`] numbers per table:
    ///
    /// 0. position of the first row in `symbols`;
    /// 1. step from one row to the next, 1 or -1;
    /// 2. m;
    /// 3. start of the table's rows in each plane, in words;
    /// 4. number of words from there, at least ⌈m / 32⌉ and a multiple of 32.
    pub tables: Global<u64>,
    /// Blocks per table, at least 1.
    pub parts: u32,
    /// Number of planes, ⌈log2 σ⌉.
    pub planes: u32,
    /// Words per plane, for all tables together.
    pub plane_words: u64,
    /// Out: the planes, one after the other. Bits past a table's last row are 0.
    pub words: Global<u32>,
}

#[kernel(threads = THREADS, instances = [row_planes: (u8), row_planes_of_tokens: (u32)])]
fn row_planes<C: Code>(self: RowPlanes<C>) {
    let lane = warp::lane_id();
    // A divisor must be at least 1: a possible division by 0 would compile to a call of the panic
    // handler.
    let parts = self.parts.max(1);
    let (table, part) = (thread::block_idx_x() / parts, thread::block_idx_x() % parts);
    let fields = self.tables.skip(table as usize * FIELDS);
    let warps = THREADS / WARP;
    let mut chunk = u64::from(part * warps + thread::thread_idx_x() / WARP);
    let words = fields.read(4);
    if chunk * u64::from(WARP) >= words {
        return;
    }
    let (first, step, m, start) = (fields.read(0), fields.read(1), fields.read(2), fields.read(3));
    while chunk * u64::from(WARP) < words {
        let row = chunk * ROWS + u64::from(lane);
        for plane in 0..self.planes {
            let bit = |word: u32| {
                let row = row + u64::from(word * 32);
                let position = first.wrapping_add(row.wrapping_mul(step));
                row < m && self.symbols.read(position as usize).number() >> plane & 1 == 1
            };
            // SAFETY: all lanes are here: the loops' bounds are the same in all lanes.
            let own = unsafe { transposed(bit) };
            let index = u64::from(plane) * self.plane_words + start + chunk * u64::from(WARP) + u64::from(lane);
            self.words.write(index as usize, own);
        }
        chunk += u64::from(parts * warps);
    }
}
