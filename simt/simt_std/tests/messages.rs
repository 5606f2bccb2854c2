//! Checks the texts of faults: source line, variable, and the other thread's access.
//!
//! A line that a fault must name ends with `// line: ` and a name.

mod common;

use common::job;
use simt_std::atomic::{self, Order};
use simt_std::simulator::{Access, Buffer, Fault, FaultKind, Grid, Options, Simulator};
use simt_std::{U32x4, global::Global, shared_array, thread, warp};
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns the number of the line of this file that ends with this mark.
#[track_caller]
fn line_of(mark: &str) -> u32 {
    let mark = format!("// line: {mark}");
    let lines = (1..).zip(include_str!("messages.rs").lines());
    let mut found = lines.filter(|(_, line)| line.ends_with(&mark)).map(|(number, _)| number);
    let line = found.next().unwrap_or_else(|| panic!("no line with {mark}"));
    assert!(found.next().is_none(), "{mark} twice");
    line
}

/// Runs a kernel on 64 zeros without a seed, with accounting, and under several seeds.
fn in_all_modes(grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) -> Vec<Result<(), Fault>> {
    let modes = [(false, None), (true, None), (false, Some(0)), (false, Some(1)), (false, Some(2)), (false, Some(3))];
    let options = |(accounting, seed)| Options { accounting, seed, spin_limit: 20_000, ..Options::default() };
    modes.map(|mode| job(grid, body)(&mut Simulator::new(options(mode))).map(drop)).into()
}

#[track_caller]
fn assert_silent(grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) {
    in_all_modes(grid, body).into_iter().for_each(|outcome| outcome.unwrap_or_else(|fault| panic!("{fault}")));
}

/// Returns the lines of both accesses of a race, or of a fault of a read-only access.
fn both_lines(fault: &Fault) -> [u32; 2] {
    let (FaultKind::Race { earlier_location, .. } | FaultKind::ReadOnly { earlier_location, .. }) = &fault.kind else {
        panic!("{fault}")
    };
    let location = fault.location.expect("a line");
    assert!([location, earlier_location].iter().all(|place| place.file().ends_with("messages.rs")), "{fault}");
    [location.line(), earlier_location.line()]
}

fn sync() {
    // SAFETY: all threads call it.
    unsafe { thread::sync_threads() };
}

/// Checks a kernel that reads an element by `read_only` at the line marked `… reads` and writes it
/// at `… writes`.
#[track_caller]
fn assert_read_only(name: &str, grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) {
    let lines = [line_of(&format!("{name} reads")), line_of(&format!("{name} writes"))];
    for outcome in in_all_modes(grid, body) {
        let fault = outcome.expect_err(name);
        assert!(matches!(fault.kind, FaultKind::ReadOnly { .. }), "{fault}");
        let found = both_lines(&fault);
        assert!(found == lines || found == [lines[1], lines[0]], "{fault} {lines:?}");
        let text = fault.to_string();
        assert!(text.contains("of `data` (64 elements)") && text.contains("read_only"), "{text}");
        assert!(lines.iter().all(|line| text.contains(&format!("messages.rs:{line}"))), "{text}");
    }
}

#[test]
fn a_read_only_read_of_what_the_launch_writes_is_a_fault() {
    assert_read_only("own", Grid::linear(1, 1), |data| {
        data.write(3, 1); // line: own writes
        data.read_only(3); // line: own reads
    });
    assert_read_only("before", Grid::linear(1, 1), |data| {
        data.read_only(3); // line: before reads
        data.write(3, 1); // line: before writes
    });
    assert_read_only("same value", Grid::linear(1, 1), |data| {
        data.read_only(3); // line: same value reads
        data.write(3, 0); // line: same value writes
    });
    assert_read_only("barrier", Grid::linear(1, 64), |data| {
        let i = thread::thread_idx_x() as usize;
        data.write(i, 1); // line: barrier writes
        sync();
        data.read_only(63 - i); // line: barrier reads
    });
    assert_read_only("barrier before", Grid::linear(1, 64), |data| {
        let i = thread::thread_idx_x() as usize;
        data.read_only(63 - i); // line: barrier before reads
        sync();
        data.read(63 - i);
        sync();
        data.write(i, 1); // line: barrier before writes
    });
    assert_read_only("lanes", Grid::linear(1, 32), |data| {
        let i = thread::thread_idx_x() as usize;
        data.write(i, 1); // line: lanes writes
        // SAFETY: all lanes are here.
        unsafe { warp::sync_warp(!0) };
        data.read_only(31 - i); // line: lanes reads
    });
    assert_read_only("atomic", Grid::linear(1, 64), |data| {
        atomic::fetch_add(data, 7, 1); // line: atomic writes
        sync();
        data.read_only(7); // line: atomic reads
    });
    assert_read_only("vector", Grid::linear(1, 1), |data| {
        data.cast::<U32x4>().read_only(1); // line: vector reads
        data.cast::<u8>().write(29, 1); // line: vector writes
    });
    assert_read_only("bytes", Grid::linear(1, 1), |data| {
        data.cast::<u8>().write(30, 1); // line: bytes writes
        data.read_only(7); // line: bytes reads
    });
}

#[test]
fn a_read_only_read_is_found_between_blocks_and_behind_many_reads() {
    assert_read_only("handed over", Grid::linear(2, 1), |data| {
        if thread::block_idx_x() == 0 {
            data.write(5, 1); // line: handed over writes
            atomic::store_release(data, 0, 1);
        } else {
            while atomic::load_acquire(data, 0) == 0 {}
            data.read_only(5); // line: handed over reads
        }
    });
    // More plain reads of a word than the simulator records, in a launch whose threads acquire.
    assert_read_only("many", Grid::linear(1, 1024), |data| {
        atomic::device(data, 1).fetch_add(1, Order::AcqRel);
        if thread::thread_idx_x() % 32 < 4 {
            data.read(5);
        }
        // SAFETY: a mask of this lane alone.
        unsafe { warp::sync_warp(warp::lanemask_eq()) };
        data.read(5);
        if thread::thread_idx_x() == 1023 {
            data.read_only(5); // line: many reads
        }
        sync();
        if thread::thread_idx_x() == 3 {
            data.write(5, 1); // line: many writes
        }
    });
}

#[test]
fn a_read_only_read_of_what_nobody_writes_is_no_fault() {
    assert_silent(Grid::linear(2, 32), |data| {
        let i = thread::index_1d() as usize;
        data.read_only(63);
        if i < 63 {
            data.write(i, data.read_only(63));
        }
    });
    // Neighbouring bytes.
    assert_silent(Grid::linear(1, 1), |data| {
        let bytes = data.cast::<u8>();
        bytes.read_only(0);
        bytes.write(1, bytes.read_only(2));
        atomic::load(data, 5);
        data.read_only(5);
    });
    // Separate launches.
    let mut gpu = Simulator::default();
    let data = gpu.alloc_from(&[0u32; 64], "data");
    for launch in 0..4 {
        let handle: Global<u32> = data.handle();
        let body = move || {
            if launch % 2 == 0 {
                handle.write(thread::thread_idx_x() as usize, launch);
            } else {
                assert_eq!(handle.read_only(63 - thread::thread_idx_x() as usize), launch - 1);
            }
        };
        gpu.launch("turns", Grid::linear(1, 64), body).unwrap();
    }
}

/// Checks a kernel that races: one thread reads an element at the line `… reads`, another writes it
/// at the line `… writes`.
#[track_caller]
fn assert_race(name: &str, grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) {
    let (reads, writes) = (line_of(&format!("{name} reads")), line_of(&format!("{name} writes")));
    for outcome in in_all_modes(grid, body) {
        let fault = outcome.expect_err(name);
        assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
        let mut found = both_lines(&fault);
        found.sort_unstable();
        assert_eq!(found, [reads.min(writes), reads.max(writes)], "{fault}");
        let text = fault.to_string();
        assert!(text.contains("race in") && text.contains("read") && text.contains("write"), "{text}");
        assert!([reads, writes].iter().all(|line| text.contains(&format!("messages.rs:{line}"))), "{text}");
    }
}

/// Checks that every mode finds a race whose text contains this cure; without one, that no cure is
/// named.
#[track_caller]
fn assert_cure(cure: Option<&str>, grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) {
    for outcome in in_all_modes(grid, body) {
        let fault = outcome.unwrap_err();
        let text = fault.to_string();
        assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
        assert!(cure.map_or(!text.contains("atomic::"), |cure| text.ends_with(cure)), "{text}");
    }
}

#[test]
fn a_race_that_an_atomic_access_would_cure_names_it() {
    let store = Some(". If all threads write the same value, use `atomic::store`");
    let two_blocks = Grid::linear(2, 32);
    assert_cure(store, two_blocks, |data| data.write(5, 7));
    assert_cure(store, Grid::linear(1, 64), |data| data.write(5, 7));
    assert_cure(None, two_blocks, |data| data.write(5, thread::index_1d() + 1));
    // All threads write what the host has written.
    assert_cure(store, two_blocks, |data| data.write(5, 0));
    // A read of a counter that others increment.
    assert_cure(Some(". `atomic::load` reads without a race"), two_blocks, |data| {
        atomic::fetch_add(data, 5, 1);
        data.read(5);
    });
    assert_cure(Some(". `atomic::store` writes without a race"), Grid::linear(40, 1), |data| {
        if thread::block_idx_x() == 0 {
            data.write(5, 1);
        } else {
            atomic::load(data, 5);
        }
    });
    // With it, there is no race.
    assert_silent(two_blocks, |data| {
        atomic::store(data, 5, 7);
        atomic::load(data, 5);
    });
}

#[test]
fn a_misaligned_access_names_its_element() {
    for outcome in in_all_modes(Grid::linear(1, 1), |data| {
        data.skip(6).cast::<U32x4>().read(1); // line: misaligned
    }) {
        let fault = outcome.unwrap_err();
        let text = fault.to_string();
        assert!(text.contains("misaligned global access: element 10 of `data` (64 elements) has address 0x"), "{text}");
        assert!(text.contains("no multiple of the 16 bytes of the access"), "{text}");
        assert_eq!(fault.location.unwrap().line(), line_of("misaligned"), "{text}");
    }
    for outcome in in_all_modes(Grid::linear(1, 1), |_| {
        shared_array!(x: [u32; 8]);
        simt_std::shared::Shared::<u64>::at(x.address() + 4).write(1, 0);
    }) {
        let text = outcome.unwrap_err().to_string();
        assert!(text.contains("misaligned shared access: element 3 of `x` has address 0xc"), "{text}");
    }
}

/// A barrier of a warp where one of the block belongs.
#[test]
fn a_warp_barrier_between_warps_is_a_race() {
    assert_race("warp barrier", Grid::linear(1, 64), |_| {
        shared_array!(x: [u32; 64]);
        let i = thread::thread_idx_x();
        x.write(i, i); // line: warp barrier writes
        // SAFETY: all lanes are here.
        unsafe { warp::sync_warp(!0) };
        x.read(63 - i); // line: warp barrier reads
    });
}

#[test]
fn a_read_of_what_another_thread_writes_later_is_a_race() {
    assert_race("shared", Grid::linear(1, 64), |_| {
        shared_array!(x: [u32; 64]);
        let i = thread::thread_idx_x();
        x.write(i, i); // line: shared writes
        x.read(63 - i); // line: shared reads
    });
    assert_race("one reads", Grid::linear(1, 64), |_| {
        shared_array!(sum: [u32; 1]);
        if thread::thread_idx_x() == 0 {
            sum.read(0); // line: one reads reads
        }
        if thread::thread_idx_x() == 40 {
            sum.write(0, 1); // line: one reads writes
        }
        sync();
    });
    assert_race("warp", Grid::linear(1, 32), |_| {
        shared_array!(x: [u32; 32]);
        let lane = warp::lane_id();
        if lane < 31 {
            x.write(lane + 1, lane); // line: warp writes
        }
        if lane > 0 {
            x.read(lane); // line: warp reads
        }
        // SAFETY: all lanes are here.
        unsafe { warp::sync_warp(!0) };
    });
    let between = [line_of("global reads"), line_of("global writes")];
    for (accounting, seed) in [(false, None), (true, None), (false, Some(1))] {
        let mut gpu = Simulator::new(Options { accounting, seed, ..Options::default() });
        let data = gpu.alloc::<u32>(64, "data");
        let handle: Global<u32> = data.handle();
        let fault = gpu.launch("blocks", Grid::linear(40, 1), move || {
            let block = thread::block_idx_x() as usize;
            handle.write(block, 1); // line: global writes
            if block < 39 {
                handle.read(block + 1); // line: global reads
            }
        });
        let fault = fault.unwrap_err();
        let mut found = both_lines(&fault);
        found.sort_by_key(|&line| line != between[0]);
        assert_eq!(found, between, "{fault}");
    }
}

/// Uninitialised memory that no thread writes, or only after a barrier.
#[test]
fn a_read_that_nothing_races_with_is_one_of_uninitialised_memory() {
    let uninitialised = |modes, body: fn(Global<u32>)| {
        for outcome in in_all_modes(Grid::linear(1, 64), body).into_iter().take(modes) {
            let fault = outcome.unwrap_err();
            assert!(matches!(fault.kind, FaultKind::Uninitialised { .. }), "{fault}");
            assert_eq!(fault.location.unwrap().line(), line_of("first read"), "{fault}");
        }
    };
    fn kernel(after: impl Fn(u32, simt_std::shared::Shared<u32>)) {
        shared_array!(x: [u32; 64]);
        let i = thread::thread_idx_x();
        if i == 5 {
            x.read(40); // line: first read
        }
        after(i, x);
    }
    uninitialised(6, |_| kernel(|_, _| ()));
    uninitialised(6, |_| {
        kernel(|i, x| {
            sync();
            x.write(i, i);
        });
    });
    // Another fault, of a thread that comes later without a seed.
    uninitialised(2, |data| {
        kernel(|i, _| {
            if i == 40 {
                data.write(1000, 0);
            }
        });
    });
    // A spin on a word that the thread at fault would have written.
    uninitialised(6, |data| {
        kernel(|i, _| match i {
            5 => atomic::store(data, 0, 1),
            _ => while atomic::load(data, 0) == 0 {},
        });
    });
}

#[test]
fn a_panic_in_a_kernel_has_its_line() {
    type Kernel = fn(u32, Global<u32>);
    let kernels: [(&str, Kernel); 4] = [
        ("assert", |i, _| {
            assert!(i != 9, "nine"); // line: assert
        }),
        ("index", |i, _| {
            let array = [1u32; 9];
            std::hint::black_box(array[std::hint::black_box(i) as usize]); // line: index
        }),
        ("unwrap", |i, data| {
            data.read(0);
            (i != 9).then_some(i).unwrap(); // line: unwrap
        }),
        ("own value", |i, _| {
            if i == 9 {
                std::panic::panic_any(7u8); // line: own value
            }
        }),
    ];
    for (name, kernel) in kernels {
        for outcome in in_all_modes(Grid::linear(1, 32), move |data| kernel(thread::thread_idx_x(), data)) {
            let fault = outcome.unwrap_err();
            assert!(matches!(fault.kind, FaultKind::Panic { .. }), "{fault}");
            assert_eq!(fault.location.expect("a line").line(), line_of(name), "{fault}");
            assert!(fault.to_string().contains("messages.rs:"), "{fault}");
        }
    }
}

/// The hook belongs to the whole process, so this test runs in a process of its own.
#[test]
fn a_panic_hook_of_the_users_is_called_and_stays() {
    const CHILD: &str = "PANIC_HOOK_OF_A_USER";
    if std::env::var_os(CHILD).is_none() {
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["a_panic_hook_of_the_users_is_called_and_stays", "--exact", "--nocapture"])
            .env(CHILD, "1")
            .output()
            .unwrap();
        assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
        return;
    }
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let panics = || {
        let fault = Simulator::default().launch("panics", Grid::linear(1, 1), || panic!("here")).unwrap_err(); // line: hook
        assert_eq!(fault.location.expect("a line").line(), line_of("hook"), "{fault}");
    };
    panics();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {
        CALLS.fetch_add(1, Ordering::Relaxed);
    }));
    panics();
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
    // Several launches at once, some with a panic.
    let threads = (0..8).map(|i| {
        std::thread::spawn(move || {
            for turn in 0..20 {
                if (i + turn) % 2 == 0 {
                    panics();
                } else {
                    Simulator::default().launch("silent", Grid::linear(1, 1), || ()).unwrap();
                }
            }
        })
    });
    threads.collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(CALLS.load(Ordering::Relaxed), 81);
    // Panics outside launches, and after a launch that changes the hook.
    assert!(std::panic::catch_unwind(|| panic!("on the host")).is_err());
    assert_eq!(CALLS.load(Ordering::Relaxed), 82);
    Simulator::default()
        .launch("sets a hook", Grid::linear(1, 1), || {
            std::panic::set_hook(Box::new(|_| {
                CALLS.fetch_add(100, Ordering::Relaxed);
            }));
        })
        .unwrap();
    assert!(std::panic::catch_unwind(|| panic!("on the host")).is_err());
    assert_eq!(CALLS.load(Ordering::Relaxed), 182);
    panics();
    assert_eq!(CALLS.load(Ordering::Relaxed), 282);
    std::panic::set_hook(before);
    panics();
    assert_eq!(CALLS.load(Ordering::Relaxed), 282);
}

#[test]
fn memory_used_after_free_names_the_buffer() {
    let mut gpu = Simulator::default();
    let victim = gpu.alloc_from(&[1u32; 100], "victim");
    let handle: Global<u32> = victim.handle();
    gpu.free(victim);
    // A later allocation could reuse the memory.
    let other = gpu.alloc_from(&[2u32; 100], "other");
    let accesses: [fn(Global<u32>); 3] = [
        |a| {
            a.read(42);
        },
        |a| a.write(42, 1),
        |a| {
            atomic::fetch_add(a, 42, 1);
        },
    ];
    for access in accesses {
        let fault = gpu.launch("after free", Grid::linear(1, 1), move || access(handle)).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Freed { .. }), "{fault}");
        let text = fault.to_string();
        assert!(text.contains("access of freed memory: element 42 of `victim` (100 elements)"), "{text}");
        assert!(text.contains("another allocation may have the memory now"), "{text}");
    }
    assert_eq!((gpu.allocated(), gpu.download(&other, 100).unwrap()), (400, vec![2; 100]));
}

#[test]
fn an_output_that_no_thread_wrote_names_the_last_launch() {
    let mut gpu = Simulator::default();
    let out: Buffer<u32> = gpu.alloc(64, "out");
    let text = |gpu: &mut Simulator| gpu.download(&out, 64).unwrap_err().to_string();
    assert!(text(&mut gpu).contains("no kernel has been launched"), "{}", text(&mut gpu));
    let handle: Global<u32> = out.handle();
    let write = move || handle.write(thread::index_1d() as usize, 1);
    gpu.launch("first", Grid::linear(1, 8), write).unwrap();
    gpu.launch("squares", Grid { blocks: [2, 3, 1], threads: [8, 1, 1], ..Grid::linear(1, 1) }, || ()).unwrap();
    let got = text(&mut gpu);
    assert!(got.contains("element 8 of `out` (64 elements)"), "{got}");
    assert!(got.contains("the last launch was `squares` (blocks: 2 × 3, threads of a block: 8)"), "{got}");
    gpu.launch("all", Grid::linear(8, 8), write).unwrap();
    assert_eq!(gpu.download(&out, 64).unwrap(), [1; 64]);
}

#[test]
fn addresses_of_no_allocation_are_named() {
    let fault =
        Simulator::default().launch("null", Grid::linear(1, 1), || Global::<u32>::at(0).write(2, 1)).unwrap_err();
    assert!(fault.to_string().contains("address 0x8, which no allocation has"), "{fault}");
}

#[test]
fn the_later_and_the_earlier_access_are_told_apart() {
    let outcomes = in_all_modes(Grid::linear(1, 1), |data| {
        data.read_only(3);
        atomic::fetch_add(data, 3, 1);
    });
    let FaultKind::ReadOnly { access, earlier, .. } = outcomes[0].as_ref().unwrap_err().kind.clone() else { panic!() };
    assert_eq!((access, earlier), (Access::Atomic, Access::Read));
}

#[test]
fn an_output_that_the_last_launch_has_not_written_is_reported_on_request() {
    let mut gpu = Simulator::default();
    let out = gpu.alloc_from(&[0u64; 1000], "out");
    let text = |gpu: &mut Simulator| gpu.check_written(&out).unwrap_err().to_string();
    assert!(text(&mut gpu).contains("element 0 of `out` (1000 elements): nothing was launched"), "{}", text(&mut gpu));
    let handle: Global<u64> = out.handle();
    let fill = move || handle.write(thread::index_1d() as usize, 1);
    gpu.launch("fill", Grid::linear(25, 40), fill).unwrap();
    gpu.check_written(&out).unwrap();
    gpu.launch("fill", Grid::linear(24, 40), fill).unwrap();
    let got = text(&mut gpu);
    assert!(
        got.contains("element 960 of `out`") && got.contains("`fill` (blocks: 24, threads of a block: 40)"),
        "{got}"
    );
    assert!(matches!(gpu.check_written(&out).unwrap_err().kind, FaultKind::Unwritten { .. }));
    // Bytes, atomic operations, and reads, which do not count.
    gpu.launch("fill", Grid::linear(25, 40), move || {
        let i = thread::index_1d() as usize;
        match i {
            500 => (0..7).for_each(|byte| handle.cast::<u8>().write(8 * i + byte, 1)),
            501 => _ = atomic::fetch_add(handle, i, 1),
            _ => handle.write(i, handle.read(i)),
        }
    })
    .unwrap();
    assert!(text(&mut gpu).contains("element 500 of `out`"), "{}", text(&mut gpu));
    // What the host copies is not written by the launch.
    gpu.launch("fill", Grid::linear(25, 40), fill).unwrap();
    gpu.upload_to(&out, 999, &[5]).unwrap();
    assert!(text(&mut gpu).contains("element 999 of `out`"), "{}", text(&mut gpu));
}

#[test]
fn threads_that_wait_for_ever_are_told_the_cure() {
    let text = |grid: Grid, body: fn(Global<u32>)| {
        let mut gpu = Simulator::new(Options { spin_limit: 20_000, ..Options::default() });
        job(grid, body)(&mut gpu).unwrap_err().to_string()
    };
    // The first block ends before the others start.
    let locks = text(Grid::linear(3, 1), |locks| {
        let mine = thread::block_idx_x() % 2;
        while atomic::device(locks, mine).compare_exchange(0, 1, Order::Acquire) != 0 {}
        while atomic::device(locks, 1 - mine).compare_exchange(0, 1, Order::Acquire) != 0 {}
        atomic::store_release(locks, 0, 0);
        atomic::store_release(locks, 1, 0);
    });
    assert!(locks.contains("take several locks in one order everywhere"), "{locks}");
    let one = text(Grid::linear(2, 1), |flag| while atomic::load(flag, 0) == 0 {});
    assert!(one.contains("The thread that should change it has ended, waits itself, or has not started"), "{one}");
    let shuffle = text(Grid::linear(1, 32), |_| {
        if warp::lane_id() < 9 {
            // SAFETY: planted: the other lanes do not come.
            unsafe { warp::warp_shuffle_down(!0, 1, 1, 32) };
        }
    });
    assert!(shuffle.contains("lanes 9 to 31 have ended") && shuffle.contains("before the `return`"), "{shuffle}");
    let barrier = text(Grid::linear(1, 64), |_| {
        if thread::thread_idx_x() < 40 {
            sync();
        }
    });
    assert!(barrier.contains("24 threads of the block, from thread 40 on, have ended"), "{barrier}");
    assert!(barrier.contains("move it out of the branch or the loop, and let no thread return before it"), "{barrier}");
    let one = text(Grid::linear(1, 64), |_| {
        if thread::thread_idx_x() != 7 {
            sync();
        }
    });
    assert!(one.contains("while thread 7 of the block has ended. Every thread"), "{one}");
}
