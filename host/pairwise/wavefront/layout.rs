//! Memory that a batch of tables takes on a device, and the cuts of a table that is too large for
//! one device. This module only computes, for strings of up to 2^40 symbols and any memory size.
//!
//! ```text
//!            block 0    block 1   …
//!          +----------+----------+--  A band is a number of strips, a block a number of tiles.
//!   band 0 |    1     |    2     |    While a band is computed, the device holds its planes and V,
//!          +----------+----------+--  and for each block its columns and one row of carries per
//!   band 1 |    k     |   k + 1  |    strip. From band to band, a row of carries waits on the
//!          +----------+----------+--  host.
//! ```

use super::kernels::Kernels;
use super::plan::{ROWS, Size, WavefrontPlan};
use simt_std::WARP;
use std::ops::Range;

/// Bytes of a table's entries for the kernels that prepare and cut it, and of the padding of its
/// buffers.
pub const TABLE: u64 = 256;

/// Number of rows that a warp prepares.
const CHUNK: u64 = 1024;

/// Upper bound on the strips of a launch, and on its tiles: fields of 32 bits hold them, the tags,
/// and the groups of columns, four times as many, which some lanes take one by one.
const MAX_STRIPS: u64 = (1 << 29) - 1;

/// Returns the upper bound on the tiles of a launch: each has four groups of columns for each
/// digit.
fn most_tiles<K: Kernels>(plan: WavefrontPlan<K>) -> u64 {
    (MAX_STRIPS + 1) / u64::from(plan.digits.max(1)) - 1
}

/// Returns the words of 32 rows that a table of m rows has in a plane and in V: whole strips.
pub fn words<K: Kernels>(plan: WavefrontPlan<K>, m: u64) -> u64 {
    plan.strips(m) * plan.strip_words()
}

/// Sizes of the codes of symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeSizes {
    /// Number of bit planes of a row's code.
    pub planes: u32,
    /// Number of bytes of a code.
    pub code: u64,
    /// Upper bound on the digits of a code in the prepared columns, a byte each.
    pub digits: u64,
}

impl CodeSizes {
    /// Returns the sizes for an alphabet of σ symbols, in codes of `code` bytes.
    pub fn for_symbols<K: Kernels>(symbols: u32, code: u64) -> Self {
        let forms = [false, true].into_iter().flat_map(|is_alone| K::forms(is_alone, symbols));
        let digits = forms.filter(|&form| K::table_bytes(form, symbols).is_some()).map(|form| form.digits).max();
        Self { planes: K::planes(symbols), code, digits: digits.unwrap_or(1).into() }
    }
}

/// Returns the words for a word of rows: its planes, the column's vectors, and a second copy of
/// these if they are reordered.
fn words_of_rows<K: Kernels>(sizes: CodeSizes) -> u64 {
    u64::from(sizes.planes) + K::VECTORS as u64 * if K::REORDERS { 2 } else { 1 }
}

/// Returns the bytes of a strip: planes, V, the strip's entry.
fn strip_bytes<K: Kernels>(plan: WavefrontPlan<K>, sizes: CodeSizes) -> u64 {
    plan.strip_words() * 4 * words_of_rows::<K>(sizes) + 8 * K::FIELDS as u64
}

/// Returns the device of a strip, if several devices share all strips: bands of equal length, in
/// order.
pub fn device_of(strip: u64, strips: u64, devices: u64) -> usize {
    (0..devices).rfind(|d| strips * d / devices <= strip).unwrap_or(0) as usize
}

/// Returns the bytes of a table of m × n with all of its columns, for the plan that needs most:
/// lanes of one word have the most strips, and lanes of the most words the most padding.
pub fn most_bytes<K: Kernels>(sizes: CodeSizes, Size { m, n }: Size) -> u64 {
    let widest = K::all_forms().into_iter().map(|form| form.words).max().unwrap_or(0);
    let words = m.div_ceil(32) + u64::from(WARP * widest);
    let strips = m.div_ceil(ROWS);
    let carries = strips.saturating_mul(n.div_ceil(K::TILE.into()) + 1);
    (words * 4 * words_of_rows::<K>(sizes) + (1 + sizes.digits) * (n + u64::from(K::TILE)) + TABLE)
        .saturating_add(carries.saturating_mul(8))
        .saturating_add(strips * 8 * K::FIELDS as u64)
}

/// Memory of a batch of tables that share a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// Bytes that do not depend on the columns of a block.
    fixed: u64,
    /// Bytes for a tile of every table: its groups, and a word of carries a strip.
    tile: u64,
    /// Number of strips.
    strips: u64,
    /// Number of columns of the longest table.
    longest: u64,
    /// Upper bound on the tiles of a table.
    most_tiles: u64,
}

impl Demand {
    /// Returns the demand of tables of these sizes, with `symbols` bytes of symbols.
    pub fn for_tables<K: Kernels>(
        plan: WavefrontPlan<K>,
        sizes: CodeSizes,
        tables: impl Iterator<Item = Size>,
        symbols: u64,
    ) -> Self {
        let mut demand = Self { fixed: symbols, tile: 0, strips: 0, longest: 0, most_tiles: most_tiles(plan) };
        for Size { m, n } in tables {
            let strips = plan.strips(m);
            demand.fixed = demand.fixed.saturating_add(strips.saturating_mul(strip_bytes(plan, sizes)) + TABLE);
            demand.tile = demand.tile.saturating_add(8 * strips + u64::from(plan.digits) * plan.tile());
            demand.strips = demand.strips.saturating_add(strips);
            demand.longest = demand.longest.max(n);
        }
        demand
    }

    /// Returns the bytes for `tiles` tiles of every table at a time; one more tile is read ahead.
    fn bytes(&self, tiles: u64) -> u64 {
        self.fixed.saturating_add(self.tile.saturating_mul(tiles + 1))
    }

    /// Returns the fewest bytes that suffice.
    pub fn least(&self) -> u64 {
        self.bytes(1)
    }

    /// Returns the bytes for blocks of `columns` columns.
    pub fn block_bytes<K: Kernels>(&self, plan: WavefrontPlan<K>, columns: u64) -> u64 {
        self.bytes(columns.div_ceil(plan.tile()))
    }

    /// Returns the columns of a block, in whole tiles, or `None` if there is no room for any.
    pub fn block<K: Kernels>(&self, plan: WavefrontPlan<K>, budget: u64) -> Option<u64> {
        let tiles = budget.saturating_sub(self.fixed) / self.tile.max(1);
        let all = self.longest.div_ceil(plan.tile());
        (tiles >= 2 && self.strips < MAX_STRIPS).then(|| (tiles - 1).min(self.most_tiles).min(all) * plan.tile())
    }

    /// Returns the number of strip positions that are idle while strips start one after the other,
    /// in blocks of `columns` columns.
    pub fn idle(&self, columns: u64, workers: u64) -> u64 {
        self.longest.div_ceil(columns.max(1)).saturating_mul(self.strips.min(workers))
    }
}

/// A table in bands of rows and blocks of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    m: u64,
    n: u64,
    /// Number of rows of a strip.
    height: u64,
    /// Number of columns of a tile.
    tile: u64,
    /// Number of strips of a band.
    strips: u64,
    /// Number of tiles of a block.
    tiles: u64,
}

/// Bytes of a grid's device memory, by their growth.
struct Shares {
    fixed: u64,
    /// Bytes of a strip, independent of the tiles.
    strip: u64,
    /// Bytes of a tile: symbols, groups, and a word of the row of carries in. The rows of carries
    /// out belong to the strips.
    tile: u64,
}

impl Shares {
    fn new<K: Kernels>(plan: WavefrontPlan<K>, sizes: CodeSizes) -> Self {
        let tile = plan.tile();
        let digits = u64::from(plan.digits);
        // The groups have one tile more than the block.
        let fixed = TABLE + sizes.code * CHUNK + digits * tile;
        Self { fixed, strip: strip_bytes(plan, sizes), tile: (sizes.code + digits) * tile + 8 }
    }

    fn bytes(&self, strips: u64, tiles: u64) -> u64 {
        let carries = tiles.saturating_mul(8).saturating_mul(strips);
        let sum = self.fixed.saturating_add(strips.saturating_mul(self.strip));
        sum.saturating_add(tiles.saturating_mul(self.tile)).saturating_add(carries)
    }

    /// Returns the number of strips that fit beside `tiles` tiles.
    fn strips(&self, budget: u64, tiles: u64) -> u64 {
        let taken = self.fixed.saturating_add(tiles.saturating_mul(self.tile));
        budget.saturating_sub(taken) / (self.strip + 8 * tiles)
    }

    /// Returns the number of tiles that fit beside `strips` strips.
    fn tiles(&self, budget: u64, strips: u64) -> u64 {
        let taken = self.fixed.saturating_add(strips.saturating_mul(self.strip));
        budget.saturating_sub(taken) / (self.tile + 8 * strips)
    }
}

impl Grid {
    /// Chooses, for a table of m × n, the bands and blocks of the greatest area that fits; the
    /// error is the least number of bytes.
    pub fn fit<K: Kernels>(plan: WavefrontPlan<K>, sizes: CodeSizes, size: Size, budget: u64) -> Result<Self, u64> {
        let Size { m, n } = size;
        let all_strips = plan.strips(m).min(MAX_STRIPS);
        let all_tiles = n.div_ceil(plan.tile()).min(most_tiles(plan));
        let shares = Shares::new(plan, sizes);
        let least = shares.bytes(1, all_tiles.min(2));
        if budget < least {
            return Err(least);
        }
        // With s strips and t tiles, the memory is α s + β t + 8 s t bytes. s t is greatest if α s
        // = β t = x, and then the budget is 2 x + 8 x² / (α β).
        let alpha = shares.strip as f64;
        let beta = shares.tile as f64;
        let x = alpha * beta / 8.0 * ((1.0 + 8.0 * (budget as f64) / (alpha * beta)).sqrt() - 1.0);
        let strips = ((x / alpha) as u64).clamp(1, all_strips);
        let mut tiles = shares.tiles(budget, strips).min(all_tiles);
        if tiles < all_tiles.min(2) {
            tiles = all_tiles.min(2);
        }
        // The longer side gets the memory that a short side leaves.
        let strips = shares.strips(budget, tiles).clamp(1, all_strips);
        tiles = shares.tiles(budget, strips).min(all_tiles);
        // Equal sizes, for the same numbers of bands and blocks.
        let even = |all: u64, each: u64| all.div_ceil(all.div_ceil(each));
        let height = ROWS * u64::from(plan.words);
        let tile = plan.tile();
        let strips = even(m.div_ceil(height), strips);
        let tiles = even(n.div_ceil(tile), tiles);
        Ok(Self { m, n, height, tile, strips, tiles })
    }

    /// Returns the bytes of device memory that it takes.
    pub fn bytes<K: Kernels>(&self, plan: WavefrontPlan<K>, sizes: CodeSizes) -> u64 {
        Shares::new(plan, sizes).bytes(self.strips, self.tiles)
    }

    /// Returns the symbols on the device at a time: the columns of a block, or the same number of
    /// rows of a band, in whole chunks of a warp.
    pub fn symbols(&self) -> u64 {
        (self.tiles * self.tile).next_multiple_of(CHUNK)
    }

    /// Returns the words of carries: a row for each strip of a band, and the row below the lowest
    /// strip.
    pub fn carries(&self) -> u64 {
        (self.strips + 1) * self.tiles
    }

    /// Returns the rows of each band: whole strips, except for the last.
    pub fn bands(&self) -> impl DoubleEndedIterator<Item = Range<u64>> + ExactSizeIterator + Clone + use<> {
        pieces(self.m, self.strips * self.height)
    }

    /// Returns the columns of each block: whole tiles, except for the last.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Range<u64>> + ExactSizeIterator + Clone + use<> {
        pieces(self.n, self.tiles * self.tile)
    }

    /// Like [`Demand::idle`].
    pub fn idle(&self, workers: u64) -> u64 {
        let launches = (self.bands().len() as u64).saturating_mul(self.blocks().len() as u64);
        launches.saturating_mul(self.strips.min(workers))
    }
}

/// Splits `0..all` into pieces of `each`, the last one shorter.
pub fn pieces(all: u64, each: u64) -> impl DoubleEndedIterator<Item = Range<u64>> + ExactSizeIterator + Clone + use<> {
    (0..all.div_ceil(each) as usize).map(move |i| {
        let start = i as u64 * each;
        start..(start + each).min(all)
    })
}

/// Returns true if fewer than `more` tags are left.
pub fn tags_end(used: u32, more: u64) -> bool {
    u64::from(used) + more >= u64::from(u32::MAX)
}

/// Returns the tiles done between two reads of a device's counter, which wraps. If the counter went
/// back, the launch had not zeroed it yet.
pub fn tiles_since(before: u32, now: u32) -> u64 {
    let more = now.wrapping_sub(before);
    if more < 1 << 31 { more.into() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::strip::{Strip, tags};
    use super::super::{Distances, Lengths};
    use super::*;

    /// Sizes for bytes, with the maximum number of digits.
    fn sizes(planes: u32) -> CodeSizes {
        CodeSizes { planes, code: 1, digits: 6 }
    }

    /// Lengths around 2^31, 2^32 and the maximum.
    const LENGTHS: [u64; 15] = [
        1,
        31,
        20_480,
        20_481,
        1_000_000,
        (1 << 31) - 1,
        1 << 31,
        (1 << 31) + 1,
        (1 << 32) - 1,
        1 << 32,
        (1 << 32) + 1,
        (1 << 36) + 17,
        (1 << 40) - 20_481,
        (1 << 40) - 2,
        (1 << 40) - 1,
    ];

    const BUDGETS: [u64; 9] = [0, 5_000, 30_000, 1 << 20, 1 << 30, 80 << 30, 141 << 30, 1 << 40, u64::MAX];

    fn plans<K: Kernels>() -> impl Iterator<Item = WavefrontPlan<K>> {
        K::all_forms().into_iter().map(|form| WavefrontPlan::for_form(form, 8))
    }

    /// The pieces cover 0 to `all` once each, in order: checks some at both ends, because there may
    /// be billions.
    fn check_pieces(
        pieces: impl DoubleEndedIterator<Item = Range<u64>> + ExactSizeIterator + Clone,
        all: u64,
        unit: u64,
    ) {
        let first: Vec<_> = pieces.clone().take(20).collect();
        let mut last: Vec<_> = pieces.rev().take(20).collect();
        last.reverse();
        assert_eq!((first[0].start, last[last.len() - 1].end), (0, all));
        for some in [first, last] {
            assert!(some.windows(2).all(|two| two[0].end == two[1].start), "{some:?}");
            for piece in &some {
                assert!(piece.start < piece.end, "{piece:?}");
                assert_eq!(piece.start % unit, 0, "whole strips and tiles");
            }
        }
    }

    /// Returns the bytes of prepared columns.
    fn elements<K: Kernels>(plan: WavefrontPlan<K>, n: u64, planes: u32) -> u64 {
        K::elements(n, plan.form(), 1 << planes) * K::element(plan.form())
    }

    /// Returns the greatest index that the kernel computes in 32 bits: the last group of columns,
    /// in the tile that is read ahead.
    fn last_index<K: Kernels>(plan: WavefrontPlan<K>, tiles: u64) -> u64 {
        // At least eight columns to an element.
        let stride = tiles + 1;
        let groups = u64::from(plan.digits) * plan.tile() / 8;
        (groups - 1) * stride + stride - 1
    }

    #[test]
    fn grids_cover_every_cell_once_within_the_budget() {
        check_grids_cover::<Lengths>();
        check_grids_cover::<Distances>();
    }

    fn check_grids_cover<K: Kernels>() {
        let mut fitted = 0;
        for plan in plans::<K>() {
            for planes in [1, 2, 8] {
                for &m in &LENGTHS {
                    for &n in &LENGTHS {
                        for budget in BUDGETS {
                            let grid = match Grid::fit(plan, sizes(planes), Size { m, n }, budget) {
                                Ok(grid) => grid,
                                Err(least) => {
                                    assert!(budget < least && least < 100_000, "{least} bytes are asked for");
                                    assert!(Grid::fit(plan, sizes(planes), Size { m, n }, least).is_ok());
                                    continue;
                                }
                            };
                            fitted += 1;
                            let strip = 1024 * u64::from(plan.words);
                            let tile = plan.tile();
                            check_pieces(grid.bands(), m, strip);
                            check_pieces(grid.blocks(), n, tile);
                            check_grid(grid, plan, planes, budget);
                        }
                    }
                }
            }
        }
        assert!(fitted > 30_000);
    }

    /// Checks the buffers of a band and a block, each with the size that the launch gives it.
    fn check_grid<K: Kernels>(grid: Grid, plan: WavefrontPlan<K>, planes: u32, budget: u64) {
        let band = grid.bands().next().unwrap();
        let block = grid.blocks().next().unwrap();
        let rows = band.end;
        let columns = block.end;
        let strips = plan.strips(rows);
        let tiles = columns.div_ceil(plan.tile());
        assert!(strips < 1 << 31, "fields of 32 bits hold them");
        assert!(last_index(plan, tiles) <= u32::MAX.into(), "{tiles} tiles: a lane's index would wrap");
        assert!(!tags_end(0, strips + 1), "a launch has tags enough");
        let words = words(plan, rows);
        assert!(words * 32 >= rows && words * 32 - rows < 1024 * u64::from(plan.words), "whole strips");
        let symbols = grid.symbols();
        assert!(symbols >= columns && symbols.is_multiple_of(1024));
        let entries = 8 * (strips * K::FIELDS as u64 + 4);
        let carries = 8 * (strips + 1) * tiles;
        let taken =
            symbols + 4 * words * words_of_rows::<K>(sizes(planes)) + elements::<K>(plan, columns, planes) + carries;
        assert!(
            taken + entries <= grid.bytes(plan, sizes(planes)) && grid.bytes(plan, sizes(planes)) <= budget,
            "{grid:?}"
        );
        // The last strip ends at the end of the band, and each row's words end at the start of the
        // next row's.
        let Strip { words: start, rows: height, .. } = plan.strip(strips - 1, 0, Size { m: rows, n: columns });
        assert_eq!(
            (start + u64::from(plan.words * 32), (strips - 1) * 1024 * u64::from(plan.words) + height),
            (words, rows)
        );
        assert!(grid.idle(1056) > 0);
    }

    #[test]
    fn no_plan_takes_more_than_the_most() {
        check_most::<Lengths>();
        check_most::<Distances>();
    }

    fn check_most<K: Kernels>() {
        for plan in plans::<K>() {
            for planes in [1, 8] {
                for &m in &LENGTHS {
                    for &n in &LENGTHS {
                        let taken = Demand::for_tables(plan, sizes(planes), std::iter::once(Size { m, n }), 0)
                            .block_bytes(plan, n);
                        assert!(taken <= most_bytes::<K>(sizes(planes), Size { m, n }), "{m} × {n}, {plan:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn grids_are_as_large_as_the_memory() {
        check_grids_fill::<Lengths>();
        check_grids_fill::<Distances>();
    }

    fn check_grids_fill<K: Kernels>() {
        // Both sides are too long: nearly all of the memory is in use, and neither side is starved.
        for plan in plans::<K>() {
            let long = (1 << 40) - 1;
            let size = Size { m: long, n: long };
            let grid = Grid::fit(plan, sizes(2), size, 80 << 30).unwrap();
            assert!(grid.bytes(plan, sizes(2)) > 79 << 30, "{grid:?}");
            let rows = grid.bands().next().unwrap().end;
            let columns = grid.blocks().next().unwrap().end;
            assert!(rows > 1 << 21 && columns > 1 << 21, "{rows} × {columns}");
            // A short side leaves the memory to the other.
            let flat = Grid::fit(plan, sizes(2), Size { m: 5000, n: long }, 8 << 30).unwrap();
            assert!(flat.bands().len() == 1 && flat.bytes(plan, sizes(2)) > 7 << 30, "{flat:?}");
            let tall = Grid::fit(plan, sizes(2), Size { m: long, n: 5000 }, 8 << 30).unwrap();
            assert!(tall.blocks().len() == 1 && tall.bytes(plan, sizes(2)) > 7 << 30, "{tall:?}");
        }
        // A table that fits as a whole is not cut.
        let whole =
            Grid::fit(WavefrontPlan::<Lengths>::new(20, 8), sizes(2), Size { m: 1_000_000, n: 1_000_000 }, 80 << 30)
                .unwrap();
        assert_eq!((whole.bands().len(), whole.blocks().len()), (1, 1));
    }

    #[test]
    fn blocks_of_a_batch_are_within_the_budget() {
        check_blocks::<Lengths>();
        check_blocks::<Distances>();
    }

    fn check_blocks<K: Kernels>() {
        for plan in plans::<K>() {
            for &m in &LENGTHS {
                for &n in &LENGTHS {
                    let tables = [Size { m, n: n / 2 + 1 }, Size { m, n: n.div_ceil(2) }, Size { m: 7, n: 3 }];
                    let demand = Demand::for_tables(plan, sizes(2), tables.into_iter(), m + n);
                    for budget in BUDGETS {
                        let Some(block) = demand.block(plan, budget) else {
                            assert!(
                                budget < demand.least() || demand.strips >= MAX_STRIPS,
                                "{tables:?}, {budget} bytes"
                            );
                            continue;
                        };
                        let tiles = block / plan.tile();
                        assert!(block > 0 && block % plan.tile() == 0, "{block} columns");
                        assert!(last_index(plan, tiles) <= u32::MAX.into(), "{tiles} tiles: a lane's index would wrap");
                        assert!((tiles - 1) * plan.tile() < demand.longest, "no more than there are");
                        let bytes = |&Size { m, n }: &Size| {
                            let elements = elements::<K>(plan, n.min(block), 2);
                            let carries = plan.strips(m) * n.min(block).div_ceil(plan.tile());
                            4 * words_of_rows::<K>(sizes(2)) * words(plan, m)
                                + elements
                                + 8 * (carries + plan.strips(m) * K::FIELDS as u64 + 9)
                        };
                        let taken = tables.iter().map(bytes).sum::<u64>() + m + n;
                        assert!(taken <= demand.block_bytes(plan, block) && demand.block_bytes(plan, block) <= budget);
                    }
                }
            }
        }
    }

    #[test]
    fn strips_are_dealt_out_in_bands() {
        for strips in [1, 2, 3, 5, 63, 64, 65, 1000] {
            for devices in 1..=8 {
                let dealt: Vec<usize> = (0..strips).map(|strip| device_of(strip, strips, devices)).collect();
                assert!(dealt.is_sorted() && *dealt.last().unwrap() < devices as usize, "{dealt:?}");
                let counts: Vec<usize> =
                    (0..devices as usize).map(|d| dealt.iter().filter(|&&x| x == d).count()).collect();
                assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
            }
        }
        assert_eq!(
            (
                device_of(MAX_STRIPS, MAX_STRIPS, 8),
                device_of(MAX_STRIPS - 1, MAX_STRIPS, 8),
                device_of(0, MAX_STRIPS, 8)
            ),
            (7, 7, 0)
        );
    }

    #[test]
    fn the_counter_of_tiles_may_wrap() {
        let looks = [0, 1024, 1 << 31, u32::MAX - 1023, 2048, 2048, 1 << 20];
        let done: u64 = looks.windows(2).map(|pair| tiles_since(pair[0], pair[1])).sum();
        assert_eq!(done, (1 << 32) + (1 << 20));
        assert_eq!((tiles_since(5000, 0), tiles_since(0, 4096)), (0, 4096));
    }

    #[test]
    fn tags_are_never_0_and_never_pass_32_bits() {
        for used in [0, 1, 1 << 31, u32::MAX - 3, u32::MAX - 2, u32::MAX - 1, u32::MAX] {
            for strips in [1, 2, 3, 1 << 20, (1 << 31) - 1] {
                let used = if tags_end(used, strips + 1) { 0 } else { used };
                let low = tags(used + 1, 0);
                let high = tags(used + 1, strips - 1);
                assert!(low as u32 > used, "never 0, and none that has been used");
                assert_eq!((low >> 32, high & 0xffff_ffff), (u64::from(used) + 2, u64::from(used) + strips));
                assert_eq!(high >> 32, u64::from(used) + strips + 1);
                assert!(used as u64 + strips + 1 < u64::from(u32::MAX), "all of them are counted as used");
            }
        }
    }
}
