//! Sums of blocks of numbers, on a GPU or on the simulator.

pub mod kernels;

use kernels::{BlockSums, EACH};
use simt_launch::{Device, Module, Result};

/// The kernels for a GPU.
pub const MODULE: Module = simt_launch::module!();

/// Computes the sum of each 256 numbers on a device.
pub fn block_sums(device: &impl Device, numbers: &[f32]) -> Result<Vec<f32>> {
    let stream = device.stream()?;
    let blocks = numbers.len().div_ceil(EACH as usize);
    let input = device.alloc_from(&stream, numbers, "numbers")?;
    let sums = device.alloc::<f32>(blocks, "sums")?;
    let kernel = BlockSums { numbers: device.handle(&input), n: numbers.len() as u32, sums: device.handle(&sums) };
    // SAFETY: the launch is as the kernel requires; the buffers live until `download` has waited.
    unsafe { device.launch(&stream, blocks as u32, kernel)? };
    device.download(&stream, &sums, blocks)
}
