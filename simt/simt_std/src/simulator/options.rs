//! How the simulator runs.

use super::schedule::{Course, Schedule};
use super::trace::Spaces;

/// How the simulator runs.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// True to count every memory access, for [`Simulator::costs`](super::Simulator::costs). Slower.
    pub accounting: bool,
    /// Blocks that are on the machine at a time; the others wait for a place. At least 1.
    pub resident_blocks: usize,
    /// Memories whose accesses are recorded, for [`Simulator::trace`](super::Simulator::trace). With none there is no trace.
    pub trace: Spaces,
    /// The seed of a random order of blocks, warps and lanes, as far as a launch leaves it open. A seed gives
    /// the same order every time. With `None` they run by their numbers. See [`schedules`](super::schedules).
    pub seed: Option<u64>,
    /// How the seed chooses the order.
    pub schedule: Schedule,
    /// True to keep the steps of every warp, for [`Simulator::timeline_html`](super::Simulator::timeline_html). Slower.
    pub timeline: bool,
    /// Whether what kernels print goes to standard output, too, and not only to [`Simulator::printed`](super::Simulator::printed).
    pub echo: bool,
    /// Limit on steps without progress. Beyond it a launch ends with [`FaultKind::Deadlock`](super::FaultKind::Deadlock). A step is an access or a meeting of
    /// any thread. Progress is a change of memory, the end of a thread, or the first read of an element. `u64::MAX`: no limit.
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
            echo: true,
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
