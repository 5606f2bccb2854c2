//! The blocks of a launch that have not started.

use super::schedule::Dice;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Number of blocks among which the dice choose the next one to start.
const DRAWN: usize = 1024;

/// The blocks of a launch, which several host threads take in chunks.
#[derive(Debug)]
pub(super) struct Queue {
    next: AtomicU64,
    blocks: u32,
    chunk: u32,
    /// True if the launch must run on one host thread.
    given_up: AtomicBool,
}

impl Queue {
    /// `chunk`: number of blocks that a host thread takes at a time.
    pub fn new(blocks: u32, chunk: u32) -> Self {
        Self { next: AtomicU64::new(0), blocks, chunk, given_up: AtomicBool::new(false) }
    }

    /// Ends the work of all host threads.
    pub fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
    }

    /// Returns true after [`give_up`](Self::give_up).
    pub fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }

    fn take(&self) -> Option<std::ops::Range<u32>> {
        let first = self.next.fetch_add(self.chunk.into(), Ordering::Relaxed);
        let end = (first + u64::from(self.chunk)).min(self.blocks.into());
        (first < end).then_some(first as u32..end as u32)
    }

    fn is_empty(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.blocks.into()
    }
}

/// The blocks that a host thread has not started.
#[derive(Debug)]
pub(super) struct Waiting<'a> {
    own: std::ops::Range<u32>,
    /// Blocks among which the next one is chosen.
    drawn: Vec<u32>,
    /// More blocks, shared with other host threads.
    queue: Option<&'a Queue>,
}

impl<'a> Waiting<'a> {
    /// Returns all blocks of a launch.
    pub fn all(blocks: u32) -> Self {
        Self { own: 0..blocks, drawn: Vec::new(), queue: None }
    }

    /// Returns a host thread's share of the blocks in a queue.
    pub fn shared(queue: &'a Queue) -> Self {
        Self { own: 0..0, drawn: Vec::new(), queue: Some(queue) }
    }

    /// Returns true if other host threads run other blocks of the launch.
    pub fn is_shared(&self) -> bool {
        self.queue.is_some()
    }

    /// Returns true if one of these host threads has given up.
    pub fn is_given_up(&self) -> bool {
        self.queue.is_some_and(Queue::is_given_up)
    }

    /// Takes the next block; if `shuffled`, the dice choose it.
    pub fn take(&mut self, dice: &mut Dice, shuffled: bool) -> Option<u32> {
        let most = if shuffled { DRAWN } else { 1 };
        while self.drawn.len() < most {
            match self.own.next() {
                Some(block) => self.drawn.push(block),
                None => match self.queue.and_then(Queue::take) {
                    Some(chunk) => self.own = chunk,
                    None => break,
                },
            }
        }
        (!self.drawn.is_empty()).then(|| self.drawn.swap_remove(dice.below(self.drawn.len())))
    }

    /// Returns true if only the first block of the launch has started.
    pub fn only_first_started(&self) -> bool {
        self.queue.is_none() && self.own.start == 1
    }

    /// Returns the number of blocks that only this host thread can start.
    pub fn len(&self) -> u32 {
        (self.own.len() + self.drawn.len()) as u32
    }

    /// Returns true if no block is left.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.drawn.is_empty() && self.queue.is_none_or(Queue::is_empty)
    }
}
