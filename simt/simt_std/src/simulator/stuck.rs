//! Deadlocks: describes the waiting threads when no thread makes progress.

use super::access::Space;
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
    waits: WaitsFor,
}

/// The event that a waiting thread needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WaitsFor {
    /// The arrival of lanes that have ended.
    EndedLanes,
    /// The arrival of other lanes.
    Lanes,
    /// A change of an element.
    Element { slot: usize, address: u64 },
}

/// The action of a thread and its source line.
struct Occupation {
    what: String,
    place: SourceLocation,
    waits: WaitsFor,
}

/// Returns advice for a deadlock.
fn advice(groups: &[Group]) -> &'static str {
    let elements = || groups.iter().filter(|group| matches!(group.waits, WaitsFor::Element { .. }));
    let differ = || elements().any(|group| elements().next().is_some_and(|first| group.waits != first.waits));
    if groups.iter().any(|group| group.waits == WaitsFor::EndedLanes) {
        ". Lanes that have returned, or skip the branch, cannot come: call the collective before the `return` or the \
         branch, or leave these lanes out of the mask"
    } else if differ() {
        ". Threads that wait for one another never go on: take several locks in one order everywhere, and wait only for \
         blocks that have started"
    } else if elements().next().is_some() {
        ". The thread that should change it has ended, waits itself, or has not started"
    } else {
        ""
    }
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
        let Some(Occupation { what, place, waits }) = occupation(threads, thread) else { continue };
        match groups.iter_mut().find(|group| group.what == what) {
            Some(group) => group.others += 1,
            None => groups.push(Group { block: thread.block, thread: thread.thread, others: 0, what, place, waits }),
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
    let waiting = list.collect::<Vec<_>>().join("; ") + advice(&groups);
    let kind = FaultKind::Deadlock { waiting };
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
        let ended = || of_block().filter(|t| matches!(t.lane, Lane::Done)).map(|t| t.thread);
        let first = ended().min().expect("one has ended");
        match ended().count() {
            1 => format!("it waits here while thread {first} of the block has ended"),
            count => format!("it waits here while {count} threads of the block, from thread {first} on, have ended"),
        }
    } else {
        return None;
    };
    let who = Some(name(thread.block, thread.thread, grid));
    Some(Box::new(Fault::in_launch(FaultKind::DivergentBarrier { other }, who, Some(place))))
}

/// Describes a thread's wait and its source line; `None` if it waits for nothing, or for its whole
/// block.
fn occupation(threads: &[Stuck], thread: &Stuck) -> Option<Occupation> {
    match thread.lane {
        Lane::Waiting(Request::Collective { operation, mask, location, .. }) => {
            let (file, line) = (location.file(), location.line());
            let Missing { text, has_ended } = missing(threads, thread, *mask);
            let what = format!("in {operation} of the lanes {mask:#010x}{text}, at {file}:{line}");
            let waits = if has_ended { WaitsFor::EndedLanes } else { WaitsFor::Lanes };
            Some(Occupation { what, place: location, waits })
        }
        Lane::Waiting(Request::Named(named)) => {
            let Named { id, threads: all, location, .. } = named;
            let (file, line, arrived) = (location.file(), location.line(), thread.arrived);
            let missing = not_at_named_barrier(threads, thread);
            let what = format!(
                "at the named barrier {id}, where {arrived} of {all} threads have arrived{missing}, in {named} at {file}:{line}"
            );
            Some(Occupation { what, place: location, waits: WaitsFor::Lanes })
        }
        Lane::Ready(_) => thread.spot.map(|Spot { space, address, place }| {
            let element = with_launch(|launch| launch.element(thread.slot, space, address));
            // Shared memory has the same addresses in every block.
            let slot = if space == Space::Shared { thread.slot } else { 0 };
            Occupation { what: spinning(&element, place), place, waits: WaitsFor::Element { slot, address } }
        }),
        _ => None,
    }
}

/// The lanes of a mask that do not come.
struct Missing {
    text: String,
    has_ended: bool,
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
fn missing(threads: &[Stuck], thread: &Stuck, mask: u32) -> Missing {
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
    let text = match (ended, elsewhere) {
        (0, 0) => String::new(),
        (0, lanes) => one_or_many(lanes, "waits elsewhere", "wait elsewhere"),
        (lanes, _) => one_or_many(lanes, "has ended", "have ended"),
    };
    Missing { text, has_ended: ended != 0 }
}
