//! Shift-Or and Wu-Manber as inclusive scans: Mitani, Ino and Hagihara (2017), algorithms 1 to 3 and table 1. For
//! patterns of up to 64 symbols and up to 3 errors.
//!
//! **Idea.** A symbol's mismatch word M is the sum of one symbol, and joined by an associative operator
//! ([`scan`](super::scan)) the sums up to a symbol are the automaton's state there. So all threads of a block work on
//! one segment of the text, and join level by level:
//!
//! ```text
//! level          what it does                            halo   what it waits for
//! grid           segments, each its own                  yes    nothing
//! thread block   disjoint: its 8 warps are joined        no     two barriers a level
//!                overlapping: each warp has a segment    yes    nothing
//! warp           inclusive scan of its threads' sums     no     shuffles
//! thread         sums of its α symbols, in sequence      no     nothing
//!
//! a thread's symbols s0  s1  s2  s3     α = 4
//! local sums         s0  01  02  03     in sequence; the last goes into the warp's scan, and then the block's
//! last addition      each joined behind `before`, the sum of all symbols before s0: the state after each symbol
//! ```
//!
//! The last addition can be skipped when m ≤ w - α + 1: the pattern is then extended by α - 1 *wildcards*, bits above
//! it that match everything, so that the last symbol's word has the acceptance of all α symbols: the i-th before it is
//! in bit m - 1 + i.
//!
//! **With errors** (algorithm 2) there is such a scan for each level d, whose summands need the states N of level d - 1
//! before and with each symbol. In the wildcards no errors are made: N has ones there, which the paper does not say.
//!
//! **Cost.** For 16 symbols a thread (α = 16, w = 32) the loop over segments has 446 instructions with k = 0 and 627
//! with k = 1, some 28 and 39 a symbol (sm_90): the local sums and the last addition are an operator each a symbol and
//! level, beside an address and a load for M. [`shift_or`](crate::search::shift_or) and
//! [`wu_manber`](crate::search::wu_manber), this project's own, take 4 and some 9.

use crate::search::match_table::{self, Layout, MatchTable};
use crate::search::published::scan::{Bits, ShiftOrSum, Stretch, WuManberSum, thread_scan, warp_scan, warps_before};
use crate::search::published::thread_symbols::{each, put, symbols};
use core::marker::PhantomData;
use simt_std::prelude::*;

/// Warps of a block.
const WARPS: u32 = 8;

/// Threads of a block.
pub const THREADS: u32 = WARPS * WARP;

/// Searches a text for a pattern. Launch: any number of blocks, which take a segment at a time (disjoint), or eight
/// (overlapping). A segment is [`segment`](Self::segment) - `halo` symbols long.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ScanSearch<W, const WORDS: usize, const ALPHA: usize, const LEVELS: usize> {
    /// The text: n symbols of a byte; after the last one any, up to a multiple of 16.
    pub text: Global<u8>,
    /// n, at least 1.
    pub n: u64,
    /// The first position whose results are wanted, a multiple of 32: the text before it is context.
    pub first: u64,
    /// How many segments there are from `first` on (disjoint), or how many groups of eight (overlapping).
    pub segments: u64,
    /// Blocks of the launch: a block's next segment is so many further on.
    pub blocks: u32,
    /// Symbols before a segment: a multiple of 32, at least m + k - 1, less than a segment.
    pub halo: u32,
    /// m, 1 to w.
    pub m: u32,
    /// Disjoint (not 0): a block's warps are joined, on one segment. Overlapping (0): each warp has its own.
    pub disjoint: u32,
    /// How the table lies in shared memory: a copy for every bank (not 0), or the paper's layout (0).
    pub banks: u32,
    /// The mismatch words, as [`match_table`] has them: the pattern's symbol i has bit i.
    pub table: Global<u32>,
    /// Out: a byte a position, 1 where an occurrence ends, else 0; n bytes, rounded up to a multiple of 16.
    pub bytes: Global<u8>,
    /// The type of a word: `u32` or `u64`, w = 32 or 64 bits.
    pub word: PhantomData<W>,
}

impl<W: Bits, const WORDS: usize, const ALPHA: usize, const LEVELS: usize> ScanSearch<W, WORDS, ALPHA, LEVELS> {
    /// The scan of a level. `values` are a thread's summands, one a symbol, and become its local sums; `initial` is the
    /// sum of all that is before the segment and its halo.
    ///
    /// # Safety
    /// All threads of the block call it together.
    #[inline(always)]
    unsafe fn scan<S: Stretch>(&self, values: &mut [S; ALPHA], initial: S) -> Sums<S> {
        shared_array!(totals: [U32x4; 8]);
        let (lane, number) = (warp::lane_id(), thread::thread_idx_x() / WARP);
        let disjoint = self.disjoint != 0;
        let first = lane == 0 && (number == 0 || !disjoint);
        let window = self.m + ALPHA as u32;
        if first {
            values[0] = initial.then(values[0], 1);
        }
        thread_scan(values);
        // SAFETY: the caller's, as below.
        let mut last = unsafe { warp_scan(values[ALPHA - 1], ALPHA as u32, window) };
        let mut left = initial;
        if disjoint {
            // SAFETY: as above: every block has one value of `disjoint`.
            let warps = unsafe { warps_before(last, WARP * ALPHA as u32, window, totals) };
            if let Some(sum) = warps {
                last = sum.then(last, (lane + 1) * ALPHA as u32);
                left = sum;
            }
        }
        // SAFETY: as above.
        let (below, exists) = unsafe { last.below(1) };
        Sums { before: if exists { below } else { left }, last }
    }

    /// Symbols of a segment and the halo before it: α for each thread that works on it.
    pub const fn segment(disjoint: bool) -> u64 {
        (ALPHA as u32 * if disjoint { THREADS } else { WARP }) as u64
    }

    /// Searches segment `number` (disjoint), or the eight segments of group `number` (overlapping).
    ///
    /// # Safety
    /// All threads of the block call it together, with the same number.
    #[inline(always)]
    unsafe fn segment_number(&self, number: u64, table: MatchTable<WORDS>) {
        let (disjoint, thread) = (self.disjoint != 0, thread::thread_idx_x());
        let (segment, within) = if disjoint {
            (number, thread)
        } else {
            (number * u64::from(WARPS) + u64::from(thread / WARP), thread % WARP)
        };
        let start = self.first + segment * (Self::segment(disjoint) - u64::from(self.halo));
        // This thread's first position: before the text it wraps to a huge number.
        let at = (start + u64::from(within * ALPHA as u32)).wrapping_sub(self.halo.into());
        let last_place = (self.n - 1) / 16 * 16;
        let inside = at.min(last_place + 16 - ALPHA.min(16) as u64);
        let packed = symbols::<ALPHA>(self.text, if ALPHA == 32 { at.min(last_place) } else { inside });

        let pattern = !W::ones_from(self.m);
        let mut masks = [pattern; ALPHA];
        each!(i in ALPHA {
            if at.wrapping_add(i as u64) < self.n {
                let words = table.read(packed[i / 4], (i % 4) as u32);
                masks[i] = W::from_halves(words[0], words[WORDS - 1]);
            }
        });

        // Whether the last symbol's word has the acceptance of all of the thread's symbols, thanks to wildcards.
        let extended = self.m + ALPHA as u32 <= W::WIDTH + 1;
        let mut sums = [ShiftOrSum(pattern); ALPHA];
        each!(i in ALPHA {
            sums[i] = ShiftOrSum(masks[i]);
        });
        // SAFETY: as above.
        let found = unsafe { self.scan(&mut sums, ShiftOrSum(pattern)) };
        let (mut before, mut last) = (found.before.0, found.last.0);
        let mut states = masks;
        each!(i in ALPHA {
            states[i] = found.before.then(sums[i], i as u32 + 1).0;
        });
        for d in 1..LEVELS as u32 {
            // Wildcards match at every level: they cost no error.
            let wildcards = W::ones_from(self.m);
            let mut sums = [WuManberSum { x: pattern, y: pattern }; ALPHA];
            each!(i in ALPHA {
                let old = if i == 0 { before } else { states[i - 1] };
                let n = (old & old.up(1) & states[i].up(1)) | wildcards;
                sums[i] = WuManberSum { x: !n, y: masks[i] & n };
            });
            let initial = WuManberSum { x: W::ones_from(W::WIDTH), y: W::ones_from(d) & pattern };
            // SAFETY: as above.
            let found = unsafe { self.scan(&mut sums, initial) };
            (before, last) = (found.before.y, found.last.y);
            each!(i in ALPHA {
                states[i] = found.before.then(sums[i], i as u32 + 1).y;
            });
        }

        let mut ends = 0;
        each!(i in ALPHA {
            let (word, bit) =
                if extended { (last, self.m - 1 + (ALPHA - 1 - i) as u32) } else { (states[i], self.m - 1) };
            let accepted = !word.low_from(bit) & 1;
            if at.wrapping_add(i as u64) < self.n {
                ends |= accepted << i;
            }
        });
        // A thread whose symbols are in the halo, or after the text, writes nothing.
        let own = within * ALPHA as u32 >= self.halo && at < self.n;
        if own {
            put::<ALPHA>(self.bytes, at, ends);
        }
    }
}

/// What the scan of a level gives a thread.
struct Sums<S> {
    /// The sum of all symbols before its own.
    before: S,
    /// The sum of all symbols up to its last one.
    last: S,
}

#[kernel(
    threads = THREADS,
    shared = match_table::bytes(WORDS),
    instances = [
        shift_or_scan_32_1: (u32, 1, 1, 1), shift_or_scan_32_2: (u32, 1, 2, 1), shift_or_scan_32_4: (u32, 1, 4, 1),
        shift_or_scan_32_8: (u32, 1, 8, 1), shift_or_scan_32_16: (u32, 1, 16, 1), shift_or_scan_32_32: (u32, 1, 32, 1),
        shift_or_scan_64_1: (u64, 2, 1, 1), shift_or_scan_64_2: (u64, 2, 2, 1), shift_or_scan_64_4: (u64, 2, 4, 1),
        shift_or_scan_64_8: (u64, 2, 8, 1), shift_or_scan_64_16: (u64, 2, 16, 1), shift_or_scan_64_32: (u64, 2, 32, 1),
        wu_manber_scan_32_4_1: (u32, 1, 4, 2), wu_manber_scan_32_4_2: (u32, 1, 4, 3), wu_manber_scan_32_4_3: (u32, 1, 4, 4),
        wu_manber_scan_32_16_1: (u32, 1, 16, 2), wu_manber_scan_32_16_2: (u32, 1, 16, 3), wu_manber_scan_32_16_3: (u32, 1, 16, 4),
        wu_manber_scan_64_4_1: (u64, 2, 4, 2), wu_manber_scan_64_4_2: (u64, 2, 4, 3), wu_manber_scan_64_4_3: (u64, 2, 4, 4),
        wu_manber_scan_64_16_1: (u64, 2, 16, 2), wu_manber_scan_64_16_2: (u64, 2, 16, 3), wu_manber_scan_64_16_3: (u64, 2, 16, 4),
    ]
)]
pub fn scan_search<W: Bits, const WORDS: usize, const ALPHA: usize, const LEVELS: usize>(
    self: ScanSearch<W, WORDS, ALPHA, LEVELS>,
) {
    let layout = if self.banks != 0 { Layout::Banks } else { Layout::Paper };
    // SAFETY: all threads are here, as in all that follows.
    let table = unsafe { MatchTable::<WORDS>::load_as(layout, self.table, WARPS) };
    let mut number = u64::from(thread::block_idx_x());
    while number < self.segments {
        // SAFETY: as above: the block has one number.
        unsafe { self.segment_number(number, table) };
        number += u64::from(self.blocks);
    }
}
