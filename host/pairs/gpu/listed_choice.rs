//! The kernel's instance for a batch of listed pairs, and the codes of its symbols.

use crate::error::{Result, UsageFault};
use crate::pairs::cost::Cost;
use carrywave_kernels::distance::listed_pairs::{LISTED_PAIRS_INSTANCES, NO_PADDING};

/// Kernel instance and codes of a batch.
pub(super) struct Choice {
    pub(super) indel: bool,
    pub(super) planes: usize,
    pub(super) columns: usize,
    pub(super) codes: [u16; 256],
    /// Codes that pad rows' and columns' strings in front.
    pub(super) padding: [u32; 2],
}

impl Choice {
    /// Chooses for pairs over these symbols. `even` is true if all strings of a group have the same
    /// length.
    pub(super) fn new(symbols: &[bool; 256], cost: Cost, even: bool) -> Result<Self> {
        let mut codes = [0; 256];
        let mut next = 0;
        for (code, _) in codes.iter_mut().zip(symbols).filter(|(_, present)| **present) {
            *code = next;
            next += 1;
        }
        let next = u32::from(next);
        let indel = cost == Cost::Indel;
        let (padding, all) = match (even, indel) {
            (true, _) => ([NO_PADDING; 2], next),
            (false, false) => ([next; 2], next + 1),
            (false, true) => ([next, next + 1], next + 2),
        };
        let enough = LISTED_PAIRS_INSTANCES.iter().filter(|&&(i, planes, _)| i == indel && all <= 1 << planes);
        let &(_, planes, columns) = enough
            .min_by_key(|(_, planes, _)| *planes)
            .ok_or_else(|| UsageFault::Engine.error(format!("there is no kernel for listed pairs of {all} symbols")))?;
        Ok(Self { indel, planes, columns, codes, padding })
    }
}
