//! A comparison at every position of the text: the baseline of Wang (2018) for his duels.

use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use crate::search::gpu::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Writes};
use crate::search::gpu::size::Size;
use carrywave_kernels::published::brute_force::BruteForce;
use simt_std::global::Global;

/// Longest pattern, in symbols: kernels count them in 32 bits.
pub(super) const MAX_SYMBOLS: u64 = (1 << 30) - 1;

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "brute-force",
    "compares the pattern at every position, one thread per position, as published",
    "Wang 2018",
    "1 comparison per matching symbol, plus 1; at most m",
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
            let pattern = text.upload(&request.literal(), "pattern")?;
            Ok(Prepared::alone(Published::<D> { m: request.m(), pattern }))
        },
    }
}

struct Published<D: Device> {
    m: u32,
    pattern: D::Buffer<u8>,
}

impl<D: Device> Launcher<D> for Published<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let (text, device) = (launch.text, &*launch.text.device);
        // Compares at all positions of the text, including the short context before the searched
        // part.
        let kernel = BruteForce {
            text: Global::at(device.handle(&text.text).address()),
            n: launch.n,
            pattern: device.handle(&self.pattern),
            m: self.m,
            bytes: launch.bytes,
        };
        // SAFETY: as for `Launcher::launch`; the blocks have a thread for each position.
        Ok(unsafe { device.launch(&text.stream, kernel.blocks(), kernel) }?)
    }
}
