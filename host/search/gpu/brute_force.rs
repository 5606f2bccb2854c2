//! A comparison at every position of the text: what Wang (2018) compares his duels with.

use super::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Writes};
use super::size::Size;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::published::brute_force::BruteForce;
use simt_std::global::Global;

/// Symbols of a pattern at most: kernels count them in 32 bits.
pub(super) const MOST_SYMBOLS: u64 = (1 << 30) - 1;

/// What there is to know of the algorithm.
pub const ABOUT: About = About::new(
    "brute-force",
    "compares the pattern at every position, a thread each, as published",
    "Wang 2018",
    "1 comparison a symbol that agrees, and 1; at most m",
)
.limited(Limits { symbols: Some(MOST_SYMBOLS), errors: Some(0), classes: false, ..Limits::NONE });

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
        // At all positions of the text, with those before the part that is wanted: they are few.
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
