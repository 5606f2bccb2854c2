//! Search with any number of errors and patterns of any length: Myers' bit-vectors in words of 32
//! rows, one run of the text per lane. A long pattern takes one launch per strip, one after the
//! other.

use super::match_table::mismatches;
use super::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Writes, no_kernel};
use super::size::Size;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::search::lane_runs::{ROUND, Runs, STEP};
use carrywave_kernels::search::match_table::SYMBOLS;
use carrywave_kernels::search::myers::{Myers, MyersDispatch, warps};
use carrywave_kernels::search::output::ERROR_BITS;
use simt_std::{Kernel, WARP};

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "myers",
    "differences of a column in words of 32 rows, one run of the text per lane; long patterns in strips",
    "this project, after Myers 1999",
    "⌈m / 32⌉ word steps",
)
.limited(Limits { symbols: Some(MAX_SYMBOLS), errors: Some(MAX_ERRORS), ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::All,
        tuning: &[],
        check: |_, _| Ok(()),
        cost: |Size { m, .. }| {
            let one = COSTS.iter().find(|&&(most, _)| m <= most).map(|&(_, cost)| cost);
            let (strip, cost) = COSTS[COSTS.len() - 1];
            Some(one.unwrap_or_else(|| cost.saturating_mul(m.div_ceil(strip) as u32)))
        },
        prepare: |text, request| {
            let (m, k) = (request.m(), request.k);
            let table = text.upload(&mismatches(&request.patterns[0], rows(m) - 1), "match words")?;
            let shares = shares(&*text.device, text.room, m, k);
            let differences = if strips(m) == 1 { 1 } else { shares.differences(text.room) };
            let differences = text.device.alloc(differences as usize, "differences between strips")?;
            Ok(Prepared::alone(Strips::<D> { m, k, shares, table, differences }))
        },
    }
}

/// Microseconds for m up to 32, 64 and 128; a longer pattern takes the last value per 128 symbols.
const COSTS: [(usize, u32); 3] = [(32, 213), (64, 370), (128, 693)];

/// Returns the expected time in seconds to find the end with the fewest errors, fewer than m, in n
/// symbols on a device.
pub fn seconds(m: u64, n: u64, multiprocessors: u32) -> f64 {
    let (longest, cost) = COSTS.into_iter().find(|&(most, _)| m <= most as u64).unwrap_or(COSTS[COSTS.len() - 1]);
    let rows = u32::try_from(m).unwrap_or(u32::MAX);
    let Shares { run, halo } = Shares::new(n, rows, rows.saturating_sub(1), lanes(rows, multiprocessors));
    // The costs are those of full lanes on an H200.
    let step = f64::from(cost) * 1e-6 / (1u64 << 28) as f64 * lanes(rows, 132) as f64;
    (run + halo) as f64 * step * m.div_ceil(longest as u64) as f64
}

/// Number of words of a strip's rows, if there are several strips.
const STRIP: usize = 4;

/// Largest number of errors: the limit of the bits in a hit.
const MAX_ERRORS: u32 = (1 << ERROR_BITS) - 1;

/// Longest pattern, in symbols: rows are counted in 31 bits.
const MAX_SYMBOLS: u64 = (1 << 30) - 1;

/// Returns the number of words of a lane's rows for m symbols.
fn words(m: u32) -> usize {
    match m {
        0..=32 => 1,
        33..=64 => 2,
        _ => STRIP,
    }
}

/// Returns the number of strips of a pattern of m symbols.
fn strips(m: u32) -> u32 {
    m.div_ceil(32 * words(m) as u32)
}

/// Returns the number of rows of all strips: the pattern's last symbol is in the last row.
fn rows(m: u32) -> u32 {
    strips(m) * 32 * words(m) as u32
}

/// The division of a text among lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shares {
    run: u64,
    halo: u64,
}

impl Shares {
    /// Divides n symbols among at most `lanes` lanes. A run is at least twice its halo, so at most
    /// a third of the work is redundant. For long patterns, this rule and not the device limits the
    /// number of lanes.
    fn new(n: u64, m: u32, k: u32, lanes: u64) -> Self {
        let halo = (u64::from(m) + u64::from(k) - 1).min(n).next_multiple_of(ROUND);
        Self { run: n.div_ceil(lanes).max(2 * halo).min(n).next_multiple_of(ROUND), halo }
    }

    /// Returns the division for a search of n symbols that starts at `first`. The halo is at most
    /// what precedes the last run.
    fn starting_at(self, first: u64, n: u64) -> Self {
        Self { halo: self.halo.min(first + (self.runs(n - first) - 1) * self.run), ..self }
    }

    /// Returns the number of runs of n symbols.
    fn runs(self, n: u64) -> u64 {
        n.div_ceil(self.run)
    }

    /// Returns the number of words of the differences between two strips, for n symbols or fewer,
    /// wherever the search starts.
    fn differences(self, n: u64) -> u64 {
        self.runs(n).next_multiple_of(WARP.into()) * ((self.run + self.halo) / STEP)
    }
}

/// Returns the number of lanes of a device.
fn lanes(m: u32, multiprocessors: u32) -> u64 {
    let words = words(m);
    // Two blocks of one word fit a multiprocessor, or one block of more words.
    let resident = if words == 1 { 2 } else { 1 };
    u64::from(multiprocessors) * resident * u64::from(warps(words) * WARP)
}

fn shares<D: Device>(device: &D, n: u64, m: u32, k: u32) -> Shares {
    Shares::new(n, m, k, lanes(m, device.limits().multiprocessors))
}

struct Strips<D: Device> {
    m: u32,
    k: u32,
    /// The division for the text's capacity.
    shares: Shares,
    table: D::Buffer<u32>,
    /// The differences between two strips.
    differences: D::Buffer<u64>,
}

impl<D: Device> Launcher<D> for Strips<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let (words, strips) = (words(self.m), strips(self.m));
        for number in 0..strips {
            let values = (words, number > 0, number + 1 < strips);
            let strip = Strip { own: self, launch, number };
            strip.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))??;
        }
        Ok(())
    }
}

/// A strip's launch. Only [`Launcher::launch`] makes it, as [`Start`](super::Start).
struct Strip<'s, D: Device> {
    own: &'s Strips<D>,
    launch: &'s Launch<'s, D>,
    number: u32,
}

impl<D: Device> MyersDispatch for Strip<'_, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const ABOVE: bool, const BELOW: bool>(self) -> Result<()>
    where
        Myers<WORDS, ABOVE, BELOW>: Kernel,
    {
        let Self { own, launch, number } = self;
        let (text, n, from) = (launch.text, launch.n, launch.from);
        let device = &*text.device;
        let shares = own.shares.starting_at(from, n);
        let blocks = shares.runs(n - from).div_ceil(Myers::<WORDS, ABOVE, BELOW>::BLOCK_THREADS.into()) as u32;
        let all = 32 * WORDS as u32;
        let kernel = Myers::<WORDS, ABOVE, BELOW> {
            runs: Runs { text: device.handle(&text.text), n, first: from, run: shares.run, halo: shares.halo },
            m: own.m,
            k: own.k,
            rows: if ABOVE { all } else { all - (rows(own.m) - own.m) },
            table: device.handle(&own.table).skip(SYMBOLS as usize * WORDS * number as usize),
            differences: device.handle(&own.differences),
            output: launch.output,
        };
        // SAFETY: as for `Launcher::launch`; the text is rounded up, the table has 256 words for
        // each 32 rows of all strips, the array of differences is as long as the shares require (a
        // later start makes it no longer), and the strips are in one stream in order.
        Ok(unsafe { device.launch(&text.stream, blocks, kernel) }?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wherever a search starts, no run lacks its context, and the differences fit.
    #[test]
    fn a_plan_holds_for_every_start() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..20_000 {
            let (most_n, most_m) = ([100, 5000, 1 << 30][random.usize(..3)], [10, 300, 40_000][random.usize(..3)]);
            let (n, m) = (random.u64(1..=most_n), random.u32(1..=most_m));
            let (k, lanes) = (random.u32(..m), random.u64(1..200_000));
            let plan = Shares::new(n, m, k, lanes);
            let first = random.u64(..n) / 1024 * 1024;
            let here = plan.starting_at(first, n);
            assert!(here.run.is_multiple_of(ROUND) && here.halo.is_multiple_of(ROUND) && here.run >= ROUND);
            let runs = here.runs(n - first);
            assert!(runs >= 1 && runs <= lanes && first + (runs - 1) * here.run < n && first + runs * here.run >= n);
            let needed = u64::from(m + k - 1);
            assert!(here.halo >= needed.min(first + (runs - 1) * here.run), "{here:?} at {first}, n {n}, m {m}, k {k}");
            let warps = runs.div_ceil(32);
            assert!(warps * 32 * (here.run + here.halo) / STEP <= plan.differences(n));
            assert!(runs == 1 || here.run >= 2 * here.halo);
        }
    }
}
