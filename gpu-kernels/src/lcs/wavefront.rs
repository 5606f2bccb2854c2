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
//! **Cost** a lane and column: 3 W instructions for the cells and 2 for the carries
//! ([`lane_column`](crate::lcs::lane_column)), and the loads of the match words, one for every four words and one for
//! each of the two smaller parts of the table, with an address for each part. For W = 20 that is 70 instructions for
//! 640 cells. A tile costs some 60 more (for the shuffle, the carry words and the columns' symbols), and a strip's last
//! lane is done 31 tiles after its first. `docs/wavefront.md` says how W and the number of strips are chosen.

use crate::lcs::column_tiles::{GROUP, TILE, stride};
use crate::lcs::lane_column::{Lane, LaneColumn};
use simt_std::integer::dp4a;
use simt_std::prelude::*;

/// 64-bit words of an entry of [`strips`](Wavefront#structfield.strips).
pub const FIELDS: usize = 7;

/// In place of where a row of carries starts: there is none, since the strip has no neighbour on that side.
pub const NONE: u64 = !0;

/// Warps of a block at most: a strip each at a time.
pub const WARPS: u32 = 16;

/// Bytes of match words that a strip has at most. A symbol's lie at code × W × 128, and code × W must fit into a byte.
pub const TABLE_BYTES: u32 = 256 * 128;

/// Columns of a tile, for W words a lane. The 31 tiles by which a strip's last lane is late are shorter with short
/// tiles; but each tile costs some 60 instructions beside those of its columns. Lanes of few words are for short
/// strings, where the first matters more.
pub const fn tile(words: u32) -> u32 {
    if words <= 4 { TILE / 2 } else { TILE }
}

/// Steps after which a strip adds to the count of tiles done.
const REPORT: u32 = 1024;

/// Bytes of shared memory for a strip's match words, for W words a lane and an alphabet of σ symbols.
pub const fn table_bytes(words: u32, symbols: u32) -> u32 {
    symbols * words * WARP * 4
}

/// Computes all strips. With `AHEAD` match words are read a column before they are needed: that is faster for a warp
/// that has its scheduler to itself, and slower for two that share one. Launch: any number of blocks of `warps` warps;
/// they need not all be resident. `strips`, `rows` and `groups` describe the same tables, and σ W is at most 256.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Wavefront<const W: usize, const AHEAD: bool> {
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
    /// How many bit planes the rows' codes have, at most 8.
    pub planes: u32,
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

/// Where a lane's match words of a strip lie in shared memory. A symbol has W × 128 bytes, W words of each of 32 lanes,
/// in three parts by how many words a lane loads at once: four, two or one.
///
/// ```text
/// W = 7      symbol 0: | lane 0: 4 words | lane 1: 4 words | … | lane 0: 2 words | lane 1: 2 words | … | lane 0: 1 | …
///            symbol 1: …
/// ```
///
/// The hardware serves 8 lanes that load 4 words each at once, if these are in different banks. They are, whatever
/// symbol each lane reads, for a symbol moves the address by whole lines of 128 bytes, which are all 32 banks. The same
/// holds for 16 lanes that load 2 words each.
#[derive(Clone, Copy)]
struct Table<const W: usize> {
    /// For this lane, the byte addresses of symbol 0's words: in the part of four words a lane, of two, and of one.
    fours: u32,
    twos: u32,
    one: u32,
}

impl<const W: usize> Table<W> {
    /// Words of a lane that are loaded four at a time.
    const FOURS: usize = W / 4 * 4;
    /// Words of a lane that are loaded two at a time.
    const TWOS: usize = (W - Self::FOURS) / 2 * 2;

    #[inline(always)]
    fn new(address: u32, lane: u32) -> Self {
        let twos = address + Self::FOURS as u32 * 128;
        Self { fours: address + lane * 16, twos: twos + lane * 8, one: twos + Self::TWOS as u32 * 128 + lane * 4 }
    }

    /// The byte address of this lane's match word `w` of a symbol's code.
    #[inline(always)]
    fn word(&self, symbol: u32, w: usize) -> u32 {
        let symbol = symbol * W as u32 * 128;
        symbol
            + if w < Self::FOURS {
                self.fours + (w / 4 * 512 + w % 4 * 4) as u32
            } else if w < Self::FOURS + Self::TWOS {
                self.twos + (w % 2 * 4) as u32
            } else {
                self.one
            }
    }

    /// This lane's match words of the symbol whose code × W is byte `k` of `packed`. That byte times 128, which `dp4a`
    /// adds to the address, is how far the symbol's words lie behind symbol 0's.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn read(&self, packed: u32, k: u32) -> [u32; W] {
        let mut words = [0; W];
        let times = 128 << (8 * k);
        if Self::FOURS > 0 {
            let part = Shared::<U32x4>::at(dp4a(packed, times, self.fours));
            for i in 0..W / 4 {
                let U32x4(four) = part.read(i as u32 * 32);
                words[4 * i] = four[0];
                words[4 * i + 1] = four[1];
                words[4 * i + 2] = four[2];
                words[4 * i + 3] = four[3];
            }
        }
        if Self::TWOS > 0 {
            let two = Shared::<u64>::at(dp4a(packed, times, self.twos)).read(0);
            words[Self::FOURS] = two as u32;
            words[Self::FOURS + 1] = (two >> 32) as u32;
        }
        if W % 2 == 1 {
            words[W - 1] = Shared::<u32>::at(dp4a(packed, times, self.one)).read(0);
        }
        words
    }
}

impl<const W: usize, const AHEAD: bool> Wavefront<W, AHEAD>
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
    fn fill(&self, words: usize, rows: u32, table: Table<W>) {
        let lane = warp::lane_id();
        for w in 0..W {
            let mut planes = [0; 8];
            unroll!(p in [0 1 2 3 4 5 6 7] {
                if p < self.planes {
                    planes[p as usize] = self.rows.read(p as usize * self.plane_words as usize + words + w);
                }
            });
            let first = (lane * W as u32 + w as u32) * 32;
            let exist = if first >= rows { 0 } else { !0 >> (32 - (rows - first).min(32)) };
            for symbol in 0..self.symbols {
                let mut matches: u32 = exist;
                unroll!(p in [0 1 2 3 4 5 6 7] {
                    matches &= !(planes[p as usize] ^ (symbol >> p & 1).wrapping_neg());
                });
                Shared::<u32>::at(table.word(symbol, w)).write(0, matches);
            }
        }
    }

    /// Computes a strip, from the first column to the last: `fields` is its entry of `strips`.
    ///
    /// # Safety
    /// All lanes of the warp call it together.
    #[inline(always)]
    unsafe fn strip(self, fields: Global<u64>, table: Table<W>) {
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
        // `symbols` has the eight columns of this group, a byte each, and `second` those of the next one.
        let ahead = |tile: u32, group: u32| groups.read((tile.min(stride - 1) + group * stride) as usize);
        let first = if lane == 0 { 0 } else { stride };
        let (mut symbols, mut second) = (ahead(first, 0), ahead(first, 1));
        let mut early = if AHEAD { table.read(symbols as u32 * W as u32, 0) } else { [0; W] };
        let mut shuffled = 0;
        for step in 0..tiles + WARP - 1 {
            // The carries of this tile: not there yet, if the tag is another; then lane 0 reads again until they are.
            while waits && (fetched >> 32) as u32 != tag_below {
                fetched = atomic::load_64(from_below, step.min(tiles - 1) as usize);
            }
            let mut carries_in = if waits { fetched as u32 } else { shuffled };
            atomic::load_64_if(waits, from_below, (step + 1).min(tiles - 1) as usize, &mut fetched);
            // Before a lane has begun `tile` wraps to a huge number, and after its last tile it is past the end: `ahead` clamps
            // both to the spare tile.
            let tile = step.wrapping_sub(lane);
            let next_tile = (ahead(tile.wrapping_add(1), 0), ahead(tile.wrapping_add(1), 1));
            let mut carries_out = 0;
            // All columns of a tile, by `step` or by `step_if`, which takes the mask of the columns that exist as well.
            // A group is 2 × 4 columns, since `dp4a` takes the bytes of one word. With `AHEAD` the match words of a
            // column are in `early`, read during the column before.
            macro_rules! columns {
                ($step:ident $($first:expr)?) => {
                    for group in 0..Self::GROUPS {
                        // The last two turns have no third group to fetch. Rather than to branch, they read an old one
                        // again, and since nothing uses that LLVM deletes the load. The simulator would count it, and
                        // leaves it out.
                        let left_out = |turns| cfg!(not(target_arch = "nvptx64")) && group + turns >= Self::GROUPS;
                        let third = if left_out(2) {
                            0
                        } else {
                            groups.read(((group + 2).min(Self::GROUPS - 1) * stride + tile) as usize)
                        };
                        // The codes × W of four columns by one multiplication: each product fits into its byte.
                        let (low, high) = (symbols as u32 * W as u32, (symbols >> 32) as u32 * W as u32);
                        let next = second as u32 * W as u32;
                        unroll!(k in [0 1 2 3] {
                            let matches = if AHEAD { early } else { table.read(low, k) };
                            if AHEAD {
                                early = if k < 3 { table.read(low, k + 1) } else { table.read(high, 0) };
                            }
                            Lane::<W>::$step($($first,)? &mut v, &matches, &mut carries_in, &mut carries_out);
                        });
                        unroll!(k in [0 1 2 3] {
                            let matches = if AHEAD { early } else { table.read(high, k) };
                            if AHEAD {
                                early = if k < 3 {
                                    table.read(high, k + 1)
                                } else if left_out(1) {
                                    early
                                } else {
                                    table.read(next, 0)
                                };
                            }
                            Lane::<W>::$step($($first,)? &mut v, &matches, &mut carries_in, &mut carries_out);
                        });
                        (symbols, second) = (second, third);
                    }
                };
            }
            if step < whole {
                // False for a lane that has not begun, whose `tile` is huge, and for one that is done.
                if tile < whole {
                    columns!(step);
                }
            } else if tile < tiles {
                // One lane may be in the last tile, where it is not whole. All lanes take the same masked steps: if
                // only that lane did, the warp would run first its step and then the others', and the strips above
                // would wait for both.
                let mut exist: u32 = if tile < whole { !0 } else { !(!0 >> last) };
                columns!(step_if &mut exist);
            }
            // The first column's carry into the highest bit, where short tiles have left it lower.
            carries_out <<= 32 - Self::TILE;
            (symbols, second) = next_tile;
            if AHEAD {
                early = table.read(symbols as u32 * W as u32, 0);
            }
            if tells && tile < tiles {
                atomic::store_64(to_above, tile as usize, u64::from(tag_above) << 32 | u64::from(carries_out));
            }
            // SAFETY: all lanes are here: the loop's bounds are the same in each.
            let (from_lane_below, exists) = unsafe { warp::warp_shuffle_up(FULL_WARP, carries_out, 1, WARP) };
            shuffled = if exists { from_lane_below } else { 0 };
            if lane == 0 && step % REPORT == REPORT - 1 {
                atomic::fetch_add(self.progress, 1, REPORT);
            }
        }
        #[expect(clippy::needless_range_loop, reason = "by value the array would not stay in registers")]
        for w in 0..W {
            self.v.write(words + w, v[w]);
        }
    }
}

#[kernel(
    max_threads = WARPS * WARP,
    threads = self.warps * WARP,
    shared = self.shared_bytes,
    instances = [
        wavefront_1: (1, false), wavefront_2: (2, false), wavefront_3: (3, false), wavefront_4: (4, false),
        wavefront_6: (6, false), wavefront_8: (8, false), wavefront_9: (9, false), wavefront_12: (12, false),
        wavefront_14: (14, false), wavefront_16: (16, false), wavefront_18: (18, false), wavefront_20: (20, false),
        wavefront_ahead_1: (1, true), wavefront_ahead_2: (2, true), wavefront_ahead_3: (3, true), wavefront_ahead_4: (4, true),
        wavefront_ahead_6: (6, true), wavefront_ahead_8: (8, true), wavefront_ahead_10: (10, true), wavefront_ahead_12: (12, true),
        wavefront_ahead_14: (14, true), wavefront_ahead_16: (16, true), wavefront_ahead_18: (18, true), wavefront_ahead_19: (19, true),
        wavefront_ahead_20: (20, true),
    ]
)]
pub fn wavefront<const W: usize, const AHEAD: bool>(self: Wavefront<W, AHEAD>)
where
    Lane<W>: LaneColumn<W>,
{
    let lane = warp::lane_id();
    let base = dynamic_shared_mem::<u8>().address();
    let warp = thread::thread_idx_x() / WARP;
    let table = Table::<W>::new(base + warp * table_bytes(W as u32, self.symbols), lane);
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
