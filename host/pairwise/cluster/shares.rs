//! The members' shares of the rows: given, or by the times that members expect, and corrected by
//! the times that their bands take.

use super::times::{self, Times};
use std::time::Duration;

/// Least time of bands that corrects a member's share.
const LEAST: Duration = Duration::from_millis(2);

/// The shares of a table's rows.
#[derive(Debug, Clone)]
pub(super) struct Shares {
    /// Share of each member, of any sum.
    now: Vec<f64>,
    /// Time that each member expects for the whole table; empty if the shares are given.
    times: Vec<Times>,
}

/// Bands that a member has computed, without its waiting for carries.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Computed {
    pub(super) cells: u64,
    pub(super) time: Duration,
}

impl Computed {
    /// Returns the report to the other members.
    pub(super) fn to_words(self) -> [i64; 2] {
        [self.cells.cast_signed(), i64::try_from(self.time.as_nanos()).unwrap_or(i64::MAX)]
    }

    /// Returns the bands of a report.
    pub(super) fn from_words([cells, time]: [i64; 2]) -> Self {
        Self { cells: cells.cast_unsigned(), time: Duration::from_nanos(time.max(0).cast_unsigned()) }
    }
}

impl Shares {
    /// Returns shares that stay as they are.
    pub(super) fn given(shares: &[f64]) -> Self {
        Self { now: shares.to_vec(), times: Vec::new() }
    }

    /// Returns shares by expected times; see [`times::shares`].
    pub(super) fn by_times(times: Vec<Times>, chunk: f64) -> Self {
        Self { now: times::shares(&times, chunk), times }
    }

    /// Returns the share of each member.
    pub(super) fn get(&self) -> &[f64] {
        &self.now
    }

    /// Returns true if the shares are by expected times, so that they can be corrected.
    pub(super) fn are_measured(&self) -> bool {
        !self.times.is_empty()
    }

    /// Returns the members that have rows.
    pub(super) fn members(&self) -> Vec<usize> {
        (0..self.now.len()).filter(|&member| self.now[member] > 0.0).collect()
    }

    /// Corrects the shares by the bands that each member has computed, of a table of `cells` cells.
    /// All members keep some rows, and others get none.
    pub(super) fn correct(&mut self, computed: &[Computed], cells: u64) {
        let known = |computed: &Computed| computed.cells > 0 && computed.time >= LEAST;
        if !self.are_measured() || !computed.iter().any(known) {
            return;
        }
        for (times, computed) in self.times.iter_mut().zip(computed).filter(|(_, computed)| known(computed)) {
            times.set_whole(computed.time.as_secs_f64() * cells as f64 / computed.cells as f64);
        }
        self.now = times::common_shares(&self.times, &self.members());
    }
}

#[cfg(test)]
mod tests {
    use super::super::deal;
    use super::*;

    const ROWS: usize = 1 << 24;
    const COLUMNS: u64 = 1 << 24;
    const UNIT: u64 = 512;

    /// Computes a table in rounds in virtual time. Each member has a number of cells per second
    /// that it expects, and one that it has. Returns the seconds.
    fn seconds(expected: &[f64], speeds: impl Fn(usize, usize) -> f64, rounds: usize) -> f64 {
        let cells = ROWS as u64 * COLUMNS;
        let times =
            |&speed: &f64| Times::new(ROWS as u64, cells as f64 / speed, |rows| rows as f64 * COLUMNS as f64 / speed);
        let mut shares = Shares::by_times(expected.iter().map(times).collect(), 0.001);
        let grains = vec![deal::Grain { unit: UNIT, most: deal::Grain::UNBOUNDED }; expected.len()];
        let mut start = 0;
        let mut seconds = 0.0;
        let mut before: Option<Vec<Computed>> = None;
        for round in 0..rounds {
            let bands = deal::round(ROWS - start, deal::Round { number: round, count: rounds }, shares.get(), &grains);
            let computed = |(member, band): (usize, &std::ops::Range<usize>)| {
                let cells = band.len() as u64 * COLUMNS;
                Computed { cells, time: Duration::from_secs_f64(cells as f64 / speeds(member, round)) }
            };
            let now: Vec<Computed> = bands.iter().enumerate().map(computed).collect();
            seconds += now.iter().map(|computed| computed.time.as_secs_f64()).fold(0.0, f64::max);
            start += bands.last().unwrap().end;
            if let Some(before) = before.replace(now) {
                shares.correct(&before, cells);
            }
        }
        assert_eq!(start, ROWS);
        seconds
    }

    #[test]
    fn a_member_at_a_third_of_its_speed_costs_a_tenth_at_most() {
        let cells = (ROWS as u64 * COLUMNS) as f64;
        for speeds in [vec![1e12, 1e12], vec![1e12, 4e11, 4e11], vec![1e12; 4], vec![3e11, 1e12]] {
            for slow in 0..speeds.len() {
                let speed = |member: usize| speeds[member] / if member == slow { 3.0 } else { 1.0 };
                let best = cells / (0..speeds.len()).map(speed).sum::<f64>();
                // Slow all the time, but measured when it was fast.
                let took = seconds(&speeds, |member, _| speed(member), 16);
                assert!(took <= 1.1 * best, "{took}, best {best}, {speeds:?}, {slow}");
                // Measured when it was slow.
                let measured: Vec<f64> = (0..speeds.len()).map(speed).collect();
                let took = seconds(&measured, |member, _| speed(member), 16);
                assert!(took <= 1.02 * best, "{took}, best {best}, {speeds:?}, {slow}");
            }
        }
    }

    #[test]
    fn given_shares_stay() {
        let mut shares = Shares::given(&[1.0, 3.0]);
        shares.correct(&[Computed { cells: 1 << 40, time: Duration::from_secs(1) }; 2], 1 << 40);
        assert_eq!(shares.get(), [1.0, 3.0]);
        // A member without a report keeps its expected time.
        let times = |seconds: f64| Times::new(100, seconds, |rows| seconds * rows as f64 / 100.0);
        let mut shares = Shares::by_times(vec![times(1.0), times(1.0), times(1000.0)], 0.001);
        let report = Computed { cells: 500, time: Duration::from_secs(1) };
        shares.correct(&[report, Computed::default(), Computed::default()], 1000);
        let [first, second, third] = shares.get() else { panic!() };
        assert!((second / first - 2.0).abs() < 1e-6 && *third == 0.0, "{shares:?}");
    }

    #[test]
    fn reports_keep_the_bands() {
        let computed = Computed { cells: 1 << 60, time: Duration::from_nanos(12_345) };
        let kept = Computed::from_words(computed.to_words());
        assert_eq!((kept.cells, kept.time), (computed.cells, computed.time));
    }
}
