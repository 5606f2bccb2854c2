//! Chapter 5: launches of its kernels.

use super::kernels::{TransposeByTile, TransposeDirectly};
use simt_std::simulator::{Fault, Simulator};

/// Returns the transposed matrix, written column by column. The matrix has at least one row, and
/// `width` divides its number of elements.
pub fn transposed_directly(gpu: &mut Simulator, matrix: &[u32], width: usize) -> Result<Vec<u32>, Fault> {
    let height = matrix.len() / width;
    let input = gpu.alloc_from(matrix, "matrix");
    let result = gpu.alloc::<u32>(matrix.len(), "result");
    let blocks = [width.div_ceil(32) as u32, height.div_ceil(32) as u32];
    let kernel = TransposeDirectly {
        matrix: input.handle(),
        width: width as u32,
        height: height as u32,
        result: result.handle(),
    };
    gpu.launch_kernel(blocks, kernel)?;
    gpu.download(&result, matrix.len())
}

// ANCHOR: transposed
/// Returns the transposed matrix, through tiles with this pitch. The matrix has at least one row,
/// and `width` divides its number of elements; `pitch` is 32 to 36.
pub fn transposed(gpu: &mut Simulator, matrix: &[u32], width: usize, pitch: u32) -> Result<Vec<u32>, Fault> {
    let height = matrix.len() / width;
    let input = gpu.alloc_from(matrix, "matrix");
    let result = gpu.alloc::<u32>(matrix.len(), "result");
    let blocks = [width.div_ceil(32) as u32, height.div_ceil(32) as u32];
    let kernel = TransposeByTile {
        matrix: input.handle(),
        width: width as u32,
        height: height as u32,
        pitch,
        result: result.handle(),
    };
    gpu.launch_kernel(blocks, kernel)?;
    gpu.download(&result, matrix.len())
}
// ANCHOR_END: transposed

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    /// Widths and heights around the border of a tile.
    const SIZES: [[usize; 2]; 8] = [[1, 1], [1, 70], [31, 2], [32, 32], [33, 31], [40, 40], [64, 33], [65, 96]];

    /// Returns a matrix of different words.
    fn matrix(len: usize) -> Vec<u32> {
        (0..len as u32).map(|i| i * 3 + 1).collect()
    }

    /// Returns the transposed matrix, by plain Rust.
    fn columns(matrix: &[u32], width: usize) -> Vec<u32> {
        (0..width).flat_map(|x| matrix[x..].iter().copied().step_by(width)).collect()
    }

    #[test]
    fn the_direct_version_transposes() {
        for [width, height] in SIZES {
            let matrix = matrix(width * height);
            exercise! {
                run: |gpu| transposed_directly(gpu, &matrix, width),
                expect: columns(&matrix, width),
                schedules: 3,
            }
        }
    }

    #[test]
    fn tiles_transpose() {
        for ([width, height], pitch) in SIZES.into_iter().zip([32, 33, 34, 35, 36, 33, 32, 33]) {
            let matrix = matrix(width * height);
            exercise! {
                run: |gpu| transposed(gpu, &matrix, width, pitch),
                expect: columns(&matrix, width),
                schedules: 3,
            }
        }
    }
}
