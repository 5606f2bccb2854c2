//! The algorithms that the parts compare.

use carrywave::internal::lcs::gpu;

/// Names of the algorithms.
pub const WAVEFRONT: &str = "wavefront";
pub const LOOK_AHEAD: &str = "block-step-look-ahead";
pub const BLOCK_STEP: &str = "block-step";
pub const BIT_PARALLEL: &str = "bit-parallel";

/// Returns all algorithms for a GPU, the fastest first.
pub fn gpu_algorithms() -> impl Iterator<Item = &'static str> {
    gpu::ABOUTS.iter().map(|about| about.name)
}
