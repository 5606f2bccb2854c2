//! Chapter 4: the message of its fault, and the costs that it predicts.

use super::faults::SumWithoutBarrier;
use super::launches::block_sums;
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, Meeting, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("04-shared-memory");

#[test]
fn a_missing_barrier_is_a_race() {
    let mut gpu = Simulator::default();
    let numbers = gpu.alloc_from(&[1u32; 256], "numbers");
    let sum = gpu.alloc::<u32>(1, "sum");
    let kernel = SumWithoutBarrier { numbers: numbers.handle(), sum: sum.handle() };
    CHAPTER.fault("race.txt", &gpu.launch_kernel(1, kernel).unwrap_err());
}

#[test]
fn predicted_costs_of_a_block() {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    block_sums(&mut gpu, &Vec::from_iter(1..=256)).unwrap();
    let costs = gpu.costs();
    CHAPTER.counts(
        "counts.md",
        &[
            Count::new("barriers, for 8 warps", 8 * 9, costs.total_of_meetings(Meeting::Barrier).times),
            Count::new("words read from `partial`", 2 * 255 + 1, costs.total_of(Space::Shared, Access::Read).lanes),
            Count::new("words written to `partial`", 256 + 255, costs.total_of(Space::Shared, Access::Write).lanes),
            Count::new("sectors read of `numbers`", 256 * 4 / 32, costs.total_of(Space::Global, Access::Read).sectors),
        ],
    );
}
