//! Exercises of chapter 11: To the GPU.

#[cfg(not(target_arch = "nvptx64"))]
use simt_launch::{Device, Result};
use simt_std::prelude::*;

/// Exercise `mystery`: the file `chapter_11.ptx`, beside this one, is what a kernel with these
/// parameters has become. Write the kernel. The parameters are one struct: `a` at byte 0, `b` at 8,
/// `n` at 16 and `result` at 24. `popc` counts the bits that are 1. Launch: n / 128 blocks, rounded
/// up; the arrays have n words.
#[kernel(threads = 128)]
pub fn mystery(a: Global<u32>, b: Global<u32>, n: u32, result: Global<u32>) {
    // Your code here.
}

/// Exercise `reverse_pieces`: reverses each 8,192 symbols of a text in place. The results are
/// right, but only 6 blocks fit on a multiprocessor of an H200: change the kernel so that 8 fit, as
/// many as its 64 warps allow. Launch: one block for each 8,192 symbols.
#[kernel(threads = 256)]
pub fn reverse_pieces(text: Global<u8>) {
    shared_array!(piece: [u32; 8192]);
    let t = thread::thread_idx_x();
    let first = 8192 * thread::block_idx_x();
    for i in (t..8192).step_by(256) {
        piece.write(i, u32::from(text.read(first + i)));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    for i in (t..8192).step_by(256) {
        text.write(first + i, piece.read(8191 - i) as u8);
    }
}

/// Makes capital letters small. Launch: n / 64 blocks, rounded up; `text` has n symbols.
#[kernel(threads = 64)]
pub fn small_letters(text: Global<u8>, n: u32) {
    let i = thread::index_1d();
    if i < n {
        text.write(i, text.read(i).to_ascii_lowercase());
    }
}

/// Exercise `two_streams`: returns a text in small letters. One stream has the copies, another one
/// the kernel. Nothing orders the two streams: repair it by events, and leave the commands in their
/// streams.
#[cfg(not(target_arch = "nvptx64"))]
pub fn two_streams(device: &impl Device, text: &[u8]) -> Result<Vec<u8>> {
    let (copies, kernels) = (device.stream()?, device.stream()?);
    let n = text.len();
    let mut pinned = device.pinned(n)?;
    device.pinned_bytes(&mut pinned)?[..n].copy_from_slice(text);
    let on_device = device.alloc::<u8>(n, "text")?;
    device.upload_async(&copies, &on_device, &mut pinned, n)?;
    let kernel = SmallLetters { text: device.handle(&on_device), n: n as u32 };
    // SAFETY: the text has n symbols, and lives until the wait for its copy.
    unsafe { device.launch(&kernels, n.div_ceil(64) as u32, kernel)? };
    device.download_async(&copies, &on_device, &mut pinned, n)?;
    Ok(device.pinned_bytes(&mut pinned)?[..n].to_vec())
}
