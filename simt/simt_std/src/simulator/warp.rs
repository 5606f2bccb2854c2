//! A warp: its lanes, and the collectives at which they meet.

use super::cost::{LaunchCosts, Meeting};
use super::launch::{Index, with_launch};
use super::site::Place;
use super::stack::FiberStack;
use super::timeline::Kind;
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
    /// The other lanes of the warp first: what the thread has accessed waits to be counted with theirs.
    Full,
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

/// A warp on the machine.
pub(super) struct Warp {
    pub fibers: Vec<Option<Fiber>>,
    pub lanes: Vec<Lane>,
    /// What each lane can ask about itself.
    pub indices: Vec<Index>,
}

/// A rule that a collective breaks, and the lane and line where.
pub(super) struct Broken {
    pub reason: String,
    pub lane: usize,
    pub location: Place,
}

impl Warp {
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
            if let Some(costs) = costs {
                let site = with_launch(|launch| {
                    if mask == crate::FULL_WARP {
                        launch.log(slot, warp).meet();
                    }
                    launch.machine.sites.number(location)
                });
                costs.add_meeting(site, Meeting::Warp, mask.count_ones());
                if let Some(timeline) = &mut costs.timeline {
                    timeline.step((slot, warp), Kind::Warp, site, mask, 0);
                }
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
        // One that waits at another collective without this lane comes here later. One that names this lane waits for it, as this
        // lane does for that one.
        let elsewhere = (0..32).filter(|l| mask >> l & 1 == 1).find(|&l| {
            let other = self.collective_of(l).filter(|(_, m, ..)| m >> lane & 1 == 1);
            other.is_some_and(|(other, m, ..)| m != mask || !same_instruction(other, operation))
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

/// Whether two lanes are at the same instruction: operands may differ, except for a shuffle's kind and width.
fn same_instruction(a: Collective, b: Collective) -> bool {
    match (a, b) {
        (Collective::Shuffle { kind, width, .. }, Collective::Shuffle { kind: k, width: w, .. }) => {
            kind == k && width == w
        }
        _ => a == b,
    }
}
