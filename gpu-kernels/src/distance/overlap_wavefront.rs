//! Scores of overlaps by lanes that follow one another: computes the last columns of many tables in
//! one launch, in bit lanes.
//!
//! **Problem.** S\[i\]\[j\] is the score of the best alignment of a suffix of A's first i symbols,
//! or of B's first j symbols, with all of the other: 2 for a match, -2 for a substitution, -3 for a
//! symbol that only one string has. All scores at the left and upper border of the table are equal,
//! or each symbol there has -3. From row to row and from column to column, a score changes by -3 to
//! +5, so a difference plus 3 has four bits (after Suzuki, Kasahara 2018). With the differences h
//! along a row and v along a column, a cell is
//!
//! ```text
//!               h
//!               |              x  = max(8 or 4, h, v)       8 if the symbols are equal
//!        v  +---v---+  v'      h' = x - v
//!        -> |  cell |  ->      v' = x - h
//!           +---|---+
//!               v              23 instructions of three operands,
//!               h'             for a cell in each bit of a word
//! ```
//!
//! The bits of a word are cells that do not touch one another, and the numbers are in bit planes: a
//! word for each of the four bits. Lanes, strips and tiles are those of the edit distance's
//! [`wavefront`](crate::distance::wavefront), except that a tile has 8 columns, since a word has
//! room for four bits of each. A lane is five tiles behind the lane below it: four for its 32 bits,
//! one for the tile.
//!
//! **Cost** per lane and column, with P planes: R (23 + P) logic instructions for 32 R cells, and
//! about P + 12 for the shifts.

use crate::collectives::claim::claim;
use crate::distance::wavefront::{PROGRESS_INTERVAL, Strip, Window, differences_in, hand_over, rows};
use crate::lcs::wavefront::NO_NEIGHBOUR;
use simt_std::integer::{LOP3_A as A, LOP3_B as B, LOP3_C as C, funnel_shift_left, lop3, opaque};
use simt_std::prelude::*;

pub use crate::distance::wavefront::{FIELDS, WARPS};

/// Bits of a difference.
pub const BITS: usize = 4;

/// Columns per tile: the differences of a tile go from lane to lane in one word of 32 bits.
pub const TILE: u32 = 8;

/// Distance of a lane from the lane below it, in tiles.
pub const BEHIND: u32 = 32 / TILE + 1;

/// Tiles that a lane takes after its last columns come in, until they leave its last bit.
const LATE: u32 = 32 / TILE;

/// Columns per iteration of the inner loop.
const UNROLLED: u32 = 2;

/// The columns of a tile, one bit each.
const ALL: u32 = (1 << TILE) - 1;

/// Differences plus 3 of 32 cells, in bit planes.
type Difference = [u32; BITS];

/// Returns the planes of one number, with `ones` in the planes of its bits.
#[inline(always)]
fn planes(number: u32, ones: u32) -> Difference {
    [0, 1, 2, 3].map(|k| if number >> k & 1 == 1 { ones } else { 0 })
}

/// Packs 8 bits of each plane into a word.
#[inline(always)]
fn packed([a, b, c, d]: Difference) -> u32 {
    a | b << TILE | c << (2 * TILE) | d << (3 * TILE)
}

/// The differences out of a cell, or of 32 cells.
struct Cell {
    h: Difference,
    v: Difference,
}

/// The greatest of three numbers. It is 4 to 8, so bit 2 is the opposite of bit 3.
#[derive(Clone, Copy)]
struct Greatest {
    bits: [u32; 2],
    eight: u32,
}

impl Greatest {
    /// Returns the greatest number minus another one that is not greater.
    #[inline(always)]
    fn minus(self, other: Difference) -> Difference {
        let [x0, x1] = self.bits;
        let borrow = lop3::<{ !A & B }>(x0, other[0], 0);
        let first = lop3::<{ A ^ B ^ C }>(x1, other[1], borrow);
        let borrow = lop3::<{ (!A & (B | C)) | (B & C) }>(x1, other[1], borrow);
        let second = lop3::<{ !(A ^ B ^ C) }>(self.eight, other[2], borrow);
        let borrow = lop3::<{ (A & (B | C)) | (B & C) }>(self.eight, other[2], borrow);
        [x0 ^ other[0], first, second, lop3::<{ A ^ B ^ C }>(self.eight, other[3], borrow)]
    }
}

impl Cell {
    /// Computes 32 cells. A bit of `differ` is 1 if the cell's symbols differ.
    #[inline(always)]
    fn new(differ: u32, h: Difference, v: Difference) -> Self {
        let eight = lop3::<{ !A | B | C }>(differ, h[3], v[3]);
        // The lower bits are those of h or v if one of them is 5 to 7; with 4 or 8 they are 0.
        let low = lop3::<{ (A | B) & !C }>(h[2], v[2], eight);
        let greater = lop3::<{ A & !B }>(h[0], v[0], 0);
        let greater = lop3::<{ (A & !B) | (!(A ^ B) & C) }>(h[1], v[1], greater);
        let takes_h = lop3::<{ A & (!B | C) }>(h[2], v[2], greater);
        let bits = [0, 1].map(|k| lop3::<{ (A & B) | (!A & C) }>(takes_h, h[k], v[k]) & low);
        let greatest = Greatest { bits, eight };
        Self { h: greatest.minus(v), v: greatest.minus(h) }
    }
}

/// Computes all strips. Launch: any number of blocks of `warps` warps; they need not all be
/// resident. `strips`, `rows` and `tiles` describe the same tables. R is at most 32, P at least 1.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct OverlapWavefront<const R: usize, const P: usize> {
    /// [`FIELDS`] numbers per strip, as for the
    /// [edit distance](crate::distance::wavefront::Wavefront#structfield.strips). Above tiles that
    /// do not come in, h is `border`.
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
    /// Difference plus 3 along the left and upper border of the tables, 0 to 8.
    pub border: u32,
    /// The rows' planes ([`LaneRows`](crate::distance::lane_rows::LaneRows)).
    pub rows: Global<u32>,
    /// Words per plane, and per quarter of `v`, for all tables together.
    pub plane_words: u64,
    /// The columns ([`TextTiles`](crate::distance::text_tiles::TextTiles)).
    pub tiles: Global<u32>,
    /// Out, and in if `resume` is not 0: the planes of the differences along the last column,
    /// `plane_words` words each. The order of the bits is that of `rows`.
    pub v: Global<u32>,
    /// Rows of differences between a strip and the one above it, one word per tile. The high half
    /// holds the tag. The low half holds 8 bits of each plane, the lowest plane first, with the
    /// tile's first column in the highest bit. When the launch starts, no word may hold a tag of
    /// this launch.
    pub carries: Global<u64>,
    /// Two counters, both 0 when the launch starts: the numbers of claimed strips and of finished
    /// tiles.
    pub progress: Global<u32>,
}

/// A lane: the planes of its rows, its part of the column, and the differences on their way.
struct Lane<const R: usize, const P: usize> {
    /// Planes of the rows' symbols.
    rows: [[u32; R]; P],
    v: [Difference; R],
    /// Planes of the columns' symbols.
    text: [Window<TILE>; P],
    /// Differences that left the last word in the previous column.
    last: Difference,
    /// Differences of the tile's columns: incoming ones from the highest bit down, and outgoing
    /// ones below them.
    tile: Difference,
}

impl<const R: usize, const P: usize> Lane<R, P> {
    /// Takes one column in each bit. `left` is the number of columns of the tile after it. With
    /// `MASKED`, bits that are 0 in `exist` keep their differences.
    #[inline(always)]
    fn column<const MASKED: bool>(&mut self, left: u32, exist: u32) {
        let text = self.text.map(|window| window.at(left));
        // The 64 bits of `last` and `tile` rotate by one: the next difference comes in, and that of
        // bit 31 goes out.
        let mut h = [0, 1, 2, 3].map(|k| funnel_shift_left(self.tile[k], self.last[k], 1));
        self.tile = [0, 1, 2, 3].map(|k| funnel_shift_left(self.last[k], self.tile[k], 1));
        rows!(r in R {
            let mut differ = self.rows[0][r] ^ text[0];
            unroll!(p in [1 2 3 4 5 6 7] {
                if (p as usize) < P {
                    differ = lop3::<{ A | (B ^ C) }>(differ, self.rows[p as usize][r], text[p as usize]);
                }
            });
            let before = self.v[r];
            let cell = Cell::new(differ, h, before);
            h = cell.h;
            self.v[r] = cell.v;
            if MASKED {
                self.v[r] = [0, 1, 2, 3].map(|k| lop3::<{ (A & B) | (!A & C) }>(exist, cell.v[k], before[k]));
            }
        });
        self.last = h;
    }

    /// Takes the columns of a tile.
    #[inline(always)]
    fn tile(&mut self, inner: bool, exist: Window<TILE>) {
        if inner {
            for turn in 0..opaque(TILE / UNROLLED) {
                let left = TILE - UNROLLED - turn * UNROLLED;
                unroll!(k in [1 0] { self.column::<false>(left + k, 0); });
            }
        } else {
            for column in 0..opaque(TILE) {
                let left = TILE - 1 - column;
                self.column::<true>(left, exist.at(left));
            }
        }
    }
}

impl<const R: usize, const P: usize> OverlapWavefront<R, P> {
    /// Words per tile of 16 columns.
    const WORDS: u32 = P.div_ceil(2) as u32;

    /// Reads a lane's rows, and its part of the first column.
    #[inline(always)]
    fn first(self, words: usize) -> Lane<R, P> {
        let plane_words = self.plane_words as usize;
        let mut state: Lane<R, P> = Lane {
            rows: [[0; R]; P],
            v: [planes(self.border, !0); R],
            text: [Window::default(); P],
            last: [0; BITS],
            tile: [0; BITS],
        };
        unroll!(p in [0 1 2 3 4 5 6 7] {
            if (p as usize) < P {
                rows!(r in R {
                    state.rows[p as usize][r] = self.rows.read(p as usize * plane_words + words + r);
                });
            }
        });
        if self.resume != 0 {
            rows!(r in R {
                state.v[r] = [0, 1, 2, 3].map(|k| self.v.read(k * plane_words + words + r));
            });
        }
        state
    }

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
        let tags = fields.read(6);
        let above = fields.read(5);
        let strip = Strip {
            tiles: n.div_ceil(TILE.into()) as u32,
            whole: (n / u64::from(TILE)) as u32,
            rest: n as u32 % TILE,
            from_below: self.carries.skip(fields.read(4) as usize),
            to_above: self.carries.skip(above as usize),
            tag_below: tags as u32,
            tag_above: (tags >> 32) as u32,
            awaited: if lane == 0 { fields.read(8) as u32 } else { 0 },
            has_strip_above: lane == WARP - 1 && above != NO_NEIGHBOUR,
        };
        // The prepared columns are in tiles of 16.
        let stride = (fields.read(7) as u32).div_ceil(2) + 1;
        let last = strip.tiles.div_ceil(2);
        let text = self.tiles.skip(fields.read(2) as usize);
        let ahead = |tile: u32| {
            let mut words = [0; P];
            for k in 0..Self::WORDS {
                // Before a lane has begun, `tile` wraps to a huge number. For that and for tiles
                // past the end, the lane reads a spare tile.
                words[k as usize] = text.read(((tile / 2).min(last) + k * stride) as usize);
            }
            words
        };
        let mut state = self.first(words);
        // Reads the inputs of the next tile a tile ahead, without a branch.
        let mut fetched = 0;
        atomic::load_64_if(strip.awaited > 0, strip.from_below, 0, &mut fetched);
        let mut next_text = ahead(0u32.wrapping_sub(BEHIND * lane));
        let mut exist: Window<TILE> = Window::default();
        let top = packed(planes(self.border, ALL));
        let mut shuffled = top;
        for step in 0..strip.tiles + LATE + BEHIND * (WARP - 1) {
            let differences_in = differences_in!(step, strip, fetched, shuffled);
            let tile = step.wrapping_sub(BEHIND * lane);
            let words = next_text;
            next_text = ahead(tile.wrapping_add(1));
            for p in 0..P {
                let two = words[p / 2] >> (2 * TILE * (p as u32 % 2));
                state.text[p].push(two >> (TILE * (1 - tile % 2)) & ALL);
            }
            exist.push(match tile {
                tile if tile < strip.whole => ALL,
                tile if tile == strip.whole => ALL & !(ALL >> strip.rest),
                _ => 0,
            });
            state.tile = [0, 1, 2, 3].map(|k| differences_in >> (TILE * k) << (32 - TILE));
            state.tile(step >= LATE + BEHIND * (WARP - 1) && step < strip.whole, exist);
            // The outgoing differences are those of the columns four tiles before.
            let differences_out = packed(state.tile.map(|plane| plane & ALL));
            hand_over!(tile.wrapping_sub(LATE), differences_out, strip);
            // SAFETY: all lanes are here: the loop's bounds are the same in all lanes.
            let (from_lane_below, exists) = unsafe { warp::warp_shuffle_up(FULL_WARP, differences_out, 1, WARP) };
            shuffled = if exists { from_lane_below } else { top };
            if lane == 0 && step % PROGRESS_INTERVAL == PROGRESS_INTERVAL - 1 {
                atomic::fetch_add(self.progress, 1, PROGRESS_INTERVAL);
            }
        }
        rows!(r in R {
            unroll!(k in [0 1 2 3] {
                self.v.write(k as usize * plane_words + words + r, state.v[r][k as usize]);
            });
        });
    }
}

#[kernel(
    max_threads = WARPS * WARP,
    threads = self.warps * WARP,
    shared = self.shared_bytes,
    instances = [
        overlap_wavefront_1_2: (1, 2), overlap_wavefront_4_2: (4, 2), overlap_wavefront_12_2: (12, 2),
        overlap_wavefront_1_8: (1, 8), overlap_wavefront_4_8: (4, 8), overlap_wavefront_8_8: (8, 8),
    ]
)]
pub fn overlap_wavefront<const R: usize, const P: usize>(self: OverlapWavefront<R, P>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares all possible cells, one per bit, with the recurrence.
    #[test]
    fn cells_are_those_of_the_recurrence() {
        let numbers = |of: &[u32]| [0, 1, 2, 3].map(|k| (0..).zip(of).map(|(b, number)| (number >> k & 1) << b).sum());
        for equal in [false, true] {
            for h in 0..=8 {
                let v: Vec<u32> = (0..=8).collect();
                let cell = Cell::new(if equal { 0 } else { !0 }, planes(h, !0), numbers(&v));
                let x = |v: u32| h.max(v).max(if equal { 8 } else { 4 });
                let of_h: Vec<u32> = v.iter().map(|&v| x(v) - v).collect();
                let of_v: Vec<u32> = v.iter().map(|&v| x(v) - h).collect();
                assert_eq!(cell.h.map(|plane| plane & 0x1ff), numbers(&of_h), "{equal} {h}");
                assert_eq!(cell.v.map(|plane| plane & 0x1ff), numbers(&of_v), "{equal} {h}");
            }
        }
    }
}
