//! The array of witnesses of a pattern, computed in parallel, for patterns of millions of symbols.
//! J. JáJá, An introduction to parallel algorithms, 1992, after U. Vishkin, Optimal parallel
//! pattern matching in strings, 1985.
//!
//! **Problem.** For each shift d of a pattern P of m symbols, up to the period and up to m / 2,
//! find a *witness*: a k with P\[k\] ≠ P\[d + k\]. [`duel_global`](crate::published::duel_global)
//! explains its use. A shift without a witness is a period, so the least period is found as well,
//! if it is at most m / 2.
//!
//! **Idea.** Duels of the pattern with itself: if the distance d = j - i of two shifts i < j has a
//! witness k, the shifts are not both periods of P\[..j + k + 1\], since P\[j + k\] would equal
//! both P\[k\] and P\[d + k\]. Reading P\[j + k\] yields a witness for one of them: k for j if
//! P\[j + k\] is not P\[k\], else d + k for i. So witnesses of small shifts lead to witnesses of
//! greater ones, by doubling:
//!
//! ```text
//! b = 4     0 . . . | . 5 . . | . . . 11 | . . 14 . | …  windows of b shifts; a dot has a witness.
//!           └────────────────┘ └────────────────────┘    In each window at most one shift has none
//!                                                        yet; if it is a period, it is the least
//! 1. window 1 has 5: compare P with P shifted by 5. This finds a witness; if there is none, 5 is
//!    the period
//! 2. then all shifts below 2b but 0 have witnesses: in each pair of windows, except the first,
//!    the two shifts duel
//! b = 8     0 . . . . . . . | . . . . . . 14 . | …
//! ```
//!
//! Witnesses must not be too large, because j + k must be a position of P. Before step b, a power
//! of two:
//!
//! - each shift 0 < d < b has a witness k, and d + k < 4b; every witness found so far is less than
//!   4b;
//! - each window \[wb, wb + b) has at most one shift without a witness; in window 0 it is the shift
//!   0.
//!
//! **A step.** Let j be the shift of window 1, b <= j < 2b, and k the first position where P and P
//! shifted by j differ.
//!
//! - There is no j: the windows are joined. For d < 2b the witness k has d + k < 2b + 4b, which is
//!   less than 4 · 2b.
//! - There is no k: j is the period, and all shifts below it have witnesses.
//! - α = j + k < 8b: k is j's witness, and the windows are joined.
//! - α >= 8b: the prefix of α symbols has the period j, and the repetition ends at α. The doubling
//!   can skip steps. Every shift d < α - 4b gets a witness at once. A multiple of j gets α - d,
//!   since P\[α - d\] = P\[α - j\] ≠ P\[α\]. Any other shift gets the witness k' of d mod j, since
//!   d + k' < α, so that P\[d + k'\] = P\[d mod j + k'\] ≠ P\[k'\]. Then b becomes the greatest
//!   power of two up to α / 2. It satisfies the first condition because α < 4b. Windows are joined
//!   up to this b by duels with d + k <= α. Shifts below α - 4b are removed from their windows
//!   first, because a duel could give one of them a greater witness.
//!
//! ```text
//! P        a b a a b a b a a b a a b a b a … a b a a b a b a c …      j = 8, α at least 64
//!          └───── j ──────┘└───── j ──────┘  └───── j ──────┘↑ α
//! ```
//!
//! **The end.** Shifts go up to m / 2, so the duels of a step need j + k <= m / 2 + 8b - 2 < m.
//! There is a step b as long as 8b <= ⌈m / 2⌉, and windows are joined after the last case as long
//! as α <= ⌈m / 2⌉. Then few windows are left, at most [`MAX_LEFT`]: if α is more, the shifts from
//! α - 4b on are at most 4b. Windows that have a shift without a witness are compared with the
//! whole pattern, all at the same time.
//!
//! **Kernels.** [`FirstMismatches`], [`FillPeriod`] and [`JoinWindows`], one launch each. The host
//! reads j and k between two steps.
//!
//! **Memory.** One word per shift for the witnesses, m / 2; half as many for the windows' shifts,
//! and a quarter for the next ones, because windows of one shift are not stored.
//!
//! **Cost.** There are fewer duels than shifts. A comparison stops at the first difference, in a
//! step after α symbols. As a large α leads to a large b, all comparisons together take at most
//! about 12 m symbols, and very few for a random pattern. There are at most 3 log2 m launches.

use super::needle::pack_witness;
use simt_std::integer::funnel_shift_right;
use simt_std::prelude::*;

/// Threads per block, in all kernels.
pub const THREADS: u32 = 256;

/// No shift, or no position.
pub const NONE: u32 = u32::MAX;

/// Maximum number of windows left at the end.
pub const MAX_LEFT: u32 = 8;

/// Number of symbols that a thread compares at a time.
const SYMBOLS: u32 = 16;

/// The shifts that have no witness yet: at most one per window.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Windows {
    /// For each window, its shift without a witness when the array was written, or [`NONE`]; 0 for
    /// window 0. If windows have one shift, the shift is the window's number, and there is no
    /// array.
    pub array: Global<u32>,
    /// b, the number of shifts per window: a power of two.
    pub width: u32,
    /// Total number of shifts.
    pub shifts: u32,
    /// All shifts below this one have witnesses, regardless of the array.
    pub filled: u32,
}

impl Windows {
    /// Returns the number of windows.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        // The compiler sees that the divisor is never 0, and adds no call for a division by 0.
        self.shifts.div_ceil(if self.width == 0 { 1 } else { self.width })
    }

    /// Returns the shift of a window without a witness, or [`NONE`]. The window is not window 0.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn shift(self, window: u32) -> u32 {
        if window >= self.count() {
            return NONE;
        }
        let shift = if self.width == 1 { window } else { self.array.read(window as usize) };
        if shift < self.filled { NONE } else { shift }
    }
}

/// Compares a pattern with itself shifted by the shifts of some windows. Launch: in x any number of
/// blocks, which share the pattern; in y one block per window.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct FirstMismatches {
    /// The pattern: m symbols of one byte, padded with arbitrary bytes up to a multiple of 16.
    pub pattern: Global<U32x4>,
    /// m, less than 2^31.
    pub m: u32,
    /// The windows.
    pub windows: Windows,
    /// The first window to be compared, not 0.
    pub first: u32,
    /// Out: two words per window, both [`NONE`] before the launch: the window's shift, and the
    /// first k with P\[k\] ≠ P\[shift + k\]. Each stays [`NONE`] if there is none.
    pub found: Global<u32>,
}

#[kernel(threads = THREADS)]
pub fn first_mismatches(self: FirstMismatches) {
    let window = thread::block_idx_y();
    let shift = self.windows.shift(self.first + window);
    if shift == NONE {
        return;
    }
    let found = self.found.skip(2 * window as usize);
    if thread::index_1d() == 0 {
        found.write(0, shift);
    }
    // Number of symbols that have a partner.
    let end = self.m - shift;
    let mut start = thread::index_1d() * SYMBOLS;
    // Stops when another thread has found an earlier position.
    while start < end && start < atomic::load(found, 1) {
        let position = start + self.agreement(start, shift);
        if position < start + SYMBOLS && position < end {
            atomic::fetch_min(found, 1, position);
            return;
        }
        start += thread::grid_dim_x() * THREADS * SYMBOLS;
    }
}

impl FirstMismatches {
    /// Returns the number of leading symbols that agree, up to 16, between a position, a multiple
    /// of 16, and the position `shift` later. Symbols after the pattern's end are arbitrary.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn agreement(&self, start: u32, shift: u32) -> u32 {
        let moved = start + shift;
        let (chunk, last) = (moved / SYMBOLS, (self.m - 1) / SYMBOLS);
        let own = self.pattern.read_only((start / SYMBOLS) as usize).0;
        let low = self.pattern.read_only(chunk as usize).0;
        let high = self.pattern.read_only((chunk + 1).min(last) as usize).0;
        // The five words that contain the 16 symbols, from both chunks.
        let [a, b, c, d] = low;
        let [e, f, g, h] = high;
        let [a, b, c, d, e, f] = if moved & 8 == 0 { [a, b, c, d, e, f] } else { [c, d, e, f, g, h] };
        let [a, b, c, d, e] = if moved & 4 == 0 { [a, b, c, d, e] } else { [b, c, d, e, f] };
        let bits = moved % 4 * 8;
        let difference = [
            own[0] ^ funnel_shift_right(a, b, bits),
            own[1] ^ funnel_shift_right(b, c, bits),
            own[2] ^ funnel_shift_right(c, d, bits),
            own[3] ^ funnel_shift_right(d, e, bits),
        ];
        let [low, high] = [(difference[0], difference[1]), (difference[2], difference[3])]
            .map(|(low, high)| u64::from(low) | u64::from(high) << 32);
        // The byte of the lowest bit that differs.
        let bit = if low == 0 { 64 + high.trailing_zeros() } else { low.trailing_zeros() };
        bit / 8
    }
}

/// Gives witnesses to the shifts from j on that the prefix with period j covers. Launch: one thread
/// per shift from j to `filled`, [`blocks`](Self::blocks).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct FillPeriod {
    /// j.
    pub period: u32,
    /// α, the length of the longest prefix with this period; less than m.
    pub alpha: u32,
    /// Shifts below this one get witnesses. It is greater than j, and at most α minus every witness
    /// of a shift below j.
    pub filled: u32,
    /// In and out: the witnesses. The shifts 1 to j - 1 have theirs before the launch.
    pub witnesses: Global<u32>,
}

impl FillPeriod {
    /// Number of blocks of the launch.
    pub const fn blocks(&self) -> u32 {
        (self.filled - self.period).div_ceil(THREADS)
    }
}

#[kernel(threads = THREADS)]
pub fn fill_period(self: FillPeriod) {
    let shift = self.period + thread::index_1d();
    if shift >= self.filled {
        return;
    }
    let witness = match shift % self.period.max(1) {
        0 => self.alpha - shift,
        rest => self.witnesses.read(rest as usize),
    };
    self.witnesses.write(shift as usize, witness);
}

/// Joins windows in pairs by duels of their shifts. Launch: one thread per pair,
/// [`blocks`](Self::blocks).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct JoinWindows {
    /// The pattern: m symbols of one byte.
    pub pattern: Global<u8>,
    /// The windows, of b shifts each. All shifts from 1 to 2b - 1 have witnesses.
    pub windows: Windows,
    /// A shift whose witness is not in the array yet, or [`NONE`].
    pub known: u32,
    /// Witness of the shift `known`.
    pub known_witness: u32,
    /// Out: the windows of 2b shifts.
    pub joined: Global<u32>,
    /// In and out: the witnesses. The kernel reads those below 2b. It writes that of the known
    /// shift, and others from 2b on.
    pub witnesses: Global<u32>,
}

impl JoinWindows {
    /// Number of blocks of the launch.
    pub const fn blocks(&self) -> u32 {
        self.windows.count().div_ceil(2).div_ceil(THREADS)
    }

    /// Returns the remaining one of two shifts, i < j < i + 2b, and gives the other one a witness.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn duel(&self, i: u32, j: u32) -> u32 {
        let d = j - i;
        let k = if d == self.known { self.known_witness } else { self.witnesses.read(d as usize) };
        if self.pattern.read((j + k) as usize) != self.pattern.read(k as usize) {
            self.witnesses.write(j as usize, k);
            i
        } else {
            self.witnesses.write(i as usize, d + k);
            j
        }
    }
}

#[kernel(threads = THREADS)]
pub fn join_windows(self: JoinWindows) {
    let pair = thread::index_1d();
    if pair >= self.windows.count().div_ceil(2) {
        return;
    }
    let left = if pair == 0 {
        if self.known != NONE {
            self.witnesses.write(self.known as usize, self.known_witness);
        }
        0
    } else {
        let (i, j) = (self.windows.shift(2 * pair), self.windows.shift(2 * pair + 1));
        match (i, j) {
            (NONE, _) => j,
            (_, NONE) => i,
            _ => self.duel(i, j),
        }
    };
    self.joined.write(pair as usize, left);
}
/// Packs witnesses with the pattern's symbols there, in the format of
/// [`Needle`](super::needle::Needle). Launch: one thread per shift.
#[kernel(threads = THREADS)]
pub fn pack_witnesses(
    /// For each shift less than r its witness, less than m.
    entries: Global<u32>,
    /// r.
    count: u32,
    /// The pattern's symbols, m of them.
    symbols: Global<u8>,
    /// The bits of each symbol that count.
    significant_bits: Global<u8>,
    /// Out: for each shift the word of [`pack_witness`].
    to: Global<u64>,
) {
    let i = thread::index_1d();
    if i < count {
        let k = entries.read(i as usize);
        to.write(i as usize, pack_witness(k, symbols.read(k as usize), significant_bits.read(k as usize)));
    }
}
