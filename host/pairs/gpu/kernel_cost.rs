//! The kernels' number for a cost.

use crate::pairs::cost::Cost;
use carrywave_kernels::distance::pair_cell::{INDEL, LEVENSHTEIN, OSA};

/// Returns the kernels' number for a cost: their parameter `COST`.
pub fn kernel_cost(cost: Cost) -> u32 {
    match cost {
        Cost::Levenshtein => LEVENSHTEIN,
        Cost::Indel => INDEL,
        Cost::Osa => OSA,
    }
}
