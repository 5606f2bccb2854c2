//! The automaton of Knuth, Morris and Pratt in parts of the text, one part per thread.

use super::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Writes};
use super::size::Size;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use crate::search::cpu::kmp::borders;
use carrywave_kernels::search::exact::kmp::Kmp;

/// Longest pattern, in symbols: the kernel's positions have 32 bits.
const MAX_SYMBOLS: u64 = (1 << 30) - 1;

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "kmp",
    "an automaton that reads each symbol once, on one part of the text per thread and the m - 1 symbols before it",
    "Knuth, Morris, Pratt 1977; parts: this project",
    "at most 2 (1 + m / s) comparisons per symbol, parts of s >= 2 m",
)
.limited(Limits { symbols: Some(MAX_SYMBOLS), errors: Some(0), classes: false, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::Bytes,
        tuning: &[],
        check: |_, _| Ok(()),
        cost: |_| None,
        prepare: |text, request| {
            let symbols = request.literal();
            let failure: Vec<u32> = borders(&symbols).into_iter().map(|border| border as u32).collect();
            let failure = text.upload(&failure, "failure links")?;
            Ok(Prepared::alone(InParts::<D> { m: request.m(), pattern: text.upload(&symbols, "pattern")?, failure }))
        },
    }
}

/// Number of resident threads per multiprocessor.
const RESIDENT: u64 = 2048;

struct InParts<D: Device> {
    m: u32,
    pattern: D::Buffer<u8>,
    failure: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for InParts<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let (text, device) = (launch.text, &*launch.text.device);
        let (part, halo) = text.lane_run(launch.n, launch.from, self.m - 1, RESIDENT);
        let kernel = Kmp {
            text: device.handle(&text.text),
            n: launch.n,
            first: launch.from,
            part,
            halo,
            pattern: device.handle(&self.pattern),
            failure: device.handle(&self.failure),
            m: self.m,
            bytes: launch.bytes,
        };
        // SAFETY: as for `Launcher::launch`; text and bytes are rounded up, and there are m + 1
        // failure links.
        Ok(unsafe { device.launch(&text.stream, kernel.blocks(), kernel) }?)
    }
}
