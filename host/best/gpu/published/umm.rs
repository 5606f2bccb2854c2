//! Nakano (2012), lemma 4: the slid matrix of distances, whose rows are shifted so that cells
//! computed together are contiguous.

use crate::algorithm::{About, Limits};
use crate::best::gpu::algorithm::DeviceAlgorithm;
use crate::best::gpu::nakano::{self, Launch, Matrix, PAPER};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::published::nakano::umm::Umm;

/// Its name, source, cost and limits.
pub const ABOUT: About =
    About::new("umm", "lemma 4: the slid matrix, by m threads", PAPER, "mn cells; (n + m + 1)(n + 1) words of memory")
        .limited(Limits { classes: false, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm { about: &ABOUT, seconds: |_| None, best_end: |job| nakano::best_end(job, &matrix()) }
}

/// Returns its matrix, and its kernels.
pub const fn matrix<D: Device>() -> Matrix<D> {
    Matrix { words: |m, n, _| (u64::from(m) + u64::from(n) + 1) * (u64::from(n) + 1), flags: |_| 0, launch }
}

/// # Safety
/// As [`Matrix::launch`].
unsafe fn launch<D: Device>(launch: Launch<'_, D>) -> Result<()> {
    let kernel = Umm { strings: launch.strings, s: launch.matrix, found: launch.found };
    // SAFETY: the caller's; the slid matrix has n + m + 1 rows of n + 1 words.
    Ok(unsafe { launch.device.launch(launch.stream, 1, kernel) }?)
}
