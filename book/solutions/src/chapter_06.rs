//! Solutions of chapter 6: tiles.

use simt_std::prelude::*;

/// Rows and columns of a tile.
pub const TILE: u32 = 16;

// ANCHOR: ranks
/// Exercise `ranks`: `ranks[i]` is how many of the n numbers are smaller than number i. Launch:
/// n / 256 blocks, rounded up; both arrays have n elements, and n is less than 2^32 - 256.
#[kernel(threads = 256)]
pub fn ranks(numbers: Global<u32>, n: u32, ranks: Global<u32>) {
    shared_array!(tile: [u32; 256]);
    let t = thread::thread_idx_x();
    let i = thread::index_1d();
    let own = if i < n { numbers.read(i) } else { 0 };
    let mut rank = 0;
    let mut first = 0;
    while first < n {
        // Beyond the end stands the largest number, which is smaller than no other.
        tile.write(t, if first + t < n { numbers.read(first + t) } else { u32::MAX });
        // SAFETY: all threads of the block are here, each with the same `first`.
        unsafe { thread::sync_threads() };
        for k in 0..256 {
            rank += u32::from(tile.read(k) < own);
        }
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        first += 256;
    }
    if i < n {
        ranks.write(i, rank);
    }
}
// ANCHOR_END: ranks

// ANCHOR: pair_distances
/// Bytes from one row of a tile to the next. With 20 bytes, 5 words, the 16 rows start in 16
/// different banks.
const PITCH: u32 = 20;

/// Exercise `pair_distances`: `distances[i * count + j]` is the Hamming distance of the texts i and
/// j. `texts` has `count` texts of `length` symbols, one after the other. Launch: count / 16 blocks
/// in x and in y, rounded up; `texts` and `distances` have less than 2^32 - 16 elements.
#[kernel(threads = [TILE, TILE])]
pub fn pair_distances(texts: Global<u8>, count: u32, length: u32, distances: Global<u32>) {
    shared_array!(rows: [u8; (TILE * PITCH) as usize]);
    shared_array!(columns: [u8; (TILE * PITCH) as usize]);
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    let (top, left) = (thread::block_idx_y() * TILE, thread::block_idx_x() * TILE);
    let mut distance = 0;
    let mut first = 0;
    while first < length {
        // Beyond the end of the texts stand zeros, which do not differ.
        let p = first + x;
        let symbol = |text: u32| if text < count && p < length { texts.read(text * length + p) } else { 0 };
        rows.write(y * PITCH + x, symbol(top + y));
        columns.write(y * PITCH + x, symbol(left + y));
        // SAFETY: all threads of the block are here, each with the same `first`.
        unsafe { thread::sync_threads() };
        for k in 0..TILE {
            distance += u32::from(rows.read(y * PITCH + k) != columns.read(x * PITCH + k));
        }
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        first += TILE;
    }
    if top + y < count && left + x < count {
        distances.write((top + y) * count + left + x, distance);
    }
}
// ANCHOR_END: pair_distances

// ANCHOR: four_results
/// Exercise `four_results`: C = A B; each thread computes four results. Launch: n / 16 blocks in x
/// and in y, rounded up; the matrices have n² elements, row by row, and n is at most 65,000.
#[kernel(threads = [TILE, 4])]
pub fn four_results(a: Global<f32>, b: Global<f32>, c: Global<f32>, n: u32) {
    shared_array!(tile_a: [f32; (TILE * TILE) as usize]);
    shared_array!(tile_b: [f32; (TILE * TILE) as usize]);
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    let (column, top) = (thread::block_idx_x() * TILE + x, thread::block_idx_y() * TILE + y);
    let mut sums = [0.0f32; 4];
    let mut first = 0;
    while first < n {
        unroll!(j in [0 1 2 3] {
            let (row, in_tile) = (top + 4 * j, y + 4 * j);
            let in_a = row < n && first + x < n;
            let in_b = first + in_tile < n && column < n;
            tile_a.write(in_tile * TILE + x, if in_a { a.read(row * n + first + x) } else { 0.0 });
            tile_b.write(in_tile * TILE + x, if in_b { b.read((first + in_tile) * n + column) } else { 0.0 });
        });
        // SAFETY: all threads of the block are here, each with the same `first`.
        unsafe { thread::sync_threads() };
        for k in 0..TILE {
            let factor = tile_b.read(k * TILE + x);
            unroll!(j in [0 1 2 3] {
                sums[j as usize] += tile_a.read((y + 4 * j) * TILE + k) * factor;
            });
        }
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        first += TILE;
    }
    unroll!(j in [0 1 2 3] {
        if top + 4 * j < n && column < n {
            c.write((top + 4 * j) * n + column, sums[j as usize]);
        }
    });
}
// ANCHOR_END: four_results
