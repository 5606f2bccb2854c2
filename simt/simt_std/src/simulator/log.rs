//! Which accesses of a warp's lanes are one warp access, for the costs.
//!
//! A lane notes its accesses and goes on; when no lane can go on, the notes are sorted into warp accesses:
//!
//! ```text
//! lane 0   line 7   line 8            line 7   line 9
//! lane 1   line 7            line 7            line 9
//! lane 2   line 7   line 8            line 7   line 9
//!          └─────┘  └─────┘  └──────────────┘  └─────┘
//! ```
//!
//! Lanes that are behind catch up first, as they do on the machine: fewer turns of a loop, then the lower line. Where lanes
//! take different numbers of turns, this may split what the machine would do at once, until they next meet.

use super::access::{Access, Space};
use super::cost::LaunchCosts;
use super::site::{Place, Sites};
use std::collections::VecDeque;

/// Accesses that a lane notes before the others have to catch up.
const MOST: usize = 64;

/// How far a lane is, as far as its accesses tell.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    /// Jumps back in the source since all lanes last met.
    jumps: u32,
    /// The last line that it has accessed.
    line: u32,
    /// Whether it has met all others since.
    met: bool,
}

/// An access of a lane.
#[derive(Debug, Clone, Copy)]
struct Noted {
    jumps: u32,
    /// The line's number.
    site: u32,
    address: u64,
    size: u8,
    space: Space,
    access: Access,
}

impl Noted {
    /// Whether two are the same instruction in the same turn.
    fn is_with(&self, other: &Noted) -> bool {
        (self.site, self.jumps, self.size) == (other.site, other.jumps, other.size)
            && (self.space, self.access) == (other.space, other.access)
    }

    /// In which order accesses are served.
    fn order(&self, sites: &Sites) -> (u32, &'static str, u32, u32, Space, Access, u8) {
        let place = sites.place(self.site);
        (self.jumps, place.file(), place.line(), place.column(), self.space, self.access, self.size)
    }
}

/// What the lanes of a warp have noted.
#[derive(Debug)]
pub(super) struct WarpLog {
    progress: [Progress; 32],
    lanes: [VecDeque<Noted>; 32],
}

impl Default for WarpLog {
    fn default() -> Self {
        Self { progress: [Progress::default(); 32], lanes: std::array::from_fn(|_| VecDeque::new()) }
    }
}

impl WarpLog {
    /// Notes an access of a lane; whether there is room for the next.
    pub fn note(
        &mut self,
        lane: usize,
        (place, site): (Place, u32),
        (space, access): (Space, Access),
        (address, size): (u64, u32),
    ) -> bool {
        let (progress, line) = (&mut self.progress[lane], place.line());
        progress.jumps += u32::from(line < progress.line || (progress.met && line == progress.line));
        (progress.line, progress.met) = (line, false);
        let size = size as u8;
        self.lanes[lane].push_back(Noted { jumps: progress.jumps, site, address, size, space, access });
        self.lanes[lane].len() < MOST
    }

    /// All lanes have met: they are at one place, behind the last line that any of them has accessed.
    pub fn meet(&mut self) {
        let line = self.progress.iter().map(|lane| lane.line).max().unwrap_or(0);
        self.progress.fill(Progress { jumps: 0, line, met: true });
    }

    /// Sorts what is noted into accesses of `warp`, until a lane of `open` has none left: it may note one that belongs in front.
    pub fn drain(&mut self, warp: (usize, usize), open: u32, sites: &Sites, costs: &mut LaunchCosts) {
        loop {
            let mut best: Option<&Noted> = None;
            let mut group = 0u32;
            for (lane, noted) in self.lanes.iter().enumerate() {
                match (noted.front(), best) {
                    (None, _) if open >> lane & 1 == 1 => return,
                    (None, _) => {}
                    (Some(noted), Some(other)) if noted.is_with(other) => group |= 1 << lane,
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
