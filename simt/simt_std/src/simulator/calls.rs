//! The functions that simulated threads call to access the launch;
//! [`device`](crate::simulator::device) calls them.

use super::access::{Access, Atomic, Space};
use super::launch::{
    COUNTED, CURRENT, Current, Found, HERE, PAUSE, TRACED, give_way, in_order, look_for_room, suspend, trace_is_full,
    with_launch, word_memory,
};
use super::records::Kind;
use super::request::{Request, Spot};
use super::site::SourceLocation;
use super::trace::Trace;
use crate::Word;
use crate::ordering::{Order, Scope};

/// Counts the running thread's predicate for its next barrier.
pub fn vote(predicate: bool) {
    with_launch(|launch| {
        let block = launch.blocks[CURRENT.get().slot].as_mut().expect("a running thread's block is resident");
        block.votes += u32::from(predicate);
    });
}

/// Notes that the running thread has asked for the active lanes.
pub fn note_active_lanes() {
    let Current { slot, thread, .. } = CURRENT.get();
    with_launch(|launch| launch.asked_for_active_lanes(slot, thread as usize / 32, 1 << (thread % 32)));
}

/// Returns true if the running thread has asked for the active lanes since it last called this.
pub fn forget_active_lanes() -> bool {
    let Current { slot, thread, .. } = CURRENT.get();
    with_launch(|launch| launch.forgets_active_lanes(slot, thread as usize / 32, 1 << (thread % 32)))
}

/// Waits for other threads at a source position, and returns the launch's answer.
pub fn meet(request: Request, location: SourceLocation) -> u64 {
    look_for_room(location);
    let answer = suspend(request);
    HERE.with(|here| here.last.set(Some(location)));
    answer
}

/// Prepares an access: checks that the stack has room, and does the extra work that
/// [`ThreadState::flags`](super::launch::ThreadState) requests.
#[inline]
pub(super) fn before(space: Space, access: Access, address: u64, size: u32, location: SourceLocation) {
    let special = HERE.with(|here| {
        here.last.set(Some(location));
        here.flags.get() != 0 || std::ptr::from_ref(&location).addr() < here.floor.get()
    });
    if special {
        before_special(space, access, address, size, location);
    }
}

#[inline(never)]
fn before_special(space: Space, access: Access, address: u64, size: u32, location: SourceLocation) {
    look_for_room(location);
    let flags = HERE.with(|here| here.flags.replace(here.flags.get() & !PAUSE));
    if flags & PAUSE != 0 {
        give_way(Spot { space, address, place: location });
    }
    if flags & TRACED != 0 && !with_launch(|launch| launch.trace_access(space, access, address, size, location)) {
        suspend(Request::Fault);
    }
    if flags & COUNTED != 0 {
        let room = with_launch(|launch| {
            let (site, Current { slot, thread, .. }) = (launch.machine.sites.number(location), CURRENT.get());
            let log = launch.log(slot, thread as usize / 32);
            log.note(thread as usize % 32, (location, site), (space, access), (address, size))
        });
        if !room {
            suspend(Request::Full);
        }
    }
}

/// Adds what the running thread does to the trace, if there is one. `note` gets the thread's block
/// and its number in the block, and returns true if the trace had room; otherwise the launch ends.
pub fn trace(location: SourceLocation, note: impl FnOnce(&mut Trace, u32, u32) -> bool) {
    if HERE.with(|here| here.flags.get() & TRACED == 0) {
        return;
    }
    let room = with_launch(|launch| {
        let Some(trace) = &mut launch.machine.trace else { return true };
        let room = note(trace, CURRENT.get().block, CURRENT.get().thread);
        if !room {
            launch.fault = Some(Found::here(trace_is_full(), location));
        }
        room
    });
    if !room {
        suspend(Request::Fault);
    }
}

/// Returns the launch's answer; ends the running thread if it is at fault.
#[inline]
pub(super) fn or_end<R>(result: Result<R, ()>) -> R {
    match result {
        Ok(value) => value,
        Err(()) => {
            suspend(Request::Fault);
            unreachable!("a thread at fault is not resumed")
        }
    }
}

/// See [`super::device`].
#[inline]
pub fn read<T: Word>(space: Space, array: u64, address: u64, read_only: bool, location: SourceLocation) -> T {
    before(space, Access::Read, address, size_of::<T>() as u32, location);
    or_end(with_launch(|launch| {
        let kind = if read_only { Kind::READ_ONLY } else { Kind::READ };
        launch.access((space, address), Access::Read, location, |region, by| region.read(array, address, kind, by))
    }))
}

/// See [`super::device`].
#[inline]
pub fn write<T: Word>(space: Space, array: u64, address: u64, value: T, location: SourceLocation) {
    before(space, Access::Write, address, size_of::<T>() as u32, location);
    or_end(with_launch(|launch| {
        let memory = word_memory(space, CURRENT.get().block);
        launch.machine.words.overwritten((memory, address));
        launch.access((space, address), Access::Write, location, |region, by| region.write(array, address, value, by))
    }));
}

/// See [`super::device`].
pub fn atomic<T: Word>(
    space: Space,
    array: u64,
    address: u64,
    Atomic { access, order, scope }: Atomic,
    change: &dyn Fn(T) -> T,
    location: SourceLocation,
) -> T {
    if space == Space::Global {
        in_order(location);
    }
    before(space, access, address, size_of::<T>() as u32, location);
    give_way(Spot { space, address, place: location });
    let (reads, writes) = (access != Access::Write, access != Access::Read);
    or_end(with_launch(|launch| {
        let word = (word_memory(space, CURRENT.get().block), address);
        if reads {
            let (words, block, thread) = launch.order();
            words.acquire(block, thread, word, (order, scope));
            launch.machine.records.acquired |= launch.machine.words.acquired;
        }
        let old = launch.access((space, address), Access::Atomic, location, |region, by| {
            region.atomic((array, address), (access, scope != Scope::Block), change, by)
        })?;
        if writes {
            let (words, block, thread) = launch.order();
            words.release(block, thread, word, reads, (order, scope));
        }
        Ok(old)
    }))
}

/// See [`super::device`].
pub fn fence(order: Order, scope: Scope, location: SourceLocation) {
    look_for_room(location);
    with_launch(|launch| {
        let (words, block, thread) = launch.order();
        words.fence(block, thread, (order, scope));
        launch.machine.records.acquired = true;
    });
}

/// See [`super::device`].
pub fn clock(location: SourceLocation) -> u64 {
    in_order(location);
    with_launch(|launch| {
        launch.steps += 1;
        launch.steps
    })
}

/// See [`super::device`].
pub fn print(text: &str) {
    let location = HERE.with(|here| here.last.get()).unwrap_or(std::panic::Location::caller());
    look_for_room(location);
    in_order(location);
    with_launch(|launch| {
        launch.machine.printed.push_str(text);
        if launch.echo {
            print!("{text}");
        }
    });
}

/// See [`super::device`].
pub fn declare(place: &'static str, name: &'static str, element: usize, len: usize, location: SourceLocation) -> u32 {
    look_for_room(location);
    or_end(with_launch(|launch| {
        launch.declare(place, name, element, len).map_err(|kind| launch.fault = Some(Found::here(kind, location)))
    }))
}
