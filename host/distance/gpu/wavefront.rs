//! The edit distance by the wavefront: bit lanes that follow one another through the columns, on
//! one or more devices.

use super::algorithm::DeviceAlgorithm;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::distance::thresholds::DISTANCE_COSTS;
use crate::pairwise::wavefront::{Distances, Wavefront};

/// Two strings on one or more devices, which compute edit distance tables of their parts.
type WavefrontDistance<'d, D> = Wavefront<'d, D, Distances>;

/// Description of the algorithm.
pub const ABOUT: About = About::new(
    "wavefront",
    "bit lanes that follow one another through the columns and pass on differences by shuffles; on one or more GPUs",
    "this project, on the differences of Myers 1999",
    "9 instructions per lane for 32 cells of DNA",
)
.limited(Limits { devices: usize::MAX, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        open: |devices, [a, b], progress| Ok(Box::new(WavefrontDistance::new(devices, a, b, progress)?)),
        is_faster: |_, _, level, threads| DISTANCE_COSTS.level_is_faster_on_gpu(level, threads),
        bands: None,
    }
}
