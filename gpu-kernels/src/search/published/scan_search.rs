//! Shift-Or and Wu-Manber as inclusive scans, as published: Mitani, Ino and Hagihara (2017), algorithms 1 to 3 and table 1.
//!
//! ```text
//! level          scheme                                  halo   joins
//! grid           segments, each its own                  yes    nothing
//! thread block   warps are joined (disjoint), or each    no     two barriers a level
//!                warp is a segment itself (overlapping)  yes    nothing
//! warp           inclusive scan                          no     shuffles
//! thread         α symbols in sequence                   no
//! ```
//!
//! A thread's α symbols are summed in sequence, the threads' sums by the warp, the warps' by the block; then the sum of all
//! before is added to each of the α (the *last addition*). It can be skipped when m ≤ w - α + 1: the pattern is extended by
//! α - 1 wildcards, and the last symbol's word then has the acceptance of all α, the i-th before it in bit m - 1 + i.
//!
//! With errors (algorithm 2) that is done once for each level d, whose summands need the states of level d - 1 before and
//! after each symbol. In the wildcards no errors are made: N has ones there, which the paper does not say.
//!
//! [`shift_or`](crate::search::shift_or) and [`wu_manber`](crate::search::wu_manber) are this project's own, and faster.

use crate::search::match_table::{self, Layout, MatchTable};
use crate::search::published::scan::{Bits, ShiftOrSum, Stretch, WuManberSum, thread_scan, warp_scan, warps_before};
use crate::search::published::thread_symbols::{each, put, symbols};
use core::marker::PhantomData;
use simt_std::prelude::*;

const WARPS: u32 = 8;

/// Threads of a block.
pub const THREADS: u32 = WARPS * WARP;

/// Searches a text. Launch: any number of blocks, which take a segment at a time (disjoint), or eight (overlapping).
/// Segments are of [`segment`](Self::segment) - `halo` symbols.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ScanSearch<W, const WORDS: usize, const ALPHA: usize, const LEVELS: usize> {
    /// n symbols, and any up to a multiple of 16.
    pub text: Global<u8>,
    /// n, at least 1.
    pub n: u64,
    /// The first position whose results are wanted, a multiple of 32: the text before it is context.
    pub first: u64,
    /// How many segments there are, or eights of them.
    pub segments: u64,
    /// Blocks of the launch.
    pub blocks: u32,
    /// Symbols before a segment: a multiple of 32, at least m + k - 1, less than a segment.
    pub halo: u32,
    /// m, at most w.
    pub m: u32,
    /// Whether a block's warps are joined, or each warp is a segment.
    pub disjoint: u32,
    /// Whether the table has a word for each bank, or one for all.
    pub banks: u32,
    /// Of each symbol the mismatches, the pattern's first symbol in bit 0: 256 words for each 32 bits.
    pub table: Global<u32>,
    /// Out: n bytes, rounded up to a multiple of 16: 1 where an occurrence ends, else 0.
    pub bytes: Global<u8>,
    /// Words are of this type.
    pub word: PhantomData<W>,
}

/// What a scan gives a thread.
struct Sums<S> {
    /// The sum of all before its symbols.
    before: S,
    /// The sum up to its last one.
    last: S,
}

impl<W: Bits, const WORDS: usize, const ALPHA: usize, const LEVELS: usize> ScanSearch<W, WORDS, ALPHA, LEVELS> {
    /// Symbols of a segment with its halo.
    pub const fn segment(disjoint: bool) -> u64 {
        (ALPHA as u32 * if disjoint { THREADS } else { WARP }) as u64
    }

    /// The scan of a level: of a thread's summands, which become local sums, with all before them. Before the segment is
    /// `initial`.
    ///
    /// # Safety
    /// All threads of the block are here.
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

    /// Searches a segment, or eight.
    ///
    /// # Safety
    /// All threads of the block are here.
    #[inline(always)]
    unsafe fn segment_number(&self, number: u64, table: MatchTable<WORDS>) {
        let (disjoint, thread) = (self.disjoint != 0, thread::thread_idx_x());
        let (segment, within) = if disjoint {
            (number, thread)
        } else {
            (number * u64::from(WARPS) + u64::from(thread / WARP), thread % WARP)
        };
        let start = self.first + segment * (Self::segment(disjoint) - u64::from(self.halo));
        // It wraps before the text.
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

        // Whether the last symbol's word can stand for all of the thread's.
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
        // Not the halo, nor what lies after the text.
        let own = within * ALPHA as u32 >= self.halo && at < self.n;
        if own {
            put::<ALPHA>(self.bytes, at, ends);
        }
    }
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
