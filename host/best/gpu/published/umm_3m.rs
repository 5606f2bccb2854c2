//! Nakano (2012), theorem 5: three rows of the slid matrix in turn.

use crate::algorithm::{About, Limits};
use crate::best::gpu::algorithm::DeviceAlgorithm;
use crate::best::gpu::nakano::{self, Launch, Matrix, PAPER};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::published::nakano::umm_3m::Umm3m;

/// Its name, source, cost and limits.
pub const ABOUT: About = About::new(
    "umm-3m",
    "theorem 5: three rows of the slid matrix, by m threads",
    PAPER,
    "mn cells; 3m words of memory",
)
.limited(Limits { classes: false, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm { about: &ABOUT, seconds: |_| None, best_end: |job| nakano::best_end(job, &matrix()) }
}

/// Returns its matrix, and its kernels.
pub const fn matrix<D: Device>() -> Matrix<D> {
    Matrix { words: |m, _, _| 3 * u64::from(m), flags: |_| 0, launch }
}

/// # Safety
/// As [`Matrix::launch`].
unsafe fn launch<D: Device>(launch: Launch<'_, D>) -> Result<()> {
    let kernel = Umm3m { strings: launch.strings, s: launch.matrix, found: launch.found };
    // SAFETY: the caller's; there are three rows of m words.
    Ok(unsafe { launch.device.launch(launch.stream, 1, kernel) }?)
}
