//! XBitPar: Shift-Or and Wu-Manber with a word of 1,024 bits across a warp. Tran, Liu and Schmidt
//! (2016) published it. Their paper was not available; this kernel follows the description of
//! Mitani, Ino and Hagihara (2017). Words of 2,048 and 4,096 bits are an addition of this project.
//! The kernel is for patterns longer than a machine word, m up to 4,096, k up to 3; a short pattern
//! leaves most lanes idle.
//!
//! **Idea.** The word of state of the automaton of [`search`](crate::search) is spread over the 32
//! lanes of a warp. All lanes process the same symbol of the text, and a shift by one bit is a
//! shuffle:
//!
//! ```text
//! state, one word per lane    lane 0      lane 1      …   lane 31      the pattern's last symbol
//!                             bit 0…31    32…63           992…1023     is bit 1023
//! R << 1                          bit 31 ─────▶ bit 32 …               one shuffle
//! mismatches of a symbol      a row of 32 words in shared memory, one for each bank
//!
//! text   |------ segment 0 ------|------ segment 1 ------| …   thousands of symbols per warp
//!                        |-halo--|                             m + k - 1 symbols, rounded up to 32
//! ```
//!
//! With `WORDS` words per lane, lane l has bits 32 `WORDS` l and so on, and one shuffle still
//! shifts all of them: 1, 2 or 4 words for up to 1,024, 2,048 or 4,096 symbols. Lane 31 has the
//! accepting bit. After 32 symbols it broadcasts its 32 results, and each lane writes the byte of
//! one position.
//!
//! **Cost** per symbol and *warp*: an address and a load from shared memory for each word; per
//! level one shuffle, and 3 instructions per word. [`wu_manber`](crate::search::wu_manber) takes
//! about as many instructions of a warp for 32 symbols as this kernel for one.

use crate::collectives::broadcast::broadcast;
use crate::search::match_table::SYMBOLS;
use simt_std::integer::dp4a;
use simt_std::integer::opaque;
use simt_std::prelude::*;

/// Number of symbols between two broadcasts of the results, one for each lane to write. Segments
/// and halos are multiples of it.
pub const STEP: u64 = 32;

/// Bits of the warp's state per word of a lane.
pub const BITS: u32 = 32 * WARP;

/// Warps per block. With the registers and the tables of shared memory (227 KiB per
/// multiprocessor), 56, 48 or 20 warps fit on a multiprocessor.
pub const fn warps(words: usize) -> u32 {
    match words {
        1 => 8,
        2 => 16,
        _ => 20,
    }
}

/// Bytes of shared memory of the rows of all symbols, per word of a lane.
const ROWS_BYTES: u32 = SYMBOLS * WARP * 4;

/// The mismatch words of every symbol in shared memory: for each word of a lane 256 rows, one per
/// symbol, with a word for each lane. All lanes read the same row, each from its own bank.
#[derive(Debug, Clone, Copy)]
struct LaneWords<const WORDS: usize> {
    /// Byte address in shared memory of this lane's first word of symbol 0.
    base: u32,
}

impl<const WORDS: usize> LaneWords<WORDS> {
    /// Copies the rows from `words`, which has them in the same order.
    ///
    /// # Safety
    /// All threads of the block call it together.
    #[inline(always)]
    unsafe fn load(words: Global<u32>) -> Self {
        let rows = dynamic_shared_mem::<u32>();
        let mut i = thread::thread_idx_x();
        while i < SYMBOLS * WARP * WORDS as u32 {
            rows.write(i, words.read(i as usize));
            i += warps(WORDS) * WARP;
        }
        // SAFETY: guaranteed by the caller.
        unsafe { thread::sync_threads() };
        Self { base: rows.address() + warp::lane_id() * 4 }
    }

    /// Returns this lane's mismatch words of the symbol in byte `k` of `packed`, a word of four
    /// symbols.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn read(&self, packed: u32, k: u32) -> [u32; WORDS] {
        let row = Shared::<u32>::at(dp4a(packed, (WARP * 4) << (8 * k), self.base));
        core::array::from_fn(|w| row.read(w as u32 * ROWS_BYTES / 4))
    }
}

/// Searches a text for a pattern. Launch: any number of blocks, whose warps take one segment at a
/// time.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct XBitPar<const WORDS: usize, const LEVELS: usize> {
    /// The text: n symbols of one byte, four per word, padded with arbitrary bytes up to a multiple
    /// of [`STEP`].
    pub text: Global<u32>,
    /// n, at least 1.
    pub n: u64,
    /// First position whose results are written, a multiple of [`STEP`]. The text before it is
    /// context.
    pub first: u64,
    /// Number of symbols per segment: a positive multiple of [`STEP`].
    pub segment: u64,
    /// Number of segments from `first` on.
    pub segments: u64,
    /// Number of blocks of the launch. A warp's next segment is as many segments further on as the
    /// launch has warps.
    pub blocks: u32,
    /// Number of symbols before a segment that its warp reads as well: a multiple of [`STEP`], at
    /// least m + k - 1.
    pub halo: u32,
    /// m, 1 to [`BITS`] times `WORDS`.
    pub m: u32,
    /// The mismatch words: for each word of a lane 256 rows, one per symbol, of 32 words, one per
    /// lane. Bit b of lane l's word w is 1 if the symbol does not match the pattern's symbol with
    /// bit 32 (`WORDS` l + w) + b. The pattern's last symbol has the highest bit.
    pub table: Global<u32>,
    /// Out: one byte per position, 1 where an occurrence ends, else 0; n bytes.
    pub bytes: Global<u8>,
}

/// A lane's part of the states of all levels, `states[d]`, and of each shifted up by one bit,
/// `shifted[d]`. A set bit is a state that is not reached.
struct Automaton<const WORDS: usize, const LEVELS: usize> {
    states: [[u32; WORDS]; LEVELS],
    shifted: [[u32; WORDS]; LEVELS],
    /// The highest bit of this lane's part of the last level for each of the last 32 symbols; the
    /// latest symbol has bit 0. In lane 31 a 1 means that no match ends at the symbol.
    rejected: u32,
}

/// Returns this lane's part of the warp's number `x` shifted up by one bit, with 0 shifted in.
///
/// # Safety
/// All 32 lanes of the warp call it together.
#[inline(always)]
unsafe fn shifted<const WORDS: usize>(x: [u32; WORDS]) -> [u32; WORDS] {
    // SAFETY: guaranteed by the caller.
    let (below, exists) = unsafe { warp::warp_shuffle_up(FULL_WARP, x[WORDS - 1], 1, WARP) };
    let below = if exists { below } else { 0 };
    // Not `words::shifted`: given the extracted bit instead of the word that holds it, the compiler
    // generates 2 to 6 % more instructions.
    core::array::from_fn(|w| x[w] << 1 | if w == 0 { below } else { x[w - 1] } >> 31)
}

impl<const WORDS: usize, const LEVELS: usize> Automaton<WORDS, LEVELS> {
    /// Returns the states before any symbol: at level d, d errors (d deletions) reach the first d
    /// bits of the pattern. Bits below the pattern are always reached.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    unsafe fn new(m: u32) -> Self {
        let first = BITS * WORDS as u32 - m;
        let own = 32 * WORDS as u32 * warp::lane_id();
        let states: [[u32; WORDS]; LEVELS] = core::array::from_fn(|d| {
            core::array::from_fn(|w| {
                let below = (first + d as u32).saturating_sub(own + 32 * w as u32);
                if below >= 32 { 0 } else { !0 << below }
            })
        });
        // SAFETY: guaranteed by the caller.
        let shifted = core::array::from_fn(|d| unsafe { shifted(states[d]) });
        Self { states, shifted, rejected: !0 }
    }

    /// Processes a symbol, whose mismatches are `words`.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    unsafe fn step(&mut self, words: [u32; WORDS]) {
        // Values of level d - 1: its states before the symbol (for an insertion), these states
        // shifted (for a substitution), and its states after the symbol, shifted (for a deletion).
        let (mut old, mut old_shifted, mut new_shifted) = ([0; WORDS], [0; WORDS], [0; WORDS]);
        for d in 0..LEVELS {
            let (state, moved) = (self.states[d], self.shifted[d]);
            let new: [u32; WORDS] = core::array::from_fn(|w| {
                let matched = moved[w] | words[w];
                if d == 0 { matched } else { matched & old[w] & (old_shifted[w] & new_shifted[w]) }
            });
            // SAFETY: guaranteed by the caller.
            (old, old_shifted, new_shifted) = (state, moved, unsafe { shifted(new) });
            self.states[d] = new;
            self.shifted[d] = new_shifted;
        }
        self.rejected = self.rejected << 1 | self.states[LEVELS - 1][WORDS - 1] >> 31;
    }
}

impl<const WORDS: usize, const LEVELS: usize> XBitPar<WORDS, LEVELS> {
    /// Searches segment `number`, beginning with the halo before it.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, with the same number.
    #[inline(always)]
    unsafe fn search_segment(&self, number: u64, table: LaneWords<WORDS>) {
        let lane = warp::lane_id();
        let start = self.first + number * self.segment;
        let end = (start + self.segment).min(self.n);
        let mut at = start.saturating_sub(self.halo.into());
        // SAFETY: guaranteed by the caller, also below.
        let mut automaton = unsafe { Automaton::<WORDS, LEVELS>::new(self.m) };
        while at < end {
            for four in 0..opaque(STEP as u32 / 4) {
                let packed = self.text.read(at as usize / 4 + four as usize);
                unroll!(i in [0 1 2 3] {
                    let words = table.read(packed, i);
                    // SAFETY: as above: all lanes run the same number of iterations.
                    unsafe { automaton.step(words) };
                });
            }
            // SAFETY: as above.
            let rejected = unsafe { broadcast(automaton.rejected, WARP - 1) };
            let position = at + u64::from(lane);
            if at >= start && position < self.n {
                self.bytes.write(position as usize, (!rejected >> (WARP - 1 - lane) & 1) as u8);
            }
            at += STEP;
        }
    }
}

#[kernel(
    threads = warps(WORDS) * WARP,
    shared = shared_bytes(WORDS),
    instances = [
        xbitpar_1_0: (1, 1), xbitpar_1_1: (1, 2), xbitpar_1_2: (1, 3), xbitpar_1_3: (1, 4),
        xbitpar_2_0: (2, 1), xbitpar_2_1: (2, 2), xbitpar_2_2: (2, 3), xbitpar_2_3: (2, 4),
        xbitpar_4_0: (4, 1), xbitpar_4_1: (4, 2), xbitpar_4_2: (4, 3), xbitpar_4_3: (4, 4),
    ]
)]
pub fn xbitpar<const WORDS: usize, const LEVELS: usize>(self: XBitPar<WORDS, LEVELS>) {
    // SAFETY: all threads of the block reach this call.
    let table = unsafe { LaneWords::<WORDS>::load(self.table) };
    let mut number = u64::from(thread::index_1d() / WARP);
    while number < self.segments {
        // SAFETY: all lanes of the warp reach this call: the number is per warp.
        unsafe { self.search_segment(number, table) };
        number += u64::from(self.blocks * warps(WORDS));
    }
}

/// Bytes of shared memory per block.
pub const fn shared_bytes(words: usize) -> u32 {
    ROWS_BYTES * words as u32
}
