//! The block-step algorithm with the carries of a warp computed by two ballots, where the paper
//! adds by conditional sums.

use super::block_step;
use crate::algorithm::About;
use crate::device::Device;
use crate::lcs::gpu::algorithm::DeviceAlgorithm;
use carrywave_kernels::collectives::add::LookAhead;

/// Description of the algorithm.
pub const ABOUT: About = About::new(
    "block-step-look-ahead",
    "block-step with the carries of a warp by ballot look-ahead",
    "Kawanami, Fujimoto 2014; addition: this project",
    "mn / 32 additions, one launch per 1,024 rows and columns",
);

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        open: block_step::open::<D, LookAhead>,
        is_faster: |m, n, _, threads| block_step::launches_are_faster(m, n, threads),
        bands: None,
    }
}
