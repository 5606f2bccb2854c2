//! Myers' bit-vectors in short slices of the text, one slice per thread, as published by Melo and
//! Canalli (2014).

use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use crate::search::gpu::match_table::matches;
use crate::search::gpu::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Writes};
use crate::search::gpu::size::Size;
use carrywave_kernels::published::myers_slices::{MAX_SYMBOLS, MyersSlices, Slices, THREADS};
use simt_std::global::Global;

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "myers-slices",
    "a slice of m to 2 m symbols per thread and the m + k - 1 after it, as published",
    "Melo, Canalli 2014, on Myers 1999",
    "(s + m + k - 1) / s word steps, slices of s",
)
.limited(Limits { symbols: Some(MAX_SYMBOLS as u64), errors: Some(MAX_SYMBOLS - 1), ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::Ones,
        tuning: &[],
        check: |_, _| Ok(()),
        cost: |_| None,
        prepare: |text, request| {
            let peq = text.upload(&matches(&request.patterns[0]), "match words")?;
            Ok(Prepared::alone(Published::<D> { m: request.m(), peq }))
        },
    }
}

struct Published<D: Device> {
    m: u32,
    peq: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for Published<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let (text, device) = (launch.text, &*launch.text.device);
        // Covers the whole text, including the short context before the searched part.
        let slices = Slices::new(launch.n, self.m);
        let kernel = MyersSlices {
            text: Global::at(device.handle(&text.text).address()),
            n: launch.n,
            slices,
            overlap: u64::from(self.m + launch.k - 1),
            m: self.m,
            k: launch.k,
            peq: device.handle(&self.peq),
            ones: launch.bytes.cast(),
        };
        let blocks = slices.count.div_ceil(THREADS.into()) as u32;
        // SAFETY: as for `Launcher::launch`; the bytes are 0 and rounded up, PEq has 256 words, and
        // the blocks have a thread for each slice.
        Ok(unsafe { device.launch(&text.stream, blocks, kernel) }?)
    }
}
