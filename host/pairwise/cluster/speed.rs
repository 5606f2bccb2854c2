//! The speed of a member, measured on corners of the table before the rows are dealt.
//!
//! The first corner compiles the kernels and starts the threads, and is not timed. Of two further
//! corners of different widths, the difference in time is free of fixed costs. Widths double until
//! the corners take a small part of the time that the job should take. In a short job, or if one
//! member is much faster than all others, nothing is measured: the members' own estimates suffice.
//! Processors are measured after the devices, if they may help these.

use super::border::{Border, Neighbours};
use super::member::Member;
use super::times::{Times, WORTHWHILE, nanoseconds};
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

/// Corners that should take less than this part of the bound are computed only once, and do not
/// count.
const NARROW: f64 = 1.0 / 32.0;

/// The time of a corner is unsure if another of the same width takes more than this many times as
/// long, or if its ratio to the estimate is this many times that of the columns added to it.
const MOST_UNLIKE: f64 = 1.25;
const MOST_ABOVE: f64 = 2.0;

/// The bound on the time of all corners if they are unsure, in multiples of the usual one.
const MOST_UNSURE: f64 = 5.0;

/// Jobs that should take less time are not measured, in seconds.
const SHORT: f64 = 0.1;

/// Members that each expect this many times the time of the fastest one, and the number of other
/// members, are not measured: they get no rows, even if the fastest is three times slower than it
/// expects.
const HOPELESS: f64 = 3.0 * USELESS;

/// Processors that each expect this many times the time of all devices, and their number, are not
/// measured: with them, the devices would take more than [`WORTHWHILE`] of their time.
const USELESS: f64 = WORTHWHILE / (1.0 - WORTHWHILE);

/// Seconds that a member reports if it is not measured beside others that are, and a processor
/// where devices report theirs: more than any job takes.
pub(super) const NEVER: f64 = 9e9;

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
/// corner of some columns, at most `widest`. All corners take about `budget` seconds, or
/// [`MOST_UNSURE`] times that. `agree` returns the greatest factor that a member wants to widen its
/// corners by: members that are measured together compute the same corners, because an estimate
/// may be wrong in another way for each width.
///
/// Each corner is computed twice, and the shorter time counts: another process that lengthens one
/// of them does not count, but one that lengthens all wide ones does. If several processes use a
/// GPU, each in its own slice of time, a narrow corner takes the time that it waits for its slice.
/// So the widest corners decide, and they become wider until both of a width take about the same
/// time and fixed costs are small. Fixed costs are never negative: the ratio of the widest corner
/// is not exceeded.
pub(super) fn slowdown(
    budget: f64,
    widest: usize,
    mut corner: impl FnMut(usize) -> Result<Corner>,
    mut agree: impl FnMut(usize) -> Result<usize>,
) -> Result<f64> {
    let mut width = FIRST;
    let mut estimated = corner(width)?.estimated;
    let mut spent = 0.0;
    while estimated < NARROW * budget && 4 * width <= widest {
        width *= 4;
        let once = corner(width)?;
        estimated = once.estimated;
        spent += once.took.as_secs_f64();
    }
    let mut first: Option<Corner> = None;
    loop {
        let mut corners = [corner(width)?, corner(width)?];
        corners.sort_by_key(|corner| corner.took);
        let [next, again] = corners;
        let took = next.took.as_secs_f64();
        spent += took + again.took.as_secs_f64();
        let ratio = took / next.estimated;
        let narrower = first.filter(|first| first.estimated < next.estimated);
        let slope =
            narrower.map_or(ratio, |first| (took - first.took.as_secs_f64()) / (next.estimated - first.estimated));
        let fixed = ratio > MOST_ABOVE * slope;
        let unsure = fixed || again.took.as_secs_f64() > MOST_UNLIKE * took;
        let budget = if unsure { MOST_UNSURE * budget } else { budget };
        let factor = if fixed { 4 } else { 2 };
        // The next corner takes about twice as long, and is computed twice.
        let next_within = spent + 4.0 * took <= budget || first.is_none() && spent <= budget;
        let factor = agree(if factor * width <= widest && next_within { factor } else { 0 })?;
        if factor == 0 {
            return Ok(slope.clamp(ratio / MOST_FIXED, ratio));
        }
        // Others may have narrower corners, and go on.
        width = Some(width.saturating_mul(factor)).filter(|&wider| wider <= widest).unwrap_or(width);
        first.get_or_insert(next);
    }
}

/// Returns true if several members may share a job that takes long enough, by the seconds that each
/// expects for all of it.
fn is_measured(expected: &[f64]) -> bool {
    let least = least(expected);
    let may_help = expected.iter().filter(|&&seconds| seconds <= hopeless(expected)).count();
    least >= SHORT && may_help > 1
}

fn least(seconds: &[f64]) -> f64 {
    seconds.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Returns the least seconds of a hopeless member.
fn hopeless(expected: &[f64]) -> f64 {
    HOPELESS * expected.len().saturating_sub(1) as f64 * least(expected)
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
        let seconds_of_all = |own: f64| -> Result<Vec<f64>> {
            Ok(self.all([nanoseconds(own)])?.iter().map(|[time]| *time as f64 / 1e9).collect())
        };
        let expected = seconds_of_all(guessed)?;
        let mut slowdown = guess;
        if is_measured(&expected) {
            // A member that is not measured gets no rows.
            slowdown = NEVER / alone;
            // First the devices, because the CPU's threads would delay their launches.
            let budget = (least(&expected) * MEASURED_PART).min(MEASURED);
            let may_help = guessed <= hopeless(&expected);
            let is_device = self.kind != EngineKind::Cpu;
            let greatest = |factor: usize| {
                Ok(self.all([factor.cast_signed() as i64])?.iter().map(|[factor]| *factor).max().unwrap_or(0) as usize)
            };
            if may_help && is_device {
                slowdown = self.measured(budget, &rows, &columns, greatest)?;
            } else {
                // Until the others agree to stop.
                while greatest(0)? > 0 {}
            }
            let of_devices = seconds_of_all(slowdown * alone)?;
            let others = of_devices.iter().filter(|&&seconds| seconds >= NEVER).count();
            let together = of_devices.iter().map(|seconds| seconds.recip()).sum::<f64>().recip();
            let is_useful = guessed <= USELESS * others as f64 * together;
            if may_help && is_useful && !is_device {
                slowdown = self.measured(budget, &rows, &columns, Ok)?;
            }
        }
        let own = Times::new(m, slowdown * alone, |rows| slowdown * self.engine.seconds(rows, n));
        Ok(self.all(own.to_words())?.into_iter().map(Times::from_words).collect())
    }

    /// Measures the time that this member takes for corners of a table, in multiples of its
    /// engine's estimate.
    fn measured(
        &self,
        budget: f64,
        rows: &Part,
        columns: &Part,
        agree: impl FnMut(usize) -> Result<usize>,
    ) -> Result<f64> {
        let corner = |width| {
            let columns = columns.split(width).0;
            let nobody = Neighbours { above: None, below: None };
            let chunk = self.task.cluster.chunk;
            let mut border = Border::new(self.link, nobody, 0, columns.range.len(), chunk, P::TOP);
            let started = Instant::now();
            let estimated = self.engine.rehearse(rows, &columns, &mut border)?;
            let took = started.elapsed();
            log::debug!("{width} columns took {took:.3?}, estimated {:.3?}", Duration::from_secs_f64(estimated));
            Ok(Corner { took, estimated })
        };
        slowdown(budget, columns.range.len(), corner, agree)
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
            let measured = slowdown(0.05, 1 << 20, of(first, fixed, expected), Ok).unwrap();
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
                let measured = slowdown(
                    0.02,
                    1 << 20,
                    |width| {
                        let Corner { took, estimated } = corner(width)?;
                        count += 1;
                        let delay = Duration::from_millis(if count % every == 0 { 20 } else { 0 });
                        Ok(Corner { took: took + delay, estimated })
                    },
                    Ok,
                )
                .unwrap();
                assert!((measured / expected - 1.0).abs() < 0.2, "{measured}, not {expected}");
            }
        }
    }

    /// Other processes use the GPU in turn, a slice of time each; some corners begin in one of
    /// theirs.
    #[test]
    fn processes_that_stay_count() {
        for (slice, others) in [(0.002, 1.0), (0.002, 2.0), (0.002, 5.0), (0.009, 1.0), (0.009, 2.0)] {
            let turn = slice * (1.0 + others);
            // Time in slices of one's own before a time, and when some of them are used up.
            let own = |time: f64| (time / turn).floor() * slice + (time % turn).min(slice);
            let end = |used: f64| (used / slice).floor() * turn + used % slice;
            for begin in [0.0, 0.3, 0.9] {
                let mut corner = of(0.0, 1e-5, 1.0);
                let mut now = turn * begin;
                let measured = slowdown(
                    24.0 * slice,
                    1 << 22,
                    |width| {
                        let Corner { took, estimated } = corner(width)?;
                        let ended = end(own(now) + took.as_secs_f64());
                        let took = Duration::from_secs_f64(ended - std::mem::replace(&mut now, ended));
                        Ok(Corner { took, estimated })
                    },
                    Ok,
                )
                .unwrap();
                let part = measured / (1.0 + others);
                assert!((0.7..1.4).contains(&part), "{measured}, {slice} s, {others} others, from {begin}");
            }
        }
    }

    /// Two devices whose estimates are wrong in the same way for each width; one is a little slower
    /// and would stop earlier.
    #[test]
    fn devices_measured_together_compute_the_same_corners() {
        // Of an H200, in seconds: columns, time, estimate.
        let corners = [(1024, 2.2e-3, 0.83e-3), (2048, 3.45e-3, 1.12e-3), (4096, 4.2e-3, 1.69e-3)];
        let wanted = std::sync::Mutex::new([0; 2]);
        let barrier = std::sync::Barrier::new(2);
        let device = |number: usize, slower: f64| {
            let corner = |width| {
                let (_, took, estimated) = corners.into_iter().find(|&(columns, ..)| columns == width).unwrap();
                Ok(Corner { took: Duration::from_secs_f64(slower * took), estimated })
            };
            let agree = |factor| {
                wanted.lock().unwrap()[number] = factor;
                barrier.wait();
                let greatest = wanted.lock().unwrap().into_iter().max().unwrap();
                barrier.wait();
                Ok(greatest)
            };
            slowdown(0.0256, 4096, corner, agree).unwrap()
        };
        let (a, b) = std::thread::scope(|scope| {
            let b = scope.spawn(|| device(1, 1.04));
            (device(0, 1.0), b.join().unwrap())
        });
        assert!((b / a - 1.04).abs() < 0.01, "{a} and {b}");
    }

    #[test]
    fn only_members_that_may_share_a_long_job_are_measured() {
        assert!(is_measured(&[1.0, 30.0]) && is_measured(&[100.0, 1.0, 1.0]) && is_measured(&[60.0, 1.0, 60.0]));
        assert!(!is_measured(&[1.0, 40.0]) && !is_measured(&[1.0]) && !is_measured(&[0.05, 0.05]));
    }

    #[test]
    fn corners_stay_within_the_budget_and_the_table() {
        for budget in [0.002, 0.01, 0.03] {
            let mut corner = of(0.0, 1e-5, 2.0);
            let mut spent = 0.0;
            let mut widths = Vec::new();
            slowdown(
                budget,
                100_000,
                |width| {
                    let corner = corner(width)?;
                    spent += corner.took.as_secs_f64();
                    widths.push(width);
                    Ok(corner)
                },
                Ok,
            )
            .unwrap();
            assert!(spent <= budget && spent >= budget / 10.0, "{spent} of {budget}");
            assert!(widths.iter().all(|&width| width <= 100_000) && widths.len() > 2, "{widths:?}");
        }
        // A table of few columns has the first corner alone.
        assert!((slowdown(1.0, 100, of(1.0, 0.0, 2.0), Ok).unwrap() - 2.0).abs() < 0.01);
    }
}
