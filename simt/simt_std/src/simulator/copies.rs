//! Asynchronous copies into a block's shared memory that have not arrived.
//!
//! ```text
//! thread 7   copy A, copy B, commit, copy C, commit, wait for all but 1 group, …
//! group      0       0               1               A and B arrive; C is on its way
//! ```

use super::site::SourceLocation;
use std::collections::{HashMap, VecDeque};

/// An element in its memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element {
    /// Address of the handle's array.
    pub array: u64,
    pub address: u64,
}

/// A copy on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct AsyncCopy {
    /// In shared memory.
    pub target: Element,
    /// In global memory.
    pub source: Element,
    /// Number of bytes: 4, 8 or 16.
    pub size: u32,
    /// Number of the thread in the block.
    pub thread: u32,
    pub place: SourceLocation,
}

impl AsyncCopy {
    /// Returns the numbers of the 4-byte words that it writes.
    fn words(&self) -> std::ops::Range<u64> {
        self.target.address / 4..(self.target.address + u64::from(self.size)) / 4
    }
}

/// The copies of a thread.
#[derive(Debug, Clone, Default)]
struct ThreadCopies {
    /// Number of groups so far; a copy without a group has this number.
    groups: u64,
    /// The copies on their way, with the numbers of their groups.
    copies: VecDeque<(u64, AsyncCopy)>,
}

/// The copies of a block.
#[derive(Debug, Clone, Default)]
pub(super) struct AsyncCopies {
    /// The copies by the number of each word that they write.
    words: HashMap<u64, AsyncCopy>,
    threads: HashMap<u32, ThreadCopies>,
}

impl AsyncCopies {
    /// Returns true if no copy is on its way.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns a copy that writes some of these bytes.
    pub fn find(&self, address: u64, size: u64) -> Option<&AsyncCopy> {
        (address / 4..(address + size).div_ceil(4)).find_map(|word| self.words.get(&word))
    }

    /// Adds a copy, whose words no other copy writes.
    pub fn start(&mut self, copy: AsyncCopy) {
        self.words.extend(copy.words().map(|word| (word, copy)));
        let thread = self.threads.entry(copy.thread).or_default();
        thread.copies.push_back((thread.groups, copy));
    }

    /// Makes a group of a thread's copies without a group.
    pub fn commit(&mut self, thread: u32) {
        self.threads.entry(thread).or_default().groups += 1;
    }

    /// Takes a copy of a thread that arrives if all but its last `prior` groups do.
    pub fn take_due(&mut self, thread: u32, prior: u32) -> Option<AsyncCopy> {
        let of = self.threads.get_mut(&thread)?;
        let due = of.groups.saturating_sub(prior.into());
        let (_, copy) = of.copies.pop_front_if(|(group, _)| *group < due)?;
        copy.words().for_each(|word| {
            self.words.remove(&word);
        });
        Some(copy)
    }
}
