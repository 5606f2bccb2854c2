//! LCS by lanes that follow one another: computes the last columns of many LCS tables in one
//! launch, each as a bit-vector.
//!
//! **Problem.** Compute the columns of an LCS table as bit-vectors, V' = (V + (V & M)) | (V & !M),
//! as in [`lcs`](crate::lcs). The carries of the sum run from low rows to high rows, within a
//! column.
//!
//! **Idea.** [`block_step`](crate::published::block_step) finds these carries for a whole warp at
//! once. Here, each lane works a tile of columns behind the lane below it. So the carries out of a
//! lane's tile are the carries into the next lane's tile, one step later. One shuffle per tile
//! passes them on, packed into one word. The recurrence is that of Crochemore, Iliopoulos, Pinzon
//! and Reid (2001); the arrangement is this project's own. A tile is 32 columns of a wide lane, and
//! 16 or 8 of a narrow one ([`tile`]), so that the last lane of a narrow strip is less late.
//!
//! ```text
//! a strip: 32 lanes of W words of 32 rows each, one warp
//!
//! step         0    1    2    3    4  …
//! lane 31                                    ↑ carries of 32 columns: a word
//!   ⋮                                        │ to the strip above
//! lane 2                 t0   t1   t2  …
//! lane 1            t0   t1   t2   t3  …     tk: tile k, of 8, 16 or 32 columns
//! lane 0       t0   t1   t2   t3   t4  …     ↑ word from the strip below
//! ```
//!
//! **Strips.** A table is cut into strips of up to 1,024 W rows. One warp computes a strip, from
//! the first column to the last. Warps claim strips in order from a counter, so the strip below a
//! waiting strip is always running or done. Lane 31's carries go to the strip above through global
//! memory: one word of 64 bits holds the carries of 32 columns, and a tag that marks them as
//! present. Since one load reads both, no fence is needed. The word is fetched 32 columns before it
//! is needed. These 32 columns are a *turn* of the lane's loop, one to four tiles.
//!
//! **Data.** The rows are bit planes ([`row_planes`](crate::lcs::row_planes)), the columns are
//! tiles ([`column_tiles`](crate::lcs::column_tiles)). When a strip starts, it makes match words
//! from its rows' planes and keeps them in shared memory: each lane has its own words for each
//! symbol, in its own banks, so that no text causes bank conflicts (`LaneTable`). V stays in
//! registers.
//!
//! **Large alphabets.** Shared memory bounds W × rows of match words. With one row for each of 256
//! symbols, W is 1. With D [`digits`](crate::lcs::digits) per symbol, there is one row per value of
//! each digit (32 rows for 256 symbols and D = 2), and u = V & M becomes u = V & M0 & M1: still one
//! LOP3, but twice the loads.
//!
//! **Cost** per lane and column: 3 W instructions for the cells and 2 for the carries
//! ([`lane_column`](crate::lcs::lane_column)), plus the loads of the match words. There is one load
//! per four words and one for each of the two smaller parts of the table, with one address per
//! part; loads and addresses count D times. For W = 20 and D = 1 that is 70 instructions for 640
//! cells. A turn costs about 40 more (for the carry words and the columns' symbols), most of them
//! interleaved with those of its columns, and one shuffle per tile. A strip's last lane finishes 31
//! tiles after its first. `docs/wavefront.md` explains the choice of W and of the number of strips.

mod lane;
pub(crate) mod table;

use crate::collectives::claim::claim;
use crate::lcs::column_tiles::{GROUP, TILE, stride};
use crate::lcs::digits::Digits;
use crate::lcs::lane_column::{Lane, LaneColumn};
use lane::{Group, LaneOfStrip, times_words};
use simt_std::prelude::*;
use table::{LaneTable, RowsOfLane};

pub use table::table_bytes;

/// 64-bit words per entry of [`strips`](Wavefront#structfield.strips).
pub const FIELDS: usize = 8;

/// In place of the start of a row of carries: the strip has no neighbour on that side.
pub const NO_NEIGHBOUR: u64 = !0;

/// Upper bound on the warps per block. Each computes one strip at a time.
pub const WARPS: u32 = 16;

/// Upper bound on the rows of match words of a digit, times W. The row of a value starts at
/// value × W × 128 bytes, and value × W must fit into a byte.
pub const MAX_VALUES: u32 = 256;

/// Returns the columns per tile, for W words per lane. A strip's last lane is 31 tiles late, which
/// is less time with short tiles; but all lanes wait for a shuffle after each tile. Lanes of few
/// words serve short strings, where the lateness matters more.
pub const fn tile(words: u32) -> u32 {
    match words {
        0..=2 => TILE / 4,
        3..=8 => TILE / 2,
        _ => TILE,
    }
}

/// Interval, in turns, at which a strip adds to the count of finished turns.
const PROGRESS_INTERVAL: u32 = 1024;

/// Computes all strips, with W words per lane and symbols of D digits. With `AHEAD`, match words
/// are read some columns before they are needed. That is faster for a warp that has a scheduler to
/// itself, and slower for two warps that share one. Launch: any number of blocks of `warps` warps;
/// they need not all be resident. `strips`, `rows` and `groups` describe the same tables. The
/// number of values of a digit times W is at most [`MAX_VALUES`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Wavefront<const W: usize, const D: usize, const AHEAD: bool> {
    /// [`FIELDS`] numbers per strip. Warps claim strips in this order, so each strip follows the
    /// one below it:
    ///
    /// 0. start of the strip's 32 W words in each plane and in `v`, in words;
    /// 1. number of rows, 1 to 1,024 W;
    /// 2. start in `groups` of the groups of the table's columns;
    /// 3. n, the number of columns of the strip, at most 2^29 - 1 turns of 32 columns, and not more
    ///    than the strip below it has;
    /// 4. start in `carries` of the row of carries in, or [`NO_NEIGHBOUR`];
    /// 5. start in `carries` of the row of carries out, or [`NO_NEIGHBOUR`];
    /// 6. tags of both rows, 32 bits each and not 0: that of the carries in is low, that of the
    ///    carries out is high;
    /// 7. number of columns of the table, at least n.
    pub strips: Global<u64>,
    /// Number of strips.
    pub count: u32,
    /// σ, the size of the alphabet. Codes of rows and columns are less.
    pub symbols: u32,
    /// Number of bit planes of the rows' codes: more than the bits of all digits but the last.
    pub planes: u32,
    /// Bits per digit, at most 8.
    pub digit_bits: u32,
    /// Nonzero: continue from the columns in `v`. Zero: begin with the tables' first columns.
    pub resume: u32,
    /// Warps per block.
    pub warps: u32,
    /// Bytes of shared memory per block: at least `warps` × [`table_bytes`]. More than that limits
    /// the number of resident blocks per multiprocessor.
    pub shared_bytes: u32,
    /// The rows' planes ([`RowPlanes`](crate::lcs::row_planes::RowPlanes)).
    pub rows: Global<u32>,
    /// Words per plane, for all tables together.
    pub plane_words: u64,
    /// The columns ([`ColumnTiles`](crate::lcs::column_tiles::ColumnTiles)).
    pub groups: Global<u64>,
    /// Out, and in if `resume` is not 0: the bit-vectors V, 32 W words per strip.
    pub v: Global<u32>,
    /// Rows of carries between a strip and the one above it, one word per turn. The high half holds
    /// the tag; the low half holds the carries of the turn's 32 columns, the first column in the
    /// highest bit. When the launch starts, no word may hold a tag of this launch.
    pub carries: Global<u64>,
    /// Two counters, both 0 when the launch starts. Word 0: number of claimed strips. Word 1:
    /// number of finished turns, which a strip adds every 1,024 turns, so that the host can show
    /// progress.
    pub progress: Global<u32>,
}

/// The description of a strip, as needed by one of its lanes.
struct Strip {
    lane: u32,
    /// Words of `groups` from one group of a tile to the next.
    stride: u32,
    /// Size of the strip in columns: the number of all tiles, the number of whole tiles, the
    /// columns of the last tile if it is not whole, and the number of turns.
    tiles: u32,
    whole: u32,
    last: u32,
    turns: u32,
    /// The row of carries from the strip below, and the tag of its words in this launch.
    /// `has_strip_below` is true in lane 0 if there is such a strip.
    from_below: Global<u64>,
    tag_below: u32,
    has_strip_below: bool,
    /// The row of carries to the strip above. `has_strip_above` is true in lane 31 if there is such
    /// a strip.
    to_above: Global<u64>,
    tag_above: u32,
    has_strip_above: bool,
}

/// Carries on their way to a lane.
struct Arriving {
    /// In lane 0, the word of the strip below for the next turn. It has not arrived if its tag
    /// differs.
    from_strip_below: u64,
    /// Carries of the lane below, from the previous tile.
    from_lane_below: u32,
}

// The steps of a turn are macros, since LLVM simplifies a function before it inlines it, and then
// compiles the surrounding code differently.

/// Takes the columns of turn `$turn`. `$masked` is true if some lanes have not begun or have
/// finished, or if a lane is in the last tile, which may not be whole. Then all lanes take the same
/// masked columns, and columns that do not exist change nothing. If lanes branched instead, the
/// warp would run one path after the other, and the strips above would wait for both.
macro_rules! turn {
    ($masked:literal, $turn:ident, $strip:ident, $columns:ident, $arriving:ident, $read:ident, $read_turn:ident) => {{
        let carries = await_carries!($turn, $strip, $arriving);
        let first = ($turn * Self::TILES).wrapping_sub($strip.lane);
        let four = |q: usize| times_words::<W, D>($columns.groups[q / 2], q % 2 == 1);
        let fours = [four(0), four(1), four(2), four(3), four(4), four(5), four(6), four(7)];
        if Self::WHOLE_TURN {
            $columns.groups = $read_turn(first.wrapping_add(Self::TILES));
        }
        fetch!($turn + 1, $strip, $arriving);
        let mut exist = 0;
        // Each four columns of the turn, with the begin and the end of a tile where they fall.
        unroll!(q in [0 1 2 3 4 5 6 7] {
            let t = 4 * q / Self::TILE;
            let tile = first.wrapping_add(t);
            if 4 * q % Self::TILE == 0 {
                begin_tile!($masked, $strip, $columns, $arriving, tile, carries << (t * Self::TILE), exist);
            }
            if Self::WHOLE_TURN {
                let after = (q as usize + 1) % 8;
                let next = if after > 0 { fours[after] } else { times_words::<W, D>($columns.groups[0], false) };
                $columns.four::<$masked>(fours[q as usize], next, &mut exist);
            } else {
                groups!($masked, $strip, $columns, $read, q, tile, exist);
            }
            if 4 * (q + 1) % Self::TILE == 0 {
                end_tile!($turn, $strip, $columns, $arriving, t);
            }
        });
        $turn += 1;
    }};
}

/// Takes the turns up to `$end`, with all lanes inside the table, and counts them in word 1 of
/// `$progress`.
macro_rules! inner_turns {
    (
        $end:ident, $progress:expr,
        $turn:ident, $strip:ident, $columns:ident, $arriving:ident, $read:ident, $read_turn:ident
    ) => {
        while $turn < $end {
            let stop = ($turn + PROGRESS_INTERVAL).min($end);
            let done = stop - $turn;
            while $turn < stop {
                turn!(false, $turn, $strip, $columns, $arriving, $read, $read_turn);
            }
            if $strip.lane == 0 {
                atomic::fetch_add($progress, 1, done);
            }
        }
    };
}

/// Reads lane 0's word of carries for a turn ahead of time, without a branch. After a branch, ptxas
/// would copy the register where the paths join, and the copy would wait for the load.
macro_rules! fetch {
    ($turn:expr, $strip:ident, $arriving:ident) => {{
        let word = ($turn).min($strip.turns - 1) as usize;
        atomic::load_64_if($strip.has_strip_below, $strip.from_below, word, &mut $arriving.from_strip_below);
    }};
}

/// Waits until lane 0's carries of this turn arrive, as their tag shows, and returns them. All
/// lanes vote together, since a loop that only one lane takes costs the others more than a vote.
macro_rules! await_carries {
    ($turn:ident, $strip:ident, $arriving:ident) => {{
        // SAFETY: all lanes are here: the loops' bounds are the same in all lanes.
        while unsafe {
            let is_other = ($arriving.from_strip_below >> 32) as u32 != $strip.tag_below;
            warp::warp_vote_any(FULL_WARP, $strip.has_strip_below && is_other)
        } {
            fetch!($turn, $strip, $arriving);
        }
        $arriving.from_strip_below as u32
    }};
}

/// Begins a tile: sets the carries into its columns, and the mask of the columns that exist.
macro_rules! begin_tile {
    ($masked:literal, $strip:ident, $columns:ident, $arriving:ident, $tile:ident, $from_strip_below:expr, $exist:ident) => {{
        $columns.carries_in = if $strip.lane == 0 { $from_strip_below } else { $arriving.from_lane_below };
        if $masked {
            $exist = if $tile < $strip.whole {
                !0
            } else if $tile < $strip.tiles {
                !(!0 >> $strip.last)
            } else {
                0
            };
            // The strip below may have more columns.
            $columns.carries_in &= $exist;
        }
    }};
}

/// Takes the columns of a lane that reads them group by group: with `AHEAD`, all columns of the
/// turn at its first four columns; otherwise two groups at the first four columns of the two.
macro_rules! groups {
    ($masked:literal, $strip:ident, $columns:ident, $read:ident, $q:ident, $tile:ident, $exist:ident) => {{
        // The group two groups ahead is in this tile or in the next one.
        let mut two_groups = |pair: u32| {
            let (tile, group) = if pair == 0 { ($tile, 2) } else { ($tile.wrapping_add(1), 0) };
            let tile = if $masked { tile.min($strip.stride - 1) } else { tile };
            $columns.group::<0, $masked>(|| $read(tile, group), &mut $exist);
            $columns.group::<1, $masked>(|| $read(tile, group + 1), &mut $exist);
        };
        if !AHEAD && $q % 4 == 0 {
            two_groups($q / 4);
        } else if AHEAD && $q == 0 {
            // A loop, not unrolled: a turn of a wide lane exceeds the instruction cache, and a warp
            // without others on its scheduler waits for instruction fetches.
            for pair in 0..2 {
                two_groups(pair);
            }
        }
    }};
}

/// Passes the carries out of a tile to the lane above, and from the last lane to the strip above.
macro_rules! end_tile {
    ($turn:ident, $strip:ident, $columns:ident, $arriving:ident, $tile_of_turn:ident) => {{
        let carries_out = $columns.carries_out;
        // Short tiles leave the first column's carry lower: move it into the highest bit.
        let tile_out = carries_out << (32 - Self::TILE);
        // SAFETY: as above.
        let (from_lane_below, _) = unsafe { warp::warp_shuffle_up(FULL_WARP, tile_out, 1, WARP) };
        $arriving.from_lane_below = from_lane_below;
        // Here the last lane has finished the columns of turn `done` of lane 0.
        let done = $turn.wrapping_sub(Self::LATE);
        if $tile_of_turn == Self::LAST_TILE && $strip.has_strip_above && done < $strip.turns {
            let word = u64::from($strip.tag_above) << 32 | u64::from(carries_out);
            atomic::store_64($strip.to_above, done as usize, word);
        }
    }};
}

impl<const W: usize, const D: usize, const AHEAD: bool> Wavefront<W, D, AHEAD>
where
    Lane<W>: LaneColumn<W>,
{
    /// Columns per tile.
    const TILE: u32 = tile(W as u32);
    /// Groups per tile.
    const GROUPS: u32 = Self::TILE / GROUP;
    /// Tiles per turn.
    const TILES: u32 = TILE / Self::TILE;
    /// The last lane finishes the columns of lane 0's turn t in tile `LAST_TILE` of turn
    /// t + `LATE`.
    const LAST_TILE: u32 = (WARP - 2) % Self::TILES;
    const LATE: u32 = (WARP - 2 + Self::TILES - Self::LAST_TILE) / Self::TILES;
    /// True if the columns of a turn are read all at once, a turn ahead; false if they are read
    /// group by group, two groups ahead. The former is faster for lanes of few words, whose turns
    /// are shorter than the memory latency; the latter takes fewer registers.
    const WHOLE_TURN: bool = Self::TILES > 1 || (D == 1 && W < if AHEAD { 12 } else { 16 }) || (D > 1 && D < 4);

    /// Computes a strip, from the first column to the last. `fields` is the strip's entry of
    /// `strips`.
    ///
    /// # Safety
    /// All lanes of the warp call it together.
    #[inline(always)]
    unsafe fn strip(self, fields: Global<u64>, table: LaneTable<W, D>) {
        let lane = warp::lane_id();
        let words = fields.read(0) as usize + lane as usize * W;
        let n = fields.read(3);
        let (below, above) = (fields.read(4), fields.read(5));
        let tags = fields.read(6);
        let (tag_below, tag_above) = (tags as u32, (tags >> 32) as u32);
        let stride = stride(fields.read(7), Self::TILE) as u32;
        // The number of all tiles, the columns of the last one if it is not whole, and the number
        // of whole tiles.
        let (tiles, last) = (n.div_ceil(Self::TILE.into()) as u32, n as u32 % Self::TILE);
        let whole = (n / u64::from(Self::TILE)) as u32;
        let turns = tiles.div_ceil(Self::TILES);
        let groups = self.groups.skip(fields.read(2) as usize);
        let rows = RowsOfLane {
            planes: self.rows,
            plane_words: self.plane_words as usize,
            count: self.planes,
            words,
            rows: fields.read(1) as u32,
        };
        table.fill(&rows, Digits { count: D as u32, bits: self.digit_bits }, self.symbols);
        let mut v = [!0; W];
        if self.resume != 0 {
            #[expect(clippy::needless_range_loop, reason = "by index the array stays in registers")]
            for w in 0..W {
                v[w] = self.v.read(words + w);
            }
        }

        // Reads a group of columns. The groups of the first digit precede those of the second.
        let read = |tile: u32, group: u32| {
            let mut columns: Group<D> = [0; D];
            for (d, columns) in columns.iter_mut().enumerate() {
                *columns = groups.read(((d as u32 * Self::GROUPS + group) * stride + tile) as usize);
            }
            columns
        };
        // Before a lane has begun, `tile` wraps to a huge number, and after its last tile, it is
        // past the end. In both cases the lane reads the spare tile.
        let read_turn = |tile: u32| {
            let group = |g: u32| read(tile.wrapping_add(g / Self::GROUPS).min(stride - 1), g % Self::GROUPS);
            [group(0), group(1), group(2), group(3)]
        };
        let strip = Strip {
            lane,
            stride,
            tiles,
            whole,
            last,
            turns,
            from_below: self.carries.skip(below as usize),
            to_above: self.carries.skip(above as usize),
            tag_below,
            tag_above,
            has_strip_below: lane == 0 && below != NO_NEIGHBOUR,
            has_strip_above: lane == WARP - 1 && above != NO_NEIGHBOUR,
        };
        // The words and columns of a turn are read a turn ahead.
        let mut arriving = Arriving { from_strip_below: 0, from_lane_below: 0 };
        atomic::load_64_if(strip.has_strip_below, strip.from_below, 0, &mut arriving.from_strip_below);
        let groups = read_turn(0u32.wrapping_sub(lane));
        let early = [[0; W]; 4];
        let mut columns = LaneOfStrip::<W, D, AHEAD> { table, v, groups, early, carries_in: 0, carries_out: 0 };
        columns.begin();
        let mut turn = 0;
        // All lanes are inside the table from the last lane's first turn to the first lane's last
        // turn.
        let end = turns + Self::LATE;
        let mut until = (WARP - 1).div_ceil(Self::TILES);
        let inside = whole / Self::TILES;
        loop {
            while turn < until {
                turn!(true, turn, strip, columns, arriving, read, read_turn);
            }
            inner_turns!(inside, self.progress, turn, strip, columns, arriving, read, read_turn);
            if turn == end {
                break;
            }
            until = end;
        }
        for w in 0..W {
            self.v.write(words + w, columns.v[w]);
        }
    }
}

#[kernel(
    max_threads = WARPS * WARP,
    threads = self.warps * WARP,
    shared = self.shared_bytes,
    instances = [
        wavefront_1: (1, 1, false), wavefront_2: (2, 1, false), wavefront_3: (3, 1, false),
        wavefront_4: (4, 1, false), wavefront_6: (6, 1, false), wavefront_8: (8, 1, false),
        wavefront_9: (9, 1, false), wavefront_10: (10, 1, false), wavefront_12: (12, 1, false),
        wavefront_14: (14, 1, false), wavefront_19: (19, 1, false), wavefront_20: (20, 1, false),
        wavefront_ahead_1: (1, 1, true), wavefront_ahead_2: (2, 1, true), wavefront_ahead_3: (3, 1, true),
        wavefront_ahead_4: (4, 1, true), wavefront_ahead_6: (6, 1, true), wavefront_ahead_8: (8, 1, true),
        wavefront_ahead_10: (10, 1, true), wavefront_ahead_14: (14, 1, true), wavefront_ahead_18: (18, 1, true),
        wavefront_ahead_19: (19, 1, true), wavefront_ahead_20: (20, 1, true),
        wavefront_digits_2_4: (4, 2, false), wavefront_digits_2_6: (6, 2, false), wavefront_digits_2_8: (8, 2, false),
        wavefront_digits_2_9: (9, 2, false), wavefront_digits_2_13: (13, 2, false),
        wavefront_digits_2_14: (14, 2, false), wavefront_digits_2_18: (18, 2, false),
        wavefront_digits_2_20: (20, 2, false),
        wavefront_digits_ahead_2_2: (2, 2, true), wavefront_digits_ahead_2_4: (4, 2, true),
        wavefront_digits_ahead_2_8: (8, 2, true), wavefront_digits_ahead_2_13: (13, 2, true),
        wavefront_digits_ahead_2_14: (14, 2, true),
        wavefront_digits_3_2: (2, 3, false), wavefront_digits_3_4: (4, 3, false),
        wavefront_digits_ahead_3_4: (4, 3, true), wavefront_digits_ahead_3_8: (8, 3, true),
        wavefront_digits_4_3: (3, 4, false),
        wavefront_digits_ahead_4_2: (2, 4, true),
        wavefront_digits_5_2: (2, 5, false),
        wavefront_digits_ahead_5_2: (2, 5, true), wavefront_digits_ahead_5_4: (4, 5, true),
        wavefront_digits_6_1: (1, 6, false), wavefront_digits_6_2: (2, 6, false),
        wavefront_digits_ahead_6_1: (1, 6, true), wavefront_digits_ahead_6_3: (3, 6, true),
    ]
)]
pub fn wavefront<const W: usize, const D: usize, const AHEAD: bool>(self: Wavefront<W, D, AHEAD>)
where
    Lane<W>: LaneColumn<W>,
{
    let lane = warp::lane_id();
    let base = dynamic_shared_mem::<u8>().address();
    let warp = thread::thread_idx_x() / WARP;
    let rows = Digits { count: D as u32, bits: self.digit_bits }.rows(self.symbols);
    let table = LaneTable::<W, D>::new(base + warp * table_bytes(W as u32, rows), lane, self.digit_bits);
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
