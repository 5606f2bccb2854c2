//! Priority schedules: the thread with the highest priority runs, and at a few random steps the
//! running thread gets the lowest priority.
//!
//! This finds faults that need one thread to stand still while another makes many steps (*PCT*:
//! Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic
//! guarantees of finding bugs, 2010). A step is an atomic operation.
//!
//! ```text
//! step       1   2   3   4   5   6   7   8   9   10
//! block 0    a1                                  a2      priority 7, then 1
//! block 1        b1  b2  b3  b4  b5  b6  b7  b8          priority 3
//!              └ change point
//! ```
//!
//! The seed determines the number of change points unless it is given: 1 to 3 among the first few
//! steps, or many. The seed also determines the number of these first steps; whether threads have
//! priorities of their own, or blocks have them and run their threads one after the other; and
//! whether blocks start in the order of their numbers. A thread that spins gets the lowest
//! priority, too.

use super::{Lane, PATIENCE, Request, SPIN_SHARE, Scheduler};
use crate::simulator::fault::Fault;
use crate::simulator::launch::with_launch;
use std::collections::BinaryHeap;

/// Few change points: 1 to [`FEW`] among the first 2^n steps, for n from [`MIN_LOG2_STEPS`] to
/// [`MIN_LOG2_STEPS`] + [`SPREAD`] - 1; small n are more frequent.
const FEW: usize = 3;
const MIN_LOG2_STEPS: usize = 3;
const SPREAD: usize = 9;

/// Many change points: 1 in 2^n of the first [`STEPS`] steps, for n from [`RARE`] to [`RARE`] +
/// [`RARER`] - 1.
const STEPS: usize = 1 << 13;
const RARE: usize = 2;
const RARER: usize = 5;

/// A thread counts as spinning after this many consecutive steps without a change of memory.
const SPIN: u64 = 32;

/// Initial priorities are at least this; those after a change are lower.
const START: u64 = 1 << 32;

/// A priority: first the block's, then the thread's.
type Priority = (u64, u64);

/// A runnable thread: its priority, slot and number in the block.
type Entry = (Priority, usize, u32);

/// A resident block.
#[derive(Default)]
struct BlockCourse {
    priority: u64,
    threads: Vec<u64>,
    /// Mask of the queued threads of each warp.
    queued: Vec<u32>,
    at_barrier: u32,
    ended: u32,
}

/// The priorities of a launch, and its remaining change points.
pub(super) struct Course {
    by_block: bool,
    /// True if blocks start in random order.
    shuffled: bool,
    /// Steps of the change points, in descending order.
    changes: Vec<u64>,
    steps: u64,
    lowest: u64,
    blocks: Vec<BlockCourse>,
    heap: BinaryHeap<Entry>,
    /// `idle`: steps since memory changed; `progress`: number of changes at the last step.
    idle: u64,
    progress: u64,
}

impl Scheduler<'_> {
    /// Runs the launch by priorities. `changes`: number of change points.
    pub(super) fn by_priority(&mut self, changes: Option<u32>) -> Result<(), Box<Fault>> {
        let (by_block, shuffled) = (self.dice.below(2) == 0, self.dice.below(2) == 0);
        let first = 1 << (MIN_LOG2_STEPS + self.dice.below(SPREAD).min(self.dice.below(SPREAD)));
        let (count, steps) = match changes {
            Some(changes) => (changes as usize, first),
            None if self.dice.below(3) > 0 => (1 + self.dice.below(FEW), first),
            None => (STEPS >> (RARE + self.dice.below(RARER)), STEPS),
        };
        let mut changes: Vec<u64> = (0..count).map(|_| 1 + self.dice.below(steps) as u64).collect();
        changes.sort_unstable_by(|a, b| b.cmp(a));
        let blocks = self.slots.iter().map(|_| BlockCourse::default()).collect();
        let (heap, lowest) = (BinaryHeap::new(), START);
        let mut course = Course { by_block, shuffled, changes, steps: 0, lowest, blocks, heap, idle: 0, progress: 0 };
        loop {
            self.fill(&mut course)?;
            let Some((priority, slot, thread)) = course.heap.pop() else {
                if self.waiting.is_empty() && self.slots.iter().all(Option::is_none) {
                    return Ok(());
                }
                return self.serve_all().and_then(|()| Err(self.stuck()));
            };
            let now = course.priority(slot, thread);
            if now == priority {
                self.check_whether_to_go_on()?;
                self.run_thread(&mut course, slot, thread)?;
            } else {
                course.heap.push((now, slot, thread));
            }
        }
    }

    /// Starts blocks in the free slots.
    fn fill(&mut self, course: &mut Course) -> Result<(), Box<Fault>> {
        for slot in 0..self.slots.len() {
            if self.slots[slot].is_none()
                && let Some(number) = self.waiting.take(&mut self.dice, course.shuffled)
            {
                self.start(slot, number)?;
                let mut draw = || START + self.dice.below_u64(1 << 32);
                course.blocks[slot] = BlockCourse {
                    priority: if course.by_block { draw() } else { 0 },
                    threads: (0..self.threads).map(|_| draw()).collect(),
                    queued: vec![0; self.threads.div_ceil(32) as usize],
                    ..BlockCourse::default()
                };
                self.queue_all(course, slot);
            }
        }
        Ok(())
    }

    fn queue_all(&self, course: &mut Course, slot: usize) {
        (0..self.threads.div_ceil(32) as usize).for_each(|warp| self.queue(course, slot, warp));
    }

    /// Queues the runnable threads of a warp.
    fn queue(&self, course: &mut Course, slot: usize, warp: usize) {
        let Some(block) = &self.slots[slot] else { return };
        for (lane, state) in block.warps[warp].lanes.iter().enumerate() {
            let queued = &mut course.blocks[slot].queued[warp];
            if *queued >> lane & 1 == 0 && matches!(state, Lane::Ready(_)) {
                *queued |= 1 << lane;
                let thread = (warp * 32 + lane) as u32;
                course.heap.push((course.priority(slot, thread), slot, thread));
            }
        }
    }

    /// Runs a thread until it synchronises, ends or accesses a word by an atomic operation.
    fn run_thread(&mut self, course: &mut Course, slot: usize, thread: u32) -> Result<(), Box<Fault>> {
        let (warp, lane) = (thread as usize / 32, thread as usize % 32);
        course.blocks[slot].queued[warp] &= !(1 << lane);
        let Lane::Ready(answer) = self.warp(slot, warp).lanes[lane] else { return Ok(()) };
        self.resume(slot, warp, lane, answer)?;
        let state = &mut self.warp(slot, warp).lanes[lane];
        match *state {
            Lane::Waiting(Request::Yield) => {
                *state = Lane::Ready(0);
                self.step(course, slot, thread)?;
            }
            Lane::Waiting(Request::Full) => {
                *state = Lane::Ready(0);
                self.count(slot, warp);
            }
            Lane::Waiting(Request::Barrier(_) | Request::Grid(_)) => {
                course.blocks[slot].at_barrier += 1;
                if course.blocks[slot].at_barrier == self.threads {
                    course.blocks[slot].at_barrier = 0;
                    self.settle(slot)?;
                    (0..self.slots.len()).for_each(|slot| self.queue_all(course, slot));
                }
            }
            Lane::Waiting(Request::Collective { mask, .. }) => {
                if self.warp(slot, warp).all_at_collectives(mask) {
                    self.count(slot, warp);
                    while self.serve(slot, warp)? {}
                }
            }
            Lane::Waiting(Request::Named(_)) => {
                let is_there = |lane: &Lane| matches!(lane, Lane::Waiting(Request::Named(_)));
                if self.warp(slot, warp).lanes.iter().all(is_there) {
                    self.count(slot, warp);
                    self.serve(slot, warp)?;
                    self.queue_all(course, slot);
                }
            }
            Lane::Done => {
                course.blocks[slot].ended += 1;
                if course.blocks[slot].ended == self.threads {
                    self.settle(slot)?;
                }
            }
            Lane::Ready(_) | Lane::Waiting(Request::Fault) => {}
        }
        self.queue(course, slot, warp);
        Ok(())
    }

    /// Counts a step of a thread, which may lower the thread's priority.
    fn step(&mut self, course: &mut Course, slot: usize, thread: u32) -> Result<(), Box<Fault>> {
        course.steps += 1;
        while course.changes.last() == Some(&course.steps) {
            course.changes.pop();
            course.lower(slot, thread, course.by_block);
        }
        let (progress, idle_steps, suspects) =
            with_launch(|l| (l.changes + l.ends, l.idle_steps(), l.suspects_a_spin()));
        course.idle = if progress == course.progress { course.idle + 1 } else { 0 };
        course.progress = progress;
        // Once memory stops changing, the elements that threads wait for are recorded.
        self.idle_rounds = u32::from(course.idle > 0);
        let patience = if suspects { 1 } else { SPIN };
        if course.idle > 0 && course.idle.is_multiple_of(patience) {
            course.lower(slot, thread, false);
            // If blocks have priorities, the next block runs when all threads of this one have had
            // a turn.
            if course.by_block && course.idle.is_multiple_of(patience * u64::from(self.threads)) {
                course.lower(slot, thread, true);
            }
        }
        let ready = course.heap.len() as u64 + 1;
        let spins = course.idle > 2 * SPIN * ready.max(u64::from(self.threads)) + u64::from(PATIENCE);
        if spins && idle_steps > self.spin_limit / SPIN_SHARE {
            return Err(self.stuck());
        }
        Ok(())
    }

    /// Counts the accesses that a warp's lanes have recorded.
    fn count(&mut self, slot: usize, warp: usize) {
        if self.accounting {
            with_launch(|l| l.count(slot, warp, 0, &mut self.costs));
        }
    }

    /// Serves the remaining collectives, whose lanes do not all wait for each other. The first
    /// broken rule is the fault.
    fn serve_all(&mut self) -> Result<(), Box<Fault>> {
        for slot in 0..self.slots.len() {
            let warps = self.slots[slot].as_ref().map_or(0, |block| block.warps.len());
            for warp in 0..warps {
                self.serve(slot, warp)?;
            }
        }
        Ok(())
    }
}

impl Course {
    fn priority(&self, slot: usize, thread: u32) -> Priority {
        let block = &self.blocks[slot];
        (block.priority, block.threads[thread as usize])
    }

    /// Gives a thread or its block the lowest priority of all.
    fn lower(&mut self, slot: usize, thread: u32, block: bool) {
        self.lowest -= 1;
        let of = &mut self.blocks[slot];
        *(if block { &mut of.priority } else { &mut of.threads[thread as usize] }) = self.lowest;
    }
}
