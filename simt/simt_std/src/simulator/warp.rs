//! A warp: its lanes, and the collectives at which they synchronise.

use super::coroutine::Coroutine;
use super::cost::{LaunchCosts, Meeting};
use super::launch::with_launch;
use super::request::{Collective, Ended, Lane, Request, Spot};
use super::running::Index;
use super::site::SourceLocation;
use super::stack::FiberStack;
use super::timeline::Kind;

/// A thread's coroutine.
pub(super) type Fiber = Coroutine<u64, Request, Ended, FiberStack>;

/// Describes the lanes of a mask: `lane 3`, `lanes 0, 5 to 7 and 31`.
pub(super) fn lanes_in_words(mask: u32) -> String {
    let mut runs = Vec::new();
    let mut lane = 0;
    while lane < 32 {
        let length = (mask >> lane).trailing_ones();
        match length {
            0 => {}
            1 => runs.push(lane.to_string()),
            _ => runs.push(format!("{lane} to {}", lane + length - 1)),
        }
        lane += length.max(1);
    }
    let last = runs.pop().unwrap_or_default();
    let list = if runs.is_empty() { last } else { format!("{} and {last}", runs.join(", ")) };
    if mask.count_ones() == 1 { format!("lane {list}") } else { format!("lanes {list}") }
}

/// Returns the lanes of a mask, in order.
fn members(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| mask >> lane & 1 == 1)
}

/// A resident warp.
pub(super) struct Warp {
    pub fibers: Vec<Option<Fiber>>,
    pub lanes: Vec<Lane>,
    /// The indices that each lane can read.
    pub indices: Vec<Index>,
    /// The next access of each lane when it last let others run first; recorded only if nothing has
    /// changed for a long time.
    pub spots: Vec<Option<Spot>>,
}

/// A rule that a collective breaks, with the lane and the source line.
pub(super) struct Broken {
    pub reason: String,
    pub lane: usize,
    pub location: SourceLocation,
}

impl Warp {
    /// Answers one collective at which all lanes of its mask wait with the same mask; returns true
    /// if there was one. `slot`, `warp`: position of this warp.
    pub fn serve_collective(
        &mut self,
        slot: usize,
        warp: usize,
        costs: Option<&mut LaunchCosts>,
    ) -> Result<bool, Broken> {
        for lane in 0..self.lanes.len() {
            let Some((operation, mask, _, location)) = self.lanes[lane].collective() else { continue };
            let broken = |reason, lane| Broken { reason, lane, location };
            if let Some(reason) = broken_rule(lane, operation, mask, self.lanes.len() as u32) {
                return Err(broken(reason, lane));
            }
            if let Some(elsewhere) = members(mask).find(|&l| !self.waits_at(l, operation, mask)) {
                // A lane that waits elsewhere, with a mask that does not include this lane, comes
                // here later. If its mask includes this lane, both lanes wait for each other, and
                // neither ever continues.
                match members(mask).skip_while(|&l| l < elsewhere).find_map(|l| self.crossed(lane, l, operation, mask))
                {
                    Some(reason) => return Err(broken(reason, lane)),
                    None => continue,
                }
            }
            let mut answers = [0u64; 32];
            for l in members(mask) {
                answers[l] = self.answer(l, mask).map_err(|reason| broken(reason, l))?;
            }
            if operation == Collective::Sync {
                with_launch(|launch| {
                    if let Some(block) = &mut launch.blocks[slot] {
                        block.order.sync_warp(warp, mask);
                    }
                });
            }
            for l in members(mask) {
                self.lanes[l] = Lane::Ready(answers[l]);
            }
            if let Some(costs) = costs {
                let mut lanes = self.lanes.iter().enumerate();
                let all_meet = lanes.all(|(l, lane)| mask >> l & 1 == 1 || matches!(lane, Lane::Done));
                let site = with_launch(|launch| {
                    if all_meet {
                        launch.log(slot, warp).meet();
                    }
                    launch.machine.sites.number(location)
                });
                costs.add_meeting(warp, site, Meeting::Warp, mask.count_ones(), operation.instructions());
                if let Some(timeline) = &mut costs.timeline {
                    timeline.step((slot, warp), Kind::Warp, site, mask, 0);
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn collective_of(&self, lane: usize) -> Option<(Collective, u32, u64, SourceLocation)> {
        self.lanes.get(lane).and_then(Lane::collective)
    }

    /// Returns true if all lanes of a mask wait at some collective.
    pub fn all_at_collectives(&self, mask: u32) -> bool {
        members(mask).all(|lane| self.collective_of(lane).is_some())
    }

    /// Returns true if a lane waits at this collective: the same instruction with the same mask.
    /// Source lines may differ: since sm_70, PTX requires only the same qualifiers and the same
    /// mask.
    fn waits_at(&self, lane: usize, operation: Collective, mask: u32) -> bool {
        let at = self.collective_of(lane);
        at.is_some_and(|(other, its_mask, ..)| its_mask == mask && operation.is_same_instruction(other))
    }

    /// Describes how a lane and another lane of its mask wait for each other at two collectives or
    /// with two masks.
    fn crossed(&self, lane: usize, l: usize, operation: Collective, mask: u32) -> Option<String> {
        let (other, its_mask, _, place) = self.collective_of(l).filter(|(_, m, ..)| m >> lane & 1 == 1)?;
        let (file, line) = (place.file(), place.line());
        (!self.waits_at(l, operation, mask)).then(|| {
            format!(
                "lane {l} of the mask {mask:#010x} waits at another collective or mask: lane {lane} at {operation}, \
                 lane {l} at {other} of the mask {its_mask:#010x}, at {file}:{line}"
            )
        })
    }

    /// Returns a lane's result of the collective at which all lanes of `mask` wait.
    fn answer(&self, lane: usize, mask: u32) -> Result<u64, String> {
        let value_of = |l: usize| self.collective_of(l).map_or(0, |(_, _, value, _)| value);
        let own = value_of(lane);
        Ok(match self.collective_of(lane).map(|(operation, ..)| operation) {
            None | Some(Collective::Sync) => 0,
            Some(Collective::All) => members(mask).all(|m| value_of(m) & 1 == 1).into(),
            Some(Collective::Any) => members(mask).any(|m| value_of(m) & 1 == 1).into(),
            Some(Collective::Ballot) => members(mask).map(|m| (value_of(m) & 1) << m).sum(),
            Some(Collective::MatchAny { .. }) => members(mask).filter(|&m| value_of(m) == own).map(|m| 1u64 << m).sum(),
            Some(Collective::MatchAll { .. }) => members(mask).all(|m| value_of(m) == own).into(),
            Some(Collective::Shuffle { kind, operand, width, .. }) => match kind.source(lane as u32, operand, width) {
                None => own,
                Some(source) if mask >> source & 1 == 0 => {
                    return Err(format!("lane {lane} reads lane {source}, which is not in the mask {mask:#010x}"));
                }
                Some(source) => value_of(source as usize),
            },
        })
    }
}

/// Describes the rule that a lane breaks by its mask and its operands. `count`: number of lanes of
/// the warp.
fn broken_rule(lane: usize, operation: Collective, mask: u32, count: u32) -> Option<String> {
    if mask >> lane & 1 == 0 {
        return Some(format!("the mask {mask:#010x} does not name lane {lane}, which calls"));
    }
    let missing = mask & u32::MAX.checked_shl(count).unwrap_or(0);
    if missing != 0 {
        let (lanes, verb) = (lanes_in_words(missing), if missing.count_ones() == 1 { "does" } else { "do" });
        return Some(format!(
            "{lanes} {verb} not exist: the mask is {mask:#010x}, and the warp has {count} lanes, since the threads of the \
             block are no multiple of 32. Use the mask `warp::warp_mask()`, and `collective::reduce_sync` with this mask \
             instead of `warp::warp_reduce`"
        ));
    }
    match operation {
        Collective::Shuffle { width, .. } if !width.is_power_of_two() || width > 32 => {
            Some(format!("a shuffle's width is 1, 2, 4, 8, 16 or 32, not {width}"))
        }
        _ => None,
    }
}
