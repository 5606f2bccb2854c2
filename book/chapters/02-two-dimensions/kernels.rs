//! Chapter 2: kernels on pictures, a thread for each pixel.

use simt_std::prelude::*;

// ANCHOR: invert
/// The negative of a picture. Launch: width / 32 × height / 8 blocks, rounded up; both arrays have
/// width × height elements, row by row: at most 2^31, so that every index fits into a `u32`.
#[kernel(threads = [32, 8])]
pub fn invert(picture: Global<u8>, result: Global<u8>, width: u32, height: u32) {
    let at = thread::index_2d();
    if at.x < width && at.y < height {
        let here = at.y * width + at.x;
        result.write(here, 255 - picture.read(here));
    }
}
// ANCHOR_END: invert

// ANCHOR: edges
/// The edges in a picture: the difference between 4 times a pixel and its four neighbours, at most
/// 255. Pixels outside count as 0. Launch: as [`invert`](Invert).
#[kernel(threads = [32, 8])]
pub fn edges(picture: Global<u8>, result: Global<u8>, width: u32, height: u32) {
    let at = thread::index_2d();
    if at.x < width && at.y < height {
        let here = at.y * width + at.x;
        let left = if at.x > 0 { picture.read(here - 1) } else { 0 };
        let right = if at.x + 1 < width { picture.read(here + 1) } else { 0 };
        let above = if at.y > 0 { picture.read(here - width) } else { 0 };
        let below = if at.y + 1 < height { picture.read(here + width) } else { 0 };
        let around = u32::from(left) + u32::from(right) + u32::from(above) + u32::from(below);
        let difference = around.abs_diff(4 * u32::from(picture.read(here)));
        result.write(here, difference.min(255) as u8);
    }
}
// ANCHOR_END: edges

// ANCHOR: blur
/// Blurs a picture: each pixel becomes the mean of the 3 × 3 pixels around it. Pixels outside count
/// as 0. Launch: as [`invert`](Invert).
#[kernel(threads = [32, 8])]
pub fn blur_3x3(picture: Global<u8>, result: Global<u8>, width: u32, height: u32) {
    let at = thread::index_2d();
    if at.x < width && at.y < height {
        let mut sum = 0;
        for dy in 0..3 {
            for dx in 0..3 {
                // 0 - 1 wraps to a large number, which is outside, too.
                let x = (at.x + dx).wrapping_sub(1);
                let y = (at.y + dy).wrapping_sub(1);
                if x < width && y < height {
                    sum += u32::from(picture.read(y * width + x));
                }
            }
        }
        result.write(at.y * width + at.x, (sum / 9) as u8);
    }
}
// ANCHOR_END: blur
