//! Solutions of chapter 2: two dimensions.

use simt_std::prelude::*;

// ANCHOR: mirror
/// Exercise `mirror`: exchanges left and right. Launch: width / 32 × height / 8 blocks, rounded up;
/// both arrays have width × height elements, row by row, at most 2^31.
#[kernel(threads = [32, 8])]
pub fn mirror(picture: Global<u8>, result: Global<u8>, width: u32, height: u32) {
    let at = thread::index_2d();
    if at.x < width && at.y < height {
        let row = at.y * width;
        result.write(row + at.x, picture.read(row + width - 1 - at.x));
    }
}
// ANCHOR_END: mirror

// ANCHOR: dot_plot
/// Exercise `dot_plot`: compares each symbol of `a` with each symbol of `b`. Launch: n / 32 × m / 8
/// blocks, rounded up; `a` has n elements, `b` has m, and `plot` n × m, at most 2^31.
#[kernel(threads = [32, 8])]
pub fn dot_plot(a: Global<u8>, n: u32, b: Global<u8>, m: u32, plot: Global<u8>) {
    let at = thread::index_2d();
    if at.x < n && at.y < m {
        plot.write(at.y * n + at.x, u8::from(a.read(at.x) == b.read(at.y)));
    }
}
// ANCHOR_END: dot_plot

// ANCHOR: blur_clamped
/// Exercise `blur_clamped`: the mean of 3 × 3 pixels; outside, the nearest pixel counts. Launch: as
/// [`mirror`](Mirror), with at least one pixel.
#[kernel(threads = [32, 8])]
pub fn blur_clamped(picture: Global<u8>, result: Global<u8>, width: u32, height: u32) {
    let at = thread::index_2d();
    if at.x < width && at.y < height {
        let mut sum = 0;
        for dy in 0..3 {
            for dx in 0..3 {
                let x = (at.x + dx).saturating_sub(1).min(width - 1);
                let y = (at.y + dy).saturating_sub(1).min(height - 1);
                sum += u32::from(picture.read(y * width + x));
            }
        }
        result.write(at.y * width + at.x, (sum / 9) as u8);
    }
}
// ANCHOR_END: blur_clamped
