//! Duels with the candidates in shared memory, as published by Wang (2018) after JáJá (1992).

use super::duel_global::{Duels, check_period};
use crate::algorithm::{About, Limits, grouped};
use crate::device::Device;
use crate::error::Result;
use crate::search::gpu::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Writes};
use crate::search::gpu::size::Size;
use carrywave_kernels::published::duel_global::block_positions;
use carrywave_kernels::published::duel_shared::{DuelShared, shared_bytes};

/// Longest pattern, in symbols: one candidate per two positions, in at most 227 KiB of shared
/// memory per block.
const MAX_SYMBOLS: u64 = 2 * (227 * 1024 / 4);

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "duel-shared",
    "the duels of `duel-global`, with candidates in shared memory, as published",
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
        check: |request, limits| {
            let (m, needed, most) = (request.m(), shared_bytes(request.m()), limits.block_shared);
            if needed > most {
                let (m, needed, most) = (grouped(m.into()), grouped(needed.into()), grouped(most.into()));
                return Err(ABOUT.unsupported(format!(
                    "needs {needed} bytes of shared memory for {m} symbols, but a block here has at most {most}"
                )));
            }
            check_period(&ABOUT, request)
        },
        cost: |_| None,
        prepare: |text, request| {
            let duels = Duels::new(&ABOUT, text, request)?;
            let blocks = text.room.div_ceil(block_positions(request.m()).into());
            let candidates = text.device.alloc(blocks as usize, "a candidate a block")?;
            Ok(Prepared::alone(InShared::<D> { duels, candidates }))
        },
    }
}

struct InShared<D: Device> {
    duels: Duels<D>,
    candidates: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for InShared<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let candidates = launch.text.device.handle(&self.candidates);
        let first = DuelShared { duel: self.duels.duel(launch), candidates };
        // SAFETY: as for `Launcher::launch`; there is a word for each block of the text's capacity,
        // and a block may use this much shared memory.
        unsafe { Duels::launch(launch, first, first.then(launch.bytes)) }
    }
}
