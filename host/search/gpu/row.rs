//! The entry of an algorithm in the devices' table: its limits, its cost, and its launch interface.

use super::size::Size;
use super::text::DeviceText;
use crate::algorithm::About;
use crate::device::{Device, Limits};
use crate::error::{Error, Result};
use crate::infix::End;
use crate::search::tuning::{Tuning, TuningOption};
use crate::text::Pattern;
use carrywave_kernels::search::output::SearchOutput;
use simt_std::global::Global;

/// A search algorithm on a device.
pub struct DeviceAlgorithm<D: Device> {
    /// The name, source, cost and limits.
    pub about: &'static About,
    /// Returns true if patterns of this size fit one pass.
    pub fits: fn(Size) -> bool,
    /// The result formats that the algorithm can write.
    pub writes: Writes,
    /// The options of [`Tuning`] that the algorithm has.
    pub tuning: &'static [TuningOption],
    /// Refuses requests for other reasons than the limits.
    pub check: fn(&Request<'_>, &Limits) -> Result<()>,
    /// Microseconds on an H200 to count the ends in 2^28 symbols; `None` if `auto` must not choose
    /// the algorithm.
    pub cost: fn(Size) -> Option<u32>,
    /// Copies patterns to the device.
    pub prepare: fn(&DeviceText<D>, &Request<'_>) -> Result<Prepared<D>>,
}

/// The result formats that an algorithm can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// Any format.
    All,
    /// Counts and hits, for passes of one or several patterns.
    CountsAndHits,
    /// Hits that include all occurrences, with the largest number of errors each: the search checks
    /// them.
    Candidates,
    /// One byte per position, as published; hits take one launch for each number of errors.
    Bytes,
    /// One byte per position, but the kernel writes only the ones: all bytes are zeroed before each
    /// launch.
    Ones,
}

impl Writes {
    /// Returns true if the only format is one byte per position.
    pub fn only_bytes(self) -> bool {
        matches!(self, Self::Bytes | Self::Ones)
    }
}

/// The patterns and the errors of a pass.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The patterns of a pass.
    pub patterns: &'r [Pattern],
    /// Largest number of errors.
    pub k: u32,
    /// The insertions and deletions that an occurrence may have.
    pub gaps: Gaps,
    /// The tuning options.
    pub tuning: Tuning,
}

/// Upper bounds on the insertions and deletions of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gaps {
    /// Insertions.
    pub insertions: u32,
    /// Deletions.
    pub deletions: u32,
}

impl Gaps {
    /// No gap.
    pub const NONE: Self = Self { insertions: 0, deletions: 0 };

    /// Any number of gaps.
    pub const ANY: Self = Self { insertions: u32::MAX, deletions: u32::MAX };

    /// Returns true if no gap is allowed.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

impl Request<'_> {
    /// Returns the number of symbols of all patterns.
    pub(super) fn symbols(&self) -> usize {
        self.patterns.iter().map(Pattern::len).sum()
    }

    /// Returns m, for a request of one pattern.
    pub(super) fn m(&self) -> u32 {
        self.symbols() as u32
    }

    /// Returns the symbols of all patterns, for algorithms that take no classes.
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
    /// Wraps the launcher of a single pattern.
    pub(super) fn alone(launcher: impl Launcher<D> + 'static) -> Self {
        Self { launcher: Box::new(launcher), last_bits: Vec::new() }
    }
}

/// Launches an algorithm for its prepared patterns.
pub trait Launcher<D: Device>: Send + Sync {
    /// Enqueues a search on the text's stream.
    ///
    /// # Safety
    /// The arrays of the output are as long as its format requires for the text. They, the text and
    /// this launcher stay alive until the stream is waited for.
    ///
    /// # Errors
    /// An error if the device refuses the launch.
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()>;
}

/// The arguments of a launch.
pub struct Launch<'l, D: Device> {
    /// The text.
    pub text: &'l DeviceText<D>,
    /// Number of symbols of the text.
    pub n: u64,
    /// The first position whose ends are reported, a multiple of [`ROUND`](super::ROUND); the
    /// symbols before it are context.
    pub from: u64,
    /// Largest number of errors: that of the request, or less.
    pub k: u32,
    /// The output buffers.
    pub output: SearchOutput,
    /// The output buffer of bytes.
    pub bytes: Global<u8>,
}

/// The format of a search's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultKind {
    /// One byte per position, as in the paper: 1 if an occurrence ends there.
    Bytes,
    /// One bit per position.
    Bitmap,
    /// The number of ends.
    Count,
    /// Ends and their errors.
    Hits,
}

/// The results of a search in a text on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceResult {
    /// One byte per position.
    Bytes(Vec<u8>),
    /// One bit per position, the first in bit 0 of word 0.
    Bitmap(Vec<u32>),
    /// The number of ends.
    Count(u64),
    /// The ends of each pattern, in order.
    Hits(Vec<Vec<End>>),
}

impl<D: Device> DeviceAlgorithm<D> {
    /// Refuses requests that the algorithm does not take.
    pub(super) fn refuse(&self, request: &Request<'_>, format: ResultKind, limits: &Limits) -> Result<()> {
        let refuse = |reason| Err(self.about.unsupported(reason));
        let size @ Size { shortest, .. } = Size::from_patterns(request.patterns, request.k);
        let Some(longest) = request.patterns.iter().map(Pattern::len).max() else {
            return refuse("needs at least one pattern".into());
        };
        if request.k as usize >= shortest {
            return refuse(format!(
                "needs fewer errors than pattern symbols, not {} errors of {shortest} symbols",
                request.k
            ));
        }
        let is_literal = self.about.limits.classes || request.patterns.iter().all(|own| own.as_literal().is_some());
        self.about.check(longest, request.k, is_literal)?;
        if !(self.fits)(size) {
            let Size { count, m, .. } = size;
            return refuse(format!(
                "supports fewer or shorter patterns per pass than {count} patterns of {m} symbols in total"
            ));
        }
        if !request.gaps.is_none() && !self.about.limits.gaps && !self.about.limits.gaps_if_fixed {
            return refuse("finds substitutions only; allow no insertions and no deletions".into());
        }
        let writes = match self.writes {
            Writes::All => true,
            Writes::CountsAndHits => matches!(format, ResultKind::Count | ResultKind::Hits),
            Writes::Candidates => format == ResultKind::Hits,
            Writes::Bytes | Writes::Ones => matches!(format, ResultKind::Bytes | ResultKind::Hits),
        };
        if !writes {
            return refuse(format!("does not support the output format {format:?}"));
        }
        let is_own = |name: &&str| self.tuning.iter().any(|own| own.name == *name);
        if let Some(name) = request.tuning.given().find(|name| !is_own(name)) {
            return refuse(match self.tuning {
                [] => format!("has no option {name}; it takes no options"),
                own => {
                    let own: Vec<&str> = own.iter().map(|own| own.name).collect();
                    format!("has no option {name}; its options are {}", own.join(", "))
                }
            });
        }
        (self.check)(request, limits)
    }
}

/// An algorithm's tables and a launch, for the dispatch to a kernel instance. Only
/// [`Launcher::launch`] makes it, and its caller upholds the safety requirements.
pub(super) struct Start<'s, A, D: Device> {
    pub own: &'s A,
    pub launch: &'s Launch<'s, D>,
}

/// Returns the number of 32-bit words for m symbols.
pub(super) fn words(m: u32) -> usize {
    m.div_ceil(32) as usize
}

/// Returns the number of blocks for `parts` parts of work, if a block processes `at_a_time` parts
/// at a time, round after round: at most `each` blocks per multiprocessor.
pub(super) fn blocks<D: Device>(device: &D, parts: u64, at_a_time: u32, each: u32) -> u32 {
    let most = u64::from(device.limits().multiprocessors * each);
    parts.div_ceil(at_a_time.into()).min(most) as u32
}

/// Returns the error for a missing kernel instance: a limit of an algorithm that its entry does not
/// state.
pub(super) fn no_kernel(about: &About, values: impl std::fmt::Debug) -> Error {
    about.unsupported(format!("has no kernel for {values:?}"))
}
