//! Chapter 8: the messages of its faults, and the costs that it predicts.

use super::faults::{BallotAsBarrier, BallotInBranch};
use super::launches::{depths, depths_through_shared, positions};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, Costs, Fault, Meeting, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("08-warps");

#[test]
fn a_ballot_in_a_branch_is_a_deadlock() {
    let mut gpu = Simulator::default();
    let text = gpu.alloc_from(b"GATTACAGATTACAGA", "text");
    let hits = gpu.alloc::<u32>(1, "hits");
    let kernel = BallotInBranch { text: text.handle(), n: 16, hits: hits.handle() };
    CHAPTER.fault("mask.txt", &gpu.launch_kernel(1, kernel).unwrap_err());
}

#[test]
fn a_ballot_in_place_of_a_barrier_is_a_race() {
    let mut gpu = Simulator::default();
    let text = gpu.alloc_from(b"GATTACAGATTACAGATTACAGATTACAGATT", "text");
    let reversed = gpu.alloc::<u8>(32, "reversed");
    let kernel = BallotAsBarrier { text: text.handle(), reversed: reversed.handle() };
    CHAPTER.fault("race.txt", &gpu.launch_kernel(1, kernel).unwrap_err());
}

/// Returns the costs of a job.
fn costs<R>(job: impl Fn(&mut Simulator) -> Result<R, Fault>) -> Costs {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    job(&mut gpu).unwrap();
    gpu.costs().clone()
}

#[test]
fn predicted_costs() {
    let text = Vec::from_iter(b"GATC".iter().copied().cycle().take(1024));
    let search = costs(|gpu| positions(gpu, &text, b'A'));
    let brackets = b"((()())(()))((()())(()))(()(())x";
    let shuffles = costs(|gpu| depths(gpu, brackets));
    let shared = costs(|gpu| depths_through_shared(gpu, brackets));
    let collectives = |costs: &Costs| costs.total_of_meetings(Meeting::Warp).times;
    CHAPTER.counts(
        "counts.md",
        &[
            Count::new("search: ballots", 1024 / 32, collectives(&search)),
            Count::new("search: sectors read", 1024 / 32, search.total_of(Space::Global, Access::Read).sectors),
            Count::new("search: words written", 1024 / 4 + 1, search.total_of(Space::Global, Access::Write).lanes),
            Count::new("by shuffles: collectives", 5 + 1, collectives(&shuffles)),
            Count::new("by shuffles: accesses of shared memory", 0, shuffles.total(Space::Shared).accesses),
            Count::new("through shared memory: collectives", 2 * (5 + 1), collectives(&shared)),
            Count::new("through shared memory: accesses", 2 * (5 + 1), shared.total(Space::Shared).accesses),
            Count::new("through shared memory: wavefronts", 2 * (5 + 1), shared.total(Space::Shared).wavefronts),
        ],
    );
}
