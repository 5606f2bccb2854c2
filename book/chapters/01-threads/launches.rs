//! Chapter 1: launches of its kernels.

use super::kernels::{Saxpy, VectorAdd};
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: sum
/// Returns the sums of the elements of two vectors, which have one length, at least 1.
pub fn sum(gpu: &mut Simulator, a: &[f32], b: &[f32]) -> Result<Vec<f32>, Fault> {
    let n = a.len();
    let (on_a, on_b) = (gpu.alloc_from(a, "a"), gpu.alloc_from(b, "b"));
    let c = gpu.alloc::<f32>(n, "c");
    let kernel = VectorAdd { a: on_a.handle(), b: on_b.handle(), c: c.handle(), n: n as u32 };
    gpu.launch_kernel(n.div_ceil(256) as u32, kernel)?;
    gpu.download(&c, n)
}
// ANCHOR_END: sum

// ANCHOR: scaled_sum
/// Returns a x + y for two vectors of one length, at least 1.
pub fn scaled_sum(gpu: &mut Simulator, a: f32, x: &[f32], y: &[f32]) -> Result<Vec<f32>, Fault> {
    let n = x.len();
    let (on_x, on_y) = (gpu.alloc_from(x, "x"), gpu.alloc_from(y, "y"));
    gpu.launch_kernel(n.div_ceil(256) as u32, Saxpy { a, x: on_x.handle(), y: on_y.handle(), n: n as u32 })?;
    gpu.download(&on_y, n)
}
// ANCHOR_END: scaled_sum

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    /// Lengths around a warp and a block.
    const LENGTHS: [usize; 8] = [1, 31, 32, 33, 255, 256, 257, 1000];

    /// Whole numbers: their sums and products are exact.
    fn numbers(n: usize, step: usize) -> Vec<f32> {
        (0..n).map(|i| (i * step % 101) as f32 - 50.0).collect()
    }

    #[test]
    fn sums_are_those_of_plain_rust() {
        for n in LENGTHS {
            let (a, b) = (numbers(n, 7), numbers(n, 13));
            exercise! {
                run: |gpu| sum(gpu, &a, &b),
                expect: a.iter().zip(&b).map(|(a, b)| a + b).collect(),
                schedules: 5,
            }
        }
    }

    #[test]
    fn scaled_sums_are_those_of_plain_rust() {
        for n in LENGTHS {
            let (x, y) = (numbers(n, 7), numbers(n, 13));
            exercise! {
                run: |gpu| scaled_sum(gpu, 3.0, &x, &y),
                expect: x.iter().zip(&y).map(|(x, y)| 3.0 * x + y).collect(),
                schedules: 5,
            }
        }
    }
}
