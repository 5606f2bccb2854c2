//! LCS by lanes that follow one another: the last columns of many LCS tables in one launch.
//!
//! **Idea.** The carries of the bit-vector's addition run from low rows to high rows, within a column. Instead of finding
//! them for a whole warp at once, let each lane work a tile of 32 columns behind the lane below it: the carries out of a
//! lane's tile are then the carries into the next lane's tile, one step later. They travel packed in one word, by one
//! shuffle a tile, and nothing has to be looked ahead.
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
//! **Strips** are claimed in order from a counter, so that the strip below one that waits is always running or done.
//! Lane 31's carries go to the strip above through global memory: 64 bits that hold the carries and a tag together need no
//! fence, and are fetched a tile before they are needed.
//!
//! **Match words** lie in shared memory, the lane's own for each symbol, each lane in its own banks: no conflicts on any
//! text (`Table`). A strip makes them from the rows' bit planes when it starts.
//!
//! **Cost.** 3 W instructions a lane and column for the cells ([`lane_column`](crate::lcs::lane_column)), 2 for the carries, one
//! a part of the table for the address, and the loads; about 30 a tile.

use crate::lcs::column_tiles::{GROUP, TILE, stride};
use crate::lcs::lane_column::{Lane, LaneColumn};
use simt_std::integer::dp4a;
use simt_std::prelude::*;

/// Words of an entry of [`strips`](Wavefront#structfield.strips).
pub const FIELDS: usize = 7;

/// Where a strip has no neighbour: no row of carries.
pub const NONE: u64 = !0;

/// Warps in a block at most.
pub const WARPS: u32 = 16;

/// Bytes of match words that a strip has at most: an address is a byte times 128.
pub const TABLE_BYTES: u32 = 256 * 128;

/// Columns of a tile, for W words a lane. Each lane runs a tile behind the one below it, and a step costs some 60
/// instructions beside those of its columns: where these are few, because the strings are short, short tiles are better.
pub const fn tile(words: u32) -> u32 {
    if words <= 4 { TILE / 2 } else { TILE }
}

/// Tiles after which a strip tells how far it is.
const REPORT: u32 = 1024;

/// Bytes of a strip's match words, for W words a lane and σ symbols.
pub const fn table_bytes(words: u32, symbols: u32) -> u32 {
    symbols * words * WARP * 4
}

/// Computes all strips; where `AHEAD` is set, with match words that are read a column before they are needed, which is
/// faster for a warp that has its scheduler to itself, and slower for two. Launch: any number of blocks of `warps` warps;
/// they need not all be resident. All of `strips`, `planes` and `groups` describes the same tables; σ W ≤ 256.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Wavefront<const W: usize, const AHEAD: bool> {
    /// Of each strip, in the order in which they are claimed (a strip after the one below it):
    /// 0. where its words start, in a plane and in `v`; 32 W of them;
    /// 1. its rows, 1 to 1,024 W;
    /// 2. where its table's groups of columns start;
    /// 3. n, at most 2^30 - 1 tiles;
    /// 4. where its row of carries in starts, or [`NONE`];
    /// 5. where its row of carries out starts, or [`NONE`];
    /// 6. the tags of both rows, that of the carries in low; not 0.
    pub strips: Global<u64>,
    /// How many strips there are.
    pub count: u32,
    /// σ.
    pub symbols: u32,
    /// Bit planes of the codes.
    pub planes: u32,
    /// Whether the tables go on from what is in `v`; else they start.
    pub resume: u32,
    /// Warps of a block.
    pub warps: u32,
    /// Bytes of shared memory a block: at least `warps` × [`table_bytes`]; more keeps other blocks off the multiprocessor.
    pub shared_bytes: u32,
    /// The rows' planes ([`RowPlanes`](crate::lcs::row_planes::RowPlanes)).
    pub rows: Global<u32>,
    /// Words of a plane.
    pub plane_words: u64,
    /// The columns ([`ColumnTiles`](crate::lcs::column_tiles::ColumnTiles)).
    pub groups: Global<u64>,
    /// The bit-vectors.
    pub v: Global<u32>,
    /// The rows of carries, a word a tile: the tag high, the carries low, the first column in the highest bit. No word
    /// may hold a tag of this launch when it starts.
    pub carries: Global<u64>,
    /// 0: strips claimed; 1: tiles done, now and then. Both 0 when the launch starts.
    pub progress: Global<u32>,
}

/// A lane's match words of a strip, in shared memory: for each symbol W × 128 bytes.
///
/// ```text
/// W = 7      symbol 0: | lane 0: 4 words | lane 1: 4 words | … | lane 0: 2 words | lane 1: 2 words | … | lane 0: 1 | …
///            symbol 1: …
/// ```
///
/// 8 lanes that load 4 words each are served at once, from all 32 banks, whatever the symbols, for a symbol moves the
/// address by whole lines of 128 bytes. The same holds for 16 lanes that load 2 words.
#[derive(Clone, Copy)]
struct Table<const W: usize> {
    /// The byte addresses of symbol 0's part of 4, of 2 words and of 1 word a lane, for this lane.
    fours: u32,
    twos: u32,
    one: u32,
}

impl<const W: usize> Table<W> {
    const FOURS: usize = W / 4 * 4;
    const TWOS: usize = (W - Self::FOURS) / 2 * 2;

    #[inline(always)]
    fn new(address: u32, lane: u32) -> Self {
        let twos = address + Self::FOURS as u32 * 128;
        Self { fours: address + lane * 16, twos: twos + lane * 8, one: twos + Self::TWOS as u32 * 128 + lane * 4 }
    }

    /// The byte address of a word of a symbol.
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

    /// The words of the symbol whose code × W is byte `k` of `packed`: the byte times 128 is where it lies.
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
    const TILE: u32 = tile(W as u32);
    const GROUPS: u32 = Self::TILE / GROUP;

    /// Makes this lane's match words: rows past the strip's last match nothing.
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

    /// Takes a strip through all columns.
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
        let waits = lane == 0 && below != NONE;
        let tells = lane == WARP - 1 && above != NONE;
        // What the next tile needs is read a tile ahead, without a branch: where two paths join, ptxas copies the register,
        // and the copy waits for the load.
        let mut fetched = 0;
        atomic::load_64_if(waits, from_below, 0, &mut fetched);
        // This group's columns and the next one's.
        let ahead = |tile: u32, group: u32| groups.read((tile.min(stride - 1) + group * stride) as usize);
        let first = if lane == 0 { 0 } else { stride };
        let (mut symbols, mut second) = (ahead(first, 0), ahead(first, 1));
        let mut early = if AHEAD { table.read(symbols as u32 * W as u32, 0) } else { [0; W] };
        let mut shuffled = 0;
        for step in 0..tiles + WARP - 1 {
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
            // All columns of a tile, by a step of the lane that takes these arguments first.
            macro_rules! columns {
                ($step:ident $($first:expr)?) => {
                    for group in 0..Self::GROUPS {
                        // In the last turns no third group is left: an old one is read again, which LLVM deletes, rather than to
                        // branch. The simulator leaves it out, so that it does not count it.
                        let left_out = |turns| cfg!(not(target_arch = "nvptx64")) && group + turns >= Self::GROUPS;
                        let third = if left_out(2) {
                            0
                        } else {
                            groups.read(((group + 2).min(Self::GROUPS - 1) * stride + tile) as usize)
                        };
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
                // A lane that has not begun is past the last tile.
                if tile < whole {
                    columns!(step);
                }
            } else if tile < tiles {
                // One lane may be in a last tile that is not whole. All go the same way: were it to go its own, a step
                // would take twice as long, and the strips above wait for these steps.
                let mut exist: u32 = if tile < whole { !0 } else { !(!0 >> last) };
                columns!(step_if &mut exist);
            }
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
