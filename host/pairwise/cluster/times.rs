//! The division of a table's rows by the times that its members expect.
//!
//! A member reports the time of its band for several numbers of rows, because a GPU takes hardly
//! less time for few rows than for as many as fill it. All members compute the same shares from
//! the reports. The shares are chosen for every number of members, so that their bands take the
//! same time, and the fastest choice counts. A slow member only delays the others, since each
//! begins a chunk of columns after the one above it. So it gets no rows.

use std::array::from_fn;

/// Number of intervals of rows between the reported times.
const INTERVALS: usize = 16;

/// Number of words of a report.
pub(super) const WORDS: usize = INTERVALS + 2;

/// Several members must be expected to take at most this part of the time of the fastest alone.
pub(super) const WORTHWHILE: f64 = 0.92;

/// Steps of a bisection: each halves the interval of times.
const STEPS: usize = 60;

/// The times that a member expects, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Times {
    /// Time of the whole table, without other members.
    alone: f64,
    /// Times of bands of 0, 1/16, …, 16/16 of the rows, in ascending order.
    bands: [f64; INTERVALS + 1],
}

impl Times {
    /// Returns the times of a member in a table of m rows, by the times of bands of some rows.
    pub(super) fn new(m: u64, alone: f64, band: impl Fn(u64) -> f64) -> Self {
        let mut greatest = 0.0f64;
        let bands = from_fn(|i| {
            greatest = greatest.max(band((m as f64 / INTERVALS as f64 * i as f64) as u64));
            greatest
        });
        Self { alone, bands }
    }

    /// Returns the report to the other members, in nanoseconds.
    pub(super) fn to_words(self) -> [i64; WORDS] {
        from_fn(|i| nanoseconds(self.bands.get(i).copied().unwrap_or(self.alone)))
    }

    /// Returns the times of a report.
    pub(super) fn from_words(words: [i64; WORDS]) -> Self {
        let seconds = |word: i64| word.max(0) as f64 / 1e9;
        Self { alone: seconds(words[INTERVALS + 1]), bands: from_fn(|i| seconds(words[i])) }
    }

    /// Sets the time of the whole table as a band, and scales the other times with it.
    pub(super) fn set_whole(&mut self, seconds: f64) {
        let factor = seconds / self.bands[INTERVALS].max(f64::MIN_POSITIVE);
        self.alone *= factor;
        self.bands.iter_mut().for_each(|band| *band *= factor);
    }

    /// Returns the share of the rows that a band of this time has.
    fn share_within(&self, time: f64) -> f64 {
        let above = self.bands.partition_point(|&band| band <= time);
        if above == 0 || above > INTERVALS {
            return if above == 0 { 0.0 } else { 1.0 };
        }
        let low = self.bands[above - 1];
        let part = (time - low) / (self.bands[above] - low);
        ((above - 1) as f64 + part) / INTERVALS as f64
    }
}

/// Returns seconds as nanoseconds, at least one.
pub(super) fn nanoseconds(seconds: f64) -> i64 {
    (seconds * 1e9).max(1.0) as i64
}

/// Returns the share of each member. Each member waits for `chunk` of the time of the member above
/// it, from 0 to 1, before it can begin.
pub(super) fn shares(times: &[Times], chunk: f64) -> Vec<f64> {
    let members = 0..times.len();
    let fastest = members.clone().min_by(|&one, &other| times[one].alone.total_cmp(&times[other].alone)).unwrap_or(0);
    let mut best: Vec<f64> = members.clone().map(|member| f64::from(u8::from(member == fastest))).collect();
    let mut least = times.get(fastest).map_or(0.0, |times| times.alone * WORTHWHILE);
    let mut order: Vec<usize> = members.clone().collect();
    order.sort_by(|&one, &other| times[one].bands[INTERVALS].total_cmp(&times[other].bands[INTERVALS]));
    for count in 2..=times.len() {
        let some = &order[..count];
        let time = common_time(times, some);
        let shares = shares_within(times, some, time);
        let with_rows = shares.iter().filter(|share| **share > 0.0).count();
        let whole = time * (1.0 + chunk * with_rows.saturating_sub(1) as f64);
        if whole < least {
            (least, best) = (whole, shares);
        }
    }
    best
}

/// Returns shares of some members whose bands take the same time; at least one row in a million
/// for each.
pub(super) fn common_shares(times: &[Times], members: &[usize]) -> Vec<f64> {
    let mut shares = shares_within(times, members, common_time(times, members));
    members.iter().for_each(|&member| shares[member] = shares[member].max(1e-6));
    shares
}

/// Returns the shares of some members in bands that take `time` seconds.
fn shares_within(times: &[Times], members: &[usize], time: f64) -> Vec<f64> {
    let mut shares = vec![0.0; times.len()];
    members.iter().for_each(|&member| shares[member] = times[member].share_within(time));
    shares
}

/// Returns the time of some members that take all rows, in bands of the same time.
fn common_time(times: &[Times], members: &[usize]) -> f64 {
    let whole = members.iter().map(|&member| times[member].bands[INTERVALS]);
    let mut most = whole.fold(f64::INFINITY, f64::min);
    let mut least = 0.0;
    for _ in 0..STEPS {
        let time = f64::midpoint(least, most);
        if members.iter().map(|&member| times[member].share_within(time)).sum::<f64>() < 1.0 {
            least = time;
        } else {
            most = time;
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: u64 = 20_000_000;

    /// Returns the times of a member whose time grows with the rows.
    fn processor(seconds: f64) -> Times {
        Times::new(ROWS, seconds, |rows| seconds * rows as f64 / ROWS as f64)
    }

    /// Returns the times of a GPU that `full` of the rows fill.
    fn gpu(seconds: f64, full: f64) -> Times {
        Times::new(ROWS, seconds, |rows| seconds * (rows as f64 / ROWS as f64).max(full))
    }

    /// Returns the time of the slowest member, in virtual time.
    fn time(times: &[Times], shares: &[f64], chunk: f64) -> f64 {
        let sum: f64 = shares.iter().sum();
        let some: Vec<_> = shares.iter().zip(times).filter(|(share, _)| **share > 0.0).collect();
        if let [(_, times)] = some[..] {
            return times.alone;
        }
        let band = |(share, times): &(&f64, &Times)| {
            let at = **share / sum * INTERVALS as f64;
            let low = (at as usize).min(INTERVALS - 1);
            times.bands[low] + (times.bands[low + 1] - times.bands[low]) * (at - low as f64)
        };
        some.iter().map(band).fold(0.0, f64::max) * (1.0 + chunk * (some.len() - 1) as f64)
    }

    #[test]
    fn shares_are_in_proportion_to_speeds() {
        let close = |shares: Vec<f64>, expected: &[f64]| {
            let sum: f64 = shares.iter().sum();
            let near = shares.iter().zip(expected).all(|(share, expected)| (share / sum - expected).abs() < 1e-6);
            assert!(near, "{shares:?}");
        };
        close(shares(&[processor(3.0), processor(1.0)], 0.001), &[0.25, 0.75]);
        close(shares(&[processor(1.0), processor(2.0), processor(2.0)], 0.001), &[0.5, 0.25, 0.25]);
        close(shares(&[processor(7.0)], 0.001), &[1.0]);
    }

    #[test]
    fn a_slow_member_gets_no_rows_and_a_fast_one_always_some() {
        assert_eq!(shares(&[gpu(2.8, 0.8), processor(136.0)], 0.003), [1.0, 0.0]);
        assert_eq!(shares(&[processor(136.0), gpu(2.8, 0.8)], 0.003), [0.0, 1.0]);
        // One GPU of ten times the other's speed, and two that are equal.
        assert_eq!(shares(&[gpu(2.8, 0.1), gpu(28.0, 0.8)], 0.003), [1.0, 0.0]);
        let equal = shares(&[gpu(2.8, 0.1), gpu(2.8, 0.1)], 0.003);
        assert!((equal[0] - equal[1]).abs() < 1e-9 && equal[0] > 0.4, "{equal:?}");
        // A processor that was not measured beside two GPUs.
        let never = Times::from_words(processor(super::super::speed::NEVER).to_words());
        assert_eq!(shares(&[gpu(2.8, 0.1), never, gpu(2.8, 0.1)], 0.003)[1], 0.0);
        // A table of a single chunk: members would work one after the other.
        assert_eq!(shares(&[processor(1.0), processor(1.0)], 1.0), [1.0, 0.0]);
    }

    /// The time is never above that of the fastest member alone, and at most a tenth above the best
    /// of many deals.
    #[test]
    fn no_deal_is_much_better() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..300 {
            let members = random.usize(1..5);
            let chunk = [0.001, 0.01, 0.06][random.usize(..3)];
            let times: Vec<Times> = (0..members)
                .map(|_| {
                    let seconds = [1.0, 3.0, 3.3, 10.0, 200.0][random.usize(..5)];
                    if random.bool() { processor(seconds) } else { gpu(seconds, random.f64()) }
                })
                .collect();
            let own = time(&times, &shares(&times, chunk), chunk);
            let alone = times.iter().map(|times| times.alone).fold(f64::INFINITY, f64::min);
            assert!(own <= alone * 1.0001, "{own} {alone} {times:?}");
            let mut best = alone;
            for _ in 0..2000 {
                let some: Vec<f64> = (0..members).map(|_| random.f64() * f64::from(random.u8(..4) > 0)).collect();
                if some.iter().sum::<f64>() > 0.0 {
                    best = best.min(time(&times, &some, chunk));
                }
            }
            assert!(own <= best * 1.1, "{own} {best} {times:?}");
        }
    }

    #[test]
    fn reports_keep_the_times() {
        let times = gpu(2.8, 0.3);
        let kept = Times::from_words(times.to_words());
        assert!((kept.alone - times.alone).abs() < 1e-8);
        assert!(kept.bands.iter().zip(times.bands).all(|(kept, time)| (kept - time).abs() < 1e-8));
    }
}
