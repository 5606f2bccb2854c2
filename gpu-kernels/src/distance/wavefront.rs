//! Edit distance by lanes that follow one another: computes the last columns of many tables in one
//! launch, in bit lanes.
//!
//! **Problem.** D\[i\]\[j\] is the edit distance of A's first i and B's first j symbols; A's
//! symbols are the rows. From row to row and from column to column, it changes by +1, 0 or -1
//! (Ukkonen 1985). So a cell has two bits for its vertical difference, Pv and Mv, and two for its
//! horizontal difference, Ph and Mh (Myers 1999). Eq is 1 if the cell's symbols are equal. From Eq
//! and the differences that come in from the left and from above, the outgoing differences are
//!
//! ```text
//!              Ph Mh                 d0  = Eq | Mv | Mh          the diagonal difference is 0
//!                |                   Ph' = Mv | !(d0 | Pv)
//!        Pv  +---v---+  Pv'          Mh' = d0 & Pv
//!        Mv -> cell   ->Mv'          Pv' = Mh | !(d0 | Ph)
//!            +---|---+               Mv' = d0 & Ph
//!                v                   five instructions of three operands,
//!             Ph' Mh'                for a cell in each bit of a word
//! ```
//!
//! With n = !d0, the differences as numbers are h' = n - v and v' = n - h. A word of differences,
//! U = P - M of all its bits, is a number as well: a borrow from a neighbouring bit is undone when
//! M is added, P = U + M. Subtractions use the multiplication pipe, which is idle otherwise. So
//! here a cell computes n, Mh' = Pv & (Eq | Mh) and Mv' = Ph & (Eq | Mv) by logic, and Pv, Ph, Uh'
//! and Uv' by additions.
//!
//! **Idea.** Myers packs a column into words and needs an addition, whose carries run from row to
//! row. Here nothing is added: the bits of a word are cells that do not touch one another. A lane
//! of a warp has 32 R rows in R words. Bit b of word r is row b R + r, *b columns late*: when bit 0
//! takes column c, bit b takes column c - b. So R words in turn take every bit through its R rows.
//! The horizontal differences that leave the last row of bit b enter the first row of bit b + 1 one
//! step later: a shift by one bit per column.
//!
//! ```text
//!   R = 3                  columns  0  1  2  3 …      a step takes one column in each bit,
//!   word 0 1 2 bit 0        rows 0 1 2    0  1  2  3  R cells of it; the number of the step
//!   word 0 1 2 bit 1        rows 3 4 5       0  1  2  is the column plus the bit
//!   word 0 1 2 bit 2        rows 6 7 8          0  1
//!       ⋮
//!   out of bit 31: enters the next lane's bit 0, 32 columns and a tile later
//! ```
//!
//! The arrangement is this project's own. Symbols are compared by bit planes: a lane holds R words
//! per plane for the symbols of its rows, and per plane a window of the last 32 columns, so that
//! bit b sees column c - b.
//!
//! **Lanes and strips** are those of the LCS's [`wavefront`](crate::lcs::wavefront). A lane passes
//! the differences of a tile of 16 columns to the next lane in a word, 16 bits of Ph and 16 bits of
//! Mh. Lane 31's differences go to the strip above through global memory, with a tag. Warps claim
//! strips in order from a counter. Unlike there, a lane is three tiles behind the lane below it:
//! two for its 32 bits, one for the tile.
//!
//! **Bands.** A strip need not take all columns of its table: for similar strings, the columns far
//! from the diagonal can be left out. A strip starts at its own first tile, with V = +1 there.
//! Above tiles that the strip below it does not have, it assumes h = +1. So it computes the costs
//! of the paths that stay in the strips' columns.
//!
//! ```text
//!            columns
//!        +----------+  h = +1         a strip begins and ends at or after where
//!        | strip 0  |- - - +          the strip below it does
//!        +---+------+------+          (drawn with row 0 at the top)
//!     v = +1 |   strip 1   |
//!            +-------------+
//! ```
//!
//! **Ends.** While some bits are before the first column or past the last one, a mask keeps their V
//! the same. All lanes of a warp take the masked steps together, in about the first and last
//! hundred tiles of a strip.
//!
//! **Cost** per lane and column, with P planes: R (3 + P) logic instructions and 4 R additions for
//! 32 R cells, and about P + 6 for the shifts. For DNA, with P = 2 and R = 19, that is 105 and 76
//! instructions for 608 cells.

use crate::collectives::claim::claim;
use crate::lcs::wavefront::NO_NEIGHBOUR;
use simt_std::integer::{LOP3_A as A, LOP3_B as B, LOP3_C as C, funnel_shift_left, funnel_shift_right, lop3, opaque};
use simt_std::prelude::*;

/// Upper bound on the warps per block. Each computes one strip at a time.
pub const WARPS: u32 = 8;

/// 64-bit words per entry of [`strips`](Wavefront#structfield.strips).
pub const FIELDS: usize = 9;

/// Columns per tile: the differences of a tile go from lane to lane in one word of 32 bits.
pub const TILE: u32 = 16;

/// Distance of a lane from the lane below it, in tiles.
pub const BEHIND: u32 = 32 / TILE + 1;

/// Tiles that a lane takes after its last columns come in, until they leave its last bit.
const LATE: u32 = 32 / TILE;

/// Columns per iteration of the inner loop. With 2 columns it is 3 % slower.
const UNROLLED: u32 = 4;

/// Interval, in steps, at which a strip adds to the count of finished tiles.
pub(crate) const PROGRESS_INTERVAL: u32 = 1024;

/// The horizontal differences of a tile above row 0: D\[0\]\[j\] = j grows by one from column to
/// column.
pub(crate) const TOP: u32 = (1 << TILE) - 1;

/// Repeats a block for r = 0, 1 … R - 1. On the GPU each r is a copy of its own, so that arrays
/// indexed by r are in registers.
macro_rules! rows {
    ($r:ident in $rows:ident $body:block) => {
        #[cfg(not(target_arch = "nvptx64"))]
        #[allow(clippy::needless_range_loop, reason = "as on the GPU")]
        for $r in 0..$rows {
            $body
        }
        #[cfg(target_arch = "nvptx64")]
        unroll!(number in [
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        ] {
            if (number as usize) < $rows {
                let $r = number as usize;
                $body
            }
        });
    };
}
pub(crate) use rows;

// The steps of a strip are macros, since LLVM simplifies a function before it inlines it, and then
// compiles the surrounding code differently.

/// Reads a lane's rows and, if the launch continues from a column, the lane's part of it.
macro_rules! read {
    ($kernel:expr, $state:ident, $words:ident, $plane_words:ident) => {
        unroll!(p in [0 1 2 3 4 5 6 7] {
            if (p as usize) < P {
                rows!(r in R {
                    $state.rows[p as usize][r] = $kernel.rows.read(p as usize * $plane_words + $words + r);
                });
            }
        });
        if $kernel.resume != 0 {
            rows!(r in R {
                $state.minus[r] = $kernel.v.read($plane_words + $words + r);
                $state.v[r] = $kernel.v.read($words + r).wrapping_sub($state.minus[r]);
            });
        }
    };
}

/// Returns the differences that come in for step `$step`. Lane 0 takes those of the strip below,
/// once their tag marks them as present; the other lanes take `$shuffled`, from the lane below.
/// Then reads the strip's differences for the next step ahead of time.
macro_rules! differences_in {
    ($step:ident, $strip:ident, $fetched:ident, $shuffled:ident) => {{
        let waits = $step < $strip.awaited;
        // All lanes vote together, since a loop that only one lane takes costs the others more.
        // SAFETY: all lanes are here: the loops' bounds are the same in all lanes.
        while unsafe { warp::warp_vote_any(FULL_WARP, waits && ($fetched >> 32) as u32 != $strip.tag_below) } {
            atomic::load_64_if(waits, $strip.from_below, $step as usize, &mut $fetched);
        }
        let differences_in = if waits { $fetched as u32 } else { $shuffled };
        atomic::load_64_if($step + 1 < $strip.awaited, $strip.from_below, ($step + 1) as usize, &mut $fetched);
        differences_in
    }};
}
pub(crate) use differences_in;

/// Returns the columns of a tile that exist, one bit each.
macro_rules! existing {
    ($tile:ident, $strip:ident) => {
        if $tile < $strip.whole {
            $crate::distance::wavefront::TOP
        } else if $tile == $strip.whole {
            $crate::distance::wavefront::TOP & !($crate::distance::wavefront::TOP >> $strip.rest)
        } else {
            0
        }
    };
}
pub(crate) use existing;

/// Takes the columns of a tile, without masks if all bits of all lanes are at columns that exist.
macro_rules! columns {
    ($step:ident, $strip:ident, $state:ident, $exist:ident) => {
        if $step >= LATE + BEHIND * (WARP - 1) && $step < $strip.whole {
            for turn in 0..opaque(TILE / UNROLLED) {
                let left = TILE - UNROLLED - turn * UNROLLED;
                unroll!(k in [3 2 1 0] { $state.column::<false>(left + k, 0); });
            }
        } else {
            for column in 0..opaque(TILE) {
                let left = TILE - 1 - column;
                $state.column::<true>(left, $exist.at(left));
            }
        }
    };
}

/// Passes the outgoing differences of a tile's columns to the strip above.
macro_rules! hand_over {
    ($tile:expr, $differences:ident, $strip:ident) => {
        if $strip.has_strip_above && $tile < $strip.tiles {
            let word = u64::from($strip.tag_above) << 32 | u64::from($differences);
            atomic::store_64($strip.to_above, $tile as usize, word);
        }
    };
}
pub(crate) use hand_over;

/// Computes all strips. Launch: any number of blocks of `warps` warps; they need not all be
/// resident. `strips`, `rows` and `tiles` describe the same tables. R is at most 32, P at least 1.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Wavefront<const R: usize, const P: usize> {
    /// [`FIELDS`] numbers per strip. Warps claim strips in this order, so each strip follows the
    /// one below it:
    ///
    /// 0. start of the strip's 32 R words in each plane and in `v`, in words;
    /// 1. number of rows, 1 to 1,024 R;
    /// 2. start of the strip's tiles in `tiles`, in words;
    /// 3. n, the number of columns of the strip, at most 2^30 - 1 tiles;
    /// 4. start in `carries` of the row of differences in, at the strip's first tile;
    /// 5. start in `carries` of the row of differences out, or [`NO_NEIGHBOUR`];
    /// 6. tags of both rows, 32 bits each and not 0: that of the differences in is low, that of the
    ///    differences out is high;
    /// 7. number of tiles of the table, which has all of the strip's and perhaps more;
    /// 8. number of tiles of differences that come in, from the strip's first tile on: 0 for a
    ///    table's lowest strip. For the other tiles, h is +1.
    pub strips: Global<u64>,
    /// Number of strips.
    pub count: u32,
    /// Nonzero: continue from the columns in `v`. Zero: begin with the tables' first columns.
    pub resume: u32,
    /// Warps per block.
    pub warps: u32,
    /// Bytes of shared memory per block. The kernel uses none; the number only limits the resident
    /// blocks per multiprocessor.
    pub shared_bytes: u32,
    /// The rows' planes ([`LaneRows`](crate::distance::lane_rows::LaneRows)).
    pub rows: Global<u32>,
    /// Words per plane, and per half of `v`, for all tables together.
    pub plane_words: u64,
    /// The columns ([`TextTiles`](crate::distance::text_tiles::TextTiles)).
    pub tiles: Global<u32>,
    /// Out, and in if `resume` is not 0: Pv, 32 R words per strip, and Mv, `plane_words` words
    /// later. The order of the bits is that of `rows`.
    pub v: Global<u32>,
    /// Rows of horizontal differences between a strip and the one above it, one word per tile. The
    /// high half holds the tag. The low half holds Ph and, above it, Mh of the tile's columns, the
    /// first column in the highest bit. When the launch starts, no word may hold a tag of this
    /// launch.
    pub carries: Global<u64>,
    /// Two counters, both 0 when the launch starts. Word 0: number of claimed strips. Word 1:
    /// number of finished tiles, which a strip adds every 1,024 steps, so that the host can show
    /// progress.
    pub progress: Global<u32>,
}

/// Bits of the columns that a lane's bits are at: one bit per column, for 32 columns and the tile
/// after them, the last column in the lowest bit. `COLUMNS` is the number of columns of a tile.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Window<const COLUMNS: u32> {
    high: u32,
    low: u32,
}

impl<const COLUMNS: u32> Window<COLUMNS> {
    /// Moves on by one tile, whose columns are the low bits of `tile`.
    #[inline(always)]
    pub fn push(&mut self, tile: u32) {
        self.high = funnel_shift_left(self.low, self.high, COLUMNS);
        self.low = self.low << COLUMNS | tile;
    }

    /// Returns the bits of the columns that the lane's bits are at when bit 0 is at column
    /// `COLUMNS - 1 - left` of the tile: bit b is at the column b earlier.
    #[inline(always)]
    pub fn at(self, left: u32) -> u32 {
        funnel_shift_right(self.low, self.high, left)
    }
}

/// A lane: the planes of its rows, its part of the column, and the horizontal differences on their
/// way.
struct Lane<const R: usize, const P: usize> {
    /// Planes of the rows' symbols.
    rows: [[u32; R]; P],
    /// Pv - Mv, as a number, and Mv.
    v: [u32; R],
    minus: [u32; R],
    /// Planes of the columns' symbols.
    text: [Window<TILE>; P],
    /// Ph and Mh that left the last word in the previous column.
    last: [u32; 2],
    /// Ph and Mh of the tile's columns: incoming differences from the highest bit down, and
    /// outgoing differences below them.
    tile: [u32; 2],
}

impl<const R: usize, const P: usize> Lane<R, P> {
    /// Takes one column in each bit. `left` is the number of columns of the tile after it. With
    /// `MASKED`, bits that are 0 in `exist` keep their vertical differences.
    #[inline(always)]
    fn column<const MASKED: bool>(&mut self, left: u32, exist: u32) {
        let text = self.text.map(|window| window.at(left));
        // The 64 bits of `last` and `tile` rotate by one: the next difference comes in, and that of
        // bit 31 goes out.
        let [above_plus, mut above_minus] = [0, 1].map(|k| funnel_shift_left(self.tile[k], self.last[k], 1));
        self.tile = [0, 1].map(|k| funnel_shift_left(self.last[k], self.tile[k], 1));
        let mut above = above_plus.wrapping_sub(above_minus);
        rows!(r in R {
            let mut differ = self.rows[0][r] ^ text[0];
            unroll!(p in [1 2 3 4 5 6 7] {
                if (p as usize) < P {
                    differ = lop3::<{ A | (B ^ C) }>(differ, self.rows[p as usize][r], text[p as usize]);
                }
            });
            let (left, left_minus) = (self.v[r], self.minus[r]);
            let n = lop3::<{ A & !(B | C) }>(differ, left_minus, above_minus);
            let (left_plus, above_plus) = (left.wrapping_add(left_minus), above.wrapping_add(above_minus));
            // A difference is never both +1 and -1, so Mh' = Pv & !n does not need n: each row
            // waits for one instruction only.
            let mut minus = lop3::<{ A & (!B | C) }>(above_plus, differ, left_minus);
            above_minus = lop3::<{ A & (!B | C) }>(left_plus, differ, above_minus);
            let mut v = n.wrapping_sub(above);
            above = n.wrapping_sub(left);
            if MASKED {
                let plus = v.wrapping_add(minus) & exist | left_plus & !exist;
                minus = minus & exist | left_minus & !exist;
                v = plus.wrapping_sub(minus);
            }
            (self.v[r], self.minus[r]) = (v, minus);
        });
        self.last = [above.wrapping_add(above_minus), above_minus];
    }
}

/// The description of a strip, as needed by one of its lanes.
#[derive(Debug)]
pub(crate) struct Strip {
    /// Size of the strip in columns: the number of all tiles, the number of whole tiles, and the
    /// columns of the last tile if it is not whole.
    pub tiles: u32,
    pub whole: u32,
    pub rest: u32,
    /// The row of differences from the strip below, and the tag of its words in this launch.
    pub from_below: Global<u64>,
    pub tag_below: u32,
    /// Number of tiles of that row that this lane waits for: all that come in for lane 0, 0 for the
    /// other lanes.
    pub awaited: u32,
    /// The row of differences to the strip above. `has_strip_above` is true in lane 31 if there is
    /// such a strip.
    pub to_above: Global<u64>,
    pub tag_above: u32,
    pub has_strip_above: bool,
}

impl<const R: usize, const P: usize> Wavefront<R, P> {
    /// Words per tile.
    const WORDS: u32 = P.div_ceil(2) as u32;

    /// Computes a strip, from the first column to the last. `fields` is the strip's entry of
    /// `strips`.
    ///
    /// # Safety
    /// All lanes of the warp call it together.
    #[inline(always)]
    unsafe fn strip(self, fields: Global<u64>) {
        let lane = warp::lane_id();
        let words = fields.read(0) as usize + lane as usize * R;
        let plane_words = self.plane_words as usize;
        let n = fields.read(3);
        let (below, above) = (fields.read(4), fields.read(5));
        let tags = fields.read(6);
        let (tag_below, tag_above) = (tags as u32, (tags >> 32) as u32);
        let (tiles, whole, rest) = (n.div_ceil(TILE.into()) as u32, (n / u64::from(TILE)) as u32, n as u32 % TILE);
        let stride = fields.read(7) as u32 + 1;
        let tiles_below = fields.read(8) as u32;
        let text = self.tiles.skip(fields.read(2) as usize);
        let mut state: Lane<R, P> = Lane {
            rows: [[0; R]; P],
            v: [!0; R],
            minus: [0; R],
            text: [Window { high: 0, low: 0 }; P],
            last: [0; 2],
            tile: [0; 2],
        };
        read!(self, state, words, plane_words);
        let strip = Strip {
            tiles,
            whole,
            rest,
            from_below: self.carries.skip(below as usize),
            to_above: self.carries.skip(above as usize),
            tag_below,
            tag_above,
            awaited: if lane == 0 { tiles_below.min(tiles) } else { 0 },
            has_strip_above: lane == WARP - 1 && above != NO_NEIGHBOUR,
        };
        // Reads the inputs of the next tile a tile ahead, without a branch.
        let mut fetched = 0;
        atomic::load_64_if(strip.awaited > 0, strip.from_below, 0, &mut fetched);
        // Before a lane has begun, `tile` wraps to a huge number. For that and for tiles past the
        // end, the lane reads the spare tile.
        let ahead = |tile: u32| {
            let mut words = [0; P];
            for k in 0..Self::WORDS {
                words[k as usize] = text.read((tile.min(tiles) + k * stride) as usize);
            }
            words
        };
        let mut next_text = ahead(0u32.wrapping_sub(BEHIND * lane));
        let mut exist: Window<TILE> = Window { high: 0, low: 0 };
        let mut shuffled = TOP;
        for step in 0..tiles + LATE + BEHIND * (WARP - 1) {
            let differences_in = differences_in!(step, strip, fetched, shuffled);
            let tile = step.wrapping_sub(BEHIND * lane);
            let words = next_text;
            next_text = ahead(tile.wrapping_add(1));
            for p in 0..P {
                state.text[p].push(words[p / 2] >> (TILE * (p as u32 % 2)) & TOP);
            }
            exist.push(existing!(tile, strip));
            state.tile = [differences_in << TILE, differences_in & !TOP];
            columns!(step, strip, state, exist);
            // The outgoing differences are those of the columns two tiles before.
            let differences_out = state.tile[0] & TOP | state.tile[1] << TILE;
            hand_over!(tile.wrapping_sub(LATE), differences_out, strip);
            // SAFETY: all lanes are here: the loop's bounds are the same in all lanes.
            let (from_lane_below, exists) = unsafe { warp::warp_shuffle_up(FULL_WARP, differences_out, 1, WARP) };
            shuffled = if exists { from_lane_below } else { TOP };
            if lane == 0 && step % PROGRESS_INTERVAL == PROGRESS_INTERVAL - 1 {
                atomic::fetch_add(self.progress, 1, PROGRESS_INTERVAL);
            }
        }
        rows!(r in R {
            self.v.write(words + r, state.v[r].wrapping_add(state.minus[r]));
            self.v.write(plane_words + words + r, state.minus[r]);
        });
    }
}

#[kernel(
    max_threads = WARPS * WARP,
    threads = self.warps * WARP,
    shared = self.shared_bytes,
    instances = [
        distance_wavefront_1_2: (1, 2), distance_wavefront_2_2: (2, 2), distance_wavefront_4_2: (4, 2), distance_wavefront_8_2: (8, 2),
        distance_wavefront_12_2: (12, 2), distance_wavefront_16_2: (16, 2), distance_wavefront_19_2: (19, 2),
        distance_wavefront_1_5: (1, 5), distance_wavefront_4_5: (4, 5),
        distance_wavefront_12_5: (12, 5), distance_wavefront_19_5: (19, 5), distance_wavefront_1_6: (1, 6), distance_wavefront_4_6: (4, 6),
        distance_wavefront_12_6: (12, 6), distance_wavefront_19_6: (19, 6), distance_wavefront_1_8: (1, 8), distance_wavefront_4_8: (4, 8),
        distance_wavefront_8_8: (8, 8), distance_wavefront_12_8: (12, 8), distance_wavefront_16_8: (16, 8),
    ]
)]
pub fn distance_wavefront<const R: usize, const P: usize>(self: Wavefront<R, P>) {
    loop {
        // SAFETY: all lanes are here: they leave the loop together.
        let strip = unsafe { claim(self.progress, 0) };
        if strip >= self.count {
            break;
        }
        // SAFETY: as above.
        unsafe { self.strip(self.strips.skip(strip as usize * FIELDS)) };
    }
}
