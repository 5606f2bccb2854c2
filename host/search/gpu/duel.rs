//! Exact search by duels, arranged for warps: a sieve, a tournament of the remaining candidates,
//! and the verification of few winners.

use super::brute_force_filtered::Filtered;
use super::needle::{Duels, OnDevice, Symbols, tiles};
use super::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Request, Writes, no_kernel};
use super::size::Size;
use super::text::DeviceText;
use super::witness::MAX_SYMBOLS;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use crate::text::period;
use carrywave_kernels::search::exact::breaks::{self, BLOCK_TILES, BreakBits, FirstBreaks, LaterBreaks};
use carrywave_kernels::search::exact::duel::{Duel, DuelDispatch, GRAMS, KEEP, VERIFY, WINDOW};
use carrywave_kernels::search::exact::needle::Needle;
use carrywave_kernels::search::exact::periodic::{self, Periodic};
use carrywave_kernels::search::exact::sieve::{GRAM, LANE_SYMBOLS, Sieve, TILE};
use carrywave_kernels::search::exact::winners::{
    ChainWinners, LinkWinners, MergeWinners, PARTS, RemainingWinners, THREADS, TellWinners, VerifyWinners, WINDOWS,
};
use simt_std::global::Global;
use simt_std::{Kernel, WARP};

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "duel",
    "duels by witnesses leave few candidates, in tournaments within a warp; counts and hits",
    "this project, after Vishkin 1985, JáJá 1992",
    "memory-bound, in any text",
)
.limited(Limits { symbols: Some(MAX_SYMBOLS as u64), errors: Some(0), ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::CountsAndHits,
        tuning: &[],
        check: |request, _| pattern(request).map(drop),
        cost: |Size { m, k, has_periods, .. }| (k == 0 && has_periods && m >= MIN_SYMBOLS).then_some(COST),
        prepare: |text, request| prepare(text, &pattern(request)?),
    }
}

/// Returns the pattern, or an error if it has no periods.
fn pattern(request: &Request<'_>) -> Result<Symbols> {
    let pattern = Symbols::of_request(&ABOUT, request)?;
    match pattern.as_string() {
        Some(_) => Ok(pattern),
        None => Err(ABOUT.unsupported(
            "supports patterns whose classes are equal or disjoint, but two classes of this pattern overlap".into(),
        )),
    }
}

/// The shortest pattern that `auto` chooses this algorithm for, in symbols; and the cost in
/// microseconds.
const MIN_SYMBOLS: usize = 33;
const COST: u32 = 69;

/// Least length of a pattern for duels, in symbols. A shorter one is verified at every match of its
/// window.
const DUELS: usize = 9;

/// A pattern with at most `FEW_PERIODS` periods and at most `COPIED` symbols is verified as a
/// whole, so that the breaks of the text's period need not be computed.
const FEW_PERIODS: usize = 6;
const COPIED: usize = 8192;

/// The winners of tiles are kept if the reach has at least this many tiles; for less, the
/// additional kernels do not pay.
const KEPT_TILES: u64 = 2;

/// Number of resident blocks per multiprocessor of the kernels that search for grams, and for
/// windows.
const RESIDENT: [u32; 2] = [5, 2];

fn prepare<D: Device>(text: &DeviceText<D>, pattern: &Symbols) -> Result<Prepared<D>> {
    let symbols = pattern.as_string().unwrap_or_default();
    if symbols.len() < DUELS {
        return Ok(Prepared::alone(Filtered::new(text, pattern)?));
    }
    let period = period(symbols);
    let reach = period.min(symbols.len().div_ceil(2)) as u64;
    let few = symbols.len() <= FEW_PERIODS * period && reach >= u64::from(GRAM);
    if reach < KEPT_TILES * TILE && 2 * period <= symbols.len() && !(few && symbols.len() <= COPIED) {
        // Symbols that are compared in different bits cannot be compared with one another.
        return Ok(match pattern.all_care() {
            Some(significant_bits) => Prepared::alone(Repeating::new(text, pattern, significant_bits, period)?),
            None => Prepared::alone(Filtered::new(text, pattern)?),
        });
    }
    let grams = pattern.grams();
    let kind = if grams.is_some() { GRAMS } else { WINDOW };
    let copied = if reach < KEPT_TILES * TILE { pattern.len() } else { 0 };
    let duels = Duels { witnesses: true, copied };
    let needle = OnDevice::new(text, pattern, grams.unwrap_or_else(|| pattern.window()), duels)?;
    if reach < KEPT_TILES * TILE {
        let levels = levels(reach);
        return Ok(Prepared::alone(Tournament { needle, kind, levels }));
    }
    Ok(Prepared::alone(Long::new(text, needle, kind, (period as u32, reach))?))
}

/// Returns the number of levels of a warp's tournament: 2^levels lanes have no more symbols than
/// the reach.
fn levels(reach: u64) -> u32 {
    (reach / u64::from(LANE_SYMBOLS)).checked_ilog2().unwrap_or(0).min(WARP.ilog2())
}

/// The arguments that both launches of the duel kernel share.
struct Round<'l, D: Device> {
    needle: Needle,
    sieve: Sieve,
    kind: u32,
    then: u32,
    levels: u32,
    winners: Option<&'l D::Buffer<u32>>,
    launch: &'l Launch<'l, D>,
}

impl<D: Device> Round<'_, D> {
    fn run(self) -> Result<()> {
        let values = (self.kind, self.then);
        self.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))?
    }

    /// Returns the tiles that may contain the sieve's target: a block may start up to 15 symbols
    /// after the first gram.
    fn tiles(&self) -> std::ops::Range<u64> {
        tiles(&self.needle, &self.sieve, if self.kind == GRAMS { GRAM - 1 } else { 0 })
    }
}

impl<D: Device> DuelDispatch for Round<'_, D> {
    type Output = Result<()>;

    fn with<const SIEVE: u32, const THEN: u32>(self) -> Result<()>
    where
        Duel<SIEVE, THEN>: Kernel,
    {
        let device = &*self.launch.text.device;
        let tiles = self.tiles();
        let warps = Duel::<SIEVE, THEN>::BLOCK_THREADS / WARP;
        let blocks = super::row::blocks(device, tiles.end - tiles.start, warps, RESIDENT[SIEVE as usize]);
        let kernel = Duel::<SIEVE, THEN> {
            needle: self.needle,
            sieve: self.sieve,
            first_tile: tiles.start,
            end_tile: tiles.end,
            levels: self.levels,
            blocks,
            winners: self.winners.map_or(simt_std::global::Global::at(0), |winners| device.handle(winners)),
            output: self.launch.output,
        };
        // SAFETY: as for `Launcher::launch`; the text and the pattern are rounded up to words of 16
        // symbols, there is a witness for each shift less than the reach, and the array of winners,
        // if they are kept, has an entry for each tile.
        Ok(unsafe { device.launch(&self.launch.text.stream, blocks, kernel) }?)
    }
}

/// A pattern that is not periodic and whose reach is within few tiles: each warp verifies its
/// winners.
struct Tournament<D: Device> {
    needle: OnDevice<D>,
    kind: u32,
    levels: u32,
}

impl<D: Device> Launcher<D> for Tournament<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let Some((needle, sieve)) = self.needle.needle(launch) else { return Ok(()) };
        let (kind, levels) = (self.kind, self.levels);
        Round { needle, sieve, kind, then: VERIFY, levels, winners: None, launch }.run()
    }
}

/// A pattern whose period is at most half its length, and within few tiles.
struct Repeating<D: Device> {
    needle: OnDevice<D>,
    period: u32,
    /// The bits of a symbol that are compared, repeated in four bytes.
    significant_bits: u32,
    /// One bit per symbol.
    bits: D::Buffer<u64>,
    /// Entries for each tile, and for each block of tiles.
    next: D::Buffer<u32>,
    of_blocks: D::Buffer<u32>,
    later: D::Buffer<u32>,
}

impl<D: Device> Repeating<D> {
    fn new(text: &DeviceText<D>, pattern: &Symbols, significant_bits: u8, period: usize) -> Result<Self> {
        let tiles = (text.room / TILE + 2) as usize;
        let blocks = tiles.div_ceil(BLOCK_TILES as usize);
        let array = |len: usize, name: &str| text.device.alloc(len, name);
        Ok(Self {
            needle: OnDevice::new(text, pattern, pattern.window_at(0), Duels { witnesses: true, copied: period })?,
            period: period as u32,
            significant_bits: u32::from_le_bytes([significant_bits; 4]),
            bits: text.device.alloc(tiles * WARP as usize, "breaks")?,
            next: array(tiles, "next breaks")?,
            of_blocks: array(blocks, "first breaks of blocks")?,
            later: array(blocks, "later breaks")?,
        })
    }
}

impl<D: Device> Launcher<D> for Repeating<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let Some((needle, sieve)) = self.needle.needle(launch) else { return Ok(()) };
        let (device, stream, period) = (&*launch.text.device, &launch.text.stream, self.period);
        let tiles = tiles(&needle, &sieve, 0);
        let bits = device.handle(&self.bits);
        // Up to the text's end, plus one tile.
        let (first_tile, end_tile) = (tiles.start, needle.n.div_ceil(TILE) + 1);
        let coarse = u32::from(needle.m - period >= MIN_COARSE);
        let blocks = super::row::blocks(device, end_tile - first_tile, breaks::THREADS / WARP, BREAK_BLOCKS);
        let bits_by_16 = bits.cast();
        let kernel = BreakBits {
            needle,
            period,
            significant_bits: self.significant_bits,
            coarse,
            first_tile,
            end_tile,
            blocks,
            bits: bits_by_16,
        };
        // SAFETY: as for `Launcher::launch`, here and below; there are bits for the text's tiles
        // and one more.
        unsafe { device.launch(stream, blocks, kernel) }?;
        let count = (end_tile - 1 - first_tile) as u32;
        let (next, later) = (device.handle(&self.next), device.handle(&self.later));
        if u64::from(needle.m - period) >= TILE {
            let of_blocks = device.handle(&self.of_blocks);
            let blocks = count.div_ceil(BLOCK_TILES);
            let kernel = FirstBreaks { bits, first_tile: tiles.start, count, next, of_blocks };
            // SAFETY: one entry for each tile, and for each block of tiles.
            unsafe { device.launch(stream, blocks, kernel) }?;
            // SAFETY: as above.
            unsafe { device.launch(stream, 1, LaterBreaks { of_blocks, count: blocks, later }) }?;
        }
        let blocks = super::row::blocks(device, tiles.end - tiles.start, periodic::WARPS, PERIODIC_BLOCKS);
        let kernel = Periodic {
            needle,
            sieve,
            first_tile: tiles.start,
            end_tile: tiles.end,
            bits,
            next,
            later,
            levels: levels(period.into()),
            blocks,
            output: launch.output,
        };
        // SAFETY: the text and the pattern are rounded up to words of 16 symbols, and there is a
        // witness for each shift less than the period.
        Ok(unsafe { device.launch(stream, blocks, kernel) }?)
    }
}

/// If m - p is at least this, parts of 16 symbols between parts with breaks are marked as breaks
/// everywhere.
const MIN_COARSE: u32 = 32;

/// Numbers of resident blocks of [`BreakBits`] and of [`Periodic`] per multiprocessor.
const BREAK_BLOCKS: u32 = 4;
const PERIODIC_BLOCKS: u32 = 3;

/// A pattern whose reach is many tiles.
struct Long<D: Device> {
    needle: OnDevice<D>,
    kind: u32,
    period: u32,
    /// Binary logarithm of the number of tiles of a window.
    log2_tiles: u32,
    /// Two alternating arrays of winners, the first with an entry for each tile; `left` holds the
    /// remaining winners.
    winners: [D::Buffer<u32>; 2],
    left: D::Buffer<u32>,
    /// Two alternating arrays each of links and of first differences.
    next: [D::Buffer<u32>; 2],
    differences: [D::Buffer<u32>; 2],
}

impl<D: Device> Long<D> {
    fn new(text: &DeviceText<D>, needle: OnDevice<D>, kind: u32, (period, reach): (u32, u64)) -> Result<Self> {
        let log2_tiles = (reach / TILE).ilog2();
        let count = (text.room / TILE + 2) as usize;
        let windows = (count >> log2_tiles) + 1;
        let array = |len: usize, name: &str| text.device.alloc(len, name);
        Ok(Self {
            needle,
            kind,
            period,
            log2_tiles,
            winners: [array(count, "winners of tiles")?, array(count, "winners of windows")?],
            left: array(windows, "winners that are left")?,
            next: [array(windows, "links")?, array(windows, "links of links")?],
            differences: [array(windows, "first differences")?, array(windows, "first differences")?],
        })
    }
}

impl<D: Device> Long<D> {
    /// Follows the links of `count` windows, 1, 2, 4, … periods at a time, until they cover all of
    /// a pattern of m symbols. Returns the index of the array of first differences that holds the
    /// result.
    ///
    /// # Safety
    /// As for [`Launcher::launch`]; the links and first differences are written, one entry for each
    /// window.
    unsafe fn chain(&self, launch: &Launch<'_, D>, m: u32, left: Global<u32>, count: u32) -> Result<usize> {
        let (device, stream) = (&*launch.text.device, &launch.text.stream);
        let handle = |buffer| device.handle(buffer);
        let mut now = 0;
        let mut reached = u64::from(self.period);
        while reached < u64::from(m) {
            let kernel = ChainWinners {
                left,
                next: handle(&self.next[now]),
                differences: handle(&self.differences[now]),
                count,
                next_to: handle(&self.next[1 - now]),
                differences_to: handle(&self.differences[1 - now]),
            };
            // SAFETY: as the caller promises.
            unsafe { device.launch(stream, count.div_ceil(THREADS), kernel) }?;
            (now, reached) = (1 - now, 2 * reached);
        }
        Ok(now)
    }
}

impl<D: Device> Launcher<D> for Long<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let Some((needle, sieve)) = self.needle.needle(launch) else { return Ok(()) };
        let (device, stream) = (&*launch.text.device, &launch.text.stream);
        let handle = |buffer| device.handle(buffer);
        let round = Round {
            needle,
            sieve,
            kind: self.kind,
            then: KEEP,
            levels: WARP.ilog2(),
            winners: Some(&self.winners[0]),
            launch,
        };
        let tiles = round.tiles();
        round.run()?;
        let mut count = (tiles.end - tiles.start) as u32;
        let (mut levels_left, mut at) = (self.log2_tiles, 0);
        while levels_left > 0 {
            let levels = levels_left.min(WARP.ilog2());
            let kernel = MergeWinners {
                needle,
                from: handle(&self.winners[at]),
                count,
                levels,
                to: handle(&self.winners[1 - at]),
            };
            // SAFETY: as for `Launcher::launch`, here and below; both arrays have an entry for each
            // tile.
            unsafe { device.launch(stream, count.div_ceil(THREADS), kernel) }?;
            (count, at, levels_left) = (count.div_ceil(1 << levels), 1 - at, levels_left - levels);
        }
        let blocks = count.div_ceil(THREADS);
        let left = handle(&self.left);
        let kernel = RemainingWinners { needle, winners: handle(&self.winners[at]), count, left };
        // SAFETY: one entry for each window.
        unsafe { device.launch(stream, blocks, kernel) }?;
        let kernel = LinkWinners {
            left,
            count,
            period: self.period,
            offset: sieve.offset,
            first_tile: tiles.start,
            log2_tiles: self.log2_tiles,
            next: handle(&self.next[0]),
            differences: handle(&self.differences[0]),
        };
        // SAFETY: as above.
        unsafe { device.launch(stream, blocks, kernel) }?;
        let kernel = VerifyWinners {
            needle,
            left,
            next: handle(&self.next[0]),
            count,
            period: self.period,
            differences: handle(&self.differences[0]),
        };
        let grid = [needle.m.div_ceil(16 * PARTS), count.div_ceil(WINDOWS)];
        // SAFETY: as above.
        unsafe { device.launch(stream, grid, kernel) }?;
        // SAFETY: as above.
        let now = unsafe { self.chain(launch, needle.m, left, count) }?;
        let kernel = TellWinners {
            left,
            differences: handle(&self.differences[now]),
            count,
            m: needle.m,
            output: launch.output,
        };
        // SAFETY: as above.
        Ok(unsafe { device.launch(stream, blocks, kernel) }?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::End;
    use crate::search::ends::FindEnds;
    use crate::search::gpu::DeviceEnds;
    use crate::search::tuning::Tuning;
    use crate::text::{Pattern, Text};
    use simt_launch::Simt;
    use std::sync::Arc;

    /// Compares with memmem, which is advanced by one symbol at a time; also in chunks.
    fn check(text: &[u8], pattern: &[u8]) {
        let finder = memchr::memmem::Finder::new(pattern);
        let mut expected = Vec::new();
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest)) {
            expected.push(End { end: (from + at + pattern.len()) as u64, errors: 0 });
            from += at + 1;
        }
        for name in ["duel", "brute-force-filtered"] {
            let row = DeviceAlgorithm::<Simt>::ALL.iter().find(|row| row.about.name == name);
            for chunk in [None, Some(4096)] {
                let what = (vec![Pattern::literal(pattern)], 0);
                let devices = vec![Arc::new(Simt::default())];
                let mut engine = DeviceEnds::new(devices, what, (row, Tuning::default()), &|_| ()).unwrap();
                if let Some(chunk) = chunk {
                    engine = engine.with_chunk(chunk).unwrap();
                }
                let sizes = format!("{name}: m = {}, n = {}, chunk {chunk:?}", pattern.len(), text.len());
                let found = engine.all(&Text::from(text), 1).unwrap().concat();
                let wrong = found.iter().zip(&expected).find(|(found, expected)| found != expected);
                assert_eq!((found.len(), wrong), (expected.len(), None), "{sizes}");
                assert_eq!(engine.count(&Text::from(text)).unwrap(), expected.len() as u64, "{sizes}");
            }
        }
    }

    fn fibonacci(n: usize) -> Vec<u8> {
        let (mut a, mut b) = (b"b".to_vec(), b"a".to_vec());
        while b.len() < n {
            (a, b) = (b.clone(), [b, a].concat());
        }
        b.truncate(n);
        b
    }

    /// Repetitions of all kinds: periods shorter than a window, a lane or a tile, and of many
    /// tiles.
    #[test]
    fn patterns_that_repeat() {
        let mut random = fastrand::Rng::with_seed(6);
        for p in [1, 7, 9, 64, 700, 2100, 4200] {
            let u: Vec<u8> = (0..p).map(|_| b'a' + random.u8(..2)).collect();
            let whole = u.repeat(9000 / p + 3);
            let mut broken = whole[..9000].to_vec();
            for _ in 0..3 {
                let at = random.usize(..broken.len());
                broken[at] = b'x';
            }
            // Neighbouring runs with the same period.
            let shifted = [&whole[..4000], &whole[1..3000], &whole[p / 2..5000]].concat();
            for text in [&broken, &shifted] {
                for m in [9.max(2 * p), 3 * p - p / 3, 2 * p + 2047, 2 * p + 3000] {
                    let from = random.usize(..p);
                    if from + m <= text.len() {
                        check(text, &whole[from..from + m]);
                    }
                }
            }
        }
    }

    #[test]
    fn patterns_of_any_length_in_texts_that_repeat() {
        let mut random = fastrand::Rng::with_seed(5);
        let n = 12_000;
        let dna: Vec<u8> = (0..n).map(|_| b"ACGT"[random.usize(..4)]).collect();
        let words = [b"aab".repeat(10), vec![b'c']].concat().repeat(n / 31);
        let texts = [dna, vec![b'a'; 3000], b"ab".repeat(1500), fibonacci(n), words];
        for text in &texts {
            for m in [1, 8, 9, 31, 65, 129, 1000, 2500, 9000] {
                if m > text.len() {
                    continue;
                }
                let from = random.usize(..=text.len() - m);
                let mut pattern = text[from..from + m].to_vec();
                check(text, &pattern);
                let changed = [0, m / 2, m - 1][random.usize(..3)];
                pattern[changed] = b'x';
                check(text, &pattern);
            }
        }
    }
}
