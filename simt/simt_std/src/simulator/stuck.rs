//! Deadlocks: describes the waiting threads when no thread makes progress.

use super::fault::{Fault, FaultKind};
use super::launch::{spinning, with_launch};
use super::request::{Lane, Named, Request, Spot};
use super::running::name;
use super::site::SourceLocation;
use super::warp::lanes_in_words;
use crate::Grid;

/// Maximum number of groups of threads that a fault lists.
const LISTED: usize = 32;

/// A thread of a resident block.
#[derive(Clone, Copy)]
pub(super) struct Stuck<'a> {
    pub slot: usize,
    /// Number of the block.
    pub block: u32,
    /// Number of the thread in the block.
    pub thread: u32,
    pub lane: &'a Lane,
    /// Number of threads that have arrived at the named barrier where it waits.
    pub arrived: u32,
    /// The element on which it may be spinning.
    pub spot: Option<Spot>,
}

impl Stuck<'_> {
    fn is_in_warp_of(&self, other: &Stuck) -> bool {
        self.block == other.block && self.thread / 32 == other.thread / 32
    }

    fn is_at_barrier(&self) -> bool {
        matches!(self.lane, Lane::Waiting(Request::Barrier(_)))
    }

    /// Returns the source line at which it waits for others, or `None` if it runs or has ended.
    fn place(&self) -> Option<SourceLocation> {
        match self.lane {
            Lane::Waiting(Request::Barrier(place) | Request::Grid(place)) => Some(place),
            Lane::Waiting(Request::Collective { location, .. } | Request::Named(Named { location, .. })) => {
                Some(location)
            }
            _ => None,
        }
    }
}

/// Threads that wait for the same thing.
struct Group {
    block: u32,
    thread: u32,
    /// Number of threads besides the first.
    others: u32,
    what: String,
    place: SourceLocation,
}

/// Returns the fault of a launch without progress: a barrier that threads of its block do not
/// reach, or a deadlock.
pub(super) fn stuck(grid: Grid, threads: &[Stuck]) -> Box<Fault> {
    if let Some(fault) = divergent_grid_barrier(grid, threads) {
        return fault;
    }
    if let Some(fault) = threads.iter().find_map(|thread| divergent_barrier(grid, threads, thread)) {
        return fault;
    }
    let mut groups: Vec<Group> = Vec::new();
    for thread in threads {
        let Some((what, place)) = occupation(threads, thread) else { continue };
        match groups.iter_mut().find(|group| group.what == what) {
            Some(group) => group.others += 1,
            None => groups.push(Group { block: thread.block, thread: thread.thread, others: 0, what, place }),
        }
        if groups.len() == LISTED {
            break;
        }
    }
    let list = groups.iter().map(|Group { block, thread, others, what, .. }| {
        let name = name(*block, *thread, grid);
        match others {
            0 => format!("{name} is {what}"),
            1 => format!("{name} and 1 other thread are {what}"),
            _ => format!("{name} and {others} other threads are {what}"),
        }
    });
    let kind = FaultKind::Deadlock { waiting: list.collect::<Vec<_>>().join("; ") };
    let first = groups.first();
    let thread = first.map(|group| name(group.block, group.thread, grid));
    Box::new(Fault::in_launch(kind, thread, first.map(|group| group.place)))
}

/// Returns the fault of a thread that waits at a barrier of the grid that other threads do not
/// reach.
fn divergent_grid_barrier(grid: Grid, threads: &[Stuck]) -> Option<Box<Fault>> {
    let is_here = |thread: &&Stuck| matches!(thread.lane, Lane::Waiting(Request::Grid(_)));
    let first = threads.iter().find(is_here)?;
    let elsewhere = |thread: &&Stuck| !is_here(thread) && thread.place().is_some();
    let spins = |thread: &&Stuck| matches!(thread.lane, Lane::Ready(_)) && thread.spot.is_some();
    let other = if let Some((other, place)) = threads.iter().find(elsewhere).and_then(|t| Some((t, t.place()?))) {
        let who = name(other.block, other.thread, grid);
        format!("{who} waits at {}:{}", place.file(), place.line())
    } else if let Some((other, spot)) = threads.iter().find(spins).and_then(|t| Some((t, t.spot?))) {
        let element = with_launch(|launch| launch.element(other.slot, spot.space, spot.address));
        format!("{} is {}", name(other.block, other.thread, grid), spinning(&element, spot.place))
    } else {
        "other threads of the grid have ended".to_string()
    };
    let other = format!("it waits here for all threads of the grid (`sync_grid`) while {other}");
    let who = Some(name(first.block, first.thread, grid));
    Some(Box::new(Fault::in_launch(FaultKind::DivergentBarrier { other }, who, first.place())))
}

/// Returns the fault of a thread that waits at a barrier that other threads of its block do not
/// reach, because they have ended, or wait in a collective for a thread at the barrier.
fn divergent_barrier(grid: Grid, threads: &[Stuck], thread: &Stuck) -> Option<Box<Fault>> {
    let Lane::Waiting(Request::Barrier(place)) = thread.lane else { return None };
    let of_block = || threads.iter().filter(|other| other.block == thread.block);
    let mut collectives = of_block().filter_map(|other| match other.lane {
        Lane::Waiting(Request::Collective { mask, location, .. }) => Some((other, *mask, *location)),
        _ => None,
    });
    let waits_for_barrier = |(other, mask, _): &(&Stuck, u32, SourceLocation)| {
        of_block().any(|t| t.is_in_warp_of(other) && mask >> (t.thread % 32) & 1 == 1 && t.is_at_barrier())
    };
    let any_collective = collectives.clone().next().is_some();
    let other = if let Some((other, _, at)) = collectives.find(waits_for_barrier) {
        let (file, line) = (at.file(), at.line());
        format!("it waits here while thread {} of the block waits at {file}:{line}", other.thread)
    } else if !any_collective && of_block().any(|t| matches!(t.lane, Lane::Done)) {
        "it waits here while other threads of the block have ended".to_string()
    } else {
        return None;
    };
    let who = Some(name(thread.block, thread.thread, grid));
    Some(Box::new(Fault::in_launch(FaultKind::DivergentBarrier { other }, who, Some(place))))
}

/// Describes a thread's wait and its source line; `None` if it waits for nothing, or for its whole
/// block.
fn occupation(threads: &[Stuck], thread: &Stuck) -> Option<(String, SourceLocation)> {
    match thread.lane {
        Lane::Waiting(Request::Collective { operation, mask, location, .. }) => {
            let (file, line) = (location.file(), location.line());
            let missing = missing(threads, thread, *mask);
            Some((format!("in {operation} of the lanes {mask:#010x}{missing}, at {file}:{line}"), location))
        }
        Lane::Waiting(Request::Named(named)) => {
            let Named { id, threads: all, location, .. } = named;
            let (file, line, arrived) = (location.file(), location.line(), thread.arrived);
            let missing = not_at_named_barrier(threads, thread);
            let what = format!(
                "at the named barrier {id}, where {arrived} of {all} threads have arrived{missing}, in {named} at {file}:{line}"
            );
            Some((what, location))
        }
        Lane::Ready(_) => thread.spot.map(|Spot { space, address, place }| {
            let element = with_launch(|launch| launch.element(thread.slot, space, address));
            (spinning(&element, place), place)
        }),
        _ => None,
    }
}

/// Describes the lanes of a thread's warp that are not at a named barrier as it is.
fn not_at_named_barrier(threads: &[Stuck], thread: &Stuck) -> String {
    let missing = threads
        .iter()
        .filter(|other| other.is_in_warp_of(thread) && !matches!(other.lane, Lane::Waiting(Request::Named(_))));
    let lanes = missing.map(|other| 1u32 << (other.thread % 32)).sum();
    match lanes {
        0 => String::new(),
        _ => format!(" (a warp arrives as a whole, and {} of this one did not come)", lanes_in_words(lanes)),
    }
}

/// Describes the lanes of a mask that have ended or wait elsewhere.
fn missing(threads: &[Stuck], thread: &Stuck, mask: u32) -> String {
    let lanes = |is: fn(&Lane, u32) -> bool| {
        let others = threads.iter().filter(|other| other.is_in_warp_of(thread) && is(other.lane, mask));
        others.map(|other| 1u32 << (other.thread % 32)).sum::<u32>() & mask
    };
    let ended = lanes(|lane, _| matches!(lane, Lane::Done));
    let elsewhere = lanes(|lane, mask| match lane {
        Lane::Waiting(Request::Collective { mask: other, .. }) => *other != mask,
        Lane::Waiting(Request::Barrier(_) | Request::Grid(_) | Request::Named(_)) => true,
        _ => false,
    });
    let one_or_many = |lanes: u32, one: &str, many: &str| {
        let verb = if lanes.count_ones() == 1 { one } else { many };
        format!(", of which {} {verb}", lanes_in_words(lanes))
    };
    match (ended, elsewhere) {
        (0, 0) => String::new(),
        (0, lanes) => one_or_many(lanes, "waits elsewhere", "wait elsewhere"),
        (lanes, _) => one_or_many(lanes, "has ended", "have ended"),
    }
}
