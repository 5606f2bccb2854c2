//! Named barriers of a block (PTX `bar.sync id, count` and `bar.arrive id, count`).
//!
//! Warps arrive as a whole, and each counts 32 threads. When the stated number of threads has
//! arrived, the warps that wait go on, and the barrier can be used again:
//!
//! ```text
//! barrier 1, 96 threads     warp 0  arrive ──────────────>          does not wait
//!                           warp 1           sync ········┐──────>
//!                           warp 2                 sync ──┘──────>  the third warp: complete
//! ```
//!
//! All that the threads of these warps did before is known to those that wait.

use super::cost::{LaunchCosts, Meeting};
use super::known::Known;
use super::launch::with_launch;
use super::request::{Lane, Named, Request};
use super::site::SourceLocation;
use super::timeline::Kind;
use super::warp::{Broken, Warp};
use std::sync::Arc;

/// Largest number of a named barrier; 0 is that of `sync_threads`.
pub(super) const LAST: u32 = 15;

/// A barrier at which some warps have arrived.
struct Open {
    threads: u32,
    /// Warps that have arrived, and those of them that wait: a bit for each.
    arrived: u32,
    waiting: u32,
    /// Source line of the first warp.
    first: SourceLocation,
    known: Option<Arc<Known>>,
}

/// The named barriers of a block.
#[derive(Default)]
pub(super) struct NamedBarriers {
    open: [Option<Open>; LAST as usize + 1],
}

impl NamedBarriers {
    /// Returns the number of threads that have arrived at a barrier.
    pub fn arrived(&self, id: u32) -> u32 {
        self.open.get(id as usize).and_then(Option::as_ref).map_or(0, |open| 32 * open.arrived.count_ones())
    }

    /// Lets a warp arrive if all of its lanes are at a named barrier. Returns true if lanes can go
    /// on. `slot`: that of the block.
    pub fn serve(
        &mut self,
        warps: &mut [Warp],
        (slot, warp): (usize, usize),
        costs: Option<&mut LaunchCosts>,
    ) -> Result<bool, Broken> {
        let Some(named) = agreed(&warps[warp])? else { return Ok(false) };
        let Named { id, threads, waits, location } = named;
        let bit = 1 << warp;
        let open = self.open[id as usize].get_or_insert(Open {
            threads,
            arrived: 0,
            waiting: 0,
            first: location,
            known: None,
        });
        if open.waiting & bit != 0 {
            return Ok(false);
        }
        let (file, line) = (open.first.file(), open.first.line());
        let broken = |reason| Err(Broken { reason, lane: 0, location });
        if open.arrived & bit != 0 {
            return broken(format!(
                "warp {warp} arrives a second time at the named barrier {id} before all of its {threads} threads have come: \
                 {} have. A warp that has arrived must wait for the barrier before it arrives again",
                32 * open.arrived.count_ones()
            ));
        }
        if open.threads != threads {
            return broken(format!(
                "the named barrier {id} is of {threads} threads here, and of {} threads at {file}:{line}, where another warp \
                 has arrived: all must give the same number",
                open.threads
            ));
        }
        open.arrived |= bit;
        open.waiting |= if waits { bit } else { 0 };
        with_launch(|launch| {
            // From now on, threads of a block may be ordered without a barrier of the block.
            (launch.machine.records.acquired, launch.machine.words.acquired) = (true, true);
            if let Some(block) = &mut launch.blocks[slot] {
                block.order.tell(warp, &mut open.known);
            }
        });
        if let Some(costs) = costs {
            count(costs, (slot, warp), location, warps[warp].lanes.len() as u32);
        }
        if !waits {
            let_go(&mut warps[warp]);
        }
        let complete = 32 * open.arrived.count_ones() == threads;
        if complete && let Some(open) = self.open[id as usize].take() {
            for (i, warp) in warps.iter_mut().enumerate().filter(|(i, _)| open.waiting >> i & 1 == 1) {
                let_go(warp);
                with_launch(|launch| {
                    if let Some(block) = &mut launch.blocks[slot] {
                        block.order.hear(i, &open.known);
                    }
                });
            }
        }
        Ok(complete || !waits)
    }
}

fn let_go(warp: &mut Warp) {
    warp.lanes.iter_mut().for_each(|lane| *lane = Lane::Ready(0));
}

/// Returns the named barrier at which all lanes of a warp are, or `None` if some are elsewhere.
fn agreed(warp: &Warp) -> Result<Option<Named>, Broken> {
    let at = |lane: &Lane| match lane {
        Lane::Waiting(Request::Named(named)) => Some(*named),
        _ => None,
    };
    let all: Option<Vec<Named>> = warp.lanes.iter().map(at).collect();
    let Some(all) = all else { return Ok(None) };
    let first = all[0];
    match all.iter().position(|named| *named != first) {
        Some(lane) => {
            let (other, place) = (all[lane], first.location);
            let reason = format!(
                "the lanes of a warp arrive at a named barrier together: lane {lane} is at {other}, and lane 0 at {first}, \
                 at {}:{}",
                place.file(),
                place.line()
            );
            Err(Broken { reason, lane, location: other.location })
        }
        None => Ok(Some(first)),
    }
}

/// Counts the arrival of a warp.
fn count(costs: &mut LaunchCosts, (slot, warp): (usize, usize), place: SourceLocation, lanes: u32) {
    let site = with_launch(|launch| {
        launch.log(slot, warp).meet();
        launch.machine.sites.number(place)
    });
    costs.add_meeting(warp, site, Meeting::Barrier, lanes, 1);
    if let Some(timeline) = &mut costs.timeline {
        timeline.step((slot, warp), Kind::Barrier, site, u32::MAX, 0);
    }
}
