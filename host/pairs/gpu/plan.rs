//! Which instance of the kernel computes a block of the matrix, and in how many blocks of threads.

use crate::device::Limits;
use crate::error::{Result, UsageFault};
use crate::pairs::cost::Cost;
use carrywave_kernels::distance::all_pairs::{ALL_PAIRS_INSTANCES, WARPS, edge_words, warp_bytes};

/// Overrides of the plan; a field that is not set has the value that was measured to be best.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tuning {
    /// Columns of a lane's block.
    pub columns: Option<usize>,
    /// The form of the table.
    pub table: Option<u32>,
    /// Every `logic`-th column uses logic instructions only; 0 is none.
    pub logic: Option<u32>,
    /// Warps of a block of threads.
    pub warps: Option<u32>,
    /// Blocks of threads for each multiprocessor.
    pub blocks: Option<u32>,
    /// Rows and columns of a block of the matrix, at most.
    pub side: Option<usize>,
    /// Least number of pairs of a short list that are computed as listed pairs.
    pub many: Option<usize>,
}

/// An instance, and the shape of its launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairsPlan {
    pub(super) indel: bool,
    pub(super) columns: usize,
    pub(super) table: u32,
    pub(super) logic: u32,
    pub(super) warps: u32,
    pub(super) blocks: u32,
    pub(super) shared_bytes: u32,
}

/// The cost of a row of a block of columns beside its cells, in cells.
const ROW: usize = 3;

impl PairsPlan {
    /// For columns of these lengths: the longest string of each group.
    pub(super) fn new(
        cost: Cost,
        table: u32,
        table_rows: u32,
        groups: &[usize],
        limits: Limits,
        tuning: Tuning,
    ) -> Result<Self> {
        let indel = cost == Cost::Indel;
        // The best measured, for each cost.
        let logic = tuning.logic.unwrap_or(if indel { 2 } else { 8 });
        let of_table = ALL_PAIRS_INSTANCES.iter().filter(|&&(i, c, t, l)| {
            i == indel && t == table && l == logic && tuning.columns.is_none_or(|columns| columns == c)
        });
        let time = |columns: usize| -> usize { groups.iter().map(|n| n.div_ceil(columns) * (columns + ROW)).sum() };
        // With the same time fewer registers.
        let best = of_table.min_by_key(|&&(_, columns, ..)| (time(columns), columns));
        let &(_, columns, ..) = best.ok_or_else(|| {
            let asked = format!("columns {:?}, table {table}, logic {logic}, indel {indel}", tuning.columns);
            UsageFault::Engine.error(format!("there is no kernel for all pairs with {asked}"))
        })?;
        let each = warp_bytes(columns, table, table_rows);
        let fit = (limits.block_shared / each).clamp(1, WARPS);
        let warps = tuning.warps.unwrap_or(4).clamp(1, fit);
        let blocks = limits.multiprocessors * tuning.blocks.unwrap_or(16 / warps).max(1);
        Ok(Self { indel, columns, table, logic, warps, blocks, shared_bytes: warps * each })
    }

    /// Limits the blocks to those that have work, for `pairs` pairs of groups, and whose edges fit into `bytes`; at least one.
    pub(super) fn limit(&mut self, pairs: u64, rows: u32, bytes: u64) {
        let block = edge_words(self.indel, rows) * 4 * u64::from(self.warps);
        let most = pairs.div_ceil(self.warps.into()).min(bytes / block).clamp(1, self.blocks.into());
        self.blocks = most as u32;
    }

    /// Words of edges of the launch.
    pub(super) fn edge_words(&self, rows: u32) -> u64 {
        edge_words(self.indel, rows) * u64::from(self.warps) * u64::from(self.blocks)
    }
}
