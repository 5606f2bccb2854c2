//! The functions that the device layer calls from a simulated thread. Kernels inline everything
//! they can; these functions are not inlined, because kernels would then take minutes to compile.

use super::access::{Atomic, Space};
use super::calls::{self, meet};
use super::copies::Element;
use super::fault::FaultKind;
use super::launch::{fail, index, with_launch};
use super::named::LAST;
use super::pipeline;
use super::request::{Collective, Named, Request};
use crate::Word;
use crate::ordering::{Order, Scope};
use std::panic::Location;

/// Waits for the block, and returns the number of threads that have voted yes ([`barrier_count`]).
#[track_caller]
pub(crate) fn barrier() -> u32 {
    let location = Location::caller();
    calls::forget_active_lanes();
    calls::trace(location, |trace, block, thread| trace.barrier(block, thread));
    meet(Request::Barrier(location), location) as u32
}

/// Waits for the grid.
#[track_caller]
pub(crate) fn grid_barrier() {
    let location = Location::caller();
    calls::forget_active_lanes();
    if !with_launch(|launch| launch.grid.cooperative) {
        let reason = "`sync_grid` in a launch that is not cooperative: the blocks of such a launch may run one after the \
                      other. Write `#[kernel(…, cooperative)]`, or `Grid { cooperative: true, … }` for a closure";
        fail(FaultKind::Collective { reason: reason.into() }, location);
    }
    meet(Request::Grid(location), location);
}

/// Arrives at a named barrier of the block for `threads` threads; waits for them if `waits`.
#[track_caller]
pub(crate) fn named_barrier(id: u32, threads: u32, waits: bool) {
    let location = Location::caller();
    calls::forget_active_lanes();
    let block: u32 = index().block_dim.iter().product();
    let most = block.next_multiple_of(crate::WARP);
    let reason = if !(1..=LAST).contains(&id) {
        Some(format!("a named barrier has a number from 1 to {LAST}, not {id} (0 is that of `sync_threads`)"))
    } else if !threads.is_multiple_of(crate::WARP) || threads == 0 {
        Some(format!("a named barrier is of whole warps: its number of threads is a multiple of 32, not {threads}"))
    } else if threads > most {
        Some(format!(
            "the named barrier {id} waits for {threads} threads, and a block has {block}: in whole warps {most}"
        ))
    } else {
        None
    };
    if let Some(reason) = reason {
        fail(FaultKind::Collective { reason }, location);
    }
    meet(Request::Named(Named { id, threads, waits, location }), location);
}

/// Waits for the block, and returns the number of threads whose `predicate` is true.
#[track_caller]
pub(crate) fn barrier_count(predicate: bool) -> u32 {
    calls::vote(predicate);
    barrier()
}

/// Ends the launch because the running thread used an index outside its array.
#[track_caller]
pub(crate) fn out_of_bounds(space: Space, place: String) -> ! {
    fail(FaultKind::OutOfBounds { space, place }, Location::caller())
}

/// Waits for the lanes of `mask`, and returns this lane's result.
#[track_caller]
#[inline(never)]
pub(crate) fn collective(operation: Collective, mask: u32, value: u64) -> u64 {
    let location = Location::caller();
    if calls::forget_active_lanes() && mask.is_power_of_two() {
        let reason = format!(
            "the mask {mask:#010x} is from `activemask`: the GPU decides which lanes it names. Name the lanes that take part: \
             `FULL_WARP`, `warp::warp_mask()`, or a ballot of these before the branch"
        );
        fail(FaultKind::Collective { reason }, location);
    }
    calls::trace(location, |trace, block, thread| trace.warp(block, thread, mask));
    meet(Request::Collective { operation, mask, value, location }, location)
}

/// Notes that the running thread has asked for the active lanes. They are this lane alone, and a
/// collective that comes next with this mask is a fault.
pub(crate) fn asked_for_active_lanes() {
    calls::note_active_lanes();
}

/// Reads a word through the handle of an array that begins at `array`. In shared memory, the word
/// must be in the same declared array.
#[track_caller]
#[inline(never)]
pub(crate) fn read<T: Word>(space: Space, array: u64, address: u64) -> T {
    calls::read(space, array, address, false, Location::caller())
}

/// Reads, as [`read`] does, a word of global memory that no thread may write in this launch.
#[track_caller]
#[inline(never)]
pub(crate) fn read_only<T: Word>(array: u64, address: u64) -> T {
    calls::read(Space::Global, array, address, true, Location::caller())
}

/// Writes a word; the arguments are those of [`read`].
#[track_caller]
#[inline(never)]
pub(crate) fn write<T: Word>(space: Space, array: u64, address: u64, value: T) {
    calls::write(space, array, address, value, Location::caller());
}

/// Changes a word atomically and returns the old value. Other threads run first, because the thread
/// may be waiting for one of them.
#[track_caller]
#[inline(never)]
pub(crate) fn atomic<T: Word>(space: Space, array: u64, address: u64, what: Atomic, change: &dyn Fn(T) -> T) -> T {
    calls::atomic(space, array, address, what, change, Location::caller())
}

/// Runs a fence: sequentially consistent (PTX `fence.sc`), or one that acquires and releases
/// (`fence.acq_rel`).
#[track_caller]
pub(crate) fn fence(order: Order, scope: Scope) {
    calls::fence(order, scope, Location::caller());
}

/// Starts a copy from global to shared memory, which arrives when its thread waits for it.
#[track_caller]
#[inline(never)]
pub(crate) fn copy_async<T: Word>(target: Element, source: Element) {
    pipeline::copy::<T>(target, source, Location::caller());
}

/// Makes a group of the running thread's copies without a group.
pub(crate) fn copy_commit() {
    pipeline::commit();
}

/// Waits for all groups of copies of the running thread but the last `prior`.
#[track_caller]
pub(crate) fn copy_wait(prior: u32) {
    pipeline::wait(prior, Location::caller());
}

/// Returns a number that grows with every access of the launch.
#[track_caller]
pub(crate) fn clock() -> u64 {
    calls::clock(Location::caller())
}

/// Appends to the text that the launch has printed.
pub(crate) fn print(text: String) {
    calls::print(&text);
}

/// Returns the base of the block's dynamic shared memory.
pub(crate) fn dynamic_shared_base() -> u32 {
    0
}

/// Returns the address of a static shared array, the same for every thread of the block that
/// declares it at source position `place`. For [`shared_array!`](crate::shared_array) alone.
#[doc(hidden)]
#[track_caller]
pub fn shared_declare(place: &'static str, name: &'static str, element: usize, len: usize) -> u32 {
    calls::declare(place, name, element, len, Location::caller())
}
