//! Similar strings by bands of the wavefront: columns far from the diagonal are left out. The
//! band's width follows from an estimate of the distance by seeds. The algorithm gives up if there
//! is no estimate, or if a band should be slower than the full table.

use super::algorithm::DeviceAlgorithm;
use super::wavefront;
use crate::algorithm::About;
use crate::device::Device;

/// Description of the algorithm.
pub const ABOUT: About = About::new(
    "bands",
    "similar strings: bands of the wavefront around the diagonal; on one or more GPUs",
    "after Ukkonen 1985; the distance is guessed from seeds",
    "about 4 kn cells of the wavefront for distance k; wavefront takes over if the strings are not similar",
)
.limited(wavefront::ABOUT.limits);

/// Minimum error rate at which bands are faster on a device than on the CPU. Measured on an H200
/// next to 16 threads: docs/distance.md.
const MIN_ERRORS: f64 = 0.05;

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm { about: &ABOUT, bands: Some(MIN_ERRORS), ..wavefront::algorithm() }
}
