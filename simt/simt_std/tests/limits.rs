//! Kernels that would end the process or never finish: stacks that overflow, and threads that spin.

mod common;

use simt_std::simulator::{Fault, FaultKind, Grid, Options, Simulator};
use simt_std::{atomic, global::Global, printf, shared_array, thread, warp};
use std::hint::black_box;

fn run(grid: Grid, options: Options, body: impl Fn(Global<u32>) + 'static) -> Result<(), Fault> {
    common::run(&mut Simulator::new(options), grid, body).map(drop)
}

fn in_both_modes(grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) -> [Result<(), Fault>; 4] {
    [(false, None), (true, None), (false, Some(0)), (false, Some(1))].map(|(accounting, seed)| {
        run(grid, Options { accounting, seed, spin_limit: 20_000, ..Options::default() }, body)
    })
}

/// Checks that a fault has this line of this file.
#[track_caller]
fn assert_line(fault: &Fault, line: u32) {
    let at = fault.location.expect("a source line");
    assert!(at.file().ends_with("limits.rs") && at.line() == line, "{line}: {fault}");
}

/// Calls itself `depth` times, with 256 bytes of local variables per call.
#[inline(never)]
fn recurse(depth: u32, visit: &dyn Fn(u32)) -> u32 {
    let frame = black_box([depth; 64]);
    visit(depth);
    if depth == 0 { 0 } else { recurse(depth - 1, visit) + black_box(frame[3]) % 2 }
}

#[test]
fn a_large_local_array_is_a_fault_with_a_line() {
    let launch = line!() + 4;
    let large = |gpu: &mut Simulator, body: fn(Global<u32>)| {
        let data = gpu.alloc_from(&[0u32; 64], "data");
        let handle = data.handle();
        gpu.launch("planted", Grid::linear(1, 32), move || body(handle))
    };
    let mut gpu = Simulator::default();
    // At the start of the thread: the line of the launch.
    let at_start = large(&mut gpu, |_| {
        black_box(black_box([1u8; 200 << 10])[5]);
    });
    let fault = at_start.unwrap_err();
    assert!(matches!(fault.kind, FaultKind::StackOverflow { .. }), "{fault}");
    assert!(fault.to_string().contains("stack overflow") && fault.to_string().contains("kernel planted"), "{fault}");
    assert_line(&fault, launch);
    assert_eq!(fault.thread.unwrap().thread, [0, 0, 0]);

    // Later: the line of the last access.
    #[inline(never)]
    fn array(i: usize) -> u8 {
        black_box([1u8; 200 << 10])[black_box(i)]
    }
    let later = large(&mut gpu, |data| {
        if thread::thread_idx_x() == 7 {
            data.read(3);
            array(5);
        }
    });
    let fault = later.unwrap_err();
    assert!(matches!(fault.kind, FaultKind::StackOverflow { .. }), "{fault}");
    assert_line(&fault, line!() - 6);
    assert_eq!(fault.thread.unwrap().thread, [7, 0, 0]);

    // A stack of 160 KB, with the access that uses the array.
    let used = large(&mut gpu, |data| {
        let mut local = [0u8; 160 << 10];
        for i in 0..160 {
            local[i << 10] = data.read(i % 64) as u8;
        }
        black_box(&local);
    });
    assert!(matches!(used.unwrap_err().kind, FaultKind::StackOverflow { .. }));
    // The simulator continues, and so does the process.
    large(&mut gpu, |data| data.write(thread::thread_idx_x() as usize, 1)).unwrap();
}

#[test]
fn a_deep_recursion_is_a_fault_with_a_line() {
    for outcome in in_both_modes(Grid::linear(2, 64), |data| {
        if thread::index_1d() == 70 {
            recurse(1_000_000, &|depth| _ = data.read(depth as usize % 64));
        }
    }) {
        let fault = outcome.unwrap_err();
        assert!(matches!(fault.kind, FaultKind::StackOverflow { .. }), "{fault}");
        assert_line(&fault, line!() - 5);
        assert_eq!((fault.thread.unwrap().block[0], fault.thread.unwrap().thread[0]), (1, 6));
    }
    // Without an access, and with each call of the simulator.
    let visits: [fn(u32); 5] = [
        |_| (),
        |_| thread::device_fence(),
        |_| {
            black_box(thread::clock64());
        },
        |depth| printf!("%u ", depth),
        |_| {
            // SAFETY: a mask of this lane alone.
            unsafe { warp::sync_warp(1) };
        },
    ];
    for visit in visits {
        let options = Options { echo: false, ..Options::default() };
        let fault = run(Grid::linear(1, 1), options, move |_| _ = recurse(1_000_000, &visit)).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::StackOverflow { .. }), "{fault}");
        assert!(fault.location.is_some_and(|at| at.file().ends_with(".rs")), "{fault}");
    }
    // A recursion that fits is not a fault.
    run(Grid::linear(1, 32), Options::default(), |_| _ = recurse(100, &|_| ())).unwrap();
}

/// Threads that wait deep in their stacks are unwound when another one ends the launch; a panic
/// there remains a panic.
#[test]
fn threads_deep_in_their_stacks_are_unwound() {
    let ends = |depth: u32, end: fn(u32)| {
        let options = Options { spin_limit: 10_000, ..Options::default() };
        let fault = run(Grid::linear(1, 2), options, move |data| {
            recurse(depth, &|left| {
                if left == 0 && thread::thread_idx_x() == 1 {
                    atomic::load(data, 0);
                    end(depth);
                }
                // SAFETY: planted: the others never come.
                unsafe { warp::sync_warp(if left == 0 { !0 >> 30 } else { warp::lanemask_eq() }) };
            });
        });
        fault.unwrap_err().kind
    };
    let (mut panics, mut overflows) = (0, 0);
    // The size of a call's frame depends on the compiler.
    for depth in (100..1000).step_by(5) {
        match ends(depth, |_| panic!("deep")) {
            FaultKind::Panic { .. } => panics += 1,
            FaultKind::StackOverflow { .. } => overflows += 1,
            other => panic!("{depth} {other:?}"),
        }
    }
    assert!(panics > 10 && overflows > 10, "{panics} {overflows}");
}

#[test]
fn stacks_overflow_on_many_host_threads_at_once() {
    let threads = (0..8).map(|_| {
        std::thread::spawn(|| {
            for _ in 0..20 {
                let fault = run(Grid::linear(1, 2), Options::default(), |_| _ = recurse(1_000_000, &|_| ()));
                assert!(matches!(fault.unwrap_err().kind, FaultKind::StackOverflow { .. }));
            }
        })
    });
    threads.collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
}

/// A real overflow of a host thread still ends the process with Rust's own message.
#[test]
#[cfg(unix)]
fn other_stack_overflows_end_the_process_as_before() {
    const CHILD: &str = "OVERFLOW_OF_A_HOST_THREAD";
    if std::env::var_os(CHILD).is_some() {
        run(Grid::linear(1, 1), Options::default(), |_| _ = recurse(1_000_000, &|_| ())).unwrap_err();
        recurse(1_000_000_000, &|_| ());
        return;
    }
    let test = "other_stack_overflows_end_the_process_as_before";
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    assert!(!child.status.success());
    let text = String::from_utf8_lossy(&child.stderr);
    assert!(text.contains("has overflowed its stack"), "{text}");
}

/// Checks that a kernel spins at the line of this file that ends with this mark, in all modes.
#[track_caller]
fn assert_spins(mark: &str, grid: Grid, variable: &str, body: impl Fn(Global<u32>) + Copy + 'static) {
    let mark = format!("// spin: {mark}");
    let line = include_str!("limits.rs").lines().position(|line| line.ends_with(&mark)).expect("a line") as u32 + 1;
    for outcome in in_both_modes(grid, body) {
        let fault = outcome.unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Deadlock { .. }), "{fault}");
        assert_line(&fault, line);
        let text = fault.to_string();
        assert!(text.contains("spinning on") && text.contains(variable), "{text}");
        assert!(text.contains(&format!("limits.rs:{line}")), "{text}");
    }
}

#[test]
fn a_spin_ends_and_names_its_line_and_variable() {
    assert_spins("alone", Grid::linear(1, 1), "element 5 of `data`", |flag| {
        while flag.read(5) == 0 {} // spin: alone
    });
    assert_spins("all", Grid::linear(2, 64), "element 0 of `data`", |flag| {
        while flag.read(0) == 0 {} // spin: all
    });
    assert_spins("atomic", Grid::linear(1, 32), "element 9 of `data`", |flag| {
        while atomic::load(flag, 9) == 0 {} // spin: atomic
    });
    assert_spins("acquire", Grid::linear(3, 64), "element 9 of `data`", |flag| {
        while atomic::load_acquire(flag, 9) == 0 {} // spin: acquire
    });
    assert_spins("exchange", Grid::linear(1, 32), "element 1 of `data`", |flag| {
        while atomic::compare_exchange(flag, 1, 1, 2) == 0 {} // spin: exchange
    });
    assert_spins("shared", Grid::linear(1, 64), "element 2 of `ready`", |_| {
        shared_array!(ready: [u32; 4]);
        if thread::thread_idx_x() == 0 {
            ready.write(2, 0);
        }
        // SAFETY: all threads are here.
        unsafe { thread::sync_threads() };
        while ready.read(2) == 0 {} // spin: shared
    });
    assert_spins("pauses", Grid::linear(1, 2), "`data`", |flag| {
        loop {
            let value = flag.read(thread::thread_idx_x() as usize); // spin: pauses
            if value != 0 {
                break;
            }
            thread::nanosleep(10);
        }
    });
    // The other threads wait at a barrier, or in a collective.
    assert_spins("barrier", Grid::linear(1, 64), "element 0 of `data`", |flag| {
        if thread::thread_idx_x() == 40 {
            while atomic::load(flag, 0) == 0 {} // spin: barrier
        }
        // SAFETY: planted: a thread does not come.
        unsafe { thread::sync_threads() };
    });
}

#[test]
fn a_spin_through_barriers_or_collectives_ends() {
    let line = line!() + 4;
    for outcome in in_both_modes(Grid::linear(2, 64), |flag| {
        while flag.read(0) == 0 {
            // SAFETY: all threads are here.
            unsafe { thread::sync_threads() };
        }
    })
    .into_iter()
    .chain(in_both_modes(Grid::linear(2, 64), |_| {
        // SAFETY: all lanes are here.
        while !unsafe { warp::warp_vote_any(!0, false) } {}
    })) {
        let fault = outcome.unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Deadlock { .. }), "{fault}");
        assert!(fault.location.is_some_and(|at| (line - 4..line + 8).contains(&at.line())), "{fault}");
        assert!(fault.to_string().contains("limits.rs:"), "{fault}");
    }
}

/// The writer arrives after the reader has spun for long: the race is found.
#[test]
fn a_spin_on_a_plain_read_that_another_thread_writes_is_a_race() {
    for outcome in in_both_modes(Grid::linear(2, 64), |flag| {
        if thread::index_1d() == 100 {
            flag.write(0, 1);
        } else {
            while flag.read(0) == 0 {}
        }
    }) {
        let fault = outcome.unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    }
}

#[test]
fn long_loops_that_get_somewhere_do_not_end() {
    let limit = |spin_limit| Options { spin_limit, ..Options::default() };
    // Reads of new elements.
    let mut gpu = Simulator::new(limit(10_000));
    let data = gpu.alloc_from(&[1u32; 200_000], "data");
    let sum = gpu.alloc_from(&[0u32; 1], "sum");
    let (from, to): (Global<u32>, Global<u32>) = (data.handle(), sum.handle());
    gpu.launch("sum", Grid::linear(1, 1), move || to.write(0, (0..200_000).map(|i| from.read(i)).sum())).unwrap();
    assert_eq!(gpu.download(&sum, 1).unwrap(), [200_000]);
    // Few elements, but within the limit; and changes of memory.
    run(Grid::linear(1, 1), limit(200_000), |data| (0..150_000).for_each(|i| _ = data.read(i % 3))).unwrap();
    run(Grid::linear(1, 1), limit(10_000), |data| (0..100_000).for_each(|i| data.write(0, i))).unwrap();
    run(Grid::linear(1, 32), limit(u64::MAX), |data| (0..2_000).for_each(|_| _ = atomic::load(data, 0))).unwrap();
    run(Grid::linear(1, 1), Options::default(), |data| (0..20_000).for_each(|_| _ = atomic::load(data, 0))).unwrap();
}
