//! Costs that an exercise can limit.

use crate::simulator::access::Space;
use crate::simulator::cost::Meeting;
use crate::simulator::costs::Costs;

/// A cost that an exercise can limit: a number of the launches without a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cost {
    /// Bank conflicts in shared memory.
    Conflicts,
    /// Wavefronts of shared memory.
    Wavefronts,
    /// Sectors of global memory, of 32 bytes each.
    Sectors,
    /// Warp accesses of global memory: the loads, stores and atomic operations that warps execute.
    GlobalAccesses,
    /// Warp accesses of shared memory.
    SharedAccesses,
    /// Barriers of a block; each counts once for each warp.
    Barriers,
    /// Collectives of a warp: shuffles, votes, matches and barriers of the warp.
    Collectives,
    /// Steps: all warp accesses, barriers and collectives.
    Steps,
}

/// The cost of one source line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CostLine {
    pub file: &'static str,
    pub line: u32,
    pub cost: u64,
}

impl Cost {
    /// Returns the total.
    pub fn total(self, costs: &Costs) -> u64 {
        self.rows(costs).map(|row| row.cost).sum()
    }

    /// Returns the cost of each row of the costs.
    fn rows(self, costs: &Costs) -> impl Iterator<Item = CostLine> {
        let lines = costs.lines().map(move |(file, line, space, _, cost)| {
            let cost = match (self, space) {
                (Cost::Conflicts, _) => cost.conflicts,
                (Cost::Wavefronts, _) => cost.wavefronts,
                (Cost::Sectors, _) => cost.sectors,
                (Cost::Steps, _) => cost.accesses,
                (Cost::GlobalAccesses, Space::Global) | (Cost::SharedAccesses, Space::Shared) => cost.accesses,
                _ => 0,
            };
            CostLine { file, line, cost }
        });
        let meetings = costs.meetings().map(move |(file, line, meeting, cost)| {
            let counts = match meeting {
                Meeting::Barrier => matches!(self, Cost::Barriers | Cost::Steps),
                Meeting::Warp => matches!(self, Cost::Collectives | Cost::Steps),
            };
            CostLine { file, line, cost: if counts { cost.times } else { 0 } }
        });
        lines.chain(meetings)
    }

    /// Returns the source lines with this cost, the highest first.
    pub(super) fn by_line(self, costs: &Costs) -> Vec<CostLine> {
        let mut lines: Vec<CostLine> = Vec::new();
        for row in self.rows(costs).filter(|row| row.cost > 0) {
            match lines.iter_mut().find(|known| known.file == row.file && known.line == row.line) {
                Some(known) => known.cost += row.cost,
                None => lines.push(row),
            }
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.cost));
        lines
    }

    /// Returns the name of several.
    pub(super) fn name(self) -> &'static str {
        match self {
            Cost::Conflicts => "bank conflicts",
            Cost::Wavefronts => "wavefronts of shared memory",
            Cost::Sectors => "sectors of global memory",
            Cost::GlobalAccesses => "warp accesses of global memory",
            Cost::SharedAccesses => "warp accesses of shared memory",
            Cost::Barriers => "barriers",
            Cost::Collectives => "collectives of a warp",
            Cost::Steps => "steps",
        }
    }
}
