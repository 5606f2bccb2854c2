//! The size of blocks that are computed one after the other, so that results take little memory
//! however dense they are.

use std::ops::RangeInclusive;

/// Maximum ratio of the size of a block to that of the block before.
const GROWTH: usize = 128;

/// The size of the next block of a job, in symbols or rows, chosen from the block before so that it
/// should have a given number of results.
///
/// ```
/// use carrywave::memory::BlockSize;
///
/// let mut size = BlockSize::new(1000, 10..=1_000_000, 500);
/// size.adapt(1000, 100);
/// assert_eq!(size.get(), 5000);
/// size.adapt(5000, 0);
/// assert_eq!(size.get(), 640_000);
/// ```
#[derive(Debug, Clone)]
pub struct BlockSize {
    size: usize,
    limits: RangeInclusive<usize>,
    results: usize,
}

impl BlockSize {
    /// Starts with blocks of `first` units. Later blocks are within `limits`, and should have
    /// `results` results each. See the [example](Self).
    pub fn new(first: usize, limits: RangeInclusive<usize>, results: usize) -> Self {
        Self { size: first, limits, results }
    }

    /// Returns the size of the next block, in units. See the [example](Self).
    pub fn get(&self) -> usize {
        self.size
    }

    /// Returns the number of units that should have the wanted number of results, given that
    /// `units` units have `results` results: at least 1. See the [example](Self).
    pub fn of_density(&self, units: usize, results: usize) -> usize {
        let wanted = units as u128 * self.results as u128 / results.max(1) as u128;
        usize::try_from(wanted).unwrap_or(usize::MAX).max(1)
    }

    /// Chooses the size of the next block, given that a block of `units` units has `results`
    /// results: at most 128 times the size before. See the [example](Self).
    pub fn adapt(&mut self, units: usize, results: usize) {
        let largest = self.size.saturating_mul(GROWTH).max(*self.limits.start());
        self.size = self.of_density(units, results).max(*self.limits.start()).min(largest).min(*self.limits.end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_within_limits() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..1000 {
            let number = |random: &mut fastrand::Rng| random.usize(..) >> random.u32(..64);
            let (least, most) = (number(&mut random), number(&mut random));
            let mut size = BlockSize::new(1, least.min(most)..=least.max(most), number(&mut random));
            for _ in 0..10 {
                let before = size.get();
                size.adapt(number(&mut random), number(&mut random));
                assert!(size.get() >= least.min(most) && size.get() <= least.max(most));
                assert!(size.get() <= before.saturating_mul(GROWTH).max(least.min(most)));
            }
        }
    }
}
