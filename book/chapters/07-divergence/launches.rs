//! Chapter 7: launches of its kernels.

use super::kernels::StepSum;
use simt_std::prelude::*;
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: block_sums
/// Returns the number of blocks of a step. In step 7, a thread adds up to 8 numbers.
pub fn blocks_of_step(step: u32, n: usize) -> usize {
    match step {
        1..=3 => n.div_ceil(256),
        4..=6 => n.div_ceil(512),
        _ => n.div_ceil(8 * 256),
    }
}

/// Returns the sums of the blocks of a step.
pub fn block_sums<const STEP: u32>(gpu: &mut Simulator, numbers: &[u32]) -> Result<Vec<u32>, Fault>
where
    StepSum<STEP>: Kernel,
{
    let blocks = blocks_of_step(STEP, numbers.len());
    let input = gpu.alloc_from(numbers, "numbers");
    let sums = gpu.alloc::<u32>(blocks, "sums");
    let kernel = StepSum::<STEP> { numbers: input.handle(), n: numbers.len() as u32, sums: sums.handle() };
    gpu.launch_kernel(blocks as u32, kernel)?;
    gpu.download(&sums, blocks)
}
// ANCHOR_END: block_sums

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    fn check_step<const STEP: u32>()
    where
        StepSum<STEP>: Kernel,
    {
        for n in [1, 31, 256, 257, 512, 513, 5000] {
            let numbers: Vec<u32> = (1..=n).collect();
            exercise! {
                run: |gpu| block_sums::<STEP>(gpu, &numbers).map(|sums| sums.iter().sum()),
                expect: n * (n + 1) / 2,
                schedules: 5,
            }
        }
    }

    #[test]
    fn every_step_adds_up_all_numbers() {
        check_step::<1>();
        check_step::<2>();
        check_step::<3>();
        check_step::<4>();
        check_step::<5>();
        check_step::<6>();
        check_step::<7>();
    }

    #[test]
    fn sums_of_blocks_are_those_of_plain_rust() {
        let numbers: Vec<u32> = (1..=1000).collect();
        exercise! {
            run: |gpu| block_sums::<2>(gpu, &numbers),
            expect: numbers.chunks(256).map(|part| part.iter().sum()).collect(),
        }
        exercise! {
            run: |gpu| block_sums::<5>(gpu, &numbers),
            expect: numbers.chunks(512).map(|part| part.iter().sum()).collect(),
        }
    }
}
