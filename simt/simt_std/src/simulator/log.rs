//! Groups accesses of a warp's lanes into warp accesses, for the costs.
//!
//! A lane records its accesses and goes on. When no lane can go on, the records are sorted into
//! warp accesses:
//!
//! ```text
//! lane 0   line 7   line 8            line 7   line 9
//! lane 1   line 7            line 7            line 9
//! lane 2   line 7   line 8            line 7   line 9
//!          └─────┘  └─────┘  └──────────────┘  └─────┘
//! ```
//!
//! Lanes that are behind catch up first, as they do on the hardware: those with fewer iterations of
//! a loop, then those on a lower line. If lanes make different numbers of iterations, this may
//! split an access that the hardware would do at once, until the lanes next synchronise.

use super::access::{Access, Space};
use super::cost::LaunchCosts;
use super::site::{Sites, SourceLocation};
use std::collections::VecDeque;

/// Number of accesses that a lane records before the others have to catch up.
const MAX_AHEAD: usize = 64;

/// The progress of a lane, estimated from its accesses.
#[derive(Debug, Clone, Copy, Default)]
struct LaneProgress {
    /// Number of jumps back in the source since all lanes last synchronised.
    jumps: u32,
    /// Last line that the lane has accessed.
    line: u32,
    /// True if it has synchronised with all other lanes since.
    met: bool,
}

/// A recorded access of a lane.
#[derive(Debug, Clone, Copy)]
struct Noted {
    jumps: u32,
    /// Number of the source line.
    site: u32,
    address: u64,
    size: u8,
    space: Space,
    access: Access,
}

impl Noted {
    /// Returns true if both are the same instruction in the same iteration.
    fn is_same_instruction(&self, other: &Noted) -> bool {
        (self.site, self.jumps, self.size) == (other.site, other.jumps, other.size)
            && (self.space, self.access) == (other.space, other.access)
    }

    /// Returns the sort key of accesses: they are served in this order.
    fn order(&self, sites: &Sites) -> (u32, &'static str, u32, u32, Space, Access, u8) {
        let place = sites.place(self.site);
        (self.jumps, place.file(), place.line(), place.column(), self.space, self.access, self.size)
    }
}

/// The recorded accesses of a warp's lanes.
#[derive(Debug)]
pub(super) struct WarpLog {
    progress: [LaneProgress; 32],
    lanes: [VecDeque<Noted>; 32],
}

impl Default for WarpLog {
    fn default() -> Self {
        Self { progress: [LaneProgress::default(); 32], lanes: std::array::from_fn(|_| VecDeque::new()) }
    }
}

impl WarpLog {
    /// Records an access of a lane; returns true if there is room for the next one.
    pub fn note(
        &mut self,
        lane: usize,
        (place, site): (SourceLocation, u32),
        (space, access): (Space, Access),
        (address, size): (u64, u32),
    ) -> bool {
        let (progress, line) = (&mut self.progress[lane], place.line());
        progress.jumps += u32::from(line < progress.line || (progress.met && line == progress.line));
        (progress.line, progress.met) = (line, false);
        let size = size as u8;
        self.lanes[lane].push_back(Noted { jumps: progress.jumps, site, address, size, space, access });
        self.lanes[lane].len() < MAX_AHEAD
    }

    /// Records that all lanes have synchronised: they are at one position, after the last line that
    /// any of them has accessed.
    pub fn meet(&mut self) {
        let line = self.progress.iter().map(|lane| lane.line).max().unwrap_or(0);
        self.progress.fill(LaneProgress { jumps: 0, line, met: true });
    }

    /// Sorts the recorded accesses into accesses of `warp`. Stops when a lane of `open` has no more
    /// records, because it may still record one that comes earlier.
    pub fn drain(&mut self, warp: (usize, usize), open: u32, sites: &Sites, costs: &mut LaunchCosts) {
        loop {
            let mut best: Option<&Noted> = None;
            let mut group = 0u32;
            for (lane, noted) in self.lanes.iter().enumerate() {
                match (noted.front(), best) {
                    (None, _) if open >> lane & 1 == 1 => return,
                    (None, _) => {}
                    (Some(noted), Some(other)) if noted.is_same_instruction(other) => group |= 1 << lane,
                    (Some(noted), Some(other)) if other.order(sites) <= noted.order(sites) => {}
                    (Some(noted), _) => (best, group) = (Some(noted), 1 << lane),
                }
            }
            let Some(&Noted { space, access, size, site, .. }) = best else { return };
            let (mut accesses, mut count) = ([(0, 0); 32], 0);
            for (lane, noted) in self.lanes.iter_mut().enumerate().filter(|(lane, _)| group >> lane & 1 == 1) {
                let first = noted.pop_front().expect("its first access is in the group");
                accesses[count] = (lane as u32, first.address);
                count += 1;
            }
            costs.add(warp, site, (space, access), size.into(), &accesses[..count]);
        }
    }
}
