//! Chapter 9: the messages of its faults, and the costs that it predicts.

use super::faults::{CountUnderLock, LettersWithoutTags};
use super::launches::{lanes_at_words, random_text, symbol_counts};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, Costs, Fault, Options, ScheduleError, Simulator, Space, schedules};

const CHAPTER: Chapter = Chapter::new("09-atomics");

#[test]
fn a_stack_without_tags_gives_a_buffer_to_two_blocks() {
    let text = random_text(64 * 9, b"thequickbrownfox");
    let outcome = schedules(1000, Options::default(), |gpu| {
        let on_gpu = gpu.alloc_from(&text, "text");
        let frequent = gpu.alloc::<u8>(9, "frequent");
        let top = gpu.alloc_from(&[3u32], "top");
        let below = gpu.alloc_from(&[0u32, 0, 1, 2], "below");
        let buffers = gpu.alloc::<u32>(3 * 32, "buffers");
        let kernel = LettersWithoutTags {
            text: on_gpu.handle(),
            frequent: frequent.handle(),
            top: top.handle(),
            below: below.handle(),
            buffers: buffers.handle(),
        };
        gpu.launch_kernel(9, kernel)?;
        gpu.download(&frequent, 9)
    });
    let Err(ScheduleError::Fault(fault)) = outcome else { panic!("no fault: {outcome:?}") };
    CHAPTER.fault("aba.txt", &fault);
}

#[test]
fn a_lock_whose_holder_waits_is_a_deadlock() {
    let mut gpu = Simulator::default();
    let lock = gpu.alloc_from(&[0u32], "lock");
    let count = gpu.alloc_from(&[0u32], "count");
    let kernel = CountUnderLock { lock: lock.handle(), count: count.handle() };
    CHAPTER.fault("lock.txt", &gpu.launch_kernel(1, kernel).unwrap_err());
}

/// Returns the costs of a job.
fn costs<R>(job: impl Fn(&mut Simulator) -> Result<R, Fault>) -> Costs {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    job(&mut gpu).unwrap();
    gpu.costs().clone()
}

/// Returns the turns of a count of symbols with bins in global memory.
fn turns_of(text: &[u8]) -> u64 {
    costs(|gpu| symbol_counts(gpu, text, false)).total(Space::Global).turns
}

#[test]
fn predicted_turns() {
    let turns = |words| costs(|gpu| lanes_at_words(gpu, words)).total(Space::Global).turns;
    let letters = random_text(4096, b"ACGT");
    let in_blocks = costs(|gpu| symbol_counts(gpu, &letters, true));
    CHAPTER.counts(
        "counts.md",
        &[
            Count::new("turns of 32 lanes at one word", 32, turns(1)),
            Count::new("turns of 32 lanes at 4 words", 32 / 4, turns(4)),
            Count::new("turns of 32 lanes at 32 words", 1, turns(32)),
            Count::new("turns for `AAAA…`", 4096, turns_of(&[b'A'; 4096])),
            Count::new("turns for `ACGTACGT…`", 4096 / 4, turns_of(&b"ACGT".repeat(1024))),
            Count {
                what: "turns for random letters A, C, G, T",
                predicted: f64::from(4096 / 4),
                measured: turns_of(&letters) as f64,
                difference: Some(
                    "Random letters do not share the lanes evenly. A warp takes as many turns as its most frequent \
                     letter has lanes: at least 8, and here 11.4 on average.",
                ),
            },
            Count::new(
                "additions to global memory with shared bins",
                2 * 4,
                in_blocks.total_of(Space::Global, Access::Atomic).lanes,
            ),
        ],
    );
}
