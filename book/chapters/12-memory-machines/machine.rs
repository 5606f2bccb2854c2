//! Chapter 12: the two machines in plain Rust, for the accesses that the simulator has recorded.

use simt_std::simulator::{Event, Simulator};
use std::collections::BTreeSet;

// ANCHOR: stages
/// Returns the stages of a warp's access on the DMM: the most different words in one bank.
pub fn dmm(words: &BTreeSet<u64>, w: u64) -> u64 {
    let of_bank = |bank| words.iter().filter(|&&word| word % w == bank).count() as u64;
    (0..w).map(of_bank).max().unwrap_or(0)
}

/// Returns the stages of a warp's access on the UMM: the number of different groups.
pub fn umm(words: &BTreeSet<u64>, w: u64) -> u64 {
    BTreeSet::from_iter(words.iter().map(|word| word / w)).len() as u64
}
// ANCHOR_END: stages

/// The cost of a launch's accesses on a machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    /// Stages of all warp accesses.
    pub stages: u64,
    /// Number of times that all threads access the memory together.
    pub turns: u64,
}

impl Load {
    // ANCHOR: time
    /// Returns the time units: after the last stage of a turn, the machine waits l - 1 more.
    pub fn time(self, l: u64) -> u64 {
        self.stages + self.turns * (l - 1)
    }
    // ANCHOR_END: time

    /// Counts the words that each thread accesses between two barriers, in its own order.
    pub fn add(&mut self, words: &[Vec<u64>], w: u64, stages: fn(&BTreeSet<u64>, u64) -> u64) {
        let turns = words.iter().map(Vec::len).max().unwrap_or(0);
        for turn in 0..turns {
            for warp in words.chunks(w as usize) {
                let accessed = warp.iter().filter_map(|thread| thread.get(turn).copied());
                self.stages += stages(&accessed.collect(), w);
            }
        }
        self.turns += turns as u64;
    }
}

/// Returns the words of an array of `u32` that the threads of the last launch accessed: one list
/// for each part of the launch between two barriers, with the words of each thread.
pub fn recorded(gpu: &Simulator, array: &str) -> Vec<Vec<Vec<u64>>> {
    let trace = gpu.trace().expect("a trace is recorded");
    let launch = trace.launches().last().expect("a kernel has run");
    let mut parts: Vec<Vec<Vec<u64>>> = Vec::new();
    for thread in 0..launch.threads() {
        let mut part = 0;
        for event in (0..).map_while(|i| trace.event(launch, thread, i)) {
            match event {
                Event::Barrier => part += 1,
                Event::Access { site, offset } => {
                    let region = trace.sites()[site as usize].region;
                    if trace.regions()[region as usize].name == array {
                        parts.resize(parts.len().max(part + 1), vec![Vec::new(); launch.threads()]);
                        parts[part][thread].push(offset / 4);
                    }
                }
                Event::Warp { .. } => {}
            }
        }
    }
    parts
}

#[test]
fn stages_of_warps_of_four() {
    let accesses = [[0, 1, 2, 3], [3, 4, 5, 6], [0, 5, 10, 15], [0, 4, 8, 1], [6, 6, 6, 6]].map(BTreeSet::from);
    assert_eq!(accesses.each_ref().map(|words| dmm(words, 4)), [1, 1, 1, 3, 1]);
    assert_eq!(accesses.each_ref().map(|words| umm(words, 4)), [1, 2, 4, 3, 1]);
}

#[test]
fn a_warp_without_accesses_takes_no_stage() {
    let mut load = Load::default();
    load.add(&[vec![0, 7], vec![1], vec![2], vec![3]], 2, umm);
    assert_eq!((load.stages, load.turns, load.time(10)), (3, 2, 3 + 2 * 9));
}
