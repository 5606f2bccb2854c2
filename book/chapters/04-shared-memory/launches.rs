//! Chapter 4: launches of its kernels.

use super::kernels::BlockSum;
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: block_sums
/// Returns the sums of each 256 numbers.
pub fn block_sums(gpu: &mut Simulator, numbers: &[u32]) -> Result<Vec<u32>, Fault> {
    let blocks = numbers.len().div_ceil(256);
    let input = gpu.alloc_from(numbers, "numbers");
    let sums = gpu.alloc::<u32>(blocks, "sums");
    let kernel = BlockSum { numbers: input.handle(), n: numbers.len() as u32, sums: sums.handle() };
    gpu.launch_kernel(blocks as u32, kernel)?;
    gpu.download(&sums, blocks)
}
// ANCHOR_END: block_sums

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    #[test]
    fn sums_are_those_of_plain_rust() {
        for n in [1, 255, 256, 257, 1000] {
            let numbers: Vec<u32> = (1..=n).collect();
            exercise! {
                run: |gpu| block_sums(gpu, &numbers),
                expect: numbers.chunks(256).map(|part| part.iter().sum()).collect(),
                schedules: 10,
            }
        }
    }
}
