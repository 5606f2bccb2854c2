//! Shift-Or and Wu-Manber as inclusive scans: Mitani, Ino and Hagihara (2017), algorithms 1 to 3
//! and table 1. For patterns of up to 64 symbols and up to 3 errors.
//!
//! **Idea.** The mismatch word M of a symbol is the sum of this one symbol. Joined by an
//! associative operator ([`scan`](super::scan)), the sum of all symbols up to a position is the
//! automaton's state there. So all threads of a block work on one segment of the text, and join
//! their sums level by level:
//!
//! ```text
//! level          what it does                          halo   synchronization
//! grid           segments, each its own                yes    none
//! thread block   disjoint: its 8 warps are joined      no     a barrier for each number of errors
//!                overlapping: each warp has a segment  yes    none
//! warp           inclusive scan of its threads' sums   no     shuffles
//! thread         sums of its α symbols, in sequence    no     none
//!
//! a thread's symbols s0  s1  s2  s3     α = 4
//! local sums         s0  01  02  03     in sequence; the last one enters the warp's scan,
//!                                       and then the block's
//! last addition      each joined behind `before`, the sum of all symbols before s0:
//!                    the state after each symbol
//! ```
//!
//! **The last addition** concerns the accepting bits only. They are adjacent bits of `before`,
//! since a symbol shifts by one bit. The addition is omitted if m ≤ w - α + 1. The pattern is then
//! extended by α - 1 *wildcards*, bits above it that match everything, so that the last symbol's
//! word has the acceptance of all α symbols:
//!
//! ```text
//! α = 4          bit w-1              bit 0       the pattern lies at the top of the word,
//! plain          p5 p4 p3 p2 p1 p0 0 0 …          so all shifts are constants; below it are zeros
//! wildcards      *  *  *  p5 p4 p3 p2 p1 p0 0 …   bit w - α + i: accepted i symbols before the
//!                                                 last one
//! ```
//!
//! **With errors** (algorithm 2) there is such a scan for each level d. Its summands need the
//! states of level d - 1 before and after each symbol. So a thread goes through its symbols again,
//! starting from `before` of level d - 1, and sums level d as it goes. Wildcards admit no errors: N
//! has ones there, which the paper does not say.
//!
//! **The edges.** A thread whose symbols are before or after the text reads a row of the table that
//! matches nothing, so all threads run the same code. The first thread of a segment has
//! `before` = 0, as if all of the pattern's prefixes matched. The effect of that ends after m + k
//! symbols, and the halo has m + k - 1.
//!
//! **The order of the segments.** Blocks start in the order of their indices. A block takes a few
//! neighbouring segments and ends. So all blocks that are resident at the same time read and write
//! near one another, which is faster than persistent blocks that go through the text with strides.
//! The host chooses the number of segments per block: the more, the less the table costs.
//!
//! **Unrolled** (section 5.2): w, α, the number of errors and the use of wildcards are fixed when a
//! kernel is compiled, so there is no loop over levels or symbols. The steps of the warp's scan
//! that m does not need are skipped. The paper compiles a kernel for each m as well; with the
//! pattern at the top of its word the instructions would be the same.
//!
//! **Cost** per symbol (w = 32), besides an address and a load for M: a shift and an OR; for each
//! level above 0 three shifts and four logic operations; and 1 (wildcards) or 2 instructions in the
//! last level to collect the accepting bits. α symbols share a shuffle or two, a barrier per level,
//! and the bytes. With α = 16 the total is 8.4 instructions per symbol with wildcards, 9.7 without
//! and 12.6 for w = 64; 19 for k = 1 and 28 for k = 2 with w = 32 (sm_90). The next symbols are
//! loaded in the meantime.

use crate::published::scan::{Bits, ShiftOrSum, Stretch, WarpTotals, WuManberSum, warp_scan};
use crate::published::thread_symbols::{each, symbols};
use crate::search::match_table::{Layout, MatchTable, SYMBOLS};
use crate::search::output::write_bytes;
use core::marker::PhantomData;
use simt_std::prelude::*;

/// Warps per block.
const WARPS: u32 = 8;

/// Threads per block.
pub const THREADS: u32 = WARPS * WARP;

/// Returns true if a pattern of m symbols leaves room for α - 1 wildcards in a word of w bits. With
/// α = 1 there are no wildcards, and with α = w there is no room for a pattern.
pub const fn has_wildcards(m: u32, width: u32, alpha: u32) -> bool {
    1 < alpha && alpha < width && m + alpha <= width + 1
}

/// Returns the bit of the pattern's last symbol in a word of w bits: the highest one below the
/// α - 1 wildcards, if any.
pub const fn accepting(width: u32, alpha: u32, wildcards: bool) -> u32 {
    width - if wildcards { alpha } else { 1 }
}

/// Searches a text for a pattern. Launch: one block for each `segments_per_block` segments
/// (disjoint), or groups of eight segments (overlapping). A segment is
/// [`segment`](Self::segment) - `halo` symbols long.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ScanSearch<W, const WORDS: usize, const ALPHA: usize, const LEVELS: usize, const WILDCARDS: bool> {
    /// The text: n symbols of one byte, padded with arbitrary bytes up to a multiple of 32.
    pub text: Global<u8>,
    /// n, at least 1.
    pub n: u64,
    /// First position whose results are written, a multiple of 32. The text before it is context.
    pub first: u64,
    /// Number of segments from `first` on (disjoint), or of groups of eight (overlapping).
    pub segments: u64,
    /// Number of segments, or groups, per block, at least 1. They are neighbours, processed in
    /// order.
    pub segments_per_block: u32,
    /// Number of symbols before a segment that are read as well: a multiple of 32, at least
    /// m + k - 1, less than a segment.
    pub halo: u32,
    /// m, 1 to w, or to w - α + 1 with wildcards.
    pub m: u32,
    /// Disjoint (not 0): the warps of a block are joined and work on one segment. Overlapping (0):
    /// each warp has its own segment.
    pub disjoint: u32,
    /// Layout of the table in shared memory: a copy for every bank (not 0), or the paper's layout
    /// (0).
    pub banks: u32,
    /// The mismatch words, as [`match_table`](crate::search::match_table) defines them. The
    /// pattern's last symbol has bit [`ACCEPTING`](Self::ACCEPTING), the others have the bits
    /// below.
    pub table: Global<u32>,
    /// Out: one byte per position, 1 where an occurrence ends, else 0; n bytes, and arbitrary ones
    /// after them up to a multiple of 32.
    pub bytes: Global<u8>,
    /// Word type: `u32` or `u64`, w = 32 or 64 bits.
    pub word: PhantomData<W>,
}

impl<W: Bits, const WORDS: usize, const ALPHA: usize, const LEVELS: usize, const WILDCARDS: bool>
    ScanSearch<W, WORDS, ALPHA, LEVELS, WILDCARDS>
{
    /// The bit of the pattern's last symbol: the highest below the wildcards.
    pub const ACCEPTING: u32 = accepting(W::WIDTH, ALPHA as u32, WILDCARDS);

    /// Returns the symbols of a segment and the halo before it: α for each thread that works on it.
    pub const fn segment(disjoint: bool) -> u64 {
        (ALPHA as u32 * if disjoint { THREADS } else { WARP }) as u64
    }

    /// Number of lanes whose sums the sum of a lane must include, counting the lane itself: those
    /// of the last m symbols, for the state before the symbols of the next lane. Without errors the
    /// highest bit of that state is shifted out, so m - 1 symbols are enough. With wildcards the
    /// next lane's own symbols count as well: one lane more.
    #[inline(always)]
    fn lanes(&self) -> u32 {
        let symbols = if LEVELS == 1 { self.m - 1 } else { self.m };
        symbols.div_ceil(ALPHA as u32) + WILDCARDS as u32
    }

    /// Scans a level. `own` is the sum of the thread's α symbols. Returns the sum of the symbols of
    /// all threads up to this one, as far back as they matter.
    ///
    /// # Safety
    /// All threads of the block call it together.
    #[inline(always)]
    unsafe fn scan<S: Stretch>(&self, own: S, totals: &mut WarpTotals) -> Joined<S> {
        // SAFETY: guaranteed by the caller, also below.
        let mut up_to = unsafe { warp_scan(own, ALPHA as u32, self.lanes(), W::WIDTH) };
        let mut left = S::NOTHING;
        if self.disjoint != 0 {
            // SAFETY: as above: every block has one value of `disjoint`.
            left = unsafe { totals.before(up_to, WARP * ALPHA as u32, W::WIDTH) };
            up_to = left.then(up_to, (warp::lane_id() + 1) * ALPHA as u32);
        }
        Joined { up_to, left }
    }

    /// Searches a thread's α symbols, four per word of `packed`. Bit i of the result is 1 if an
    /// occurrence ends at symbol i.
    ///
    /// # Safety
    /// All threads of the block call it together.
    #[inline(always)]
    unsafe fn ends(&self, packed: [u32; 8], table: MatchTable<WORDS>, totals: &mut WarpTotals) -> u32 {
        let mut mismatches = [W::ZERO; ALPHA];
        each!(i in ALPHA {
            let words = table.read(packed[i / 4], (i % 4) as u32);
            mismatches[i] = W::from_halves(words[0], words[WORDS - 1]);
        });

        // Level 0. `verdicts` has a bit for each symbol so far, 1 if the pattern is rejected; the
        // latest symbol has bit 0.
        let mut verdicts = 0;
        let mut sum = ShiftOrSum::<W>::NOTHING;
        each!(i in ALPHA {
            sum = sum.then(ShiftOrSum(mismatches[i]), 1);
            if LEVELS == 1 && !WILDCARDS {
                verdicts = sum.0.push_highest(verdicts);
            }
        });
        // SAFETY: guaranteed by the caller, also below.
        let joined = unsafe { self.scan(sum, totals) };
        if LEVELS == 1 {
            verdicts = if WILDCARDS {
                joined.up_to.0.low_from(Self::ACCEPTING)
            } else {
                // SAFETY: as above.
                verdicts | Self::accepting_bits(unsafe { below(joined.up_to.0, joined.left.0) })
            };
            return Self::from_verdicts(verdicts);
        }

        // The state of the level below, before the thread's symbols.
        // SAFETY: as above.
        let mut before = unsafe { below(joined.up_to.0, joined.left.0) };
        // N for each symbol: the states of level d that level d - 1 leaves unreached.
        let mut left_over = [W::ZERO; ALPHA];
        unroll!(d in [1 2 3] {
            if d < LEVELS as u32 {
                let is_last = d + 1 == LEVELS as u32;
                let (mut state, mut shifted) = (before, before.up(1));
                let mut sum = WuManberSum::<W>::NOTHING;
                let (mut cleared, mut set) = (0, 0);
                each!(i in ALPHA {
                    let (old, old_shifted) = (state, shifted);
                    state = shifted | mismatches[i];
                    if d > 1 {
                        state = state & left_over[i];
                    }
                    shifted = state.up(1);
                    let mut n = W::and_all(old, old_shifted, shifted);
                    if WILDCARDS && is_last {
                        // Wildcards match at every level without an error.
                        n = n | W::ones_from(Self::ACCEPTING + 1);
                    }
                    left_over[i] = n;
                    sum = sum.then_symbol(mismatches[i], n);
                    if is_last && !WILDCARDS {
                        (cleared, set) = (sum.x.push_highest(cleared), sum.y.push_highest(set));
                    }
                });
                // SAFETY: as above.
                let joined = unsafe { self.scan(sum, totals) };
                if is_last && WILDCARDS {
                    verdicts = joined.up_to.y.low_from(Self::ACCEPTING);
                } else {
                    // SAFETY: as above.
                    before = unsafe { below(joined.up_to.y, joined.left.y) };
                    verdicts = Self::accepting_bits(before) & !cleared | set;
                }
            }
        });
        Self::from_verdicts(verdicts)
    }

    /// Returns the highest bit of `before` after each of the thread's symbols has shifted it; the
    /// last symbol has bit 0.
    #[inline(always)]
    fn accepting_bits(before: W) -> u32 {
        before.up(1).low_from(W::WIDTH - ALPHA as u32)
    }

    /// Converts verdicts to ends: bit i is 1 if an occurrence ends at the thread's symbol i.
    #[inline(always)]
    fn from_verdicts(verdicts: u32) -> u32 {
        (!verdicts).reverse_bits() >> (32 - ALPHA as u32)
    }
}

/// Result of a level's scan for a thread.
struct Joined<S> {
    /// The sum of all symbols up to the thread's last one.
    up_to: S,
    /// The sum of all symbols before the warp's first one.
    left: S,
}

/// Returns the state of the lane below; in lane 0 `first`.
///
/// # Safety
/// All 32 lanes of the warp call it together.
#[inline(always)]
unsafe fn below<W: Bits>(state: W, first: W) -> W {
    // SAFETY: guaranteed by the caller.
    let (below, exists) = unsafe { warp::warp_shuffle_up(FULL_WARP, state, 1, WARP) };
    if exists { below } else { first }
}

#[kernel(
    threads = THREADS,
    shared = Layout::from_parameter(self.banks).bytes(WORDS, SYMBOLS + 1),
    instances = [
        shift_or_scan_32_1: (u32, 1, 1, 1, false), shift_or_scan_32_2: (u32, 1, 2, 1, false),
        shift_or_scan_32_4: (u32, 1, 4, 1, false), shift_or_scan_32_8: (u32, 1, 8, 1, false),
        shift_or_scan_32_16: (u32, 1, 16, 1, false), shift_or_scan_32_32: (u32, 1, 32, 1, false),
        shift_or_wildcards_32_2: (u32, 1, 2, 1, true), shift_or_wildcards_32_4: (u32, 1, 4, 1, true),
        shift_or_wildcards_32_8: (u32, 1, 8, 1, true), shift_or_wildcards_32_16: (u32, 1, 16, 1, true),
        shift_or_scan_64_1: (u64, 2, 1, 1, false), shift_or_scan_64_2: (u64, 2, 2, 1, false),
        shift_or_scan_64_4: (u64, 2, 4, 1, false), shift_or_scan_64_8: (u64, 2, 8, 1, false),
        shift_or_scan_64_16: (u64, 2, 16, 1, false), shift_or_scan_64_32: (u64, 2, 32, 1, false),
        shift_or_wildcards_64_2: (u64, 2, 2, 1, true), shift_or_wildcards_64_4: (u64, 2, 4, 1, true),
        shift_or_wildcards_64_8: (u64, 2, 8, 1, true), shift_or_wildcards_64_16: (u64, 2, 16, 1, true),
        shift_or_wildcards_64_32: (u64, 2, 32, 1, true),
        wu_manber_scan_32_1_1: (u32, 1, 1, 2, false), wu_manber_scan_32_2_1: (u32, 1, 2, 2, false),
        wu_manber_scan_32_4_1: (u32, 1, 4, 2, false), wu_manber_scan_32_8_1: (u32, 1, 8, 2, false),
        wu_manber_scan_32_16_1: (u32, 1, 16, 2, false), wu_manber_scan_32_32_1: (u32, 1, 32, 2, false),
        wu_manber_wildcards_32_16_1: (u32, 1, 16, 2, true),
        wu_manber_scan_64_1_1: (u64, 2, 1, 2, false), wu_manber_scan_64_2_1: (u64, 2, 2, 2, false),
        wu_manber_scan_64_4_1: (u64, 2, 4, 2, false), wu_manber_scan_64_8_1: (u64, 2, 8, 2, false),
        wu_manber_scan_64_16_1: (u64, 2, 16, 2, false), wu_manber_scan_64_32_1: (u64, 2, 32, 2, false),
        wu_manber_wildcards_64_16_1: (u64, 2, 16, 2, true),
        wu_manber_scan_32_1_2: (u32, 1, 1, 3, false), wu_manber_scan_32_2_2: (u32, 1, 2, 3, false),
        wu_manber_scan_32_4_2: (u32, 1, 4, 3, false), wu_manber_scan_32_8_2: (u32, 1, 8, 3, false),
        wu_manber_scan_32_16_2: (u32, 1, 16, 3, false), wu_manber_scan_32_32_2: (u32, 1, 32, 3, false),
        wu_manber_wildcards_32_16_2: (u32, 1, 16, 3, true),
        wu_manber_scan_64_1_2: (u64, 2, 1, 3, false), wu_manber_scan_64_2_2: (u64, 2, 2, 3, false),
        wu_manber_scan_64_4_2: (u64, 2, 4, 3, false), wu_manber_scan_64_8_2: (u64, 2, 8, 3, false),
        wu_manber_scan_64_16_2: (u64, 2, 16, 3, false), wu_manber_scan_64_32_2: (u64, 2, 32, 3, false),
        wu_manber_wildcards_64_16_2: (u64, 2, 16, 3, true),
        wu_manber_scan_32_1_3: (u32, 1, 1, 4, false), wu_manber_scan_32_2_3: (u32, 1, 2, 4, false),
        wu_manber_scan_32_4_3: (u32, 1, 4, 4, false), wu_manber_scan_32_8_3: (u32, 1, 8, 4, false),
        wu_manber_scan_32_16_3: (u32, 1, 16, 4, false), wu_manber_scan_32_32_3: (u32, 1, 32, 4, false),
        wu_manber_wildcards_32_16_3: (u32, 1, 16, 4, true),
        wu_manber_scan_64_1_3: (u64, 2, 1, 4, false), wu_manber_scan_64_2_3: (u64, 2, 2, 4, false),
        wu_manber_scan_64_4_3: (u64, 2, 4, 4, false), wu_manber_scan_64_8_3: (u64, 2, 8, 4, false),
        wu_manber_scan_64_16_3: (u64, 2, 16, 4, false), wu_manber_scan_64_32_3: (u64, 2, 32, 4, false),
        wu_manber_wildcards_64_16_3: (u64, 2, 16, 4, true),
    ]
)]
pub fn scan_search<W: Bits, const WORDS: usize, const ALPHA: usize, const LEVELS: usize, const WILDCARDS: bool>(
    self: ScanSearch<W, WORDS, ALPHA, LEVELS, WILDCARDS>,
) {
    let thread = thread::thread_idx_x();
    let (segment, within) = if self.disjoint != 0 { (0, thread) } else { (u64::from(thread / WARP), thread % WARP) };
    let each = Self::segment(self.disjoint != 0) - u64::from(self.halo);
    let at_once = if self.disjoint != 0 { 1 } else { u64::from(WARPS) };
    let a_block = u64::from(self.segments_per_block);
    let mut number = u64::from(thread::block_idx_x()) * a_block;
    let end = self.segments.min(number + a_block);
    // This thread's first position. Before the text it wraps to a huge number.
    let mut at = (self.first + (number * at_once + segment) * each + u64::from(within * ALPHA as u32))
        .wrapping_sub(self.halo.into());
    let is_own = within * ALPHA as u32 >= self.halo;
    let text = |at: u64| if at < self.n { symbols::<ALPHA>(self.text, at) } else { [0; 8] };
    // The first symbols are loaded while the table is built.
    let mut packed = text(at);

    shared_array!(totals: [U32x4; 16]);
    let pattern = W::ones_from(Self::ACCEPTING + 1 - self.m) & !W::ones_from(Self::ACCEPTING + 1);
    let nothing_matches = core::array::from_fn(|word| pattern.low_from(32 * word as u32));
    // SAFETY: all threads of the block reach this call, and all those that follow.
    let table = unsafe {
        MatchTable::<WORDS>::load_with_outside(Layout::from_parameter(self.banks), self.table, WARPS, nothing_matches)
    };
    let mut totals = WarpTotals::new(totals, WARPS);

    while number < end {
        number += 1;
        // The next segment's symbols are loaded while this one is searched.
        let next = at.wrapping_add(at_once * each);
        let ahead = if number < end { text(next) } else { [0; 8] };
        let own = if at < self.n { table } else { table.outside() };
        // SAFETY: as above: `number` is the same in the whole block.
        let ends = unsafe { self.ends(packed, own, &mut totals) };
        if is_own && at < self.n {
            write_bytes::<ALPHA>(self.bytes, at, ends);
        }
        (at, packed) = (next, ahead);
    }
}
