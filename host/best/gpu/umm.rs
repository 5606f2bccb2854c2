//! Nakano (2012), lemma 4: the slid matrix of distances, whose rows are shifted so that cells
//! computed together are contiguous.

use super::engine::DeviceAlgorithm;
use super::nakano::{Launch, PAPER};
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::published::nakano::umm::Umm;

/// Its name, source, cost and limits.
pub const ABOUT: About =
    About::new("umm", "lemma 4: the slid matrix, by m threads", PAPER, "mn cells; (n + m + 1)(n + 1) words of memory")
        .limited(Limits { classes: false, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        words: |m, n, _| (u64::from(m) + u64::from(n) + 1) * (u64::from(n) + 1),
        flags: |_| 0,
        launch,
    }
}

/// # Safety
/// As [`DeviceAlgorithm::launch`].
unsafe fn launch<D: Device>(launch: Launch<'_, D>) -> Result<()> {
    let kernel = Umm { strings: launch.strings, s: launch.matrix, found: launch.found };
    // SAFETY: the caller's; the slid matrix has n + m + 1 rows of n + 1 words.
    Ok(unsafe { launch.device.launch(launch.stream, 1, kernel) }?)
}
