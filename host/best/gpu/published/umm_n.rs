//! Nakano (2012), theorem 6: windows of the text side by side, each by three rows of the slid
//! matrix; n threads.

use crate::algorithm::{About, Limits};
use crate::best::gpu::algorithm::DeviceAlgorithm;
use crate::best::gpu::nakano::{self, Launch, Matrix, PAPER};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::published::nakano::umm_n::{FirstFlag, UmmN, windows};

/// Its name, source, cost and limits.
pub const ABOUT: About = About::new(
    "umm-n",
    "theorem 6: windows of the text side by side, by n threads",
    PAPER,
    "3 mn cells; 3n words of memory",
)
.limited(Limits { classes: false, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm { about: &ABOUT, seconds: |_| None, best_end: |job| nakano::best_end(job, &matrix()) }
}

/// Returns its matrix, and its kernels.
pub const fn matrix<D: Device>() -> Matrix<D> {
    Matrix { words: |m, n, _| 3 * u64::from(m) * u64::from(windows(m, n)), flags: |m| m as usize + 1, launch }
}

/// # Safety
/// As [`Matrix::launch`].
unsafe fn launch<D: Device>(launch: Launch<'_, D>) -> Result<()> {
    let strings = launch.strings;
    let flags = launch.flags;
    let kernel = UmmN { strings, windows: windows(strings.m, strings.n), s: launch.matrix, flags };
    let first = FirstFlag { flags, m: strings.m, found: launch.found };
    // SAFETY: the caller's; each window has three rows of m words, and there is a flag for each
    // distance from 0 to m.
    unsafe {
        launch.device.launch(launch.stream, kernel.blocks(), kernel)?;
        launch.device.launch(launch.stream, 1, first)?;
    }
    Ok(())
}
