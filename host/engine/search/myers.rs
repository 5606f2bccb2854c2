//! The launches of Myers's algorithm: a launch for each strip of a long pattern, one after the other.

use super::DeviceSearch;
use crate::engine::device::Device;
use crate::error::Result;
use carrywave_kernels::search::lane_runs::{ROUND, Runs, STEP};
use carrywave_kernels::search::match_table::SYMBOLS;
use carrywave_kernels::search::myers::{Myers, MyersDispatch, warps};
use carrywave_kernels::search::output::{ERROR_BITS, SearchOutput};
use simt_std::Kernel;
use simt_std::WARP;

/// Words of a strip's rows, where there are several.
const STRIP: usize = 4;

/// The most errors: those that a hit has room for.
pub(super) const MOST_ERRORS: u32 = (1 << ERROR_BITS) - 1;

/// The most symbols of a pattern: rows are counted in 31 bits.
pub(super) const MOST_SYMBOLS: usize = (1 << 30) - 1;

/// Words of a lane's rows for m symbols.
pub(super) fn words(m: u32) -> usize {
    match m {
        0..=32 => 1,
        33..=64 => 2,
        _ => STRIP,
    }
}

/// Strips of a pattern of m symbols.
fn strips(m: u32) -> u32 {
    m.div_ceil(32 * words(m) as u32)
}

/// Rows of all strips: the pattern's last symbol is in the last one.
pub(super) fn rows(m: u32) -> u32 {
    strips(m) * 32 * words(m) as u32
}

/// How a text is shared among lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plan {
    run: u64,
    halo: u64,
}

impl Plan {
    /// For n symbols and so many lanes at most. A run is twice its halo, so that at most a third of the work is done for
    /// nothing: with long patterns that, and not the device, says how many lanes there are.
    fn new(n: u64, m: u32, k: u32, lanes: u64) -> Self {
        let halo = (u64::from(m) + u64::from(k) - 1).min(n).next_multiple_of(ROUND);
        Self { run: n.div_ceil(lanes).max(2 * halo).min(n).next_multiple_of(ROUND), halo }
    }

    /// For a search of n symbols from `first` on. No run has more before it than the last one has.
    fn starting_at(self, first: u64, n: u64) -> Self {
        Self { halo: self.halo.min(first + (self.runs(n - first) - 1) * self.run), ..self }
    }

    /// Runs of n symbols.
    fn runs(self, n: u64) -> u64 {
        n.div_ceil(self.run)
    }

    /// Words of the differences between two strips, of n symbols or fewer, wherever the search starts.
    fn differences(self, n: u64) -> u64 {
        self.runs(n).next_multiple_of(WARP.into()) * ((self.run + self.halo) / STEP)
    }
}

/// The words of the differences between strips that a search of up to n symbols needs.
pub(super) fn differences<D: Device>(device: &D, n: u64, m: u32, k: u32) -> u64 {
    if strips(m) == 1 { 1 } else { plan(device, n, m, k).differences(n) }
}

fn plan<D: Device>(device: &D, n: u64, m: u32, k: u32) -> Plan {
    let words = words(m);
    // Two blocks of one word fit a multiprocessor, one of more.
    let resident = if words == 1 { 2 } else { 1 };
    let lanes = u64::from(device.limits().multiprocessors) * resident * u64::from(warps(words) * WARP);
    Plan::new(n, m, k, lanes)
}

/// Puts a search of the text from a position on into the stream.
pub(super) fn launch<D: Device>(search: &DeviceSearch<'_, '_, D>, from: u64, output: SearchOutput) -> Result<()> {
    let strips = strips(search.m);
    for number in 0..strips {
        let values = (words(search.m), number > 0, number + 1 < strips);
        Strip { search, number, from, output }.dispatch(values).ok_or_else(|| search.no_kernel())??;
    }
    Ok(())
}

/// A strip of a search on its way into the stream.
struct Strip<'a, D: Device> {
    search: &'a DeviceSearch<'a, 'a, D>,
    number: u32,
    from: u64,
    output: SearchOutput,
}

impl<D: Device> MyersDispatch for Strip<'_, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const ABOVE: bool, const BELOW: bool>(self) -> Result<()>
    where
        Myers<WORDS, ABOVE, BELOW>: Kernel,
    {
        let Self { search, number, from, output } = self;
        let (device, text) = (search.text.device, search.text);
        let plan = plan(device, text.room, search.m, search.k).starting_at(from, search.n);
        let blocks = plan.runs(search.n - from).div_ceil(Myers::<WORDS, ABOVE, BELOW>::BLOCK_THREADS.into()) as u32;
        let all = 32 * WORDS as u32;
        let kernel = Myers::<WORDS, ABOVE, BELOW> {
            runs: Runs { text: device.handle(&text.text), n: search.n, first: from, run: plan.run, halo: plan.halo },
            m: search.m,
            k: search.k,
            rows: if ABOVE { all } else { all - (rows(search.m) - search.m) },
            table: device.handle(&search.table).skip(SYMBOLS as usize * WORDS * number as usize),
            differences: device.handle(&search.differences),
            output,
        };
        // SAFETY: the text is rounded up, the table has 256 words for each 32 rows of all strips, the differences' array is as long
        // as the plan says, which a later start makes no longer, the strips are in one stream in order, the output's arrays are as
        // long as its format needs, and all live as long as the search, which waits for the stream before they go.
        unsafe { device.launch(&text.stream, blocks, kernel)? };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wherever a search starts, no run lacks what goes before it, and the differences have room.
    #[test]
    fn a_plan_holds_for_every_start() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..20_000 {
            let (most_n, most_m) = ([100, 5000, 1 << 30][random.usize(..3)], [10, 300, 40_000][random.usize(..3)]);
            let (n, m) = (random.u64(1..=most_n), random.u32(1..=most_m));
            let (k, lanes) = (random.u32(..m), random.u64(1..200_000));
            let plan = Plan::new(n, m, k, lanes);
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
