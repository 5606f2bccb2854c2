//! Checks the conditions of an exercise, and each of their messages.

use simt_std::prelude::*;
use simt_std::simulator::exercise::Results;
use simt_std::simulator::{Cost, Exercise, Fault, Grid, Options, Simulator};

/// Writes i + 1 instead of i to elements 5 and 7. Launch: one block; `out` has 32 elements.
#[kernel(threads = 32)]
fn two_wrong(out: Global<u32>) {
    let i = thread::thread_idx_x();
    if i == 5 || i == 7 {
        out.write(i as usize, i + 1);
    } else {
        out.write(i as usize, i);
    }
}

/// Reads a column of a tile: `STRIDE` words from lane to lane. Launch: one block.
#[kernel(threads = 32, instances = [column_32: (32), column_33: (33)])]
fn column<const STRIDE: u32>(out: Global<u32>) {
    shared_array!(tile: [u32; 32 * 33]);
    let i = thread::thread_idx_x();
    tile.write(i * STRIDE, i);
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let word = tile.read(i * STRIDE);
    out.write(i as usize, word);
}

/// Reverses 64 words; the barrier is missing unless `barriers` is 1. Launch: one block.
#[kernel(threads = 64)]
fn reverse(out: Global<u32>, barriers: u32) {
    shared_array!(words: [u32; 64]);
    let i = thread::thread_idx_x();
    words.write(i, i);
    if barriers == 1 {
        // SAFETY: all threads of the block are here.
        unsafe { thread::sync_threads() };
    }
    out.write(i as usize, words.read(63 - i));
}

/// Block b draws a number. Launch: 8 blocks; `next` is 0.
#[kernel(threads = 1)]
fn draw(next: Global<u32>, out: Global<u32>) {
    let number = atomic::fetch_add(next, 0, 1);
    out.write(thread::block_idx_x() as usize, number);
}

/// Adds 1/(b + 1) of each block b in any order. Launch: `sum` is 0.
#[kernel(threads = 1)]
fn harmonic(sum: Global<f32>) {
    atomic::fetch_add(sum, 0, 1.0 / (thread::block_idx_x() + 1) as f32);
}

fn run_two_wrong(gpu: &mut Simulator) -> Result<Vec<u32>, Fault> {
    let out = gpu.alloc::<u32>(32, "out");
    gpu.launch_kernel(1, TwoWrong { out: out.handle() })?;
    gpu.download(&out, 32)
}

fn run_column<const STRIDE: u32>(gpu: &mut Simulator) -> Result<Vec<u32>, Fault>
where
    Column<STRIDE>: Kernel,
{
    let out = gpu.alloc::<u32>(32, "out");
    gpu.launch_kernel(1, Column::<STRIDE> { out: out.handle() })?;
    gpu.download(&out, 32)
}

fn run_reverse(barriers: u32) -> impl Fn(&mut Simulator) -> Result<Vec<u32>, Fault> {
    move |gpu| {
        let out = gpu.alloc::<u32>(64, "out");
        gpu.launch_kernel(1, Reverse { out: out.handle(), barriers })?;
        gpu.download(&out, 64)
    }
}

fn run_draw(gpu: &mut Simulator) -> Result<Vec<u32>, Fault> {
    let next = gpu.alloc_from(&[0u32], "next");
    let out = gpu.alloc::<u32>(8, "out");
    gpu.launch_kernel(8, Draw { next: next.handle(), out: out.handle() })?;
    gpu.download(&out, 8)
}

fn run_harmonic(gpu: &mut Simulator) -> Result<f32, Fault> {
    let sum = gpu.alloc_from(&[0f32], "sum");
    gpu.launch_kernel(1000, Harmonic { sum: sum.handle() })?;
    Ok(gpu.download(&sum, 1)?[0])
}

fn message<R: Results, F: Fn(&mut Simulator) -> Result<R, Fault>>(exercise: Exercise<R, F>) -> String {
    exercise.outcome().expect_err("a condition does not hold").to_string()
}

#[test]
fn a_wrong_result_has_its_element_and_its_writer() {
    let file = file!();
    let exercise = Exercise::new(run_two_wrong).expect((0..32).collect()).hint("look at the branch").schedules(3);
    assert_eq!(
        message(exercise),
        format!(
            "element 5 is 6, and 5 is expected (2 of 32 elements differ)\n  \
             it is written by thread 5 of block 0 of `two_wrong`, at {file}:12\n  \
             hint: look at the branch"
        )
    );
    let shorter = Exercise::new(run_two_wrong).expect(vec![0; 31]);
    assert_eq!(message(shorter), "the number of elements is 32, and 31 is expected");
}

/// The writer is that of the last download's allocation, if the results are that download.
#[test]
fn writers_are_named_only_if_they_are_known() {
    let parts = Exercise::new(|gpu| Ok((1u8, run_two_wrong(gpu)?))).expect((1, (0..32).collect()));
    assert_eq!(message(parts), "element 5 of the second result is 6, and 5 is expected (2 of 32 elements differ)");
    let doubled = Exercise::new(|gpu| Ok(run_two_wrong(gpu)?.iter().flat_map(|&x| [x, x]).collect::<Vec<_>>()));
    let expected = (0..32).flat_map(|x| [x, x]).collect();
    assert_eq!(message(doubled.expect(expected)), "element 10 is 6, and 5 is expected (4 of 64 elements differ)");
    let part = Exercise::new(|gpu| {
        let out = gpu.alloc_from(&[9u32; 8], "out");
        let handle = out.handle();
        gpu.launch("all", Grid::linear(2, 2), move || {
            handle.write(6, atomic::fetch_add(handle, 7, 0) + 1);
        })?;
        gpu.download_from(&out, 7, 1)
    });
    assert_eq!(message(part.schedules(0).expect(vec![1])).lines().count(), 1, "a race is not reported");
}

#[test]
fn a_fault_ends_an_exercise() {
    let exercise = Exercise::new(run_reverse(0)).hint("who has written what you read?").expect(vec![0; 64]);
    let text = message(exercise);
    assert!(text.starts_with("no fault is allowed: kernel reverse, block (0, 0, 0), thread ("), "{text}");
    assert!(text.contains("race in shared memory on element") && text.contains("of `words`"), "{text}");
    assert!(text.ends_with("\n  hint: who has written what you read?"), "{text}");
    Exercise::new(run_reverse(1)).schedules(5).expect((0..64).rev().collect()).check();
}

#[test]
fn an_exercise_that_is_not_begun_gives_no_hint() {
    let exercise = Exercise::new(|gpu| {
        let out = gpu.alloc::<u32>(32, "out");
        gpu.launch("empty", Grid::linear(1, 32), || ())?;
        gpu.download(&out, 32)
    });
    let text = message(exercise.hint("the whole plan").expect(vec![0; 32]).hint("the rest of it"));
    assert!(text.starts_with("the result is not complete: element 0 of `out` (32 elements): neither an"), "{text}");
    assert!(text.contains("`empty`") && !text.contains("hint"), "{text}");
}

#[test]
fn results_that_depend_on_the_order_are_found() {
    // Without a seed, the blocks come in the order of their numbers.
    let exercise = Exercise::new(run_draw).expect((0..8).collect()).schedules(100);
    let text = message(exercise);
    assert!(text.contains(" is expected (") && text.contains(", with seed "), "{text}");
    assert!(
        text.contains(": the result depends on the order of blocks, warps and lanes\n  it is written by"),
        "{text}"
    );
    let text = message(Exercise::new(run_draw).schedules(100).hint("not this one"));
    assert!(text.contains(" is the result without a seed ("), "{text}");
}

#[test]
fn sums_in_any_order_are_compared_within_a_tolerance() {
    let expected: f64 = (1..=1000).map(|i| 1.0 / f64::from(i)).sum();
    Exercise::new(run_harmonic).expect(expected as f32).within(1e-5).schedules(20).check();
    let text = message(Exercise::new(run_harmonic).schedules(20));
    assert!(text.starts_with("the result is 7.48") && text.contains("with seed"), "{text}");
    let text = message(Exercise::new(run_harmonic).expect(7.4).within(0.001));
    assert!(text.starts_with("the result is 7.48") && text.ends_with(", and 7.4 is expected, within 0.001"), "{text}");
}

#[test]
fn an_expected_fault_has_to_come() {
    Exercise::new(run_reverse(0)).fault("race").fault("`words`").fault("exercise.rs:").check();
    let text = message(Exercise::new(run_reverse(1)).schedules(2).fault("race").hint("remove the barrier"));
    assert_eq!(text, "a fault with \"race\" is expected, and there is none in 3 runs\n  hint: remove the barrier");
    let text = message(Exercise::new(run_reverse(0)).fault("race").fault("`out`"));
    let start = "a fault with \"race\" and \"`out`\" is expected, and there is another one: kernel reverse, ";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn a_cost_above_its_limit_has_its_lines() {
    let file = file!();
    let conflicts = |limit| Exercise::new(run_column::<32>).conflicts(limit).hint("33 words a row");
    conflicts(62).check();
    assert_eq!(
        message(conflicts(61)),
        format!(
            "bank conflicts: 62, and at most 61 are allowed. They are from\n  \
             {file}:23: 31   tile.write(i * STRIDE, i);\n  \
             {file}:26: 31   let word = tile.read(i * STRIDE);\n  \
             hint: 33 words a row"
        )
    );
    Exercise::new(run_column::<33>).conflicts(0).check();
}

#[test]
fn each_cost_is_limited_by_its_name() {
    let exercise = || Exercise::new(run_column::<33>);
    // A warp: a write and a read of shared memory, a barrier, and a write of 32 words.
    let costs = [
        (Cost::Conflicts, 0),
        (Cost::Wavefronts, 2),
        (Cost::Sectors, 4),
        (Cost::Turns, 0),
        (Cost::GlobalAccesses, 1),
        (Cost::SharedAccesses, 2),
        (Cost::Barriers, 1),
        (Cost::Collectives, 0),
        (Cost::Steps, 4),
    ];
    for (cost, count) in costs {
        exercise().at_most(cost, count).check();
        if count > 0 {
            let text = message(exercise().at_most(cost, count - 1));
            assert!(text.contains(&format!(": {count}, and at most {} are allowed", count - 1)), "{cost:?}: {text}");
        }
    }
    let all = exercise().wavefronts(1).sectors(3).hint("of sectors").barriers(0).steps(3).hint("of steps");
    let text = message(all);
    for part in [
        "wavefronts of shared memory: 2, and at most 1 are allowed",
        "sectors of global memory: 4, and at most 3 are allowed",
        "barriers: 1, and at most 0 are allowed",
        "steps: 4, and at most 3 are allowed",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("\n  hint: of sectors\nbarriers") && text.ends_with("\n  hint: of steps"), "{text}");
    assert!(text.contains("\n  and 1 more\n"), "four lines make the steps: {text}");
}

#[test]
fn the_macro_is_a_list_of_the_methods() {
    simt_std::exercise! {
        run: run_column::<33> => "run it",
        expect: (0..32).collect(),
        schedules: 2,
        conflicts: 0 => "33 words a row",
        options: Options { resident_blocks: 1, ..Options::default() },
    }
    let panic = std::panic::catch_unwind(|| {
        simt_std::exercise!(run: run_two_wrong, expect: (0..32).collect() => "the branch");
    });
    let text = *panic.unwrap_err().downcast::<String>().unwrap();
    assert!(text.starts_with("element 5 is 6") && text.ends_with("hint: the branch"), "{text}");
}
