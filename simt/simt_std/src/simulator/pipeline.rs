//! Asynchronous copies, as simulated threads call them; [`device`](super::device) calls these
//! functions.
//!
//! A copy reads its source and writes its target at any time between its start and the wait for it.
//! So both accesses are checked twice, at the start and at the wait: a race with either is found.

use super::access::{Access, Space};
use super::calls::{before, or_end};
use super::copies::{AsyncCopy, Element};
use super::launch::{CURRENT, Launch, look_for_room, with_launch, word_memory};
use super::records::Kind;
use super::site::SourceLocation;
use crate::{U32x4, Word};

/// Copies the word, as seen by the running thread.
fn transfer<T: Word>(launch: &mut Launch, copy: &AsyncCopy) -> Result<(), ()> {
    let AsyncCopy { target, source, place, .. } = *copy;
    let value: T = launch.access((Space::Global, source.address), Access::Read, place, |region, by| {
        region.read(source.array, source.address, Kind::READ, by)
    })?;
    let memory = word_memory(Space::Shared, CURRENT.get().block);
    launch.machine.words.overwritten((memory, target.address));
    launch.access((Space::Shared, target.address), Access::Write, place, |region, by| {
        region.write(target.array, target.address, value, by)
    })
}

/// See [`super::device`].
pub fn copy<T: Word>(target: Element, source: Element, place: SourceLocation) {
    let size = size_of::<T>() as u32;
    before(Space::Global, Access::Read, source.address, size, place);
    before(Space::Shared, Access::Write, target.address, size, place);
    or_end(with_launch(|launch| {
        let copy = AsyncCopy { target, source, size, thread: CURRENT.get().thread, place };
        transfer::<T>(launch, &copy)?;
        launch.copies().start(copy);
        Ok(())
    }));
}

/// See [`super::device`].
pub fn commit() {
    with_launch(|launch| launch.copies().commit(CURRENT.get().thread));
}

/// See [`super::device`].
pub fn wait(prior: u32, location: SourceLocation) {
    look_for_room(location);
    or_end(with_launch(|launch| {
        while let Some(copy) = launch.copies().take_due(CURRENT.get().thread, prior) {
            match copy.size {
                4 => transfer::<u32>(launch, &copy)?,
                8 => transfer::<u64>(launch, &copy)?,
                _ => transfer::<U32x4>(launch, &copy)?,
            }
        }
        Ok(())
    }));
}
