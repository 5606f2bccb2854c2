//! The kernel's instance for a batch of listed pairs, and the codes of its symbols.

use super::kernel_cost::kernel_cost;
use crate::error::{Result, UsageFault};
use crate::pairs::cost::Cost;
use carrywave_kernels::distance::listed_pairs::{LISTED_PAIRS_INSTANCES, NO_PADDING};
use carrywave_kernels::distance::long_pairs::LONG_PAIRS_INSTANCES;
use carrywave_kernels::distance::pair_cell::INDEL;

/// Kernel instance and codes of a batch.
pub(super) struct Choice {
    /// True for the kernel for long strings.
    pub(super) is_long: bool,
    /// The kernel's number for the cost.
    pub(super) cost: u32,
    pub(super) planes: usize,
    pub(super) columns: usize,
    pub(super) codes: [u16; 256],
    /// Codes that pad rows' and columns' strings in front.
    pub(super) padding: [u32; 2],
}

impl Choice {
    /// Chooses for pairs over these symbols. `is_long` asks for the kernel for long strings. `even`
    /// is true if all strings of a group have the same length.
    pub(super) fn new(symbols: &[bool; 256], cost: Cost, even: bool, is_long: bool) -> Result<Self> {
        let mut codes = [0; 256];
        let mut next = 0;
        for (code, _) in codes.iter_mut().zip(symbols).filter(|(_, present)| **present) {
            *code = next;
            next += 1;
        }
        let next = u32::from(next);
        let cost = kernel_cost(cost);
        let (padding, all) = match (even, cost) {
            (true, _) => ([NO_PADDING; 2], next),
            (false, INDEL) => ([next, next + 1], next + 2),
            (false, _) => ([next; 2], next + 1),
        };
        let fewest = |instances: &'static [(u32, usize, usize)]| {
            let enough = instances.iter().filter(|&&(of, planes, _)| of == cost && all <= 1 << planes);
            enough.min_by_key(|(_, planes, _)| *planes)
        };
        // The kernel for long strings supports up to 128 symbols.
        let long = if is_long { fewest(LONG_PAIRS_INSTANCES) } else { None };
        let &(_, planes, columns) = long
            .or_else(|| fewest(LISTED_PAIRS_INSTANCES))
            .ok_or_else(|| UsageFault::Engine.error(format!("there is no kernel for listed pairs of {all} symbols")))?;
        let is_long = long.is_some();
        Ok(Self { is_long, cost, planes, columns, codes, padding })
    }
}
