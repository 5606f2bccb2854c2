//! Chapter 6: launches of its kernels.

use super::kernels::{ProductByTiles, ProductDirect, TILE};
use simt_std::simulator::{Fault, Simulator};

/// Returns the product of two matrices of n × n numbers, directly from global memory.
pub fn product_direct(gpu: &mut Simulator, a: &[f32], b: &[f32], n: u32) -> Result<Vec<f32>, Fault> {
    let side = n.div_ceil(TILE);
    let on_gpu = [gpu.alloc_from(a, "a"), gpu.alloc_from(b, "b")];
    let c = gpu.alloc::<f32>(a.len(), "c");
    let kernel = ProductDirect { a: on_gpu[0].handle(), b: on_gpu[1].handle(), c: c.handle(), n };
    gpu.launch_kernel([side, side], kernel)?;
    gpu.download(&c, a.len())
}

// ANCHOR: product
/// Returns the product of two matrices of n × n numbers, by tiles.
pub fn product(gpu: &mut Simulator, a: &[f32], b: &[f32], n: u32) -> Result<Vec<f32>, Fault> {
    let side = n.div_ceil(TILE);
    let on_gpu = [gpu.alloc_from(a, "a"), gpu.alloc_from(b, "b")];
    let c = gpu.alloc::<f32>(a.len(), "c");
    let kernel = ProductByTiles { a: on_gpu[0].handle(), b: on_gpu[1].handle(), c: c.handle(), n };
    gpu.launch_kernel([side, side], kernel)?;
    gpu.download(&c, a.len())
}
// ANCHOR_END: product

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    /// Makes a matrix of n × n small whole numbers, so that sums are exact.
    fn matrix(n: u32, factor: u32) -> Vec<f32> {
        (0..n * n).map(|i| (i * factor % 11) as f32 - 5.0).collect()
    }

    fn plain(a: &[f32], b: &[f32], n: usize) -> Vec<f32> {
        let element = |row: usize, column: usize| (0..n).map(|k| a[row * n + k] * b[k * n + column]).sum();
        (0..n * n).map(|i| element(i / n, i % n)).collect()
    }

    #[test]
    fn products_are_those_of_plain_rust() {
        for n in [1, 15, 16, 17, 32, 37] {
            let (a, b) = (matrix(n, 3), matrix(n, 7));
            exercise! {
                run: |gpu| product_direct(gpu, &a, &b, n),
                expect: plain(&a, &b, n as usize),
            }
            exercise! {
                run: |gpu| product(gpu, &a, &b, n),
                expect: plain(&a, &b, n as usize),
                schedules: 5,
            }
        }
    }
}
