//! Nakano (2012), lemma 3: the matrix of distances in memory as it is, m threads a column after the other.

use super::DeviceAlgorithm;
use super::nakano::{Launch, PAPER};
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::distance::nakano::dmm::Dmm;
use simt_std::WARP;

/// n' of lemma 3 where the width is a warp's: the words of a row.
fn stride(n: u32) -> u32 {
    (n + 1).next_multiple_of(WARP)
}

/// What there is to know of the algorithm.
pub const ABOUT: About =
    About::new("dmm", "lemma 3: the matrix as it is, by m threads", PAPER, "mn cells; (m + 1) n words of memory")
        .limited(Limits { classes: false, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm { about: &ABOUT, words: |m, n| (u64::from(m) + 1) * u64::from(stride(n)), flags: |_| 0, launch }
}

/// # Safety
/// As [`DeviceAlgorithm::launch`].
unsafe fn launch<D: Device>(launch: Launch<'_, D>) -> Result<()> {
    let kernel =
        Dmm { strings: launch.strings, stride: stride(launch.strings.n), d: launch.matrix, found: launch.found };
    // SAFETY: the caller's; the matrix has m + 1 rows of so many words.
    Ok(unsafe { launch.device.launch(launch.stream, 1, kernel) }?)
}
