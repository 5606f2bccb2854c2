//! The counts of a launch that belong to no source line.

use super::access::Access;
use super::footprint::SectorSet;
use super::wavefronts::LaneAddress;
use serde::Serialize;
use std::collections::HashMap;
use std::ops::AddAssign;

/// The counts of launches that belong to no source line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LaunchTotals {
    /// Number of blocks that ran to their end.
    pub blocks: u64,
    /// Number of threads of a block, in the last launch.
    pub threads: u32,
    /// Bytes of shared memory of a block, in the last launch.
    pub shared_bytes: u32,
    /// Number of 32-byte sectors of global memory that blocks load; each counts once a block.
    pub block_read_sectors: u64,
    /// Number of 32-byte sectors of global memory that launches load; each counts once a launch.
    pub read_sectors: u64,
    /// Number of 32-byte sectors of global memory that launches write, also by atomic operations;
    /// each counts once a launch.
    pub written_sectors: u64,
    /// Number of lanes' atomic operations at the most frequent word of global memory, summed over
    /// the launches.
    pub busiest_word: u64,
}

impl AddAssign for LaunchTotals {
    fn add_assign(&mut self, later: Self) {
        self.blocks += later.blocks;
        self.threads = later.threads;
        self.shared_bytes = later.shared_bytes;
        self.block_read_sectors += later.block_read_sectors;
        self.read_sectors += later.read_sectors;
        self.written_sectors += later.written_sectors;
        self.busiest_word += later.busiest_word;
    }
}

/// The sectors that a block or a launch touches.
#[derive(Debug, Default)]
struct Footprint {
    read: SectorSet,
    written: SectorSet,
}

/// The blocks of a launch, or some of them.
#[derive(Debug, Default)]
pub(super) struct BlockTotals {
    /// Number of threads of a block; 0 if no block has run.
    pub threads: u32,
    blocks: u64,
    shared_bytes: u32,
    block_read_sectors: u64,
    /// The sectors of the blocks that have ended.
    footprint: Footprint,
    /// Indexed by slot: the sectors of the block that runs there.
    running: Vec<Footprint>,
    /// Atomic operations of lanes at each address of global memory.
    atomics: HashMap<u64, u64>,
}

impl BlockTotals {
    /// Makes the counts of blocks of `threads` threads.
    pub fn new(threads: u32) -> Self {
        Self { threads, ..Self::default() }
    }

    /// Counts a warp access of global memory by the block in a slot.
    pub fn add(&mut self, slot: usize, access: Access, size: u32, lanes: &[LaneAddress]) {
        if slot >= self.running.len() {
            self.running.resize_with(slot + 1, Footprint::default);
        }
        let block = &mut self.running[slot];
        match access {
            Access::Read => block.read.add(size, lanes),
            Access::Write | Access::Atomic => block.written.add(size, lanes),
        }
        if access == Access::Atomic {
            lanes.iter().for_each(|(_, address)| *self.atomics.entry(*address).or_default() += 1);
        }
    }

    /// Counts the end of the block in a slot, which has used `shared` bytes of shared memory.
    pub fn end_block(&mut self, slot: usize, shared: u32) {
        self.blocks += 1;
        self.shared_bytes = self.shared_bytes.max(shared);
        if let Some(block) = self.running.get_mut(slot) {
            self.block_read_sectors += block.read.count();
            self.footprint.read.add_all(&block.read);
            self.footprint.written.add_all(&block.written);
            block.read.clear();
            block.written.clear();
        }
    }

    /// Adds other blocks of the same launch that have ended.
    pub fn merge(&mut self, other: &Self) {
        self.threads = self.threads.max(other.threads);
        self.blocks += other.blocks;
        self.shared_bytes = self.shared_bytes.max(other.shared_bytes);
        self.block_read_sectors += other.block_read_sectors;
        self.footprint.read.add_all(&other.footprint.read);
        self.footprint.written.add_all(&other.footprint.written);
        other.atomics.iter().for_each(|(&address, count)| *self.atomics.entry(address).or_default() += count);
    }

    /// Returns the counts of the blocks that have ended.
    pub fn totals(&self) -> LaunchTotals {
        LaunchTotals {
            blocks: self.blocks,
            threads: self.threads,
            shared_bytes: self.shared_bytes,
            block_read_sectors: self.block_read_sectors,
            read_sectors: self.footprint.read.count(),
            written_sectors: self.footprint.written.count(),
            busiest_word: self.atomics.values().copied().max().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, BlockTotals};

    /// Counts some blocks of a launch: each adds 8 times to one word, and reads a sector of its
    /// own.
    fn counted(blocks: std::ops::Range<u64>) -> BlockTotals {
        let mut totals = BlockTotals::new(40);
        for block in blocks {
            let lanes: Vec<(u32, u64)> = (0..8).map(|lane| (lane, 4096)).collect();
            totals.add(0, Access::Atomic, 4, &lanes);
            totals.add(0, Access::Read, 4, &[(2, block * 32)]);
            totals.end_block(0, 100 + block as u32);
        }
        totals
    }

    #[test]
    fn blocks_of_one_launch_add_up() {
        let mut parts = BlockTotals::default();
        parts.merge(&counted(0..2));
        parts.merge(&counted(2..5));
        let totals = counted(0..5).totals();
        assert_eq!(parts.totals(), totals);
        // Each block reads its own sector; all of them change one other sector.
        assert_eq!((totals.blocks, totals.threads, totals.shared_bytes), (5, 40, 104));
        assert_eq!((totals.block_read_sectors, totals.read_sectors, totals.written_sectors), (5, 5, 1));
        assert_eq!(totals.busiest_word, 5 * 8);
        // The same blocks again touch the same sectors.
        parts.merge(&counted(0..2));
        assert_eq!((parts.totals().block_read_sectors, parts.totals().read_sectors), (7, 5));
    }
}
