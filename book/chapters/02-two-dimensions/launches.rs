//! Chapter 2: launches of its kernels.

use super::kernels::{Blur3x3, Edges, Invert};
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: inverted
/// Returns the negative of a picture, which has at least one pixel.
pub fn inverted(gpu: &mut Simulator, picture: &[u8], width: u32) -> Result<Vec<u8>, Fault> {
    let height = picture.len() as u32 / width;
    let input = gpu.alloc_from(picture, "picture");
    let result = gpu.alloc::<u8>(picture.len(), "result");
    let kernel = Invert { picture: input.handle(), result: result.handle(), width, height };
    gpu.launch_kernel([width.div_ceil(32), height.div_ceil(8)], kernel)?;
    gpu.download(&result, picture.len())
}
// ANCHOR_END: inverted

/// Returns the edges in a picture, which has at least one pixel.
pub fn edges_of(gpu: &mut Simulator, picture: &[u8], width: u32) -> Result<Vec<u8>, Fault> {
    let height = picture.len() as u32 / width;
    let input = gpu.alloc_from(picture, "picture");
    let result = gpu.alloc::<u8>(picture.len(), "result");
    let kernel = Edges { picture: input.handle(), result: result.handle(), width, height };
    gpu.launch_kernel([width.div_ceil(32), height.div_ceil(8)], kernel)?;
    gpu.download(&result, picture.len())
}

/// Returns a blurred picture, which has at least one pixel.
pub fn blurred(gpu: &mut Simulator, picture: &[u8], width: u32) -> Result<Vec<u8>, Fault> {
    let height = picture.len() as u32 / width;
    let input = gpu.alloc_from(picture, "picture");
    let result = gpu.alloc::<u8>(picture.len(), "result");
    let kernel = Blur3x3 { picture: input.handle(), result: result.handle(), width, height };
    gpu.launch_kernel([width.div_ceil(32), height.div_ceil(8)], kernel)?;
    gpu.download(&result, picture.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    /// Widths and heights around those of a block.
    const SIZES: [(u32, u32); 7] = [(1, 1), (31, 7), (32, 8), (33, 9), (96, 64), (40, 100), (200, 3)];

    /// A picture with dark and bright parts.
    fn picture(width: u32, height: u32) -> Vec<u8> {
        (0..width * height).map(|i| (i * i / 7 % 256) as u8).collect()
    }

    /// Computes each pixel of a result from the picture's pixels; those outside are 0.
    fn pixels(picture: &[u8], width: u32, result: impl Fn(&dyn Fn(i32, i32) -> i32, i32, i32) -> i32) -> Vec<u8> {
        let (width, height) = (width as i32, picture.len() as i32 / width as i32);
        let pixel = |x: i32, y: i32| {
            let inside = (0..width).contains(&x) && (0..height).contains(&y);
            if inside { picture[(y * width + x) as usize].into() } else { 0 }
        };
        (0..width * height).map(|i| result(&pixel, i % width, i / width) as u8).collect()
    }

    #[test]
    fn negatives_are_those_of_plain_rust() {
        for (width, height) in SIZES {
            let picture = picture(width, height);
            exercise! {
                run: |gpu| inverted(gpu, &picture, width),
                expect: picture.iter().map(|pixel| !pixel).collect(),
                schedules: 5,
            }
        }
    }

    #[test]
    fn edges_are_those_of_plain_rust() {
        for (width, height) in SIZES {
            let picture = picture(width, height);
            let edge = |pixel: &dyn Fn(i32, i32) -> i32, x: i32, y: i32| {
                let around = pixel(x - 1, y) + pixel(x + 1, y) + pixel(x, y - 1) + pixel(x, y + 1);
                (4 * pixel(x, y) - around).abs().min(255)
            };
            exercise! {
                run: |gpu| edges_of(gpu, &picture, width),
                expect: pixels(&picture, width, edge),
                schedules: 5,
            }
        }
    }

    #[test]
    fn blurs_are_those_of_plain_rust() {
        for (width, height) in SIZES {
            let picture = picture(width, height);
            let mean = |pixel: &dyn Fn(i32, i32) -> i32, x: i32, y: i32| {
                let rows = y - 1..=y + 1;
                rows.map(|y| pixel(x - 1, y) + pixel(x, y) + pixel(x + 1, y)).sum::<i32>() / 9
            };
            exercise! {
                run: |gpu| blurred(gpu, &picture, width),
                expect: pixels(&picture, width, mean),
                schedules: 5,
            }
        }
    }
}
