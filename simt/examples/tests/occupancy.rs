//! The occupancy that the simulator's function computes, against the driver's, if there is a GPU.

use simt_examples::{MODULE, blelloch, histogram, matmul, reduction, stencil, transpose, vector_add};
use simt_launch::{Device, Gpu};
use simt_std::simulator::{Multiprocessor, occupancy};
use simt_std::{Kernel, global::Global};

fn check<K: Kernel>(gpu: &Gpu, kernel: K) {
    let (major, minor) = gpu.describe().unwrap().compute_capability;
    let Some(multiprocessor) = Multiprocessor::of(major as u32, minor as u32) else { return };
    let block = gpu.block_resources(&kernel).unwrap();
    assert!(block.registers > 0 && block.threads > 0, "{}: {block:?}", K::NAME);
    let occupied = occupancy(&multiprocessor, block);
    let driver = gpu.resident_blocks(&kernel).unwrap();
    assert_eq!(occupied.blocks, driver, "{} with {block:?}: {occupied}", K::NAME);
}

#[test]
fn occupancy_is_that_of_the_driver() {
    if simt_launch::gpu::count().is_err() {
        return;
    }
    let gpu = Gpu::with_module(0, MODULE).unwrap();
    let (words, floats, bytes) = (Global::<u32>::at(0), Global::<f32>::at(0), Global::<u8>::at(0));
    let (input, output, n) = (words, words, 1);
    check(&gpu, vector_add::VectorAdd { a: floats, b: floats, c: floats, n });
    check(&gpu, stencil::LaplaceTiled { input: floats, output: floats, width: 1, height: 1 });
    check(&gpu, transpose::TransposePadded { input: floats, output: floats, width: 1, height: 1 });
    check(&gpu, matmul::MatmulTiled { a: floats, b: floats, c: floats, m: 1, k: 1, n });
    check(&gpu, reduction::Reduce2 { input, output, n });
    check(&gpu, reduction::Reduce7 { input, output, n });
    check(&gpu, histogram::HistogramShared { values: bytes, n, counts: words, bins: 1 });
    check(&gpu, blelloch::BlellochPadded { input, output, totals: words, n });
}
