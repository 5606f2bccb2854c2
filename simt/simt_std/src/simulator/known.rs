//! A thread's knowledge: the accesses that come before its next one.

use std::sync::Arc;

/// The thread and the time of an access.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stamp {
    pub block: u32,
    pub epoch: u32,
    pub warp: u32,
    pub lane: u32,
    pub clock: u32,
}

/// Knowledge about one block.
#[derive(Debug, Clone, PartialEq, Eq)]
struct KnownBlock {
    /// Every access in an earlier epoch is known.
    epoch: u32,
    /// Clocks of the lanes, for some of the warps: a lane's accesses up to its clock are known.
    warps: Arc<Vec<(u32, [u32; 32])>>,
}

/// Knowledge of the accesses of several blocks, sorted by the block's number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct KnownBlocks {
    blocks: Vec<(u32, KnownBlock)>,
}

impl KnownBlocks {
    fn covers(&self, at: Stamp) -> bool {
        let Ok(i) = self.blocks.binary_search_by_key(&at.block, |(block, _)| *block) else { return false };
        let known = &self.blocks[i].1;
        at.epoch < known.epoch
            || known.warps.iter().any(|(warp, clocks)| *warp == at.warp && clocks[at.lane as usize] >= at.clock)
    }

    fn join_block(&mut self, block: u32, other: &KnownBlock) {
        match self.blocks.binary_search_by_key(&block, |(block, _)| *block) {
            Err(i) => self.blocks.insert(i, (block, other.clone())),
            Ok(i) => {
                let own = &mut self.blocks[i].1;
                own.epoch = own.epoch.max(other.epoch);
                if Arc::ptr_eq(&own.warps, &other.warps) {
                    return;
                }
                let warps = Arc::make_mut(&mut own.warps);
                for (warp, clocks) in other.warps.iter() {
                    match warps.iter_mut().find(|(known, _)| known == warp) {
                        Some((_, known)) => known.iter_mut().zip(clocks).for_each(|(a, b)| *a = (*a).max(*b)),
                        None => warps.push((*warp, *clocks)),
                    }
                }
            }
        }
    }
}

/// Knowledge that can be joined.
pub(super) trait Join: Clone {
    /// Adds `other`.
    fn join(&mut self, other: &Self);
}

impl Join for KnownBlocks {
    fn join(&mut self, other: &Self) {
        other.blocks.iter().for_each(|(block, known)| self.join_block(*block, known));
    }
}

/// A thread's knowledge of other blocks and of other warps of its own block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub blocks: KnownBlocks,
    /// For sequentially consistent fences: see [`sequential`](super::sequential).
    pub fences: KnownFences,
}

/// A thread's knowledge of sequentially consistent fences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct KnownFences {
    /// What was known at the fences that come before.
    pub passed: Option<Arc<KnownBlocks>>,
    /// What was known at the fences that must come before the next fence.
    pub pending: Option<Arc<KnownBlocks>>,
}

impl Known {
    /// Returns true if an access is known.
    pub fn covers(&self, at: Stamp) -> bool {
        self.blocks.covers(at)
    }

    /// Adds a warp's clocks as a lane of it knows them, in its block's present epoch.
    pub fn join_warp(&mut self, block: u32, epoch: u32, warp: u32, clocks: [u32; 32]) {
        self.blocks.join_block(block, &KnownBlock { epoch, warps: Arc::new(vec![(warp, clocks)]) });
    }

    /// Adds all accesses of a block in the epochs before this one.
    pub fn join_epoch(&mut self, block: u32, epoch: u32) {
        self.blocks.join_block(block, &KnownBlock { epoch, warps: Arc::default() });
    }
}

impl Join for KnownFences {
    fn join(&mut self, other: &Self) {
        join(&mut self.passed, &other.passed);
        join(&mut self.pending, &other.pending);
    }
}

impl Join for Known {
    fn join(&mut self, other: &Self) {
        self.blocks.join(&other.blocks);
        self.fences.join(&other.fences);
    }
}

/// Adds `other` to `known`.
pub(super) fn join<K: Join>(known: &mut Option<Arc<K>>, other: &Option<Arc<K>>) {
    match (known, other) {
        (_, None) => {}
        (known @ None, Some(other)) => *known = Some(other.clone()),
        (Some(known), Some(other)) if Arc::ptr_eq(known, other) => {}
        (Some(known), Some(other)) => Arc::make_mut(known).join(other),
    }
}
