//! The row of an algorithm in the table of devices: what it takes, what it costs, and how it is launched.

use super::size::Size;
use super::text::DeviceText;
use crate::algorithm::About;
use crate::device::{Device, Limits};
use crate::error::{Error, Result};
use crate::infix::End;
use crate::search::tuning::Tuning;
use crate::text::Pattern;
use carrywave_kernels::search::output::SearchOutput;
use simt_std::global::Global;

/// A way to search on a device.
pub struct DeviceAlgorithm<D: Device> {
    /// Its name, source, cost and limits.
    pub about: &'static About,
    /// Returns true if patterns of this size go in one pass.
    pub fits: fn(Size) -> bool,
    /// The results that it can write.
    pub writes: Writes,
    /// The options of [`Tuning`] that it has.
    pub tuning: &'static [&'static str],
    /// Refuses what it does not take beside its limits.
    pub check: fn(&Request<'_>, &Limits) -> Result<()>,
    /// Microseconds of an H200 to count the ends in 2^28 symbols, where `auto` may choose it.
    pub cost: fn(Size) -> Option<u32>,
    /// Takes patterns to the device.
    pub prepare: fn(&DeviceText<D>, &Request<'_>) -> Result<Prepared<D>>,
}

/// The results that an algorithm can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// Any format.
    All,
    /// Counts and hits, if a pass has several patterns.
    CountsAndHits,
    /// A byte for each position, as published; hits are then found by a launch for each number of errors.
    Bytes,
    /// Bytes as well, but the kernel writes only the ones: all bytes are set to 0 before each launch.
    Ones,
}

impl Writes {
    /// Returns true if it can write only a byte for each position.
    pub fn only_bytes(self) -> bool {
        matches!(self, Self::Bytes | Self::Ones)
    }
}

/// Patterns and errors of a pass.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The patterns of a pass.
    pub patterns: &'r [Pattern],
    /// Errors allowed.
    pub k: u32,
    /// True if errors may be gaps.
    pub gaps: bool,
    /// The options.
    pub tuning: Tuning,
}

impl Request<'_> {
    /// Symbols of all patterns.
    pub(super) fn symbols(&self) -> usize {
        self.patterns.iter().map(Pattern::len).sum()
    }

    /// m, of a pattern alone.
    pub(super) fn m(&self) -> u32 {
        self.symbols() as u32
    }

    /// The symbols of all patterns, for algorithms that take no classes.
    pub(super) fn literal(&self) -> Vec<u8> {
        self.patterns.iter().flat_map(|pattern| pattern.as_literal().unwrap_or_default()).collect()
    }
}

/// Patterns on a device.
pub struct Prepared<D: Device> {
    /// The launcher, with its tables on the device.
    pub launcher: Box<dyn Launcher<D>>,
    /// For several patterns in a pass: the bit of a hit that identifies each pattern, ascending.
    pub last_bits: Vec<u32>,
}

impl<D: Device> Prepared<D> {
    /// One pattern.
    pub(super) fn alone(launcher: impl Launcher<D> + 'static) -> Self {
        Self { launcher: Box::new(launcher), last_bits: Vec::new() }
    }
}

/// Launches an algorithm for the patterns that it was prepared for.
pub trait Launcher<D: Device>: Send + Sync {
    /// Puts a search into the text's stream.
    ///
    /// # Safety
    /// The arrays of the output are as long as its format needs for the text, and they, the text and this stay until the stream was waited
    /// for.
    ///
    /// # Errors
    /// When the device refuses.
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()>;
}

/// The arguments of a launch.
pub struct Launch<'l, D: Device> {
    /// The text.
    pub text: &'l DeviceText<D>,
    /// Its symbols.
    pub n: u64,
    /// The first position whose ends are wanted, a multiple of [`ROUND`](super::ROUND); what goes before is context.
    pub from: u64,
    /// Errors allowed: those of the request, or fewer.
    pub k: u32,
    /// The output buffers.
    pub output: SearchOutput,
    /// The output buffer of bytes.
    pub bytes: Global<u8>,
}

/// The form of a search's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultKind {
    /// A byte for each position, the paper's: 1 where an occurrence ends.
    Bytes,
    /// A bit for each position.
    Bitmap,
    /// The number of ends.
    Count,
    /// Ends and their errors.
    Hits,
}

/// The results of a search in a text on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceResult {
    /// A byte for each position.
    Bytes(Vec<u8>),
    /// A bit for each position, the first in bit 0 of word 0.
    Bitmap(Vec<u32>),
    /// The number of ends.
    Count(u64),
    /// The ends of each pattern, in order.
    Hits(Vec<Vec<End>>),
}

impl<D: Device> DeviceAlgorithm<D> {
    /// Refuses what the algorithm does not take.
    pub(super) fn refuse(&self, request: &Request<'_>, format: ResultKind, limits: &Limits) -> Result<()> {
        let refuse = |reason| Err(self.about.unsupported(reason));
        let size @ Size { shortest, .. } = Size::of(request.patterns, request.k);
        let Some(longest) = request.patterns.iter().map(Pattern::len).max() else {
            return refuse("takes a pattern, and there is none".into());
        };
        if request.k as usize >= shortest {
            return refuse(format!("takes fewer errors than a pattern has symbols, not {} of {shortest}", request.k));
        }
        let is_literal = self.about.limits.classes || request.patterns.iter().all(|own| own.as_literal().is_some());
        self.about.check(longest, request.k, is_literal)?;
        if !(self.fits)(size) {
            let Size { count, m, .. } = size;
            return refuse(format!(
                "takes fewer patterns at a time, or shorter ones, than {count} of {m} symbols in all"
            ));
        }
        if request.gaps && !self.about.limits.gaps {
            return refuse("finds substitutions alone: allow no insertions and no deletions".into());
        }
        let writes = match self.writes {
            Writes::All => true,
            Writes::CountsAndHits => matches!(format, ResultKind::Count | ResultKind::Hits),
            Writes::Bytes | Writes::Ones => matches!(format, ResultKind::Bytes | ResultKind::Hits),
        };
        if !writes {
            return refuse(format!("does not write the format {format:?}"));
        }
        if let Some(name) = request.tuning.given().find(|name| !self.tuning.contains(name)) {
            return refuse(match self.tuning {
                [] => format!("has no option {name}: it has none"),
                own => format!("has no option {name}: it has {}", own.join(", ")),
            });
        }
        (self.check)(request, limits)
    }
}

/// An algorithm's tables and a launch, on their way to the instance of the kernel that they take. Made by [`Launcher::launch`] alone, whose caller
/// keeps the promises that the launch asks for.
pub(super) struct Start<'s, A, D: Device> {
    pub own: &'s A,
    pub launch: &'s Launch<'s, D>,
}

/// Words of 32 bits for m symbols.
pub(super) fn words(m: u32) -> usize {
    m.div_ceil(32) as usize
}

/// Blocks for some parts of the work, of which a block takes so many at a time, one round after the other: no more than so
/// many for each multiprocessor.
pub(super) fn blocks<D: Device>(device: &D, parts: u64, at_a_time: u32, each: u32) -> u32 {
    let most = u64::from(device.limits().multiprocessors * each);
    parts.div_ceil(at_a_time.into()).min(most) as u32
}

/// What is said where the kernels lack an instance: a limit of an algorithm that its entry does not tell.
pub(super) fn no_kernel(about: &About, values: impl std::fmt::Debug) -> Error {
    about.unsupported(format!("has no kernel for {values:?}"))
}
