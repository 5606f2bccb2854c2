//! Asynchronous copies: what they bring, and the faults of early accesses with their lines.
//!
//! A line that a fault must name ends with `// line: ` and a name.

mod common;

use common::job;
use simt_std::pipeline::{commit, memcpy_async, wait_prior};
use simt_std::simulator::{Access, Fault, FaultKind, Grid, Options, Simulator, schedules};
use simt_std::{U32x2, U32x4, global::Global, shared_array, thread};

#[track_caller]
fn line_of(mark: &str) -> u32 {
    let mark = format!("// line: {mark}");
    let lines = (1..).zip(include_str!("pipeline.rs").lines());
    let mut found = lines.filter(|(_, line)| line.ends_with(&mark)).map(|(number, _)| number);
    let line = found.next().unwrap_or_else(|| panic!("no line with {mark}"));
    assert!(found.next().is_none(), "{mark} twice");
    line
}

fn sync() {
    // SAFETY: all threads call it.
    unsafe { thread::sync_threads() };
}

fn outcomes(grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) -> Vec<Result<Vec<u32>, Fault>> {
    let modes = [(false, None), (true, None), (false, Some(0)), (false, Some(1)), (true, Some(2))];
    let options = |(accounting, seed)| Options { accounting, seed, ..Options::default() };
    modes.map(|mode| job(grid, body)(&mut Simulator::new(options(mode)))).into()
}

/// Checks that the line `… access` accesses the target of the copy at the line `… copy` too early.
#[track_caller]
fn assert_early(name: &str, expected: Access, grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) {
    let lines = [line_of(&format!("{name} access")), line_of(&format!("{name} copy"))];
    for outcome in outcomes(grid, body) {
        let fault = outcome.expect_err(name);
        let FaultKind::BeforeWait { access, copy_location, .. } = &fault.kind else { panic!("{fault}") };
        assert_eq!(*access, expected, "{fault}");
        assert_eq!([fault.location.unwrap().line(), copy_location.line()], lines, "{fault}");
        let text = fault.to_string();
        assert!(text.contains("of `x`") && text.contains("wait_prior"), "{text}");
        assert!(text.contains(&format!("pipeline.rs:{}", lines[1])), "{text}");
    }
}

/// Checks that a kernel ends with a fault of this kind at the line `name`, with this text.
#[track_caller]
fn assert_fault(name: &str, text: &str, grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) {
    for outcome in outcomes(grid, body) {
        let fault = outcome.expect_err(name);
        assert_eq!(fault.location.unwrap().line(), line_of(name), "{fault}");
        assert!(fault.to_string().contains(text), "{fault}");
    }
}

#[test]
fn copies_of_4_8_and_16_bytes_arrive() {
    for outcome in outcomes(Grid::linear(1, 4), |data| {
        shared_array!(x: [u32; 16]);
        let t = thread::thread_idx_x();
        (0..4).for_each(|i| data.write(4 * t + i, 10 * t + i));
        match t {
            0 => (0..4).for_each(|i| memcpy_async(x, i, data, i)),
            1 => (2..4usize).for_each(|i| memcpy_async(x.cast::<U32x2>(), i, data.cast(), i)),
            _ => memcpy_async(x.cast::<U32x4>(), t, data.cast(), t),
        }
        commit();
        wait_prior::<0>();
        sync();
        (0..4).for_each(|i| data.write(16 + 4 * t + i, x.read(15 - 4 * t - i)));
    }) {
        let expected = [33, 32, 31, 30, 23, 22, 21, 20, 13, 12, 11, 10, 3, 2, 1, 0];
        assert_eq!(outcome.unwrap()[16..32], expected);
    }
}

#[test]
fn a_wait_leaves_the_last_groups_on_their_way() {
    let kernel = |waits_for_both: bool| {
        move |data: Global<u32>| {
            shared_array!(x: [u32; 64]);
            let t = thread::thread_idx_x();
            memcpy_async(x, t, data, t);
            commit();
            memcpy_async(x, 32 + t, data, 32 + t); // line: groups copy
            commit();
            wait_prior::<1>();
            x.read(t);
            if waits_for_both {
                wait_prior::<0>();
            }
            x.read(32 + t); // line: groups access
        }
    };
    outcomes(Grid::linear(1, 32), kernel(true)).into_iter().for_each(|outcome| drop(outcome.unwrap()));
    assert_early("groups", Access::Read, Grid::linear(1, 32), kernel(false));
    // Empty groups count.
    for outcome in outcomes(Grid::linear(1, 1), |data| {
        shared_array!(x: [u32; 64]);
        memcpy_async(x, 5, data, 0);
        commit();
        commit();
        wait_prior::<1>();
        x.read(5);
    }) {
        outcome.unwrap();
    }
}

#[test]
fn accesses_before_the_wait_are_found() {
    assert_early("no wait", Access::Read, Grid::linear(1, 1), |data| {
        shared_array!(x: [u32; 64]);
        memcpy_async(x, 3, data, 3); // line: no wait copy
        commit();
        x.read(3); // line: no wait access
    });
    // A copy without a group is not waited for.
    assert_early("no group", Access::Read, Grid::linear(1, 1), |data| {
        shared_array!(x: [u32; 64]);
        memcpy_async(x, 3, data, 3); // line: no group copy
        wait_prior::<0>();
        x.read(3); // line: no group access
    });
    // A barrier does not replace the wait, and another thread's wait does not help.
    assert_early("barrier", Access::Read, Grid::linear(1, 64), |data| {
        shared_array!(x: [u32; 64]);
        let t = thread::thread_idx_x();
        if t == 40 {
            memcpy_async(x, t, data, t); // line: barrier copy
            commit();
        }
        sync();
        if t == 0 {
            wait_prior::<0>();
            x.read(40); // line: barrier access
        }
    });
    assert_early("write", Access::Write, Grid::linear(1, 1), |data| {
        shared_array!(x: [u8; 64]);
        memcpy_async(x.cast::<U32x4>(), 1, data.cast(), 1); // line: write copy
        commit();
        x.write(15, 1);
        x.write(31, 1); // line: write access
    });
    assert_early("again", Access::Write, Grid::linear(1, 1), |data| {
        shared_array!(x: [u32; 64]);
        memcpy_async(x, 3, data, 3); // line: again copy
        memcpy_async(x, 3, data, 4); // line: again access
    });
}

/// Checks that there is a race between the lines `… one` and `… other`, or that one of them comes
/// before the wait for the copy at the other.
#[track_caller]
fn assert_race(name: &str, body: impl Fn(Global<u32>) + Copy + 'static) {
    let mut lines = [line_of(&format!("{name} one")), line_of(&format!("{name} other"))];
    lines.sort_unstable();
    for outcome in outcomes(Grid::linear(1, 64), body) {
        let fault = outcome.expect_err(name);
        let (FaultKind::Race { earlier_location, .. } | FaultKind::BeforeWait { copy_location: earlier_location, .. }) =
            &fault.kind
        else {
            panic!("{fault}")
        };
        let mut found = [fault.location.unwrap().line(), earlier_location.line()];
        found.sort_unstable();
        assert_eq!(found, lines, "{fault}");
    }
}

#[test]
fn other_threads_need_a_barrier() {
    let kernel = |barrier: bool| {
        move |data: Global<u32>| {
            shared_array!(x: [u32; 64]);
            let t = thread::thread_idx_x();
            memcpy_async(x, t, data, t); // line: after one
            commit();
            wait_prior::<0>();
            if barrier {
                sync();
            }
            x.read(63 - t); // line: after other
        }
    };
    schedules(50, Options::default(), |gpu| job(Grid::linear(1, 64), kernel(true))(gpu).map(drop)).unwrap();
    assert_race("after", kernel(false));
    // A read of the old content before the copy.
    assert_race("before", |data| {
        shared_array!(x: [u32; 64]);
        let t = thread::thread_idx_x();
        x.write(t, t);
        sync();
        x.read(63 - t); // line: before one
        memcpy_async(x, t, data, t); // line: before other
        commit();
        sync();
        wait_prior::<0>();
    });
}

#[test]
fn the_source_must_not_change_until_the_wait() {
    let kernel = |waits_first: bool| {
        move |data: Global<u32>| {
            shared_array!(x: [u32; 64]);
            let t = thread::thread_idx_x();
            memcpy_async(x, t, data, t); // line: source one
            commit();
            if waits_first {
                wait_prior::<0>();
            }
            sync();
            data.write(63 - t, 1); // line: source other
            wait_prior::<0>();
        }
    };
    outcomes(Grid::linear(1, 64), kernel(true)).into_iter().for_each(|outcome| drop(outcome.unwrap()));
    assert_race("source", kernel(false));
}

#[test]
fn bounds_and_alignment_are_checked_on_both_sides() {
    assert_fault("outside source", "element 64 of `data`", Grid::linear(1, 1), |data| {
        shared_array!(x: [u32; 8]);
        memcpy_async(x, 0, data, 64); // line: outside source
    });
    assert_fault("outside target", "element 8 of `x` (8 elements)", Grid::linear(1, 1), |data| {
        shared_array!(x: [u32; 8]);
        shared_array!(_y: [u32; 8]);
        memcpy_async(x, 8, data, 0); // line: outside target
    });
    assert_fault("aligned source", "element 1 of `data` (64 elements) has address", Grid::linear(1, 1), |data| {
        shared_array!(x: [u32; 8]);
        memcpy_async(x.cast::<U32x4>(), 0, data.skip(1).cast(), 0); // line: aligned source
    });
    assert_fault("aligned target", "element 1 of `x` has address", Grid::linear(1, 1), |data| {
        shared_array!(x: [u32; 8]);
        let moved = simt_std::shared::Shared::<U32x2>::at(x.address() + 4);
        memcpy_async(moved, 0, data.cast(), 0); // line: aligned target
    });
    let mut gpu = Simulator::default();
    let fresh = gpu.alloc::<u32>(4, "fresh").handle();
    let fault = gpu.launch("copies", Grid::linear(1, 1), move || {
        shared_array!(x: [u32; 8]);
        memcpy_async(x, 0, fresh, 2);
    });
    assert!(matches!(fault.unwrap_err().kind, FaultKind::Uninitialised { .. }));
}
