//! LCS by lanes that follow one another: the last columns of many LCS tables in one launch, each as a bit-vector.
//!
//! **Problem.** The columns of an LCS table as bit-vectors, V' = (V + (V & M)) | (V & !M), as [`lcs`](crate::lcs) has
//! it: the sum's carries run from low rows to high rows, within a column.
//!
//! **Idea.** Instead of finding these carries for a whole warp at once, as [`block_step`](crate::lcs::block_step) does,
//! let each lane work a tile of 32 columns behind the lane below it: the carries out of a lane's tile are then the
//! carries into the next lane's tile, one step later. They travel packed in one word, by one shuffle a tile. The
//! recurrence is that of Crochemore, Iliopoulos, Pinzon and Reid (2001); the arrangement is this project's own.
//!
//! ```text
//! a strip: 32 lanes of W words            step    0    1    2    3    4  …
//! of 32 rows each, one warp
//!                        lane 31                                            ↑ carries of 32 columns: a word
//!                          ⋮                                                │ to the strip above
//!                        lane 2                     t0   t1   t2  …
//!                        lane 1                t0   t1   t2   t3  …         tk: tile k, columns 32 k to 32 k + 31
//!                        lane 0           t0   t1   t2   t3   t4  …         ↑ word from the strip below
//! ```
//!
//! **Strips.** A table is cut into strips of up to 1,024 W rows, each computed by one warp from the first column to the
//! last. Warps claim strips in order from a counter, so that the strip below one that waits is always running or done.
//! Lane 31's carries go to the strip above through global memory: one word of 64 bits holds the carries of a tile and a
//! tag that says they are there. Since both come by one load, no fence is needed. The word is fetched a tile before it
//! is needed.
//!
//! **Data.** The rows come as bit planes ([`row_planes`](crate::lcs::row_planes)), the columns as tiles
//! ([`column_tiles`](crate::lcs::column_tiles)). A strip makes match words of its rows' planes when it starts, and
//! keeps them in shared memory: for each symbol each lane's own, each lane in its own banks, so that no text makes a
//! bank conflict (`Table`). V stays in registers.
//!
//! **Large alphabets.** Shared memory bounds W × rows of match words, and with a row for each of 256 symbols W is 1. With D
//! [`digits`](crate::lcs::digits) a symbol there is a row for each value of each digit (32 for 256 symbols and D = 2), and
//! u = V & M becomes u = V & M0 & M1: one LOP3 as before, for twice the loads.
//!
//! **Cost** a lane and column: 3 W instructions for the cells and 2 for the carries
//! ([`lane_column`](crate::lcs::lane_column)), and the loads of the match words, one for every four words and one for
//! each of the two smaller parts of the table, with an address for each part; the loads and addresses D times. For W = 20
//! and D = 1 that is 70 instructions for 640 cells. A tile costs some 40 more (for the shuffle, the carry words and the
//! columns' symbols), most of them between those of its columns; and a strip's last lane is done 31 tiles after its first.
//! `docs/wavefront.md` says how W and the number of strips are chosen.

use crate::lcs::column_tiles::{GROUP, TILE, stride};
use crate::lcs::digits::Digits;
use crate::lcs::lane_column::{Lane, LaneColumn};
use simt_std::integer::dp4a;
use simt_std::prelude::*;

/// 64-bit words of an entry of [`strips`](Wavefront#structfield.strips).
pub const FIELDS: usize = 7;

/// In place of where a row of carries starts: there is none, since the strip has no neighbour on that side.
pub const NONE: u64 = !0;

/// Warps of a block at most: a strip each at a time.
pub const WARPS: u32 = 16;

/// Rows of match words for a digit, times W, at most. A digit's lie at value × W × 128, and value × W must fit into a
/// byte.
pub const MOST_VALUES: u32 = 256;

/// Columns of a tile, for W words a lane. The 31 tiles by which a strip's last lane is late are shorter with short
/// tiles; but each tile costs some 40 instructions beside those of its columns. Lanes of few words are for short
/// strings, where the first matters more.
pub const fn tile(words: u32) -> u32 {
    if words <= 4 { TILE / 2 } else { TILE }
}

/// Steps after which a strip adds to the count of tiles done.
const REPORT: u32 = 1024;

/// Bytes of shared memory for a strip's match words, for W words a lane and so many rows
/// ([`Digits::rows`](crate::lcs::digits::Digits::rows)).
pub const fn table_bytes(words: u32, rows: u32) -> u32 {
    rows * words * WARP * 4
}

/// Computes all strips, of W words a lane and symbols of D digits. With `AHEAD` match words are read some columns before
/// they are needed: that is faster for a warp that has its scheduler to itself, and slower for two that share one. Launch: any
/// number of blocks of `warps` warps; they need not all be resident. `strips`, `rows` and `groups` describe the same
/// tables, and the values of a digit times W are at most [`MOST_VALUES`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Wavefront<const W: usize, const D: usize, const AHEAD: bool> {
    /// [`FIELDS`] numbers a strip, in the order in which strips are claimed, each after the one below it:
    ///
    /// 0. the word where its 32 W words start, in each plane and in `v`;
    /// 1. how many rows it has, 1 to 1,024 W;
    /// 2. where the groups of its table's columns start in `groups`;
    /// 3. n, the columns of its table, at most 2^30 - 1 tiles;
    /// 4. where its row of carries in starts in `carries`, or [`NONE`];
    /// 5. where its row of carries out starts in `carries`, or [`NONE`];
    /// 6. the tags of both rows, 32 bits each and not 0: that of the carries in is low, that of the carries out high.
    pub strips: Global<u64>,
    /// How many strips there are.
    pub count: u32,
    /// σ, the size of the alphabet: codes of rows and columns are less.
    pub symbols: u32,
    /// How many bit planes the rows' codes have: more than the digits but the last have bits.
    pub planes: u32,
    /// Bits of a digit, at most 8.
    pub digit_bits: u32,
    /// Whether to go on from the columns that are in `v` (not 0), or to begin with the tables' first columns (0).
    pub resume: u32,
    /// Warps of a block.
    pub warps: u32,
    /// Bytes of shared memory of a block: at least `warps` × [`table_bytes`]. More of it than that limits how many
    /// blocks a multiprocessor holds at once.
    pub shared_bytes: u32,
    /// The rows' planes ([`RowPlanes`](crate::lcs::row_planes::RowPlanes)).
    pub rows: Global<u32>,
    /// Words of a plane, for all tables together.
    pub plane_words: u64,
    /// The columns ([`ColumnTiles`](crate::lcs::column_tiles::ColumnTiles)).
    pub groups: Global<u64>,
    /// Out, and in where `resume` is set: the bit-vectors V, 32 W words a strip.
    pub v: Global<u32>,
    /// Rows of carries, between a strip and the one above it: a word a tile, with the tag in the high half, and in the
    /// low half the carries of the tile's columns, the first column's in the highest bit. When the launch starts no
    /// word may hold a tag of this launch.
    pub carries: Global<u64>,
    /// Two counters, both 0 when the launch starts. Word 0: strips that have been claimed. Word 1: tiles that have been
    /// done, added every 1,024 steps of a strip, for the host to show how far the launch is.
    pub progress: Global<u32>,
}

/// Where a lane's match words of a strip lie in shared memory. A value of a digit, which is a symbol where D = 1, has W ×
/// 128 bytes, W words of each of 32 lanes, in three parts by how many words a lane loads at once: four, two or one. After
/// the values of digit 0 come those of digit 1, and so on.
///
/// ```text
/// W = 7      value 0: | lane 0: 4 words | lane 1: 4 words | … | lane 0: 2 words | lane 1: 2 words | … | lane 0: 1 | …
///            value 1: …
/// ```
///
/// The hardware serves 8 lanes that load 4 words each at once, if these are in different banks. They are, whatever
/// symbol each lane reads, for a value moves the address by whole lines of 128 bytes, which are all 32 banks. The same
/// holds for 16 lanes that load 2 words each.
#[derive(Clone, Copy)]
struct Table<const W: usize, const D: usize> {
    /// For this lane, the byte addresses of each digit's words of value 0: in the part of four words a lane, of two, and
    /// of one.
    fours: [u32; D],
    twos: [u32; D],
    one: [u32; D],
}

impl<const W: usize, const D: usize> Table<W, D> {
    /// Words of a lane that are loaded four at a time.
    const FOURS: usize = W / 4 * 4;
    /// Words of a lane that are loaded two at a time.
    const TWOS: usize = (W - Self::FOURS) / 2 * 2;

    #[inline(always)]
    fn new(address: u32, lane: u32, digit_bits: u32) -> Self {
        let mut table = Self { fours: [0; D], twos: [0; D], one: [0; D] };
        for d in 0..D {
            let address = address + table_bytes(W as u32, (d as u32) << digit_bits);
            let twos = address + Self::FOURS as u32 * 128;
            table.fours[d] = address + lane * 16;
            table.twos[d] = twos + lane * 8;
            table.one[d] = twos + Self::TWOS as u32 * 128 + lane * 4;
        }
        table
    }

    /// The byte address of this lane's match word `w` in a row: of a value of digit 0, or, past these, of another digit.
    #[inline(always)]
    fn word(&self, row: u32, w: usize) -> u32 {
        row * W as u32 * 128
            + if w < Self::FOURS {
                self.fours[0] + (w / 4 * 512 + w % 4 * 4) as u32
            } else if w < Self::FOURS + Self::TWOS {
                self.twos[0] + (w % 2 * 4) as u32
            } else {
                self.one[0]
            }
    }

    /// This lane's match words of the symbol of which digit d times W is byte `k` of `packed[d]`. That byte times 128,
    /// which `dp4a` adds to the address, is how far the value's words lie behind those of value 0.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn read(&self, packed: [u32; D], k: u32) -> [u32; W] {
        let mut words = [!0; W];
        let times = 128 << (8 * k);
        for (d, &packed) in packed.iter().enumerate() {
            if Self::FOURS > 0 {
                let part = Shared::<U32x4>::at(dp4a(packed, times, self.fours[d]));
                for i in 0..W / 4 {
                    let U32x4(four) = part.read(i as u32 * 32);
                    words[4 * i] &= four[0];
                    words[4 * i + 1] &= four[1];
                    words[4 * i + 2] &= four[2];
                    words[4 * i + 3] &= four[3];
                }
            }
            if Self::TWOS > 0 {
                let two = Shared::<u64>::at(dp4a(packed, times, self.twos[d])).read(0);
                words[Self::FOURS] &= two as u32;
                words[Self::FOURS + 1] &= (two >> 32) as u32;
            }
            if W % 2 == 1 {
                words[W - 1] &= Shared::<u32>::at(dp4a(packed, times, self.one[d])).read(0);
            }
        }
        words
    }
}

/// The eight columns of a group, a word of 64 bits for each digit.
type Group<const D: usize> = [u64; D];

/// Four columns of a group, the lower or the upper: their digits times W by one multiplication a digit, since each product
/// fits into its byte.
#[inline(always)]
fn times_words<const W: usize, const D: usize>(group: Group<D>, upper: bool) -> [u32; D] {
    let mut times = [0; D];
    for d in 0..D {
        times[d] = (if upper { group[d] >> 32 } else { group[d] }) as u32 * W as u32;
    }
    times
}

/// A lane of a strip on its way through the columns: what it has in registers.
struct LaneOfStrip<const W: usize, const D: usize, const AHEAD: bool> {
    table: Table<W, D>,
    v: [u32; W],
    /// The eight columns of this group and of the next one, which may be the next tile's: groups take turns in the two
    /// places, so that none has to be copied, for a copy would wait for the load.
    groups: [Group<D>; 2],
    /// With `AHEAD` the match words of the next columns, [`COLUMNS_AHEAD`](Self::COLUMNS_AHEAD) of them.
    early: [[u32; W]; 4],
    /// The carries of this tile's columns: in, the next column's in the highest bit, and out, the last column's in the
    /// lowest.
    carries_in: u32,
    carries_out: u32,
}

impl<const W: usize, const D: usize, const AHEAD: bool> LaneOfStrip<W, D, AHEAD>
where
    Lane<W>: LaneColumn<W>,
{
    /// How many columns before they are needed match words are read. A load takes as long as one or two columns of a
    /// narrow lane; wide lanes have the registers for one.
    const COLUMNS_AHEAD: u32 = match W {
        _ if !AHEAD => 0,
        1..=3 => 4,
        4 if D > 1 => 4,
        4..=8 => 2,
        _ => 1,
    };

    /// Reads the match words of the first columns, before the first step.
    #[inline(always)]
    fn begin(&mut self) {
        let low = times_words::<W, D>(self.groups[0], false);
        unroll!(k in [0 1 2 3] {
            if k < Self::COLUMNS_AHEAD {
                self.early[k as usize] = self.table.read(low, k);
            }
        });
    }

    /// The match words of column `k` of four; those of a later column are read, of these four or of the `next` four.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn matches(&mut self, four: [u32; D], next: [u32; D], k: u32) -> [u32; W] {
        let ahead = Self::COLUMNS_AHEAD;
        if ahead == 0 {
            return self.table.read(four, k);
        }
        let later = if k + ahead < 4 { self.table.read(four, k + ahead) } else { self.table.read(next, k + ahead - 4) };
        core::mem::replace(&mut self.early[(k % ahead) as usize], later)
    }

    /// The columns of the group in place `PLACE`, 2 × 4 of them, since `dp4a` takes the bytes of one word. `third` reads the
    /// group after the next one, which then has its place. If `MASKED`, a column exists if the highest bit of `exist` is set,
    /// which is shifted up by one.
    #[inline(always)]
    fn group<const PLACE: usize, const MASKED: bool>(&mut self, third: impl FnOnce() -> Group<D>, exist: &mut u32) {
        let low = times_words::<W, D>(self.groups[PLACE], false);
        let high = times_words::<W, D>(self.groups[PLACE], true);
        self.groups[PLACE] = third();
        let next = times_words::<W, D>(self.groups[1 - PLACE], false);
        unroll!(k in [0 1 2 3] {
            let matches = self.matches(low, high, k);
            self.column::<MASKED>(&matches, exist);
        });
        unroll!(k in [0 1 2 3] {
            let matches = self.matches(high, next, k);
            self.column::<MASKED>(&matches, exist);
        });
    }

    #[inline(always)]
    fn column<const MASKED: bool>(&mut self, matches: &[u32; W], exist: &mut u32) {
        if MASKED {
            Lane::<W>::step_if(exist, &mut self.v, matches, &mut self.carries_in, &mut self.carries_out);
        } else {
            Lane::<W>::step(&mut self.v, matches, &mut self.carries_in, &mut self.carries_out);
        }
    }
}

impl<const W: usize, const D: usize, const AHEAD: bool> Wavefront<W, D, AHEAD>
where
    Lane<W>: LaneColumn<W>,
{
    /// Columns of a tile.
    const TILE: u32 = tile(W as u32);
    /// Groups of columns of a tile.
    const GROUPS: u32 = Self::TILE / GROUP;

    /// Makes this lane's match words of its W words of rows, which start at `words` in each plane, for a strip of
    /// `rows` rows. Rows past the last match nothing.
    #[inline(always)]
    fn fill(&self, words: usize, rows: u32, table: Table<W, D>) {
        let lane = warp::lane_id();
        let digits = Digits { count: D as u32, bits: self.digit_bits };
        for digit in 0..D as u32 {
            // The planes of this digit, its values, and the row of the first of them.
            let below = digit * digits.bits;
            let is_last = digit + 1 == D as u32;
            let count = if is_last { self.planes - below } else { digits.bits };
            let values = if is_last { digits.last_values(self.symbols) } else { 1 << digits.bits };
            let first_row = digit << digits.bits;
            for w in 0..W {
                let mut planes = [0; 8];
                unroll!(p in [0 1 2 3 4 5 6 7] {
                    if p < count {
                        let plane = (below + p) as usize;
                        planes[p as usize] = self.rows.read(plane * self.plane_words as usize + words + w);
                    }
                });
                let first = (lane * W as u32 + w as u32) * 32;
                let exist = if first >= rows { 0 } else { !0 >> (32 - (rows - first).min(32)) };
                for value in 0..values {
                    let mut matches: u32 = exist;
                    unroll!(p in [0 1 2 3 4 5 6 7] {
                        matches &= !(planes[p as usize] ^ (value >> p & 1).wrapping_neg());
                    });
                    Shared::<u32>::at(table.word(first_row + value, w)).write(0, matches);
                }
            }
        }
    }

    /// Computes a strip, from the first column to the last: `fields` is its entry of `strips`.
    ///
    /// # Safety
    /// All lanes of the warp call it together.
    #[inline(always)]
    unsafe fn strip(self, fields: Global<u64>, table: Table<W, D>) {
        let lane = warp::lane_id();
        let words = fields.read(0) as usize + lane as usize * W;
        let n = fields.read(3);
        let (below, above) = (fields.read(4), fields.read(5));
        let tags = fields.read(6);
        let (tag_below, tag_above) = (tags as u32, (tags >> 32) as u32);
        let stride = stride(n, Self::TILE) as u32;
        // All tiles, the columns of the last one if it is not whole, and the tiles that are whole.
        let (tiles, last) = (n.div_ceil(Self::TILE.into()) as u32, n as u32 % Self::TILE);
        let whole = (n / u64::from(Self::TILE)) as u32;
        let groups = self.groups.skip(fields.read(2) as usize);
        self.fill(words, fields.read(1) as u32, table);
        let mut v = [!0; W];
        if self.resume != 0 {
            #[expect(clippy::needless_range_loop, reason = "by index the array stays in registers")]
            for w in 0..W {
                v[w] = self.v.read(words + w);
            }
        }

        let from_below = self.carries.skip(below as usize);
        let to_above = self.carries.skip(above as usize);
        // Lane 0 waits for the carries of the strip below, lane 31 hands its own to the strip above.
        let waits = lane == 0 && below != NONE;
        let tells = lane == WARP - 1 && above != NONE;
        // What the next tile needs is read a tile ahead, without a branch: where two paths join, ptxas copies the register,
        // and the copy waits for the load.
        let mut fetched = 0;
        atomic::load_64_if(waits, from_below, 0, &mut fetched);
        // The groups of the first digit lie before those of the second.
        let read = |tile: u32, group: u32| {
            let mut columns: Group<D> = [0; D];
            for (d, columns) in columns.iter_mut().enumerate() {
                *columns = groups.read(((d as u32 * Self::GROUPS + group) * stride + tile) as usize);
            }
            columns
        };
        let first = if lane == 0 { 0 } else { stride - 1 };
        let groups = [read(first, 0), read(first, 1)];
        let early = [[0; W]; 4];
        let mut lane_of_strip = LaneOfStrip::<W, D, AHEAD> { table, v, groups, early, carries_in: 0, carries_out: 0 };
        lane_of_strip.begin();
        let mut step = 0;
        let mut shuffled = 0;

        // A step: each lane's own tile. `$masked` where some lanes have not begun or are done, or one is in the last tile, which
        // may not be whole. Then all lanes take the same masked columns, of which those that do not exist change nothing:
        // were lanes to branch, the warp would run one path after the other, and the strips above would wait for both.
        macro_rules! tile {
            ($masked:literal) => {{
                // The carries of this tile: not there yet, if the tag is another; then lane 0 reads again until they are.
                while waits && (fetched >> 32) as u32 != tag_below {
                    fetched = atomic::load_64(from_below, step.min(tiles - 1) as usize);
                }
                lane_of_strip.carries_in = if waits { fetched as u32 } else { shuffled };
                atomic::load_64_if(waits, from_below, (step + 1).min(tiles - 1) as usize, &mut fetched);
                // Before a lane has begun `tile` wraps to a huge number, and after its last tile it is past the end: then it
                // reads the spare tile.
                let tile = step.wrapping_sub(lane);
                let (this, next) = if $masked {
                    (tile.min(stride - 1), tile.wrapping_add(1).min(stride - 1))
                } else {
                    (tile, tile + 1)
                };
                let mut exist: u32 = if tile < whole { !0 } else { !(!0 >> last) };
                if $masked && tile >= tiles {
                    exist = 0;
                    lane_of_strip.carries_in = 0;
                }
                for pair in 0..Self::GROUPS / 2 {
                    // Two groups on: in this tile, or in the next one.
                    let (tile, group) = if pair + 1 < Self::GROUPS / 2 { (this, 2 * pair + 2) } else { (next, 0) };
                    lane_of_strip.group::<0, $masked>(|| read(tile, group), &mut exist);
                    lane_of_strip.group::<1, $masked>(|| read(tile, group + 1), &mut exist);
                }
                // The first column's carry into the highest bit, where short tiles have left it lower.
                let carries_out = lane_of_strip.carries_out << (32 - Self::TILE);
                if tells && tile < tiles {
                    atomic::store_64(to_above, tile as usize, u64::from(tag_above) << 32 | u64::from(carries_out));
                }
                // SAFETY: all lanes are here: the loops' bounds are the same in each.
                let (from_lane_below, exists) = unsafe { warp::warp_shuffle_up(FULL_WARP, carries_out, 1, WARP) };
                shuffled = if exists { from_lane_below } else { 0 };
                step += 1;
                if lane == 0 && step % REPORT == 0 {
                    atomic::fetch_add(self.progress, 1, REPORT);
                }
            }};
        }
        // All lanes are inside from the step in which the last one begins to that in which the first one is done.
        let end = tiles + WARP - 1;
        let mut until = WARP - 1;
        loop {
            while step < until {
                tile!(true);
            }
            while step < whole {
                tile!(false);
            }
            if step == end {
                break;
            }
            until = end;
        }
        for w in 0..W {
            self.v.write(words + w, lane_of_strip.v[w]);
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
        wavefront_14: (14, 1, false), wavefront_16: (16, 1, false), wavefront_18: (18, 1, false),
        wavefront_19: (19, 1, false), wavefront_20: (20, 1, false),
        wavefront_ahead_1: (1, 1, true), wavefront_ahead_2: (2, 1, true), wavefront_ahead_3: (3, 1, true),
        wavefront_ahead_4: (4, 1, true), wavefront_ahead_6: (6, 1, true), wavefront_ahead_8: (8, 1, true),
        wavefront_ahead_10: (10, 1, true), wavefront_ahead_12: (12, 1, true), wavefront_ahead_14: (14, 1, true),
        wavefront_ahead_16: (16, 1, true), wavefront_ahead_18: (18, 1, true), wavefront_ahead_19: (19, 1, true),
        wavefront_ahead_20: (20, 1, true),
        wavefront_digits_2_4: (4, 2, false), wavefront_digits_2_6: (6, 2, false), wavefront_digits_2_8: (8, 2, false),
        wavefront_digits_2_9: (9, 2, false), wavefront_digits_2_12: (12, 2, false), wavefront_digits_2_13: (13, 2, false),
        wavefront_digits_2_14: (14, 2, false), wavefront_digits_2_18: (18, 2, false), wavefront_digits_2_20: (20, 2, false),
        wavefront_digits_ahead_2_2: (2, 2, true), wavefront_digits_ahead_2_4: (4, 2, true), wavefront_digits_ahead_2_8: (8, 2, true),
        wavefront_digits_ahead_2_12: (12, 2, true), wavefront_digits_ahead_2_13: (13, 2, true), wavefront_digits_ahead_2_14: (14, 2, true),
        wavefront_digits_3_2: (2, 3, false), wavefront_digits_3_4: (4, 3, false),
        wavefront_digits_ahead_3_4: (4, 3, true), wavefront_digits_ahead_3_8: (8, 3, true),
        wavefront_digits_4_3: (3, 4, false),
        wavefront_digits_ahead_4_2: (2, 4, true), wavefront_digits_ahead_4_6: (6, 4, true),
        wavefront_digits_5_2: (2, 5, false),
        wavefront_digits_ahead_5_1: (1, 5, true), wavefront_digits_ahead_5_2: (2, 5, true), wavefront_digits_ahead_5_4: (4, 5, true),
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
    let table = Table::<W, D>::new(base + warp * table_bytes(W as u32, rows), lane, self.digit_bits);
    loop {
        let mut claimed = 0;
        if lane == 0 {
            claimed = atomic::fetch_add(self.progress, 0, 1);
        }
        // SAFETY: all lanes are here: they leave the loop together.
        let (strip, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, claimed, 0, WARP) };
        if strip >= self.count {
            break;
        }
        // SAFETY: as above.
        unsafe { self.strip(self.strips.skip(strip as usize * FIELDS), table) };
    }
}
