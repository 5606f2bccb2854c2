//! The settings of a search: errors, engine, algorithm, and the choice of occurrences.

use super::algorithm::Algorithm;
use super::borders::anchor::{Anchor, Anchors};
use super::borders::limits::PartLimits;
use super::borders::overhang::Overhang;
use super::bounds::Bounds;
use super::hits::hit::{Choice, Ends};
use super::tuning::Tuning;
use crate::device::{Cpu, Devices};
use crate::error::{Error, Result, UsageFault};
use crate::infix::allowed::Allowed;
use crate::job::{Progress, Recorder};
use crate::text::characters::TextPattern;
use std::fmt;

/// Largest (insertions + 1) (deletions + 1) that is allowed if kinds or positions are limited: 64
/// MiB for each thread.
const MAX_CELLS: u64 = 1 << 24;

/// Default number of symbols in memory on each side of a hit: a UTF-8 character has at most this
/// many bytes next to any of its bytes.
const BESIDE: u64 = 3;

/// The settings of a search.
#[derive(Clone)]
pub(super) struct Settings<'p> {
    pub bounds: Bounds,
    /// `None` for the CPU, or for the device that holds the text.
    pub devices: Option<Devices>,
    pub algorithm: Algorithm,
    pub tuning: Tuning,
    pub ends: Ends,
    pub overlapping: bool,
    pub both_strands: bool,
    pub whole_records: bool,
    pub anchors: Anchors,
    /// The rule for patterns that lie partly beyond a record; `None` if none may.
    pub overhang: Option<Overhang>,
    /// True if records are circular.
    pub circular: bool,
    /// True if hits are whole words of lines.
    pub whole_words: bool,
    /// True if positions count characters, not bytes.
    pub in_characters: bool,
    /// Number of symbols on each side of a hit, within its record, that are in memory when the hit
    /// is returned.
    pub beside: u64,
    /// Called with the number of symbols searched since its last call.
    pub progress: Progress<'p>,
    /// Receives the reports of what ran.
    pub recorder: Option<&'p Recorder>,
}

impl fmt::Debug for Settings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("errors", &self.bounds)
            .field("engine", &self.devices.as_ref().map(Devices::kind))
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

impl Settings<'_> {
    /// Returns the defaults: no errors, on the CPU with its fastest algorithm.
    pub fn new() -> Self {
        Self {
            bounds: Bounds::default(),
            devices: None,
            algorithm: Algorithm::AUTO,
            tuning: Tuning::default(),
            ends: Ends::Best,
            overlapping: false,
            both_strands: false,
            whole_records: false,
            anchors: Anchors::default(),
            overhang: None,
            circular: false,
            whole_words: false,
            in_characters: false,
            beside: BESIDE,
            progress: &|_| (),
            recorder: None,
        }
    }

    /// Returns the CPU that runs the host's part of the work.
    pub fn cpu(&self) -> Cpu {
        match &self.devices {
            Some(Devices::Cpu(cpu)) => cpu.clone(),
            _ => Cpu::new(),
        }
    }

    /// Returns which occurrences are hits.
    pub fn choice(&self) -> Choice {
        match self.ends {
            _ if self.whole_words => Choice::EachEnd,
            Ends::All => Choice::EachEnd,
            Ends::Best if self.overlapping => Choice::Overlapping,
            Ends::Best => Choice::NonOverlapping,
        }
    }

    /// Checks the patterns and the settings. Returns the limits of each pattern.
    pub fn check(&self, patterns: &[TextPattern]) -> Result<Vec<Allowed>> {
        if patterns.is_empty() {
            return Err(UsageFault::Empty.error("no pattern; give at least one"));
        }
        if self.in_characters && patterns.iter().any(|pattern| matches!(pattern, TextPattern::Bytes(_))) {
            return Err(UsageFault::Combination
                .error("positions count characters only if all patterns are of characters, but one is of bytes"));
        }
        if self.circular && !patterns.iter().all(|pattern| matches!(pattern, TextPattern::Bytes(_))) {
            return Err(UsageFault::Combination
                .error("circular records are searched for patterns of bytes, but one is of characters"));
        }
        let allowed = self.bounds.allowed_for(patterns)?;
        self.check_words(patterns, &allowed)?;
        self.check_borders(patterns.len())?;
        for (number, (pattern, allowed)) in patterns.iter().zip(&allowed).enumerate() {
            let refuse = |fault, reason: String| Err(Error::Pattern { number, fault, reason });
            let (m, k) = (pattern.len(), allowed.errors);
            pattern.check_memory()?;
            if m == 0 {
                return refuse(
                    UsageFault::Empty,
                    "is empty and would match everywhere; give at least one symbol".into(),
                );
            }
            if k as usize >= m && !self.whole_records {
                return refuse(
                    UsageFault::Range,
                    format!("has {m} symbols and would match everywhere with {k} errors; allow at most {}", m - 1),
                );
            }
            if allowed.edits() as usize >= m && !self.whole_records {
                let most = (m - 1) / 2;
                let reason = format!(
                    "has {m} symbols, too few for {k} errors with transpositions; allow at most {most}, or no transpositions"
                );
                return refuse(UsageFault::Range, reason);
            }
            // The check of an occurrence takes one cell for each combination. No more symbols are
            // deleted than the pattern has. Whole records are checked symbol by symbol if many
            // insertions are allowed.
            let deletions = u64::from(allowed.deletions).min(m as u64) + 1;
            let insertions = u64::from(allowed.insertions) + 1;
            let (cells, has_limits) = match self.whole_records {
                true => (deletions.saturating_mul(insertions.min(m as u64 + 1)), !allowed.is_any()),
                false => (deletions.saturating_mul(insertions), pattern.has_fixed() || !allowed.is_any()),
            };
            if cells > MAX_CELLS && has_limits {
                let reason = format!(
                    "has limits by kind, or positions that must match, which are kept for fewer insertions and deletions: with up to \
                     {} and {}, (insertions + 1) × (deletions + 1) is more than {MAX_CELLS}",
                    allowed.insertions, allowed.deletions
                );
                return refuse(UsageFault::TooLarge, reason);
            }
        }
        Ok(allowed)
    }

    /// Returns the limits on the errors of a pattern's parts.
    pub fn part_limits(&self, pattern: &TextPattern, allowed: Allowed) -> PartLimits {
        let mismatchable = pattern.mismatchable();
        let symbols = mismatchable.iter().filter(|&&can_mismatch| can_mismatch).count();
        PartLimits::new(allowed, self.overhang, self.bounds.share(allowed, symbols), &mismatchable)
    }

    /// Refuses settings that cannot be combined with anchors, an overhang or circular records.
    fn check_borders(&self, patterns: usize) -> Result<()> {
        let anchors = self.anchors.of_each(patterns)?;
        self.overhang.map_or(Ok(()), |overhang| overhang.check())?;
        let is_anchored = anchors.iter().any(|&anchor| anchor != Anchor::Anywhere);
        if (is_anchored || self.overhang.is_some()) && (self.whole_records || self.whole_words) {
            return Err(UsageFault::Combination
                .error("whole records and whole words exclude anchors and an overhang; remove these settings"));
        }
        if self.circular && (is_anchored || self.overhang.is_some() || self.whole_records || self.whole_words) {
            return Err(UsageFault::Combination
                .error("a circular record has no ends: remove anchors, the overhang, whole records and whole words"));
        }
        if self.overhang.is_some() && anchors.contains(&Anchor::Both) {
            return Err(UsageFault::Combination.error(
                "a pattern that is anchored at both ends has no overhang; anchor it at one end, or remove the overhang",
            ));
        }
        Ok(())
    }

    /// Refuses settings that cannot be combined with whole words.
    fn check_words(&self, patterns: &[TextPattern], allowed: &[Allowed]) -> Result<()> {
        let is_any = |own: &Allowed| Allowed { transpositions: false, ..*own }.is_any();
        let has_limits = !allowed.iter().all(is_any) || patterns.iter().any(TextPattern::has_fixed);
        if self.whole_words && (self.both_strands || self.whole_records || has_limits) {
            return Err(UsageFault::Combination.error(
                "whole words exclude the reverse strand, whole records, limits by error type and fixed positions; remove \
                 these settings",
            ));
        }
        Ok(())
    }
}
