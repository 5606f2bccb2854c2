//! Exercises of chapter 5: banks.

use simt_std::prelude::*;

/// Exercise `tile_hashes`: `hashes[s]` is the hash of string s, a string of 32 words. One warp
/// copies 32 strings to shared memory, and then lane t computes the hash of its string t. The
/// kernel is right, but each read of the tile has 31 bank conflicts. Remove them. Launch: one block
/// for each 32 strings.
#[kernel(threads = 32)]
pub fn tile_hashes(strings: Global<u32>, hashes: Global<u32>) {
    shared_array!(tile: [u32; 32 * 32]);
    let t = thread::thread_idx_x();
    let first = 32 * 32 * thread::block_idx_x();
    for s in 0..32 {
        tile.write(32 * s + t, strings.read(first + 32 * s + t));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut hash = 0u32;
    for k in 0..32 {
        hash = hash.wrapping_mul(31).wrapping_add(tile.read(32 * t + k));
    }
    hashes.write(thread::index_1d(), hash);
}

/// Exercise `transpose_swizzled`: transposes a matrix of 32 × 32 words. The tile has no room for a
/// padding: leave it at 1,024 words (the check does not see its size). A *swizzle* permutes the
/// words of each row instead: the word of row y and column x is stored in row y at the column x ^ y
/// (exclusive or). Add the swizzle to the write and to the read. Launch: one block.
#[kernel(threads = [32, 32])]
pub fn transpose_swizzled(matrix: Global<u32>, result: Global<u32>) {
    shared_array!(tile: [u32; 1024]);
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    tile.write(32 * y + x, matrix.read(32 * y + x));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    result.write(32 * y + x, tile.read(32 * x + y));
}

/// Exercise `interleave_letters`: block b transposes its 32 strings of 32 letters: letter k of
/// string s goes from `strings[1024 b + 32 s + k]` to `result[1024 b + 32 k + s]`. Letters are
/// bytes; each warp reads and writes 32 neighbouring letters of global memory, and shared memory
/// has no bank conflicts. Launch: one block for each 32 strings.
#[kernel(threads = [32, 32])]
pub fn interleave_letters(strings: Global<u8>, result: Global<u8>) {
    // Your code here.
}
