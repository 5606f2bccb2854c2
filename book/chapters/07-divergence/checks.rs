//! Chapter 7: the messages of its faults, and the costs that it predicts.

use super::faults::{SumHalfSynced, SumInLockstep};
use super::kernels::StepSum;
use super::launches::{block_sums, blocks_of_step};
use crate::report::{Chapter, Count};
use simt_std::prelude::*;
use simt_std::simulator::{Costs, Fault, LineCost, Meeting, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("07-divergence");

#[test]
fn a_warp_without_barriers_has_a_race() {
    let mut gpu = Simulator::default();
    let numbers = gpu.alloc_from(&[1u32; 64], "numbers");
    let sum = gpu.alloc::<u32>(1, "sum");
    let kernel = SumInLockstep { numbers: numbers.handle(), sum: sum.handle() };
    CHAPTER.fault("lockstep.txt", &gpu.launch_kernel(1, kernel).unwrap_err());
}

#[test]
fn one_barrier_in_a_level_is_not_enough() {
    let mut gpu = Simulator::default();
    let numbers = gpu.alloc_from(&[1u32; 64], "numbers");
    let sum = gpu.alloc::<u32>(1, "sum");
    let kernel = SumHalfSynced { numbers: numbers.handle(), sum: sum.handle() };
    let fault: Fault = gpu.launch_kernel(1, kernel).unwrap_err();
    CHAPTER.fault("half_synced.txt", &fault);
}

fn costs<const STEP: u32>(n: u32) -> Costs
where
    StepSum<STEP>: Kernel,
{
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    block_sums::<STEP>(&mut gpu, &Vec::from_iter(1..=n)).unwrap();
    gpu.costs().clone()
}

fn lanes_an_access(cost: LineCost) -> f64 {
    cost.lanes as f64 / cost.accesses as f64
}

#[test]
fn predicted_costs_of_a_block() {
    let shared = [costs::<1>(256), costs::<2>(256), costs::<3>(256), costs::<5>(512)].map(|c| c.total(Space::Shared));
    let [first, second, third, fifth] = shared;
    let (first_accesses, third_accesses) = (8.0 + 3.0 * (5.0 * 8.0 + 4.0 + 2.0 + 1.0) + 1.0, 8.0 + 3.0 * 12.0 + 1.0);
    let lanes = 256.0 + 3.0 * 255.0 + 1.0;
    let barriers = |costs: Costs| costs.total_of_meetings(Meeting::Barrier).times;
    CHAPTER.counts(
        "counts.md",
        &[
            Count::new("warp accesses, step 1", first_accesses, first.accesses),
            Count {
                measured: lanes_an_access(first),
                ..Count::new("lanes an access, step 1", lanes / first_accesses, 0)
            },
            Count::new("warp accesses, steps 2 and 3", third_accesses, third.accesses),
            Count {
                measured: lanes_an_access(third),
                ..Count::new("lanes an access, steps 2 and 3", lanes / third_accesses, 0)
            },
            Count::new("bank conflicts, step 2", 3 * (4 + 2 * 3 + 7 + 7 + 7 + 3 + 1), second.conflicts),
            Count::new("barriers, steps 1 to 4, for 8 warps", 8 * 9, barriers(costs::<4>(512))),
            Count::new("barriers, steps 5 to 7, for 8 warps", 8 * 3, barriers(costs::<5>(512))),
            Count {
                measured: lanes_an_access(fifth),
                difference: Some("Step 5: one access has one lane, when thread 0 reads the result."),
                ..Count::new("lanes an access, step 5", 32, 0)
            },
        ],
    );
    assert_eq!((second.accesses, second.lanes, third.conflicts), (third.accesses, third.lanes, 0));
}

#[test]
fn costs_of_the_seven_steps() {
    let n = 16_384;
    let grouped =
        |count: u64| if count < 1000 { count.to_string() } else { format!("{},{:03}", count / 1000, count % 1000) };
    let costs =
        [costs::<1>(n), costs::<2>(n), costs::<3>(n), costs::<4>(n), costs::<5>(n), costs::<6>(n), costs::<7>(n)];
    let mut table =
        "| step | blocks | warp accesses | lanes an access | conflicts | wavefronts | barriers |\n".to_owned();
    table += "|--:|--:|--:|--:|--:|--:|--:|\n";
    for (step, costs) in (1..).zip(&costs) {
        let shared = costs.total(Space::Shared);
        table += &format!(
            "| {step} | {} | {} | {:.1} | {} | {} | {} |\n",
            blocks_of_step(step, n as usize),
            grouped(shared.accesses),
            lanes_an_access(shared),
            grouped(shared.conflicts),
            grouped(shared.wavefronts),
            grouped(costs.total_of_meetings(Meeting::Barrier).times),
        );
    }
    CHAPTER.quote("steps.md", &table);
}
