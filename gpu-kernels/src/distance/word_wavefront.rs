//! Edit distance by words that carry from row to row, in lanes that follow one another: the
//! counterpart of [`wavefront`](crate::distance::wavefront) for tables of few rows or columns.
//!
//! **Problem.** The differences of an edit distance table, as in `wavefront`: Pv and Mv from row to
//! row, Ph and Mh from column to column.
//!
//! **Idea.** In `wavefront`, each bit of a word is a column late, so a strip's last row is 1,024
//! columns and 32 tiles behind its first. That is half of the time of strings of 100,000 symbols.
//! Here, a word has 32 neighbouring rows at the same column, and an addition carries from row to
//! row (Myers 1999; with Eq, Pv and Mv for E, P and M):
//!
//! ```text
//! E  = Eq | (the difference from above is -1: bit 0)     D0 = (((E & Pv) + Pv) ^ Pv) | E | Mv
//! Ph = Mv | !(D0 | Pv)          Mh = D0 & Pv             the last row's bits go to the next lane
//! Ph, Mh: shifted up by a row, the differences from above come in at bit 0
//! Pv' = Mh | !(D0 | Ph)         Mv' = D0 & Ph
//! ```
//!
//! A lane has W words, 32 W rows, one number for the addition and the shifts. It works a *half
//! tile*, 8 columns, behind the lane below it, and passes on the differences of these columns in
//! one word: the last row of a strip is only 248 columns late.
//!
//! ```text
//! half tile     0    1    2    3    4            a step of the loop is a tile, two half tiles
//! lane 2                  t0   t1   t2
//! lane 1             t0   t1   t2   t3           tk: half tile k
//! lane 0        t0   t1   t2   t3   t4
//! ```
//!
//! Strips, their order, their tags and bands are those of `wavefront`. Match words come from a
//! table in shared memory, as for the [LCS](crate::lcs::wavefront).
//!
//! **Cost** per lane and column: 10 W instructions for 32 W cells, one load of W match words, and
//! about 5 for the differences. Bit lanes take 7 per word for DNA. So this kernel is for tables
//! whose strips do not fill the GPU, where the time of a column matters.

use crate::collectives::claim::claim;
use crate::distance::wavefront::{PROGRESS_INTERVAL, Strip, existing};
use crate::lcs::column_tiles::GROUP;
use crate::lcs::digits::Digits;
use crate::lcs::wavefront::NO_NEIGHBOUR;
use crate::lcs::wavefront::table::{LaneTable, RowsOfLane};
use simt_std::integer::{LOP3_A as A, LOP3_B as B, LOP3_C as C, funnel_shift_left, lop3};
use simt_std::prelude::*;

pub use crate::distance::wavefront::{FIELDS, TILE};
pub use crate::lcs::wavefront::table_bytes;

/// Upper bound on the warps per block. Each computes one strip at a time.
pub const WARPS: u32 = 8;

/// Distance of a lane from the lane below it, in columns: a half tile.
pub const BEHIND: u32 = TILE / 2;

/// Steps from the first lane's tile until the last lane has finished it.
const LATE: u32 = WARP / 2;

/// The differences of a half tile above row 0, which grows by one from column to column.
const TOP: u32 = 0xff << 24;

/// Computes all strips. Launch: any number of blocks of `warps` warps; they need not all be
/// resident. `strips`, `rows` and `groups` describe the same tables. σ W is at most 256.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct WordWavefront<const W: usize> {
    /// [`FIELDS`] numbers per strip, as for
    /// [`wavefront`](crate::distance::wavefront::Wavefront#structfield.strips): field 0 counts 32 W
    /// words per strip, and field 2 is a start in `groups`.
    pub strips: Global<u64>,
    /// Number of strips.
    pub count: u32,
    /// σ, the size of the alphabet. Codes of rows and columns are less.
    pub symbols: u32,
    /// Number of bit planes of the rows' codes.
    pub planes: u32,
    /// Nonzero: continue from the columns in `v`. Zero: begin with the tables' first columns.
    pub resume: u32,
    /// Warps per block.
    pub warps: u32,
    /// Bytes of shared memory per block: at least `warps` × [`table_bytes`].
    pub shared_bytes: u32,
    /// The rows' planes, with row 32 w + b in bit b of word w
    /// ([`LaneRows`](crate::distance::lane_rows::LaneRows) for lanes of one word).
    pub rows: Global<u32>,
    /// Words per plane, and per half of `v`, for all tables together.
    pub plane_words: u64,
    /// The columns, in tiles of [`TILE`] ([`ColumnTiles`](crate::lcs::column_tiles::ColumnTiles)).
    pub groups: Global<u64>,
    /// Out, and in if `resume` is not 0: Pv, 32 W words per strip, and Mv, `plane_words` words
    /// later. The order of the bits is that of `rows`.
    pub v: Global<u32>,
    /// Rows of horizontal differences between a strip and the one above it, as for
    /// [`wavefront`](crate::distance::wavefront::Wavefront#structfield.carries).
    pub carries: Global<u64>,
    /// Two counters, both 0 when the launch starts. Word 0: number of claimed strips. Word 1:
    /// number of finished tiles, which a strip adds every 1,024 steps.
    pub progress: Global<u32>,
}

/// Returns the sum of two numbers of W words, lowest first, modulo 2^(32 W). W is at most 4.
#[inline(always)]
fn add_words<const W: usize>(a: &[u32; W], b: &[u32; W]) -> [u32; W] {
    let mut sum = [0; W];
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let mut carry = false;
        for w in 0..W {
            (sum[w], carry) = a[w].carrying_add(b[w], carry);
        }
    }
    #[cfg(target_arch = "nvptx64")]
    if W == 1 {
        sum[0] = a[0].wrapping_add(b[0]);
    } else {
        let [mut x, mut y, mut s] = [[0u32; 4]; 3];
        x[..W].copy_from_slice(a);
        y[..W].copy_from_slice(b);
        // SAFETY: arithmetic on registers.
        unsafe {
            core::arch::asm!(
                "add.cc.u32 {0}, {4}, {8};",
                "addc.cc.u32 {1}, {5}, {9};",
                "addc.cc.u32 {2}, {6}, {10};",
                "addc.u32 {3}, {7}, {11};",
                out(reg32) s[0], out(reg32) s[1], out(reg32) s[2], out(reg32) s[3],
                in(reg32) x[0], in(reg32) x[1], in(reg32) x[2], in(reg32) x[3],
                in(reg32) y[0], in(reg32) y[1], in(reg32) y[2], in(reg32) y[3],
                options(pure, nomem, nostack),
            );
        }
        sum.copy_from_slice(&s[..W]);
    }
    sum
}

/// A lane: its part of the column, and the horizontal differences on their way.
struct Lane<const W: usize> {
    plus: [u32; W],
    minus: [u32; W],
    /// Ph and Mh of the half tile's columns: incoming differences from the highest bit down, and
    /// outgoing differences from the lowest bit up, the last column's lowest.
    tile: [u32; 2],
}

impl<const W: usize> Lane<W> {
    /// Takes one column with these match words. With `MASKED`, a column whose `exist` is 0 changes
    /// no vertical differences; `exist` is 0 or all ones.
    #[inline(always)]
    fn column<const MASKED: bool>(&mut self, matches: &[u32; W], exist: u32) {
        let [tile_plus, tile_minus] = self.tile;
        let above_is_minus = tile_minus >> 31;
        let (mut either, mut ripple) = ([0; W], [0; W]);
        for w in 0..W {
            let above = if w == 0 { above_is_minus } else { 0 };
            either[w] = lop3::<{ A | B | C }>(matches[w], above, self.minus[w]);
            ripple[w] = lop3::<{ (A | B) & C }>(matches[w], above, self.plus[w]);
        }
        let sum = add_words(&ripple, &self.plus);
        let (mut diagonal, mut plus, mut minus) = ([0; W], [0; W], [0; W]);
        for w in 0..W {
            diagonal[w] = lop3::<{ (A ^ B) | C }>(sum[w], self.plus[w], either[w]);
            plus[w] = lop3::<{ A | !(B | C) }>(self.minus[w], diagonal[w], self.plus[w]);
            minus[w] = diagonal[w] & self.plus[w];
        }
        self.tile = [funnel_shift_left(plus[W - 1], tile_plus, 1), funnel_shift_left(minus[W - 1], tile_minus, 1)];
        let (mut below_plus, mut below_minus) = (tile_plus, tile_minus);
        for w in 0..W {
            let (plus_in, minus_in) =
                (funnel_shift_left(below_plus, plus[w], 1), funnel_shift_left(below_minus, minus[w], 1));
            (below_plus, below_minus) = (plus[w], minus[w]);
            let mut new_plus = lop3::<{ A | !(B | C) }>(minus_in, diagonal[w], plus_in);
            let mut new_minus = diagonal[w] & plus_in;
            if MASKED {
                new_plus = lop3::<{ A & C | B & !C }>(new_plus, self.plus[w], exist);
                new_minus = lop3::<{ A & C | B & !C }>(new_minus, self.minus[w], exist);
            }
            (self.plus[w], self.minus[w]) = (new_plus, new_minus);
        }
    }

    /// Returns the differences that left the lane in the half tile's columns: Ph in the bits 31 to
    /// 24, Mh in the bits 15 to 8, the first column in the highest bit.
    #[inline(always)]
    fn outgoing(&self) -> u32 {
        self.tile[0] << 24 | (self.tile[1] & 0xff) << 8
    }
}

/// The match words of a half tile's columns.
type HalfTile<const W: usize> = [[u32; W]; GROUP as usize];

/// Reads the match words of a half tile, whose symbols are the bytes of `group`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
fn read_matches<const W: usize>(table: LaneTable<W, 1>, group: u64) -> HalfTile<W> {
    let (low, high) = ((group as u32).wrapping_mul(W as u32), ((group >> 32) as u32).wrapping_mul(W as u32));
    let mut matches = [[0; W]; GROUP as usize];
    unroll!(k in [0 1 2 3] {
        matches[k as usize] = table.read([low], k);
        matches[k as usize + 4] = table.read([high], k);
    });
    matches
}

// The steps of a strip are macros, since LLVM simplifies a function before it inlines it, and then
// compiles the surrounding code differently.

/// Takes the columns of half tile `$half_tile`, and passes the outgoing differences to the next
/// lane, which receives them in `$shuffled`.
macro_rules! half_tile {
    ($masked:literal, $half_tile:expr, $matches:ident, $differences_in:expr, $strip:ident, $state:ident, $shuffled:ident) => {{
        let differences_in = $differences_in;
        $state.tile = [differences_in & TOP, differences_in << 16];
        let mut exist = 0;
        if $masked {
            let half_tile = $half_tile;
            let tile = half_tile >> 1;
            exist = existing!(tile, $strip) << (16 + half_tile % 2 * BEHIND);
        }
        unroll!(k in [0 1 2 3 4 5 6 7] {
            $state.column::<$masked>(&$matches[k as usize], ((exist << k) as i32 >> 31) as u32);
        });
        let out = $state.outgoing();
        // SAFETY: all lanes are here: the loops' bounds are the same in all lanes.
        ($shuffled, _) = unsafe { warp::warp_shuffle_up(FULL_WARP, out, 1, WARP) };
        out
    }};
}

/// Takes a tile: lane 0 takes the columns of tile `$step`, each other lane those a half tile before
/// the lane below it. `$masked` is true if some lanes have not begun or have finished, or if a lane
/// is in the last tile, which may not be whole.
macro_rules! step {
    ($masked:literal, $step:ident, $lane:ident, $strip:ident, $state:ident, $arriving:ident, $table:ident, $read:ident) => {{
        let waits = $step < $strip.awaited;
        // All lanes vote together, since a loop that only one lane takes costs the others more.
        // SAFETY: all lanes are here: the loops' bounds are the same in all lanes.
        while unsafe { warp::warp_vote_any(FULL_WARP, waits && ($arriving.word >> 32) as u32 != $strip.tag_below) } {
            atomic::load_64_if(waits, $strip.from_below, $step as usize, &mut $arriving.word);
        }
        let word = $arriving.word as u32;
        atomic::load_64_if($step + 1 < $strip.awaited, $strip.from_below, ($step + 1) as usize, &mut $arriving.word);
        let first = (2 * $step).wrapping_sub($lane);
        let second_group = $arriving.second_group;
        let next_group = $read(first.wrapping_add(2));
        $arriving.second_group = $read(first.wrapping_add(3));
        // Lane 0 takes the strip below's differences, or those above the first row.
        let below = |of_tile: u32| if waits { of_tile } else { TOP };
        let second = read_matches($table, second_group);
        let differences_in =
            if $lane == 0 { below(word << 16 & TOP | word >> 16 & 0xff00) } else { $arriving.shuffled };
        let matches = $arriving.matches;
        let mut shuffled;
        let out = half_tile!($masked, first, matches, differences_in, $strip, $state, shuffled);
        // The last lane has finished a tile: half of it in the step before.
        let before = $arriving.outgoing;
        let tile = $step.wrapping_sub(LATE);
        if $strip.has_strip_above && tile < $strip.tiles {
            let differences = before >> 16 & 0xff00 | out >> 24 | (before & 0xff00) << 16 | (out & 0xff00) << 8;
            let word = u64::from($strip.tag_above) << 32 | u64::from(differences);
            atomic::store_64($strip.to_above, tile as usize, word);
        }
        $arriving.matches = read_matches($table, next_group);
        let differences_in = if $lane == 0 { below(word << 24 | word >> 8 & 0xff00) } else { shuffled };
        $arriving.outgoing =
            half_tile!($masked, first.wrapping_add(1), second, differences_in, $strip, $state, shuffled);
        $arriving.shuffled = shuffled;
        $step += 1;
    }};
}

/// Inputs on their way to a lane.
struct Arriving<const W: usize> {
    /// In lane 0, the word of the strip below for the next tile. It has not arrived if its tag
    /// differs.
    word: u64,
    /// Differences from the lane below, and those to the lane above, of the last half tile.
    shuffled: u32,
    outgoing: u32,
    /// The match words of the next half tile, and the symbols of the half tile after it.
    matches: HalfTile<W>,
    second_group: u64,
}

impl<const W: usize> WordWavefront<W> {
    /// Computes a strip, from the first column to the last. `fields` is the strip's entry of
    /// `strips`.
    ///
    /// # Safety
    /// All lanes of the warp call it together.
    #[inline(always)]
    unsafe fn strip(self, fields: Global<u64>, table: LaneTable<W, 1>) {
        let lane = warp::lane_id();
        let words = fields.read(0) as usize + lane as usize * W;
        let plane_words = self.plane_words as usize;
        let n = fields.read(3);
        let (below, above) = (fields.read(4), fields.read(5));
        let tags = fields.read(6);
        let (tiles, whole, rest) = (n.div_ceil(TILE.into()) as u32, (n / u64::from(TILE)) as u32, n as u32 % TILE);
        let stride = fields.read(7) as u32 + 1;
        let tiles_below = fields.read(8) as u32;
        let groups = self.groups.skip(fields.read(2) as usize);
        let digits = Digits { count: 1, bits: 8 };
        let rows =
            RowsOfLane { planes: self.rows, plane_words, count: self.planes, words, rows: fields.read(1) as u32 };
        table.fill(&rows, digits, self.symbols);
        let mut state = Lane { plus: [!0; W], minus: [0; W], tile: [0; 2] };
        if self.resume != 0 {
            for w in 0..W {
                state.plus[w] = self.v.read(words + w);
                state.minus[w] = self.v.read(plane_words + words + w);
            }
        }
        let strip = Strip {
            tiles,
            whole,
            rest,
            from_below: self.carries.skip(below as usize),
            to_above: self.carries.skip(above as usize),
            tag_below: tags as u32,
            tag_above: (tags >> 32) as u32,
            awaited: if lane == 0 { tiles_below.min(tiles) } else { 0 },
            has_strip_above: lane == WARP - 1 && above != NO_NEIGHBOUR,
        };
        // Before a lane has begun, `half_tile` wraps to a huge number. For that and for tiles past
        // the end, the lane reads the spare tile.
        let read = |half_tile: u32| {
            let tile = (half_tile >> 1).min(tiles);
            groups.read((half_tile % 2 * stride + tile) as usize)
        };
        let first = 0u32.wrapping_sub(lane);
        let mut arriving = Arriving {
            word: 0,
            shuffled: 0,
            outgoing: 0,
            matches: read_matches(table, read(first)),
            second_group: read(first.wrapping_add(1)),
        };
        atomic::load_64_if(strip.awaited > 0, strip.from_below, 0, &mut arriving.word);
        let mut step = 0;
        let end = tiles + LATE;
        let mut until = LATE.min(end);
        loop {
            while step < until {
                step!(true, step, lane, strip, state, arriving, table, read);
            }
            while step < whole {
                let stop = (step + PROGRESS_INTERVAL).min(whole);
                let done = stop - step;
                while step < stop {
                    step!(false, step, lane, strip, state, arriving, table, read);
                }
                if lane == 0 {
                    atomic::fetch_add(self.progress, 1, done);
                }
            }
            if step == end {
                break;
            }
            until = end;
        }
        for w in 0..W {
            self.v.write(words + w, state.plus[w]);
            self.v.write(plane_words + words + w, state.minus[w]);
        }
    }
}

#[kernel(
    max_threads = WARPS * WARP,
    threads = self.warps * WARP,
    shared = self.shared_bytes,
    instances = [word_wavefront_1: (1), word_wavefront_2: (2), word_wavefront_4: (4)]
)]
pub fn word_wavefront<const W: usize>(self: WordWavefront<W>) {
    let lane = warp::lane_id();
    let base = dynamic_shared_mem::<u8>().address();
    let warp = thread::thread_idx_x() / WARP;
    let table = LaneTable::<W, 1>::new(base + warp * table_bytes(W as u32, self.symbols), lane, 8);
    loop {
        // SAFETY: all lanes are here: they leave the loop together.
        let strip = unsafe { claim(self.progress, 0) };
        if strip >= self.count {
            break;
        }
        // SAFETY: as above.
        unsafe { self.strip(self.strips.skip(strip as usize * FIELDS), table) };
    }
}
