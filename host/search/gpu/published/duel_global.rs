//! Duels with the candidates in global memory, as published by Wang (2018) after JáJá (1992).

use super::brute_force::MAX_SYMBOLS;
use crate::algorithm::{About, Limits, grouped};
use crate::device::Device;
use crate::error::Result;
use crate::search::gpu::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Request, Writes};
use crate::search::gpu::size::Size;
use crate::search::gpu::text::DeviceText;
use crate::text::{period, witnesses};
use carrywave_kernels::published::duel_global::{CheckCandidates, Duel, DuelGlobal};
use simt_std::{Kernel, global::Global};

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "duel-global",
    "duels leave one candidate in ⌈m / 2⌉ positions, as published; for patterns with a period over m / 2",
    "Wang 2018, on JáJá 1992, Vishkin 1985",
    "1 duel and 2 comparisons per symbol",
)
.limited(Limits { symbols: Some(MAX_SYMBOLS), errors: Some(0), classes: false, periodic: false, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::Ones,
        tuning: &[],
        check: |request, _| check_period(&ABOUT, request),
        cost: |_| None,
        prepare: |text, request| {
            let duels = Duels::new(&ABOUT, text, request)?;
            let output = text.device.alloc(text.room as usize, "a candidate a position")?;
            Ok(Prepared::alone(InGlobal::<D> { duels, output }))
        },
    }
}

/// Refuses patterns with a period of at most half of their length: more than one candidate of a
/// block could be an occurrence.
pub(super) fn check_period(about: &About, request: &Request<'_>) -> Result<()> {
    let symbols = request.literal();
    let (period, m) = (period(&symbols), symbols.len());
    if 2 * period > m {
        return Ok(());
    }
    Err(about.unsupported(format!(
        "supports patterns whose period exceeds half of their length; this one of {} symbols has the period {}",
        grouped(m as u64),
        grouped(period as u64)
    )))
}

/// A pattern and its witnesses on a device.
pub(super) struct Duels<D: Device> {
    m: u32,
    pattern: D::Buffer<u8>,
    witnesses: D::Buffer<u32>,
}

impl<D: Device> Duels<D> {
    pub fn new(about: &About, text: &DeviceText<D>, request: &Request<'_>) -> Result<Self> {
        if text.room > u32::MAX.into() {
            let most = grouped(u32::MAX.into());
            return Err(about.unsupported(format!("supports positions up to {most}; search in chunks")));
        }
        let symbols = request.literal();
        let witnesses = text.upload(&witnesses(&symbols), "witnesses")?;
        Ok(Self { m: request.m(), pattern: text.upload(&symbols, "pattern")?, witnesses })
    }

    /// Returns the kernels' arguments. They cover the whole text, including the short context
    /// before the searched part.
    pub fn duel(&self, launch: &Launch<'_, D>) -> Duel {
        let (text, device) = (launch.text, &*launch.text.device);
        Duel {
            text: Global::at(device.handle(&text.text).address()),
            pattern: device.handle(&self.pattern),
            witnesses: device.handle(&self.witnesses),
            n: launch.n as u32,
            m: self.m,
        }
    }

    /// Launches the kernel that eliminates candidates, and then the one that compares the pattern
    /// at the remaining ones.
    ///
    /// # Safety
    /// As for [`Launcher::launch`]; the buffers of both kernels have the required lengths, and
    /// the bytes are 0.
    pub unsafe fn launch<K: Kernel>(launch: &Launch<'_, D>, first: K, second: CheckCandidates) -> Result<()> {
        let (text, device) = (launch.text, &*launch.text.device);
        // SAFETY: the caller's; the pattern's period is more than half of its length, and the
        // witnesses are the pattern's.
        unsafe {
            device.launch(&text.stream, second.duel.blocks(), first)?;
            Ok(device.launch(&text.stream, second.blocks(), second)?)
        }
    }
}

struct InGlobal<D: Device> {
    duels: Duels<D>,
    output: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for InGlobal<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let output = launch.text.device.handle(&self.output);
        let first = DuelGlobal { duel: self.duels.duel(launch), output };
        // SAFETY: as for `Launcher::launch`; the output is as long as the text's capacity.
        unsafe { Duels::launch(launch, first, first.then(launch.bytes)) }
    }
}
