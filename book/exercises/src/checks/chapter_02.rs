//! Checks of chapter 2.

use crate::chapter_02::{BlurClamped, DotPlot, Mirror};
use simt_std::exercise;
use simt_std::simulator::{Fault, Simulator};

/// Widths and heights around those of a block.
const SIZES: [(u32, u32); 5] = [(5, 3), (32, 8), (33, 9), (96, 20), (20, 70)];

/// A picture with dark and bright parts.
fn picture(width: u32, height: u32) -> Vec<u8> {
    (0..width * height).map(|i| (i * i / 7 % 256) as u8).collect()
}

#[test]
fn mirror() {
    for (width, height) in SIZES {
        let picture = picture(width, height);
        exercise! {
            run: |gpu| {
                let (input, result) = (gpu.alloc_from(&picture, "picture"), gpu.alloc::<u8>(picture.len(), "result"));
                let kernel = Mirror { picture: input.handle(), result: result.handle(), width, height };
                gpu.launch_kernel([width.div_ceil(32), height.div_ceil(8)], kernel)?;
                gpu.download(&result, picture.len())
            } => "begin as in `invert`; only the address that is read differs",
            expect: picture.chunks(width as usize).flat_map(|row| row.iter().rev().copied()).collect()
                => "the row stays the same; column 0 gets the last column",
        }
    }
}

#[test]
fn dot_plot() {
    for (n, m) in SIZES {
        let a = Vec::from_iter((0..n).map(|i| b"ACGT"[(i * i / 3 % 4) as usize]));
        let b = Vec::from_iter((0..m).map(|i| b"ACGT"[(i * i / 5 % 4) as usize]));
        let row = |y: &u8| Vec::from_iter(a.iter().map(|x| u8::from(x == y)));
        exercise! {
            run: |gpu| {
                let (on_a, on_b) = (gpu.alloc_from(&a, "a"), gpu.alloc_from(&b, "b"));
                let plot = gpu.alloc::<u8>(a.len() * b.len(), "plot");
                let kernel = DotPlot { a: on_a.handle(), n, b: on_b.handle(), m, plot: plot.handle() };
                gpu.launch_kernel([n.div_ceil(32), m.div_ceil(8)], kernel)?;
                gpu.download(&plot, a.len() * b.len())
            } => "the message names the line and the element: which thread should access it?",
            expect: b.iter().flat_map(row).collect() => "x counts symbols of `a`, y those of `b`",
        }
    }
}

/// Runs the student's blur.
fn clamped(gpu: &mut Simulator, picture: &[u8], width: u32) -> Result<Vec<u8>, Fault> {
    let height = picture.len() as u32 / width;
    let (input, result) = (gpu.alloc_from(picture, "picture"), gpu.alloc::<u8>(picture.len(), "result"));
    let kernel = BlurClamped { picture: input.handle(), result: result.handle(), width, height };
    gpu.launch_kernel([width.div_ceil(32), height.div_ceil(8)], kernel)?;
    gpu.download(&result, picture.len())
}

#[test]
fn blur_clamped() {
    exercise! {
        run: |gpu| clamped(gpu, &[90; 40 * 20], 40) => "compute x and y so that they are inside for each dx and dy",
        expect: vec![90; 40 * 20] => "a picture of one brightness stays as it is, also at its border",
    }
    for (width, height) in SIZES {
        let picture = picture(width, height);
        let mean = |i: u32| {
            let (x, y) = (i64::from(i % width), i64::from(i / width));
            let pixel = |x: i64, y: i64| {
                let (x, y) = (x.clamp(0, i64::from(width) - 1), y.clamp(0, i64::from(height) - 1));
                u32::from(picture[(y * i64::from(width) + x) as usize])
            };
            let sum: u32 = (y - 1..=y + 1).map(|y| pixel(x - 1, y) + pixel(x, y) + pixel(x + 1, y)).sum();
            (sum / 9) as u8
        };
        exercise! {
            run: |gpu| clamped(gpu, &picture, width) => "compute x and y so that they are inside for each dx and dy",
            expect: (0..width * height).map(mean).collect()
                => "x and y each have a lower and an upper limit: `saturating_sub` and `min`",
        }
    }
}
