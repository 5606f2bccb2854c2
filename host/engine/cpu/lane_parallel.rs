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
use super::lanes::{Carries, Lanes, PAIR, Strip, Text, WORD_COLUMNS, cycles};
use super::planes::planes;
use super::wave;

/// Rows of a lane at least, where strips are made lower to give every thread one.
const LOW: usize = 8;
/// Rows of a lane at least, where they are made lower to give every thread two, so that it waits less for others.
const HALF: usize = 32;
/// Bands and blocks per thread at most: enough tiles that few threads wait while the wave grows and shrinks.
const TILES_PER_THREAD: usize = 8;
/// Words of a block at least (1024 columns): some 10 µs of a low strip.
const MIN_BLOCK: usize = 8;
/// Words of a block at most: its carries and its part of the text stay in the second-level cache.
const MAX_BLOCK: usize = 256;

/// How a table is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    lanes: Lanes,
    threads: usize,
    planes: usize,
    /// Rows of a lane.
    height: usize,
    /// Strips.
    strips: usize,
    /// Strips of a band.
    band: usize,
    /// Words of a block.
    block: usize,
}

impl Plan {
    /// For strings that are not empty.
    pub(super) fn new(lanes: Lanes, codes: &Codes, threads: usize) -> Self {
        // Code 0 needs no plane of its own.
        let planes = planes(codes.symbols - 1);
        let rows = codes.rows.len().div_ceil(64 * lanes.words());
        let shared = match threads {
            1 => 1,
            _ => threads.min(rows / LOW).max(threads.saturating_mul(2).min(rows / HALF)),
        };
        let height = rows.div_ceil(rows.div_ceil(lanes.max_height(planes)).max(shared));
        let strips = rows.div_ceil(height);
        let words = codes.cols.len().div_ceil(WORD_COLUMNS) + strips * lanes.words();
        let parts = threads.saturating_mul(TILES_PER_THREAD);
        let block = if threads == 1 { MAX_BLOCK } else { words.div_ceil(parts).clamp(MIN_BLOCK, MAX_BLOCK) };
        Self { lanes, threads, planes, height, strips, band: strips.div_ceil(parts), block }
    }

    /// About how many clock cycles the table takes.
    pub(super) fn cycles(&self, cols: usize) -> f64 {
        let steps = cols.div_ceil(PAIR) + 64 * self.lanes.words();
        let at_once = self.strips.min(self.threads);
        self.strips.div_ceil(at_once) as f64 * steps as f64 * cycles(self.planes, self.height)
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

/// The column's words. `plan` is one for these codes.
pub(super) fn last_column(codes: &Codes, plan: Plan, progress: &(dyn Fn(u64) + Sync)) -> Vec<u64> {
    let Plan { lanes, planes, height, .. } = plan;
    let text = Text::new(&codes.cols, codes.symbols, planes, lanes);
    let mut column = vec![0; codes.rows.len().div_ceil(64)];
    let strip_words = lanes.words() * height;
    let mut strips: Vec<_> = (codes.rows.chunks(64 * strip_words).zip(column.chunks_mut(strip_words)).enumerate())
        .map(|(s, (rows, column))| {
            let strip = lanes.strip(planes, rows, height);
            Placed { strip, rows: rows.len(), column, first: s * lanes.words() }
        })
        .collect();
    let steps = text.steps();
    let mut carries = vec![Carries::default(); steps + plan.strips.saturating_sub(1) * lanes.words()];
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
    if plan.threads == 1 {
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
