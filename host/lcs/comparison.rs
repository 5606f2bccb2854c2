//! The LCS of two whole strings: chooses engine and algorithm, then computes the length or the
//! alignment.

use super::items::ItemAlgorithm;
use super::problem::{Algorithm, Lcs};
#[cfg(feature = "published")]
use super::published;
use super::rules::Rules;
use crate::alignment::Run;
use crate::alignment::runs::CommonSubsequence;
use crate::device::{Devices, Engine};
use crate::error::Result;
use crate::job::{Progress, Recorder};
use crate::pairwise::cluster::Cluster;
use crate::pairwise::comparison::{self, Settings};
use std::fmt;

/// The longest common subsequence of two strings, with the engine and algorithm of your choice.
///
/// ```
/// use carrywave::device::Cpu;
/// use carrywave::lcs::Comparison;
///
/// let lcs = Comparison::new().on(&Cpu::new()).alignment(b"ABCBDAB", b"BDCABA")?;
/// assert_eq!(lcs.len(), 4);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a comparison does nothing until it is asked for a length or an alignment"]
pub struct Comparison<'p> {
    pub(super) settings: Settings<'p, Lcs>,
    pub(super) rules: Rules,
    pub(super) item_algorithm: ItemAlgorithm,
}

impl Default for Comparison<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparison")
            .field("engine", &self.settings.devices.as_ref().map(Devices::kind))
            .field("algorithm", &self.settings.algorithm)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

impl<'p> Comparison<'p> {
    /// Creates a comparison on the engine that should be fastest, with its fastest algorithm. The
    /// engine is GPU 0 if there is one and the strings are long enough to pay for opening it,
    /// unless this process has it open; otherwise the CPU. As in the [example](Self).
    pub fn new() -> Self {
        Self { settings: Settings::new(), rules: Rules::Measured, item_algorithm: ItemAlgorithm::AUTO }
    }

    fn set(mut self, set: impl FnOnce(&mut Settings<'p, Lcs>)) -> Self {
        set(&mut self.settings);
        self
    }

    /// Sets the engine. Parts of a problem that are too small for a GPU go to the CPU. As in the
    /// [example](Self).
    pub fn on(self, engine: &dyn Engine) -> Self {
        self.set(|settings| settings.devices = Some(Devices::from_engine(engine)))
    }

    /// Shares the work among several members instead of one engine: engines of this process, or
    /// processes of several hosts. The algorithm must be `auto`, and the rules the measured ones.
    /// The result is the same as that of [`bit-parallel`](Algorithm) on one engine. As in the
    /// [example](Cluster).
    pub fn across(self, cluster: &Cluster) -> Self {
        self.set(|settings| settings.across = Some(cluster.clone()))
    }

    pub(crate) fn on_devices(self, devices: &Devices) -> Self {
        self.set(|settings| settings.devices = Some(devices.clone()))
    }

    /// Sets the algorithm. The comparison fails when it runs if the engine does not have the
    /// algorithm. As in the [example](Algorithm).
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        self.set(|settings| settings.algorithm = algorithm)
    }

    /// Sets the rules that divide the comparison between GPU and CPU, and the table into parts: the
    /// measured ones, or those that Kawanami and Fujimoto (2014) use for their algorithm. All give
    /// an LCS; if several LCSs are equally long, they may give different ones.
    ///
    /// ```
    /// use carrywave::device::Simt;
    /// use carrywave::lcs::{Algorithm, Comparison, Rules};
    ///
    /// let published = Comparison::new()
    ///     .on(&Simt::new())
    ///     .algorithm(Algorithm::named("block-step")?)
    ///     .rules(Rules::Published);
    /// assert_eq!(
    ///     published.alignment(b"BCAEDAC", b"EABEDCBAAC")?.subsequence(b"BCAEDAC")?,
    ///     b"BCAAC"
    /// );
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Sets an engine in place of GPU 0 for comparisons without an engine: for tests.
    #[doc(hidden)]
    pub fn automatic(self, engine: &dyn Engine) -> Self {
        self.set(|settings| settings.automatic = Some(Devices::from_engine(engine)))
    }

    /// Counts the engine as one that is not open: for tests.
    #[doc(hidden)]
    pub fn closed(self) -> Self {
        self.set(|settings| settings.is_closed = true)
    }

    /// Sends subproblems of fewer than `device_cells` cells to the CPU when the engine is a device,
    /// and solves those of at most `leaf_cells` whole: for measuring `thresholds`, and for tests.
    #[doc(hidden)]
    pub fn thresholds(self, device_cells: u64, leaf_cells: u64) -> Self {
        self.set(|settings| (settings.device_cells, settings.leaf_cells) = (Some(device_cells), leaf_cells))
    }

    /// Reports progress: `progress` is called from time to time, from any thread, with the number
    /// of cells done since its last call. The length takes mn cells. The alignment takes at most
    /// 2mn, plus one row or column at each level of the recursion that halves an odd length.
    ///
    /// ```
    /// use carrywave::lcs::Comparison;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// let done = AtomicU64::new(0);
    /// let progress = |cells| {
    ///     done.fetch_add(cells, Ordering::Relaxed);
    /// };
    /// Comparison::new().on_progress(&progress).length(b"ABCBDAB", b"BDCABA")?;
    /// assert_eq!(done.into_inner(), 42);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn on_progress(self, progress: Progress<'p>) -> Self {
        self.set(|settings| settings.progress = progress)
    }

    /// Gives the report of each comparison to `recorder`: the algorithms that ran, the number of
    /// cells that they computed, and the time.
    ///
    /// ```
    /// use carrywave::job::Recorder;
    /// use carrywave::lcs::Comparison;
    ///
    /// let recorder = Recorder::new();
    /// assert_eq!(Comparison::new().recorder(&recorder).length(b"ABCBDAB", b"BDCABA")?, 4);
    /// assert_eq!(recorder.report().and_then(|report| report.algorithm()), Some("bit-parallel"));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn recorder(self, recorder: &'p Recorder) -> Self {
        self.set(|settings| settings.recorder = Some(recorder))
    }

    /// Computes the length of an LCS, as in the [example](Algorithm). Takes mn word steps of time,
    /// and m + n bytes of space plus the match vectors on a device.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for an algorithm that the engine does not
    /// have, that takes fewer GPUs, or that the [rules](Self::rules) do not cover;
    /// [`Error::DeviceMemory`](crate::Error::DeviceMemory) and [`Error::Gpu`](crate::Error::Gpu) if
    /// a given GPU cannot do it; [`Error::Memory`](crate::Error::Memory) if the host's memory is
    /// too small; [`Error::Member`](crate::Error::Member) if one of [several members](Self::across)
    /// has failed; [`Error::Usage`](crate::Error::Usage) with
    /// [`UsageFault::TooLarge`](crate::error::UsageFault::TooLarge) for more than 2^62 cells.
    pub fn length(&self, a: &[u8], b: &[u8]) -> Result<u64> {
        if self.rules == Rules::Measured
            && let Some(length) = self.settings.directly(a, b)
        {
            return Ok(length);
        }
        match self.rules {
            Rules::Measured => self.settings.value(a, b),
            #[cfg(feature = "published")]
            Rules::Published => published::solved(&self.settings, a, b, |published| published.length()),
        }
    }

    /// Finds an LCS and its positions in both strings, as in the [example](Self). Takes about twice
    /// the time of the length, in the same space.
    ///
    /// # Errors
    /// As [`length`](Self::length).
    pub fn alignment(&self, a: &[u8], b: &[u8]) -> Result<CommonSubsequence> {
        let lcs = CommonSubsequence::new(self.runs(a, b)?, a.len() as u64, b.len() as u64)?;
        if cfg!(debug_assertions) {
            lcs.verify(a, b)?;
        }
        Ok(lcs)
    }

    /// Finds the matches of an LCS, by the rules.
    pub(super) fn runs(&self, a: &[u8], b: &[u8]) -> Result<Vec<Run>> {
        match self.rules {
            Rules::Measured => self.settings.runs(a, b),
            #[cfg(feature = "published")]
            Rules::Published => published::solved(&self.settings, a, b, |published| published.runs()),
        }
    }
}

/// Finds a longest common subsequence of two strings: [`Comparison`] with its defaults.
///
/// ```
/// let lcs = carrywave::lcs(b"ABCBDAB", b"BDCABA")?;
/// assert_eq!(lcs.len(), 4);
/// assert_eq!(lcs.subsequence(b"ABCBDAB")?, b"BCBA");
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// As [`Comparison::alignment`].
pub fn lcs(a: &[u8], b: &[u8]) -> Result<CommonSubsequence> {
    Comparison::new().alignment(a, b)
}

/// Computes the length of a longest common subsequence of two strings.
///
/// ```
/// assert_eq!(carrywave::lcs_length(b"ABCBDAB", b"BDCABA")?, 4);
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// As [`Comparison::length`].
pub fn lcs_length(a: &[u8], b: &[u8]) -> Result<u64> {
    match comparison::short_value::<Lcs>(a, b) {
        Some(length) => Ok(length),
        None => Comparison::new().length(a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn direct_lengths_are_those_of_the_job() {
        let mut random = fastrand::Rng::with_seed(1);
        for (m, n) in [
            (0, 0),
            (0, 9),
            (1, 1),
            (8, 8),
            (16, 17),
            (63, 64),
            (64, 64),
            (65, 63),
            (1, 4096),
            (4096, 1),
            (30, 136),
            (100, 100),
            (256, 256),
        ] {
            for symbols in [1, 2, 4, 26, 256] {
                let mut string = |len| -> Vec<u8> { (0..len).map(|_| random.u32(..symbols) as u8).collect() };
                let (a, b) = (string(m), string(n));
                let done = AtomicU64::new(0);
                let progress = |cells| {
                    done.fetch_add(cells, Ordering::Relaxed);
                };
                let comparison = Comparison::new().on_progress(&progress);
                assert!(comparison.settings.directly(&a, &b).is_some());
                let recorder = Recorder::new();
                let direct = comparison.recorder(&recorder).length(&a, &b).unwrap();
                let report = recorder.report().unwrap();
                assert_eq!(
                    (direct, done.into_inner() / 2),
                    (Settings::<Lcs>::new().value(&a, &b).unwrap(), report.done)
                );
                let algorithm = Some("bit-parallel").filter(|_| m * n > 0);
                assert_eq!((report.algorithm(), report.done), (algorithm, (m * n) as u64));
            }
        }
        let (long, dp) = ([0; 258], Algorithm::named("dp").unwrap());
        assert_eq!(Comparison::new().settings.directly(&long, &long[1..]), None);
        assert_eq!(Comparison::new().algorithm(dp).settings.directly(b"a", b"a"), None);
    }
}
