//! Counts the costs of a launch: of warp accesses and meetings by source line, and of the launch as
//! a whole.

use super::access::{Access, Space};
use super::footprint::SectorSet;
use super::timeline::LaunchTimeline;
use super::wavefronts::{LaneAddress, sectors, turns, wavefronts};
use serde::Serialize;
use std::collections::HashMap;
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

/// The counts of launches that belong to no source line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LaunchTotals {
    /// Number of blocks that ran to their end.
    pub blocks: u64,
    /// Number of threads of a block, in the last launch.
    pub threads: u32,
    /// Bytes of shared memory of a block, in the last launch.
    pub shared_bytes: u32,
    /// Number of 32-byte sectors of global memory that blocks load; each counts once a block.
    pub block_read_sectors: u64,
    /// Number of 32-byte sectors of global memory that launches load; each counts once a launch.
    pub read_sectors: u64,
    /// Number of 32-byte sectors of global memory that launches write, also by atomic operations;
    /// each counts once a launch.
    pub written_sectors: u64,
    /// Number of lanes' atomic operations at the most frequent word of global memory, summed over
    /// the launches.
    pub busiest_word: u64,
}

impl AddAssign for LaunchTotals {
    fn add_assign(&mut self, later: Self) {
        self.blocks += later.blocks;
        self.threads = later.threads;
        self.shared_bytes = later.shared_bytes;
        self.block_read_sectors += later.block_read_sectors;
        self.read_sectors += later.read_sectors;
        self.written_sectors += later.written_sectors;
        self.busiest_word += later.busiest_word;
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

/// The sectors that a block touches.
#[derive(Debug, Default)]
struct BlockFootprint {
    read: SectorSet,
    written: SectorSet,
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
    totals: LaunchTotals,
    /// The sectors that blocks have read and written.
    footprint: BlockFootprint,
    /// Indexed by slot: those of the block that runs there.
    footprints: Vec<BlockFootprint>,
    /// Atomic operations of lanes at each address of global memory.
    atomics: HashMap<u64, u64>,
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

/// Adds the elements of a list to those of another one, which grows as needed. The lists have
/// `each` elements for each line, whose number in the first list is `number`.
fn add_elements<T: Default + Copy + AddAssign>(
    list: &mut Vec<T>,
    other: &[T],
    each: usize,
    number: impl Fn(u32) -> u32,
) {
    for (i, &cost) in other.iter().enumerate() {
        *at(list, number((i / each) as u32) as usize * each + i % each) += cost;
    }
}

const SPACES: [Space; 2] = [Space::Global, Space::Shared];
const ACCESSES: [Access; 3] = [Access::Read, Access::Write, Access::Atomic];
const MEETINGS: [Meeting; 2] = [Meeting::Barrier, Meeting::Warp];

impl LaunchCosts {
    /// Makes empty costs of blocks of `threads` threads, with a timeline to record if there is one.
    pub fn new(threads: u32, timeline: Option<LaunchTimeline>) -> Self {
        Self { totals: LaunchTotals { threads, ..LaunchTotals::default() }, timeline, ..Self::default() }
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
                self.touch(warp.0, access, size, lanes);
                sectors
            }
        };
        if let Some(timeline) = &mut self.timeline {
            timeline.access(warp, (space, access), site, (size, lanes), takes);
        }
    }

    /// Adds the sectors of an access by the block in a slot, and its atomic operations.
    fn touch(&mut self, slot: usize, access: Access, size: u32, lanes: &[LaneAddress]) {
        if slot >= self.footprints.len() {
            self.footprints.resize_with(slot + 1, BlockFootprint::default);
        }
        let block = &mut self.footprints[slot];
        if access == Access::Read {
            block.read.add(size, lanes);
        }
        if access != Access::Read {
            block.written.add(size, lanes);
        }
        if access == Access::Atomic {
            lanes.iter().for_each(|(_, address)| *self.atomics.entry(*address).or_default() += 1);
        }
    }

    /// Counts a line that `lanes` lanes of a warp ran `times` times; returns `times` if these are
    /// all threads of the warp, else 0.
    fn count_lanes(&mut self, warp: usize, site: u32, lanes: u32, times: u64) -> u64 {
        let all = self.totals.threads.saturating_sub(32 * warp as u32).min(32);
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

    /// Counts the end of the block in a slot, which has used `shared` bytes of shared memory.
    pub fn end_block(&mut self, slot: usize, shared: u32) {
        self.totals.blocks += 1;
        self.totals.shared_bytes = self.totals.shared_bytes.max(shared);
        if let Some(block) = self.footprints.get_mut(slot) {
            self.totals.block_read_sectors += block.read.count();
            self.footprint.read.add_all(&block.read);
            self.footprint.written.add_all(&block.written);
            block.read.clear();
            block.written.clear();
        }
    }

    /// Adds the costs of other blocks of the launch, without those that still run there. `number`
    /// returns the number here of a source line that has another number in `other`.
    pub fn merge(&mut self, other: Self, number: impl Fn(u32) -> u32) {
        add_elements(&mut self.rows, &other.rows, 8, &number);
        add_elements(&mut self.meetings, &other.meetings, 2, &number);
        add_elements(&mut self.divergence, &other.divergence, 1, &number);
        let shared_bytes = self.totals.shared_bytes.max(other.totals.shared_bytes);
        self.totals += LaunchTotals { shared_bytes, ..other.totals };
        self.footprint.read.add_all(&other.footprint.read);
        self.footprint.written.add_all(&other.footprint.written);
        other.atomics.into_iter().for_each(|(address, count)| *self.atomics.entry(address).or_default() += count);
        self.timeline = self.timeline.take().or(other.timeline);
    }

    /// Returns the counts of the whole launch.
    pub fn totals(&self) -> LaunchTotals {
        LaunchTotals {
            read_sectors: self.footprint.read.count(),
            written_sectors: self.footprint.written.count(),
            busiest_word: self.atomics.values().copied().max().unwrap_or(0),
            ..self.totals
        }
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

#[cfg(test)]
mod tests {
    use super::{Access, LaunchCosts, Meeting, Space};

    /// Counts the blocks `blocks` of a launch of blocks of 40 threads: each block's warp 1, with 8
    /// threads, adds to one word, and reads the block's own sector.
    fn counted(blocks: std::ops::Range<u64>) -> LaunchCosts {
        let mut costs = LaunchCosts::new(40, None);
        for block in blocks {
            let lanes: Vec<(u32, u64)> = (0..8).map(|lane| (lane, 4096)).collect();
            costs.add((0, 1), 3, (Space::Global, Access::Atomic), 4, &lanes);
            costs.add((0, 1), 4, (Space::Global, Access::Read), 4, &[(2, block * 32)]);
            costs.add_meeting(1, 5, Meeting::Barrier, 8, 1);
            costs.end_block(0, 100 + block as u32);
        }
        costs
    }

    #[test]
    fn costs_of_blocks_add_up() {
        let whole = counted(0..5);
        let mut parts = counted(0..2);
        parts.merge(counted(2..5), |line| line);
        parts.merge(LaunchCosts::new(40, None), |line| line);
        assert_eq!(parts.totals(), whole.totals());
        let totals = whole.totals();
        // Each block reads its own sector; all of them change one other sector.
        assert_eq!((totals.blocks, totals.threads, totals.shared_bytes), (5, 40, 104));
        assert_eq!((totals.block_read_sectors, totals.read_sectors, totals.written_sectors), (5, 5, 1));
        assert_eq!(totals.busiest_word, 5 * 8);
        for costs in [&whole, &parts] {
            let rows: Vec<_> = costs.accesses().map(|row| (row.site, row.cost.turns, row.cost.undivided)).collect();
            assert_eq!(rows, [(3, 5 * 8, 5), (4, 0, 0)]);
            let meetings: Vec<_> = costs.meetings().map(|row| (row.site, row.cost.lanes, row.cost.undivided)).collect();
            assert_eq!(meetings, [(5, 40, 5)]);
            let efficiency: Vec<f64> = costs.divergence().map(|(_, line)| line.branch_efficiency()).collect();
            assert_eq!(efficiency, [1.0, 0.0, 1.0]);
        }
    }
}
