//! Shift-Or and Wu-Manber as inclusive scans over the whole text, in disjoint segments that a
//! second launch joins, as Mitani, Ino and Hagihara (2017) print them: algorithm 3.

use super::scan_steps::{Form, LIMITS, Scan, entry};
use crate::algorithm::About;
use crate::device::Device;
use crate::search::gpu::row::{DeviceAlgorithm, Prepared};

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "scan-segments",
    "Shift-Or and Wu-Manber as inclusive scans in disjoint segments, joined by a launch, as published",
    "Mitani, Ino, Hagihara 2017, algorithm 3",
    "4 (k + 1) launches; each reads and writes 16 to 48 bytes per symbol",
)
.limited(LIMITS);

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    entry(&ABOUT, |text, request| Ok(Prepared::alone(Scan::new(Form::Segments, text, request)?)))
}
