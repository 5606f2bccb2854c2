//! Chooses the kernel instance that computes a block of the matrix, and its number of thread
//! blocks.

use super::kernel_cost::kernel_cost;
use crate::device::Limits;
use crate::error::{Result, UsageFault};
use crate::pairs::cost::Cost;
use carrywave_kernels::distance::all_pairs::{ALL_PAIRS_INSTANCES, WARPS, edge_words, warp_bytes};

/// Overrides of the plan; a field that is not set has the value that measured best.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tuning {
    /// Number of columns of a lane's block.
    pub columns: Option<usize>,
    /// Form of the table.
    pub table: Option<u32>,
    /// Every `logic`-th column uses only logic instructions; 0 means none.
    pub logic: Option<u32>,
    /// Number of warps of a thread block.
    pub warps: Option<u32>,
    /// Number of thread blocks for each multiprocessor.
    pub blocks: Option<u32>,
    /// Upper bound on the rows and columns of a block of the matrix.
    pub side: Option<usize>,
    /// Lower bound on the pairs of a short list that are computed as listed pairs.
    pub many: Option<usize>,
    /// True if listed pairs are computed by the kernel for long strings.
    pub long: Option<bool>,
}

/// A kernel instance, and the shape of its launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairsPlan {
    /// The kernel's number for the cost.
    pub(super) cost: u32,
    pub(super) columns: usize,
    pub(super) table: u32,
    pub(super) logic: u32,
    pub(super) warps: u32,
    pub(super) blocks: u32,
    pub(super) shared_bytes: u32,
}

/// Extra cost of a row of a block of columns, in cells.
const ROW: usize = 3;

impl PairsPlan {
    /// Plans for columns of these lengths: the longest string of each group.
    pub(super) fn new(
        cost: Cost,
        table: u32,
        table_rows: u32,
        groups: &[usize],
        limits: Limits,
        tuning: Tuning,
    ) -> Result<Self> {
        // The best values measured, for each cost. Transpositions take logic instructions only.
        let logic = tuning.logic.unwrap_or(match cost {
            Cost::Levenshtein => 8,
            Cost::Indel => 2,
            Cost::Osa => 1,
        });
        let cost = kernel_cost(cost);
        let of_table = ALL_PAIRS_INSTANCES.iter().filter(|&&(of, c, t, l)| {
            of == cost && t == table && l == logic && tuning.columns.is_none_or(|columns| columns == c)
        });
        let time = |columns: usize| -> usize { groups.iter().map(|n| n.div_ceil(columns) * (columns + ROW)).sum() };
        // Among equal times, the fewest registers win.
        let best = of_table.min_by_key(|&&(_, columns, ..)| (time(columns), columns));
        let &(_, columns, ..) = best.ok_or_else(|| {
            let asked = format!("columns {:?}, table {table}, logic {logic}, cost {cost}", tuning.columns);
            UsageFault::Engine.error(format!("there is no kernel for all pairs with {asked}"))
        })?;
        let each = warp_bytes(columns, table, table_rows);
        let fit = (limits.block_shared / each).clamp(1, WARPS);
        let warps = tuning.warps.unwrap_or(4).clamp(1, fit);
        let blocks = limits.multiprocessors * tuning.blocks.unwrap_or(16 / warps).max(1);
        Ok(Self { cost, columns, table, logic, warps, blocks, shared_bytes: warps * each })
    }

    /// Limits the blocks to those that have work, for `pairs` pairs of groups, and whose edges fit
    /// into `bytes`; at least one.
    pub(super) fn limit(&mut self, pairs: u64, rows: u32, bytes: u64) {
        let block = edge_words(self.cost, rows) * 4 * u64::from(self.warps);
        let most = pairs.div_ceil(self.warps.into()).min(bytes / block).clamp(1, self.blocks.into());
        self.blocks = most as u32;
    }

    /// Returns the number of words of edges of the launch.
    pub(super) fn edge_words(&self, rows: u32) -> u64 {
        edge_words(self.cost, rows) * u64::from(self.warps) * u64::from(self.blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each kernel takes time to compile and space in the package, so some plan must take it.
    #[test]
    fn every_kernel_of_all_pairs_is_chosen() {
        let limits = Limits { multiprocessors: 132, block_shared: 227 << 10, exclusive_shared: 0 };
        for &(of, columns, table, logic) in ALL_PAIRS_INSTANCES {
            let cost =
                [Cost::Levenshtein, Cost::Indel, Cost::Osa].into_iter().find(|&cost| kernel_cost(cost) == of).unwrap();
            let chooses = |length: usize| {
                let plan = PairsPlan::new(cost, table, 4, &[length], limits, Tuning::default()).unwrap();
                (plan.columns, plan.logic) == (columns, logic)
            };
            assert!((1..1000).any(chooses), "{cost:?}, {columns} columns, table {table}, logic {logic}");
        }
    }
}
