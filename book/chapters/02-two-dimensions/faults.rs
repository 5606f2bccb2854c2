//! Chapter 2: the negative with x and y exchanged, and with blocks of another shape.

use simt_std::prelude::*;

// ANCHOR: exchanged
/// [`invert`](super::kernels::Invert) with x and y exchanged in the address.
#[kernel(threads = [32, 8])]
pub fn invert_exchanged(picture: Global<u8>, result: Global<u8>, width: u32, height: u32) {
    let at = thread::index_2d();
    if at.x < width && at.y < height {
        let here = at.x * width + at.y;
        result.write(here, 255 - picture.read(here));
    }
}
// ANCHOR_END: exchanged

/// [`invert`](super::kernels::Invert) with blocks of 8 × 32 threads. Launch: width / 8 × height /
/// 32 blocks, rounded up.
#[kernel(threads = [8, 32])]
pub fn invert_upright(picture: Global<u8>, result: Global<u8>, width: u32, height: u32) {
    let at = thread::index_2d();
    if at.x < width && at.y < height {
        let here = at.y * width + at.x;
        result.write(here, 255 - picture.read(here));
    }
}
