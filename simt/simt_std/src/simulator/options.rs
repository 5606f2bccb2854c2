//! Options of the simulator.

use super::schedule::{Course, Schedule};
use super::trace::Spaces;

/// Options of the simulator.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// True to count every memory access, for [`Simulator::costs`](super::Simulator::costs).
    /// Slower.
    pub accounting: bool,
    /// Number of blocks that are resident at a time; the others wait for a free slot. At least 1.
    pub resident_blocks: usize,
    /// Memories whose accesses are recorded, for [`Simulator::trace`](super::Simulator::trace). If
    /// empty, there is no trace.
    pub trace: Spaces,
    /// Seed of a random order of blocks, warps and lanes, within the freedom that a launch leaves.
    /// A seed always gives the same order. With `None`, they run in the order of their numbers. See
    /// [`schedules`](super::schedules).
    pub seed: Option<u64>,
    /// Method of choosing the order from the seed.
    pub schedule: Schedule,
    /// True to record the steps of every warp, for
    /// [`Simulator::timeline_html`](super::Simulator::timeline_html). Slower.
    pub timeline: bool,
    /// True to record the address of every lane in the timeline, for
    /// [`Simulator::timeline_json`](super::Simulator::timeline_json). Needs
    /// [`timeline`](Self::timeline), and about 300 bytes a step.
    pub addresses: bool,
    /// True to print the kernels' text to standard output, and not only to
    /// [`Simulator::printed`](super::Simulator::printed).
    pub echo: bool,
    /// Number of host threads that run the blocks of a launch; 0: one for each core. Results,
    /// faults and costs do not depend on it. One host thread runs a small launch, a closure, and a
    /// kernel with atomic operations in global memory, prints or clocks.
    pub host_threads: usize,
    /// Limit on steps without progress, beyond which a launch ends with
    /// [`FaultKind::Deadlock`](super::FaultKind::Deadlock). A step is an access or a
    /// synchronisation of any thread. Progress is a change of memory, the end of a thread, or the
    /// first read of an element. `u64::MAX`: no limit.
    pub spin_limit: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            accounting: false,
            resident_blocks: 8,
            trace: Spaces::default(),
            seed: None,
            schedule: Schedule::default(),
            timeline: false,
            addresses: false,
            echo: true,
            host_threads: 0,
            spin_limit: 1 << 22,
        }
    }
}

impl Options {
    pub(super) fn course(&self) -> Course {
        match (self.seed, self.schedule) {
            (None, _) => Course::InOrder,
            (_, Schedule::Priorities { changes }) => Course::Priorities(Some(changes)),
            (Some(seed), Schedule::Mixed) if seed % 4 != 0 => Course::Priorities(None),
            (_, Schedule::Mixed | Schedule::Dice) => Course::Dice,
        }
    }
}
