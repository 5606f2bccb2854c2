//! GBPR of Lin, Wang and Huang (2014): a short segment of the text per thread. Built from the
//! description in Mitani et al. (2017), because the paper itself is not available.

use crate::algorithm::{About, Limits};
use crate::device::{self, Device};
use crate::error::Result;
use crate::search::gpu::match_table::mismatches;
use crate::search::gpu::row::{
    DeviceAlgorithm, Launch, Launcher, Prepared, Request, Start, Writes, blocks, no_kernel, words,
};
use crate::search::gpu::size::Size;
use crate::search::tuning::TuningOption;
use carrywave_kernels::published::gbpr::{Gbpr, GbprDispatch, THREADS};
use simt_std::{Kernel, global::Global};
use std::marker::PhantomData;

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "gbpr",
    "a segment of 8 symbols per thread and the m + k - 1 before it, as described by others",
    "Lin, Wang, Huang 2014, built from Mitani, Ino, Hagihara 2017",
    "(1 + (m + k - 1) / s) (k + 1) ⌈m / 32⌉ word steps, segments of s",
)
.limited(Limits { symbols: Some(64), errors: Some(3), ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::Bytes,
        tuning: OPTIONS,
        check,
        cost: |_| None,
        prepare: |text, request| {
            let m = request.m();
            let table = text.upload(&mismatches(&request.patterns[0], m - 1), "match words")?;
            let launcher = Published::<D> { m, options: Options::from_request(request), table };
            Ok(Prepared::alone(launcher))
        },
    }
}

/// The options of `tuning`.
const OPTIONS: &[TuningOption] = &[
    TuningOption { name: "alpha", values: "1, 4, 8 or 16 symbols read at a time", default: "1" },
    TuningOption { name: "table", values: "paper or banks", default: "paper" },
    TuningOption { name: "segment", values: "a multiple of alpha up to 65536", default: "8, or alpha if that is more" },
];

/// The tuning parameters of GBPR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Options {
    /// s, the number of symbols of a thread, up to 65,536: a multiple of α.
    segment: u32,
    /// α, the number of symbols that a thread reads at a time: 1, the original, or 4, 8 or 16.
    alpha: u32,
    /// True if the table has a copy for every bank; false for the paper's layout, one word per
    /// symbol.
    banks: bool,
}

impl Options {
    fn from_request(request: &Request<'_>) -> Self {
        let tuning = request.tuning;
        let alpha = tuning.alpha.unwrap_or(1);
        let segment = tuning.segment.unwrap_or(alpha.max(8));
        Self { segment, alpha, banks: tuning.banks.unwrap_or(false) }
    }
}

/// Returns the largest number of launched blocks, as a multiple of the resident blocks. These
/// values are the fastest ones. Each block builds a table. Blocks that end are followed by blocks
/// whose text is near.
fn sets_of_blocks(k: u32) -> u32 {
    if k == 0 { 8 } else { 64 }
}

/// Largest number of symbols of a segment.
const LONGEST_SEGMENT: u32 = 1 << 16;

/// Refuses options that do not work.
fn check(request: &Request<'_>, _: &device::Limits) -> Result<()> {
    let refuse = |reason| Err(ABOUT.unsupported(reason));
    let Options { segment, alpha, .. } = Options::from_request(request);
    if ![1, 4, 8, 16].contains(&alpha) {
        return refuse(format!("supports 1, 4, 8 or 16 symbols per thread (alpha), not {alpha}"));
    }
    if segment == 0 || !segment.is_multiple_of(alpha) || segment > LONGEST_SEGMENT {
        return refuse(format!(
            "supports segments of a multiple of {alpha} symbols, up to {LONGEST_SEGMENT}, not {segment}"
        ));
    }
    Ok(())
}

struct Published<D: Device> {
    m: u32,
    options: Options,
    table: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for Published<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let values = (words(self.m), self.options.alpha as usize, launch.k as usize + 1);
        Start { own: self, launch }.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))?
    }
}

impl<D: Device> GbprDispatch for Start<'_, Published<D>, D> {
    type Output = Result<()>;

    fn with<W, const WORDS: usize, const ALPHA: usize, const LEVELS: usize>(self) -> Result<()>
    where
        Gbpr<W, WORDS, ALPHA, LEVELS>: Kernel,
    {
        let Self { own, launch } = self;
        let (text, n, from, options) = (launch.text, launch.n, launch.from, own.options);
        let device = &*text.device;
        let segments = (n - from).div_ceil(options.segment.into());
        let mut kernel = Gbpr::<W, WORDS, ALPHA, LEVELS> {
            text: Global::at(device.handle(&text.text).address()),
            n,
            first: from,
            segment: options.segment.into(),
            segments,
            blocks: 0,
            halo: (own.m + LEVELS as u32 - 2).next_multiple_of(options.alpha),
            m: own.m,
            banks: options.banks.into(),
            table: device.handle(&own.table),
            bytes: launch.bytes,
            word: PhantomData,
        };
        let most = sets_of_blocks(launch.k) * device.resident_blocks(&kernel)?;
        kernel.blocks = blocks(device, segments, THREADS, most);
        // SAFETY: as for `Launcher::launch`; text and bytes are rounded up, and the table has 256
        // words for each 32 bits.
        Ok(unsafe { device.launch(&text.stream, kernel.blocks, kernel) }?)
    }
}
