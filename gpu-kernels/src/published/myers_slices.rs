//! Myers' bit-vectors in short slices of the text, a slice a thread, as published by Melo and Canalli (2014). m is at
//! most 32, k less than m.
//!
//! **Idea.** A column of Sellers' table, whose neighbours differ by 1, 0 or -1, is two words: VP has the rows where D is
//! one more than in the row above, VN those where it is one less. The next column is some 15 instructions, whatever m
//! and k (G. Myers, 1999; [`myers`](crate::search::myers) has the table's picture). Columns follow one another, so the
//! text is cut into slices, and each thread computes one as if the text began there:
//!
//! ```text
//! text     |-- slice 0 --|-- slice 1 --|--- slice 2 ---|--- slice 3 ---|     n symbols, of which the last slices have one more
//! thread 0 |=============|~~~~~~~~|                                          = its slice, ~ the overlap after it: m + k - 1
//! thread 1               |=============|~~~~~~~~|                              symbols, but for the end of the text
//! thread 2                             |===============|~~~~~~~~|
//! thread 3                                             |===============|
//! ```
//!
//! **Slices** (equations 3.1 to 3.4; [`Slices`]). As many as the largest power of two that is not above ⌊n / m⌋, so that
//! a slice has m to 2 m symbols; the n mod slices symbols that are left over go to the last slices, one each.
//!
//! **Overlap.** An occurrence has at most m + k symbols, and is found by the thread in whose slice it begins. If that is
//! the slice's last symbol, m + k - 1 symbols of it come after the slice. What a thread computes is the fewest errors of
//! the parts that begin in its slice or in its overlap: never fewer than there are. So both threads that compute a
//! position may report it, neither is ever wrong, and one of them is right: "1 predominates".
//!
//! **Memory.** The text is read from global memory, a byte at a time, neighbours a slice apart. The match words (PEq)
//! are in read-only memory, in 2014 a texture. Results are a byte a position, 0 before the launch; a thread writes only
//! ones, by an atomic `or`, since two threads may write the same byte.
//!
//! **The paper's letters** are the other way round: its n is the pattern's length and its m the text's. Here, as in all
//! files, m is the pattern's and n the text's.
//!
//! The paper builds on A. Chacón et al. (2014), whose *task-parallel* form has a thread a pattern, and whose
//! *thread-cooperative* form has several threads for the words of one long pattern. Slices are neither: the pattern is the
//! same in all threads, and nothing is handed on.
//!
//! **The paper**, from every equation and listing to the code, its slips and its times: `docs/papers/melo-canalli-2014.md`.
//! The initial VP and VN are those of a search (row 0 of the table is 0): HP is shifted without a bit that comes in.
//!
//! **Cost** a symbol of the text: (slice + overlap) / slice columns, which is 1.5 to 2 and somewhat more with errors,
//! each a load of a byte, a load of a match word, and some 17 instructions.
//! [`myers_slices_shared`](super::myers_slices_shared) is the paper's future work.

use simt_std::prelude::*;

/// Threads per block.
pub const THREADS: u32 = 1024;

/// Symbols of a pattern at most: the bits of a word, w in the paper.
pub const MOST_SYMBOLS: u32 = 32;

/// How a text is cut into slices.
///
/// ```
/// use carrywave_kernels::published::myers_slices::Slices;
///
/// // The paper's configuration 2: the Bible, and a pattern of four letters.
/// assert_eq!(Slices::new(4_351_843, 4), Slices { count: 1_048_576, base: 4, remaining: 157_539 });
/// // 23 symbols, m = 5: four slices, of which the last three have a symbol more.
/// let starts = [0, 1, 2, 3, 4].map(|number| Slices::new(23, 5).start(number));
/// assert_eq!(starts, [0, 5, 11, 17, 23]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Slices {
    /// How many slices there are, a power of two.
    pub count: u64,
    /// Symbols of a slice, without the one more of the last slices.
    pub base: u64,
    /// How many slices, the last ones, have a symbol more.
    pub remaining: u64,
}

impl Slices {
    /// Of n symbols, for a pattern of m. A text that is shorter than the pattern is one slice: it may hold an occurrence
    /// with errors.
    pub const fn new(n: u64, m: u32) -> Self {
        let count = match n.checked_div(m as u64) {
            Some(most) if most > 0 => 1 << most.ilog2(),
            _ => 1,
        };
        Self { count, base: n / count, remaining: n % count }
    }

    /// The first position of a slice; of the slice after the last one, the text's end.
    #[inline(always)]
    pub const fn start(self, number: u64) -> u64 {
        number * self.base + number.saturating_sub(self.count - self.remaining)
    }
}

/// A column of Sellers' table, with the paper's names; row i has bit i - 1.
///
/// ```
/// use carrywave_kernels::published::myers_slices::Column;
///
/// // The pattern aba in a text: the least distance of the pattern to a part of the text that ends at each symbol.
/// let peq = |symbol| match symbol { b'a' => 0b101, b'b' => 0b010, _ => 0 };
/// let mut column = Column::new(3);
/// let scores = b"xabxa".map(|symbol| {
///     column.step(peq(symbol), 3);
///     column.score
/// });
/// assert_eq!(scores, [3, 2, 1, 1, 1]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// VP: the rows where D is one more than in the row above.
    pub vp: u32,
    /// VN: the rows where D is one less than in the row above.
    pub vn: u32,
    /// D of the last row.
    pub score: u32,
}

impl Column {
    /// The column before any symbol, where D is the row's number. m is 1 to 32.
    #[inline(always)]
    pub fn new(m: u32) -> Self {
        Self { vp: !0 >> (32 - m), vn: 0, score: m }
    }

    /// The next column, by the rows `eq` whose symbol is the text's next one: `AdvancedBlock` of algorithm 1.
    #[inline(always)]
    pub fn step(&mut self, eq: u32, m: u32) {
        let Self { vp, vn, score } = *self;
        let vx = eq | vn;
        let hx = ((eq & vp).wrapping_add(vp) ^ vp) | eq;
        let hp = vn | !(vp | hx);
        let hn = vp & hx;
        let last = m - 1;
        self.score = score.wrapping_add(hp >> last & 1).wrapping_sub(hn >> last & 1);
        // In a search D is 0 in row 0 of every column: nothing comes in.
        let (hp, hn) = (hp << 1, hn << 1);
        self.vp = hn | !(hp | vx);
        self.vn = hp & vx;
    }
}

/// Searches a text for a pattern. Launch: a thread a slice, in as few blocks as have so many.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct MyersSlices {
    /// The text: n symbols of one byte.
    pub text: Global<u8>,
    /// n, at least 1.
    pub n: u64,
    /// How it is cut.
    pub slices: Slices,
    /// Symbols after a slice that its thread computes as well: m + k - 1, or more. The paper has m - 1, which loses
    /// occurrences.
    pub overlap: u64,
    /// m, 1 to 32.
    pub m: u32,
    /// k, less than m.
    pub k: u32,
    /// PEq, a word for each of 256 symbols: bit i is 1 where the symbol matches the pattern's symbol i. Nobody writes it
    /// during the launch.
    pub peq: Global<u32>,
    /// Out: a byte a position, four a word; 0 when the launch starts, set to 1 where an occurrence ends.
    pub ones: Global<u32>,
}

#[kernel(threads = THREADS)]
pub fn myers_slices(self: MyersSlices) {
    let number = u64::from(thread::block_idx_x()) * u64::from(THREADS) + u64::from(thread::thread_idx_x());
    if number >= self.slices.count {
        return;
    }
    let start = self.slices.start(number);
    let end = (self.slices.start(number + 1) + self.overlap).min(self.n);
    let text = self.text.skip(start as usize);
    let mut column = Column::new(self.m);
    for i in 0..(end - start) as u32 {
        let symbol = text.read(i as usize);
        column.step(self.peq.read_only(symbol.into()), self.m);
        if column.score <= self.k {
            let position = start + u64::from(i);
            atomic::fetch_or(self.ones, (position / 4) as usize, 1 << (position % 4 * 8));
        }
    }
}
