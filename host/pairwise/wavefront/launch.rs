//! A launch of a wavefront kernel.

use super::plan::Plan;
use carrywave_kernels::lcs::digits::Digits;
use simt_std::global::Global;

/// A launch of the wavefront, of any width.
pub struct Launch<K> {
    pub plan: Plan<K>,
    /// Whether the plan's warps, which may be more than there are strips for, have schedulers to themselves.
    pub alone: bool,
    pub blocks: u32,
    pub strips: Global<u64>,
    pub count: u32,
    pub symbols: u32,
    pub planes: u32,
    pub digits: Digits,
    pub resume: u32,
    pub shared_bytes: u32,
    pub rows: Global<u32>,
    pub plane_words: u64,
    pub columns: Global<u64>,
    pub v: Global<u32>,
    pub carries: Global<u64>,
    pub progress: Global<u32>,
}
