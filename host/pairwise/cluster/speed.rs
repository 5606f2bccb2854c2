//! The speed of a member, measured on corners of the table before the rows are dealt.
//!
//! The first corner compiles the kernels and starts the threads, and is not timed. Of two further
//! corners of different widths, the difference in time is free of fixed costs. Widths double until
//! the corners take a small part of the time that the job should take. A short job is not measured:
//! the members' own estimates suffice.

use super::border::{Border, Neighbours};
use super::member::Member;
use super::times::{Times, nanoseconds};
use crate::device::EngineKind;
use crate::error::Result;
use crate::pairwise::cuts::{Part, Side};
use crate::pairwise::problem::Pairwise;
use std::time::{Duration, Instant};

/// Columns of the first corners.
const FIRST: usize = 1024;

/// Upper bound on the time of all corners of a member, as a part of the time of the job, and in
/// seconds.
const MEASURED_PART: f64 = 0.01;
const MEASURED: f64 = 0.2;

/// Upper bound on the time of a corner with its fixed costs, in multiples of that without.
const MOST_FIXED: f64 = 4.0;

/// Jobs that should take less time are not measured, in seconds.
const SHORT: f64 = 0.1;

/// A member that expects this many times the time of the fastest one is not measured: it gets no
/// rows.
const HOPELESS: f64 = 64.0;

/// Time of the simulator, in multiples of that of a GPU.
const SIMULATED: f64 = 1e6;

/// A corner of the table that a member has computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub(super) took: Duration,
    /// Seconds that the member's engine estimates for it.
    pub(super) estimated: f64,
}

/// Returns the time that an engine takes, in multiples of its own estimate. `corner` computes the
/// corner of some columns, at most `widest`. All corners take about `budget` seconds.
///
/// Other processes only lengthen a corner, and fixed costs are never negative. So each corner is
/// computed twice, the shorter time counts, and no corner's own ratio is exceeded.
pub(super) fn slowdown(budget: f64, widest: usize, mut corner: impl FnMut(usize) -> Result<Corner>) -> Result<f64> {
    corner(FIRST)?;
    let mut twice = |width| -> Result<[Corner; 2]> {
        let mut corners = [corner(width)?, corner(width)?];
        corners.sort_by_key(|corner| corner.took);
        Ok(corners)
    };
    let [mut before, again] = twice(FIRST)?;
    let mut spent = (before.took + again.took).as_secs_f64();
    let mut least_ratio = before.took.as_secs_f64() / before.estimated;
    let mut slope = least_ratio;
    let mut width = 2 * FIRST;
    while width <= widest {
        let [next, again] = twice(width)?;
        let took = next.took.as_secs_f64();
        spent += took + again.took.as_secs_f64();
        least_ratio = least_ratio.min(took / next.estimated);
        slope = (took - before.took.as_secs_f64()) / (next.estimated - before.estimated).max(f64::MIN_POSITIVE);
        // The next corner takes twice as long, and is computed twice.
        if spent + 4.0 * took > budget {
            break;
        }
        before = next;
        width *= 2;
    }
    Ok(slope.clamp(least_ratio / MOST_FIXED, least_ratio))
}

impl<P: Pairwise> Member<'_, P> {
    /// Agrees with the other members on the times that all expect for the whole table.
    pub(super) fn times(&self) -> Result<Vec<Times>> {
        let part = |side, text: &[u8]| Part { side, range: 0..text.len() };
        let [a, b] = self.strings;
        let parts = [part(Side::A, a), part(Side::B, b)];
        let [rows, columns] = if a.len() >= b.len() {
            parts
        } else {
            let [a, b] = parts;
            [b, a]
        };
        let [m, n] = [&rows, &columns].map(|part| part.range.len() as u64);
        if m == 0 || n == 0 {
            return Ok(vec![Times::new(m, 0.0, |_| 0.0); self.link.size()]);
        }
        let guess = if self.kind == EngineKind::Simt { SIMULATED } else { 1.0 };
        let alone = self.engine.seconds_alone(m, n);
        let guessed = guess * alone;
        let expected = self.all([nanoseconds(guessed)])?;
        let expected = expected.iter().map(|[time]| *time).min().unwrap_or(0) as f64 / 1e9;
        let mut slowdown = guess;
        if expected >= SHORT {
            // First the devices, because the CPU's threads would delay their launches.
            let budget = (expected * MEASURED_PART).min(MEASURED);
            let may_help = guessed <= HOPELESS * expected;
            if may_help && self.kind != EngineKind::Cpu {
                slowdown = self.measured(budget, &rows, &columns)?;
            }
            self.all([0])?;
            if may_help && self.kind == EngineKind::Cpu {
                slowdown = self.measured(budget, &rows, &columns)?;
            }
        }
        let own = Times::new(m, slowdown * alone, |rows| slowdown * self.engine.seconds(rows, n));
        Ok(self.all(own.to_words())?.into_iter().map(Times::from_words).collect())
    }

    /// Measures the time that this member takes for corners of a table, in multiples of its
    /// engine's estimate.
    fn measured(&self, budget: f64, rows: &Part, columns: &Part) -> Result<f64> {
        slowdown(budget, columns.range.len(), |width| {
            let columns = columns.split(width).0;
            let nobody = Neighbours { above: None, below: None };
            let chunk = self.task.cluster.chunk;
            let mut border = Border::new(self.link, nobody, 0, columns.range.len(), chunk, P::TOP);
            let started = Instant::now();
            let estimated = self.engine.rehearse(rows, &columns, &mut border)?;
            Ok(Corner { took: started.elapsed(), estimated })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A member in virtual time: its first corner takes longer, and every corner has a fixed cost.
    fn of(first: f64, fixed: f64, slowdown: f64) -> impl FnMut(usize) -> Result<Corner> {
        let mut is_first = true;
        move |width| {
            let estimated = width as f64 * 1e5 / 1e12;
            let compiled = if std::mem::take(&mut is_first) { first } else { 0.0 };
            Ok(Corner { took: Duration::from_secs_f64(compiled + fixed + slowdown * estimated), estimated })
        }
    }

    #[test]
    fn compilers_and_fixed_costs_do_not_count() {
        for (first, fixed, expected) in [(0.0, 0.0, 1.0), (1.1, 0.0, 1.0), (1.1, 0.001, 3.0), (0.09, 0.001, 0.2)] {
            let measured = slowdown(0.05, 1 << 20, of(first, fixed, expected)).unwrap();
            assert!((measured / expected - 1.0).abs() < 0.01, "{measured}, not {expected}");
        }
    }

    /// Another process takes the processor during every other corner, or every third.
    #[test]
    fn delays_by_others_do_not_count() {
        for (every, first) in [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)] {
            for expected in [0.5, 1.0, 3.0] {
                let mut corner = of(0.0, 1e-5, expected);
                let mut count = first;
                let measured = slowdown(0.02, 1 << 20, |width| {
                    let Corner { took, estimated } = corner(width)?;
                    count += 1;
                    let delay = Duration::from_millis(if count % every == 0 { 20 } else { 0 });
                    Ok(Corner { took: took + delay, estimated })
                })
                .unwrap();
                assert!((measured / expected - 1.0).abs() < 0.2, "{measured}, not {expected}");
            }
        }
    }

    #[test]
    fn corners_stay_within_the_budget_and_the_table() {
        for budget in [0.002, 0.01, 0.03] {
            let mut corner = of(0.0, 1e-5, 2.0);
            let mut spent = 0.0;
            let mut widths = Vec::new();
            slowdown(budget, 100_000, |width| {
                let corner = corner(width)?;
                spent += corner.took.as_secs_f64();
                widths.push(width);
                Ok(corner)
            })
            .unwrap();
            assert!(spent <= budget && spent >= budget / 10.0, "{spent} of {budget}");
            assert!(widths.iter().all(|&width| width <= 100_000) && widths.len() > 2, "{widths:?}");
        }
        // A table of few columns has the first corner alone.
        assert!((slowdown(1.0, 100, of(1.0, 0.0, 2.0)).unwrap() - 2.0).abs() < 0.01);
    }
}
