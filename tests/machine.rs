//! The memory machines, checked against closed forms and against a simulation of every time unit.
#![cfg(feature = "machine")]

use carrywave::Error;
use carrywave::kernels::measure::contiguous::{Contiguous, ContiguousBank, blocks};
use carrywave::machine::closed::{Pattern, closed_form};
use carrywave::machine::kernels::{Case, MachineKernel};
use carrywave::machine::{Machine, Mode, Model, WarpAccess};
use fastrand::Rng;
use simt_std::shared::{Shared, dynamic_shared_mem};
use simt_std::simulator::{Grid, Options, Simulator, Spaces, Trace};
use simt_std::{global::Global, thread, warp};
use std::collections::{BTreeMap, BTreeSet};

const GLOBAL: Spaces = Spaces { global: true, shared: false };

const ALL: [(Model, Mode); 4] =
    [(Model::Dmm, Mode::Lockstep), (Model::Umm, Mode::Lockstep), (Model::Dmm, Mode::Free), (Model::Umm, Mode::Free)];

fn simulator() -> Simulator {
    Simulator::new(Options { trace: GLOBAL, ..Options::default() })
}

/// Returns the trace of a kernel of `contiguous`.
fn trace(pattern: Pattern, n: u64, p: u32, w: u64, write: bool) -> Trace {
    let mut gpu = simulator();
    let cells = if pattern == Pattern::Bank { n * w } else { n } as usize;
    let a = gpu.alloc::<u32>(cells.max(1), "a");
    gpu.upload(&a, &vec![0; cells]).unwrap();
    let (a, write) = (a.handle(), write.into());
    match pattern {
        Pattern::Contiguous => gpu.launch_kernel(blocks(p), Contiguous { a, n, p, write }),
        Pattern::Bank => gpu.launch_kernel(blocks(p), ContiguousBank { a, n, p, w: w as u32, write }),
    }
    .unwrap();
    gpu.take_trace().unwrap()
}

/// Returns the trace of a kernel on 64 words, in one block of `threads` threads.
fn recorded(threads: u32, kernel: impl Fn(Global<u32>) + Clone + 'static) -> Trace {
    let mut gpu = simulator();
    let a = gpu.alloc::<u32>(64, "a");
    gpu.upload(&a, &[0; 64]).unwrap();
    let a: Global<u32> = a.handle();
    gpu.launch("recorded", Grid::linear(1, threads), move || kernel(a)).unwrap();
    gpu.take_trace().unwrap()
}

#[test]
fn lemma_1_and_lemma_2_hold_exactly() {
    let mut random = Rng::with_seed(1);
    let mut counted = BTreeMap::new();
    for case in 0..1000 {
        // Widths, threads and cells that divide each other, and others; fewer threads than a warp,
        // and more than cells.
        let w = [1, 2, 4, 8, 16, 32, 3, 5, 12, random.u64(1..70)][random.usize(..10)];
        let p = match case % 4 {
            0 => w * random.u64(1..8),
            1 => random.u64(1..w + 1),
            _ => random.u64(1..200),
        } as u32;
        let n = if case % 2 == 0 { u64::from(p) * random.u64(1..12) } else { random.u64(1..1500) };
        let l = [1, 2, random.u64(1..20), random.u64(1..600)][random.usize(..4)];
        for pattern in [Pattern::Contiguous, Pattern::Bank] {
            let trace = trace(pattern, n, p, w, random.bool());
            for (model, mode) in ALL {
                let machine = Machine { mode, ..Machine::new(model, w, l) };
                let count = machine.run(&trace).unwrap();
                assert_eq!(count.requests, n);
                assert_eq!(count.lines.iter().map(|line| line.time).sum::<u64>(), count.time);
                if let Some(time) = closed_form(&machine, pattern, n, p.into()) {
                    assert_eq!(count.time, time, "{pattern:?} {machine:?} n = {n}, p = {p}");
                    *counted.entry((pattern as u8, model as u8, mode as u8)).or_insert(0) += 1;
                }
                // The lemmas as stated in the paper.
                let whole = n.is_multiple_of(p.into()) && u64::from(p).is_multiple_of(w);
                if whole && mode == Mode::Lockstep && (model == Model::Dmm || pattern == Pattern::Contiguous) {
                    assert_eq!(count.time, n / u64::from(p) * (u64::from(p) / w + l - 1));
                }
            }
        }
    }
    for ((pattern, model, mode), count) in &counted {
        let all = (*pattern, *model, *mode) != (Pattern::Contiguous as u8, Model::Umm as u8, Mode::Free as u8);
        assert!(*count == 1000 || !all && *count > 500, "{pattern} {model} {mode}: {count}");
    }
    assert_eq!(counted.len(), 8);
}

/// Figure 2, banks and address groups of width 4, by the cost of a warp for some of their cells:
/// the table of docs/memory-machine.md.
#[test]
fn figure_2_banks_and_groups() {
    for (words, dmm, umm) in
        [([0, 1, 2, 3], 1, 1), ([3, 4, 5, 6], 1, 2), ([0, 5, 10, 15], 1, 4), ([0, 4, 8, 1], 3, 3), ([6, 6, 6, 6], 1, 1)]
    {
        let trace = recorded(4, move |a| {
            a.read(words[thread::thread_idx_x() as usize]);
        });
        for (model, stages) in [(Model::Dmm, dmm), (Model::Umm, umm)] {
            let count = Machine::new(model, 4, 7).run(&trace).unwrap();
            assert_eq!((count.stages, count.time), (stages, stages + 7 - 1), "{words:?} {model}");
        }
    }
}

/// Steps of a thread: it reads a word (`Some`), or waits for its block (`None`).
type Steps = Vec<Option<u64>>;

/// Runs the steps on the simulator.
fn trace_of(steps: &[Steps], block: u32) -> Trace {
    let mut gpu = simulator();
    let a = gpu.alloc::<u32>(1 << 10, "a");
    gpu.upload(&a, &[0; 1 << 10]).unwrap();
    let a: Global<u32> = a.handle();
    let steps = steps.to_vec();
    gpu.launch("steps", Grid::linear(steps.len() as u32 / block, block), move || {
        for step in &steps[thread::index_1d() as usize] {
            match step {
                Some(word) => {
                    a.read(*word as usize);
                }
                // SAFETY: all threads of the block have the same number of barriers.
                None => unsafe { thread::sync_threads() },
            }
        }
    })
    .unwrap();
    gpu.take_trace().unwrap()
}

/// Returns barriers, and between them up to `most` reads of random words.
fn random_steps(random: &mut Rng, threads: usize, block: usize, barriers: usize, most: usize) -> Vec<Steps> {
    let words = 1u64 << random.u32(1..10);
    assert!(threads.is_multiple_of(block));
    let steps = |_| {
        let mut steps = Vec::new();
        for turn in 0..=barriers {
            if turn > 0 {
                steps.push(None);
            }
            steps.extend((0..random.usize(..=most)).map(|_| Some(random.u64(..words))));
        }
        steps
    };
    (0..threads).map(steps).collect()
}

fn stages(model: Model, w: u64, words: &[u64]) -> usize {
    let mut asked: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for word in words {
        asked.entry(word % w).or_default().insert(*word);
    }
    match model {
        Model::Dmm => asked.values().map(BTreeSet::len).max().unwrap(),
        Model::Umm => words.iter().map(|word| word / w).collect::<BTreeSet<_>>().len(),
        Model::Hmm => unreachable!("its parts have the two rules"),
    }
}

/// Simulates every time unit: in each, at most one stage enters the pipeline.
fn queue(model: Model, w: usize, l: u64, steps: &[Steps], block: usize) -> u64 {
    let p = steps.len();
    let mut done = vec![0; p];
    // Time at which a thread's last request is done.
    let mut free = vec![0; p];
    let mut turn = 0;
    let mut entering = 0;
    let barriers = |done: &[usize], thread: usize| steps[thread][..done[thread]].iter().flatten().count();
    for now in 0.. {
        if entering == 0 {
            // A block continues when all its threads are at a barrier.
            for first in (0..p).step_by(block) {
                while (first..first + block).all(|t| free[t] <= now && steps[t].get(done[t]) == Some(&None)) {
                    done[first..first + block].iter_mut().for_each(|done| *done += 1);
                }
            }
            if (0..p).all(|t| done[t] == steps[t].len() && free[t] <= now) {
                return now;
            }
            let warps = p.div_ceil(w);
            for warp in (0..warps).map(|i| (turn + i) % warps) {
                let threads = warp * w..((warp + 1) * w).min(p);
                if threads.clone().any(|t| free[t] > now) {
                    continue;
                }
                let asking: Vec<usize> = threads.filter(|&t| matches!(steps[t].get(done[t]), Some(Some(_)))).collect();
                // A thread before a barrier is not at the same step as a thread after it.
                let passed = |t: usize| done[t] - barriers(&done, t);
                let Some(least) = asking.iter().map(|&t| passed(t)).min() else { continue };
                let asking: Vec<usize> = asking.into_iter().filter(|&t| passed(t) == least).collect();
                let words: Vec<u64> = asking.iter().map(|&t| steps[t][done[t]].unwrap()).collect();
                entering = stages(model, w as u64, &words);
                for t in asking {
                    done[t] += 1;
                    free[t] = now + entering as u64 + l - 1;
                }
                turn = (warp + 1) % warps;
                break;
            }
        }
        entering = entering.saturating_sub(1);
    }
    unreachable!("time goes on")
}

#[test]
fn random_accesses_take_as_long_as_in_a_queue() {
    let mut random = Rng::with_seed(2);
    for case in 0..300 {
        let block = random.usize(1..40);
        let threads = block * random.usize(1..6);
        let steps = random_steps(&mut random, threads, block, case % 3, 6);
        let trace = trace_of(&steps, block as u32);
        let w = random.usize(1..50);
        let l = [1, 2, random.u64(1..40)][random.usize(..3)];
        for model in [Model::Dmm, Model::Umm] {
            let machine = Machine { mode: Mode::Free, ..Machine::new(model, w as u64, l) };
            let time = machine.run(&trace).unwrap().time;
            assert_eq!(time, queue(model, w, l, &steps, block), "case {case}: {machine:?}, block = {block}");
        }
    }
}

#[test]
fn in_lockstep_every_access_waits_for_all_warps() {
    let mut random = Rng::with_seed(3);
    for _ in 0..100 {
        let threads = random.usize(1..100);
        let steps = random_steps(&mut random, threads, 1, 0, 6);
        let trace = trace_of(&steps, 1);
        let (w, l) = (random.u64(1..50), random.u64(1..40));
        for model in [Model::Dmm, Model::Umm] {
            let mut time = 0;
            for t in 0..6 {
                for warp in steps.chunks(w as usize) {
                    let words: Vec<u64> = warp.iter().filter_map(|s| s.get(t).copied().flatten()).collect();
                    time += if words.is_empty() { 0 } else { stages(model, w, &words) as u64 };
                }
                time += if steps.iter().any(|s| s.len() > t) { l - 1 } else { 0 };
            }
            assert_eq!(Machine::new(model, w, l).run(&trace).unwrap().time, time);
        }
    }
}

#[test]
fn threads_that_skip_an_access_do_not_begin_the_next_one_early() {
    let trace = recorded(8, move |a| {
        let i = thread::thread_idx_x() as usize;
        for turn in 0..4 {
            if i > turn {
                a.read(i);
            }
            a.read(32 + i);
        }
    });
    for mode in [Mode::Lockstep, Mode::Free] {
        let count = Machine { mode, ..Machine::new(Model::Umm, 8, 10) }.run(&trace).unwrap();
        let found: Vec<_> = count.lines.iter().map(|line| (line.accesses, line.requests, line.stages)).collect();
        assert_eq!(found, [(4, 7 + 6 + 5 + 4, 4), (4, 32, 4)], "{mode}");
        assert_eq!(count.time, 80, "{mode}");
    }
}

#[test]
fn threads_that_leave_a_loop_early_wait_behind_it() {
    let trace = recorded(8, move |a| {
        let i = thread::thread_idx_x() as usize;
        for _ in 0..i {
            a.read(i);
        }
        a.read(32 + i);
    });
    for mode in [Mode::Lockstep, Mode::Free] {
        let count = Machine { mode, ..Machine::new(Model::Umm, 8, 10) }.run(&trace).unwrap();
        let found: Vec<_> = count.lines.iter().map(|line| (line.accesses, line.requests)).collect();
        assert_eq!(found, [(7, 28), (1, 8)], "{mode}");
    }
}

#[test]
fn warps_of_32_wait_for_their_lanes_whatever_the_width() {
    let trace = recorded(32, move |a| {
        let i = thread::thread_idx_x() as usize;
        if i < 8 {
            for _ in 0..5 {
                a.read(i);
            }
        }
        // SAFETY: all lanes are here.
        unsafe { warp::sync_warp(!0) };
        a.read(i);
    });
    for mode in [Mode::Lockstep, Mode::Free] {
        let count = Machine { mode, ..Machine::new(Model::Umm, 8, 10) }.run(&trace).unwrap();
        assert_eq!(count.time, 5 * 10 + (4 + 9), "{mode}");
    }
}

/// Lanes that reconverge from a later line are not ahead of the others after a meeting, and neither
/// are lanes that go on to a later line.
#[test]
fn lanes_that_have_met_go_on_as_one_access() {
    // SAFETY: all lanes are here, both times.
    let meetings = [|| unsafe { warp::sync_warp(!0) }, || unsafe { thread::sync_threads() }];
    for (meet, before) in [(0, true), (0, false), (1, true), (1, false)] {
        let trace = recorded(32, move |a| {
            let lane = thread::thread_idx_x() as usize;
            for turn in 0..3 {
                a.read(lane);
                if before && lane <= turn {
                    a.read(32 + lane);
                }
                meetings[meet]();
                if !before && lane == 31 {
                    a.write(32, 0);
                }
            }
        });
        for mode in [Mode::Lockstep, Mode::Free] {
            let count = Machine { mode, ..Machine::new(Model::Umm, 32, 10) }.run(&trace).unwrap();
            let found: Vec<_> = count.lines.iter().map(|line| line.accesses).collect();
            assert_eq!(found, [3, 3], "{meet} {before} {mode}");
        }
    }
}

#[test]
fn wide_accesses_ask_for_all_their_words() {
    let mut gpu = simulator();
    let a = gpu.alloc::<u64>(8, "a");
    gpu.upload(&a, &[0; 8]).unwrap();
    let (wide, bytes): (Global<u64>, Global<u8>) = (a.handle(), a.handle().cast());
    gpu.launch("wide", Grid::linear(1, 8), move || {
        wide.read(thread::thread_idx_x() as usize);
        bytes.read(thread::thread_idx_x() as usize);
    })
    .unwrap();
    let trace = gpu.take_trace().unwrap();
    for model in [Model::Dmm, Model::Umm] {
        let stages = |word| {
            let count = Machine { word, ..Machine::new(model, 8, 1) }.run(&trace).unwrap();
            count.lines.iter().map(|line| line.stages).collect::<Vec<_>>()
        };
        assert_eq!([stages(4), stages(1), stages(8)], [[2, 1], [8, 1], [1, 1]], "{model}");
    }
}

#[test]
fn launches_follow_one_another_and_samples_are_of_all_of_them() {
    let mut gpu = simulator();
    let a = gpu.alloc::<u32>(4096, "a");
    gpu.upload(&a, &[0; 4096]).unwrap();
    let kernel = Contiguous { a: a.handle(), n: 4096, p: 64, write: 0 };
    gpu.launch_kernel(1, kernel).unwrap();
    gpu.launch_kernel(1, kernel).unwrap();
    let trace = gpu.take_trace().unwrap();
    let count = Machine::new(Model::Umm, 32, 7).run_sampled(&trace, 10).unwrap();
    assert_eq!((count.time, count.launches, count.threads), (2 * 64 * 8, 2, 64));
    let samples = &count.lines[0].samples;
    assert_eq!(samples.len(), 10);
    assert!(samples.is_sorted_by_key(|s| s.number) && samples[9].number < 256);
    assert_eq!(samples.iter().map(|s| s.launch).collect::<BTreeSet<_>>(), [0, 1].into());
    let WarpAccess { number, launch, stages, requests } = &samples[9];
    assert_eq!((*launch, *stages), (*number as usize / 128, 1));
    let word = (number % 128) * 32;
    assert_eq!(requests[31], (*number as usize % 2 * 32 + 31, word + 31, word + 31));
}

#[test]
fn machines_that_there_are_not() {
    let trace = trace(Pattern::Contiguous, 4, 4, 4, false);
    for (width, latency, word) in [(0, 1, 4), (1, 0, 4), (1, 1, 0), (1 << 21, 1, 4), (1, 1 << 33, 4), (1, 1, 1 << 13)] {
        let machine = Machine { word, ..Machine::new(Model::Dmm, width, latency) };
        let error = machine.run(&trace).unwrap_err();
        assert!(matches!(&error, Error::Usage { reason, .. } if reason.contains("of a memory machine")), "{error}");
    }
    for model in [Model::Dmm, Model::Umm] {
        assert_eq!(model.to_string().parse::<Model>().unwrap(), model);
    }
    // Kernels whose data layout depends on the width.
    for w in [0, 1 << 21] {
        let case = Case::new(2, 4, 1, 0, w);
        for kernel in ["dmm", "contiguous-bank"] {
            let error = MachineKernel::named(kernel).unwrap().record(&case, GLOBAL).unwrap_err();
            assert!(
                matches!(&error, Error::Usage { reason, .. } if reason.starts_with("w is 1 to")),
                "{kernel}: {error}"
            );
        }
    }
    // The greatest possible parameters.
    let machine = Machine { word: 1 << 12, ..Machine::new(Model::Dmm, 1 << 20, 1 << 32) };
    assert_eq!(machine.run(&trace).unwrap().time, 1 << 32);
}

/// Returns the trace of a copy of n words through shared memory: thread t of a block of b threads
/// writes its word to place t, and reads place t `stride` mod b.
fn staged_copy(blocks: u32, threads: u32, stride: u32) -> Trace {
    let mut gpu = Simulator::new(Options { trace: Spaces { global: true, shared: true }, ..Options::default() });
    let n = (blocks * threads) as usize;
    let words: Vec<u32> = (0..n as u32).collect();
    let (from, to) = (gpu.alloc::<u32>(n, "from"), gpu.alloc::<u32>(n, "to"));
    gpu.upload(&from, &words).unwrap();
    let (read, written): (Global<u32>, Global<u32>) = (from.handle(), to.handle());
    let grid = Grid { dynamic_shared: 4 * threads, ..Grid::linear(blocks, threads) };
    gpu.launch("staged_copy", grid, move || {
        let (thread, tile): (u32, Shared<u32>) = (thread::thread_idx_x(), dynamic_shared_mem());
        let word = read.read(thread::index_1d() as usize);
        tile.write(thread, word);
        // SAFETY: all threads of the block are here.
        unsafe { thread::sync_threads() };
        let other = tile.read(thread * stride % threads);
        written.write(thread::index_1d() as usize, other);
    })
    .unwrap();
    assert_eq!(gpu.download(&to, n).unwrap()[1], stride % threads);
    gpu.take_trace().unwrap()
}

/// A copy takes two turns on the UMM and two on the DMMs. Blocks are dealt to the DMMs in turn, so
/// that the first DMM has the most.
#[test]
fn the_hierarchical_machine_by_hand() {
    for (blocks, threads, stride) in [(8, 64, 1), (7, 64, 1), (8, 64, 4), (1, 32, 2), (6, 40, 1), (5, 128, 16)] {
        let trace = staged_copy(blocks, threads, stride);
        for (d, w, l, shared_latency) in [(1, 8, 100, 1), (3, 8, 100, 5), (4, 8, 1, 1), (100, 8, 50, 2)] {
            let machine = Machine { dmms: d, shared_latency, ..Machine::new(Model::Hmm, w, l) };
            let count = machine.run(&trace).unwrap();
            let (blocks, threads) = (u64::from(blocks), u64::from(threads));
            let warps = threads / w;
            let global = blocks * warps + l - 1;
            let most_blocks = blocks.div_ceil(d);
            let written = most_blocks * warps + shared_latency - 1;
            // Words a stride apart are in w / stride different banks.
            let read = most_blocks * warps * u64::from(stride).min(w) + shared_latency - 1;
            let times: Vec<u64> = count.lines.iter().map(|line| line.time).collect();
            assert_eq!(times, [global, written, read, global], "{blocks} × {threads}, {stride}, {machine:?}");
            assert_eq!((count.time, count.threads as u64), (2 * global + written + read, blocks * threads));
        }
    }
    // Parts of a warp: blocks of 12 threads have two warps of up to 8.
    let count = Machine { dmms: 2, ..Machine::new(Model::Hmm, 8, 1) }.run(&staged_copy(4, 12, 1)).unwrap();
    let lines: Vec<_> = count.lines.iter().map(|line| (line.accesses, line.stages, line.time)).collect();
    // A block begins at a multiple of 12, so that one of its warps may cross a border of groups.
    assert_eq!(lines, [(8, 10, 10), (8, 8, 4), (8, 8, 4), (8, 10, 10)]);
    let machine = Machine { mode: Mode::Free, ..Machine::new(Model::Hmm, 8, 1) };
    let error = machine.run(&staged_copy(1, 8, 1)).unwrap_err();
    assert!(matches!(&error, Error::Usage { reason, .. } if reason.contains("lockstep")), "{error}");
    assert!(Machine { dmms: 0, ..Machine::new(Model::Hmm, 8, 1) }.check().is_err());
}

/// One DMM with only shared memory counts as a DMM does, and global memory alone as a UMM does.
#[test]
fn the_hierarchical_machine_has_the_rules_of_its_parts() {
    let trace = staged_copy(3, 64, 2);
    let hmm = Machine { shared_latency: 9, ..Machine::new(Model::Hmm, 16, 9) }.run(&trace).unwrap();
    let parts = [Model::Umm, Model::Dmm, Model::Dmm, Model::Umm];
    for (line, model) in hmm.lines.iter().zip(parts) {
        let alone = Machine::new(model, 16, 9).run(&trace).unwrap();
        let same = alone.lines.iter().find(|other| other.line == line.line && other.access == line.access).unwrap();
        assert_eq!((line.stages, line.time), (same.stages, same.time), "{}", line.line);
    }
}

#[test]
fn options_and_symbols_of_kernels() {
    let kernel = |name| MachineKernel::named(name).unwrap();
    let shared = Spaces { global: false, shared: true };
    let machine = Machine::new(Model::Dmm, 32, 1);
    let stages = |tuning: &str, sigma| {
        let case = Case { tuning: tuning.parse().unwrap(), sigma, ..Case::new(32, 4096, 0, 0, 32) };
        machine.run(&kernel("shift-or-scan").record(&case, shared).unwrap()).unwrap().conflicts
    };
    // Look-ups in the paper's table have conflicts as soon as two symbols share a bank; the other
    // table has none.
    assert_eq!(stages("table=banks", 256), 0);
    assert!(stages("table=paper", 64) > 10 * stages("table=paper", 32));
    assert!(stages("table=paper", 256) > stages("table=paper", 64));
    // With half of α there are as many look-ups by twice the threads; the halo is the same.
    assert_ne!(stages("table=paper,alpha=4", 256), stages("table=paper,alpha=16", 256));
    let names = |name| kernel(name).options().iter().map(|option| option.name).collect::<Vec<_>>();
    assert_eq!(names("shift-or-scan"), ["alpha", "variant", "table"]);
    assert_eq!(names("gbpr"), ["alpha", "table", "segment"]);
    assert_eq!((names("xbitpar"), names("umm-n")), (vec!["segment"], vec![]));
    for (name, tuning, sigma, says) in [
        ("shift-or-scan", "segment=8", 4, "shift-or-scan has no option segment; it has alpha, variant, table"),
        ("umm-n", "alpha=4", 4, "umm-n has no option alpha; it has none"),
        ("shift-or-scan", "alpha=3", 4, "(alpha), not 3"),
        ("gbpr", "alpha=8,segment=4", 4, "a multiple of 8 symbols"),
        ("contiguous", "", 64, "contiguous has no strings"),
        ("umm-n", "", 0, "sigma is 1 to 256 symbols, not 0"),
        ("umm-n", "", 257, "sigma is 1 to 256 symbols, not 257"),
    ] {
        let case = Case { tuning: tuning.parse().unwrap(), sigma, ..Case::new(8, 64, 8, 0, 32) };
        let error = kernel(name).record(&case, GLOBAL).unwrap_err().to_string();
        assert!(error.contains(says), "{name} {tuning} {sigma}: {error}");
    }
}
