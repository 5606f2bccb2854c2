//! How a batch of tables is laid on a machine: how many words a lane, how many warps a block.

use crate::device::Limits;
use carrywave_kernels::lcs::wavefront::{TABLE_BYTES, WARPS, WAVEFRONT_INSTANCES, table_bytes, tile};
use simt_std::WARP;

/// Rows of a word of all lanes.
pub const ROWS: u64 = 1024;

/// Tables of a batch that are looked at.
const SAMPLE: usize = 256;

/// Words a lane, and warps a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// W, one of [`widths`](Self::widths).
    pub words: u32,
    /// Warps of a block; one block a multiprocessor.
    pub warps: u32,
}

/// Schedulers of a multiprocessor.
const SCHEDULERS: u32 = 4;

/// The number of words a lane, and the clock cycles that a column then takes a warp alone on its scheduler, which reads ahead;
/// measured on an H200, see docs/performance.md.
const ALONE: &[(u32, f64)] = &[
    (1, 51.0),
    (2, 50.0),
    (3, 54.0),
    (4, 62.0),
    (6, 69.0),
    (8, 70.0),
    (10, 99.0),
    (12, 102.0),
    (14, 131.0),
    (16, 126.0),
    (18, 137.0),
    (19, 146.0),
    (20, 150.0),
];

/// The same of two warps on a scheduler.
const PAIR: &[(u32, f64)] = &[
    (1, 55.0),
    (2, 55.0),
    (3, 61.0),
    (4, 73.0),
    (6, 103.0),
    (8, 122.0),
    (9, 133.0),
    (12, 173.0),
    (14, 204.0),
    (16, 222.0),
    (18, 246.0),
    (20, 266.0),
];

impl Plan {
    /// Whether every warp has a scheduler to itself: there are kernels for that.
    pub fn ahead(&self) -> bool {
        self.warps <= SCHEDULERS
    }

    /// The numbers of words that there are kernels for, for so many warps.
    pub fn widths(&self) -> impl Iterator<Item = u32> + use<> {
        let wanted = self.ahead();
        WAVEFRONT_INSTANCES.iter().filter(move |(_, ahead)| *ahead == wanted).map(|&(words, _)| words as u32)
    }

    /// The strips of a table of m rows.
    pub fn strips(&self, m: u64) -> u64 {
        m.div_ceil(ROWS * u64::from(self.words))
    }

    /// Columns of a tile.
    pub fn tile(&self) -> u64 {
        tile(self.words).into()
    }

    /// Whether a multiprocessor's shared memory has room for the match words of all warps, for σ symbols.
    pub fn fits(&self, symbols: u32, limits: Limits) -> bool {
        let bytes = table_bytes(self.words, symbols);
        bytes <= TABLE_BYTES && bytes * self.warps <= limits.block_shared
    }

    /// The plan that should take least time for tables of these sizes (m, n) over σ symbols, and that time in clock cycles.
    pub fn best(tables: &[(u64, u64)], symbols: u32, limits: Limits, devices: u32) -> (Self, f64) {
        // Of very many tables, some stand for all.
        let each = tables.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<_> = tables.iter().copied().step_by(each).collect();
        let plans = [1, 2, 4, 8, 12, WARPS]
            .into_iter()
            .flat_map(|warps| Plan { words: 1, warps }.widths().map(move |words| Plan { words, warps }));
        plans
            .filter(|plan| plan.fits(symbols, limits))
            .map(|plan| (plan, plan.cycles(&sample, each, limits.multiprocessors * devices)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((Plan { words: 1, warps: 1 }, f64::INFINITY))
    }

    /// Clock cycles that a batch should take, of which each table stands for `each`.
    fn cycles(&self, tables: &[(u64, u64)], each: usize, multiprocessors: u32) -> f64 {
        let workers = f64::from(multiprocessors * self.warps);
        // Columns by which a strip runs behind the one below it: a tile for each lane.
        let behind = (u64::from(WARP) * self.tile()) as f64;
        let (mut strips, mut columns, mut chain, mut most) = (0.0, 0.0, 0.0f64, 0.0f64);
        for &(m, n) in tables {
            let count = self.strips(m) as f64;
            strips += count * each as f64;
            columns += count * (n as f64 + behind) * each as f64;
            chain = chain.max(n as f64 + behind * count.min(workers));
            most = most.max(count.min(workers));
        }
        // Rounds in which every warp has a strip, and one in which the rest have.
        let average = columns / strips;
        let (rounds, rest) = ((strips / workers).floor(), strips % workers);
        let mut cycles = rounds * average * self.column(f64::from(self.warps));
        if rest > 0.0 {
            cycles += average * self.column((rest / f64::from(multiprocessors)).ceil());
        }
        cycles += most * behind * self.column(f64::from(self.warps).min((strips / f64::from(multiprocessors)).ceil()));
        // Strips that wait for one another are never faster than one after the other.
        cycles.max(chain * self.column(1.0))
    }

    /// Clock cycles a column with so many of its warps on a multiprocessor: measured on an H200, see docs/performance.md.
    /// One warp a scheduler waits for its own results; from three on, all slots are in use.
    fn column(&self, warps: f64) -> f64 {
        let (words, warps) = (f64::from(self.words), (warps / f64::from(SCHEDULERS)).ceil().max(1.0));
        let measured = match (warps as u32, self.ahead()) {
            (1, true) => ALONE,
            (2, false) => PAIR,
            _ => &[],
        };
        match (warps as u32, measured.iter().find(|(words, _)| *words == self.words)) {
            (_, Some(&(_, cycles))) => cycles,
            (0..=2, None) => 55.0 + 5.1 * words,
            _ => warps * (10.0 + 6.15 * words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H200: Limits = Limits { multiprocessors: 132, block_shared: 227 << 10, exclusive_shared: 115 << 10 };

    /// A width without its cycles would be judged by the formula for all others.
    #[test]
    fn every_width_is_measured() {
        for (measured, warps) in [(ALONE, SCHEDULERS), (PAIR, SCHEDULERS + 1)] {
            let measured: Vec<u32> = measured.iter().map(|&(words, _)| words).collect();
            assert_eq!(measured, Vec::from_iter(Plan { words: 1, warps }.widths()), "of {warps} warps");
        }
    }

    #[test]
    fn plans_fit_the_machine_for_every_alphabet() {
        for symbols in 1..=256 {
            for tables in [vec![(1, 1)], vec![(10_000_000, 10_000_000); 2], vec![(1000, 500); 5000]] {
                let (plan, cycles) = Plan::best(&tables, symbols, H200, 1);
                let bytes = table_bytes(plan.words, symbols);
                assert!(bytes <= TABLE_BYTES && bytes * plan.warps <= H200.block_shared, "{plan:?}");
                assert!(cycles.is_finite() && plan.strips(1) == 1);
            }
        }
    }

    #[test]
    fn long_strings_take_wide_lanes_and_short_ones_narrow() {
        let words = |m, n| Plan::best(&[(m, n), (m, n)], 4, H200, 1).0.words;
        assert!(words(10_000_000, 10_000_000) >= 16);
        assert!(words(1_000_000, 500_000) <= 6);
        assert!(words(1000, 500) <= 2);
    }
}
