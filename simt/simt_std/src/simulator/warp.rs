//! A warp: its lanes, the accesses at which they meet, and the collectives.

use super::cost::{LaunchCosts, Meeting};
use super::fault::Access;
use super::launch::{Index, with_launch};
use super::memory::Space;
use super::site::Place;
use super::stack::FiberStack;
use crate::warp::Shuffle;
use corosensei::Coroutine;

/// A thread's coroutine.
pub(super) type Fiber = Coroutine<u64, Request, (), FiberStack>;

/// An operation of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collective {
    Sync,
    Ballot,
    MatchAny,
    Shuffle { kind: Shuffle, operand: u32, width: u32 },
}

/// Why a thread suspends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Request {
    Barrier(Place),
    Collective {
        operation: Collective,
        mask: u32,
        value: u64,
        location: Place,
    },
    Access {
        space: Space,
        access: Access,
        address: u64,
        size: u32,
        location: Place,
        /// The line's number.
        site: u32,
    },
    /// Others first: the thread may be spinning.
    Yield,
    /// The thread found a fault and ends.
    Fault,
}

/// What a thread is at.
pub(super) enum Lane {
    Ready(u64),
    Waiting(Request),
    Done,
}

/// How far a lane is, as far as its accesses tell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Progress {
    /// Jumps back in the source since all lanes last met.
    jumps: u32,
    /// The last line that it has accessed.
    line: u32,
    /// Whether it has met all others since.
    met: bool,
}

impl Progress {
    pub fn access(&mut self, line: u32) {
        self.jumps += u32::from(line < self.line || (self.met && line == self.line));
        (self.line, self.met) = (line, false);
    }
}

/// A warp on the machine.
pub(super) struct Warp {
    pub fibers: Vec<Option<Fiber>>,
    pub lanes: Vec<Lane>,
    /// What each lane can ask about itself.
    pub indices: Vec<Index>,
    /// How far each lane is.
    pub progress: Vec<Progress>,
}

/// A rule that a collective breaks, and the lane and line where.
pub(super) struct Broken {
    pub reason: String,
    pub lane: usize,
    pub location: Place,
}

impl Warp {
    /// All lanes have met: they are at one place, behind the last line that any of them has accessed.
    pub fn meet(&mut self) {
        let line = self.progress.iter().map(|lane| lane.line).max().unwrap_or(0);
        self.progress.fill(Progress { jumps: 0, line, met: true });
    }

    /// Makes one group of lanes that wait at the same access a warp access; whether there was one.
    pub fn serve_access(&mut self, costs: &mut LaunchCosts) -> bool {
        // Lanes that are behind catch up first, as they do on the machine: fewer turns of a loop, then the lower line.
        // Where lanes take different numbers of turns, this may split what the machine would do at once, until they
        // next meet.
        let mut best: Option<(u32, &Request)> = None;
        let mut group = 0u32;
        for (number, (lane, progress)) in self.lanes.iter().zip(&self.progress).enumerate() {
            let Lane::Waiting(request @ Request::Access { .. }) = lane else { continue };
            match best {
                Some((jumps, other)) if jumps == progress.jumps && request.is_same_access(other) => {
                    group |= 1 << number
                }
                Some((jumps, other)) if (jumps, other.access_order()) <= (progress.jumps, request.access_order()) => {}
                _ => (best, group) = (Some((progress.jumps, request)), 1 << number),
            }
        }
        let Some((_, &Request::Access { space, access, size, site, .. })) = best else { return false };
        let (mut accesses, mut count) = ([(0, 0); 32], 0);
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            if group >> number & 1 == 1
                && let Lane::Waiting(Request::Access { address, .. }) = *lane
            {
                accesses[count] = (number as u32, address);
                count += 1;
                *lane = Lane::Ready(0);
            }
        }
        costs.add(site, space, access, size, &accesses[..count]);
        true
    }

    /// Answers one collective whose lanes are all there; whether there was one. `slot`, `warp`: where this warp is.
    pub fn serve_collective(
        &mut self,
        slot: usize,
        warp: usize,
        costs: Option<&mut LaunchCosts>,
    ) -> Result<bool, Broken> {
        for lane in 0..self.lanes.len() {
            let Some((operation, mask, _, location)) = self.lanes[lane].collective() else { continue };
            let broken = |reason, lane| Broken { reason, lane, location };
            if let Some(reason) = self.broken_rule(lane, operation, mask) {
                return Err(broken(reason, lane));
            }
            let members = || (0..32usize).filter(|l| mask >> l & 1 == 1);
            if !members().all(|l| self.collective_of(l).is_some()) {
                continue;
            }
            let mut answers = [0u64; 32];
            for l in members() {
                answers[l] = self.answer(l, mask).map_err(|reason| broken(reason, l))?;
            }
            if operation == Collective::Sync {
                with_launch(|launch| {
                    if let Some(block) = &mut launch.blocks[slot] {
                        block.order.sync_warp(warp, mask);
                    }
                });
            }
            for l in members() {
                self.lanes[l] = Lane::Ready(answers[l]);
            }
            if mask == crate::FULL_WARP {
                self.meet();
            }
            if let Some(costs) = costs {
                let site = with_launch(|launch| launch.machine.sites.number(location));
                costs.add_meeting(site, Meeting::Warp, mask.count_ones());
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn collective_of(&self, lane: usize) -> Option<(Collective, u32, u64, Place)> {
        self.lanes.get(lane).and_then(Lane::collective)
    }

    /// The rule that a lane breaks which waits at a collective, as far as the lanes show that are there.
    fn broken_rule(&self, lane: usize, operation: Collective, mask: u32) -> Option<String> {
        if mask >> lane & 1 == 0 {
            return Some(format!("the mask {mask:#010x} does not name lane {lane}, which calls"));
        }
        let elsewhere = (0..32).filter(|l| mask >> l & 1 == 1).find(|&l| {
            self.collective_of(l).is_some_and(|(other, m, ..)| m != mask || !same_instruction(other, operation))
        });
        if let Some(l) = elsewhere {
            return Some(format!("lane {l} of the mask {mask:#010x} waits at another collective or mask"));
        }
        match operation {
            Collective::Shuffle { width, .. } if !width.is_power_of_two() || width > 32 => {
                Some(format!("a shuffle's width is 1, 2, 4, 8, 16 or 32, not {width}"))
            }
            _ => None,
        }
    }

    /// What a lane gets from the collective that all lanes of `mask` are at.
    fn answer(&self, lane: usize, mask: u32) -> Result<u64, String> {
        let members = || (0..32usize).filter(|l| mask >> l & 1 == 1);
        let value_of = |l: usize| self.collective_of(l).map_or(0, |(_, _, value, _)| value);
        let own = value_of(lane);
        Ok(match self.collective_of(lane).map(|(operation, ..)| operation) {
            None | Some(Collective::Sync) => 0,
            Some(Collective::Ballot) => members().map(|m| (value_of(m) & 1) << m).sum(),
            Some(Collective::MatchAny) => members().filter(|&m| value_of(m) == own).map(|m| 1u64 << m).sum(),
            Some(Collective::Shuffle { kind, operand, width }) => match kind.source(lane as u32, operand, width) {
                None => own,
                Some(source) if mask >> source & 1 == 0 => {
                    return Err(format!("lane {lane} reads lane {source}, which is not in the mask {mask:#010x}"));
                }
                Some(source) => value_of(source as usize),
            },
        })
    }
}

impl Lane {
    fn collective(&self) -> Option<(Collective, u32, u64, Place)> {
        match self {
            Lane::Waiting(Request::Collective { operation, mask, value, location }) => {
                Some((*operation, *mask, *value, *location))
            }
            _ => None,
        }
    }
}

impl Request {
    /// Whether two accesses are the same instruction.
    fn is_same_access(&self, other: &Request) -> bool {
        match (self, other) {
            (
                Request::Access { space, access, size, site, .. },
                Request::Access { space: space2, access: access2, size: size2, site: site2, .. },
            ) => (site, size, access, space) == (site2, size2, access2, space2),
            _ => false,
        }
    }

    /// In which order the accesses of lanes are served that are equally far.
    fn access_order(&self) -> Option<(&'static str, u32, u32, Space, Access, u32)> {
        match self {
            Request::Access { space, access, size, location, .. } => {
                Some((location.file(), location.line(), location.column(), *space, *access, *size))
            }
            _ => None,
        }
    }
}

/// Whether two lanes are at the same instruction: operands may differ, except for a shuffle's kind and width.
fn same_instruction(a: Collective, b: Collective) -> bool {
    match (a, b) {
        (Collective::Shuffle { kind, width, .. }, Collective::Shuffle { kind: k, width: w, .. }) => {
            kind == k && width == w
        }
        _ => a == b,
    }
}
