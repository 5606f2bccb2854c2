//! Settings of trimming.

use super::action::Action;
use super::adapter::Adapter;
use super::filters::Filters;
use super::headers::Headers;
use crate::Result;
use crate::error::UsageFault;

/// Steps for the reads of one side: the first or the second of each pair, or all reads. All are off
/// by default. See the [example](Settings).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Steps {
    /// Symbols to remove from the start.
    pub cut_start: usize,
    /// Symbols to remove from the end.
    pub cut_end: usize,
    /// Quality below which the end is removed, for sequencers with two colors: a G counts as one
    /// below it.
    pub two_color_quality: Option<i64>,
    /// Qualities below which the start and the end are removed.
    pub quality: Option<[i64; 2]>,
    /// Adapters; the best is removed.
    pub adapters: Vec<Adapter>,
    /// Symbols to keep: the first ones, or, negative, the last ones.
    pub length: Option<i64>,
}

/// Settings of trimming.
///
/// ```
/// use carrywave::text::Read;
/// use carrywave::trim::{Settings, Trimmer};
///
/// let mut settings = Settings::default();
/// settings.first.cut_start = 2;
/// settings.first.quality = Some([0, 20]);
/// settings.trim_n = true;
/// let trimmer = Trimmer::new(settings)?;
/// let read = Read::new(b"read1", b"TTNGATTACA").with_qualities(b"IIIIIIII##");
/// assert_eq!(&trimmer.worker().trim(read).0.symbols[..], b"GATTA");
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Steps for reads, or for the first read of each pair.
    pub first: Steps,
    /// Steps for the second read of each pair.
    pub second: Steps,
    /// Most adapters to remove from a read. Default 1.
    pub times: usize,
    /// Action for a match.
    pub action: Action,
    /// Also looks for adapters in the other strand of a read, or in the swapped pair, and takes
    /// the one with the higher score.
    pub either_strand: bool,
    /// Adapters of the same number in both reads of a pair are removed together or not at all.
    pub pair_adapters: bool,
    /// Removes poly-A tails, and from the second read of a pair poly-T heads.
    pub poly_a: bool,
    /// Removes N at both ends.
    pub trim_n: bool,
    /// Changes of headers.
    pub headers: Headers,
    /// Raises qualities below 0, by [`quality_base`](Self::quality_base), to 0.
    pub zero_cap: bool,
    /// Character of quality 0. Default 33.
    pub quality_base: u8,
    /// Reads to drop.
    pub filters: Filters,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            first: Steps::default(),
            second: Steps::default(),
            times: 1,
            action: Action::default(),
            either_strand: false,
            pair_adapters: false,
            poly_a: false,
            trim_n: false,
            headers: Headers::default(),
            zero_cap: false,
            quality_base: 33,
            filters: Filters::default(),
        }
    }
}

impl Settings {
    /// Checks that the settings fit together.
    pub(super) fn check(&self) -> Result<()> {
        let combination = |reason: &str| Err(UsageFault::Combination.error(reason));
        if self.times > 1 && matches!(self.action, Action::Retain | Action::Crop) {
            return combination("the actions `retain` and `crop` are for one adapter a read");
        }
        if self.headers.template.is_some() && !(self.headers.prefix.is_empty() && self.headers.suffix.is_empty()) {
            return combination("a template of headers excludes a prefix and a suffix; write them into the template");
        }
        let mut adapters = self.first.adapters.iter().chain(&self.second.adapters);
        if self.action == Action::Crop && adapters.any(Adapter::is_linked) {
            return combination("the action `crop` is for adapters that are not linked");
        }
        if self.pair_adapters {
            let [first, second] = [&self.first, &self.second].map(|steps| steps.adapters.len());
            if first != second || first == 0 {
                return Err(UsageFault::Mismatch.error(format!(
                    "adapters in pairs: the first reads have {first}, the second reads {second}; give the same number, \
                     at least 1"
                )));
            }
            if self.times > 1 || self.either_strand {
                return combination("adapters in pairs are removed once, from the reads as they are");
            }
            if self.action == Action::Crop {
                return combination("the action `crop` is not for adapters in pairs");
            }
        }
        Ok(())
    }
}
