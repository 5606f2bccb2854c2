//! The last column by strips of SIMD lanes (see `lanes`): their size, their place, their order.
//!
//! A strip of 64 L lanes gives the carries of a pair of columns 64 L steps after it took them in. They are written where
//! the ones that come in at that step were read, so the carries move right by L words a strip; no strip waits for its
//! last lanes before the next block of columns:
//!
//! ```text
//!             words of carries, cut into blocks
//!             |       |       |       |       |       |
//!   strip 0   |=======|=======|===    |       |       |       n / 128 + L words each, L words later a strip
//!   strip 1   |  =====|=======|=====  |       |       |
//!   strip 2   |    ===|=======|=======|       |       |       a tile is what lies in a block and a band of strips
//!             |       |       |       |       |       |
//! ```

use std::ops::Range;

use super::alphabet::Codes;
use super::lanes::{Carries, Lanes, MAX_HEIGHT, Strip, Text, WORD_COLUMNS};
use super::planes::planes;
use super::wave;

/// Rows of a lane below which the work per step shows; lanes get fewer only if there are no more.
const MIN_HEIGHT: usize = 16;
/// Strips per thread, if they are high enough.
const STRIPS_PER_THREAD: usize = 2;
/// Bands and blocks per thread at most.
const TILES_PER_THREAD: usize = 8;
/// Words of a block at least (1024 columns): about 30 µs of work for a low strip.
const MIN_BLOCK: usize = 8;
/// Words of a block at most: its carries and its part of the text stay in the second-level cache.
const MAX_BLOCK: usize = 256;

/// How a table is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plan {
    /// Rows of a lane.
    height: usize,
    /// Strips of a band.
    band: usize,
    /// Words of a block.
    block: usize,
}

impl Plan {
    fn new(rows: usize, cols: usize, threads: usize, lanes: Lanes) -> Self {
        let total = rows.div_ceil(64 * lanes.words()).max(1);
        let shared = if threads == 1 { 1 } else { threads.saturating_mul(STRIPS_PER_THREAD).min(total / MIN_HEIGHT) };
        let strips = total.div_ceil(MAX_HEIGHT).max(shared);
        let height = total.div_ceil(strips);
        let strips = total.div_ceil(height);
        let parts = threads.saturating_mul(TILES_PER_THREAD);
        let words = cols.div_ceil(WORD_COLUMNS) + lanes.words() * strips;
        let block = if threads == 1 { MAX_BLOCK } else { words.div_ceil(parts).clamp(MIN_BLOCK, MAX_BLOCK) };
        Self { height, band: strips.div_ceil(parts), block }
    }
}

/// A strip and its place.
struct Placed<'a> {
    strip: Box<dyn Strip>,
    rows: usize,
    column: &'a mut [u64],
    /// The first of its words of carries.
    first: usize,
}

/// The column's words for these codes, by `lanes` on so many threads.
pub(super) fn last_column(codes: &Codes, lanes: Lanes, threads: usize, progress: &(dyn Fn(u64) + Sync)) -> Vec<u64> {
    run(codes, lanes, threads, Plan::new(codes.rows.len(), codes.cols.len(), threads, lanes), progress)
}

fn run(codes: &Codes, lanes: Lanes, threads: usize, plan: Plan, progress: &(dyn Fn(u64) + Sync)) -> Vec<u64> {
    let planes = planes(codes.symbols - 1);
    let text = Text::new(&codes.cols, codes.symbols, planes, lanes);
    let mut column = vec![0; codes.rows.len().div_ceil(64)];
    let strip_words = lanes.words() * plan.height;
    let mut strips: Vec<_> = (codes.rows.chunks(64 * strip_words).zip(column.chunks_mut(strip_words)).enumerate())
        .map(|(s, (rows, column))| {
            let strip = lanes.strip(planes, rows, plan.height);
            Placed { strip, rows: rows.len(), column, first: s * lanes.words() }
        })
        .collect();
    let steps = text.steps(lanes);
    let mut carries = vec![Carries::default(); steps + (strips.len() - 1) * lanes.words()];
    let tile = |band: &mut &mut [Placed<'_>], (block, carries): &mut (usize, &mut [Carries])| {
        for placed in band.iter_mut() {
            // The part of the strip's words that lies in this block.
            let from = placed.first.max(*block);
            let to = (placed.first + steps).min(*block + carries.len());
            if from < to {
                let words = from - placed.first..to - placed.first;
                placed.strip.advance(&text, words.start, &mut carries[from - *block..to - *block]);
                progress((placed.rows as u64).saturating_mul(columns_in(words, codes.cols.len()) as u64));
            }
        }
    };
    let bands = strips.chunks_mut(plan.band);
    let blocks = carries.chunks_mut(plan.block).enumerate().map(|(block, words)| (block * plan.block, words));
    if threads == 1 {
        let mut bands: Vec<_> = bands.collect();
        for mut block in blocks {
            bands.iter_mut().for_each(|band| tile(band, &mut block));
        }
    } else {
        wave::run(bands, blocks, tile);
    }
    for placed in strips {
        placed.strip.column(placed.column);
    }
    column
}

/// How many of `cols` columns are in these words.
fn columns_in(words: Range<usize>, cols: usize) -> usize {
    let before = |word: usize| word.saturating_mul(WORD_COLUMNS).min(cols);
    before(words.end) - before(words.start)
}
