//! Solutions of chapter 11: to the GPU.

#[cfg(not(target_arch = "nvptx64"))]
use simt_launch::{Device, Result};
use simt_std::prelude::*;

// ANCHOR: mystery
/// Exercise `mystery`: `result[i]` counts the bits that differ between `a[i]` and `b[n - 1 - i]`.
/// Launch: n / 128 blocks, rounded up; the arrays have n words.
#[kernel(threads = 128)]
pub fn mystery(a: Global<u32>, b: Global<u32>, n: u32, result: Global<u32>) {
    let i = thread::index_1d();
    if i < n {
        result.write(i, (a.read(i) ^ b.read(n - 1 - i)).count_ones());
    }
}
// ANCHOR_END: mystery

// ANCHOR: reverse_pieces
/// Exercise `reverse_pieces`: reverses each 8,192 symbols of a text in place. Launch: one block for
/// each 8,192 symbols.
#[kernel(threads = 256)]
pub fn reverse_pieces(text: Global<u8>) {
    shared_array!(piece: [u8; 8192]);
    let t = thread::thread_idx_x();
    let first = 8192 * thread::block_idx_x();
    for i in (t..8192).step_by(256) {
        piece.write(i, text.read(first + i));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    for i in (t..8192).step_by(256) {
        text.write(first + i, piece.read(8191 - i));
    }
}
// ANCHOR_END: reverse_pieces

/// Makes capital letters small. Launch: n / 64 blocks, rounded up; `text` has n symbols.
#[kernel(threads = 64)]
pub fn small_letters(text: Global<u8>, n: u32) {
    let i = thread::index_1d();
    if i < n {
        text.write(i, text.read(i).to_ascii_lowercase());
    }
}

// ANCHOR: two_streams
/// Exercise `two_streams`: returns a text in small letters. One stream has the copies, another one
/// the kernel.
#[cfg(not(target_arch = "nvptx64"))]
pub fn two_streams(device: &impl Device, text: &[u8]) -> Result<Vec<u8>> {
    let (copies, kernels) = (device.stream()?, device.stream()?);
    let n = text.len();
    let mut pinned = device.pinned(n)?;
    device.pinned_bytes(&mut pinned)?[..n].copy_from_slice(text);
    let on_device = device.alloc::<u8>(n, "text")?;
    device.upload_async(&copies, &on_device, &mut pinned, n)?;
    let uploaded = device.record(&copies)?;
    device.wait_for(&kernels, &uploaded)?;
    let kernel = SmallLetters { text: device.handle(&on_device), n: n as u32 };
    // SAFETY: the text has n symbols, and lives until the wait for its copy.
    unsafe { device.launch(&kernels, n.div_ceil(64) as u32, kernel)? };
    let computed = device.record(&kernels)?;
    device.wait_for(&copies, &computed)?;
    device.download_async(&copies, &on_device, &mut pinned, n)?;
    Ok(device.pinned_bytes(&mut pinned)?[..n].to_vec())
}
// ANCHOR_END: two_streams
