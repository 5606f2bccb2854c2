//! Nakano (2012), lemma 3: the matrix of distances in memory as it is, a diagonal at a time by m
//! threads.

use crate::algorithm::{About, Limits};
use crate::best::gpu::algorithm::DeviceAlgorithm;
use crate::best::gpu::nakano::{self, Launch, Matrix, PAPER};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::published::nakano::dmm::{Dmm, row_length};

/// Its name, source, cost and limits.
pub const ABOUT: About = About::new(
    "dmm",
    "lemma 3: the matrix as it is, by m threads",
    PAPER,
    "mn cells; (m + 1) n' words of memory, n' = n + 1 rounded up to a multiple of the width",
)
.limited(Limits { classes: false, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm { about: &ABOUT, seconds: |_| None, best_end: |job| nakano::best_end(job, &matrix()) }
}

/// Returns its matrix, and its kernels.
pub const fn matrix<D: Device>() -> Matrix<D> {
    Matrix { words: |m, n, w| (u64::from(m) + 1) * u64::from(row_length(n, w)), flags: |_| 0, launch }
}

/// # Safety
/// As [`Matrix::launch`].
unsafe fn launch<D: Device>(launch: Launch<'_, D>) -> Result<()> {
    let row_words = row_length(launch.strings.n, launch.width);
    let kernel = Dmm { strings: launch.strings, row_words, d: launch.matrix, found: launch.found };
    // SAFETY: the caller's; the matrix has m + 1 rows of `row_words` words.
    Ok(unsafe { launch.device.launch(launch.stream, 1, kernel) }?)
}
