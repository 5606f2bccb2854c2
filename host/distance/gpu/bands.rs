//! Similar strings by bands of the wavefront: columns that are far from the diagonal are left out. The band's width comes from a guess of the distance by
//! seeds; where there is no guess, or a band should be slower than the full table, it gives up.

use super::algorithm::DeviceAlgorithm;
use super::wavefront;
use crate::algorithm::About;
use crate::device::Device;

/// What there is to know of the algorithm.
pub const ABOUT: About = About::new(
    "bands",
    "of similar strings bands of the wavefront about the diagonal; on one or more GPUs",
    "after Ukkonen 1985; the distance is guessed from seeds",
    "about 4 kn cells of the wavefront, k being the distance; wavefront takes over where strings are not similar",
)
.limited(wavefront::ABOUT.limits);

/// Least error rate at which bands are faster on a device than on the CPU. Measured on an H200 beside 16 threads: docs/distance.md.
const LEAST_ERRORS: f64 = 0.05;

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm { about: &ABOUT, bands: Some(LEAST_ERRORS), ..wavefront::algorithm() }
}
