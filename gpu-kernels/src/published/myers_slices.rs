//! Myers' bit-vectors in short slices of the text, one slice per thread, as published by Melo and
//! Canalli (2014). m is at most 32, k is less than m.
//!
//! **Idea.** Neighbouring values in a column of Sellers' table differ by 1, 0 or -1, so two words
//! hold a column: VP has the rows where D is one more than in the row above, VN those where it is
//! one less. The next column takes about 15 instructions for any m and k (G. Myers, 1999;
//! [`myers`](crate::search::myers) has a picture of the table). Columns depend on one another, so
//! the text is cut into slices, and each thread computes one slice as if the text began there:
//!
//! ```text
//! text     |-- slice 0 --|-- slice 1 --|--- slice 2 ---|--- slice 3 ---|
//! thread 0 |=============|~~~~~~~~|
//! thread 1               |=============|~~~~~~~~|
//! thread 2                             |===============|~~~~~~~~|
//! thread 3                                             |===============|
//!
//! n symbols; the last slices have one more each
//! = the slice of the thread
//! ~ the overlap after it: m + k - 1 symbols, but for the end of the text
//! ```
//!
//! **Slices** (equations 3.1 to 3.4; [`Slices`]). Their number is the largest power of
//! two ≤ ⌊n / m⌋, so that a slice has m to 2 m symbols. The remaining (n mod slices) symbols go to
//! the last slices, one each.
//!
//! **Overlap.** An occurrence has at most m + k symbols, and the thread whose slice it begins in
//! finds it. If it begins at the slice's last symbol, m + k - 1 of its symbols come after the
//! slice. A thread computes the minimum distance over the parts that begin in its slice or its
//! overlap, which is never less than the true minimum. So the two threads that compute a position
//! may both report it, neither reports a false one, and one of them has the true value: "1
//! predominates".
//!
//! **Memory.** A thread reads the text from global memory, one byte at a time; the bytes that
//! neighbouring threads read are a slice apart. The match words (PEq) are in read-only memory,
//! which was a texture in 2014. Results are one byte per position, 0 before the launch. A thread
//! writes only ones, by an atomic `or`, because two threads may write the same byte.
//!
//! **Letters.** The paper uses n for the pattern's length and m for the text's. Here, as in all
//! files, m is the pattern's and n the text's.
//!
//! The paper builds on A. Chacón et al. (2014). Their *task-parallel* form has a thread per
//! pattern, and their *thread-cooperative* form has several threads for the words of one long
//! pattern. Slices are neither: the pattern is the same in all threads, and threads exchange
//! nothing.
//!
//! **The paper**: `docs/papers/melo-canalli-2014.md` maps every equation and listing to the code,
//! and lists its errors and its times. The initial VP and VN are those of a search (row 0 of the
//! table is 0): HP is shifted in with a 0.
//!
//! **Cost** per symbol of the text: (slice + overlap) / slice columns, which is 1.5 to 2 and
//! somewhat more with errors. A column takes a load of a byte, a load of a match word, and about 17
//! instructions. [`myers_slices_shared`](super::myers_slices_shared) is the paper's future work.

use simt_std::prelude::*;

/// Threads per block.
pub const THREADS: u32 = 1024;

/// Maximum length of a pattern, in symbols: the bits of a word, w in the paper.
pub const MAX_SYMBOLS: u32 = 32;

/// Partition of a text into slices.
///
/// ```
/// use carrywave_kernels::published::myers_slices::Slices;
///
/// // The paper's configuration 2: the Bible, and a pattern of four letters.
/// assert_eq!(Slices::new(4_351_843, 4), Slices { count: 1_048_576, base: 4, remaining: 157_539 });
/// // 23 symbols, m = 5: four slices; the last three have one symbol more.
/// let starts = [0, 1, 2, 3, 4].map(|number| Slices::new(23, 5).start(number));
/// assert_eq!(starts, [0, 5, 11, 17, 23]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Slices {
    /// Number of slices, a power of two.
    pub count: u64,
    /// Symbols per slice, not counting the extra symbol of the last slices.
    pub base: u64,
    /// Number of slices with an extra symbol; these are the last ones.
    pub remaining: u64,
}

impl Slices {
    /// Returns the slices of n symbols for a pattern of m. A text that is shorter than the pattern
    /// is one slice, because it may hold an occurrence with errors.
    pub const fn new(n: u64, m: u32) -> Self {
        let count = match n.checked_div(m as u64) {
            Some(most) if most > 0 => 1 << most.ilog2(),
            _ => 1,
        };
        Self { count, base: n / count, remaining: n % count }
    }

    /// Returns the first position of a slice. For `number` = `count` this is the text's end.
    #[inline(always)]
    pub const fn start(self, number: u64) -> u64 {
        number * self.base + number.saturating_sub(self.count - self.remaining)
    }
}

/// A column of Sellers' table, with the paper's names. Row i has bit i - 1.
///
/// ```
/// use carrywave_kernels::published::myers_slices::SliceColumn;
///
/// // The pattern aba in a text: minimum distance of the pattern to a part ending at each symbol.
/// let peq = |symbol| match symbol { b'a' => 0b101, b'b' => 0b010, _ => 0 };
/// let mut column = SliceColumn::new(3);
/// let scores = b"xabxa".map(|symbol| {
///     column.step(peq(symbol), 3);
///     column.score
/// });
/// assert_eq!(scores, [3, 2, 1, 1, 1]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SliceColumn {
    /// VP: the rows where D is one more than in the row above.
    pub vp: u32,
    /// VN: the rows where D is one less than in the row above.
    pub vn: u32,
    /// D of the last row, in edits.
    pub score: u32,
}

impl SliceColumn {
    /// Returns the column before any symbol, where D is the row number. m is 1 to 32.
    #[inline(always)]
    pub fn new(m: u32) -> Self {
        Self { vp: !0 >> (32 - m), vn: 0, score: m }
    }

    /// Advances to the next column (`AdvancedBlock` of algorithm 1). `eq` has the rows whose symbol
    /// equals the next symbol of the text.
    #[inline(always)]
    pub fn step(&mut self, eq: u32, m: u32) {
        let Self { vp, vn, score } = *self;
        let vx = eq | vn;
        let hx = ((eq & vp).wrapping_add(vp) ^ vp) | eq;
        let hp = vn | !(vp | hx);
        let hn = vp & hx;
        let last = m - 1;
        self.score = score.wrapping_add(hp >> last & 1).wrapping_sub(hn >> last & 1);
        // In a search D is 0 in row 0 of every column, so a 0 is shifted in.
        let (hp, hn) = (hp << 1, hn << 1);
        self.vp = hn | !(hp | vx);
        self.vn = hp & vx;
    }
}

/// Searches a text for a pattern. Launch: one thread per slice, in as few blocks as possible.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct MyersSlices {
    /// The text: n symbols of one byte.
    pub text: Global<u8>,
    /// n, at least 1.
    pub n: u64,
    /// The slices of the text.
    pub slices: Slices,
    /// Number of symbols after a slice that its thread computes as well, at least m + k - 1. The
    /// paper has m - 1, which loses occurrences.
    pub overlap: u64,
    /// m, 1 to 32.
    pub m: u32,
    /// k, less than m.
    pub k: u32,
    /// PEq, one word for each of 256 symbols: bit i is 1 if the symbol matches the pattern's symbol
    /// i. Read-only during the launch.
    pub peq: Global<u32>,
    /// Out: one byte per position, four per word. 0 before the launch, set to 1 where an occurrence
    /// ends.
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
    let mut column = SliceColumn::new(self.m);
    for i in 0..(end - start) as u32 {
        let symbol = text.read(i as usize);
        column.step(self.peq.read_only(symbol), self.m);
        if column.score <= self.k {
            let position = start + u64::from(i);
            atomic::fetch_or(self.ones, (position / 4) as usize, 1 << (position % 4 * 8));
        }
    }
}
