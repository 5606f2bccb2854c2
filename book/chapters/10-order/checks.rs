//! Chapter 10: the messages of its faults, and the costs and schedules that it predicts.

use super::faults::{HandOverFlagFirst, LineEndsByNumber};
use super::launches::{ends_of_lines, handed_over};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, Fault, Options, Schedule, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("10-order");

/// Number of seeds of a count.
const SEEDS: u64 = 200;

/// Runs the kernel with the flag before the data.
fn flag_first(gpu: &mut Simulator) -> Result<(), Fault> {
    let tickets = gpu.alloc_from(&[0u32], "tickets");
    let data = gpu.alloc_from(&[0u32], "data");
    let flag = gpu.alloc_from(&[0u32], "flag");
    let received = gpu.alloc::<u32>(1, "received");
    let kernel = HandOverFlagFirst {
        word: 42,
        tickets: tickets.handle(),
        data: data.handle(),
        flag: flag.handle(),
        received: received.handle(),
    };
    gpu.launch_kernel(2, kernel)
}

/// Runs the prefix sums without tickets, with `blocks` blocks.
fn by_number(gpu: &mut Simulator, blocks: u32) -> Result<(), Fault> {
    let n = 128 * blocks;
    let lengths = gpu.alloc_from(&vec![1u32; n as usize], "lengths");
    let ends = gpu.alloc::<u32>(n as usize, "ends");
    let states = gpu.alloc_from(&vec![0u32; blocks as usize], "states");
    let totals = gpu.alloc::<u32>(blocks as usize, "totals");
    let prefixes = gpu.alloc::<u32>(blocks as usize, "prefixes");
    let kernel = LineEndsByNumber {
        lengths: lengths.handle(),
        n,
        ends: ends.handle(),
        states: states.handle(),
        totals: totals.handle(),
        prefixes: prefixes.handle(),
    };
    gpu.launch_kernel(blocks, kernel)
}

/// Returns a simulator that draws the order of all threads and blocks by dice. Its low limit of
/// steps without progress saves time: some hundred threads make progress sooner.
fn dice(seed: u64) -> Simulator {
    let options = Options { seed: Some(seed), schedule: Schedule::Dice, ..Options::default() };
    Simulator::new(Options { spin_limit: 1 << 16, ..options })
}

/// Returns the number of seeds under which a job has a fault with this text.
fn seeds_with(text: &str, job: impl Fn(&mut Simulator) -> Result<(), Fault>) -> u64 {
    let run = |seed| job(&mut dice(seed));
    let is_found = |seed: &u64| match run(*seed) {
        Ok(()) => false,
        Err(fault) => {
            assert!(fault.to_string().contains(text), "{fault}");
            true
        }
    };
    (0..SEEDS).filter(is_found).count() as u64
}

#[test]
fn a_flag_before_the_data_is_a_race() {
    CHAPTER.fault("race.txt", &flag_first(&mut Simulator::default()).unwrap_err());
}

#[test]
fn blocks_without_tickets_wait_for_ever() {
    by_number(&mut Simulator::default(), 9).unwrap();
    let fault = (0..SEEDS).find_map(|seed| by_number(&mut dice(seed), 9).err()).unwrap();
    CHAPTER.fault("deadlock.txt", &fault);
}

#[test]
fn predicted_costs() {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    ends_of_lines(&mut gpu, &[1; 1000]).unwrap();
    let costs = gpu.costs();
    let read = costs.total_of(Space::Global, Access::Read).lanes;
    CHAPTER.counts(
        "counts.md",
        &[
            Count {
                difference: Some(
                    "More words are read, because some blocks look back over more than one tile: the tile before \
                     theirs has no prefix yet. At most 2 · (1 + 2 + … + 7) = 56 words are read of the states, totals \
                     and prefixes, and those of a wait.",
                ),
                ..Count::new("words read, if each block looks back once", 1000 + 2 * 7, read)
            },
            Count::new("words written", 1000 + 7 + 8 + 15, costs.total_of(Space::Global, Access::Write).lanes),
            Count::new("tickets drawn", 8, costs.total_of(Space::Global, Access::Atomic).lanes),
        ],
    );
}

#[test]
fn predicted_schedules() {
    let sample = "The seeds are a sample of all orders, so the measured number is near the prediction. It is the \
                  same in every run, since a seed always gives the same order.";
    let tickets = |gpu: &mut Simulator| ends_of_lines(gpu, &[1; 9 * 128]).map(|_| ());
    let nine = Count {
        difference: Some(sample),
        ..Count::new(
            "deadlocks, 9 blocks by number",
            SEEDS as f64 / 9.0,
            seeds_with("deadlock", |gpu| by_number(gpu, 9)),
        )
    };
    CHAPTER.counts(
        "schedules.md",
        &[
            Count::new("races, flag before the data", SEEDS as f64, seeds_with("race", flag_first)),
            Count::new("races, data before the flag", 0, seeds_with("race", |gpu| handed_over(gpu, 42).map(|_| ()))),
            Count::new("deadlocks, 8 blocks by number", 0, seeds_with("deadlock", |gpu| by_number(gpu, 8))),
            nine,
            Count::new("deadlocks, 9 blocks by ticket", 0, seeds_with("deadlock", tickets)),
        ],
    );
}
