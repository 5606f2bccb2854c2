//! The engine of a search (the CPU, devices, or the device that holds the text), with the patterns
//! and their limits.

use super::algorithm::Algorithm;
use super::checked::{CheckedEnds, JoinedEngines};
use super::cpu::CpuEnds;
use super::ends::FindEnds;
use super::gpu::{DeviceAlgorithm, DeviceEnds, Gaps, Request, Resident, ResidentEnds};
use super::resident::Kept;
use super::settings::Settings;
use crate::device::{Cpu, Device, Devices, EngineKind};
use crate::error::{Error, Result, UsageFault};
use crate::infix::allowed::Allowed;
use crate::text::Pattern;
use std::sync::Arc;

/// A pattern, and its limits on errors.
pub(super) type Wanted<'w> = (&'w Pattern, Allowed);

/// Returns the engine with the patterns, each with its number. `cpu` runs the host's part of the
/// work.
///
/// # Errors
/// [`Error::Usage`] for tuning options without an algorithm and for an engine other than the one
/// that holds the text; [`Error::Unsupported`] for an algorithm that the engine does not have or
/// that does not take the patterns.
pub(super) fn engine<'p>(
    settings: &Settings<'p>,
    wanted: &[(usize, Wanted<'_>)],
    kept: Option<&Kept>,
    cpu: &Cpu,
) -> Result<Box<dyn FindEnds + 'p>> {
    if settings.algorithm.is_auto()
        && let Some(name) = settings.tuning.given().next()
    {
        return Err(UsageFault::Combination
            .error(format!("the option {name} belongs to an algorithm; name the algorithm, too")));
    }
    // An engine has a single k for all of its patterns.
    let mut all_k: Vec<u32> = wanted.iter().map(|(_, (_, allowed))| allowed.edits()).collect();
    all_k.sort_unstable();
    all_k.dedup();
    let with_k = |k: u32| {
        let own = wanted.iter().filter(|(_, (_, allowed))| allowed.edits() == k);
        let (numbers, wanted): (Vec<usize>, Vec<Wanted<'_>>) = own.copied().unzip();
        let own = OneK { settings, wanted: &wanted, k };
        Ok((numbers, cpu.run(|| own.engine(kept))?))
    };
    Ok(JoinedEngines::join(all_k.into_iter().map(with_k).collect::<Result<_>>()?))
}

/// Patterns with the same k.
struct OneK<'s, 'w, 'p> {
    settings: &'s Settings<'p>,
    wanted: &'s [Wanted<'w>],
    k: u32,
}

impl<'p> OneK<'_, '_, 'p> {
    fn engine(&self, kept: Option<&Kept>) -> Result<Box<dyn FindEnds + 'p>> {
        match (&self.settings.devices, kept) {
            (None, Some(Kept::Gpu(text))) => self.on_resident(text, EngineKind::Gpu),
            #[cfg(feature = "simt")]
            (None, Some(Kept::Simulated(text))) => self.on_resident(text, EngineKind::Simt),
            (Some(_), Some(_)) => {
                let reason = "the text is resident on a GPU, so the search runs there; set no engine, or search it in host memory";
                Err(UsageFault::Engine.error(reason))
            }
            (None | Some(Devices::Cpu(_)), None) => self.on_cpu(),
            (Some(Devices::Gpus(gpus)), None) => self.on_devices(gpus, EngineKind::Gpu),
            #[cfg(feature = "simt")]
            (Some(Devices::Simulated(devices)), None) => self.on_devices(devices, EngineKind::Simt),
        }
    }

    fn on_cpu(&self) -> Result<Box<dyn FindEnds + 'p>> {
        if let Some(name) = self.settings.tuning.given().next() {
            return Err(Error::Unsupported {
                algorithm: self.settings.algorithm.name().into(),
                reason: format!("has no option {name} on the CPU"),
            });
        }
        let patterns = self.wanted.iter().map(|&(pattern, allowed)| (pattern.clone(), allowed)).collect();
        Ok(Box::new(CpuEnds::within(patterns, self.settings.algorithm, self.settings.progress)?))
    }

    fn on_devices<D: Device>(&self, devices: &[Arc<D>], kind: EngineKind) -> Result<Box<dyn FindEnds + 'p>> {
        let limits = devices.first().map(|device| device.limits());
        let algorithm = self.device_algorithm::<D>(kind, limits.as_ref())?;
        let (what, how) = ((self.patterns(), self.k), (algorithm, self.settings.tuning));
        let engine = DeviceEnds::new(devices.to_vec(), what, how, self.settings.progress)?;
        let engine = engine.with_gaps(self.gaps());
        let engine = Box::new(if self.settings.recorder.is_some() { engine.timed() } else { engine });
        Ok(self.checked(engine, finds_others(algorithm)))
    }

    fn on_resident<D: Device>(&self, text: &Arc<Resident<D>>, kind: EngineKind) -> Result<Box<dyn FindEnds + 'p>> {
        let algorithm = self.device_algorithm::<D>(kind, text.limits().as_ref())?;
        let (what, how) = ((self.patterns(), self.k), (algorithm, self.settings.tuning));
        let engine = ResidentEnds::new(text.clone(), what, how, self.settings.progress)?;
        let engine = engine.with_gaps(self.gaps());
        let engine = Box::new(if self.settings.recorder.is_some() { engine.timed() } else { engine });
        Ok(self.checked(engine, finds_others(algorithm)))
    }

    /// Returns the algorithm for devices; `None` if `auto` chooses the cheapest one in each pass.
    /// For substitutions alone, and for patterns with fixed positions, `auto` takes an algorithm
    /// for these if one takes all of the patterns.
    fn device_algorithm<D: Device>(
        &self,
        kind: EngineKind,
        limits: Option<&crate::device::Limits>,
    ) -> Result<Option<&'static DeviceAlgorithm<D>>> {
        let algorithm = self.settings.algorithm;
        if !algorithm.is_auto() {
            return named(algorithm, kind).map(Some);
        }
        if self.k == 0 {
            return Ok(None);
        }
        let (patterns, gaps) = (self.patterns(), self.gaps());
        let request = Request { patterns: &patterns, k: self.k, gaps, tuning: self.settings.tuning };
        let longest = patterns.iter().map(Pattern::len).max().unwrap_or(0);
        let takes = |row: &&DeviceAlgorithm<D>| {
            let own = row.about.limits;
            let finds = !own.gaps && (gaps.is_none() || own.gaps_if_fixed);
            let is_within = row.about.check(longest, self.k, false).is_ok();
            finds && is_within && limits.is_some_and(|limits| (row.check)(&request, limits).is_ok())
        };
        Ok(DeviceAlgorithm::<D>::ALL.iter().find(takes))
    }

    /// Adds the check of limits to an engine that may find occurrences outside them.
    fn checked(&self, engine: Box<dyn FindEnds + 'p>, finds_others: bool) -> Box<dyn FindEnds + 'p> {
        if finds_others {
            CheckedEnds::wrap(engine, self.wanted.iter().copied(), self.settings.progress)
        } else {
            engine
        }
    }

    fn patterns(&self) -> Vec<Pattern> {
        self.wanted.iter().map(|&(pattern, _)| pattern.clone()).collect()
    }

    /// Returns bounds on the gaps of an occurrence of any pattern. They are not zero if there are
    /// transpositions, which only a check of the ends counts.
    fn gaps(&self) -> Gaps {
        self.wanted.iter().fold(Gaps::NONE, |gaps, (_, allowed)| Gaps {
            insertions: gaps.insertions.max(allowed.insertions).max(allowed.transpositions.into()),
            deletions: gaps.deletions.max(allowed.deletions),
        })
    }
}

/// Returns the device algorithm with a name.
fn named<D: Device>(algorithm: Algorithm, kind: EngineKind) -> Result<&'static DeviceAlgorithm<D>> {
    let found = DeviceAlgorithm::<D>::ALL.iter().find(|row| row.about.name == algorithm.name());
    found.ok_or_else(|| algorithm.missing_on(kind))
}

/// Returns true if an algorithm (`None` for `auto`) may find ends that are not within the limits,
/// because of too many gaps or errors in fixed positions.
fn finds_others<D: Device>(algorithm: Option<&DeviceAlgorithm<D>>) -> bool {
    algorithm.is_none_or(|row| row.about.limits.gaps || row.about.limits.gaps_if_fixed)
}
