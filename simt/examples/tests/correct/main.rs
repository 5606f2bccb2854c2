//! Correct kernels with difficult synchronisation: under 200 schedules each, the simulator reports
//! nothing, and the results are right.

#[path = "../common/mod.rs"]
mod common;

mod block;
mod blocks;
mod lock_free;
mod locks;
mod warps;

use simt_std::simulator::{Fault, Options, ScheduleError, Simulator, schedules};

/// Number of schedules of each kernel; debug builds are ten times slower.
const SCHEDULES: u64 = if cfg!(debug_assertions) { 20 } else { 200 };

/// A correct kernel: the host code that runs it, and the result that plain code computes.
pub struct Case {
    name: &'static str,
    run: fn(&mut Simulator) -> Result<Vec<u32>, Fault>,
    expected: Vec<u32>,
}

/// Makes a case.
pub fn case(name: &'static str, run: fn(&mut Simulator) -> Result<Vec<u32>, Fault>, expected: Vec<u32>) -> Case {
    Case { name, run, expected }
}

/// Checks that kernels are right and silent under many schedules.
fn check(cases: Vec<Case>) {
    for Case { name, run, expected } in cases {
        match schedules(SCHEDULES, Options::default(), run) {
            Ok(result) => assert_eq!(result, expected, "{name}"),
            Err(ScheduleError::Differs { seed, expected, got }) => {
                panic!("{name}: {got:?} with seed {seed}, {expected:?} without one")
            }
            Err(other) => panic!("{name}: {other}"),
        }
    }
}

#[test]
fn kernels_of_one_warp() {
    check(warps::cases());
}

#[test]
fn kernels_of_one_block() {
    check(block::cases());
}

#[test]
fn kernels_of_many_blocks() {
    check(blocks::cases());
}

#[test]
fn locks_and_flags() {
    check(locks::cases());
}

#[test]
fn lock_free_structures() {
    check(lock_free::cases());
}

#[test]
fn there_are_at_least_40_kernels() {
    let all = [warps::cases(), block::cases(), blocks::cases(), locks::cases(), lock_free::cases()];
    let mut names: Vec<_> = all.iter().flatten().map(|case| case.name).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() >= 40, "{}", names.len());
}
