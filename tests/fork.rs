//! A forked process computes the same results as its parent, even if other threads of the parent
//! compute during the fork.
#![cfg(feature = "simt")]

use carrywave::best::Best;
use carrywave::device::{Cpu, Engine, Simt};
use carrywave::diff::Comparison as Differences;
use carrywave::distance::Comparison as Edits;
use carrywave::lcs::{self, Comparison};
use carrywave::pairs::Pairs;
use carrywave::search::Search;
use carrywave::text::Pattern;
use carrywave::text::Unit;
use std::ffi::c_int;
use std::time::{Duration, Instant};

unsafe extern "C" {
    fn fork() -> c_int;
    fn waitpid(process: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn kill(process: c_int, signal: c_int) -> c_int;
    fn _exit(status: c_int) -> !;
}

/// Runs a job in a forked child, and returns its answer; false after 30 s.
fn in_child(job: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child runs the job and exits without returning to the test harness.
    let child = unsafe { fork() };
    assert!(child >= 0);
    if child == 0 {
        let is_right = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job)).unwrap_or(false);
        // SAFETY: ends this process.
        unsafe { _exit(if is_right { 0 } else { 1 }) };
    }
    let (started, mut status) = (Instant::now(), 0);
    // SAFETY: the pid is a child of this process, and the pointer to its status is valid; 1 is
    // WNOHANG.
    while unsafe { waitpid(child, &mut status, 1) } == 0 {
        if started.elapsed() > Duration::from_secs(30) {
            // SAFETY: as above; 9 is SIGKILL.
            unsafe { kill(child, 9) };
            // SAFETY: as above.
            unsafe { waitpid(child, &mut status, 0) };
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    status == 0
}

fn strings() -> [Vec<u8>; 2] {
    let mut random = fastrand::Rng::with_seed(1);
    [1501, 1400].map(|len| (0..len).map(|_| b"ACGT"[random.usize(..4)]).collect())
}

/// Returns the results of each part of the library for some strings, as text; each part uses
/// several threads.
fn all(engine: Option<&dyn Engine>) -> String {
    let [a, b] = strings();
    let (mut lengths, mut edits) = (Comparison::new(), Edits::new());
    let (mut pairs, mut search) = (Pairs::new(), Search::new(Pattern::literal(&a[..40])).errors(9));
    let mut best = Best::new(Pattern::literal(&a[..70]));
    if let Some(engine) = engine {
        (lengths, edits, pairs) = (lengths.on(engine), edits.on(engine), pairs.on(engine));
        (search, best) = (search.on(engine), best.on(engine));
    }
    let words = [&a[..], &b].map(|text| text.chunks(50).map(<[u8]>::to_vec).collect::<Vec<_>>());
    let tokens = [&a[..], &b].map(|text| text.iter().enumerate().map(|(i, _)| i % 700).collect::<Vec<_>>());
    let text = b.repeat(60);
    let coded = "é".repeat(300_000);
    let characters = carrywave::text::characters::CharacterPattern::literal("éé", false);
    let long = a.repeat(800);
    [
        lengths.length(&a, &b).unwrap().to_string(),
        lengths.alignment(&a, &b).unwrap().cigar(),
        edits.script(&a, &b).unwrap().cigar(),
        edits.distance_of(&tokens[0], &tokens[1]).unwrap().to_string(),
        edits.script_of(&tokens[0], &tokens[1]).unwrap().cigar(),
        lengths.alignment_of(&tokens[0], &tokens[1]).unwrap().cigar(),
        format!("{:?}", pairs.matrix(&words[0], &words[1]).unwrap()),
        format!("{:?}", pairs.clone().maximum(20).within(&words[0]).unwrap()),
        format!("{:?}", pairs.nearest(&words[0], &words[1], 2).unwrap()),
        format!("{:?}", pairs.clone().maximum(20).clusters(&words[0]).unwrap().len()),
        format!("{:?}", search.hits(&text[..]).unwrap()),
        format!("{:?}", best.find(&text).unwrap()),
        format!("{:?}", Differences::new().unit(Unit::Word).compare(&a, &b).unwrap().counts()),
        format!("{:?}", Differences::new().compare(&long, &long).unwrap().counts()),
        format!("{:?}", carrywave::text::estimate_strand(&long, &long).strand()),
        format!("{:?}", lcs::expected_length(&a[..40], &b[..40]).length),
        Search::new(characters).count(&coded).unwrap().to_string(),
    ]
    .join("\n")
}

#[test]
fn a_forked_child_computes() {
    let two = Cpu::with_threads(2).unwrap();
    let expected = all(None);
    assert_eq!(all(Some(&two)), expected);
    // Another thread computes while this thread forks.
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                Edits::new().script(&strings()[0], &strings()[1]).unwrap();
            }
        });
        let computes = in_child(|| {
            let own = all(None) == expected && all(Some(&two)) == expected;
            // A grandchild, with an engine made in between.
            let three = Cpu::with_threads(3).unwrap();
            own && in_child(|| all(Some(&three)) == expected && all(Some(&two)) == expected)
        });
        // A worker of a pool forks; the child does not have the other workers.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let from_worker = pool.install(|| in_child(|| all(None) == expected));
        let simulated = in_child(|| {
            let [a, b] = strings();
            let length = Comparison::new().on(&Simt::new()).length(&a[..90], &b[..90]).unwrap();
            length == carrywave::lcs_length(&a[..90], &b[..90]).unwrap()
        });
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(computes, "in a child, and in its child");
        assert!(from_worker, "in a child of a worker");
        assert!(simulated, "on the simulator");
    });
    assert_eq!(all(Some(&two)), expected);
}

/// Part of the next test, in a process that has used rayon's global pool before this library.
#[test]
#[ignore = "run by the next test"]
fn the_program_started_the_pool() {
    assert_eq!(rayon::join(|| 1, || 2), (1, 2));
    let length = || {
        let [a, b] = strings().map(|text| text.repeat(20));
        carrywave::lcs_length(&a, &b).unwrap()
    };
    assert!(in_child(|| length() > 0), "in a child");
}

#[test]
fn a_forked_child_computes_where_the_program_started_the_pool() {
    let this = std::env::current_exe().unwrap();
    let alone = ["--exact", "the_program_started_the_pool", "--ignored", "--test-threads=1"];
    assert!(std::process::Command::new(this).args(alone).status().unwrap().success());
}

/// Another thread of the parent uses the simulator during the fork: the child reports an error
/// instead of waiting for ever.
#[test]
fn a_simulator_in_use_by_another_thread_does_not_block_a_child() {
    let (simulator, stop) = (Simt::new(), std::sync::atomic::AtomicBool::new(false));
    let [a, b] = strings();
    let length = |simulator: &Simt| Comparison::new().on(simulator).length(&a[..90], &b[..90]);
    let expected = length(&simulator).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                length(&simulator).unwrap();
            }
        });
        let is_right = (0..5).all(|_| {
            in_child(|| match length(&simulator) {
                Ok(length) => length == expected,
                Err(error) => error.to_string().contains("fork") && length(&Simt::new()).unwrap() == expected,
            })
        });
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(is_right);
    });
}
