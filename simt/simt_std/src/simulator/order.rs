//! The happens-before order: it orders two accesses if one comes first in every possible course of
//! the launch.
//!
//! Six mechanisms order accesses:
//!
//! - **Block barriers.** A block counts the barriers it has passed, its *epoch*: accesses of one
//!   block in different epochs are ordered.
//! - **Grid barriers.** They count as barriers of each block, and all threads then know all earlier
//!   epochs of all blocks.
//! - **Named barriers.** Those that arrive tell what they know, and those that wait then know it.
//! - **`sync_warp`.** Each lane keeps a clock for each lane of its warp: its own, and its knowledge
//!   of the others'. Lanes that synchronise take the maximum of what any of them knows.
//! - **Release and acquire**, across warps and blocks. A release stores all that its thread knows
//!   at the word; a thread that acquires from the word then knows it, too. The releasing thread's
//!   own clock increases, because its later accesses are not included:
//!
//!   ```text
//!   block 0, thread 0                   word             block 1, thread 0
//!   write x        (clock 5)
//!   store_release ─── knows clock 5 ──> flag ─────────>  load_acquire: knows clock 5 of block 0,
//!   write y        (clock 6)                             thread 0; may read x, not y
//!   ```
//!
//! - **Fences.** A relaxed store after a fence stores what the thread knew at the fence. A fence
//!   after a relaxed load takes what the load found at the word. Two sequentially consistent fences
//!   are also ordered by each other ([`sequential`](super::sequential)).
//!
//! Knowledge beyond the block's epoch and the warp's clocks ([`Known`]) is only kept once a thread
//! has acquired something. A block barrier joins the knowledge of the block's threads, a
//! `sync_warp` that of its lanes.

use super::known::{Join, Known, Stamp, join};
use super::sequential::SequentialFences;
use crate::ordering::{Order, Scope};
use std::collections::HashMap;
use std::sync::Arc;

/// The knowledge that the lanes of a warp have of each other: row l, column m is lane l's knowledge
/// of lane m's clock.
type Clocks = [[u32; 32]; 32];

/// A thread and its present knowledge.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    /// The thread, and the clock of its next access.
    pub at: Stamp,
    /// Its knowledge of its warp's lanes.
    row: &'a [u32; 32],
    known: Option<&'a Known>,
}

impl View<'_> {
    /// Returns true if the access comes before all further accesses of this thread.
    #[inline]
    pub fn knows(&self, at: Stamp) -> bool {
        if at.block == self.at.block {
            if at.epoch < self.at.epoch {
                return true;
            }
            if at.warp == self.at.warp && (at.lane == self.at.lane || self.row[at.lane as usize] >= at.clock) {
                return true;
            }
        }
        self.known.is_some_and(|known| known.covers(at))
    }

    /// Returns the lanes of `mask`, which all made an access at one clock, whose access comes
    /// before.
    #[inline]
    pub fn known_lanes(&self, at: Stamp, mask: u32) -> u32 {
        if at.block == self.at.block && at.epoch < self.at.epoch {
            return mask;
        }
        let mut known = 0;
        if at.block == self.at.block && at.warp == self.at.warp {
            for (lane, &clock) in self.row.iter().enumerate() {
                known |= u32::from(clock >= at.clock) << lane;
            }
            known = (known | 1 << self.at.lane) & mask;
        }
        if let Some(more) = self.known {
            let others = (0..32).filter(|lane| (mask & !known) >> lane & 1 == 1);
            known |= others.filter(|&lane| more.covers(Stamp { lane, ..at })).map(|lane| 1 << lane).sum::<u32>();
        }
        known
    }
}

/// The knowledge stored at a word.
#[derive(Debug, Clone, Default)]
struct Published {
    /// For threads of every block.
    everywhere: Option<Arc<Known>>,
    /// For threads of this block.
    within: Option<(u32, Arc<Known>)>,
}

/// The knowledge of a lane beyond its warp's clocks.
#[derive(Debug, Clone, Default)]
struct LaneOrder {
    known: Option<Arc<Known>>,
    /// Knowledge that relaxed loads have found at their words, for a later fence: one of any scope,
    /// and one within the block.
    pending: Option<Arc<Known>>,
    pending_within: Option<Arc<Known>>,
    /// Knowledge at the lane's last fence of device scope, and at its last fence of any scope.
    fenced: Option<Arc<Known>>,
    fenced_within: Option<Arc<Known>>,
}

/// The order of a warp's lanes.
#[derive(Debug)]
struct WarpOrder {
    clocks: Box<Clocks>,
    /// Allocated when a lane first needs it.
    lanes: Option<Box<[LaneOrder; 32]>>,
}

/// The order of a block's threads.
#[derive(Debug)]
pub(super) struct BlockOrder {
    number: u32,
    epoch: u32,
    warps: Vec<WarpOrder>,
}

impl BlockOrder {
    /// Makes the order of a block that starts.
    pub fn new(number: u32, warps: usize) -> Self {
        let mut clocks = [[0; 32]; 32];
        (0..32).for_each(|lane| clocks[lane][lane] = 1);
        let warp = |_| WarpOrder { clocks: Box::new(clocks), lanes: None };
        Self { number, epoch: 0, warps: (0..warps).map(warp).collect() }
    }

    /// Returns a thread's knowledge.
    #[inline]
    pub fn view(&self, warp: u32, lane: u32) -> View<'_> {
        let of = &self.warps[warp as usize];
        let row = &of.clocks[lane as usize];
        let at = Stamp { block: self.number, epoch: self.epoch, warp, lane, clock: row[lane as usize] };
        View { at, row, known: of.lanes.as_ref().and_then(|lanes| lanes[lane as usize].known.as_deref()) }
    }

    /// Synchronises all threads of the block at a barrier.
    pub fn barrier(&mut self) {
        self.epoch += 1;
        let lanes = || self.warps.iter().filter_map(|warp| warp.lanes.as_deref()).flatten();
        let mut all = None;
        lanes().for_each(|lane| join(&mut all, &lane.known));
        if all.is_some() {
            for warp in &mut self.warps {
                warp.lanes.get_or_insert_default().iter_mut().for_each(|lane| lane.known.clone_from(&all));
            }
        }
    }

    /// Synchronises the lanes of `mask` of a warp in a `sync_warp`.
    pub fn sync_warp(&mut self, warp: usize, mask: u32) {
        let WarpOrder { clocks, lanes } = &mut self.warps[warp];
        let members = || (0..32).filter(|lane| mask >> lane & 1 == 1);
        let mut joined = [0; 32];
        for lane in members() {
            joined.iter_mut().zip(&clocks[lane]).for_each(|(most, &clock)| *most = clock.max(*most));
        }
        for lane in members() {
            clocks[lane] = joined;
            clocks[lane][lane] += 1;
        }
        if let Some(lanes) = lanes {
            let mut all = None;
            members().for_each(|lane| join(&mut all, &lanes[lane].known));
            members().for_each(|lane| lanes[lane].known.clone_from(&all));
        }
    }

    /// Adds all that the threads of a warp know to `known`, including their own accesses so far.
    pub fn tell(&mut self, warp: usize, known: &mut Option<Arc<Known>>) {
        let WarpOrder { clocks, lanes } = &mut self.warps[warp];
        lanes.iter().flat_map(|lanes| lanes.iter()).for_each(|lane| join(known, &lane.known));
        let mut joined = [0; 32];
        for row in clocks.iter() {
            joined.iter_mut().zip(row).for_each(|(most, &clock)| *most = clock.max(*most));
        }
        (0..32).for_each(|lane| clocks[lane][lane] += 1);
        Arc::make_mut(known.get_or_insert_default()).join_warp(self.number, self.epoch, warp as u32, joined);
    }

    /// Adds `known` to what the threads of a warp know.
    pub fn hear(&mut self, warp: usize, known: &Option<Arc<Known>>) {
        self.warps[warp].lanes.get_or_insert_default().iter_mut().for_each(|lane| join(&mut lane.known, known));
    }

    /// Synchronises all threads of a grid, whose blocks are all here: they know all accesses so
    /// far.
    pub fn grid_barrier<'a>(blocks: impl Iterator<Item = &'a mut Self>) {
        let mut blocks: Vec<_> = blocks.collect();
        blocks.sort_unstable_by_key(|block| block.number);
        let mut all = Known::default();
        for block in &mut blocks {
            block.epoch += 1;
            all.join_epoch(block.number, block.epoch);
            let lanes = block.warps.iter().filter_map(|warp| warp.lanes.as_deref()).flatten();
            lanes.filter_map(|lane| lane.known.as_ref()).for_each(|known| all.fences.join(&known.fences));
        }
        let all = Arc::new(all);
        for warp in blocks.iter_mut().flat_map(|block| &mut block.warps) {
            warp.lanes.get_or_insert_default().iter_mut().for_each(|lane| lane.known = Some(all.clone()));
        }
    }

    fn lane(&mut self, warp: u32, lane: u32) -> &mut LaneOrder {
        &mut self.warps[warp as usize].lanes.get_or_insert_default()[lane as usize]
    }

    /// Returns all that a thread knows, including its own accesses so far. Its later accesses are
    /// not included.
    fn snapshot(&mut self, warp: u32, lane: u32) -> Arc<Known> {
        let (number, epoch) = (self.number, self.epoch);
        let mut known = self.lane(warp, lane).known.as_deref().cloned().unwrap_or_default();
        let row = &mut self.warps[warp as usize].clocks[lane as usize];
        known.join_warp(number, epoch, warp, *row);
        row[lane as usize] += 1;
        Arc::new(known)
    }
}

/// Identifies a word: (0, address) in global memory, (block number + 1, address) in a block's
/// shared memory.
pub(super) type WordKey = (u64, u64);

/// The knowledge stored at the words of a launch.
#[derive(Debug, Default)]
pub(super) struct Words {
    words: HashMap<WordKey, Published>,
    sequential: SequentialFences<WordKey>,
    /// True if any thread has ever acquired; until then, different blocks are never ordered.
    pub acquired: bool,
}

impl Words {
    /// Forgets the words of the previous launch.
    pub fn next_launch(&mut self) {
        self.words.clear();
        self.sequential.next_launch();
    }

    /// Handles a plain write: a thread that reads it acquires nothing.
    #[inline]
    pub fn overwritten(&mut self, word: WordKey) {
        if !self.words.is_empty() {
            self.words.remove(&word);
        }
    }

    /// Handles a fence of a thread. A sequentially consistent one at block scope counts as one that
    /// only acquires and releases.
    pub fn fence(&mut self, block: &mut BlockOrder, (warp, lane): (u32, u32), (order, scope): (Order, Scope)) {
        let wide = scope != Scope::Block;
        let sequential = wide && order == Order::SeqCst;
        self.acquired = true;
        let own = block.lane(warp, lane);
        let within = own.pending_within.take();
        join(&mut own.known, &within);
        if wide {
            let pending = own.pending.take();
            join(&mut own.known, &pending);
        }
        if sequential {
            self.sequential.begin(&mut own.known);
        }
        let mut known = block.snapshot(warp, lane);
        if sequential {
            let passed = Some(Arc::new(known.blocks.clone()));
            for known in [&mut known, block.lane(warp, lane).known.get_or_insert_default()] {
                Arc::make_mut(known).fences.passed.clone_from(&passed);
            }
        }
        let own = block.lane(warp, lane);
        if wide {
            own.fenced = Some(known.clone());
        }
        own.fenced_within = Some(known);
    }

    /// Takes the knowledge stored at a word that a thread reads by an atomic operation; call it
    /// before the operation itself.
    pub fn acquire(
        &mut self,
        block: &mut BlockOrder,
        (warp, lane): (u32, u32),
        word: WordKey,
        (order, scope): (Order, Scope),
    ) {
        let wide = scope != Scope::Block;
        let acquires = matches!(order, Order::Acquire | Order::AcqRel);
        self.acquired |= acquires;
        if wide && self.sequential.any() {
            self.sequential.access(&mut block.lane(warp, lane).known, word, false);
        }
        let Some(published) = self.words.get(&word) else { return };
        let within = published.within.as_ref().filter(|(of, _)| *of == block.number).map(|(_, known)| known.clone());
        let everywhere = published.everywhere.clone().filter(|_| wide);
        let own = block.lane(warp, lane);
        if acquires {
            join(&mut own.known, &within);
            join(&mut own.known, &everywhere);
        } else {
            join(&mut own.pending_within, &within);
            join(&mut own.pending, &within.filter(|_| wide));
            join(&mut own.pending, &everywhere);
        }
    }

    /// Stores a thread's knowledge at a word that it writes by an atomic operation. `reads`: the
    /// operation is a read-modify-write, which adds to the knowledge already there.
    pub fn release(
        &mut self,
        block: &mut BlockOrder,
        (warp, lane): (u32, u32),
        word: WordKey,
        reads: bool,
        (order, scope): (Order, Scope),
    ) {
        let releases = matches!(order, Order::Release | Order::AcqRel);
        if scope != Scope::Block && self.sequential.any() {
            self.sequential.access(&mut block.lane(warp, lane).known, word, true);
        }
        let (everywhere, within) = if releases {
            let known = block.snapshot(warp, lane);
            (Some(known.clone()), Some(known))
        } else if let Some(lanes) = &block.warps[warp as usize].lanes {
            (lanes[lane as usize].fenced.clone(), lanes[lane as usize].fenced_within.clone())
        } else {
            (None, None)
        };
        let everywhere = everywhere.filter(|_| scope != Scope::Block);
        if !reads {
            self.overwritten(word);
        }
        if everywhere.is_none() && within.is_none() {
            return;
        }
        let published = self.words.entry(word).or_default();
        join(&mut published.everywhere, &everywhere);
        if let Some(within) = within {
            published.within = match published.within.take() {
                Some((of, known)) if of == block.number => {
                    let mut both = Some(known);
                    join(&mut both, &Some(within));
                    both.map(|both| (of, both))
                }
                _ => Some((block.number, within)),
            };
        }
    }
}

#[cfg(test)]
mod tests;
