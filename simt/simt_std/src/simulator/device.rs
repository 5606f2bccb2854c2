//! What the device layer calls, from inside a simulated thread. Kernels inline all they can, and these must not be in all
//! of them: they would take minutes to compile.

use super::access::{Atomic, Space};
use super::calls::{self, meet};
use super::fault::FaultKind;
use super::launch::fail;
use super::request::{Collective, Request};
use crate::Word;
use crate::ordering::Scope;
use std::panic::Location;

/// Waits for the block; how many of its threads have voted for it ([`barrier_count`]).
#[track_caller]
pub(crate) fn barrier() -> u32 {
    let location = Location::caller();
    calls::trace(location, |trace, block, thread| trace.barrier(block, thread));
    meet(Request::Barrier(location), location) as u32
}

/// Waits for the block; the number of its threads whose `predicate` holds.
#[track_caller]
pub(crate) fn barrier_count(predicate: bool) -> u32 {
    calls::vote(predicate);
    barrier()
}

/// Ends the launch: the running thread has used an index that its array does not have.
#[track_caller]
pub(crate) fn out_of_bounds(space: Space, place: String) -> ! {
    fail(FaultKind::OutOfBounds { space, place }, Location::caller())
}

/// Meets the lanes of `mask`; the lane's result.
#[track_caller]
#[inline(never)]
pub(crate) fn collective(operation: Collective, mask: u32, value: u64) -> u64 {
    let location = Location::caller();
    calls::trace(location, |trace, block, thread| trace.warp(block, thread, mask));
    meet(Request::Collective { operation, mask, value, location }, location)
}

/// Reads a word by the handle of an array that begins at `array`: in shared memory the word has to be in the same declared array.
#[track_caller]
#[inline(never)]
pub(crate) fn read<T: Word>(space: Space, array: u64, address: u64) -> T {
    calls::read(space, array, address, false, Location::caller())
}

/// Reads a word of global memory that nobody may write in this launch; as [`read`].
#[track_caller]
#[inline(never)]
pub(crate) fn read_only<T: Word>(array: u64, address: u64) -> T {
    calls::read(Space::Global, array, address, true, Location::caller())
}

/// Writes a word; as [`read`].
#[track_caller]
#[inline(never)]
pub(crate) fn write<T: Word>(space: Space, array: u64, address: u64, value: T) {
    calls::write(space, array, address, value, Location::caller());
}

/// Changes a word atomically; the value before. Lets the other threads run first: this is where a thread may be waiting
/// for one of them.
#[track_caller]
#[inline(never)]
pub(crate) fn atomic<T: Word>(space: Space, array: u64, address: u64, what: Atomic, change: &dyn Fn(T) -> T) -> T {
    calls::atomic(space, array, address, what, change, Location::caller())
}

/// A fence that acquires and releases (PTX `fence.acq_rel`).
#[track_caller]
pub(crate) fn fence(scope: Scope) {
    calls::fence(scope, Location::caller());
}

/// A number that grows with every access of the launch.
pub(crate) fn clock() -> u64 {
    calls::clock()
}

/// Appends to what the launch has printed.
pub(crate) fn print(text: String) {
    calls::print(&text);
}

/// The base of the block's dynamic shared memory.
pub(crate) fn dynamic_shared_base() -> u32 {
    0
}

/// The address of a static shared array, the same for every thread of the block that declares it at `place`. For
/// [`shared_array!`](crate::shared_array) alone.
#[doc(hidden)]
#[track_caller]
pub fn shared_declare(place: &'static str, name: &'static str, element: usize, len: usize) -> u32 {
    calls::declare(place, name, element, len, Location::caller())
}
