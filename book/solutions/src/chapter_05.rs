//! Solutions of chapter 5: banks.

use simt_std::prelude::*;

// ANCHOR: tile_hashes
/// Exercise `tile_hashes`: `hashes[s]` is the hash of string s, a string of 32 words. The strings
/// are 33 words apart in shared memory. Launch: one block for each 32 strings.
#[kernel(threads = 32)]
pub fn tile_hashes(strings: Global<u32>, hashes: Global<u32>) {
    shared_array!(tile: [u32; 32 * 33]);
    let t = thread::thread_idx_x();
    let first = 32 * 32 * thread::block_idx_x();
    for s in 0..32 {
        tile.write(33 * s + t, strings.read(first + 32 * s + t));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut hash = 0u32;
    for k in 0..32 {
        hash = hash.wrapping_mul(31).wrapping_add(tile.read(33 * t + k));
    }
    hashes.write(thread::index_1d(), hash);
}
// ANCHOR_END: tile_hashes

// ANCHOR: transpose_swizzled
/// Exercise `transpose_swizzled`: transposes a matrix of 32 × 32 words. The tile has the word of
/// row y and column x in row y at the column x ^ y. Launch: one block.
#[kernel(threads = [32, 32])]
pub fn transpose_swizzled(matrix: Global<u32>, result: Global<u32>) {
    shared_array!(tile: [u32; 1024]);
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    tile.write(32 * y + (x ^ y), matrix.read(32 * y + x));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    result.write(32 * y + x, tile.read(32 * x + (y ^ x)));
}
// ANCHOR_END: transpose_swizzled

// ANCHOR: interleave_letters
/// Exercise `interleave_letters`: block b transposes its 32 strings of 32 letters. The strings are
/// 36 bytes apart in shared memory, which is 9 banks. Launch: one block for each 32 strings.
#[kernel(threads = [32, 32])]
pub fn interleave_letters(strings: Global<u8>, result: Global<u8>) {
    shared_array!(tile: [u8; 32 * 36]);
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    let i = 1024 * thread::block_idx_x() + 32 * y + x;
    tile.write(36 * y + x, strings.read(i));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    result.write(i, tile.read(36 * x + y));
}
// ANCHOR_END: interleave_letters
