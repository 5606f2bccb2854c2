//! Counts the costs of a launch: of warp accesses and of meetings, by source line.

use super::access::{Access, Space};
use super::timeline::LaunchTimeline;
use super::totals::BlockTotals;
use super::wavefronts::{LaneAddress, sectors, turns, wavefronts};
use serde::Serialize;
use std::fmt;
use std::ops::AddAssign;

/// The cost of one source line's accesses of one type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LineCost {
    /// Number of warp accesses: the lanes of a warp that access the line together make one.
    pub accesses: u64,
    /// Number of lane accesses.
    pub lanes: u64,
    /// Number of bytes that all lanes request.
    pub bytes: u64,
    /// Shared memory: number of wavefronts. A wavefront takes one cycle; in it, each bank serves
    /// one word, or one lane of an atomic operation.
    pub wavefronts: u64,
    /// Shared memory: bank conflicts, that is, wavefronts beyond the conflict-free number for
    /// accesses of this width.
    pub conflicts: u64,
    /// Global memory: number of 32-byte sectors accessed, counted for each warp access.
    pub sectors: u64,
    /// Atomic operations: number of turns. In a turn, each address serves one lane, so a warp
    /// access takes as many turns as its most frequent address has lanes: 1 to 32.
    pub turns: u64,
    /// Number of warp accesses in which all threads of the warp took part.
    pub undivided: u64,
}

impl LineCost {
    /// Returns the share of warp accesses in which all threads of the warp took part, 0 to 1; 1
    /// without accesses.
    pub fn branch_efficiency(&self) -> f64 {
        share(self.undivided, self.accesses)
    }
}

impl AddAssign for LineCost {
    fn add_assign(&mut self, other: Self) {
        self.accesses += other.accesses;
        self.lanes += other.lanes;
        self.bytes += other.bytes;
        self.wavefronts += other.wavefronts;
        self.conflicts += other.conflicts;
        self.sectors += other.sectors;
        self.turns += other.turns;
        self.undivided += other.undivided;
    }
}

/// A synchronisation of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Meeting {
    /// A barrier of the block.
    Barrier,
    /// A collective of a warp: a shuffle, a vote or a barrier of the warp.
    Warp,
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Meeting::Barrier => "barrier",
            Meeting::Warp => "warp",
        })
    }
}

/// The cost of one source line at which threads synchronise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct MeetingCost {
    /// Number of times that a warp ran the line.
    pub times: u64,
    /// Number of lanes that took part, summed over these times.
    pub lanes: u64,
    /// Number of warp instructions: 2 for each shuffle of 64 bits, else 1.
    pub instructions: u64,
    /// Number of times that all threads of the warp took part.
    pub undivided: u64,
}

impl MeetingCost {
    /// Returns the share of times that all threads of the warp took part, 0 to 1; 1 if the line
    /// never ran.
    pub fn branch_efficiency(&self) -> f64 {
        share(self.undivided, self.times)
    }
}

impl AddAssign for MeetingCost {
    fn add_assign(&mut self, other: Self) {
        self.times += other.times;
        self.lanes += other.lanes;
        self.instructions += other.instructions;
        self.undivided += other.undivided;
    }
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 1.0 } else { part as f64 / all as f64 }
}

/// The divergence at one source line: the number of lanes with which its accesses, collectives and
/// barriers ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Divergence {
    /// Number of times that a warp ran the line with a given number of lanes, the index: 1 to 32.
    pub times_by_lanes: [u64; 33],
    /// Number of times that all threads of the warp took part: 32, or fewer in a block's last warp.
    pub undivided: u64,
}

impl Default for Divergence {
    fn default() -> Self {
        Self { times_by_lanes: [0; 33], undivided: 0 }
    }
}

impl Divergence {
    /// Returns the number of times that a warp ran the line. Several accesses of a line count each.
    pub fn times(&self) -> u64 {
        self.times_by_lanes.iter().sum()
    }

    /// Returns the share of times that all threads of the warp took part, 0 to 1. The profiler's
    /// branch efficiency is similar: the share of branches at which a warp stays together.
    pub fn branch_efficiency(&self) -> f64 {
        share(self.undivided, self.times())
    }

    /// Returns the share of the 32 lanes that took part on average, 0 to 1 (Nsight Compute:
    /// `smsp__thread_inst_executed_per_inst_executed.ratio` / 32).
    pub fn lane_efficiency(&self) -> f64 {
        let lanes: u64 = (0..).zip(self.times_by_lanes).map(|(lanes, times): (u64, u64)| lanes * times).sum();
        share(lanes, 32 * self.times())
    }
}

impl AddAssign for Divergence {
    fn add_assign(&mut self, other: Self) {
        self.times_by_lanes.iter_mut().zip(other.times_by_lanes).for_each(|(sum, times)| *sum += times);
        self.undivided += other.undivided;
    }
}

/// A row of the accesses of a line: the line's number in the table of sites, and the type.
#[derive(Debug, Clone, Copy)]
pub(super) struct AccessRow {
    pub site: u32,
    pub space: Space,
    pub access: Access,
    pub cost: LineCost,
}

/// A row of the meetings of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeetingRow {
    pub site: u32,
    pub meeting: Meeting,
    pub cost: MeetingCost,
}

/// The costs of one launch, by the lines' numbers in the table of sites, or of some of its blocks.
#[derive(Debug, Default)]
pub(super) struct LaunchCosts {
    /// Indexed by line × 8 + memory space × 4 + type of access.
    rows: Vec<LineCost>,
    /// Indexed by line × 2 + type of synchronisation.
    meetings: Vec<MeetingCost>,
    /// Indexed by line.
    divergence: Vec<Divergence>,
    /// Counts that belong to no line.
    pub blocks: BlockTotals,
    /// Steps of the warps, or `None` if no timeline is recorded.
    pub timeline: Option<LaunchTimeline>,
}

/// Returns element `i` of a list, which grows as needed.
fn at<T: Default + Clone>(list: &mut Vec<T>, i: usize) -> &mut T {
    if i >= list.len() {
        list.resize(i + 1, T::default());
    }
    &mut list[i]
}

const SPACES: [Space; 2] = [Space::Global, Space::Shared];
const ACCESSES: [Access; 3] = [Access::Read, Access::Write, Access::Atomic];
const MEETINGS: [Meeting; 2] = [Meeting::Barrier, Meeting::Warp];

impl LaunchCosts {
    /// Makes empty costs of blocks of `threads` threads, with a timeline to record if there is one.
    pub fn new(threads: u32, timeline: Option<LaunchTimeline>) -> Self {
        Self { blocks: BlockTotals::new(threads), timeline, ..Self::default() }
    }

    /// Adds one access of a warp, given as its block's slot and its number: each entry of `lanes`
    /// is a lane and the byte address of its `size` bytes.
    pub fn add(
        &mut self,
        warp: (usize, usize),
        site: u32,
        (space, access): (Space, Access),
        size: u32,
        lanes: &[LaneAddress],
    ) {
        let undivided = self.count_lanes(warp.1, site, lanes.len() as u32, 1);
        let cost = at(&mut self.rows, site as usize * 8 + space as usize * 4 + access as usize);
        cost.accesses += 1;
        cost.lanes += lanes.len() as u64;
        cost.bytes += lanes.len() as u64 * u64::from(size);
        cost.undivided += undivided;
        if access == Access::Atomic {
            cost.turns += turns(lanes);
        }
        let takes = match space {
            Space::Shared => {
                let wavefronts = wavefronts(access, size, lanes);
                cost.wavefronts += wavefronts.taken;
                cost.conflicts += wavefronts.taken - wavefronts.least;
                wavefronts.taken
            }
            Space::Global => {
                let sectors = sectors(size, lanes);
                cost.sectors += sectors;
                self.blocks.add(warp.0, access, size, lanes);
                sectors
            }
        };
        if let Some(timeline) = &mut self.timeline {
            timeline.access(warp, (space, access), site, (size, lanes), takes);
        }
    }

    /// Counts a line that `lanes` lanes of a warp ran `times` times; returns `times` if these are
    /// all threads of the warp, else 0.
    fn count_lanes(&mut self, warp: usize, site: u32, lanes: u32, times: u64) -> u64 {
        let all = self.blocks.threads.saturating_sub(32 * warp as u32).min(32);
        let undivided = if lanes >= all { times } else { 0 };
        let divergence = at(&mut self.divergence, site as usize);
        divergence.times_by_lanes[lanes.min(32) as usize] += times;
        divergence.undivided += undivided;
        undivided
    }

    /// Counts one run of a line at which the threads of a warp synchronise: `warp` is its number in
    /// the block, `lanes` the number of lanes, and `instructions` that of warp instructions.
    pub fn add_meeting(&mut self, warp: usize, site: u32, meeting: Meeting, lanes: u32, instructions: u64) {
        let undivided = self.count_lanes(warp, site, lanes, 1);
        *at(&mut self.meetings, site as usize * 2 + meeting as usize) +=
            MeetingCost { times: 1, lanes: lanes.into(), instructions, undivided };
    }

    /// Returns the accesses by line.
    pub fn accesses(&self) -> impl Iterator<Item = AccessRow> {
        let row = |(i, &cost): (usize, &LineCost)| AccessRow {
            site: (i / 8) as u32,
            space: SPACES[i / 4 % 2],
            access: ACCESSES[i % 4],
            cost,
        };
        self.rows.iter().enumerate().filter(|(_, cost)| cost.accesses != 0).map(row)
    }

    /// Returns the meetings by line.
    pub fn meetings(&self) -> impl Iterator<Item = MeetingRow> {
        let row =
            |(i, &cost): (usize, &MeetingCost)| MeetingRow { site: (i / 2) as u32, meeting: MEETINGS[i % 2], cost };
        self.meetings.iter().enumerate().filter(|(_, cost)| cost.times != 0).map(row)
    }

    /// Returns the divergence by line: the line's number and the counts.
    pub fn divergence(&self) -> impl Iterator<Item = (u32, Divergence)> {
        let lines = (0..).zip(&self.divergence).map(|(site, &divergence)| (site, divergence));
        lines.filter(|(_, divergence)| divergence.times() != 0)
    }
}
