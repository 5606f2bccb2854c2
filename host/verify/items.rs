//! Checks sequences of items and texts against the recurrences. Each item is two consecutive
//! symbols of a string, so there are many different items.

use super::lcs::Input;
use super::{CheckJob, Checker, oracle};
use crate::alignment::runs::CommonSubsequence;
use crate::diff;
use crate::distance::{self, Mode};
use crate::error::Result;
use crate::lcs;
use crate::pairwise::recurrence;
use crate::text::Unit;

impl Checker<'_> {
    /// Adds jobs for the engine's algorithms for sequences of items, and on the CPU for the
    /// algorithms of `diff` with their own rules.
    pub(super) fn items_on_engine<'r>(&'r self, jobs: &mut Vec<CheckJob<'r>>) {
        let engine = self.engine.kind();
        for algorithm in lcs::ItemAlgorithm::all_on(engine) {
            self.two_strings(format!("lcs-of {algorithm}"), 1, jobs, move |input| self.lcs_of(algorithm, input));
        }
        for algorithm in distance::ItemAlgorithm::all_on(engine) {
            let check = move |input: &Input| self.distance_of(algorithm, input);
            self.two_strings(format!("distance-of {algorithm}"), 3, jobs, check);
        }
        let is_its_own = |algorithm: &diff::Algorithm| lcs::ItemAlgorithm::named(algorithm.name()).is_err();
        for algorithm in diff::Algorithm::all_on(engine).filter(is_its_own) {
            self.two_strings(format!("diff {algorithm}"), 1, jobs, move |input| self.diff(algorithm, input));
        }
    }

    fn lcs_of(&self, algorithm: lcs::ItemAlgorithm, input: &Input) -> Result<()> {
        let [a, b] = [items(&input.a), items(&input.b)];
        let comparison = lcs::Comparison::new().on_devices(self.engine).item_algorithm(algorithm);
        self.check_lcs(algorithm.name(), input, &comparison.alignment_of(&a, &b)?, [&a, &b], true)
    }

    /// Checks that `lcs` is a common subsequence, and a longest one if `is_longest`.
    fn check_lcs<T: Eq>(
        &self,
        name: &str,
        input: &Input,
        lcs: &CommonSubsequence,
        [a, b]: [&[T]; 2],
        is_longest: bool,
    ) -> Result<()> {
        lcs.verify_of(a, b)?;
        let want = recurrence::lcs_lengths(a.iter(), b.iter()).last().map_or(0, |&length| u64::from(length));
        match lcs.len() {
            found if found == want || found < want && !is_longest => Ok(()),
            found => Err(self.wrong(format!("{name}: {input}: {found} items in common, not {want}"))),
        }
    }

    fn distance_of(&self, algorithm: distance::ItemAlgorithm, input: &Input) -> Result<()> {
        let [a, b] = [items(&input.a), items(&input.b)];
        let comparison = distance::Comparison::new().on_devices(self.engine).item_algorithm(algorithm);
        let prefixes = oracle::distances(b.iter(), a.iter());
        let suffixes = oracle::distances(b.iter().rev(), a.iter().rev());
        let infixes = oracle::infix_distances_by(a.len(), b.len(), |i, j| a.get(i) == b.get(j));
        let least = |all: &[u64]| all.iter().copied().min().unwrap_or(0);
        for (mode, want) in [
            (Mode::Global, prefixes.last().copied().unwrap_or(0)),
            (Mode::Prefix, least(&prefixes)),
            (Mode::Suffix, least(&suffixes)),
            (Mode::Infix, least(&infixes.into_iter().map(u64::from).collect::<Vec<_>>())),
        ] {
            let comparison = comparison.clone().mode(mode);
            let distance = comparison.distance_of(&a, &b)?;
            let found = comparison.placed_script_of(&a, &b)?;
            let part = b.get(found.place.start as usize..found.place.end as usize).unwrap_or_default();
            found.script.common_subsequence().verify_of(&a, part)?;
            if [distance, found.script.distance(), comparison.places_of(&a, &b)?.distance] != [want; 3] {
                let found = found.script.distance();
                return Err(self.wrong(format!("{algorithm}: {input}: {mode}: {distance} and {found}, not {want}")));
            }
            let within = |maximum| comparison.clone().maximum(maximum).within_of(&a, &b);
            if within(want)? != Some(want) || want > 0 && within(want - 1)?.is_some() {
                return Err(self.wrong(format!("{algorithm}: {input}: {mode}: not within {want}, or within less")));
            }
        }
        Ok(())
    }

    /// Compares the texts by characters, so that there are many changes.
    fn diff(&self, algorithm: diff::Algorithm, input: &Input) -> Result<()> {
        let comparison = diff::Comparison::new().unit(Unit::Character).algorithm(algorithm);
        let diff = comparison.compare(&input.a, &input.b)?;
        let [a, b] = [diff.a(), diff.b()].map(|units| units.iter().collect::<Vec<_>>());
        let mut runs = Vec::new();
        let mut from = [0, 0];
        for change in diff.changes() {
            runs.push(crate::alignment::Run {
                a_start: from[0],
                b_start: from[1],
                len: change.a.start as u64 - from[0],
            });
            from = [change.a.end as u64, change.b.end as u64];
        }
        runs.push(crate::alignment::Run {
            a_start: from[0],
            b_start: from[1],
            len: (a.len() as u64).saturating_sub(from[0]),
        });
        runs.retain(|run| run.len > 0);
        let lcs = CommonSubsequence::new(runs, a.len() as u64, b.len() as u64)?;
        self.check_lcs(algorithm.name(), input, &lcs, [&a, &b], algorithm.name() != "patience")
    }
}

/// Returns the pairs of consecutive symbols.
fn items(symbols: &[u8]) -> Vec<u16> {
    symbols.windows(2).map(|pair| pair.iter().fold(0, |item, &symbol| item << 8 | u16::from(symbol))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::caught;
    use super::*;

    #[test]
    fn a_subsequence_that_is_too_short_is_found() {
        let what = caught(|run, jobs| {
            run.two_strings("none".into(), 1, jobs, move |input| {
                let nothing = CommonSubsequence::new(Vec::new(), input.a.len() as u64, input.b.len() as u64)?;
                run.check_lcs("none", input, &nothing, [&input.a, &input.b], true)
            });
        });
        assert!(what.contains("none: one symbol (1 × 1 symbols): 0 items in common, not 1"), "{what}");
    }

    #[test]
    fn items_are_pairs_of_symbols() {
        assert_eq!(items(&[1, 2, 3]), [0x102, 0x203]);
        assert!(items(&[1]).is_empty());
    }
}
