//! The time that a band takes, without its waiting for carries, by when chunks arrive and leave:
//! for an engine that waits on a device, where the host cannot see it.

use std::time::{Duration, Instant};

/// A chunk arrived early if this many more had arrived before it left than at the least.
const EARLY: usize = 2;

/// At least one in this many chunks must have arrived early, or the time is not known.
const LEAST_PART: usize = 4;

/// The chunks that have left a band.
#[derive(Debug, Default)]
pub(super) struct Pace {
    left: Vec<Left>,
}

/// A chunk that has left.
#[derive(Debug, Clone, Copy)]
struct Left {
    at: Instant,
    /// Number of later chunks that had arrived; `None` if all had.
    arrived: Option<usize>,
}

impl Pace {
    /// Notes that a chunk has left, when `arrived` later ones had arrived; `None` if all had.
    pub(super) fn leave(&mut self, at: Instant, arrived: Option<usize>) {
        self.left.push(Left { at, arrived });
    }

    /// Returns the time of all chunks if they had arrived early. `None` if nearly all chunks were
    /// waited for.
    ///
    /// A band computes some chunks at the same time, in different rows. So the least number of
    /// chunks that had arrived when one left is the number that it computes at once, and with
    /// more, some had to wait for the band.
    pub(super) fn time(&self) -> Option<Duration> {
        let least = self.left.iter().filter_map(|left| left.arrived).min().unwrap_or(0);
        let early = |left: &Left| left.arrived.is_none_or(|arrived| arrived >= least + EARLY);
        let pairs = self.left.windows(2).filter(|pair| pair.iter().all(early));
        let (count, time) = pairs.fold((0, Duration::ZERO), |(count, time), pair| {
            (count + 1, time + pair[1].at.saturating_duration_since(pair[0].at))
        });
        let is_known = count > 0 && count * LEAST_PART >= self.left.len();
        is_known.then(|| time.mul_f64(self.left.len() as f64 / count as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes chunks through a band that computes `depth` of them at once, each in `own` ms, where a
    /// chunk arrives every `every` ms from `from` on. Returns the time by its pace, in ms.
    fn time(chunks: usize, depth: usize, own: f64, every: f64, from: f64) -> Option<f64> {
        let start = Instant::now();
        let arrival = |chunk: usize| from + every * chunk as f64;
        let mut pace = Pace::default();
        let mut begun = 0.0f64;
        for chunk in 0..chunks {
            // The lowest rows take a chunk; it leaves when the highest have taken it.
            begun = begun.max(arrival(chunk)) + own;
            let leaves = begun + own * depth as f64;
            let arrived = (0..chunks).filter(|&other| arrival(other) <= leaves).count();
            let later = (arrived < chunks).then(|| arrived.saturating_sub(chunk + 1));
            pace.leave(start + Duration::from_secs_f64(leaves.max(0.0) / 1e3), later);
        }
        pace.time().map(|time| time.as_secs_f64() * 1e3)
    }

    #[test]
    fn waiting_does_not_count() {
        for depth in [0, 1, 5] {
            for (every, from) in [(0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (1.0, -500.0), (20.0, -5000.0)] {
                let time = time(400, depth, 10.0, every, from);
                let is_near = time.is_some_and(|time| (time - 4000.0).abs() < 40.0);
                // In the last case, chunks arrive slowly, but half of them arrive before the first
                // leaves.
                assert!(is_near, "{depth} {every} {from} {time:?}");
            }
            // All but the first chunks are waited for.
            for (every, from) in [(11.0, 0.0), (30.0, 0.0), (30.0, -300.0)] {
                assert_eq!(time(400, depth, 10.0, every, from), None, "{depth} {every} {from}");
            }
        }
        assert!(Pace::default().time().is_none() && time(1, 0, 10.0, 0.0, 0.0).is_none());
    }
}
