//! Search with insertions and deletions, for many patterns in one pass, whose fixed symbols are at
//! one end: CRISPR guides with bulges. The errors are in the other symbols, the *free* ones, of
//! which a pass has at most four different classes.
//!
//! **Problem.** Beside each match of the fixed symbols, a *site*, find the patterns whose free
//! symbols have a distance of at most k from the text, with a few insertions and deletions.
//!
//! **Idea.** A warp collects 1024 sites. For each symbol beside a site, counted from the fixed
//! symbols outwards, and each class, a lane has a word that says which of its 32 sites match:
//!
//! ```text
//!             free symbols            fixed
//! pattern     G A C G C A T A ...      N G G
//! text    . . . . . . . . . . . . . . . A G G . . .
//!             <- 1 2 3 ... outwards     a site
//!
//! lane 0's words    of site       0 1 2 3 ... 31
//! symbol 1, A                     1 0 0 1 ... 0
//! symbol 1, C                     0 1 0 0 ... 1      4 classes, up to 30 symbols
//! ```
//!
//! **Distances.** A pattern is compared with all of the sites at once, in a band of the table of
//! distances, by the cells of
//! [`pair_cell`](crate::distance::pair_cell):
//!
//! ```text
//!               symbols of a site, from the fixed ones outwards: j
//!             1   2   3   4   5   6
//! pattern 1   x   x   x                 a band of 5 cells a row: up to 2 insertions and 2
//!   i     2   x   x   x   x             deletions
//!         3   x   x   x   x   x
//!         4       x   x   x   x   x     D = the rises along the diagonal (j = i), and from
//!         5           x   x   x   x     there the differences in the last row
//! ```
//!
//! Cells beside the band count as one more than their neighbour in it. So a distance within the
//! band is exact or less, and the results are *candidates*: the host checks them.
//!
//! **Groups.** Patterns with the same fixed symbols and number of free symbols form a *group* with
//! the same sites. The two strands of guides are two groups.
//!
//! **Cost.** For a symbol of the text that of the [`planes`], for a site about 20 warp instructions
//! per symbol beside it and 32 sites, and for a pattern with C cells in a row 7 C + 12
//! instructions per symbol and 1024 sites.

use crate::distance::pair_cell::{Horizontal, Instructions, Symbols, Vertical, levenshtein};
use crate::search::match_table::{Layout, MatchTable, SYMBOLS};
use crate::search::output::SearchOutput;
use crate::search::planes::{self, TILE};
use simt_std::integer::{LOP3_A as A, LOP3_B as B, LOP3_C as C, lop3};
use simt_std::prelude::*;

/// Number of classes of free symbols: planes 0 to 3.
pub const CLASSES: usize = 4;

/// Maximum number of patterns per pass: a hit has 8 bits for its pattern.
pub const MAX_PATTERNS: u32 = 256;

/// Maximum number of symbols beside a site: free symbols and insertions.
pub const BESIDE: u32 = 30;

/// Largest k.
pub const MAX_ERRORS: u32 = 31;

/// Warps per block.
pub const WARPS: u32 = 4;

/// Number of sites that a warp collects.
const SITES: u32 = 32 * WARP;

/// Bytes of shared memory per warp: the sites, and the words of the symbols beside them.
const WARP_BYTES: u32 = 4 * (SITES + BESIDE * CLASSES as u32 * WARP);

/// Bytes of the table of symbols in shared memory, before those of the warps.
const TABLE_BYTES: u32 = Layout::Paper.bytes(2, SYMBOLS);

/// Number of 16-byte words per group in the array of groups. The first word has the range of the
/// group's patterns and the range of its fixed symbols, each as first index and end (exclusive).
/// The second has the number of fixed symbols, the number of free symbols, and 1 if the fixed
/// symbols are behind the free ones, else 0.
pub const GROUP_WORDS: usize = 2;

/// Searches a text. Launch: any number of blocks; each warp takes `tiles_per_warp` tiles, from
/// `first_tile` on. The band has `CELLS` cells a row.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Guides<const CELLS: usize> {
    /// The text: n symbols of one byte, 16 per word, padded with arbitrary bytes up to a whole
    /// tile.
    pub text: Global<U32x4>,
    /// n, 1 to 2^32 - 1.
    pub n: u64,
    /// First position whose ends are reported.
    pub first: u64,
    /// The first tile where a reported site may begin.
    pub first_tile: u64,
    /// Number of tiles per warp, at least 1.
    pub tiles_per_warp: u64,
    /// The planes of each symbol, as [`planes::of_tile`] defines them. Planes 0 to 3 are the
    /// classes of the free symbols.
    pub classes: Global<u32>,
    /// The groups, [`GROUP_WORDS`] words each, each with `CELLS` / 2 to [`BESIDE`] - `CELLS` / 2
    /// free symbols.
    pub groups: Global<U32x4>,
    /// Number of groups.
    pub group_count: u32,
    /// k, at most [`MAX_ERRORS`].
    pub k: u32,
    /// Most insertions of an occurrence, at most `CELLS` / 2.
    pub insertions: u32,
    /// Most deletions of an occurrence, at most `CELLS` / 2.
    pub deletions: u32,
    /// The fixed symbols of the groups, as [`planes::starts`] defines them; offset 0 is the first
    /// fixed symbol.
    pub fixed: Global<u32>,
    /// For each pattern the classes of its free symbols, 2 bits each, from the fixed symbols
    /// outwards.
    pub patterns: Global<u64>,
    /// For each pattern, the number that is reported with its hits.
    pub numbers: Global<u32>,
    /// Destination of the candidates: hits with k errors each, some of them several times.
    pub output: SearchOutput,
}

/// A group, as [`GROUP_WORDS`] describes it.
struct Group {
    patterns: core::ops::Range<u32>,
    fixed: core::ops::Range<u32>,
    /// Number of fixed symbols.
    base: u32,
    /// Number of free symbols.
    free: u32,
    is_behind: bool,
}

impl Group {
    #[inline(always)]
    fn read(groups: Global<U32x4>, number: u32) -> Self {
        let U32x4([first, last, first_fixed, last_fixed]) = groups.read(number as usize * GROUP_WORDS);
        let U32x4([base, free, behind, _]) = groups.read(number as usize * GROUP_WORDS + 1);
        Self { patterns: first..last, fixed: first_fixed..last_fixed, base, free, is_behind: behind != 0 }
    }
}

/// The shared memory of a warp.
#[derive(Clone, Copy)]
struct Sites {
    /// The position of each site's first fixed symbol.
    starts: Shared<u32>,
    /// The words of the lanes: lane l has word 32 (4 j + c) + l for class c of the j-th symbol
    /// outwards, from 0 on. Bit b is site 32 l + b.
    matches: Shared<u32>,
}

/// D of 32 sites, in bits: plane q has bit q of D + [`MAX_ERRORS`] - k, so that the last plane is 1
/// if D is more than k.
#[derive(Clone, Copy)]
struct Distances([u32; 6]);

impl Distances {
    #[inline(always)]
    fn zero(k: u32) -> Self {
        Self(core::array::from_fn(|q| ((MAX_ERRORS - k) >> q & 1).wrapping_neg()))
    }

    /// Adds two bits to each number.
    #[inline(always)]
    fn add(&mut self, [x, y]: [u32; 2]) {
        let mut carry = lop3::<{ (A & B) | (A & C) | (B & C) }>(self.0[0], x, y);
        self.0[0] = lop3::<{ A ^ B ^ C }>(self.0[0], x, y);
        for q in 1..6 {
            (self.0[q], carry) = (self.0[q] ^ carry, self.0[q] & carry);
        }
    }

    /// Adds 1 or -1 where these bits are 1.
    #[inline(always)]
    fn step(&mut self, plus: u32, minus: u32) {
        let mut carry = 0;
        for q in 0..6 {
            let add = if q == 0 { plus | minus } else { minus };
            let plane = self.0[q];
            self.0[q] = lop3::<{ A ^ B ^ C }>(plane, add, carry);
            carry = lop3::<{ (A & B) | (A & C) | (B & C) }>(plane, add, carry);
        }
    }

    /// Returns 1 where D is at most k.
    #[inline(always)]
    fn within(&self) -> u32 {
        !self.0[5]
    }
}

/// Computes row i of the band, of the cells from `from` on, from the row above. Returns 1 where D
/// rises along the diagonal.
#[inline(always)]
fn step<const CELLS: usize>(row: &mut [Horizontal; CELLS], from: usize, matches: Shared<u32>, first: u32) -> u32 {
    let mut left = Vertical::new(!0, 0);
    let mut rise = 0;
    unroll!(c in [0 1 2 3 4 5 6 7 8] {
        let cell = c as usize;
        if cell >= from && cell < CELLS {
            let mut h = if cell + 1 < CELLS { row[cell + 1] } else { [!0, 0] };
            let equal = matches.read(first.wrapping_add(c * CLASSES as u32 * WARP));
            if cell == CELLS / 2 {
                rise = lop3::<{ !(A | B | C) }>(equal, left.m, h[1]);
            }
            levenshtein(Instructions::Logic, Symbols::Equal(equal), &mut h, &mut left);
            row[cell] = h;
        }
    });
    rise
}

/// Returns the sites of a lane whose distance from a pattern is at most k. `matches` are the lane's
/// words.
#[inline(always)]
fn near<const CELLS: usize>(matches: Shared<u32>, codes: u64, free: u32, k: u32) -> u32 {
    let bulges = CELLS as u32 / 2;
    // The word of the band's first cell in row i. In the first rows, that is before the words.
    let first = |i: u32| {
        let code = (codes >> (2 * i)) as u32 & 3;
        (CLASSES as u32 * i + code).wrapping_sub(CLASSES as u32 * bulges).wrapping_mul(WARP)
    };
    let mut row = [[!0, 0]; CELLS];
    let mut distances = Distances::zero(k);
    unroll!(i in [0 1 2 3] {
        if i < bulges {
            let rise = step(&mut row, (bulges - i) as usize, matches, first(i));
            distances.add([rise, 0]);
        }
    });
    let mut i = bulges;
    while i < free {
        let rise = step(&mut row, 0, matches, first(i));
        let next = if i + 1 < free { step(&mut row, 0, matches, first(i + 1)) } else { 0 };
        distances.add([rise, next]);
        i += 2;
    }
    let mut near = distances.within();
    let (mut right, mut left) = (distances, distances);
    unroll!(c in [1 2 3 4] {
        let c = c as usize;
        if c <= CELLS / 2 {
            let [plus, minus] = row[CELLS / 2 + c];
            right.step(plus, minus);
            // To the left, an increase is a decrease.
            let [plus, minus] = row[CELLS / 2 + 1 - c];
            left.step(minus, plus);
            near |= right.within() | left.within();
        }
    });
    near
}

impl<const CELLS: usize> Guides<CELLS> {
    /// Computes the words of the symbols beside `count` sites, at least one.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    unsafe fn load(&self, group: &Group, table: MatchTable<2>, sites: Sites, count: u32) {
        let lane = warp::lane_id();
        let text = self.text.cast::<u8>();
        for lane_of_sites in 0..count.div_ceil(WARP) {
            let start = sites.starts.read((lane_of_sites * WARP + lane).min(count - 1));
            for j in 0..group.free + CELLS as u32 / 2 {
                // Before the text, the difference wraps to a position behind it.
                let at = if group.is_behind { start.wrapping_sub(1 + j) } else { start.wrapping_add(group.base + j) };
                let is_in_text = u64::from(at) < self.n;
                let symbol = if is_in_text { text.read(at as usize) } else { 0 };
                let [classes, _] = table.read(symbol.into(), 0);
                let classes = if is_in_text { classes } else { 0 };
                let mut word = 0;
                unroll!(c in [0 1 2 3] {
                    // SAFETY: guaranteed by the caller; the number of iterations is the warp's.
                    let ballot = unsafe { warp::warp_vote_ballot(FULL_WARP, classes >> (8 * c) & 1 != 0) };
                    if lane == c {
                        word = ballot;
                    }
                });
                if lane < CLASSES as u32 {
                    sites.matches.write((CLASSES as u32 * j + lane) * WARP + lane_of_sites, word);
                }
            }
        }
    }

    /// Compares the group's patterns with `count` sites, at least one.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    unsafe fn compare(&self, group: &Group, table: MatchTable<2>, sites: Sites, count: u32) {
        // SAFETY: guaranteed by the caller. The barriers order the sites, the words, and the next
        // sites.
        unsafe {
            warp::sync_warp(FULL_WARP);
            self.load(group, table, sites, count);
            warp::sync_warp(FULL_WARP);
        }
        let lane = warp::lane_id();
        let own = count.saturating_sub(lane * WARP);
        let own = if own >= WARP { !0 } else { (1 << own) - 1 };
        // A lane without sites has no words, and reads those of the last lane that has.
        let last = (count - 1) / WARP;
        let matches = Shared::at(sites.matches.address() + 4 * lane.min(last));
        for pattern in group.patterns.clone() {
            let mut near = near::<CELLS>(matches, self.patterns.read(pattern as usize), group.free, self.k) & own;
            while near != 0 {
                let start = sites.starts.read(lane * WARP + near.trailing_zeros());
                near &= near - 1;
                self.report(group, u64::from(start), self.numbers.read(pattern as usize));
            }
        }
        // SAFETY: as above.
        unsafe { warp::sync_warp(FULL_WARP) };
    }

    /// Reports the ends of a candidate.
    #[inline(always)]
    fn report(&self, group: &Group, start: u64, pattern: u32) {
        let behind = start + u64::from(group.base);
        let ends = match group.is_behind {
            true => behind..behind + 1,
            false => {
                behind + u64::from(group.free - self.deletions)..behind + u64::from(group.free + self.insertions) + 1
            }
        };
        let (from, to) = (ends.start.max(self.first + 1), ends.end.min(self.n + 1));
        if from < to {
            let slot = self.output.claim((to - from) as u32);
            for end in from..to {
                self.output.put_hit(slot + (end - from) as u32, end - 1, pattern, self.k);
            }
        }
    }
}

#[kernel(
    threads = WARPS * WARP,
    shared = TABLE_BYTES + WARPS * WARP_BYTES,
    instances = [guides_3: (3), guides_5: (5), guides_9: (9)]
)]
pub fn guides<const CELLS: usize>(self: Guides<CELLS>) {
    // SAFETY: all threads of the block reach this call.
    let table = unsafe { MatchTable::<2>::load_as(Layout::Paper, self.classes, WARPS) };
    let (lane, warp) = (warp::lane_id(), thread::thread_idx_x() / WARP);
    let own = dynamic_shared_mem::<u8>().address() + TABLE_BYTES + warp * WARP_BYTES;
    let sites = Sites { starts: Shared::at(own), matches: Shared::at(own + 4 * SITES) };
    let tiles = self.n.div_ceil(TILE);
    let first_tile = self.first_tile + u64::from(thread::block_idx_x() * WARPS + warp) * self.tiles_per_warp;
    let end = (first_tile + self.tiles_per_warp).min(tiles);
    for number in 0..self.group_count {
        let group = Group::read(self.groups, number);
        let mut count = 0;
        let mut tile = first_tile;
        let mut planes = planes::of_tile(self.text, tile, tiles, table);
        // A turn after the last tile compares the last sites.
        loop {
            let is_behind_last = tile >= end;
            let next = planes::of_tile(self.text, tile + 1, tiles, table);
            // SAFETY: all lanes of the warp reach this call: the tiles are the warp's.
            let above = unsafe { planes::above(&planes, &next) };
            let mut starts = match is_behind_last {
                true => 0,
                false => planes::starts(&planes, &above, self.fixed, group.fixed.clone()),
            };
            loop {
                // SAFETY: as above; all lanes leave the loop together.
                let lanes = unsafe { warp::warp_vote_ballot(FULL_WARP, starts != 0) };
                if starts != 0 {
                    let below = (lanes & warp::lanemask_lt()).count_ones();
                    sites.starts.write(count + below, (tile * TILE) as u32 + lane * 32 + starts.trailing_zeros());
                    starts &= starts - 1;
                }
                count += lanes.count_ones();
                if count > if is_behind_last { 0 } else { SITES - WARP } {
                    // SAFETY: as above: the count is the warp's.
                    unsafe { self.compare(&group, table, sites, count) };
                    count = 0;
                }
                if lanes == 0 {
                    break;
                }
            }
            if is_behind_last {
                break;
            }
            planes = next;
            tile += 1;
        }
    }
}
