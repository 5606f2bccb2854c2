//! Exercises of chapter 2: two dimensions.

use simt_std::prelude::*;

/// Exercise `mirror`: exchanges left and right. Pixel (x, y) of the result is pixel (width - 1 - x,
/// y) of the picture. Launch: width / 32 × height / 8 blocks, rounded up; both arrays have width ×
/// height elements, row by row.
#[kernel(threads = [32, 8])]
pub fn mirror(picture: Global<u8>, result: Global<u8>, width: u32, height: u32) {
    // Your code here.
}

/// Exercise `dot_plot`: compares each symbol of `a` with each symbol of `b`. `plot` has a row for
/// each symbol of `b`, and a column for each symbol of `a`: element x of row y is 1 if `a[x]` and
/// `b[y]` are equal, else 0. Launch: n / 32 × m / 8 blocks, rounded up; `a` has n elements, `b` has
/// m, and `plot` n × m.
#[kernel(threads = [32, 8])]
pub fn dot_plot(a: Global<u8>, n: u32, b: Global<u8>, m: u32, plot: Global<u8>) {
    // Your code here.
}

/// Exercise `blur_clamped`: the mean of 3 × 3 pixels. This kernel takes pixels outside for 0, so
/// the border of its result is too dark. Let the nearest pixel of the picture count in place of a
/// pixel outside: (0, y) for (-1, y), and (0, height - 1) for (-1, height). Launch: as `mirror`,
/// with at least one pixel.
#[kernel(threads = [32, 8])]
pub fn blur_clamped(picture: Global<u8>, result: Global<u8>, width: u32, height: u32) {
    let at = thread::index_2d();
    if at.x < width && at.y < height {
        let mut sum = 0;
        for dy in 0..3 {
            for dx in 0..3 {
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
